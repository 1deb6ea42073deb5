"""The folder of a dataset: its description, its shards, and the games that are not in a full shard yet.

::

    dataset.json          what it is (`description.py`)
    part-00000.parquet …  shards of as many games each; written under another name and then renamed
    played.jsonl          games that were played but whose shard is not full
    .lock                 held by the process that writes

Whatever happens to that process, every shard is complete or not there, and the same command resumes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from flagfall.arena.run_file import complete_lines, drop_incomplete_line
from flagfall.dataset.arrow import DatasetError
from flagfall.dataset.description import FILE, Description, difference, read_description, write_description
from flagfall.dataset.played import PlayedGame
from flagfall.dataset.shards import ShardFacts, shard_facts, shard_file, shard_files
from flagfall.files import locked, write_atomically

PLAYED = "played.jsonl"
LOCK = ".lock"


class DatasetFolder:
    """A folder that this process writes to."""

    def __init__(self, folder: Path, described: Description) -> None:
        self.folder, self.described = folder, described
        self.notes: list[str] = []
        """sentences about shards that are made again"""
        self.shards: dict[int, ShardFacts] = {}
        self.played: dict[int, PlayedGame] = {}
        self._stream: IO[bytes] | None = None

    @contextlib.contextmanager
    def opened(self) -> Iterator[DatasetFolder]:
        """Lock the folder, and find out what is done."""
        others = [file.name for file in self.folder.iterdir()] if self.folder.is_dir() else []
        if others and FILE not in others and set(others) - {LOCK}:
            raise DatasetError(f"{self.folder} is not empty and not a dataset; choose another --out.")
        self.folder.mkdir(parents=True, exist_ok=True)
        with locked(self.folder / LOCK, self._in_use):
            self._begin()
            try:
                yield self
            finally:
                self._close()

    def _in_use(self, process: str) -> DatasetError:
        who = f"process {process}" if process else "another process"
        return DatasetError(f"{self.folder} is being written by {who}; wait for it, or choose another --out.")

    def _begin(self) -> None:
        described = self.described
        if (self.folder / FILE).exists():
            there = read_description(self.folder)
            if differs := difference(there.plan, described.plan):
                raise DatasetError(
                    f"{self.folder} is another dataset: {differs}; repeat its command, or choose another "
                    "--out."
                )
        for part in self.folder.glob(".*.part"):  # of a process that was killed
            part.unlink(missing_ok=True)
        for file in shard_files(self.folder):
            try:
                facts = shard_facts(file, described)
            except DatasetError as error:
                if "damaged" not in str(error):
                    raise
                self.notes.append(f"{file} is damaged and is made again.")
                file.unlink()
                continue
            self.shards[facts.number] = facts
        self._read_played()
        most = max([self._first(number) + facts.games for number, facts in self.shards.items()], default=0)
        most = max([most, *(number + 1 for number in self.played)])
        if most > described.games:
            raise DatasetError(
                f"{self.folder} already has games up to number {most}; give --games {most} or more, or "
                "choose another --out."
            )
        write_description(self.folder, described)

    def _first(self, shard: int) -> int:
        return shard * self.described.plan.games_per_shard

    def numbers(self, shard: int) -> range:
        """Return the numbers of the games of a shard."""
        first = self._first(shard)
        return range(first, min(first + self.described.plan.games_per_shard, self.described.games))

    @property
    def shard_count(self) -> int:
        """How many shards there are when the dataset is complete."""
        return -(-self.described.games // self.described.plan.games_per_shard)

    def is_done(self, shard: int) -> bool:
        """Return whether a shard has all its games."""
        return shard in self.shards and self.shards[shard].games == len(self.numbers(shard))

    def missing_shards(self) -> list[int]:
        """Return the numbers of the shards that are not done."""
        return [shard for shard in range(self.shard_count) if not self.is_done(shard)]

    def missing_games(self) -> Iterator[int]:
        """Yield the numbers of the games that are to be played."""
        for shard in self.missing_shards():
            yield from (number for number in self.numbers(shard) if number not in self.played)

    def games_of(self, shard: int) -> list[PlayedGame] | None:
        """Return the games of a shard in order, or None if some are missing."""
        numbers = self.numbers(shard)
        if all(number in self.played for number in numbers):
            return [self.played[number] for number in numbers]
        return None

    def __len__(self) -> int:
        """Return how many games are done."""
        done = {shard for shard in self.shards if self.is_done(shard)}
        size = self.described.plan.games_per_shard
        waiting = sum(1 for number in self.played if number // size not in done)
        return sum(len(self.numbers(shard)) for shard in done) + waiting

    # ------------------------------------------------------------ writing

    def add_game(self, line: bytes) -> PlayedGame:
        """Keep a game that was played until its shard is full."""
        game = msgspec.json.decode(line, type=PlayedGame)
        file = self.folder / PLAYED
        try:
            if self._stream is None:
                self._stream = file.open("ab")
            self._stream.write(line + b"\n")
            self._stream.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(file)) from None
        self.played[game.number] = game
        return game

    def add_shard(self, number: int, data: bytes, facts: ShardFacts) -> None:
        """Write a shard; games of full shards need not be kept any longer."""
        write_atomically(shard_file(self.folder, number), data)
        self.shards[number] = facts
        size = self.described.plan.games_per_shard
        if facts.games == size and any(game // size == number for game in self.played):
            self.played = {game: kept for game, kept in self.played.items() if game // size != number}
            self._write_played()

    def _write_played(self) -> None:
        self._close()
        file = self.folder / PLAYED
        if self.played:
            lines = (msgspec.json.encode(self.played[number]) + b"\n" for number in sorted(self.played))
            write_atomically(file, b"".join(lines))
        else:
            file.unlink(missing_ok=True)

    def _read_played(self) -> None:
        file = self.folder / PLAYED
        if not file.exists():
            return
        size = self.described.plan.games_per_shard
        for number, line in enumerate(complete_lines(file, "--out"), start=1):
            try:
                game = msgspec.json.decode(line, type=PlayedGame)
            except (msgspec.DecodeError, UnicodeDecodeError):
                self.notes.append(f"{file}, line {number} is damaged; its game is played again.")
                continue
            if self.shards.get(game.number // size, _NONE).games < size:
                self.played[game.number] = game
        drop_incomplete_line(file)

    def _close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None


_NONE = ShardFacts(plan="", number=-1, games=0)
