"""Deal a hidden army anew, so that a recorded game can be continued from one side's knowledge.

::

    record, turn, side ─► Belief of that side ─► another setup of the enemy ─► replay
                                ▲                                               │
                                └── another sample ◄── not legal, or seen otherwise

A new army is a whole starting setup under which the same turns are legal and the side has seen exactly the
same events. So nothing that the side knew is different, and nothing else is known to fit the truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from flagfall.edition import Game, resolve
from flagfall.engine.action import Action
from flagfall.errors import FlagfallError
from flagfall.match.play import GameRunner
from flagfall.notation import Record, record_actions
from flagfall.players.belief import Belief
from flagfall.setups import Setup, SetupError, read_setup, write_setup
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenEvent

SAMPLES = 24
"""armies that are drawn at once"""
MAX_SAMPLES = 240
"""armies that are tried at most"""
MAX_REPLAYED = 30_000
"""turns that are replayed at most to try armies"""


class NoFittingArmyError(FlagfallError):
    """No army was found that fits everything a side has seen."""

    code = "no-fitting-army"


def moment_of(record: Record, turn: int) -> Record:
    """Return the record as it was after so many turns, without a result."""
    if not 0 <= turn <= len(record.turns):
        raise ValueError(f"The game has {len(record.turns)} turns; choose a number from 0 to that")
    return replace(record, turns=record.turns[:turn], result=None)


def redealt(record: Record, game: Game, side: Side, rng: Random, max_samples: int = MAX_SAMPLES) -> Record:
    """Return the record with an enemy army drawn from what ``side`` could believe at its end.

    Raises `NoFittingArmyError` if no drawn army fits what the side has seen.
    """
    setups = [read_setup(game, place, text) for place, text in zip(SIDES, record.setups, strict=True)]
    turns = record_actions(game, record)
    runner = GameRunner(game, resolve(game, record.options), setups)
    for action in _flat(turns):
        runner.play(action)
    enemy, replayed = int(side.other), 0
    for kinds in _drawn_armies(runner, side, rng, max_samples):
        try:
            other = Setup(game, side.other, kinds)
        except SetupError:
            continue
        setups[enemy] = other
        tried = GameRunner(game, runner.options, setups)
        if _looks_the_same(tried, turns, side, runner.history(side)):
            south, north = map(write_setup, setups)
            return replace(record, setups=(south, north))
        replayed += tried.turns
        if replayed > MAX_REPLAYED:
            break
    raise NoFittingArmyError(
        f"No army was found that fits what {side.title} had seen; play on with the true armies instead"
    )


def _drawn_armies(runner: GameRunner, side: Side, rng: Random, max_samples: int) -> Iterator[dict[int, int]]:
    """Yield setups of the enemy (cell → kind), each once, as the side believes in them."""
    belief = Belief(runner.game, runner.options, side)
    belief.update(runner.view(side), runner.history(side))
    hidden = belief.hidden
    cells = [row.start_cell for row in hidden.rows]
    tried: set[tuple[int, ...]] = set()
    for _ in range(0, max_samples, SAMPLES):
        for drawn in belief.sample_setups(SAMPLES, rng.getrandbits(32)):
            kinds = tuple(int(kind) for kind in drawn)
            if kinds not in tried:
                tried.add(kinds)
                yield dict(hidden.shown) | dict(zip(cells, kinds, strict=True))


def _looks_the_same(
    other: GameRunner, turns: Sequence[Sequence[Action]], side: Side, history: Sequence[SeenEvent]
) -> bool:
    """Return whether the turns are legal in another game, and the side sees the same of them."""
    if other.history(side) != history[: len(other.history(side))]:
        return False
    for action in _flat(turns):
        if other.is_over or (other.mover != side and not other.referee.is_legal(action)):
            return False
        known = len(other.history(side))
        other.play(action)
        seen = other.history(side)
        if seen[known:] != history[known : len(seen)]:
            return False
    return len(other.history(side)) == len(history)


def _flat(turns: Sequence[Sequence[Action]]) -> Iterator[Action]:
    for turn in turns:
        yield from turn
