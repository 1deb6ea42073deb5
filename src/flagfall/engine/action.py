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

    def pack(self) -> int:
        """Return the action as one non-negative int below 2**31."""
        return self.verb << 24 | self.choice << 16 | self.origin << 8 | self.target

    @classmethod
    def unpack(cls, packed: int) -> Action:
        """Return the action that was packed."""
        return cls(packed >> 24, packed >> 8 & 255, packed & 255, packed >> 16 & 255)
