"""On small boards, possible kinds are exactly those of some setup that would have looked the same."""

from __future__ import annotations

import pytest

from flagfall.edition import Game, OptionError, load_game, resolve
from flagfall.engine import state as S
from flagfall.view.view import VIEWERS
from tests.laws import MORE
from tests.laws.oracle import Oracle
from tests.laws.seen_game import Case, choose, start_game
from tests.laws.small_games import SMALL

GAMES = (load_game("mini/3x3"), load_game("mini/3x4"), *SMALL)
CHOICES: tuple[dict[str, str], ...] = (
    {},
    {"silent_defense": "on"},
    {"silent_defense": "on", "aggressor_advantage": "on"},
    {"silent_defense": "on", "defender_advances": "on"},
    {"silent_defense": "on", "defender_advances": "off", "rescue": "on"},
    {"silent_defense": "on", "rescue": "on", "rescue_on_strike": "on", "rescue_zone": "half"},
    {"rescue": "on"},
    {"spot_silent_miss": "on", "spot_any_side": "on", "spot_move_then_attack": "on"},
)


def cases() -> list[tuple[Game, dict[str, str]]]:
    """Every small game with every choice it accepts."""
    found = []
    for game in GAMES:
        for choice in CHOICES:
            try:
                resolve(game, choice)
            except OptionError:
                continue
            found.append((game, choice))
    return found


@pytest.mark.parametrize(("game", "choice"), cases())
def test_possible_kinds_are_those_of_some_setup_that_looks_the_same(
    game: Game, choice: dict[str, str]
) -> None:
    options = resolve(game, choice)
    is_tiny = game.army_size(0) <= 3
    for seed in range((24 if game.army_size(0) <= 4 else 8) * MORE):
        for viewer in (0, 1, 2) if is_tiny else (seed % 2,):
            _agrees(Case(game, options, seed), viewer)


def _agrees(case: Case, viewer: int, most: int = 40) -> None:
    seen_game, rng = start_game(case)
    setups = (dict(seen_game.setups[0]), dict(seen_game.setups[1]))
    oracle = Oracle(case.game, seen_game.tables, setups, viewer)
    knowledge = seen_game.observers.knowledge[VIEWERS[viewer]]
    done: list[int] = []
    while not seen_game.state.is_over and len(done) < most:
        done.append(choose(seen_game.legal(), seen_game.state.side, rng))
        seen = seen_game.play(done[-1])[VIEWERS[viewer]]
        oracle.play(done[-1])
        truth = oracle.possible()
        for side in {0, 1} - {viewer}:
            for name in knowledge.armies[side].tokens:
                kinds = knowledge.possible(name)
                if seen_game.state.buffer[S.PENDING] == S.ASK_RESCUE_CELL:
                    kinds &= truth[name]  # who is coming back has been chosen, but nobody has seen it yet
                assert kinds == truth[name], (
                    f"{case}: after {len(done)} actions {VIEWERS[viewer]} thinks {name} may be "
                    f"{knowledge.facts.names(kinds)}, in truth {knowledge.facts.names(truth[name])}; {seen}"
                )
