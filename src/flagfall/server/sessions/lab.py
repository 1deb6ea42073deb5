"""The setup lab: many quick games with one setup, and where players place their pieces."""

from __future__ import annotations

import asyncio
import time
from typing import Literal, Self

import msgspec
from msgspec import Struct

from flagfall.arena.tally import wilson
from flagfall.edition import Game, load_game
from flagfall.edition.versions import text_of_game
from flagfall.languages import say
from flagfall.server.errors import RequestError
from flagfall.server.sessions.games import stored_game
from flagfall.server.sessions.runs import BackgroundRun, RunState
from flagfall.server.store.match_store import MatchStore
from flagfall.server.store.run_store import RunRow
from flagfall.server.workers import Job, JobDroppedError, QueueFullError, ThinkingError, Ticket, Workers
from flagfall.server.workers.lab import GENERATED_SETUPS, PLAYER, Counts, QuickGame, count_placements
from flagfall.setups import Setup, SetupError, read_setup, turned, write_setup
from flagfall.sides import SIDES, Side

MIN_PEOPLE_SETUPS, MIN_PEOPLE = 20, 5
"""setups, and different guests, below which people's placements are not shown"""
MAX_PEOPLE_SETUPS = 600
PEOPLE_CACHED_S = 3600.0
GameResult = Literal[-1, 0, 1]


class SetupFacts(Struct, frozen=True):
    """What a run of the lab plays, as it is stored."""

    game: str
    side: Side
    code: str
    text: str
    """of the box, if it is the box of a guest"""


class Run(BackgroundRun):
    """Quick games with one setup of a guest."""

    sort = "lab"

    def __init__(self, guest: str, setup: Setup, games: int, seed: str) -> None:
        super().__init__(guest, games, seed)
        self.setup = setup
        self.results: list[GameResult] = []
        """of each game played: 1 won, 0 drawn, -1 lost"""
        codes = {setup.side: write_setup(setup)}
        if (other := turned(setup)) is not None:
            codes[other.side] = write_setup(other)
        self.codes = codes
        """the setup for each side that can use it; games alternate between them"""

    @property
    def played(self) -> int:
        """How many games have been played."""
        return len(self.results)

    def facts(self) -> bytes:
        """Return the setup, as JSON."""
        game, side = self.setup.game.id, self.setup.side
        return msgspec.json.encode(SetupFacts(game, side, self.codes[side], text_of_game(game)))

    def stored_results(self) -> bytes:
        """Return the results so far, as JSON."""
        return msgspec.json.encode(self.results)

    @classmethod
    async def restored(cls, row: RunRow) -> Self:
        """Return a stored run."""
        facts = msgspec.json.decode(row.facts, type=SetupFacts)
        game = await stored_game(facts.game, facts.text)
        run = cls(row.guest, read_setup(game, facts.side, facts.code), row.games, row.seed)
        run.results = msgspec.json.decode(row.results, type=list[GameResult])
        run.state = msgspec.convert(row.state, RunState)
        return run

    @property
    def counts(self) -> tuple[int, int, int]:
        """Games won, drawn and lost."""
        return self.results.count(1), self.results.count(0), self.results.count(-1)

    def share(self, games: int | None = None) -> tuple[float, float, float]:
        """Return the share of games won among the first ones, with its 95 % interval."""
        results = self.results[:games]
        won = results.count(1)
        return (won / len(results) if results else 0.0, *wilson(won, len(results)))

    def job(self, number: int) -> Job:
        """Return the job for one game."""
        sides = sorted(self.codes, key=int)
        side = sides[number % len(sides)]
        return Job(
            game=self.setup.game.id,
            options={},
            player=PLAYER,
            seed=f"{self.seed}/{number}",
            side=int(side),
            setup=self.codes[side],
            time_ms=None,
            coach="quick-game",
        )

    def add(self, answer: bytes) -> None:
        """Add how a game ended."""
        self.results.append(msgspec.json.decode(answer, type=QuickGame).result)


class Lab:
    """The counted placements of each game."""

    def __init__(self, workers: Workers, store: MatchStore) -> None:
        self._workers, self._store = workers, store
        self._generated: dict[tuple[str, Side], Counts] = {}
        self._people: dict[tuple[str, Side], tuple[float, int, Counts]] = {}
        self._counting = asyncio.Lock()

    # ------------------------------------------------------------------ placements

    async def generated_placements(self, game: Game, side: Side, guest: str) -> tuple[int, Counts]:
        """Return the number of generated setups and where each kind stands in them."""
        key = (game.id, side)
        async with self._counting:
            if key not in self._generated:
                job = Job(
                    game=game.id,
                    options={},
                    player=PLAYER,
                    seed=f"placements/{game.id}/{side}",
                    side=int(side),
                    time_ms=None,
                    coach="placements",
                )
                try:
                    async with self._workers.background(Ticket(guest)) as lease:
                        answer = await lease.advice(job)
                except (JobDroppedError, QueueFullError, ThinkingError):
                    raise RequestError("too-busy", say("lab.run.busy")) from None
                self._generated[key] = msgspec.json.decode(answer, type=Counts)
        return GENERATED_SETUPS, self._generated[key]

    async def people_placements(self, game: Game, side: Side) -> tuple[int, Counts] | None:
        """Return the same for people's finished games, or None while there are too few.

        The counts are made anew once an hour, so that one more game does not show.
        """
        key, now = (game.id, side), time.monotonic()
        cached = self._people.get(key)
        if cached is None or now - cached[0] > PEOPLE_CACHED_S:
            stored = await self._store.finished_setups(game.id, side, MAX_PEOPLE_SETUPS)
            cached = (now, *await asyncio.to_thread(_count_people, game.id, side, stored))
            self._people[key] = cached
        return cached[1:] if cached[1] else None


def _count_people(game_id: str, side: Side, stored: list[tuple[str, str]]) -> tuple[int, Counts]:
    """Return how many setups were counted and where each kind stands; nothing while there are too few."""
    game, setups, guests = load_game(game_id, allow_files=False), list[Setup](), set[str]()
    for guest, code in stored:
        try:
            setups.append(read_setup(game, SIDES[side], code))
        except SetupError:
            continue
        guests.add(guest)
    if len(setups) < MIN_PEOPLE_SETUPS or len(guests) < MIN_PEOPLE:
        return 0, {}
    return len(setups), count_placements(game, setups)
