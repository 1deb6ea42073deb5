"""Records of games that guests open: read, checked, stored for that guest alone, and replayed.

A record holds both armies, so a guest who has one knows everything in it: opening it tells nothing new. It is
read by the bounded parsers and played from the first turn to the last before it is stored.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

import msgspec

from flagfall.edition import UnknownGameError
from flagfall.errors import quoted, sentence
from flagfall.languages import say
from flagfall.match import Match, MatchError, from_record
from flagfall.match.replay import bundled_game
from flagfall.match.summary import describe_result, summarize
from flagfall.notation import NotationError, Record, from_json, read_record
from flagfall.server.errors import RequestError
from flagfall.server.sessions.presenter import ReplayedGame
from flagfall.server.store.opened_records import PREFIX
from flagfall.server.store.rows import GuestRow, MatchFilter, new_id
from flagfall.sides import SIDES, Side

if TYPE_CHECKING:
    from flagfall.server.sessions.registry import MatchRegistry

MAX_RECORDS = 30
"""of one guest; when there are more, the oldest go"""
MAX_STORED = 5_000
"""of all guests"""
MAX_OPENED_TURNS = 2_000
"""as many as can be reviewed"""
MAX_REPLAYS = 8
"""replays of records that are held in memory"""
SAME_TURNS = 4
"""a guest's own first turns by which a running game is known in a record"""
MAX_COMPARED = 50
"""running games of a guest that are compared with a record, the newest"""
_START = "flagfall record"


class Opened(msgspec.Struct, frozen=True):
    """A record of a guest."""

    id: str
    created_ms: int
    record: Record
    game_name: str = ""
    verdict: str = ""
    """how the game ended, in a sentence; empty in a list"""


class Records:
    """The opened records of this server."""

    def __init__(self, registry: MatchRegistry) -> None:
        self._registry = registry
        self.reading = asyncio.Lock()
        """one record is read or continued at a time, so that large ones do not slow down running games"""
        self._replays: OrderedDict[str, ReplayedGame] = OrderedDict()

    async def open(self, guest: GuestRow, text: str) -> Opened:
        """Read, check and store a record; the same record again is the one that is there."""
        store = self._registry.store.records
        async with self.reading:
            match, record = await asyncio.to_thread(_checked, text)
        await self._refuse_running(guest, match)
        async with self._registry.creating_lock(guest.id):
            self._registry.refuse_deleted(guest)
            known = await store.of_guest(guest.id)
            same = next((one for one in known if one[2] == record), None)
            id, now = (same[0], same[1]) if same else (PREFIX + new_id(), self._registry.now_ms())
            if same is None:
                await store.add(id, guest.id, record, now, MAX_RECORDS, MAX_STORED)
        return Opened(id, now, record, match.game.name, _verdict(match))

    async def _refuse_running(self, guest: GuestRow, opened: Match) -> None:
        """Refuse a game that the guest is still playing, written down with an army made up for the enemy.

        Only the guest's own turns are compared, so the answer says nothing about secret choices of the other
        side. A game that goes on from a replay begins like that one, so it is left out.
        """
        wanted = MatchFilter(game=opened.game.id, result="running")
        games = self._registry.store.guest_games
        _, rows = await games.filtered_matches(guest.id, wanted, 0, MAX_COMPARED)
        for row in (row for row, _ in rows if row.phase == "playing"):
            try:
                match = (await self._registry.session(row.id)).match
            except RequestError:  # damaged
                continue
            if match is None or match.is_over or match.continued is not None:
                continue
            if any(_is_same_play(match, opened, side) for side in row.seats_of(guest.id)):
                raise RequestError("hidden", say("server.record.still-running"))

    async def of_guest(self, guest: str) -> list[Opened]:
        """Return a guest's records, newest first."""
        async with self.reading:
            found = await self._registry.store.records.of_guest(guest)
        return [Opened(id, at_ms, record) for id, at_ms, record in found]

    async def opened(self, guest: str, id: str) -> Opened:
        """Return one record of a guest."""
        async with self.reading:
            at_ms, record = await self._record(guest, id)
            match = await asyncio.to_thread(_played, record)
        return Opened(id, at_ms, record, match.game.name, _verdict(match))

    async def replay(self, guest: str | None, id: str) -> ReplayedGame:
        """Return the replay of a record; only its guest may see it."""
        if guest is None:
            raise RequestError("not-found", say("server.record.not-found"))
        if not await self._registry.store.records.belongs(id, guest):  # it may have been deleted
            raise RequestError("not-found", say("server.record.not-found"))
        if (known := self._replays.get(id)) is None:
            async with self.reading:
                if (known := self._replays.get(id)) is None:
                    _, record = await self._record(guest, id)
                    known = await asyncio.to_thread(lambda: ReplayedGame(bundled_game(record.game), record))
        self._replays[id] = known
        self._replays.move_to_end(id)
        if len(self._replays) > MAX_REPLAYS:
            self._replays.popitem(last=False)
        return known

    async def delete(self, guest: str, id: str) -> None:
        """Delete a record of a guest."""
        if not await self._registry.store.records.delete(id, guest):
            raise RequestError("not-found", say("server.record.not-found"))
        self._replays.pop(id, None)

    async def _record(self, guest: str, id: str) -> tuple[int, Record]:
        found = await self._registry.store.records.record(id, guest)
        if found is None:
            raise RequestError("not-found", say("server.record.not-found"))
        return found


def _checked(text: str) -> tuple[Match, Record]:
    """Return the match and the record of a text; `RequestError` with the line or turn that is wrong."""
    try:
        record = from_json(text) if text.lstrip().startswith("{") else read_record(text)
    except NotationError as error:
        if _START not in text[:200] and not text.lstrip().startswith("{"):
            raise RequestError("unreadable", say("server.record.not-a-record", start=f"{_START} 1")) from None
        raise RequestError("unreadable", sentence(error)) from None
    if len(record.turns) > MAX_OPENED_TURNS:
        raise RequestError(
            "too-large",
            say("server.record.too-long", turns=len(record.turns), limit=MAX_OPENED_TURNS),
        )
    return _played(record), record


def _played(record: Record) -> Match:
    try:
        bundled_game(record.game)
    except UnknownGameError:
        raise RequestError(
            "unreadable", say("server.record.unknown-game", game=quoted(record.game))
        ) from None
    try:
        return from_record(record)
    except MatchError as error:
        raise RequestError("unreadable", sentence(error)) from None


def _is_same_play(match: Match, opened: Match, side: Side) -> bool:
    """Return whether one of two games begins with all the turns that a side has played in the other."""
    ours, theirs = ([turn.actions for turn in one.turns[SIDES.index(side) :: 2]] for one in (match, opened))
    common = min(len(ours), len(theirs))
    return common >= SAME_TURNS and ours[:common] == theirs[:common]


def _verdict(match: Match) -> str:
    """Return how the game ended, in a sentence."""
    if match.result is None:
        return say("server.record.unfinished")
    return describe_result(match, "watcher", summarize(match).flag)
