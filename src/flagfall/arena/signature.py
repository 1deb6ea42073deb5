"""The signature: one hash per game over seeded random games; it changes exactly when behaviour does.

It covers positions, events and the numbers of legal actions, and is the same interpreted and compiled.
``signature.txt`` has one line per game and option set::

    mini/3x3  -               turns 312   4c1f9e0a52d7b3a8
    mini/3x3  chase_rule=on   turns 298   90b7…
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from flagfall.edition import Game, concerning, game_ids, load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine.action import MOVE
from flagfall.engine.kernel import Ints
from flagfall.engine.play import deal, legal_actions, play
from flagfall.engine.simulate import random_below, seeded
from flagfall.engine.tables import Tables
from flagfall.errors import FlagfallError

MIN_TURNS = 1000
"""minimum number of turns over all games"""
MAX_ACTIONS = 500
"""maximum number of actions in one game"""
OPTION_SETS: tuple[Mapping[str, str], ...] = (
    {},
    {"silent_defense": "on", "rescue": "on", "rescue_on_strike": "on"},
    {"aggressor_advantage": "on", "chase_rule": "on", "two_square_counts_attacks": "on"},
    {"rescue": "on", "rescue_zone": "half", "two_square_limit": "off", "no_progress_draw": "40"},
    {"spot_any_side": "on", "spot_move_then_attack": "on", "both_stuck": "draw"},
    {"spot_silent_miss": "on", "captured_pieces": "stealth", "two_square_limit": "5"},
    {"blast_range": "square", "advance_subset": "on", "two_step_may_return": "on"},
    {"advance_order": "front_first", "detect_known": "off", "two_square_counts_attacks": "on"},
    {"longbow_range": "square", "two_step_may_return": "on", "captured_pieces": "secret"},
    {"longbow_range": "square", "detect_known": "off", "two_square_limit": "off", "no_progress_draw": "60"},
    {"mount_doom": "g5", "doom_immune": "on", "frodo_tie_kills": "on"},
    {"ring_gone_visible": "on", "detect_known": "off", "captured_pieces": "stealth"},
    {"dragon_over_zones": "on", "arrow_takes_flag": "on", "enchant_cap": "2"},
    {"enchant_probe": "off", "two_step_may_return": "on", "captured_pieces": "prisoner"},
)
"""option sets; each is used for the games that have all its options"""

_HEAD = """\
# What seeded random games come to: game, options, turns played, hash of everything that happened.
# A change here is a change of behaviour. Write it anew with: flagfall signature --write
"""


class SignatureError(FlagfallError):
    """The signature file cannot be read."""

    code = "bad-signature-file"


def option_sets(game: Game) -> list[Mapping[str, str]]:
    """Return the option sets whose options all concern the game."""
    known = {info.name for info in concerning(game)}
    return [chosen for chosen in OPTION_SETS if set(chosen) <= known]


def signatures(
    games: Iterable[str] | None = None, report: Callable[[str, str], None] | None = None
) -> dict[str, str]:
    """Return “game options” → “turns hash” for these games or all; ``report`` is called with each."""
    found = {}
    for game_id in game_ids() if games is None else games:
        game = load_game(game_id)
        for chosen in option_sets(game):
            name = f"{game_id} {_said(chosen)}"
            found[name] = _signature(game, chosen)
            if report is not None:
                report(name, found[name])
    return found


def _said(chosen: Mapping[str, str]) -> str:
    return ",".join(f"{option}={value}" for option, value in chosen.items()) or "-"


def _signature(game: Game, chosen: Mapping[str, str]) -> str:
    tables = compile_game(game, resolve(game, chosen))
    digest = hashlib.blake2b(digest_size=8)
    turns = seed = 0
    while turns < MIN_TURNS:
        turns += _play(game, tables, seeded(seed), digest.update)
        seed += 1
    return f"{turns} {digest.hexdigest()}"


def random_setup(game: Game, side: int, rng: Ints) -> dict[int, int]:
    """Return a random army on its home squares, by the engine's own random numbers."""
    kinds = [kind for kind, count in enumerate(game.rosters[side]) for _ in range(count)]
    home = game.board.home(side)
    return {home.pop(random_below(rng, len(home))): kind for kind in kinds}


def _play(game: Game, tables: Tables, rng: Ints, note: Callable[[bytes], None]) -> int:
    """Play one random game, hash all of it, and return the number of completed turns."""
    state, happened = deal(tables, random_setup(game, 0, rng), random_setup(game, 1, rng))
    note(repr([tuple(event) for event in happened]).encode())
    turns = 0
    for _ in range(MAX_ACTIONS):
        legal = legal_actions(tables, state)
        if not legal:
            break
        happened = play(tables, state, _choose(legal, rng))
        note(f"{len(legal)} {[tuple(event) for event in happened]} {state.digest()}\n".encode())
        turns += not state.is_turn_open
    return turns


def _choose(legal: list[int], rng: Ints) -> int:
    """Choose at random; half the time other actions than moves are preferred, for more events."""
    bold = [act for act in legal if act >> 24 != MOVE]
    choices = bold if bold and random_below(rng, 2) else legal
    return choices[random_below(rng, len(choices))]


def write(file: Path, found: Mapping[str, str]) -> None:
    """Write signatures to a file."""
    file.write_text(written(found), encoding="utf-8")


def written(found: Mapping[str, str]) -> str:
    """Return signatures as text, in columns."""
    names = [name.split(" ") for name in found]
    game_width = max(len(game) for game, _ in names)
    option_width = max(len(options) for _, options in names)
    lines = []
    for (game, options), value in zip(names, found.values(), strict=True):
        turns, digest = value.split(" ")
        lines.append(f"{game:{game_width}}  {options:{option_width}}  turns {turns:>5}  {digest}\n")
    return _HEAD + "".join(lines)


def read(file: Path) -> dict[str, str]:
    """Return the signatures in a file."""
    found = {}
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            words = line.split()
            if len(words) != 5 or words[2] != "turns":
                raise SignatureError(f"{file.name}, line {number}: not a signature; write the file anew")
            found[f"{words[0]} {words[1]}"] = f"{words[3]} {words[4]}"
    return found
