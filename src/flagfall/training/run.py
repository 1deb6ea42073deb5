"""Run: a learner with a folder, where its checkpoint, log, curves and network are kept.

======================  ================================================================
file                    what
======================  ================================================================
checkpoint.npz          all of the learner, to go on from
log.jsonl               a line for each update and each evaluation
curves.html             the same as a page
network.safetensors     the policy, to play with (`flagfall.rl.network_file`)
======================  ================================================================
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from flagfall.arena.executor import Executor, WorkerError
from flagfall.edition import load_game
from flagfall.files import write_atomically
from flagfall.rl.network import Floats
from flagfall.rl.network_file import NetworkFile, header_for, write_network
from flagfall.training.curves import curves_page
from flagfall.training.elsewhere import HERE
from flagfall.training.evaluation import EvaluatedPolicy, Outcome, evaluated
from flagfall.training.exploit import Exploitability, check_size, exploitability, network_policy
from flagfall.training.learner import Learner
from flagfall.training.recipe import Recipe, TrainingError
from flagfall.training.torch_network import as_arrays

CHECKPOINT, LOG, CURVES, NETWORK = "checkpoint.npz", "log.jsonl", "curves.html", "network.safetensors"


class Line(Struct, frozen=True, omit_defaults=True):
    """A line of the log."""

    update: int
    positions: int
    seconds: float
    """of learning so far, over all parts of the run"""
    losses: dict[str, float] = {}
    results: dict[str, dict[str, int]] = {}
    """of the games that ended during the update, by opponent"""
    outcomes: tuple[Outcome, ...] = ()
    """of an evaluation"""
    exploitability: Exploitability | None = None
    """in games as long as those that it learns from"""
    processor_seconds: float = 0.0
    """of the processor while it learned, evaluations included; on a busy machine that is what counts"""


class Evaluation(Struct, frozen=True):
    """How a run is evaluated while it learns."""

    every_minutes: float = 10.0
    games: int = 100
    opponents: tuple[str, ...] = ("random", "greedy")
    exploit_every: int = 0
    """updates after which exploitability is measured, and at the end; 0 never"""


LONGEST_MEASURED = 12
"""turns; what a best response wins in longer games takes too long to measure while learning"""


Progress = Callable[[Line], None]


class Run:
    """A run in a folder; `go_on` learns."""

    def __init__(self, folder: Path, learner: Learner, lines: list[Line]) -> None:
        self.folder, self.learner, self.lines = folder, learner, lines
        self._seconds, self._processor_seconds = 0.0, 0.0
        if lines:
            self._seconds, self._processor_seconds = lines[-1].seconds, lines[-1].processor_seconds

    @classmethod
    def begin(cls, folder: Path, recipe: Recipe, start: dict[str, Floats] | None = None) -> Run:
        """Begin a run in a folder that has none."""
        if (folder / CHECKPOINT).exists():
            raise TrainingError(f"There is a run in {folder} already; choose another folder.")
        learner = Learner(recipe, start)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / LOG).write_bytes(b"")
        run = cls(folder, learner, [])
        run.save()
        return run

    @classmethod
    def load(cls, folder: Path) -> Run:
        """Return the run of a folder, as its last checkpoint has it; later lines of the log are dropped."""
        if not (folder / CHECKPOINT).exists():
            raise TrainingError(f"There is no run in {folder}.")
        learner = Learner.load(folder / CHECKPOINT)
        lines = [line for line in read_log(folder / LOG) if line.update <= learner.updates]
        run = cls(folder, learner, lines)
        write_atomically(folder / LOG, b"".join(map(_encoded, lines)))
        return run

    def go_on(
        self,
        evaluation: Evaluation,
        executor: Executor = HERE,
        *,
        minutes: float | None = None,
        progress: Progress = lambda line: None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Learn until the planned updates are done, the time is over, or it is told to stop; then save.

        ``executor`` plays evaluations, and the games of a recipe with parts.
        """
        if evaluation.exploit_every:
            check_measurable(self.learner.recipe)
        try:
            self._learn(evaluation, executor, minutes, progress, is_stopped)
        except WorkerError:
            self.save()  # what was learned is not lost with a cluster
            raise
        self.save()

    def _learn(
        self,
        evaluation: Evaluation,
        executor: Executor,
        minutes: float | None,
        progress: Progress,
        is_stopped: Callable[[], bool],
    ) -> None:
        learner, recipe = self.learner, self.learner.recipe
        begun = evaluated = time.monotonic()
        seconds_before, has_time = self._seconds, True
        processor_before = self._processor_seconds - time.process_time() - learner.spent.seconds
        while learner.updates < recipe.updates and has_time and not is_stopped():
            losses = learner.update(executor)
            now = time.monotonic()
            self._seconds = seconds_before + now - begun
            self._processor_seconds = processor_before + time.process_time() + learner.spent.seconds
            results = {name: vars(scores).copy() for name, scores in learner.scores.items()}
            self._add(self._line(losses=_rounded(vars(losses)), results=results), progress)
            has_time = minutes is None or now - begun < 60 * minutes
            is_last = learner.updates >= recipe.updates or not has_time
            if evaluation.games and (is_last or now - evaluated > 60 * evaluation.every_minutes):
                self._add(self._evaluated(evaluation, executor), progress)
                evaluated = time.monotonic()
            every = evaluation.exploit_every
            if every and (is_last or learner.updates % every == 0):
                self._add(self._measured(), progress)
            if learner.updates % recipe.save_every == 0:
                self.save()

    def _evaluated(self, evaluation: Evaluation, executor: Executor) -> Line:
        outcomes = evaluate_learner(self.learner, evaluation.opponents, evaluation.games, executor)
        return self._line(outcomes=tuple(outcomes))

    def _measured(self) -> Line:
        recipe, policy = self.learner.recipe, network_policy(self.network())
        found = exploitability(recipe.game, recipe.options, policy, recipe.max_turns)
        return self._line(exploitability=found)

    def _line(self, **facts: Any) -> Line:
        learner = self.learner
        return Line(
            learner.updates,
            learner.positions,
            round(self._seconds, 2),
            processor_seconds=round(self._processor_seconds, 2),
            **facts,
        )

    def _add(self, line: Line, progress: Progress) -> None:
        self.lines.append(line)
        with (self.folder / LOG).open("ab") as log:
            log.write(_encoded(line))
        progress(line)

    def save(self) -> None:
        """Write checkpoint, curves and network."""
        learner = self.learner
        learner.save(self.folder / CHECKPOINT)
        write_network(self.folder / NETWORK, self.network())
        page = curves_page(learner.recipe, self.lines)
        write_atomically(self.folder / CURVES, page.encode())

    def network(self) -> NetworkFile:
        """Return the present policy as a file that plays."""
        learner = self.learner
        outcomes = next((line.outcomes for line in reversed(self.lines) if line.outcomes), ())
        figures = tuple(outcome.words() for outcome in outcomes)
        measured = next((line.exploitability for line in reversed(self.lines) if line.exploitability), None)
        if measured is not None:
            figures += (measured.words(),)
        trained = (
            f"{learner.updates} updates, {learner.positions} positions, {self._seconds / 60:.0f} minutes, "
            f"{self._processor_seconds / 60:.0f} of the processor"
        )
        header = header_for(learner.layout, learner.shape, trained=trained, figures=figures)
        return NetworkFile(header, as_arrays(learner.best))


def evaluate_learner(
    learner: Learner, opponents: Sequence[str], games: int, executor: Executor = HERE
) -> list[Outcome]:
    """Return the results of a learner's policy, which plays by its chances, against named players."""
    recipe = learner.recipe
    policy = EvaluatedPolicy(
        game=recipe.game,
        options=recipe.options,
        places=recipe.places,
        max_turns=recipe.max_turns,
        layers=recipe.layers,
        weights=as_arrays(learner.best),
        seed=learner.updates,
    )
    return evaluated(policy, opponents, games, executor, learner.spent)


def check_measurable(recipe: Recipe) -> None:
    """Refuse to measure exploitability where that is not possible while learning."""
    check_size(load_game(recipe.game))
    if not recipe.places:
        raise TrainingError("Exploitability is measured of networks that place their pieces: --set places=1.")
    if not 1 <= recipe.max_turns <= LONGEST_MEASURED:
        raise TrainingError(
            f"Exploitability is measured in games of at most {LONGEST_MEASURED} turns while learning, and "
            f"max_turns is {recipe.max_turns}; for 6 turns, say --set max_turns=6."
        )


def read_log(file: Path) -> list[Line]:
    """Return the lines of a log; a last line that was cut off is left out."""
    whole = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
    try:
        return [msgspec.json.decode(line, type=Line) for line in whole]
    except msgspec.MsgspecError as problem:
        raise TrainingError(f"{file} is not the log of a run: {problem}.") from None


def _encoded(line: Line) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def _rounded(numbers: dict[str, float]) -> dict[str, float]:
    return {name: round(float(number), 5) for name, number in numbers.items()}
