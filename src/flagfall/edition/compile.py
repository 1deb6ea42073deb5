"""Game + Options → Tables: what a box says, as the integers the engine plays by.

The other half of "the box is data, the verbs are code": here, and only here, names of kinds, powers and
options become flags and numbers.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from flagfall.board import CELLS, row_of
from flagfall.edition.combat_facts import melee
from flagfall.edition.options import Options
from flagfall.edition.schema import Game, Kind
from flagfall.engine import tables as T
from flagfall.engine.tables import Tables

_SWITCHES = {
    "two_square_counts_attacks": T.TWO_SQUARE_ATTACKS,
    "chase_rule": T.CHASE_RULE,
    "silent_defense": T.SILENT_DEFENSE,
    "rescue": T.RESCUE_RULE,
    "rescue_on_strike": T.RESCUE_ON_STRIKE,
    "defender_advances": T.DEFENDER_ADVANCES,
    "spot_any_side": T.SPOT_ANY_SIDE,
    "spot_silent_miss": T.SPOT_SILENT_MISS,
}
RESCUES_PER_PLAYER = 2


@lru_cache(maxsize=256)
def compile_game(game: Game, options: Options) -> Tables:
    """The Tables of a game under resolved options."""
    row = np.zeros(T.TABLE_SIZE, dtype=np.int16)
    chosen = dict(options.items())
    for name, place in _SWITCHES.items():
        row[place] = name in chosen and options.is_on(name)
    row[T.TWO_SQUARE_LIMIT] = options.number("two_square_limit") or 0
    row[T.NO_PROGRESS_LIMIT] = options.number("no_progress_draw") or 0
    row[T.BOTH_STUCK_DRAWS] = options["both_stuck"] == "draw"
    row[T.TELLS_CAPTOR] = options["captured_pieces"] in ("open", "prisoner")
    row[T.RESCUE_CAP] = RESCUES_PER_PLAYER
    row[T.KIND_COUNT] = len(game.kinds)
    for index, kind in enumerate(game.kinds):
        row[T.KIND_FLAGS + index] = _flags(game, kind, options)
    row[T.HAS_FOLLOW_UPS] = row[T.RESCUE_RULE] or game.has_verb("spot")
    _write_guesses(row, game)
    _write_cells(row, game, chosen.get("rescue_zone", "home_rows"))
    _write_melee(
        row,
        game,
        aggressor_wins=options.is_on("aggressor_advantage") if "aggressor_advantage" in chosen else False,
    )
    return Tables(row)


def _flags(game: Game, kind: Kind, options: Options) -> int:
    flags = 0
    if kind.is_mobile:
        flags |= T.MOBILE | T.RESCUES
    if kind.role == "flag":
        flags |= T.IS_FLAG
    if kind.role != "bomb":
        flags |= T.RESCUABLE
    for power in game.abilities(kind):
        if power.verb == "run":
            flags = (flags | T.RUNS | T.NAMES_STRUCK) & ~T.RESCUES
            if power.parameters.get("attack", True):
                flags |= T.RUN_ATTACKS
        elif power.verb == "spot":
            flags |= T.SPOTS
            if options.is_on("spot_move_then_attack"):
                flags |= T.STEP_ATTACKS
    return flags


def _write_guesses(row: np.ndarray[tuple[int], np.dtype[np.int16]], game: Game) -> None:
    for side, roster in enumerate(game.rosters):
        for kind, count in enumerate(roster):
            if count:
                row[T.GUESSES + 4 * side + kind // 10] |= 1 << kind % 10


def _write_cells(row: np.ndarray[tuple[int], np.dtype[np.int16]], game: Game, rescue_zone: str) -> None:
    board = game.board
    for cell in range(CELLS):
        if cell not in board or cell in board.zones:
            row[T.CELL_FLAGS + cell] |= T.BLOCKED
    for side in (0, 1):
        rows = board.rows // 2 if rescue_zone == "half" else board.home_rows
        for cell in board.home(side, rows):
            row[T.CELL_FLAGS + cell] |= T.RESCUE_CELL << side
        for cell in board.cells():
            if row_of(cell) == board.back_row(side):
                row[T.CELL_FLAGS + cell] |= T.BACK_ROW << side


def _write_melee(
    row: np.ndarray[tuple[int], np.dtype[np.int16]], game: Game, *, aggressor_wins: bool
) -> None:
    for a, attacker in enumerate(game.kinds):
        for d, defender in enumerate(game.kinds):
            outcome = melee(attacker, defender)
            if outcome == T.BOTH_LOST and aggressor_wins:
                outcome = T.ATTACKER_WINS
            row[T.MELEE + a * T.MAX_KINDS + d] = outcome
