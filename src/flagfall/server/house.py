"""All the rooms of this server: making matches, joining them, finding them again, rematches, the lobby."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Coroutine
from random import SystemRandom
from typing import Any

import msgspec
import structlog

from flagfall.edition import Game, OptionError, Options, UnknownGameError, load_game, resolve
from flagfall.match import Match, Seating
from flagfall.players import PLAYERS, UnknownPlayerError, make_player
from flagfall.players.levels import seat_name
from flagfall.server.refusals import No
from flagfall.server.room import MOST_CHAT, Room
from flagfall.server.settings import Settings
from flagfall.server.store.rows import SIDES, GuestRow, MatchRow
from flagfall.server.store.strongbox import NotStoredError, Strongbox
from flagfall.server.wishes import NewMatch
from flagfall.server.workers import Workers
from flagfall.view.view import Side

SWEEP_S = 30.0
NOT_FOUND = "There is no such match; look at the address again."

logger = structlog.get_logger("flagfall.house")


class House:
    """Holds the rooms and what they need."""

    def __init__(self, settings: Settings, strongbox: Strongbox, workers: Workers) -> None:
        self.settings, self.strongbox, self.workers = settings, strongbox, workers
        self.is_closing = False
        self.rng = SystemRandom()
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------ time, chance, tasks

    def now_ms(self) -> int:
        """The server's time."""
        return time.time_ns() // 1_000_000

    def loop_time(self) -> float:
        """A clock that never jumps, for timeouts."""
        return time.monotonic()

    def salt(self) -> str:
        """What hides a setup behind its fingerprint."""
        return secrets.token_urlsafe(24)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside; a failure is written to the log."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a task failed", kind=type(error).__name__, exc_info=error)

    async def wake_up(self) -> None:
        """After a start, clocks go on running; a computer player goes on when somebody looks."""
        for row in await self.strongbox.clocked():
            try:
                await self.room(row.id)
            except (No, ValueError):
                logger.exception("a match could not be taken up", match=row.id)

    async def sweep(self) -> None:
        """Matches nobody looks at leave the memory."""
        while not self.is_closing:
            await asyncio.sleep(SWEEP_S)
            since = self.loop_time() - self.settings.keep_idle_s
            for match_id, room in list(self._rooms.items()):
                if room.is_idle(since):
                    del self._rooms[match_id]

    async def close(self) -> None:
        """Stop everything that happens by itself."""
        self.is_closing = True
        for room in self._rooms.values():
            room.close()
        self.workers.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.strongbox.close()

    # ------------------------------------------------------------------ finding

    async def room(self, match_id: str) -> Room:
        """The room of a match, with nothing under way; rebuilt from the log if it is not in memory."""
        if (room := self._rooms.get(match_id)) is not None:
            return await room.settled()
        if (loading := self._loading.get(match_id)) is not None:
            return await (await asyncio.shield(loading)).settled()
        future: asyncio.Future[Room] = asyncio.get_running_loop().create_future()
        self._loading[match_id] = future
        try:
            room = await self._load(match_id)
        except BaseException as error:
            future.set_exception(error if isinstance(error, Exception) else No("not-found", NOT_FOUND))
            future.exception()
            raise
        else:
            self._rooms[match_id] = room
            future.set_result(room)
        finally:
            del self._loading[match_id]
        room.look_ahead()
        return await room.settled()

    async def _load(self, match_id: str) -> Room:
        row = await self.strongbox.match(match_id)
        if row is None:
            raise No("not-found", NOT_FOUND)
        match = await self.rebuilt(match_id)
        game = load_game(row.game, allow_files=False)
        chat = await self.strongbox.said(match_id, MOST_CHAT)
        notes = await self.strongbox.notes(match_id)
        return Room(self, row, game, resolve(game, row.options), match, chat, notes)

    async def rebuilt(self, match_id: str) -> Match | None:
        """The match as its log tells it; None before both players are there."""
        entries = await self.strongbox.log(match_id)
        return await asyncio.to_thread(Match.rebuilt, entries) if entries else None

    async def invited(self, token: str) -> Room:
        """The room of an invitation."""
        row = await self.strongbox.invited(token)
        if row is None:
            raise No("not-found", "There is no such invitation; ask for a new link.")
        return await self.room(row.id)

    # ------------------------------------------------------------------ making

    async def create(self, guest: GuestRow, wish: NewMatch) -> Room:
        """A new match; with a computer or at one screen it begins at once."""
        game = game_called(wish.game)
        options = _options(game, wish.options)
        if wish.opponent == "computer":
            _check_level(wish.level, game, options)
        if await self.strongbox.unfinished_of(guest.id) >= self.settings.most_matches:
            raise No("too-many", "You have too many unfinished matches; finish or leave some first.")
        side = wish.side or ("lot" if game.sides == "lot" else "south")
        row = MatchRow(
            id=secrets.token_urlsafe(9),
            game=game.id,
            options=options.changed(game),
            opponent=wish.opponent,
            status="waiting",
            host=guest.id,
            host_side=side,
            invitation=secrets.token_urlsafe(18) if wish.opponent in ("friend", "lobby") else None,
            seed=secrets.token_urlsafe(18),
            created_ms=self.now_ms(),
        )
        if row.opponent in ("friend", "lobby"):
            row = msgspec.structs.replace(row, south_name=guest.name)
            await self._kept(self.strongbox.add_match(row, ()))
            return self._opened(Room(self, row, game, options, None, []))
        other = (
            (wish.second_name.strip() or "Player 2") if row.opponent == "hot-seat" else seat_name(wish.level)
        )
        check_name(other, is_person=row.opponent == "hot-seat")
        is_both = row.opponent == "hot-seat"
        level = wish.level if row.opponent == "computer" else ""
        row, match = self._seated(
            row, game, options, (guest.id, guest.name, ""), (guest.id if is_both else None, other, level)
        )
        await self._kept(self.strongbox.add_match(row, match.log))
        return self._opened(Room(self, row, game, options, match, []))

    async def join(self, room: Room, guest: GuestRow) -> None:
        """Take the free seat."""
        async with room.lock:
            row = room.row
            if row.seats_of(guest.id):
                return
            if row.status != "waiting":
                raise No("taken", "This match has its two players already; you can watch.")
            if row.host == guest.id:
                raise No("own-invitation", "This is your own invitation; send the link to a friend.")
            host = (row.host, row.south_name, "")
            row, match = self._seated(row, room.game, room.options, host, (guest.id, guest.name, ""))
            try:
                await self.strongbox.begin(row, match.log)
            except NotStoredError as error:
                raise No("taken", "Somebody else was quicker, or it was taken back; try another.") from error
            room.row, room.match = row, match
            room.wake()
        room.look_ahead()

    async def take_back(self, room: Room, guest: GuestRow) -> None:
        """The host no longer waits."""
        async with room.lock:
            if room.row.host != guest.id:
                raise No("not-your-seat", "Only the host can take this invitation back.")
            if room.row.status != "waiting":
                raise No("finished", "This invitation is no longer open.")
            await room.note(msgspec.structs.replace(room.row, status="over", reason="aborted"))

    async def rematch(self, room: Room, guest: GuestRow, seat: Side) -> None:
        """Ask for another game; it begins when both have asked, sides exchanged."""
        async with room.lock:
            row = room.row
            if not room.begun().is_over:
                raise No("not-over", "The game is not over yet; a rematch comes after it.")
            if row.rematch:
                return
            asked = {*row.rematch_asked.split(), seat, *row.computers()}
            if row.opponent == "hot-seat":
                asked |= set(SIDES)
            await room.note(
                msgspec.structs.replace(row, rematch_asked=" ".join(side for side in SIDES if side in asked))
            )
            if len(asked) < len(SIDES):
                return
            await self._begin_rematch(room)

    async def _begin_rematch(self, room: Room) -> None:
        old = room.row
        row = MatchRow(
            id=secrets.token_urlsafe(9),
            game=old.game,
            options=old.options,
            opponent=old.opponent,
            status="running",
            host=old.host,
            host_side="south",
            seed=secrets.token_urlsafe(18),
            created_ms=self.now_ms(),
        )
        south, north = ((old.guest(side), old.name(side), old.level(side)) for side in reversed(SIDES))
        row, match = self._seated(row, room.game, room.options, south, north)
        await self._kept(self.strongbox.add_rematch(old.id, row, match.log))
        self._opened(Room(self, row, room.game, room.options, match, []))
        room.row = msgspec.structs.replace(room.row, rematch=row.id)
        room.wake()

    def _seated(
        self,
        row: MatchRow,
        game: Game,
        options: Options,
        host: tuple[str | None, str, str],
        other: tuple[str | None, str, str],
    ) -> tuple[MatchRow, Match]:
        """Host and opponent (guest id, name, level) on their seats, and the match begun."""
        is_lot = row.host_side == "lot"
        is_north = self.rng.random() < 0.5 if is_lot else row.host_side == "north"
        south, north = (other, host) if is_north else (host, other)
        match = Match.created(game, options, Seating(south[1], north[1], by_lot=is_lot), self.now_ms())
        row = msgspec.structs.replace(
            row,
            status="running",
            south=south[0],
            north=north[0],
            south_name=south[1],
            north_name=north[1],
            south_level=south[2],
            north_level=north[2],
        )
        return row, match

    def _opened(self, room: Room) -> Room:
        self._rooms[room.row.id] = room
        room.look_ahead()
        return room

    async def _kept(self, storing: Coroutine[Any, Any, None]) -> None:
        try:
            await storing
        except NotStoredError as error:
            raise No("not-stored", "This could not be stored, so it has not happened; try again.") from error


def game_called(game_id: str) -> Game:
    """A game by id, or a refusal that names those there are."""
    try:
        return load_game(game_id, allow_files=False)
    except UnknownGameError as unknown:
        raise No("not-found", f"{str(unknown.args[0]).rstrip('.')}.") from None


def _options(game: Game, chosen: dict[str, str]) -> Options:
    try:
        return resolve(game, chosen)
    except OptionError as error:
        raise No("option", f"{str(error)[:1].upper()}{str(error)[1:].rstrip('.')}.") from None


def _check_level(level: str, game: Game, options: Options) -> None:
    if level not in PLAYERS:
        try:
            make_player(level, game, options, SystemRandom())
        except UnknownPlayerError as unknown:
            raise No("not-found", f"{str(unknown.args[0]).rstrip('.')}.") from None


def check_name(name: str, *, is_person: bool = True) -> str:
    """A name that can stand on a score sheet, or a refusal."""
    try:
        Seating(name, "Somebody")
    except ValueError as error:
        raise No("malformed", f"{error}.".replace("The name of south", "A name")) from None
    if is_person and name.casefold().startswith("computer"):
        raise No("malformed", "A person's name does not begin with “Computer”; choose another.")
    return name
