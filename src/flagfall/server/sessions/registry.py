"""All sessions of this server: loading and finding them, closing idle ones, following the database."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from random import SystemRandom
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec
import structlog

from flagfall.edition import Game, OptionError, UnknownGameError, resolve
from flagfall.edition.versions import VERSIONS
from flagfall.languages import ENGLISH, say, use_language
from flagfall.languages.messages import has_message
from flagfall.match import Match, MatchError
from flagfall.server.clock import ServerClock
from flagfall.server.errors import CLIENT_ERRORS, RequestError
from flagfall.server.middleware.bans import Bans
from flagfall.server.push.notices import Notice
from flagfall.server.push.sender import Presence, PushSender
from flagfall.server.sessions.games import find_game, is_by_day
from flagfall.server.sessions.lab import Lab, Run
from flagfall.server.sessions.new_matches import NewMatches
from flagfall.server.sessions.records import Records
from flagfall.server.sessions.reminders import remind
from flagfall.server.sessions.reviews import Reviews
from flagfall.server.sessions.runs import Runs
from flagfall.server.sessions.session import LONG_CLOCK_MS, MAX_CHAT, MatchSession, Notes
from flagfall.server.sessions.statistics_cache import StatisticsCache
from flagfall.server.sessions.workshop import BoxRun, BoxWorkshop
from flagfall.server.settings import Settings
from flagfall.server.store.database import StoreError
from flagfall.server.store.match_store import MatchStore
from flagfall.server.store.rows import ChatRow, GuestRow, MatchRow
from flagfall.server.workers import Workers

EVICT_EVERY_S = 30.0
"""how often idle matches are looked for, at most"""
FOLLOW_EVERY_S = 1.0
"""how often changes by other processes are looked for"""
CHECK_PAGES_EVERY_S = 600.0
"""how often every page of the database is checked"""
FINISH_S = 7.0
"""how long a stop waits for writes under way"""
READY_S = 2.0
"""how long the answer of /ready is cached"""
CHECK_S = 3.0
FILL_BATCH = 50
RETRY_S = 1.0
"""before a failed read at the start is tried again"""
MAX_OPEN = 1_000
"""open invitations checked at once"""
FRIEND_INVITATION_MS = 14 * 86_400_000
MAX_FALLING = 1_000
"""matches loaded at once because their clock runs out soon"""
MAX_SEEN_GUESTS = 50_000

Answer = TypeVar("Answer")
logger = structlog.get_logger("flagfall.registry")


class MatchRegistry:
    """Holds the sessions and what they need."""

    def __init__(
        self, settings: Settings, store: MatchStore, workers: Workers, clock: ServerClock | None = None
    ) -> None:
        self.settings, self.store, self.workers = settings, store, workers
        self.clock = clock or ServerClock.from_wall_clock()
        self.is_closing = False
        self.bans = Bans()
        self._is_behind = False
        """whether another process has changed something that was not loaded yet"""
        self.rng = SystemRandom()
        self.damage = ""
        """what the last check of all pages found wrong; empty: nothing"""
        self._sessions: dict[str, MatchSession] = {}
        self._loading: dict[str, asyncio.Task[MatchSession]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._finishing: set[asyncio.Task[Any]] = set()
        self._started_at = self.loop_time()
        self._checking, self._checked_at, self._problem = asyncio.Lock(), -READY_S, ""
        self._creating: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._seen_at: OrderedDict[str, float] = OrderedDict()
        self.new_matches = NewMatches(self)
        self.reviews = Reviews(self)
        self.records = Records(self)
        self.coached: set[str] = set()
        """guests whose question to the coach is being answered"""
        self.exporting: set[str] = set()
        """guests whose download is being made"""
        self.filling: set[str] = set()
        """guests whose old games are being counted"""
        self.filling_lock = asyncio.Lock()
        self.statistics = StatisticsCache()
        self.counting_lock = asyncio.Lock()
        self.deleted_guests: set[str] = set()
        """guests deleted since the start, whose earlier requests may still be under way"""
        self.lab = Lab(workers, store)
        self.runs = Runs(workers, store.runs, self.start, (Run, BoxRun))
        self.push = PushSender(settings, store, self.now_ms, self.presence)
        self.workshop = BoxWorkshop(self)

    # ------------------------------------------------------------------ time, randomness, tasks

    def now_ms(self) -> int:
        """Return the server's time, which never jumps."""
        return self.clock.now_ms()

    def loop_time(self) -> float:
        """Return the time of a monotonic clock in seconds, for timeouts."""
        return time.monotonic()

    def salt(self) -> str:
        """Return a new salt for the commitment of a setup."""
        return secrets.token_urlsafe(24)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine in the background, in nobody's language; a failure is logged."""
        with use_language(ENGLISH):
            task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def finish(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Run a coroutine to its end, even if the caller is cancelled, times out or disconnects."""
        task = asyncio.get_running_loop().create_task(work)
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)
        task.add_done_callback(_log_fault)
        return await asyncio.shield(task)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        _log_fault(task)

    async def resume_clocks(self) -> None:
        """Load the matches whose clock runs, after a start; retry until the database answers."""
        while True:
            try:
                return await self._resume_all()
            except StoreError:
                pass
            except Exception:
                logger.exception("resuming matches failed")
            await asyncio.sleep(RETRY_S)

    async def _resume_all(self) -> None:
        for row in await self.store.matches_with_clock(self.now_ms() + LONG_CLOCK_MS):
            try:
                await self.session(row.id)
            except (RequestError, StoreError):
                continue
            except Exception:
                logger.exception("a match could not be resumed", match=row.id)
        while rows := await self.store.matches_without_turn(FILL_BATCH):
            if all(row.to_move is None for row in await self.with_turns(rows)):
                await asyncio.sleep(RETRY_S)

    async def with_turns(self, rows: list[MatchRow]) -> list[MatchRow]:
        """Return the rows; those of an older version are completed first, so that each says whose turn it is.

        A row stays as it is if its match cannot be loaded now.
        """
        return [await self._with_turn(row) if row.to_move is None else row for row in rows]

    async def _with_turn(self, row: MatchRow) -> MatchRow:
        with suppress(RequestError):
            session = await self.session(row.id)
            async with session.lock:
                await session.reload_if_uncertain()
                if session.row.to_move is None:
                    to_move = session.match.to_move if session.match else None
                    await session.store_row(msgspec.structs.replace(session.row, to_move=to_move or ""))
            return session.row
        return row

    async def evict_idle(self) -> None:
        """Loop: drop idle matches from memory, remind players, end old invitations."""
        while not self.is_closing:
            await asyncio.sleep(min(EVICT_EVERY_S, max(1.0, self.settings.keep_idle_s / 2)))
            try:
                self._evict()
                await self._load_falling()
                await remind(self)
                await self._end_old_invitations()
            except StoreError:
                continue
            except Exception:
                logger.exception("evicting idle matches failed")

    def _evict(self) -> None:
        since = self.loop_time() - self.settings.keep_idle_s
        for match_id, session in list(self._sessions.items()):
            if session.is_idle(since):
                del self._sessions[match_id]
                session.close()

    async def _load_falling(self) -> None:
        """Load the matches whose clock runs out soon, so that their timer is set."""
        for match_id in await self.store.matches_falling(self.now_ms() + LONG_CLOCK_MS, MAX_FALLING):
            if match_id not in self._sessions:
                with suppress(RequestError):
                    await self.session(match_id)

    async def follow_database(self) -> None:
        """Loop: load what other processes have changed, and check all pages from time to time."""
        looked_at = -CHECK_PAGES_EVERY_S
        while not self.is_closing:
            try:
                await self._reload_uncertain()
                if await self.store.database.was_changed_elsewhere():
                    self._is_behind = True
                if self._is_behind:
                    await self._reload_changed()
                    self._is_behind = False
                if self.loop_time() - looked_at > CHECK_PAGES_EVERY_S:
                    await self._check_pages()
                    looked_at = self.loop_time()
            except StoreError:
                logger.warning("the database does not answer")
            except Exception:
                logger.exception("following the database failed")
            await asyncio.sleep(FOLLOW_EVERY_S)

    async def _check_pages(self) -> None:
        """Let SQLite check every page; a check that fails counts as damage."""
        self.damage = "the check failed"
        found = await self.store.quick_check()
        self.damage = "" if found == "ok" else found
        if self.damage:
            logger.error("the database is damaged; see flagfall admin verify")

    async def _reload_uncertain(self) -> None:
        """Load matches again whose last commit failed and may be on the disk all the same."""
        for session in [session for session in self._sessions.values() if session.is_uncertain]:
            with suppress(RequestError):
                await self.finish(session.reload())

    async def _reload_changed(self) -> None:
        """Load again what an operator's command has changed in the database."""
        self.store.forget_guests()
        await self.load_bans()
        sessions = dict(self._sessions)
        stored = await self.store.rows(sessions)
        for match_id, session in sessions.items():
            if match_id not in stored:
                if not session.lock.locked() and self._sessions.get(match_id) is session:
                    del self._sessions[match_id]
                    session.close()
            elif stored[match_id] != (session.row, session.match.number if session.match else 0):
                with suppress(RequestError, StoreError):
                    await self.finish(session.reload())

    async def follow_bans(self) -> None:
        """Load the bans at the start; `follow_database` notices later ones."""
        try:
            await self.store.database.was_changed_elsewhere()
        except StoreError:
            self._is_behind = True
        await self.load_bans()

    async def load_bans(self) -> None:
        """Read the bans; sessions are notified, so that sockets of banned guests close."""
        if self.bans.load(await self.store.bans()):
            for session in self._sessions.values():
                session.notify()

    async def close(self) -> None:
        """Stop all background work; writes under way are finished first."""
        self.is_closing = self.runs.is_closing = True
        for session in self._sessions.values():
            session.close()
        self.push.close()
        self.workers.close()
        if self._finishing:
            await asyncio.wait(self._finishing, timeout=FINISH_S)
        left = [*self._tasks, *self._finishing, *self._loading.values()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await self.store.close()

    async def check_ready(self) -> None:
        """Refuse unless the database was read and written within the last two seconds."""
        async with self._checking:
            if self.loop_time() - self._checked_at > READY_S:
                try:
                    async with asyncio.timeout(CHECK_S):
                        await self.store.check(self.now_ms())
                except (StoreError, TimeoutError):
                    self._problem = "The database cannot be read and written; check the log and the disk."
                else:
                    self._problem = ""
                self._checked_at = self.loop_time()
        problem = self._problem or (
            "The database file is damaged; run flagfall admin verify." if self.damage else ""
        )
        if problem:
            raise RequestError("not-ready", problem)

    # ------------------------------------------------------------------ notices

    def tell(self, notices: Iterable[Notice]) -> None:
        """Have notices sent to guests who do not have the match open."""
        for notice in notices:
            with suppress(RequestError):
                self.bans.refuse_guest(notice.guest, self.now_ms())
                self.push.tell(notice)

    def presence(self, match_id: str, guest: str) -> Presence:
        """Return whether a guest has a match open, or had it open a moment ago."""
        session = self._sessions.get(match_id)
        if session is None or not session.presence.is_here(guest):
            return "away"
        return "here" if session.presence.is_connected(guest) else "leaving"

    # ------------------------------------------------------------------ hosts and invitations

    def mark_seen(self, guest_id: str) -> None:
        """Note that a guest has sent something."""
        self._seen_at[guest_id] = self.loop_time()
        self._seen_at.move_to_end(guest_id)
        if len(self._seen_at) > MAX_SEEN_GUESTS:
            self._seen_at.popitem(last=False)

    def away_s(self, row: MatchRow) -> float:
        """Return for how long the host of a match has sent nothing, at most since the server started."""
        session = self._sessions.get(row.id)
        if session is not None and session.presence.is_here(row.host):
            return 0.0
        return self.loop_time() - max(self._seen_at.get(row.host, 0.0), self._started_at)

    async def _end_old_invitations(self) -> None:
        """End lobby invitations of hosts who are away, and links after two weeks."""
        oldest = self.now_ms() - FRIEND_INVITATION_MS
        for row in await self.store.oldest_invitations(MAX_OPEN):
            is_old = row.created_ms < oldest
            is_away = self.away_s(row) > self.settings.invitation_away_s
            if is_old or (row.opponent == "lobby" and is_away and not is_by_day(row)):
                with suppress(RequestError, StoreError):
                    session = await self.session(row.id)
                    await self.finish(self.new_matches.close_invitation(session))

    # ------------------------------------------------------------------ sessions

    async def session(self, match_id: str) -> MatchSession:
        """Return the session of a match once everything is stored; load it if it is not in memory."""
        if (session := self._sessions.get(match_id)) is None:
            if (loading := self._loading.get(match_id)) is None:
                loading = asyncio.get_running_loop().create_task(self._load(match_id))
                self._loading[match_id] = loading
                loading.add_done_callback(lambda done: self._loaded(match_id, done))
            try:
                session = await asyncio.shield(loading)
            except RequestError as error:  # the first who asked may read another language
                key = f"server.match.{error.code}"
                raise RequestError(error.code, say(key) if has_message(key) else str(error)) from None
        session.used_at = self.loop_time()
        await session.wait_until_stored()
        session.used_at = self.loop_time()
        return session

    def drop_session(self, match_id: str) -> None:
        """Close the session of a match that is being deleted."""
        if (session := self._sessions.pop(match_id, None)) is not None:
            session.close()

    async def reload_session(self, match_id: str) -> None:
        """Load a match again if it is in memory, because the database was changed."""
        if (session := self._sessions.get(match_id)) is not None:
            with suppress(RequestError):
                await session.reload()

    def _loaded(self, match_id: str, loading: asyncio.Task[MatchSession]) -> None:
        self._loading.pop(match_id, None)
        _log_fault(loading)

    async def _load(self, match_id: str) -> MatchSession:
        row, match = await self.load_match(match_id)
        game = await self._stored_game(row.game)
        chat, notes = await self.load_chat_and_notes(match_id)
        session = MatchSession(self, row, game, resolve(game, row.options), match, chat, notes)
        self._sessions[match_id] = session
        session.schedule()
        return session

    async def load_match(self, match_id: str) -> tuple[MatchRow, Match | None]:
        """Load a match from the database; None for the game before both players have joined.

        One that cannot be read is marked as damaged and logged; other matches go on.
        """
        try:
            row = await self.store.match(match_id)
            if row is None:
                raise RequestError("not-found", say("server.match.not-found"))
            if row.status == "damaged":
                raise RequestError("damaged", say("server.match.damaged"))
            entries = await self.store.log(match_id)
            if not entries and row.status == "running":
                raise MatchError("The log is empty")
            resolve(await self._stored_game(row.game), row.options)
            match = await asyncio.to_thread(Match.rebuilt, entries) if entries else None
        except (MatchError, UnknownGameError, OptionError) as error:
            logger.error(
                "a match cannot be read and is marked as damaged; see flagfall admin verify",
                match=match_id,
                kind=type(error).__name__,
            )
            with suppress(StoreError):
                await self.store.mark_damaged(match_id)
            raise RequestError("damaged", say("server.match.damaged")) from None
        return row, match

    async def _stored_game(self, game_id: str) -> Game:
        """Return the game of a stored match; `StoreError` if the text of its box cannot be read just now."""
        try:
            return await asyncio.to_thread(find_game, game_id)
        except UnknownGameError:
            text = await self.store.boxes.version_text(game_id.partition("/")[0])
            if text is None:
                raise
            VERSIONS.add(text)
            return await asyncio.to_thread(find_game, game_id)

    async def load_chat_and_notes(self, match_id: str) -> tuple[list[ChatRow], Notes]:
        """Load the last chat lines and the notes of a match."""
        return await self.store.chat_lines(match_id, MAX_CHAT), await self.store.notes(match_id)

    async def invited_session(self, token: str) -> MatchSession:
        """Return the session of an invitation."""
        row = await self.store.invited_match(token)
        if row is None:
            raise RequestError("not-found", say("server.invitation.not-found"))
        return await self.session(row.id)

    # ------------------------------------------------------------------ guests who create something

    def creating_lock(self, guest_id: str) -> asyncio.Lock:
        """Return the lock under which a guest's matches are created, and all deleted."""
        return self._creating.setdefault(guest_id, asyncio.Lock())

    def refuse_deleted(self, guest: GuestRow) -> None:
        """Refuse a guest who has deleted everything while this request was under way."""
        if guest.id in self.deleted_guests:
            raise RequestError("no-guest", say("server.guest.deleted"))

    def add(self, session: MatchSession) -> MatchSession:
        """Take in the session of a match that has just been stored."""
        self._sessions[session.row.id] = session
        session.schedule()
        return session


def _log_fault(task: asyncio.Task[Any]) -> None:
    """Log an unexpected failure of a task; refusals and a busy database are expected."""
    if task.cancelled() or (error := task.exception()) is None or isinstance(error, CLIENT_ERRORS):
        return
    logger.error("a task failed", kind=type(error).__name__, exc_info=error)
