"""Deal a hidden army anew, so that a recorded game can be continued from one side's knowledge.

::

    record, turn, side ─► Belief of that side ─► another setup of the enemy ─► replay
                                ▲                                               │
                                └── another sample ◄── not legal, or seen otherwise

A new army is a whole starting setup under which the same turns are legal and the side has seen exactly the
same events. So nothing that the side knew is different, and nothing else is known to fit the truth. Secret
choices of the enemy, such as whom it rescued, stay as they were; if they fit no drawn army, a part of one is
taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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

LAST_DRAWN = 3
"""drawn armies that are taken as far as they fit, if none fits as a whole"""


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

    If no drawn army fits what the side has seen, the last ones are taken as far as they fit: the true army
    with some of its kinds exchanged. Raises `NoFittingArmyError` if nothing can be exchanged either.
    """
    setups = [read_setup(game, place, text) for place, text in zip(SIDES, record.setups, strict=True)]
    turns = record_actions(game, record)
    runner = GameRunner(game, resolve(game, record.options), setups)
    for action in _flat(turns):
        runner.play(action)
    enemy, replayed = int(side.other), 0

    def fits(kinds: Mapping[int, int]) -> bool:
        nonlocal replayed
        try:
            other = Setup(game, side.other, kinds)
        except SetupError:
            return False
        armies = [*setups]
        armies[enemy] = other
        tried = GameRunner(game, runner.options, armies)
        is_alike = looks_the_same(tried, turns, side, runner.history(side))
        replayed += tried.turns
        return is_alike

    def with_army(kinds: Mapping[int, int]) -> Record:
        setups[enemy] = Setup(game, side.other, kinds)
        south, north = map(write_setup, setups)
        return replace(record, setups=(south, north))

    last: list[dict[int, int]] = []
    for drawn in _drawn_armies(runner, side, rng, max_samples):
        if fits(drawn):
            return with_army(drawn)
        last = [drawn, *last[: LAST_DRAWN - 1]]
        if replayed > MAX_REPLAYED:
            break
    true, replayed = dict(setups[enemy].kinds), 0
    for drawn in last:
        kinds = true
        for cell in rng.sample(sorted(true), len(true)):
            exchanged = _exchanged(kinds, drawn, cell)
            if exchanged and replayed <= MAX_REPLAYED and fits(exchanged):
                kinds = exchanged
        if kinds != true:
            return with_army(kinds)
    raise NoFittingArmyError(
        f"No army was found that fits what {side.title} had seen; play on with the true armies instead"
    )


def _exchanged(kinds: Mapping[int, int], drawn: Mapping[int, int], cell: int) -> dict[int, int]:
    """Return an army with the drawn kind on a square, exchanged with one where it is too much, if any."""
    if kinds[cell] == drawn[cell]:
        return {}
    other = next(one for one, kind in kinds.items() if kind == drawn[cell] and drawn[one] != kind)
    return {**kinds, cell: kinds[other], other: kinds[cell]}


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


def looks_the_same(
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
