"""What one viewer sees: `View`, made of `SeenPiece`s, trays and `SeenEvent`s.

These values are frozen and hold no reference to a State. A piece is named by its starting square (``"b2"``);
a rescued piece gets a new name (``"south+1"``). With ``memory = strict`` names change every turn until the
game is over (`Knowledge.recent_names`). The engine's numbers of pieces never appear.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from flagfall.engine.action import Action
from flagfall.sides import SIDES, Side, SideName

Rule = Literal["two-square", "chase"]
ViewerName = Literal["south", "north", "watcher", "truth"]
Viewer = Side | ViewerName
VIEWERS: tuple[Viewer, ...] = ("south", "north", "watcher")
"""the viewers of a running game; ``truth`` is added when it is over"""
ONLOOKERS: tuple[Viewer, ...] = ("watcher", "truth")
"""viewers without a side of their own"""


def viewer_name(viewer: Viewer) -> ViewerName:
    """Return how the viewer is written in messages."""
    return viewer.value if isinstance(viewer, Side) else viewer


def side_of(viewer: str) -> Side | None:
    """Return the side of a viewer; None for an onlooker."""
    return Side(viewer) if viewer in SIDES else None


class SeenEvent(Struct, frozen=True, omit_defaults=True):
    """An event as one viewer saw it.

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


def renamed(events: Iterable[SeenEvent], names: Mapping[str, str]) -> tuple[SeenEvent, ...]:
    """Return events with other names of the pieces."""
    return tuple(replace(event, piece=names[event.piece]) if event.piece else event for event in events)


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
    """own piece: the opponent has seen it; enemy piece: the viewer has seen it"""
    is_converted: bool = False
    """it has changed sides, and both players know its kind for good"""
    looks_like: tuple[str, ...] = ()
    """own piece, ``memory = assisted``: kinds that it can be for the opponent"""

    @property
    def square(self) -> str:
        """The name of its square; the same as ``cell``."""
        return self.cell


class TrayPiece(Struct, frozen=True, omit_defaults=True):
    """A captured piece; ``kind`` is empty if this viewer may not see it."""

    side: Side
    kind: str = ""


class Prompt(Struct, frozen=True, omit_defaults=True):
    """What an open turn asks the mover for; other viewers do not get it."""

    ask: str
    """guess, rescue kind, rescue square, attack again, target, next"""
    cell: str = ""
    """the square it concerns"""


class Barred(Struct, frozen=True):
    """A move that a repetition rule forbids now."""

    origin: str
    target: str
    rule: Rule


class Result(Struct, frozen=True):
    """The end of a game; ``winner`` is empty for a draw."""

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
    """Everything that one viewer may know of a position; safe to send to that viewer."""

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
    """the legal actions, sorted; empty when the viewer is not to move"""
    prompt: Prompt | None = None
    barred: tuple[Barred, ...] = ()
    """moves that only the two-square rule or the chase rule forbids"""
    no_progress: int = 0
    """turns since the last capture, conversion or rescue"""
    rescues: tuple[int, int] = (0, 0)
    """rescues made so far by South and North"""
    conversions: tuple[int, int] = (0, 0)
    """conversions made so far by South and North"""
    regime: str = ""
    """``bearer lost``, ``bearer arrived`` or empty"""
    result: Result | None = None

    @property
    def own_side(self) -> Side | None:
        """The viewer's side; None for an onlooker."""
        return side_of(self.viewer)

    def at(self, cell: str) -> SeenPiece | None:
        """Return the piece on a square."""
        return self._on.get(cell)

    @cached_property
    def _on(self) -> dict[str, SeenPiece]:
        return {piece.cell: piece for piece in self.pieces}
