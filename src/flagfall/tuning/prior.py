"""Fit the setup types to setups that people made, and check them on held-out setups.

A *type* says for every home square how often each kind stands there, squares being independent within a type;
many types together express what belongs together (bombs around a flag, a spy next to a general). Every type
has a mirror image of the same weight. They are fitted by expectation-maximisation.

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

Reals = NDArray[np.float64]
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
    held_out = np.array([_is_held_out(line) for line in lines], dtype=bool)
    return Collection(found[~held_out], found[held_out])


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


@dataclass(frozen=True, eq=False)
class Stage:
    """A stage of a fit, from which it can resume."""

    fits: tuple[float, ...]
    """nats per piece before each completed round"""
    share: Reals
    table: Reals
    """``[type, square and kind]``"""


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


def fit_types(
    setups: NDArray[np.int8],
    mirror: NDArray[np.int64],
    kinds: int,
    types: int,
    rounds: int,
    seed: int,
    report: Report,
    prior_strength: float = 10.0,
    begin: Stage | None = None,
    checkpoint: Callable[[Stage], None] = lambda stage: None,
) -> tuple[Reals, Reals]:
    """Return shares ``[type]`` and tables ``[type, square, kind]`` for setups ``[setup, square]`` → kind.

    ``prior_strength``: weight of the average setup in every type, in setups. ``checkpoint`` is called with
    the stage after every round; ``begin`` resumes from a stage.
    """
    rng = np.random.default_rng(seed)
    seen = _spread(setups, kinds)
    turned = _spread(setups[:, mirror], kinds)
    average = (seen.mean(axis=0) + turned.mean(axis=0)) / 2
    first = seen[rng.choice(len(seen), size=types, replace=False)]
    table, share = (0.3 * first + 0.7 * average).astype(np.float64), np.full(types, 1.0 / types)
    fits = begin.fits if begin else ()
    if begin:
        share, table = begin.share, begin.table
    for done in range(len(fits), rounds):
        responsibilities, fit = _responsibilities(seen, table, share, mirror, kinds)
        fits = (*fits, -fit / setups.shape[1])
        report(done, rounds, f"{fits[-1]:.4f} nats per piece on the fitted setups")
        size = responsibilities.sum(axis=0)
        size = size[:types] + size[types:]
        held = responsibilities[:, :types].T @ seen + responsibilities[:, types:].T @ turned
        table = (held + prior_strength * average) / (size[:, None] + prior_strength)
        share = size / size.sum()
        checkpoint(Stage(fits, share, table))
    report(rounds, rounds, "done")
    return share, table.reshape(types, setups.shape[1], kinds)


def _spread(setups: NDArray[np.int8], kinds: int) -> NDArray[np.float32]:
    """Return one number per square and kind: 1 where that kind stands."""
    spread: NDArray[np.float32] = np.eye(kinds, dtype=np.float32)[setups].reshape(len(setups), -1)
    return spread


def _responsibilities(
    seen: NDArray[np.float32], table: Reals, share: Reals, mirror: NDArray[np.int64], kinds: int
) -> tuple[NDArray[np.float32], float]:
    """Return how likely each setup belongs to each type or its mirror, and the mean log-likelihood."""
    types = len(share)
    logs = np.log(np.maximum(table, 1e-6)).reshape(types, -1, kinds)
    both = np.concatenate([logs.reshape(types, -1), logs[:, mirror].reshape(types, -1)])
    responsibilities = seen @ both.T.astype(np.float32)
    responsibilities += np.log(np.maximum(np.concatenate([share, share]) / 2, 1e-12)).astype(np.float32)
    highest = responsibilities.max(axis=1, keepdims=True)
    responsibilities = np.exp(responsibilities - highest)
    total = responsibilities.sum(axis=1, keepdims=True)
    fit = float((np.log(total) + highest).mean())
    return responsibilities / total, fit


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
    held: Reals = np.eye(len(LETTERS))[collection.held_out].mean(axis=0)
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


def _entropy(chances: Reals) -> float:
    some = chances[chances > 0]
    return float(-(some * np.log(some)).sum())


def _losses(
    fitted: FittedTypes,
    counts: NDArray[np.int64],
    setup: NDArray[np.int8],
    hidden: NDArray[np.int64],
    shown: NDArray[np.int64],
) -> Reals:
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
