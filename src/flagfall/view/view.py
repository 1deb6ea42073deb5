"""What one viewer sees: `View`, made of `SeenPiece`s, trays and `SeenEvent`s.

These values are frozen and own everything they hold: no path leads from here to a State. A piece's name
is the square on which it started (``"b2"``); a rescued piece comes back under a new one (``"south+1"``). With
``memory = strict`` it is the square on which it stood when the last turn began (`flagfall.view.names`), until
the game is over. Kernel numbers of pieces never appear.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from msgspec import Struct

from flagfall.engine.action import Action
from flagfall.sides import SIDES, Side, SideName

Rule = Literal["two-square", "chase"]
ViewerName = Literal["south", "north", "watcher", "truth"]
Viewer = Side | ViewerName
VIEWERS: tuple[Viewer, ...] = ("south", "north", "watcher")
"""who watches a game that is being played; ``truth`` opens when it is over"""
ONLOOKERS: tuple[Viewer, ...] = ("watcher", "truth")
"""viewers without a side of their own"""


def viewer_name(viewer: Viewer) -> ViewerName:
    """Return how the viewer is written in messages."""
    return viewer.value if isinstance(viewer, Side) else viewer


def side_of(viewer: str) -> Side | None:
    """Return the side of a viewer; None for an onlooker."""
    return Side(viewer) if viewer in SIDES else None


class SeenEvent(Struct, frozen=True, omit_defaults=True):
    """Something that happened before this viewer's eyes, whole.

    ``what`` is one of: move, attack, shown, removed, spot, guess, miss, rescue, rescued, turn, result, and
    for powers leap, teleport, shoot, detect, convert, converted, swing, sweep, advance, no-effect, regime.
    """

    what: str
    turn: int
    side: Side | None = None
    """whose piece"""
    piece: str = ""
    origin: str = ""
    target: str = ""
    kind: str = ""
    """kind id, for what was shown or guessed"""
    detail: str = ""
    """how (run, advance, defender) or why (reason of a result)"""


class SeenPiece(Struct, frozen=True, omit_defaults=True):
    """A piece on the board as this viewer sees it."""

    name: str
    cell: str
    side: Side
    kind: str = ""
    """kind id if the viewer may see it now, else empty"""
    possible: tuple[str, ...] = ()
    """kinds it can still be (``memory = assisted``; hidden pieces only)"""
    moved: bool = False
    is_told: bool = False
    """own piece: the opponent has been shown it; else: you have been shown it"""
    is_converted: bool = False
    """it has changed sides, and both know it for good"""
    looks_like: tuple[str, ...] = ()
    """own piece, ``assisted``: kinds the opponent must still think possible"""

    @property
    def square(self) -> str:
        """The name of its square; the same as ``cell``."""
        return self.cell


class TrayPiece(Struct, frozen=True, omit_defaults=True):
    """A captured piece; ``kind`` is empty where this viewer may not look."""

    side: Side
    kind: str = ""


class Prompt(Struct, frozen=True, omit_defaults=True):
    """What the mover is asked for in an open turn; nobody else gets one."""

    ask: str
    """guess, rescue kind, rescue square, attack again, target, next"""
    cell: str = ""
    """the square it concerns"""


class Barred(Struct, frozen=True):
    """A move of the mover's that a repetition rule forbids just now."""

    origin: str
    target: str
    rule: Rule


class Result(Struct, frozen=True):
    """How it ended: ``winner`` is empty for a draw."""

    winner: SideName | Literal[""]
    reason: str

    @classmethod
    def of(cls, winner: Side | None, reason: str) -> Result:
        """Return the result of a game that this side has won, or of a draw (None)."""
        return cls(winner.value if winner else "", reason)

    @property
    def side(self) -> Side | None:
        """The side that has won; None for a draw."""
        return Side(self.winner) if self.winner else None


class View(Struct, frozen=True, omit_defaults=True, dict=True):
    """Everything one viewer may know of a position; safe to send to that viewer."""

    game: str
    viewer: ViewerName
    turn: int
    """turns completed so far"""
    to_move: Side
    pieces: tuple[SeenPiece, ...]
    tray: tuple[TrayPiece, ...]
    last_turn: tuple[SeenEvent, ...]
    """events of the last completed turn and of the one now open"""
    legal: tuple[Action, ...] = ()
    """what this viewer may do now, sorted; empty when it is not to move"""
    prompt: Prompt | None = None
    barred: tuple[Barred, ...] = ()
    """what the mover could do but for the two-square or the chase rule"""
    no_progress: int = 0
    """turns since the last capture, conversion or rescue"""
    rescues: tuple[int, int] = (0, 0)
    """rescues made so far by South and North"""
    conversions: tuple[int, int] = (0, 0)
    """pieces won over so far by South and North"""
    regime: str = ""
    """what has changed for good: ``bearer lost`` or ``bearer arrived``"""
    result: Result | None = None

    @property
    def own_side(self) -> Side | None:
        """The viewer's side; None for an onlooker."""
        return side_of(self.viewer)

    def at(self, cell: str) -> SeenPiece | None:
        """The piece on a square."""
        return self._on.get(cell)

    @cached_property
    def _on(self) -> dict[str, SeenPiece]:
        return {piece.cell: piece for piece in self.pieces}
