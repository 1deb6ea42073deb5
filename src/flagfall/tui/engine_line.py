"""`flagfall engine`: standard input and output for a player behind the engine protocol."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator

from flagfall.arena.engine import Engine
from flagfall.arena.rehearsal import rehearse
from flagfall.edition import parse_pairs
from flagfall.engine.warm import warm_up


def run(address: str, player: str, pairs: list[str]) -> None:
    """Answer lines until the end of the input or ``quit``; gets ready before it says anything."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    engine = Engine(address, player, dict(parse_pairs(pairs)), _say)
    warm_up()
    rehearse(engine.game, engine.options, player)
    engine.run(_lines())


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _lines() -> Iterator[str]:
    try:
        yield from iter(sys.stdin.readline, "")
    except KeyboardInterrupt:
        return
