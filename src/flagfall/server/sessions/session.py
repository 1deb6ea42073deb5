"""One live match: commands run one at a time, are stored, and only then shown to viewers.

::

    request ─► lock ─► referee (Match) ─► store ─► viewers are notified, each gets its own message
                          │ refused         │ failed
                          ▼                 ▼
                       refusal           undone; if the database differs, the database is right

The task that stores holds the lock until the outcome is known, even if the client has disconnected by then.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from typing import TYPE_CHECKING

import msgspec
import structlog

from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.languages import say
from flagfall.match import Match, RefusedError, Snapshot
from flagfall.match.facts import game_facts
from flagfall.server.api.messages.matches import NewsPage, State
from flagfall.server.errors import RequestError
from flagfall.server.networks import network_file
from flagfall.server.push.notices import Moment, notices_of_change
from flagfall.server.sessions.pacing import MIN_BUDGET_MS, Pace, allowance_ms, pace_of
from flagfall.server.sessions.presenter import Extras, ReplayedGame, news_for, state_for, waiting_state
from flagfall.server.store.database import NotStoredError, StoreError
from flagfall.server.store.rows import ChatRow, MatchRow, result_columns
from flagfall.server.workers import Job, JobDroppedError, Lease, QueueFullError, ThinkingError, Ticket
from flagfall.sides import SIDES, Side
from flagfall.view.view import Viewer, viewer_name

if TYPE_CHECKING:
    from flagfall.server.sessions.registry import MatchRegistry

Notes = dict[Side, dict[str, str]]
"""by seat: name of a piece → text"""
MAX_CHAT = 50
MAX_TIMER_S = 3_600.0
QUEUE_PAUSE_S = 1.0
"""before a match asks again when the queue for workers is full"""
MIN_PAUSE_S, MAX_PAUSE_S = 5.0, 60.0
"""before a match asks again when no worker could answer; the pause doubles each time"""
Operation = Callable[[Match, int], object]
LONG_CLOCK_MS = 300_000
"""a match whose clock runs longer than this need not be in memory; the registry loads it again in time"""
RETRY_S = 1.0
"""before a fallen flag is stored again after a failure"""

logger = structlog.get_logger("flagfall.session")


class MatchSession:
    """A match in memory and the people connected to it."""

    def __init__(
        self,
        registry: MatchRegistry,
        row: MatchRow,
        game: Game,
        options: Options,
        match: Match | None,
        chat: list[ChatRow],
        notes: Notes | None = None,
    ) -> None:
        self.registry, self.row, self.game, self.options, self.match = registry, row, game, options, match
        self.chat = chat
        self.notes: Notes = notes or {side: {} for side in SIDES}
        self.presence = Presence(self.notify, registry.settings.grace_s)
        self.lock = asyncio.Lock()
        self.listeners: set[asyncio.Event] = set()
        self.used_at = registry.loop_time()
        self.is_uncertain = False
        """whether a commit may or may not be on the disk: reload before anything else is done"""
        self._is_closed = False
        self._replay: asyncio.Future[ReplayedGame] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._retry_at = 0.0
        self._thinking: asyncio.Task[None] | None = None

    # ------------------------------------------------------------------ viewers

    def viewer_for(self, guest: str | None, wanted: str) -> Viewer:
        """Return the viewer that this guest may be; a guest with both seats must name one."""
        yours = self.row.seats_of(guest)
        if wanted == "":
            if len(yours) > 1:
                raise RequestError("name-a-seat", say("server.seat.name-one"))
            return yours[0] if yours else "watcher"
        if wanted == "watcher":
            return "watcher"
        if wanted == "truth":
            self.require_open()
            return "truth"
        for side in SIDES:
            if wanted == side:
                if side not in yours and not (self.match is not None and self.match.is_open):
                    raise RequestError("not-your-seat", say("server.seat.watch", side=side))
                return side
        raise RequestError("unknown-seat", "Unknown viewer; use south, north, watcher or truth.")

    def require_open(self) -> Match:
        """Return the match if everything about it may be shown to everybody; refuse otherwise."""
        match = self.require_started()
        match.require_open()
        return match

    async def replay(self) -> ReplayedGame:
        """Return the replay of a game that may be shown to everybody; made once, off the event loop."""
        match = self.require_open()
        if self._replay is None:
            self._replay = asyncio.ensure_future(asyncio.to_thread(ReplayedGame.of_match, match))
        try:
            return await asyncio.shield(self._replay)
        except Exception:
            self._replay = None
            raise

    def seat(self, guest: str | None, wanted: Side | None) -> Side:
        """Return the seat that this guest acts for."""
        yours = self.row.seats_of(guest)
        if not yours:
            raise RequestError("not-your-seat", say("server.seat.none"))
        if wanted is None:
            if len(yours) > 1:
                raise RequestError("name-a-seat", say("server.seat.name-one"))
            return yours[0]
        if wanted not in yours:
            raise RequestError("not-your-seat", say("server.seat.not-yours", side=wanted))
        return wanted

    async def wait_until_stored(self) -> MatchSession:
        """Wait until everything is stored, because what is not stored must not be shown.

        Until the caller waits for something else, the match is as it is stored.
        """
        while self.lock.locked():
            async with self.lock:
                pass
        return self

    def state(self, guest: str | None, viewer: Viewer, since: int) -> State:
        """Return the State of a viewer."""
        now = self.registry.now_ms()
        if self.match is None:
            return waiting_state(self.row, self.game, self.options, guest, now)
        return state_for(self.row, self.match, viewer, guest, since, self._extras(), now)

    def news(self, viewer: Viewer, before: int) -> NewsPage:
        """Return a page of the entries that a viewer saw before a number."""
        match = self.require_started()
        number = match.number_for(viewer)
        news, since = news_for(match, match.view(viewer), 0, number, before if before < number else None)
        return NewsPage(self.row.id, viewer_name(viewer), since, news)

    def _extras(self) -> Extras:
        is_shared = self.row.opponent == "hot-seat"
        here = frozenset(
            side
            for side in SIDES
            if is_shared or self.row.level(side) or self.presence.is_here(self.row.guest(side))
        )
        workers = self.registry.workers
        warming_up = frozenset(
            side for side in self.row.computers() if workers.is_warming_up(self.row.level(side))
        )
        return Extras(self.chat, self.notes, here, warming_up)

    def number(self, viewer: Viewer) -> int:
        """Return the viewer's number: one past the last entry that it saw something of."""
        return self.match.number_for(viewer) if self.match else 0

    def notify(self) -> None:
        """Notify all listeners that something has changed."""
        self.used_at = self.registry.loop_time()
        for listener in self.listeners:
            listener.set()

    # ------------------------------------------------------------------ commands

    def require_started(self) -> Match:
        """Return the match, or refuse if the second player has not joined yet."""
        if self.match is None:
            raise RequestError("not-started", say("server.match.not-started"))
        return self.match

    async def execute(self, operation: Callable[[Match, int], object], at_number: int | None = None) -> None:
        """Apply an operation to the match, store the new entries of its log, and notify all listeners.

        It is completed even if the caller is cancelled. With ``at_number`` nothing happens if the match has
        moved on from that number.
        """
        await self.registry.finish(self._execute_locked(operation, at_number))

    async def _execute_locked(self, operation: Callable[[Match, int], object], at_number: int | None) -> None:
        try:
            async with self.lock:
                await self.reload_if_uncertain()
                if at_number in (None, self.require_started().number):
                    await self._execute(operation)
        finally:
            self.schedule()

    async def _execute(self, operation: Callable[[Match, int], object]) -> None:
        match = self.require_started()
        before, moment = match.snapshot(), Moment.of(match)
        refusal: RefusedError | None = None
        try:
            operation(match, self.registry.now_ms())
        except RefusedError as said:
            refusal = said
        except BaseException:
            match.restore(before)
            raise
        if match.number > before.number:
            await self._store(match, before)
            self.registry.tell(notices_of_change(self.row, moment, self.require_started()))
        if refusal is not None:
            raise RequestError.of(refusal)

    async def _store(self, match: Match, before: Snapshot) -> None:
        """Store the new entries of the log; if that fails, undo them and look what is in the database."""
        row = msgspec.structs.replace(self.row, **result_columns(match), updated_ms=match.last.at_ms)
        entries = match.entries_since(before.number)
        try:
            await self.registry.store.append(row, entries)
        except BaseException as error:
            match.restore(before)
            self.is_uncertain = True
            with suppress(RequestError):
                await self.reload_if_uncertain()
            if not isinstance(error, StoreError):
                raise
            is_race = isinstance(error, NotStoredError) and error.is_race
            found = () if self.is_uncertain else self.require_started().entries_since(before.number)
            if is_race or found[: len(entries)] != entries:
                raise RequestError.of(error) from None
        else:
            self.row = row
            if match.is_open:
                self.registry.start(self._store_facts(match))
        self.notify()

    async def _store_facts(self, match: Match) -> None:
        """Store the facts of a finished game; if that fails, they are worked out when they are needed.

        A game that was continued from another does not count: a part of it was played by others.
        """
        found = None if match.continued else await asyncio.to_thread(game_facts, match)
        with suppress(StoreError):
            await self.registry.store.guest_games.add_facts(self.row.id, found)

    async def reload_if_uncertain(self) -> None:
        """Load the match again if memory and database may differ; call it with the lock held."""
        if not self.is_uncertain:
            return
        try:
            row, match = await self.registry.load_match(self.row.id)
            chat, notes = await self.registry.load_chat_and_notes(self.row.id)
        except StoreError as error:
            raise RequestError.of(error) from None
        if match is None or self.match is None or match.log != self.match.log:
            self.match, self._replay = match, None
        self.row, self.chat, self.notes, self.is_uncertain = row, chat, notes, False
        self.notify()

    async def reload(self) -> None:
        """Load the match again, because another process may have changed it."""
        async with self.lock:
            self.is_uncertain = True
            await self.reload_if_uncertain()
        self.schedule()

    async def store_row(self, row: MatchRow) -> None:
        """Store changes of the row that are not in the log; call it with the lock held."""
        with self.uncertain_if_not_stored():
            await self.registry.store.update_match(row)
        self.row = row
        self.notify()

    @contextmanager
    def uncertain_if_not_stored(self) -> Iterator[None]:
        """Turn a failure to store into a refusal, and have the match loaded again."""
        try:
            yield
        except StoreError as error:
            self.is_uncertain = True
            raise RequestError.of(error) from None

    # ------------------------------------------------------------------ clocks and computer players

    def schedule(self) -> None:
        """Set the timer of the running clock, and start a computer player if it is its turn."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        match = self.match
        if match is None or match.is_over or self.registry.is_closing or self._is_closed:
            self.forget_players()
            return
        falls_at = match.clocks.falls_at_ms
        if falls_at is not None:
            wait_s = min(max(falls_at - self.registry.now_ms(), 0) / 1000 + 0.005, MAX_TIMER_S)
            wait_s = max(wait_s, self._retry_at - self.registry.loop_time())
            self._timer = asyncio.get_running_loop().call_later(
                wait_s, lambda: self.registry.start(self._check_time())
            )
        if self.row.computers() and (self._thinking is None or self._thinking.done()):
            self._thinking = self.registry.start(self._let_computers_act())

    async def _check_time(self) -> None:
        try:
            await self.execute(lambda match, now: match.check_time(now))
        except RequestError as refusal:
            logger.warning("a fallen flag could not be stored", code=refusal.code)
            self._retry_at = self.registry.loop_time() + RETRY_S
            self.schedule()

    async def _let_computers_act(self) -> None:
        """Let the computer players act, one action after the other, until it is a person's turn."""
        begun_at, pause_s = self.registry.loop_time(), MIN_PAUSE_S
        while True:
            match = self.match
            if match is None or match.is_over or self.registry.is_closing or self._is_closed:
                return
            try:
                if not await self._let_computer_act(match, begun_at):
                    return
                begun_at, pause_s = self.registry.loop_time(), MIN_PAUSE_S
            except JobDroppedError:
                begun_at = self.registry.loop_time()
            except QueueFullError:
                await asyncio.sleep(QUEUE_PAUSE_S)
            except RequestError as refusal:
                logger.warning("a computer player was refused", match=self.row.id, code=refusal.code)
                if refusal.code in ("too-long", "damaged", "not-found"):
                    return
                await asyncio.sleep(1)
            except Exception as error:
                if not isinstance(error, ThinkingError):
                    logger.exception("a computer player could not act", match=self.row.id)
                elif self.registry.is_closing:
                    return
                else:
                    logger.error("no worker answers", match=self.row.id, reason=str(error))
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, MAX_PAUSE_S)
            self._schedule_timer()

    def _schedule_timer(self) -> None:
        """Set the timer of the running clock only."""
        thinking, self._thinking = self._thinking, asyncio.current_task()
        self.schedule()
        self._thinking = thinking

    async def _let_computer_act(self, match: Match, begun_at: float) -> bool:
        """Let a computer player do the next thing that others can see; False if none has to act.

        It is done at a moment counted from ``begun_at``; see `flagfall.server.sessions.pacing`.
        """
        for side in self.row.computers():
            if match.offer not in (None, side):
                await self.execute(self._declining(side), at_number=match.number)
                return True
            if match.phase == "setup" and side not in match.sealed:
                pace = pace_of(self.row.level(side))
                number, operation = await self._computer_setup(match, side, pace)
            elif match.to_move == side:
                allowed_ms = allowance_ms(match.clocks, side, self.registry.now_ms())
                pace = pace_of(self.row.level(side), allowed_ms)
                number, operation = await self._computer_action(match, side, pace)
            else:
                continue
            elapsed_s = self.registry.loop_time() - begun_at
            await asyncio.sleep(pace.release_ms(elapsed_s * 1000) / 1000 - elapsed_s)
            await self.execute(operation, at_number=number)
            return True
        return False

    async def _computer_setup(self, match: Match, side: Side, pace: Pace) -> tuple[int, Operation]:
        """Return what a computer player does in the setup phase, and the number it is meant for."""
        number = match.number
        async with self._lease(match, side) as lease:
            code = await lease.setup(self._job(match, side, pace.budget_ms))
        return number, lambda match, now: match.seal(side, code, now, self.registry.salt())

    async def _computer_action(self, match: Match, side: Side, pace: Pace) -> tuple[int, Operation]:
        """Return a computer player's next action that others can see; play silent ones before it at once.

        They share one time budget and one worker.
        """
        left_ms = pace.budget_ms
        async with self._lease(match, side) as lease:
            while True:
                number, asked_at = match.number, self.registry.loop_time()
                view = msgspec.json.encode(match.view(side, forgets=False))
                history = msgspec.json.encode(match.history(side))
                packed = await lease.action(self._job(match, side, left_ms, view, history))
                operation = self._acting(side, Action.unpack(packed))
                if match.number != number or not match.is_silent(side, Action.unpack(packed)):
                    return number, operation
                await self.execute(operation, at_number=number)
                if self.match is not match or match.number != number + 1:
                    raise JobDroppedError
                spent_ms = int((self.registry.loop_time() - asked_at) * 1000)
                left_ms = max(MIN_BUDGET_MS, left_ms - spent_ms)

    def _declining(self, side: Side) -> Operation:
        return lambda match, now: match.answer_draw(side, False, now)

    def _acting(self, side: Side, action: Action) -> Operation:
        return lambda match, now: match.act(side, None, action, now)

    def _lease(self, match: Match, side: Side) -> AbstractAsyncContextManager[Lease]:
        """Return a lease on a worker for one turn of a computer player."""
        number = match.number

        def is_wanted() -> bool:
            is_moved_on = self.match is not match or match.number != number
            return not (is_moved_on or match.is_over or self.registry.is_closing)

        ticket = Ticket(self.row.host, is_wanted, lambda: bool(self.listeners), self.row.id)
        return self.registry.workers.lease(self.row.level(side), ticket)

    def _job(self, match: Match, side: Side, time_ms: int, view: bytes = b"", history: bytes = b"[]") -> Job:
        return Job(
            game=self.row.game,
            options=self.row.options,
            player=self.row.level(side),
            network=network_file(self.row.level(side)),
            seed=f"{self.row.seed}:{side}:{match.number}",
            view=view,
            side=SIDES.index(side),
            history=history,
            time_ms=time_ms,
            match=self.row.id,
        )

    # ------------------------------------------------------------------ eviction

    def is_idle(self, since: float) -> bool:
        """Return whether nothing needs this session in memory; a clock that runs for long does not."""
        is_thinking = self._thinking is not None and not self._thinking.done()
        falls_at = self.match.clocks.falls_at_ms if self.match else None
        is_soon = falls_at is not None and falls_at < self.registry.now_ms() + LONG_CLOCK_MS
        return (
            not self.listeners
            and not self.lock.locked()
            and not (self._timer is not None and is_soon)
            and not is_thinking
            and self.used_at < since
        )

    def forget_players(self) -> None:
        """Free the computer players of this match."""
        if self.row.computers():
            self.registry.workers.forget(self.row.id)

    def close(self) -> None:
        """Stop the clock and free the computer players."""
        self._is_closed = True
        self.forget_players()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.presence.close()
        self.notify()


class Presence:
    """Counts each guest's open connections to one match; a guest who reloads the page has not left."""

    def __init__(self, changed: Callable[[], None], grace_s: float) -> None:
        self._changed, self._grace_s = changed, grace_s
        self._open: Counter[str] = Counter()
        self._leaving: dict[str, asyncio.TimerHandle] = {}

    def is_connected(self, guest: str | None) -> bool:
        """Return whether a guest has the match open at this moment."""
        return guest in self._open

    def is_here(self, guest: str | None) -> bool:
        """Return whether a guest has the match open, or had it a moment ago."""
        return guest is not None and (guest in self._open or guest in self._leaving)

    def enter(self, guest: str) -> None:
        """Add a connection of a guest."""
        was_here = self.is_here(guest)
        if (leaving := self._leaving.pop(guest, None)) is not None:
            leaving.cancel()
        self._open[guest] += 1
        if not was_here:
            self._changed()

    def leave(self, guest: str) -> None:
        """Remove a connection of a guest, who has left if no new one comes within ``grace_s``."""
        self._open[guest] -= 1
        if self._open[guest] > 0:
            return
        del self._open[guest]
        self._leaving[guest] = asyncio.get_running_loop().call_later(self._grace_s, self._gone, guest)

    def close(self) -> None:
        """Cancel all pending leave timers."""
        for leaving in self._leaving.values():
            leaving.cancel()
        self._leaving.clear()

    def _gone(self, guest: str) -> None:
        del self._leaving[guest]
        self._changed()
