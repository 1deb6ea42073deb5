"""Make a dataset: play its games or read them, and write shard after shard; a stopped run resumes.

Tasks are small and depend on nothing but the plan: to play one game, or to turn the games of one shard into
the bytes of its file. The process that gives them out is the only one that writes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from flagfall.arena.executor import LOCAL, executor_for, say_nothing
from flagfall.dataset.arrow import DatasetError
from flagfall.dataset.description import Description, Plan
from flagfall.dataset.encoding import encode, replayer_of
from flagfall.dataset.folder import DatasetFolder
from flagfall.dataset.planning import contestant_of
from flagfall.dataset.played import PlayedGame, play_one
from flagfall.dataset.records import Found, OtherGameError, found_in
from flagfall.dataset.records import played as recorded
from flagfall.dataset.shards import ShardFacts
from flagfall.engine.warm import warm_up as warm_engine
from flagfall.errors import sentence
from flagfall.players import needs_compiled
from flagfall.players.warm import warm_up as warm_players


class PlayTask(Struct, frozen=True):
    """Play this game."""

    number: int


class PlayedShardTask(Struct, frozen=True):
    """Turn these games into a shard."""

    number: int
    games: tuple[PlayedGame, ...]


class RecordedShardTask(Struct, frozen=True):
    """Read these records and turn them into a shard."""

    number: int
    records: tuple[Found, ...]


class Shard(Struct, frozen=True, kw_only=True):
    """A shard that is ready to be written."""

    facts: ShardFacts
    data: bytes
    problems: tuple[tuple[str, bool], ...] = ()
    """why games were left out: a sentence, and whether it is merely another game"""


Task = PlayTask | PlayedShardTask | RecordedShardTask


def searches(plan: Plan) -> bool:
    """Return whether players of a plan search, so that more is to be compiled."""
    play = plan.self_play
    return play is not None and any(
        needs_compiled(contestant_of(name).name) for name in (play.south, play.north)
    )


class Worker:
    """Works on the tasks of one dataset, in any process."""

    def __init__(self, described: Description) -> None:
        self._described = msgspec.json.encode(described)

    def __call__(self, task: Task) -> Shard | bytes:
        """Return a shard, or a game as a line of JSON."""
        described = msgspec.json.decode(self._described, type=Description)
        if isinstance(task, PlayTask):
            return msgspec.json.encode(play_one(described.plan, task.number))
        if isinstance(task, PlayedShardTask):
            return _shard(described, task.number, list(task.games), len(task.games), [])
        games: list[PlayedGame] = []
        problems: list[tuple[str, bool]] = []
        for found in task.records:
            try:
                games.append(recorded(described.plan, found))
            except DatasetError as error:
                problems.append((f"{found.where}: {sentence(error)}", isinstance(error, OtherGameError)))
        return _shard(described, task.number, games, len(task.records), problems)


def _shard(
    described: Description,
    number: int,
    games: Sequence[PlayedGame],
    count: int,
    problems: Sequence[tuple[str, bool]],
) -> Shard:
    facts = ShardFacts(plan=described.plan.digest(), number=number, games=count, left_out=count - len(games))
    return Shard(facts=facts, data=encode(described, facts, games), problems=tuple(problems))


class Making:
    """A dataset that is being made in an opened folder."""

    def __init__(self, folder: DatasetFolder, files: Sequence[Path] = ()) -> None:
        self.folder, self.described = folder, folder.described
        self._files = files
        self.problems: list[str] = []
        """games that are damaged"""
        self.others = 0
        """games of another kind"""
        self._waiting: list[PlayedShardTask] = []

    def __len__(self) -> int:
        """Return how many games are done."""
        return len(self.folder)

    def run(
        self, jobs: int | None, on: str = LOCAL, note: Callable[[str], None] = say_nothing
    ) -> Generator[int, None, None]:
        """Do what is missing in a place of `executor_for`; yield how many games are done, again and again."""
        shards = self.folder.missing_shards()
        if not shards:
            return
        play = self.described.plan.self_play
        replayer_of(self.described.plan)  # compiles here, and not in every worker at once
        most = len(shards) if play is None else max(len(shards), sum(1 for _ in self.folder.missing_games()))
        worker = Worker(self.described)
        jobs = None if jobs is None else min(jobs, most)
        begin = warm_players if searches(self.described.plan) else warm_engine
        players = () if play is None else (play.south, play.north)
        needs = {"games": [self.described.plan.address], "players": players}
        with executor_for(on, jobs, begin, **needs, note=note) as executor:
            if play is None:
                yield from self._take(executor.results(worker, self._recorded(shards)))
                return
            self._waiting = [task for shard in shards if (task := self._full(shard))]
            yield from self._take(executor.results(worker, self._to_play()))
            yield from self._take(executor.results(worker, list(self._waiting)))

    def _take(self, results: Iterator[Shard | bytes]) -> Iterator[int]:
        for result in results:
            if isinstance(result, Shard):
                self.folder.add_shard(result.facts.number, result.data, result.facts)
                self.problems += [text for text, is_other in result.problems if not is_other]
                self.others += sum(is_other for _, is_other in result.problems)
            else:
                game = self.folder.add_game(result)
                task = self._full(game.number // self.described.plan.games_per_shard)
                if task is not None:
                    self._waiting.append(task)
            yield len(self)

    def _full(self, shard: int) -> PlayedShardTask | None:
        games = self.folder.games_of(shard)
        return None if games is None else PlayedShardTask(shard, tuple(games))

    def _to_play(self) -> Iterator[Task]:
        """Yield the games to play, and each shard as soon as its games are there."""
        for number in list(self.folder.missing_games()):
            while self._waiting:
                yield self._waiting.pop(0)
            yield PlayTask(number)

    def _recorded(self, shards: Sequence[int]) -> Iterator[Task]:
        wanted, size = set(shards), self.described.plan.games_per_shard
        records: list[Found] = []
        for found in found_in(self._files):
            shard = found.number // size
            if shard in wanted:
                records.append(found)
                if found.number == self.folder.numbers(shard)[-1]:
                    yield RecordedShardTask(shard, tuple(records))
                    records = []
