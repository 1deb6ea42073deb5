"""`flagfall engine`: a player over the engine protocol, on standard input and output."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from functools import partial

from flagfall.arena.contestants import warm_up_player
from flagfall.edition import Game, Options, load_game, parse_pairs, resolve
from flagfall.engine.warm import warm_up
from flagfall.players import check_player
from flagfall.protocol.engine import Engine
from flagfall.protocol.messages import read_lines


def run(address: str, player: str, pairs: list[str], *, explains: bool = False) -> None:
    """Answer lines until the end of the input or ``quit``; warm up when asked whether it is ready."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    resolve(load_game(address), parse_pairs(pairs))
    check_player(player)
    prepare = partial(_prepare, explains=explains)
    engine = Engine(address, player, dict(parse_pairs(pairs)), _say, prepare, explains=explains)
    engine.run(_lines())


def _prepare(game: Game, options: Options, player: str, *, explains: bool) -> None:
    warm_up()
    warm_up_player(game, options, player, explains=explains)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _lines() -> Iterator[str]:
    try:
        yield from read_lines(sys.stdin.readline)
    except KeyboardInterrupt:
        return
