"""An action is one choice of one player: verb, origin, target, choice; packed into one int and back.

::

    bits  30 … 24   23 … 16   15 … 8   7 … 0
          verb      choice    origin   target

What origin, target and choice mean depends on the verb:

============ ============ ===================== ==========================================
verb         origin       target                choice
============ ============ ===================== ==========================================
MOVE         from         to (empty)            –
ATTACK       from         square attacked       –
DONE         –            –                     –
CHOOSE_KIND  –            –                     kind (a guess; the piece to rescue)
CHOOSE_CELL  –            square                – (where the rescued piece goes; a target)
SPOT         from         where it then stands  direction index of the spotted square
RESCUE       from         to, or attacked       –
TWO_STEP     from         end (empty or enemy)  direction index of the first step
LEAP         from         landing square        –
TELEPORT     from         to                    –
SHOOT        from         square shot at        which of the piece's powers
DETECT       from         square looked at      –
CONVERT      from         square aimed at       –
SWING        from         where it then stands  –
SWEEP        from         where it then stands  –
ADVANCE      –            –                     direction index
============ ============ ===================== ==========================================

>>> Action.unpack(Action(MOVE, 52, 64).pack()) == Action(MOVE, 52, 64)
True
"""

from __future__ import annotations

from typing import Final, NamedTuple

from flagfall.board import cell_name, parse_cell
from flagfall.errors import UserError

MOVE: Final = 1
ATTACK: Final = 2
DONE: Final = 3
CHOOSE_KIND: Final = 4
CHOOSE_CELL: Final = 5
SPOT: Final = 6
RESCUE: Final = 7
TWO_STEP: Final = 8
LEAP: Final = 9
TELEPORT: Final = 10
SHOOT: Final = 11
DETECT: Final = 12
CONVERT: Final = 13
SWING: Final = 14
SWEEP: Final = 15
ADVANCE: Final = 16

VERB_NAMES: Final = (
    "none",
    "move",
    "attack",
    "done",
    "choose kind",
    "choose square",
    "spot",
    "rescue",
    "two-step",
    "leap",
    "teleport",
    "shoot",
    "detect",
    "convert",
    "swing",
    "sweep",
    "advance",
)


class Action(NamedTuple):
    """One choice; cells as in `flagfall.board`, kinds by their index in the game."""

    verb: int
    origin: int = 0
    target: int = 0
    choice: int = 0

    @classmethod
    def of(cls, verb: str, origin: str = "", target: str = "", choice: int = 0) -> Action:
        """Return an action by the names of its verb and squares.

        >>> Action.of("move", "d4", "d5")
        Action.of('move', 'd4', 'd5')
        """
        if verb not in VERB_NAMES[1:]:
            raise UserError(f"There is no verb “{verb}”; verbs are {', '.join(VERB_NAMES[1:])}.")
        try:
            start, end = (parse_cell(square) if square else 0 for square in (origin, target))
        except ValueError as error:
            raise UserError(f"{error}.") from None
        return cls(VERB_NAMES.index(verb), start, end, choice)

    def __repr__(self) -> str:
        parts = [repr(part) for part in (self.verb_name, self.origin_square, self.target_square)]
        return f"Action.of({', '.join(parts)}{f', {self.choice}' if self.choice else ''})"

    @property
    def verb_name(self) -> str:
        """The name of its verb: ``move``."""
        return VERB_NAMES[self.verb]

    @property
    def origin_square(self) -> str:
        """The name of the square it starts from, or an empty text."""
        return cell_name(self.origin) if self.origin else ""

    @property
    def target_square(self) -> str:
        """The name of the square it goes to or aims at, or an empty text."""
        return cell_name(self.target) if self.target else ""

    def pack(self) -> int:
        """Return the action as one non-negative int below 2**31."""
        return self.verb << 24 | self.choice << 16 | self.origin << 8 | self.target

    @classmethod
    def unpack(cls, packed: int) -> Action:
        """Return the action that was packed."""
        return cls(packed >> 24, packed >> 8 & 255, packed & 255, packed >> 16 & 255)
