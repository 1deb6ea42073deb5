"""Reviews of finished games: analysed turn by turn by one worker with low priority, and stored.

One review runs at a time, the others wait. It goes on as long as one of the guests who want it asks how far
it is. What is done is stored, and the next one who starts it continues there.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

import msgspec
import structlog

from flagfall.analysis.analyst import Belief
from flagfall.analysis.findings import Findings, Reader, beliefs_at, findings
from flagfall.analysis.retelling import retold
from flagfall.analysis.review import DEFAULT_BUDGET, Analysis, Step
from flagfall.edition import resolve
from flagfall.languages import current_language, say
from flagfall.notation import to_json
from flagfall.players import Budget
from flagfall.server.errors import RequestError
from flagfall.server.sessions.presenter import ReplayedGame
from flagfall.server.store.database import StoreError
from flagfall.server.workers import ReviewJob, ThinkingError
from flagfall.sides import Side

if TYPE_CHECKING:
    from flagfall.server.sessions.registry import MatchRegistry

VERSION = 4
"""of what an analyst finds; reviews of another version are worked out again"""
LEVEL = "marshal"
INTERPRETED_NODES = 1_500
"""per turn where kernels are not compiled"""
MAX_TURNS = 2_000
"""longer games are not reviewed"""
MAX_WAITING = 20
MAX_KEPT = 2_000
"""matches whose reviews are stored"""
MAX_CACHED = 16
CHUNK = 10
"""turns that are stored together"""
WANTED_S = 60.0
"""how long a review goes on after the last question about it"""

Status = Literal["none", "waiting", "running", "stopped", "failed", "done"]
logger = structlog.get_logger("flagfall.reviews")


@dataclass(frozen=True)
class Progress:
    """How far a review is."""

    status: Status
    done: int
    turns: int
    ahead: int = 0
    """reviews that are worked out before it"""


@dataclass
class _Review:
    """A review that is being worked out or waits for it."""

    match: str
    analyst: str
    record: str
    turns: int
    done: int
    nodes: int
    game: str
    wanted: dict[str, float] = field(default_factory=dict)
    """by guest: when it last asked"""
    unsaved: list[bytes] = field(default_factory=list)


class Reviews:
    """The reviews of this server."""

    def __init__(self, registry: MatchRegistry) -> None:
        self._registry = registry
        self._queue: OrderedDict[str, _Review] = OrderedDict()
        """by match; the first one is being worked out"""
        self._working: asyncio.Task[None] | None = None
        self._failed: OrderedDict[str, None] = OrderedDict()
        self._cache: OrderedDict[str, Analysis] = OrderedDict()
        """whole reviews, by match, analyst and language"""

    async def start(self, match: str, replay: ReplayedGame, guest: str) -> None:
        """Have a game reviewed for a guest, from the turn on at which an earlier review stopped.

        A guest waits for one review at a time: the newest.
        """
        if not replay.turns:
            raise RequestError("too-short", say("server.review.too-short"))
        if replay.turns > MAX_TURNS:
            raise RequestError("too-long", say("server.review.too-long", limit=str(MAX_TURNS)))
        record, analyst = await asyncio.to_thread(self._analyst, replay)
        done = await self._registry.store.review_length(match, analyst)
        if done >= replay.turns:
            return
        for other in self._queue.values():
            other.wanted.pop(guest, None)
        self._drop_unwanted()
        if (review := self._queue.get(match)) is None:
            if len(self._queue) >= MAX_WAITING:
                raise RequestError("too-busy", say("server.review.busy"))
            review = _Review(match, analyst, record, replay.turns, done, self._nodes, replay.record.game)
            self._queue[match] = review
            self._failed.pop(match, None)
        review.wanted[guest] = self._registry.loop_time()
        if self._working is None or self._working.done():
            self._working = self._registry.start(self._work())

    def stop(self, match: str, guest: str) -> None:
        """Note that a guest does not want a review any more; it ends when nobody does."""
        if (review := self._queue.get(match)) is not None:
            review.wanted.pop(guest, None)

    async def progress(self, match: str, replay: ReplayedGame, guest: str | None) -> Progress:
        """Return how far a review is; a guest who wants it still wants it."""
        if (review := self._queue.get(match)) is not None:
            if guest in review.wanted:
                review.wanted[guest] = self._registry.loop_time()
            ahead = list(self._queue).index(match)
            return Progress("waiting" if ahead else "running", review.done, review.turns, ahead)
        _, analyst = await asyncio.to_thread(self._analyst, replay)
        done = await self._registry.store.review_length(match, analyst)
        if replay.turns and done >= replay.turns:
            return Progress("done", done, replay.turns)
        status: Status = "failed" if match in self._failed else "stopped" if done else "none"
        return Progress(status, done, replay.turns)

    async def findings(self, match: str, replay: ReplayedGame, viewer: Reader) -> Findings:
        """Return what a whole review has found, as far as a viewer may see it."""
        analysis = await self._whole(match, replay)
        return await asyncio.to_thread(findings, analysis, viewer)

    async def beliefs(
        self, match: str, replay: ReplayedGame, turn: int, viewer: Reader
    ) -> Mapping[Side, Mapping[str, Belief]]:
        """Return what the sides believed of hidden pieces after so many turns."""
        return beliefs_at((await self._whole(match, replay)).steps, turn, viewer)

    async def _whole(self, match: str, replay: ReplayedGame) -> Analysis:
        _, analyst = await asyncio.to_thread(self._analyst, replay)
        key = f"{match} {analyst} {current_language()}"
        if (analysis := self._cache.get(key)) is None:
            text = await self._registry.store.review_steps(match, analyst)
            try:
                steps = await asyncio.to_thread(msgspec.json.decode, text, type=list[Step])
            except msgspec.DecodeError:
                steps = []
            if len(steps) < replay.turns:
                if await self._registry.store.review_length(match, analyst) >= replay.turns:
                    await self._registry.store.forget_review(match)  # a row cannot be read
                raise RequestError("not-reviewed", say("server.review.not-yet"))
            options = resolve(replay.game, replay.record.options)
            analysis = Analysis(
                replay.game, options, replay.record, LEVEL, Budget(nodes=self._nodes), steps=steps
            )
            analysis = await asyncio.to_thread(retold, analysis)
            self._cache[key] = analysis
            if len(self._cache) > MAX_CACHED:
                self._cache.popitem(last=False)
        return analysis

    @property
    def _nodes(self) -> int:
        nodes = DEFAULT_BUDGET.nodes if self._registry.workers.reviews_compiled else INTERPRETED_NODES
        assert nodes is not None
        return nodes

    def _analyst(self, replay: ReplayedGame) -> tuple[str, str]:
        """Return the record as JSON, and who analyses it: version, nodes and a hash of the record."""
        record = to_json(replay.record)
        return record, f"{VERSION}/{LEVEL}/{self._nodes}/{sha256(record.encode()).hexdigest()[:12]}"

    # ------------------------------------------------------------------ the work

    async def _work(self) -> None:
        """Work out one review after the other."""
        while self._queue and not self._registry.is_closing:
            review = next(iter(self._queue.values()))
            try:
                await self._analyse(review)
            except (ThinkingError, StoreError) as error:
                if not self._registry.is_closing:
                    logger.warning("a review failed", match=review.match, kind=type(error).__name__)
                    self._failed[review.match] = None
                    if len(self._failed) > MAX_KEPT:
                        self._failed.popitem(last=False)
            finally:
                del self._queue[review.match]
                self._registry.workers.end_review()

    async def _analyse(self, review: _Review) -> None:
        try:
            while review.done < review.turns and self._is_wanted(review):
                job = ReviewJob(
                    review.match, review.record, review.done, LEVEL, review.nodes, game=review.game
                )
                review.unsaved.append(await self._registry.workers.review(job))
                review.done += 1
                if len(review.unsaved) >= CHUNK:
                    await self._save(review)
        except BaseException:
            with suppress(StoreError):
                await self._save(review)
            raise
        await self._save(review)

    async def _save(self, review: _Review) -> None:
        steps, review.unsaved = review.unsaved, []
        if steps:
            first, now = review.done - len(steps), self._registry.now_ms()
            store = self._registry.store
            await store.add_review_steps(review.match, review.analyst, first, steps, now, MAX_KEPT)

    def _is_wanted(self, review: _Review) -> bool:
        since = self._registry.loop_time() - WANTED_S
        return any(asked >= since for asked in review.wanted.values())

    def _drop_unwanted(self) -> None:
        """Drop reviews that wait and that nobody wants; the running one ends by itself."""
        for match, review in list(self._queue.items())[1:]:
            if not self._is_wanted(review):
                del self._queue[match]
