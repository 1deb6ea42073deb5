"""Fit the setup types to setups that people made, and check them on held-out setups.

A file has one setup per line: 40 characters, the back row first; ``1`` the strongest … ``9``, ``s`` spy,
``B`` bomb, ``F`` flag. Nine tenths are fitted, one tenth is held out, by a hash of the line.

With a log, a line is written after every round, and the types so far are stored in a second file (the log's
name and ``.npz``), so that a stopped run resumes.
"""

from __future__ import annotations

import gzip
import hashlib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flagfall.arena.run_file import RunFile, RunFileError
from flagfall.errors import FlagfallError
from flagfall.files import part_file
from flagfall.players.belief.assignments import Assignments
from flagfall.players.belief.setup_types import FittedTypes, likeliest_types, log_posterior, mirror_of
from flagfall.players.roles import ArmyKind, Role
from flagfall.tuning.mixture import Stage, fit_types

Report = Callable[[int, int, str], None]
LETTERS = "123456789sBF"
ROWS, COLUMNS = 4, 10
_PARTS: dict[str, Role] = {"8": "remover", "9": "runner", "s": "spy", "B": "bomb", "F": "flag"}
SHOWN = (0, 10, 20, 30)
"""how many pieces of a held-out setup are revealed before the others are predicted"""


class SetupFileError(FlagfallError):
    """The file does not contain setups as expected; the message names the line."""

    code = "bad-setup-file"


@dataclass(frozen=True)
class Collection:
    """Setups for fitting and for checking: ``[setup, square]`` → letter."""

    fitted: NDArray[np.int8]
    held_out: NDArray[np.int8]

    @property
    def counts(self) -> NDArray[np.int64]:
        """Return the army as counts by letter."""
        some = self.fitted if len(self.fitted) else self.held_out
        return np.bincount(some[0], minlength=len(LETTERS))


def read_collection(path: Path) -> Collection:
    """Read all setups of a file, plain or compressed."""
    packed = path.read_bytes()
    text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode("ascii", errors="replace")
    lines = text.split()
    army = sorted(lines[0]) if lines else []
    for number, line in enumerate(lines, start=1):
        if len(line) != ROWS * COLUMNS or sorted(line) != army or set(line) - set(LETTERS):
            raise SetupFileError(
                f"{path}, line {number}: this is no setup of the same army; expected "
                f"{ROWS * COLUMNS} letters of {LETTERS}"
            )
    found = np.array([[LETTERS.index(letter) for letter in line] for line in lines], dtype=np.int8)
    aside = np.array([_is_held_out(line) for line in lines], dtype=bool)
    return Collection(found[~aside], found[aside])


def _is_held_out(line: str) -> bool:
    return hashlib.blake2b(line.encode(), digest_size=4).digest()[0] % 10 == 0


class PriorPlan(Struct, frozen=True, kw_only=True):
    """Everything that determines a fit, except its length."""

    setups: str
    """a hash of the setups that are fitted"""
    types: int
    seed: int

    @classmethod
    def of(cls, collection: Collection, types: int, seed: int) -> PriorPlan:
        """Return the plan for a collection."""
        digest = hashlib.blake2b(collection.fitted.tobytes(), digest_size=8).hexdigest()
        return cls(setups=digest, types=types, seed=seed)


class PriorRound(Struct, frozen=True, kw_only=True):
    """One line of the log."""

    plan: PriorPlan
    number: int
    nats: float
    """nats per piece on the fitted setups, before this round"""


class Stages:
    """The log of a fit, and the fitted types so far in a second file."""

    def __init__(self, log: RunFile[PriorRound]) -> None:
        self.log = log
        self.file = log.file.with_name(f"{log.file.name}.npz") if log.file else None
        self.last: Stage | None = None
        if self.file and log.lines:
            self.last = self._read(self.file)

    def _read(self, file: Path) -> Stage:
        try:
            with np.load(file, allow_pickle=False) as kept:
                stage = Stage(tuple(map(float, kept["fits"])), kept["share"], kept["table"])
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            stage = None
        if stage is None or len(stage.fits) < len(self.log):
            raise RunFileError(f"{file}: this does not belong to the log; use --restart.")
        self._write_down(stage)
        return stage

    def checkpoint(self, stage: Stage) -> None:
        """Store a stage: first the types, then the log line, so that the log never claims too much."""
        if self.file:
            with part_file(self.file) as part:
                with part.open("wb") as stream:
                    np.savez(stream, fits=np.array(stage.fits), share=stage.share, table=stage.table)
                part.replace(self.file)
        self._write_down(stage)

    def _write_down(self, stage: Stage) -> None:
        plan = self.log.plan
        assert isinstance(plan, PriorPlan)
        for number in range(len(self.log), len(stage.fits)):
            self.log.add(PriorRound(plan=plan, number=number, nats=stage.fits[number]))


def fit(
    collection: Collection, types: int, rounds: int, seed: int, report: Report, stages: Stages | None = None
) -> FittedTypes:
    """Fit the setup types of a collection."""
    stages = stages or Stages(RunFile(PriorRound, PriorPlan.of(collection, types, seed)))
    share, table = fit_types(
        collection.fitted,
        mirror_of(ROWS, COLUMNS),
        len(LETTERS),
        types,
        rounds,
        seed,
        report,
        begin=stages.last,
        checkpoint=stages.checkpoint,
    )
    army = tuple(
        ArmyKind(_PARTS.get(letter, "soldier"), _rank(letter), int(count))
        for letter, count in zip(LETTERS, collection.counts, strict=True)
    )
    return FittedTypes(ROWS, COLUMNS, army, share, table)


def _rank(letter: str) -> int:
    return 11 - int(letter) if letter.isdigit() else 0


def check(fitted: FittedTypes, collection: Collection, max_setups: int, report: Report) -> dict[str, object]:
    """Return nats per hidden piece on held-out setups, by how many pieces were revealed."""
    rng = np.random.default_rng(1)
    setups = collection.held_out[:max_setups]
    sums = {shown: np.zeros(2) for shown in SHOWN}
    for number, setup in enumerate(setups):
        report(number, len(setups), "")
        for shown in SHOWN:
            order = rng.permutation(len(setup))
            sums[shown] += _losses(fitted, collection.counts, setup, np.sort(order[shown:]), order[:shown])
    report(len(setups), len(setups), "done")
    held: NDArray[np.float64] = np.eye(len(LETTERS))[collection.held_out].mean(axis=0)
    ceiling = _entropy(collection.counts / collection.counts.sum()) - float(
        np.mean([_entropy(row) for row in held])
    )
    return {
        "setups": len(setups),
        "nats": {shown: round(float(total[0] / len(setups)), 4) for shown, total in sums.items()},
        "counting": {shown: round(float(total[1] / len(setups)), 4) for shown, total in sums.items()},
        "whole_setup": whole_setup(fitted, collection),
        "most_that_squares_can_tell": round(ceiling, 4),
    }


def _entropy(chances: NDArray[np.float64]) -> float:
    some = chances[chances > 0]
    return float(-(some * np.log(some)).sum())


def _losses(
    fitted: FittedTypes,
    counts: NDArray[np.int64],
    setup: NDArray[np.int8],
    hidden: NDArray[np.int64],
    shown: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the mean negative log-likelihood of the hidden kinds: by the types, and by counting."""
    share, table = fitted.with_mirrors()
    left = counts - np.bincount(setup[shown], minlength=len(counts))
    log_shares = log_posterior(share, table[:, shown, setup[shown]])
    share, weight = likeliest_types(log_shares, table[:, hidden], 11)
    chances = Assignments(weight, left, share).chances()
    true = chances[np.arange(len(hidden)), setup[hidden]]
    plain = (left / left.sum())[setup[hidden]]
    return np.array([-np.log(np.maximum(true, 1e-12)).mean(), -np.log(plain).mean()])


def whole_setup(fitted: FittedTypes, collection: Collection) -> dict[str, float]:
    """Return nats per piece for a whole setup: its negative log-probability by the types and by counting.

    Each type is divided by the sum over all setups of the army, so that it deals the right army.
    """
    share, table = fitted.with_mirrors()
    half = len(share) // 2
    parts = [table[at : min(at + 16, half)] for at in range(0, half, 16)]
    logs = np.concatenate(
        [Assignments(part, collection.counts, np.ones(len(part))).log_sums for part in parts]
    )
    scale = np.concatenate([logs, logs])
    squares = np.arange(table.shape[1])
    logged = np.log(np.maximum(table, 1e-12))
    found = [
        np.logaddexp.reduce(np.log(share) + logged[:, squares, setup].sum(axis=1) - scale)
        for setup in collection.held_out
    ]
    pieces = float(collection.counts.sum())
    ways = Assignments(np.ones((1, int(pieces), len(LETTERS))), collection.counts, np.ones(1)).log_sums[0]
    return {
        "types": round(float(-np.mean(found) / pieces), 4),
        "counting": round(float(ways / pieces), 4),
    }
