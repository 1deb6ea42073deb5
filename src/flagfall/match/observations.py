"""What viewers see of a match: events by entry, and sentences.

Events on the board come from the observers; all viewers see offers, resignations and time. Old events are
returned only as far as the memory option allows; once the game is over and open, all are.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from flagfall.edition.schema import Game
from flagfall.languages import say
from flagfall.match.log import Seating
from flagfall.match.referee import Seen
from flagfall.match.texts import ABORTED, ending
from flagfall.notation.describe import describe_turn
from flagfall.sides import SIDES, Side
from flagfall.view.view import VIEWERS, Result, SeenEvent, View, Viewer, renamed

TABLE_EVENTS = frozenset(
    {
        "seated",
        "lot",
        "sealed",
        "taken back",
        "draw offered",
        "draw declined",
        "draw accepted",
        "draw lapsed",
        "resigned",
        "time",
        "aborted",
        "result",
    }
)
"""events that no memory option hides"""

_BY_SQUARE = frozenset({"move", "attack", "removed", "rescued", "turn"})
"""events that show squares but no kinds: ``memory = notes`` keeps them"""


def is_on_board(event: SeenEvent) -> bool:
    """Return whether an event happened on the board."""
    return event.what == "result" or event.what not in TABLE_EVENTS


class Message(Struct, frozen=True):
    """A sentence or two for one viewer about one entry of the log."""

    number: int
    text: str


def to_all(*events: SeenEvent) -> Seen:
    """Return events for all viewers."""
    return dict.fromkeys(VIEWERS, events)


def seated(seating: Seating) -> Seen:
    """Return the events that say who sits where, and whether that was random."""
    places = [SeenEvent("seated", 0, side=side, detail=seating.name(side)) for side in SIDES]
    return to_all(*places, *([SeenEvent("lot", 0)] if seating.is_random else []))


def ended(result: Result, turn: int) -> tuple[SeenEvent, ...]:
    """Return the result as an event; a game that was cancelled has none."""
    if result.reason == ABORTED:
        return ()
    return (SeenEvent("result", turn, side=result.side, detail=result.reason),)


class _SeenByAll(NamedTuple):
    """What the three viewers saw of an entry, if it was not the same."""

    south: tuple[SeenEvent, ...]
    north: tuple[SeenEvent, ...]
    watcher: tuple[SeenEvent, ...]

    def of(self, viewer: Viewer) -> tuple[SeenEvent, ...]:
        """Return what a viewer saw."""
        return self.south if viewer == "south" else self.north if viewer == "north" else self.watcher


class SeenLog:
    """What each viewer has seen, entry by entry."""

    def __init__(self, memory: str) -> None:
        self._memory = memory
        self._seen: list[_SeenByAll | tuple[SeenEvent, ...]] = []
        """the events of each entry; stored once where all viewers saw the same"""
        self._turn_ended: list[int] = []
        """turns completed after each entry"""
        self._seats: list[Side | None] = []
        """the seat that made each entry"""
        self._taken_back: list[range] = []
        """entries that no longer count; each range ends before the entry that took them back"""

    def __repr__(self) -> str:
        return f"<SeenLog of {len(self._seen)} entries>"

    def add(self, seen: Seen, turn: int, seat: Side | None) -> None:
        """Add an entry: what was seen of it, the number of completed turns after it, and its seat."""
        south, north, watcher = (seen[viewer] for viewer in VIEWERS)
        is_shared = south == north == watcher
        self._seen.append(south if is_shared else _SeenByAll(south, north, watcher))
        self._turn_ended.append(turn)
        self._seats.append(seat)

    def take_back(self, first: int) -> None:
        """Hide the entries from ``first`` on; the next one says that they were taken back."""
        self._taken_back.append(range(first, len(self._seen)))

    def number_for(self, viewer: Viewer, upto: int) -> int:
        """Return one past the last entry before ``upto`` that the viewer saw or made."""
        for at in range(upto - 1, -1, -1):
            if self._seats[at] == viewer or self._events(at, viewer):
                return at + 1
        return 0

    def forget(self, number: int) -> None:
        """Drop every entry from that number on."""
        del self._seen[number:]
        del self._turn_ended[number:]
        del self._seats[number:]
        self._taken_back = [entries for entries in self._taken_back if entries.stop < number]

    def since(
        self,
        viewer: Viewer,
        first: int,
        names: Mapping[str, str],
        *,
        is_open: bool,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[tuple[int, tuple[SeenEvent, ...]]]:
        """Return the events of the entries from ``first`` on that the viewer may still see.

        ``names``: the names of pieces for this viewer now, if they differ from the lasting ones. Only entries
        before ``before`` count, and at most ``limit`` of them, the newest.
        """
        found: list[tuple[int, tuple[SeenEvent, ...]]] = []
        last = len(self._seen) if before is None else min(before, len(self._seen))
        counted = self._counted()
        for at in range(last - 1, max(0, first) - 1, -1):
            if not counted[at]:
                continue
            events = self._events(at, viewer)
            if not is_open:
                events = tuple(self._remembered(event) for event in events if self._is_kept(event))
            if events:
                found.append((at, renamed(events, names) if names else events))
                if len(found) == limit:
                    break
        found.reverse()
        return found

    def history(self, viewer: Viewer) -> tuple[SeenEvent, ...]:
        """Return everything the viewer has seen on the board, whatever the memory option."""
        return tuple(
            event
            for at in compress(range(len(self._seen)), self._counted())
            for event in self._events(at, viewer)
            if is_on_board(event)
        )

    def _counted(self) -> list[bool]:
        """Return for each entry whether it still counts."""
        counted = [True] * len(self._seen)
        for entries in self._taken_back:
            counted[entries.start : entries.stop] = [False] * len(entries)
        return counted

    def _events(self, at: int, viewer: Viewer) -> tuple[SeenEvent, ...]:
        seen = self._seen[at]
        return seen.of(viewer) if isinstance(seen, _SeenByAll) else seen

    def _is_kept(self, event: SeenEvent) -> bool:
        return self._is_whole(event) or (self._memory == "notes" and event.what in _BY_SQUARE)

    def _is_whole(self, event: SeenEvent) -> bool:
        """Return whether nothing of an event is forgotten yet."""
        is_recent = event.turn >= self._turn_ended[-1] - 1
        return is_recent or self._memory == "assisted" or event.what in TABLE_EVENTS

    def _remembered(self, event: SeenEvent) -> SeenEvent:
        """Return what is left of an event: an old move loses its detail, which only some kinds can have."""
        return event if self._is_whole(event) else replace(event, detail="")


def told(
    game: Game,
    seating: Seating,
    view: View,
    events: tuple[SeenEvent, ...],
    own: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return events as sentences for the owner of a View; ``own``: the kinds of its pieces, by name."""
    board = [event for event in events if event.what not in TABLE_EVENTS and event.what != "turn"]
    sentences = [describe_turn(game, board, view.viewer, view, own)] if board else []
    for event in events:
        if event.what in _TABLE_NEWS:
            sentences.append(_table_sentence(event, seating, view.viewer))
        elif event.what == "result":
            result = Result.of(event.side, event.detail)
            sentences.append(ending(result, seating, view.viewer))
    if any(event.what == "seated" for event in events):
        sentences.append(_seating_sentence(game, seating))
    return " ".join(sentences)


def _table_sentence(event: SeenEvent, seating: Seating, viewer: Viewer) -> str:
    news = event.what.replace(" ", "-")
    if event.side == viewer:
        return say(f"match.news.{news}.you")
    if event.side is None:
        return say(f"match.news.{news}.referee")
    if event.what == "sealed" and viewer in SIDES:
        return say("match.news.sealed.opponent")
    return say(f"match.news.{news}.other", player=seating.shown_name(event.side))


def _seating_sentence(game: Game, seating: Seating) -> str:
    south, north = (army.name for army in game.armies)
    one, other = map(seating.shown_name, SIDES)
    how = "random" if seating.is_random else "chosen"
    return say(f"match.seats.{how}", first=one, army=south, second=other, other_army=north)


_TABLE_NEWS = TABLE_EVENTS - {"seated", "lot", "result"}
"""events at the table that have a sentence each"""
