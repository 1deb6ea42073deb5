"""Compile a game and its options to Tables, the integers that the engine reads.

Only here do the names of kinds, powers and options become flags and numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from flagfall.board import CELLS, parse_cell, row_of
from flagfall.edition.combat import Outcomes, setting
from flagfall.edition.options import Options
from flagfall.edition.schema import Game, Kind, Power
from flagfall.edition.verbs import ROW_PRIMITIVES, STRIKING_PRIMITIVES, power_verb, verbs_of
from flagfall.engine import tables as T
from flagfall.engine.tables import Tables, outcome_at
from flagfall.sides import SIDES

Row = NDArray[np.int16]

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
_COLUMNS = {
    "over_zones": T.OVER_ZONES,
    "attack_after": T.ATTACK_AFTER,
    "friends": T.HITS_FRIENDS,
    "choose": T.CHOOSE,
    "shown_first": T.SHOWN_FIRST,
    "removed_after": T.REMOVED_AFTER,
    "blocked": T.NEEDS_CLEAR_SHOT,
    "cap": T.CAP,
    "subset": T.SUBSET,
}
RESCUES_PER_PLAYER = 2


@lru_cache(maxsize=256)
def compile_game(game: Game, options: Options) -> Tables:
    """Return the Tables of a game under its options."""
    row = np.zeros(T.TABLE_SIZE, dtype=np.int16)
    for name, place in _SWITCHES.items():
        row[place] = options.is_on(name)
    row[T.TWO_SQUARE_LIMIT] = options.number("two_square_limit") or 0
    row[T.NO_PROGRESS_LIMIT] = options.number("no_progress_draw") or 0
    row[T.BOTH_STUCK_DRAWS] = options["both_stuck"] == "draw"
    row[T.TELLS_CAPTOR] = options["captured_pieces"] in ("open", "prisoner")
    row[T.RESCUE_CAP] = RESCUES_PER_PLAYER
    row[T.KIND_COUNT] = len(game.kinds)
    for index, kind in enumerate(game.kinds):
        row[T.KIND_FLAGS + index] = _flags(game, kind, options)
    _write_guesses(row, game)
    _write_cells(row, game, options.get("rescue_zone", "home_rows"))
    _write_powers(row, game, options)
    _write_ring(row, game, options)
    _write_attacks(row, game, options)
    has_verbs = any(verbs_of(power.verb) or power.verb == "bearer" for power in game.powers())
    row[T.HAS_FOLLOW_UPS] = bool(row[T.RESCUE_RULE] or has_verbs)
    return Tables(row)


def power_rows(game: Game) -> tuple[Power, ...]:
    """Return the powers that have a row in the Tables, in the order of their rows."""
    return tuple(power for power in game.powers() if power.verb in ROW_PRIMITIVES)


def _flags(game: Game, kind: Kind, options: Options) -> int:
    flags = 0
    if kind.is_mobile:
        flags |= T.MOBILE | T.RESCUES
    if kind.role == "flag":
        flags |= T.IS_FLAG
    if kind.role != "bomb":
        flags |= T.RESCUABLE
    for power in game.abilities(kind):
        if power.verb in FLAG_BITS:
            flags |= FLAG_BITS[power.verb](power, options)
        if power.verb == "run":
            flags &= ~T.RESCUES
    return flags


def _run(power: Power, options: Options) -> int:
    return T.RUNS | T.NAMES_STRUCK | (T.RUN_ATTACKS if setting(power, "attack", options) else 0)


def _spot(power: Power, options: Options) -> int:
    return T.SPOTS | (T.STEP_ATTACKS if options.is_on("spot_move_then_attack") else 0)


def _two_step(power: Power, options: Options) -> int:
    return T.TWO_STEPS | (T.RETURNS if setting(power, "may_return", options) else 0)


FLAG_BITS: Mapping[str, Callable[[Power, Options], int]] = {
    "run": _run,
    "spot": _spot,
    "two-step": _two_step,
    "chain": lambda power, options: T.CHAINS,
    "bearer": lambda power, options: T.BEARER,
}
"""the flags of a kind for powers that have no row, by primitive"""


def _write_guesses(row: Row, game: Game) -> None:
    for side, roster in enumerate(game.rosters):
        for kind, count in enumerate(roster):
            if count:
                row[T.GUESSES + 4 * side + kind // 10] |= 1 << kind % 10


def _write_cells(row: Row, game: Game, rescue_zone: str) -> None:
    board = game.board
    for cell in range(CELLS):
        if cell not in board or cell in board.zones:
            row[T.CELL_FLAGS + cell] |= T.BLOCKED
        if cell in board.zones:
            row[T.CELL_FLAGS + cell] |= T.ZONE
    for side in SIDES:
        rows = board.rows // 2 if rescue_zone == "half" else board.home_rows
        for cell in board.home(side, rows):
            row[T.CELL_FLAGS + cell] |= T.RESCUE_CELL << int(side)
        for cell in board.cells():
            if row_of(cell) == board.back_row(side):
                row[T.CELL_FLAGS + cell] |= T.BACK_ROW << int(side)


def _write_powers(row: Row, game: Game, options: Options) -> None:
    rows = power_rows(game)
    row[T.HAS_POWERS] = bool(rows)
    for index, power in enumerate(rows):
        at = T.POWERS + index * T.POWER_WIDTH
        row[at + T.POWER_VERB] = power_verb(power).code
        for key, column in _COLUMNS.items():
            if key in power.parameters:
                value = setting(power, key, options)
                row[at + column] = int(value) if isinstance(value, int) else 0
        if "reach" in power.parameters:
            is_lines = setting(power, "reach", options) == "lines"
            row[at + T.REACH] = T.REACH_LINES if is_lines else T.REACH_SQUARE
        row[at + T.ON_KNOWN] = power.verb != "detect" or bool(setting(power, "known", options))
        row[at + T.HIDES_SPARED] = power.verb == "convert" and not setting(power, "probe", options)
        row[at + T.FRONT_FIRST] = (
            power.verb == "advance" and setting(power, "order", options) == "front_first"
        )
        if power.verb in STRIKING_PRIMITIVES:
            context = sum(one.verb in STRIKING_PRIMITIVES for one in rows[: index + 1])
            row[at + T.CONTEXT] = context
            _write_context(row, game, options, power, context)
        if power.verb == "area":
            row[T.AREA_ROWS] |= 1 << index
        if power.verb == "advance":
            row[T.ADVANCE_ROW] = 1 << index
        for number, kind in enumerate(game.kinds):
            if power in game.abilities(kind):
                row[T.KIND_POWERS + number] |= 1 << index


def _write_ring(row: Row, game: Game, options: Options) -> None:
    for power in game.powers():
        if power.verb == "bearer":
            row[T.RESERVED_SQUARE] = parse_cell(str(setting(power, "square", options)))
            row[T.BEARER_IS_SAFE] = bool(setting(power, "immune_there", options))
            purged = power.parameters["purges"]
            for number, kind in enumerate(game.kinds):
                if isinstance(purged, tuple) and kind.id in purged:
                    row[T.KIND_FLAGS + number] |= T.PURGED


def _write_attacks(row: Row, game: Game, options: Options) -> None:
    fights = Outcomes(game, options)
    for phase in _phases(game):
        for a, attacker in enumerate(game.kinds):
            for d, defender in enumerate(game.kinds):
                row[outcome_at(phase, T.MELEE, a, d)] = fights.in_attack(attacker, defender, phase)


def _write_context(row: Row, game: Game, options: Options, power: Power, context: int) -> None:
    fights = Outcomes(game, options)
    users = [number for number, kind in enumerate(game.kinds) if power in game.abilities(kind)]
    for phase in _phases(game):
        for user in users:
            for d, target in enumerate(game.kinds):
                row[outcome_at(phase, context, user, d)] = fights.by_power(
                    power, game.kinds[user], target, phase
                )


def _phases(game: Game) -> range:
    return range(T.PHASES if game.has_verb("bearer") else 1)
