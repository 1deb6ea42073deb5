"""Fitting and measuring beliefs: small runs of what the commands do."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random

import numpy as np
import pytest

from flagfall.arena import bench_belief, tune_behaviour, tune_prior
from flagfall.edition import load_game
from flagfall.players.belief import fitted
from flagfall.players.belief.habits import BY_CLASS, BY_RELATION, ONCE
from flagfall.setups import styled_setup

ARMY = "1233444555566667777888889999999" + "9sBBBBBBF"


def quiet(done: int, total: int, what: str) -> None:
    """Nobody watches."""


@pytest.fixture(scope="module")
def setups(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Setups in one style of the house, as a file of letters."""
    game = load_game("onyx/classic")
    kinds = sorted(range(len(game.kinds)), key=lambda kind: _place(kind))
    letters = dict(zip(kinds, tune_prior.LETTERS, strict=True))
    rng, lines = Random(5), []
    for _ in range(150):
        setup = styled_setup(game, 0, "fortress", rng)
        lines.append("".join(letters[setup.kinds[cell]] for cell in game.board.home(0)))
    file = tmp_path_factory.mktemp("setups") / "setups.txt.gz"
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    return file


def _place(kind: int) -> tuple[int, int]:
    """Strongest first, then spy, bomb, flag: the order of the letters."""
    sort = load_game("onyx/classic").kinds[kind]
    last = {"soldier": 0 if sort.rank else 1, "bomb": 2, "flag": 3}[sort.role]
    return last, -sort.rank


def test_a_collection_is_parted_always_in_the_same_way(setups: Path) -> None:
    first, second = tune_prior.read_collection(setups), tune_prior.read_collection(setups)
    assert (first.held_out == second.held_out).all()
    assert len(first.fitted) + len(first.held_out) == 150
    assert "".join(sorted(tune_prior.LETTERS[kind] for kind in first.fitted[0])) == "".join(sorted(ARMY))


def test_fitted_types_beat_counting_on_setups_that_were_held_out(setups: Path) -> None:
    collection = tune_prior.read_collection(setups)
    types = tune_prior.fit(collection, types=2, rounds=5, seed=1, report=quiet)
    again = tune_prior.fit(collection, types=2, rounds=5, seed=1, report=quiet)
    assert types.written() == again.written()
    found = tune_prior.check(fitted.read(types.written()), collection, most=3, report=quiet)
    nats, counting = found["nats"], found["counting"]
    assert isinstance(nats, dict)
    assert isinstance(counting, dict)
    assert all(nats[shown] < counting[shown] - 0.1 for shown in (0, 10, 20))


def test_a_line_that_is_no_setup_is_named(tmp_path: Path) -> None:
    file = tmp_path / "setups.txt"
    file.write_text(f"{ARMY}\n{ARMY[:-1]}1\n", encoding="ascii")
    with pytest.raises(tune_prior.SetupFileError, match="line 2"):
        tune_prior.read_collection(file)


def test_habits_are_fitted_from_games_and_stay_within_their_cap() -> None:
    table, seen = tune_behaviour.fit(["spin-master/duel"], ["greedy"], 1, 2, 3, quiet)
    assert set(table) == set(BY_CLASS + BY_RELATION) == set(seen)
    assert sum(seen.values()) > 0
    values = np.array([value for row in table.values() for value in row.values()])
    assert np.abs(values).max() <= ONCE
    assert (table, seen) == tune_behaviour.fit(["spin-master/duel"], ["greedy"], 1, 2, 3, quiet)


def test_a_bench_compares_beliefs_with_the_truth_and_draws_nothing_impossible() -> None:
    games = [load_game("mini/3x4"), load_game("barrage/classic")]
    figures = bench_belief.measure(games, "greedy", 1, 4, 2, quiet)
    assert set(figures) == {"mini/3x4", "barrage/classic"}
    for found in figures.values():
        assert found["impossible"] == 0
        assert isinstance(found["loss"], dict)
        assert 0 in found["loss"]
