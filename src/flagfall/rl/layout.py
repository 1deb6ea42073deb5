"""What the planes and scalars of an observation are, for one game and its options.

*Planes* are squares ``[plane, row, column]`` of 0 and 1, seen from the mover's side: row 0 is its back row,
column 0 its left. *Scalars* are small whole numbers. Both hold what the mover has been told or can count, and
nothing else; `observer.py` makes the same from a View and its history.

Kinds are counted within an army: ``own 3`` is the fourth kind of the mover's army, in the order of the game.
Where pieces can change sides, both armies count all kinds of the game.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from flagfall.board import CELLS
from flagfall.edition import Game, Options, concerning
from flagfall.engine import action as A
from flagfall.engine import tables as T
from flagfall.engine.tables import Tables
from flagfall.rl.actions import CHOICES, REACH, ActionSpace

PENDING_NAMES: Final = (
    "turn",
    "guess",
    "rescue kind",
    "rescue square",
    "attack again",
    "attack after landing",
    "target",
    "next",
    "place",
)
"""what is asked of the mover; the first eight as in State"""
ASK_PLACE: Final = 8

# --- planes that every game has, after those of the kinds
OWN_MOVED: Final = 0
OWN_TOLD: Final = 1
HIDDEN_UNMOVED: Final = 2
HIDDEN_MOVED: Final = 3
TOLD_MOVED: Final = 4
CONVERTED: Final = 5
ASKED_SQUARE: Final = 6
LAST_OWN_FROM: Final = 7
LAST_OWN_TO: Final = 8
LAST_ENEMY_FROM: Final = 9
LAST_ENEMY_TO: Final = 10
ZONES: Final = 11
PLAIN_PLANES: Final = (
    "own piece that has moved",
    "own piece that the opponent was shown",
    "hidden enemy that has not moved",
    "hidden enemy that has moved",
    "known enemy that has moved",
    "piece that has changed sides",
    "square that the open turn asks about",
    "own last turn from",
    "own last turn to",
    "enemy's last turn from",
    "enemy's last turn to",
    "zone",
)

# --- scalars that every game has, before those of the kinds
SIDE: Final = 0
NO_PROGRESS: Final = 1
REGIME: Final = 2
OWN_RESCUES: Final = 3
ENEMY_RESCUES: Final = 4
OWN_CONVERSIONS: Final = 5
ENEMY_CONVERSIONS: Final = 6
UNNAMED_LOSSES: Final = 7
UNNAMED_RETURNS: Final = 8
KIND_TO_PLACE: Final = 9
ASKED: Final = 10
KIND_SCALARS: Final = ASKED + len(PENDING_NAMES)
PLAIN_SCALARS: Final = (
    "side (0 South, 1 North)",
    "turns without progress",
    "regime (1 bearer lost, 2 bearer arrived)",
    "own rescues",
    "enemy's rescues",
    "own conversions",
    "enemy's conversions",
    "enemy pieces lost without being shown",
    "hidden enemy pieces that came back",
    "kind to place, counted from 1 (0 if none)",
    *(f"asked: {name}" for name in PENDING_NAMES),
)

# --- the row of numbers that kernels read
ROWS: Final = 0
SQUARES: Final = 1
SLOTS: Final = 2
ACTIONS: Final = 3
MAX_LEGAL: Final = 4
KINDS: Final = 5
PLANES: Final = 6
SCALARS: Final = 7
SOUTH_ARMY: Final = 8
NORTH_ARMY: Final = 9
HOMES: Final = 10  # + side: how many home squares
CHOOSE_SLOT: Final = 12
PLACES: Final = 13
MAX_TURNS: Final = 14
SQUARE_OF: Final = 16  # + CELLS * side + cell
CELL_OF: Final = SQUARE_OF + 2 * CELLS  # + CELLS * side + square
KIND_PLANE: Final = CELL_OF + 2 * CELLS  # + MAX_KINDS * army + kind
FIRST_OF_VERB: Final = KIND_PLANE + 2 * T.MAX_KINDS
HOME_CELLS: Final = FIRST_OF_VERB + 32  # + CELLS * side
PLACE_ORDER: Final = HOME_CELLS + 2 * CELLS  # kinds of both armies, in the order of their pieces
SLOT_TABLE: Final = PLACE_ORDER + T.PIECES + 1
SIDE_SLOTS: Final = len(A.VERB_NAMES) * CHOICES * REACH


class Layout:
    """The planes, scalars and actions of a game under its options, and the numbers kernels need of them."""

    def __init__(
        self, game: Game, options: Options, tables: Tables, *, places: bool = False, max_turns: int = 0
    ) -> None:
        self.game, self.options, self.tables = game, options, tables
        self.space = ActionSpace(game, options, places=places)
        everyone = tuple(kind for kind in range(len(game.kinds)) if any(r[kind] for r in game.rosters))
        each = [tuple(kind for kind in everyone if roster[kind]) for roster in game.rosters]
        self.army_kinds = (everyone, everyone) if game.has_verb("convert") else (each[0], each[1])
        """the kinds of South's and North's army: the index of a kind is its number in planes and scalars"""
        self.kinds = max(map(len, self.army_kinds))
        self.plane_count = 3 * self.kinds + len(PLAIN_PLANES)
        self.option_names = tuple(option.name for option in concerning(game) if option.name != "clock")
        self.scalar_count = KIND_SCALARS + 3 * self.kinds + len(self.option_names)
        self.places = places
        self.max_turns = max_turns
        self.piece_kinds = tuple(self._piece_kinds(side) for side in (0, 1))
        """the kinds of an army's pieces in the order of their numbers: runners first"""

    def _piece_kinds(self, side: int) -> tuple[int, ...]:
        """Return the kinds of an army in the order in which `engine.play.deal` numbers its pieces."""
        roster = self.game.rosters[side]
        kinds = [kind for kind, count in enumerate(roster) for _ in range(count)]
        return tuple(
            sorted(kinds, key=lambda kind: (not self.tables.row[T.KIND_FLAGS + kind] & T.RUNS, kind))
        )

    def plane_names(self, side: int = 0) -> tuple[str, ...]:
        """Return what every plane shows to that side."""
        blocks = (("own", side), ("known enemy", 1 - side), ("possible enemy", 1 - side))
        return (*self._by_kind(blocks), *PLAIN_PLANES)

    def scalar_names(self, side: int = 0) -> tuple[str, ...]:
        """Return what every scalar says to that side."""
        blocks = (
            ("own pieces on the board:", side),
            ("enemy pieces not yet known:", 1 - side),
            ("known enemy losses:", 1 - side),
        )
        options = (f"option {name}" for name in self.option_names)
        return (*PLAIN_SCALARS, *self._by_kind(blocks), *options)

    def _by_kind(self, blocks: tuple[tuple[str, int], ...]) -> list[str]:
        names = []
        for what, army in blocks:
            ids = [self.game.kinds[kind].id for kind in self.army_kinds[army]]
            names += [f"{what} {kind}" for kind in ids]
            names += [f"{what} (unused)"] * (self.kinds - len(ids))
        return names

    def option_scalars(self) -> list[int]:
        """Return every option as the number of its value; a number as itself."""
        found = []
        for option in concerning(self.game):
            if option.name != "clock":
                value = self.options[option.name]
                found.append(int(value) if value.isdecimal() else _place(option.values, value))
        return found

    def row(self) -> NDArray[np.int32]:
        """Return the numbers that kernels read."""
        row = np.zeros(SLOT_TABLE + 2 * SIDE_SLOTS, dtype=np.int32)
        space, board = self.space, self.game.board
        row[ROWS], row[SQUARES], row[SLOTS] = board.rows, space.squares, space.slots
        row[ACTIONS], row[MAX_LEGAL], row[KINDS] = space.size, space.max_legal, self.kinds
        row[PLANES], row[SCALARS] = self.plane_count, self.scalar_count
        row[SOUTH_ARMY], row[NORTH_ARMY] = len(self.piece_kinds[0]), len(self.piece_kinds[1])
        row[CHOOSE_SLOT] = space.slot_table[0, A.CHOOSE_CELL * CHOICES, CELLS]
        row[PLACES], row[MAX_TURNS] = self.places, self.max_turns
        row[KIND_PLANE : KIND_PLANE + 2 * T.MAX_KINDS] = -1
        for side in (0, 1):
            for square in range(space.squares):
                cell = space.cell(square, side)
                row[SQUARE_OF + CELLS * side + cell] = square
                row[CELL_OF + CELLS * side + square] = cell
            for place, kind in enumerate(self.army_kinds[side]):
                row[KIND_PLANE + T.MAX_KINDS * side + kind] = place
            home = board.home(side)
            row[HOMES + side] = len(home)
            row[HOME_CELLS + CELLS * side : HOME_CELLS + CELLS * side + len(home)] = home
        order = [kind for kinds in self.piece_kinds for kind in kinds]
        row[PLACE_ORDER : PLACE_ORDER + len(order)] = order
        row[FIRST_OF_VERB : FIRST_OF_VERB + len(A.VERB_NAMES)] = space.rest_table
        row[SLOT_TABLE:] = space.slot_table.reshape(-1)
        return row

    def zones(self) -> NDArray[np.uint8]:
        """Return the plane of the zones, as each side sees it."""
        board, space = self.game.board, self.space
        planes = [
            [space.cell(square, side) in board.zones for square in range(space.squares)] for side in (0, 1)
        ]
        return np.array(planes, dtype=np.uint8)


def _place(values: tuple[str, ...], value: str) -> int:
    return values.index(value) if value in values else 0
