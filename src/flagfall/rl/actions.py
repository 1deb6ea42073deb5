"""ActionSpace: every action of a game as one number, the same for both sides.

An action is the square it starts from and a *slot*, which says what is done from there::

    number = square * slots + slot

Squares are counted from the mover's own left corner, row by row, so North's board is turned round: the same
number means the same thing to both sides, and one policy plays both. Actions without a square (a kind,
“done”, the direction of a group advance) come after all squares.

Slots, in this order; a game has only those that it can ever need, and of its options only ``rescue=on`` adds
any:

=========== ======= ========================================================================
slots       number  what
=========== ======= ========================================================================
line        4 × d   move or attack in a line: direction (north, east, south, west), distance
spot        20      stay or step in a direction, then spot in a direction
rescue      4       step or attack in a direction, and rescue (with ``rescue=on``)
two-step    16      first and second direction
leap        4 × d   direction, distance
teleport,   24 each the squares of `engine.reach.OFFSETS`
shoot,
detect,
convert
swing,      4 each  step in a direction, then strike around
sweep
square      1       choose this square (a target, a place, who goes next)
=========== ======= ========================================================================

``d`` is the longest line of the board: 9 on a board of ten by ten, so a classic game has 3,600 actions.
Directions are the mover's: north is ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flagfall.board import CELLS, DIRECTION_NAMES, DIRECTIONS, cell_at, cell_name
from flagfall.edition import Game, Options
from flagfall.edition.compile import power_rows
from flagfall.edition.verbs import power_verb
from flagfall.engine import action as A
from flagfall.engine.action import Action
from flagfall.engine.reach import NEIGHBOURS, OFFSETS
from flagfall.errors import UserError
from flagfall.sides import Side

CHOICES: Final = 4
"""choices that an action with a square may have: a direction"""
REACH: Final = 2 * CELLS
"""how many differences of two cells there are, from -CELLS to CELLS - 1"""
NO_SLOT = -1
_AIMED = (A.TELEPORT, A.SHOOT, A.DETECT, A.CONVERT)
_AFTER_STEP = (A.SWING, A.SWEEP)
_Slot = tuple[int, int, int]
"""verb, difference between origin and target, choice: as South plays it"""


class ActionSpace:
    """The numbers of all actions of a game; see the module for what they mean."""

    def __init__(self, game: Game, options: Options | None = None, *, places: bool = False) -> None:
        """``options`` matter where ``rescue=on`` adds actions; ``places``: players place their pieces."""
        self.game = game
        self.verbs = _verbs(game, options)
        """what can be done besides moving, attacking and placing"""
        self.rows, self.columns = game.board.rows, game.board.columns
        self.squares = self.rows * self.columns
        self._slots = tuple(self._slots_of(places))
        self.slots = len(self._slots)
        """slots for each square"""
        rest: list[Action] = []
        verbs = self.verbs
        if {A.SPOT, A.RESCUE} & verbs:
            rest += [Action(A.CHOOSE_KIND, choice=kind) for kind in range(len(game.kinds))]
        if _may_stop(game):
            rest.append(Action(A.DONE))
        if A.ADVANCE in verbs:
            rest += [Action(A.ADVANCE, choice=direction) for direction in range(len(DIRECTIONS))]
        self._rest = tuple(rest)
        self.size = self.squares * self.slots + len(rest)
        """how many actions there are"""

    def __repr__(self) -> str:
        return f"<ActionSpace of {self.game.id}, {self.size} actions>"

    def __len__(self) -> int:
        return self.size

    def _slots_of(self, places: bool) -> list[_Slot]:
        """Return the slots of one square, as South plays them."""
        verbs = self.verbs
        longest = max(self.rows, self.columns) - 1
        lines = [way * far for way in DIRECTIONS for far in range(1, longest + 1)]
        slots: list[_Slot] = [(A.MOVE, way, 0) for way in lines]
        if A.SPOT in verbs:
            slots += [(A.SPOT, way, seen) for way in (0, *DIRECTIONS) for seen in range(len(DIRECTIONS))]
        if A.RESCUE in verbs:
            slots += [(A.RESCUE, way, 0) for way in DIRECTIONS]
        if A.TWO_STEP in verbs:
            slots += [
                (A.TWO_STEP, way + other, first)
                for first, way in enumerate(DIRECTIONS)
                for other in DIRECTIONS
            ]
        if A.LEAP in verbs:
            slots += [(A.LEAP, way, 0) for way in lines]
        slots += [(verb, way, 0) for verb in _AIMED if verb in verbs for way in OFFSETS]
        slots += [(verb, way, 0) for verb in _AFTER_STEP if verb in verbs for way in DIRECTIONS]
        if places or {A.RESCUE, A.ADVANCE, A.SWING, A.SWEEP} & verbs:
            slots.append((A.CHOOSE_CELL, 0, 0))
        return slots

    def cell(self, square: int, side: int) -> int:
        """Return the cell of a square, counted from that side's left corner."""
        place = self.squares - 1 - square if side else square
        return cell_at(place % self.columns + 1, place // self.columns + 1)

    def square(self, cell: int, side: int) -> int:
        """Return the number of a cell, counted from that side's left corner."""
        place = (cell // 12 - 1) * self.columns + cell % 12 - 1
        return self.squares - 1 - place if side else place

    def encode(self, action: Action, side: Side | int) -> int:
        """Return the number of an action of that side."""
        seat = int(side)
        choice = _turned(action.verb, action.choice, seat)
        if not action.origin and action.verb != A.CHOOSE_CELL:
            same = Action(action.verb, choice=choice)
            if same in self._rest:
                return self.squares * self.slots + self._rest.index(same)
            raise UserError(f"{self.game.id} has no action like {action!r}.")
        origin = action.origin or action.target
        slot = self.slot_table[seat, action.verb * CHOICES + choice, action.target - origin + CELLS]
        if slot == NO_SLOT:
            raise UserError(f"{self.game.id} has no action like {action!r}.")
        return self.square(origin, seat) * self.slots + int(slot)

    def decode(self, number: int, side: Side | int, legal: Sequence[Action] = ()) -> Action:
        """Return the action with that number for that side.

        A move and an attack have the same number, as the board says which it is: without the legal actions
        it is given as a move.
        """
        if not 0 <= number < self.size:
            raise UserError(f"Actions of {self.game.id} are 0 to {self.size - 1}; {number} is none.")
        seat = int(side)
        square, slot = divmod(number, self.slots)
        if square >= self.squares:
            action = self._rest[number - self.squares * self.slots]
            return action._replace(choice=_turned(action.verb, action.choice, seat))
        verb, way, choice = self._slots[slot]
        origin = self.cell(square, seat)
        target = origin - way if seat else origin + way
        action = Action(verb, origin, target, _turned(verb, choice, seat))
        if verb == A.CHOOSE_CELL:
            return Action(verb, target=origin)
        attack = action._replace(verb=A.ATTACK)
        return attack if verb == A.MOVE and attack in legal else action

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What every action does, from the mover's side: ``d4 line north 2``; squares as South names them."""
        lines = [
            f"{cell_name(self.cell(square, 0))} {self._slot_name(slot)}"
            for square in range(self.squares)
            for slot in range(self.slots)
        ]
        return (*lines, *(self._rest_name(action) for action in self._rest))

    def _slot_name(self, slot: int) -> str:
        verb, way, choice = self._slots[slot]
        if verb == A.CHOOSE_CELL:
            return "choose"
        if verb == A.SPOT:
            step = f"step {_way_name(way)}, " if way else ""
            return f"{step}spot {DIRECTION_NAMES[choice]}"
        if verb == A.TWO_STEP:
            return f"two-step {DIRECTION_NAMES[choice]} {_way_name(way - DIRECTIONS[choice])}"
        return f"{'line' if verb == A.MOVE else A.VERB_NAMES[verb]} {_way_name(way)}"

    def _rest_name(self, action: Action) -> str:
        if action.verb == A.CHOOSE_KIND:
            return f"choose {self.game.kinds[action.choice].id}"
        return "done" if action.verb == A.DONE else f"advance {DIRECTION_NAMES[action.choice]}"

    @cached_property
    def slot_table(self) -> NDArray[np.int16]:
        """The slot by side, verb and choice as `encode` turns it, and difference of cells (+ `CELLS`)."""
        table = np.full((2, len(A.VERB_NAMES) * CHOICES, REACH), NO_SLOT, dtype=np.int16)
        for slot, (verb, way, choice) in enumerate(self._slots):
            for same in (A.MOVE, A.ATTACK) if verb == A.MOVE else (verb,):
                table[0, same * CHOICES + choice, CELLS + way] = slot
                table[1, same * CHOICES + choice, CELLS - way] = slot
        return table

    @cached_property
    def rest_table(self) -> NDArray[np.int32]:
        """The first number of the actions without a square, by verb; -1 where there are none."""
        first = np.full(len(A.VERB_NAMES), -1, dtype=np.int32)
        for place, action in reversed(list(enumerate(self._rest))):
            first[action.verb] = self.squares * self.slots + place
        return first

    @cached_property
    def packed_slots(self) -> NDArray[np.int32]:
        """Verb and choice of every slot, packed as in an `Action`, and the difference of cells, by side."""
        rows = [
            [
                (verb << 24 | _turned(verb, choice, seat) << 16, -way if seat else way)
                for verb, way, choice in self._slots
            ]
            for seat in (0, 1)
        ]
        return np.array(rows, dtype=np.int32)

    @cached_property
    def packed_rest(self) -> NDArray[np.int32]:
        """The actions without a square, packed, by side."""
        rows = [
            [Action(a.verb, choice=_turned(a.verb, a.choice, seat)).pack() for a in self._rest]
            for seat in (0, 1)
        ]
        return np.array(rows, dtype=np.int32).reshape(2, len(self._rest))

    @cached_property
    def max_legal(self) -> int:
        """An upper bound of the number of legal actions in any position."""
        verbs = self.verbs
        longest = self.rows + self.columns - 2
        most = []
        for roster in self.game.rosters:
            total = 0
            for kind, count in zip(self.game.kinds, roster, strict=True):
                own = {power.verb for power in self.game.abilities(kind)}
                each = longest if "run" in own else 4
                each += 4 * (A.RESCUE in verbs)
                each += 36 * ("spot" in own) + 16 * ("two-step" in own) + 4 * ("leap" in own)
                each += 24 * sum(power.verb in _REACHING for power in self.game.abilities(kind))
                each += 4 * sum(power.verb == "area" for power in self.game.abilities(kind))
                total += count * each * kind.is_mobile
            most.append(total)
        on_board = sum(most) if A.CONVERT in verbs else max(most)
        return min(self.size, max(on_board + len(DIRECTIONS), self.squares + 1, len(self.game.kinds)))


_REACHING = ("teleport", "strike", "detect", "convert")


def _turned(verb: int, choice: int, side: int) -> int:
    """Return a direction as the other side counts it; other choices stay."""
    is_direction = verb in (A.SPOT, A.TWO_STEP, A.ADVANCE)
    return (choice + 2 * side) % len(DIRECTIONS) if is_direction else choice


def _way_name(way: int) -> str:
    """Return a difference of cells in words: ``north 2``, ``2 north 1 east``."""
    for direction, name in zip(DIRECTIONS, DIRECTION_NAMES, strict=True):
        if way % direction == 0 and 0 < way // direction <= (11 if abs(direction) == 1 else 9):
            return name if way == direction else f"{name} {way // direction}"
    up = round(way / 12)
    across = way - 12 * up
    vertical = f"{abs(up)} {'north' if up > 0 else 'south'}" if up else ""
    return f"{vertical} {abs(across)} {'east' if across > 0 else 'west'}".strip()


def _verbs(game: Game, options: Options | None) -> set[int]:
    """Return the verbs of a game, apart from moves and attacks."""
    verbs = {power_verb(power).code for power in power_rows(game)}
    if game.has_verb("spot"):
        verbs |= {A.SPOT, A.TWO_STEP}  # a Spotter may step and attack, as an option
    if game.has_verb("two-step"):
        verbs.add(A.TWO_STEP)
    if options is not None and options.is_on("rescue"):
        verbs.add(A.RESCUE)
    return verbs


def _may_stop(game: Game) -> bool:
    """Return whether a turn of the game can stay open for a choice to stop."""
    return any(game.has_verb(primitive) for primitive in ("chain", "leap", "area", "advance"))


assert len(OFFSETS) == 3 * NEIGHBOURS
