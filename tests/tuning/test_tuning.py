"""Fitting and measuring beliefs: small runs of what the commands do."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bench import belief
from flagfall.arena.executor import LocalExecutor
from flagfall.arena.run_file import RunFile, RunFileError
from flagfall.edition import load_game
from flagfall.players.belief import setup_types
from flagfall.players.belief.behaviour import BY_CLASS, BY_RELATION, MAX_PER_EVENT
from flagfall.players.greedy import GreedyPlayer
from flagfall.setups import Setup, styled_setup
from flagfall.tuning import behaviour, prior

ARMY = "1233444555566667777888889999999" + "9sBBBBBBF"


def quiet(done: int, total: int, what: str) -> None:
    """Nobody watches."""


@pytest.fixture(scope="module")
def setups(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Setups in one built-in style, as a file of letters."""
    game = load_game("onyx/classic")
    kinds = sorted(range(len(game.kinds)), key=lambda kind: _place(kind))
    letters = dict(zip(kinds, prior.LETTERS, strict=True))
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
    first, second = prior.read_collection(setups), prior.read_collection(setups)
    assert (first.held_out == second.held_out).all()
    assert len(first.fitted) + len(first.held_out) == 150
    assert "".join(sorted(prior.LETTERS[kind] for kind in first.fitted[0])) == "".join(sorted(ARMY))


def test_fitted_types_beat_counting_on_setups_that_were_held_out(setups: Path) -> None:
    collection = prior.read_collection(setups)
    types = prior.fit(collection, types=2, rounds=5, seed=1, report=quiet)
    again = prior.fit(collection, types=2, rounds=5, seed=1, report=quiet)
    assert types.to_json() == again.to_json()
    found = prior.check(setup_types.read(types.to_json()), collection, max_setups=3, report=quiet)
    nats, counting = found["nats"], found["counting"]
    assert isinstance(nats, dict)
    assert isinstance(counting, dict)
    assert all(nats[shown] < counting[shown] - 0.1 for shown in (0, 10, 20))


def test_a_line_that_is_no_setup_is_named(tmp_path: Path) -> None:
    file = tmp_path / "setups.txt"
    file.write_text(f"{ARMY}\n{ARMY[:-1]}1\n", encoding="ascii")
    with pytest.raises(prior.SetupFileError, match="line 2"):
        prior.read_collection(file)


def test_a_fit_of_setups_goes_on_from_its_log_as_if_it_had_not_been_stopped(
    setups: Path, tmp_path: Path
) -> None:
    collection = prior.read_collection(setups)
    whole = prior.fit(collection, types=2, rounds=5, seed=1, report=quiet)
    file = tmp_path / "prior.jsonl"

    def go_on(rounds: int) -> setup_types.FittedTypes:
        plan = prior.PriorPlan.of(collection, 2, 1)
        with RunFile(prior.PriorRound, plan, file) as log:
            found = prior.fit(collection, 2, rounds, 1, quiet, prior.Stages(log))
            assert [line.number for line in log.lines] == list(range(rounds))
        return found

    go_on(2)
    file.write_bytes(file.read_bytes()[:-5])
    assert go_on(5).to_json() == whole.to_json()
    nats = [json.loads(line)["nats"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert nats == sorted(nats, reverse=True)
    (tmp_path / "prior.jsonl.npz").write_bytes(b"")
    with pytest.raises(RunFileError, match="does not belong to the log"):
        go_on(6)


HABITS = behaviour.BehaviourPlan(games=("spin-master/duel",), players=("greedy",), each=1, seed=5)


def watched(file: Path | None, rounds: int) -> list[behaviour.WatchedGame]:
    with RunFile(behaviour.WatchedGame, HABITS, file) as log:
        behaviour.fit(HABITS, rounds, log, LocalExecutor(1), quiet)
    return log.lines


def test_habits_are_fitted_from_games_and_stay_within_their_cap() -> None:
    games = watched(None, 2)
    table, seen = behaviour.tables(HABITS, games, 2)[-1], behaviour.often(games, 1)
    assert set(table) == set(BY_CLASS + BY_RELATION) == set(seen)
    assert sum(seen.values()) > 0
    values = np.array([value for row in table.values() for value in row.values()])
    assert 0 < np.abs(values).max() <= MAX_PER_EVENT


def test_watched_armies_use_the_built_in_styles(monkeypatch: pytest.MonkeyPatch) -> None:
    def own_setup(player: GreedyPlayer, side: int) -> Setup:
        raise AssertionError(f"{player} made its own setup for side {side}")

    monkeypatch.setattr(GreedyPlayer, "set_up", own_setup)
    (game,) = watched(None, 1)
    assert sum(behaviour.often([game], 0).values()) > 0


def test_habits_go_on_from_their_log_as_if_they_had_not_been_stopped(tmp_path: Path) -> None:
    file = tmp_path / "habits.jsonl"
    watched(file, 1)
    parts, whole = watched(file, 2), watched(None, 2)
    assert parts == whole
    file.write_bytes(file.read_bytes().splitlines(keepends=True)[1])
    with pytest.raises(RunFileError, match="line 1: the game before it is missing"):
        watched(file, 2)


def test_a_bench_compares_beliefs_with_the_truth_and_draws_nothing_impossible() -> None:
    games = [load_game("mini/3x4"), load_game("barrage/classic")]
    figures = belief.measure(games, "greedy", 1, 4, 2, quiet)
    assert set(figures) == {"mini/3x4", "barrage/classic"}
    for found in figures.values():
        assert found["impossible"] == 0
        assert isinstance(found["loss"], dict)
        assert 0 in found["loss"]
