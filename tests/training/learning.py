"""Learning in short, played by any executor; needs torch."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterable
from typing import Any

from flagfall.arena.executor import Executor
from flagfall.training import games
from flagfall.training.evaluation import Outcome
from flagfall.training.examples import GamesPlan, played_games
from flagfall.training.learner import Learner
from flagfall.training.recipe import Recipe
from flagfall.training.rollouts import Scores
from flagfall.training.run import evaluate_learner
from flagfall.training.torch_network import as_arrays

IN_PARTS = Recipe(
    game="mini/3x3",
    channels=8,
    layers=1,
    updates=6,
    self_games=8,
    pool_games=4,
    player_games=4,
    players=("greedy",),
    dealt=0.5,
    steps=3,
    batch=32,
    magnet_every=2,
    average=0.8,
    max_turns=5,
    save_every=2,
    parts=2,
)


class Strangers(Executor):
    """Plays every task as a process does that has played no other one, and the last task first."""

    def results(self, work: Any, tasks: Iterable[Any], *, in_order: bool = False, chunk: int = 1) -> Any:
        waiting = [pickle.dumps((work, task)) for task in tasks]
        done = [self.played(each) for each in reversed(waiting)]
        return reversed(done) if in_order else iter(done)

    def played(self, packed: bytes) -> Any:
        games._games.cache_clear()
        work, task = pickle.loads(packed)
        return pickle.loads(pickle.dumps(work(task)))

    def close(self) -> None:
        pass


def digest(arrays: dict[str, Any]) -> str:
    found = hashlib.blake2b(digest_size=8)
    for name, array in arrays.items():
        found.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    return found.hexdigest()


def learned(executor: Executor) -> tuple[list[str], list[str], dict[str, Scores], list[Outcome]]:
    """Return digests of examples and of weights, the last results, and an evaluation in two parts."""
    plan = GamesPlan(game="mini/3x3", players=("greedy", "random"), seed=3, max_turns=20)
    examples = [digest(dict(batch)) for batch in played_games(plan, 6, executor)]
    assert len(set(examples)) == 6
    learner = Learner(IN_PARTS)
    weights = []
    for _ in range(5):
        learner.update(executor)
        weights.append(digest(as_arrays(learner.weights)))
    assert len(set(weights)) == 5
    outcomes = evaluate_learner(learner, ["random", "greedy"], 30, executor)
    return examples, weights, learner.scores, outcomes
