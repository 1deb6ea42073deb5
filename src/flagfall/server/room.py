"""One match and everybody in it: does one thing at a time, stores it, and only then tells it.

::

    wish ─► lock ─► referee (Match) ─► strongbox ─► the viewers are woken, each builds its own message
                       │ no                │ failed
                       ▼                   ▼
                    refusal             the match is rebuilt from what is stored
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
import structlog

from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.match import Match, Refusal
from flagfall.server.catalogue import pace_ms
from flagfall.server.curtain import Beside, number_for, state_for, waiting_state
from flagfall.server.presence import Presence
from flagfall.server.refusals import No
from flagfall.server.shapes import State
from flagfall.server.store.rows import SIDES, ChatRow, MatchRow
from flagfall.server.store.strongbox import NotStoredError
from flagfall.server.workers import Job, ThinkingError
from flagfall.view.view import Side, Viewer

if TYPE_CHECKING:
    from flagfall.server.house import House

Notes = dict[Side, dict[str, str]]
"""of each seat: name of a piece → text"""
MOST_CHAT = 50
LONGEST_TIMER_S = 3_600.0

logger = structlog.get_logger("flagfall.room")


class Room:
    """A match in memory."""

    def __init__(
        self,
        house: House,
        row: MatchRow,
        game: Game,
        options: Options,
        match: Match | None,
        chat: list[ChatRow],
        notes: Notes | None = None,
    ) -> None:
        self.house, self.row, self.game, self.options, self.match = house, row, game, options, match
        self.chat = chat
        self.notes: Notes = notes or {side: {} for side in SIDES}
        self.presence = Presence(self.wake, house.settings.grace_s)
        self.lock = asyncio.Lock()
        self.listeners: set[asyncio.Event] = set()
        self.used_at = house.loop_time()
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: asyncio.Task[None] | None = None

    # ------------------------------------------------------------------ looking

    def eyes(self, guest: str | None, wanted: str) -> Viewer:
        """Through whose eyes this guest may look; a guest with both seats must say which."""
        yours = self.row.seats_of(guest)
        if wanted == "":
            if len(yours) > 1:
                raise No("name-a-seat", "Both seats are yours; say which one looks, south or north.")
            return yours[0] if yours else "watcher"
        if wanted == "watcher":
            return "watcher"
        if wanted == "truth":
            self.require_open()
            return "truth"
        for side in SIDES:
            if wanted == side:
                if side not in yours and not (self.match is not None and self.match.is_open):
                    raise No("not-your-seat", f"{side.capitalize()}'s seat is not yours; you can watch.")
                return side
        raise No("unknown-seat", "Nobody is called so; look as south, north, watcher or truth.")

    def require_open(self) -> Match:
        """The match, if everything about it may be shown to everybody; otherwise a refusal."""
        match = self.begun()
        try:
            match.require_open()
        except Refusal as refusal:
            raise No.of(refusal) from None
        return match

    def seat(self, guest: str | None, wanted: Side | None) -> Side:
        """The seat this guest acts for."""
        yours = self.row.seats_of(guest)
        if not yours:
            raise No("not-your-seat", "You have no seat in this match; you can watch.")
        if wanted is None:
            if len(yours) > 1:
                raise No("name-a-seat", "Both seats are yours; say for which one, south or north.")
            return yours[0]
        if wanted not in yours:
            raise No("not-your-seat", f"{wanted.capitalize()}'s seat is not yours.")
        return wanted

    async def settled(self) -> Room:
        """Wait until nothing is on its way to the strongbox: what is not stored is not told.

        Whatever reads the match afterwards without waiting again reads what is stored.
        """
        while self.lock.locked():
            async with self.lock:
                pass
        return self

    def state(self, guest: str | None, viewer: Viewer, since: int) -> State:
        """What a viewer is sent now."""
        now = self.house.now_ms()
        if self.match is None:
            return waiting_state(self.row, self.game, self.options, guest, now)
        try:
            return state_for(self.row, self.match, viewer, guest, since, self._beside(), now)
        except Refusal as refusal:
            raise No.of(refusal) from None

    def _beside(self) -> Beside:
        is_shared = self.row.opponent == "hot-seat"
        here = frozenset(
            side
            for side in SIDES
            if is_shared or self.row.level(side) or self.presence.is_here(self.row.guest(side))
        )
        return Beside(self.chat, self.notes, here)

    def number(self, viewer: Viewer) -> int:
        """The number this viewer goes by."""
        return number_for(self.match, viewer) if self.match else 0

    def wake(self) -> None:
        """Something has happened: everybody who listens looks again."""
        self.used_at = self.house.loop_time()
        for listener in self.listeners:
            listener.set()

    # ------------------------------------------------------------------ doing

    def begun(self) -> Match:
        """The match, once both players are there."""
        if self.match is None:
            raise No("not-started", "The game has not started: the second player is still to come.")
        return self.match

    async def do(self, deed: Callable[[Match, int], object]) -> None:
        """Let the referee do something, store what the log has gained, and tell everybody."""
        async with self.lock:
            await self._do(deed)
        self.look_ahead()

    async def _do(self, deed: Callable[[Match, int], object]) -> None:
        match = self.begun()
        before = match.number
        refusal: Refusal | None = None
        try:
            deed(match, self.house.now_ms())
        except Refusal as said:
            refusal = said
        if match.number > before:
            await self._store(match, before)
        if refusal is not None:
            raise No.of(refusal)

    async def _store(self, match: Match, before: int) -> None:
        result = match.result
        row = msgspec.structs.replace(
            self.row,
            status="over" if match.is_over else "running",
            falls_at_ms=match.clocks.falls_at_ms,
            winner=result.winner if result else "",
            reason=result.reason if result else "",
        )
        try:
            await asyncio.shield(self._stored(row, match, before))
        except NotStoredError as error:
            raise No("not-stored", "This could not be stored, so it has not happened; try again.") from error

    async def _stored(self, row: MatchRow, match: Match, before: int) -> None:
        try:
            await self.house.strongbox.append(row, match.log[before:])
        except BaseException:
            self.match = await self.house.rebuilt(self.row.id)
            self.wake()
            raise
        self.row = row
        self.wake()

    async def note(self, row: MatchRow) -> None:
        """Store what has changed besides the log."""
        try:
            await self.house.strongbox.note(row)
        except NotStoredError as error:
            raise No("not-stored", "This could not be stored, so it has not happened; try again.") from error
        self.row = row
        self.wake()

    # ------------------------------------------------------------------ what happens by itself

    def look_ahead(self) -> None:
        """Set the timer of the running clock, and let a computer player think if it is its turn."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        match = self.match
        if match is None or match.is_over or self.house.is_closing:
            return
        falls_at = match.clocks.falls_at_ms
        if falls_at is not None:
            wait_s = min(max(falls_at - self.house.now_ms(), 0) / 1000 + 0.005, LONGEST_TIMER_S)
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._ring)
        if self.row.computers() and (self._thinking is None or self._thinking.done()):
            self._thinking = self.house.start(self._let_computers_act())

    def _ring(self) -> None:
        self.house.start(self._check_time())

    async def _check_time(self) -> None:
        try:
            await self.do(lambda match, now: match.check_time(now))
        except No as refusal:
            logger.warning("the clock could not be stored", code=refusal.code)
            await asyncio.sleep(1)
            self.look_ahead()

    async def _let_computers_act(self) -> None:
        """Until it is a person's turn: what the computer players have to do, one thing after the other."""
        while True:
            match = self.match
            if match is None or match.is_over or self.house.is_closing:
                return
            number = match.number
            try:
                deed = await self._computers_deed(match)
                if deed is None:
                    return
                async with self.lock:
                    if self.match is match and match.number == number:
                        await self._do(deed)
            except No as refusal:
                logger.warning("a computer player was refused", match=self.row.id, code=refusal.code)
                await asyncio.sleep(1)
            except ThinkingError:
                logger.error("no worker answers", match=self.row.id)
                await asyncio.sleep(5)
            self._timer_only()

    def _timer_only(self) -> None:
        """The clock of the other side may run now."""
        thinking, self._thinking = self._thinking, asyncio.current_task()
        self.look_ahead()
        self._thinking = thinking

    async def _computers_deed(self, match: Match) -> Callable[[Match, int], object] | None:
        """What a computer player wants to do now; None if none is asked."""
        for side in self.row.computers():
            if (deed := await self._deed_of(match, side)) is not None:
                return deed
        return None

    async def _deed_of(self, match: Match, side: Side) -> Callable[[Match, int], object] | None:
        if match.phase == "setup" and side not in match.sealed:
            code = await self.house.workers.setup(self._job(match, side))
            return lambda match, now: match.seal(side, code, now, self.house.salt())
        if match.offer not in (None, side):
            return lambda match, now: match.answer_draw(side, False, now)
        if match.to_move == side:
            view = msgspec.json.encode(match.view(side, forgets=False))
            story = msgspec.json.encode(match.story(side))
            begun_at = self.house.loop_time()
            action = Action.unpack(await self.house.workers.action(self._job(match, side, view, story)))
            wait_s = pace_ms(self.row.level(side)) / 1000 - (self.house.loop_time() - begun_at)
            await asyncio.sleep(max(0.0, wait_s))
            return lambda match, now: match.act(side, None, action, now)
        return None

    def _job(self, match: Match, side: Side, view: bytes = b"", story: bytes = b"[]") -> Job:
        return Job(
            game=self.row.game,
            options=self.row.options,
            player=self.row.level(side),
            seed=f"{self.row.seed}:{side}:{match.number}",
            view=view,
            side=SIDES.index(side),
            story=story,
        )

    # ------------------------------------------------------------------ leaving

    def is_idle(self, since: float) -> bool:
        """Whether nobody needs it in memory."""
        is_thinking = self._thinking is not None and not self._thinking.done()
        return (
            not self.listeners
            and not self.lock.locked()
            and self._timer is None
            and not is_thinking
            and self.used_at < since
        )

    def close(self) -> None:
        """Nothing happens by itself any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.presence.close()
        self.wake()
