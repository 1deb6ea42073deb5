"""Forced wins from a side's own knowledge: every army that fits is looked at, and a sure win wins in each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest

from flagfall.analysis.blind_proof import BlindProver, TooManyArmiesError, fitting_games
from flagfall.analysis.proof import Prover, WholeTurn
from flagfall.analysis.redeal import moment_of
from flagfall.match.play import GameRunner
from flagfall.setups import Setup, write_setup
from tests.laws.test_redeal import random_game, replayed

GAME = "mini/3x4"
DEPTH = 2


def positions(number: int) -> Iterator[GameRunner]:
    """Moments of random games, up to four turns before their end."""
    for seed in range(number):
        record = random_game(GAME, seed)
        for turn in range(max(2, len(record.turns) - 3), len(record.turns) + 1):
            running = replayed(moment_of(record, turn))
            if not running.is_over:
                yield running


def test_all_armies_that_fit_what_a_side_has_seen_are_found() -> None:
    numbers = set()
    for running in positions(8):
        side = running.mover
        armies = running.setups[side.other].kinds
        found = {write_setup(game.setups[side.other]) for game in fitting_games(running, side)}
        fitting = set()
        for kinds in permutations(armies.values()):
            setup = Setup(running.game, side.other, dict(zip(armies, kinds, strict=True)))
            setups = running.setups.replaced(side.other, setup)
            other = GameRunner(running.game, running.options, setups)
            for turn in running.referee.turns:
                for action in turn.actions:
                    if not other.is_over and other.referee.is_legal(action):
                        other.play(action)
            if other.turns == running.turns and other.history(side) == running.history(side):
                fitting.add(write_setup(setup))
        assert found == fitting
        numbers.add(len(found))
    assert len(numbers) > 2


def test_a_sure_win_wins_against_every_army_that_fits() -> None:
    sure = needs_luck = 0
    for running in positions(60):
        side = running.mover
        games = fitting_games(running, side)
        turns = BlindProver(side).winning_turns(games, DEPTH)
        sure += len(games) > 1 and bool(turns)
        for game in games:
            prover = Prover(game.referee, int(side))
            assert game.view(side) == running.view(side)
            winning = {turn.actions for turn in prover.turns(game.state) if _wins(prover, turn)}
            assert {(action.pack(),) for action in turns} <= winning
            needs_luck += bool(winning) and not turns
    assert sure > 3
    assert needs_luck > 3, "a win in the true game is not always sure"


def _wins(prover: Prover, turn: WholeTurn) -> bool:
    return prover.has_won(turn.after) or prover.forces(turn, DEPTH - 1)


def test_a_position_with_too_many_armies_is_refused() -> None:
    running = replayed(moment_of(random_game("onyx/classic", 1), 2))
    with pytest.raises(TooManyArmiesError):
        fitting_games(running, running.mover)


def test_the_true_game_comes_first_and_replies_are_its_own() -> None:
    rng = Random(1)
    for running in positions(6):
        side = running.mover
        games = fitting_games(running, side)
        assert games[0].setups == running.setups
        action = rng.choice(running.view(side).legal)
        for group in BlindProver(side).followed(games, action) or ():
            views = [game.view(side) for game in group.games]
            assert all(view == views[0] for view in views), "the side cannot tell these games apart"
            assert (group.games[0].setups == running.setups) == (group.reply is not None)
