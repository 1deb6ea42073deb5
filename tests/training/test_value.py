"""Learning what the evaluation lacks: games, targets, a fit, rounds with a gate; needs torch."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

torch = pytest.importorskip("torch")

from flagfall.arena.tally import Tally  # noqa: E402
from flagfall.cli import train_value  # noqa: E402
from flagfall.edition import load_game  # noqa: E402
from flagfall.engine.kernel import buffer  # noqa: E402
from flagfall.engine.state import PIECE_CELL, SIDE, State  # noqa: E402
from flagfall.engine.tables import PIECES  # noqa: E402
from flagfall.errors import UserError  # noqa: E402
from flagfall.players.evaluation.value_net import value_net_of  # noqa: E402
from flagfall.players.search import buffers as B  # noqa: E402
from flagfall.players.search.leaf_net import correction, start_accumulators  # noqa: E402
from flagfall.players.zoo.panel import HeldOutError  # noqa: E402
from flagfall.training.recipe import TrainingError  # noqa: E402
from flagfall.training.value_fit import UNIT, RealNet, _is_quiet, _places, _targets, examples, fit  # noqa: E402
from flagfall.training.value_games import CHANCE, FACTS, WIDTH, ValueGame, ValuePlan, play_one  # noqa: E402
from flagfall.training.value_run import BEST, GATE, REPORT, ROUNDS, ValueRecipe, ValueRun  # noqa: E402

pytestmark = pytest.mark.xdist_group("torch")
MINI = load_game("mini/3x3")
PLAN = ValuePlan(
    game="mini/3x3",
    options={},
    player="marshal",
    net="",
    opponents=("greedy",),
    nodes=40,
    seed=3,
    max_turns=60,
)
SMALL = ValueRecipe(
    game="mini/3x3", options={}, opponents=("greedy",), games=24, nodes=40, hidden=2, passes=2, gate_games=4,
    gate_nodes=40, max_turns=60,
)  # fmt: skip


@pytest.fixture(scope="module")
def played() -> list[ValueGame]:
    return [play_one(PLAN, index) for index in range(64)]


def test_positions_are_those_of_the_learning_player_before_and_after_its_actions(
    played: list[ValueGame],
) -> None:
    assert play_one(PLAN, 5) == played[5]
    assert PLAN.players(4) == PLAN.players(2) == ("marshal", "marshal")
    with_rival = replace(PLAN, rival="marshal@net=x")
    assert with_rival.players(4) == ("marshal", "marshal")
    assert [with_rival.players(index) for index in (2, 6)] == [
        ("marshal", "marshal@net=x"),
        ("marshal@net=x", "marshal"),
    ]
    assert [name for name in ("marshal", "marshal@net=x", "greedy") if with_rival.is_watched(name)] == [
        "marshal",
        "marshal@net=x",
    ]
    assert [PLAN.players(index) for index in (1, 3)] == [("marshal", "greedy"), ("greedy", "marshal")]
    first, against = played[0].positions(), played[3].positions()
    assert {int(viewer) for viewer in first[:, 0]} == {0, 1}
    assert {int(viewer) for viewer in against[:, 0]} == {1}
    every = np.concatenate([one.positions() for one in played])
    assert {int(mark) for mark in every[:, 1]} == {0, 1}
    assert len(np.unique(every[:, FACTS.index("static")])) > 10
    assert every.shape[1] == WIDTH
    assert ((every[:, len(FACTS) : len(FACTS) + PIECES] != 0).sum(axis=1) > 2).all()


def test_a_box_of_ones_own_is_played_and_has_a_network_of_its_own() -> None:
    address = f"{Path(__file__).parents[2] / 'examples' / 'harbour.toml'}#classic"
    game = load_game(address)
    one = play_one(replace(PLAN, game=address, opponents=(), nodes=20, max_turns=8), 0)
    every = examples(game, [one], 0.9, 99, 1)
    assert len(every.static) > 4
    net = RealNet(game, 2).rounded(game, 2, "8 turns")
    assert len(net.numbers(game)) > 1000
    assert net.header.kinds == tuple(kind.id for kind in game.kinds)


def test_a_target_weighs_what_was_seen_next_and_what_came_of_it() -> None:
    """South saw 0.5, then 0.7, and won; North saw 0.4."""
    facts = [(0, 0, 0.5), (0, 1, 0.5), (1, 0, 0.4), (0, 0, 0.7), (0, 1, 0.7)]
    positions = np.zeros((5, WIDTH), dtype=np.int16)
    for row, (viewer, is_after, chance) in zip(positions, facts, strict=True):
        row[0], row[1], row[FACTS.index("chance")] = viewer, is_after, round(CHANCE * chance)
    targets, results = _targets(positions, 1.0, 0.75)
    later = 0.25 * 0.7 + 0.75
    assert targets == pytest.approx([0.25 * 0.5 + 0.75 * later, later, 0.25 * 0.4, later, 1.0])
    assert results.tolist() == [1, 1, 0, 1, 1]


def test_quiet_positions_are_those_without_a_capture_before_or_after() -> None:
    positions = np.zeros((8, WIDTH), dtype=np.int16)
    for row, pieces in zip(positions, (5, 5, 5, 5, 4, 4, 4, 4), strict=True):
        row[len(FACTS) + 1 : len(FACTS) + 1 + pieces] = 20
    assert _is_quiet(positions).tolist() == [True, True, *[False] * 4, True, True]


def test_the_rounded_network_says_what_the_fitted_one_does(played: list[ValueGame]) -> None:
    positions = np.concatenate([one.positions() for one in played])
    torch.manual_seed(2)
    net = RealNet(MINI, 4)
    with torch.no_grad():
        for parameter in net.parameters()[:5]:
            parameter.normal_(0.0, 0.3)
    rows, is_after = torch.from_numpy(_places(MINI, positions)[0]), positions[:, 1].astype(np.int64)
    real = UNIT * net.correction(rows, torch.from_numpy(is_after)).detach().numpy()
    buffers = B.SearchBuffers(net.rounded(MINI, 4, "").numbers(MINI))
    whole = []
    for facts in positions:
        state = State()
        state.row[PIECE_CELL : PIECE_CELL + 2 * PIECES] = facts[len(FACTS) :]
        buffers.memory[B.VIEWER] = facts[0]
        state.row[SIDE] = facts[0] ^ facts[1]
        row = buffer(state.row)
        start_accumulators(buffers.w, buffers.m, row)
        whole.append(correction(buffers.w, buffers.m, row, 0))
    assert np.abs(np.array(whole) - real).max() < 2
    assert np.ptp(real) > 50


def test_a_fit_finds_what_is_worth_something(played: list[ValueGame]) -> None:
    """The results depend on one square alone, of which the hand-made evaluation knows nothing."""
    every = examples(MINI, played, 1.0, 99, 1)
    counts = np.bincount(every.rows[every.rows < every.rows.max()], minlength=1)
    place = int(np.argmin(np.abs(counts - len(every.static) / 2)))
    told = (every.rows == place).any(axis=1).astype(np.float32)
    planned = replace(every, targets=0.1 + 0.8 * told, results=told, turned=every.rows)
    net, fitted = fit(MINI, planned, 0, passes=60, rate=0.1, seed=1)
    assert fitted.loss < fitted.hand_made - 0.15
    assert fitted.results_loss < fitted.results_hand_made
    table = net.arrays["table"][..., 0].reshape(-1)
    assert table[place] > 1000
    assert sum(one.positions for one in fitted.bins) == (every.games // 2 % 8 == 7).sum()


def test_what_does_not_help_on_held_out_games_is_not_taken(played: list[ValueGame]) -> None:
    """The targets of the held-out games are the opposite of the others: the first pass is worse than none."""
    every = examples(MINI, played, 1.0, 99, 1)
    is_held = every.games // 2 % 8 == 7
    planned = replace(every, targets=(~is_held).astype(np.float32), turned=every.rows)
    net, fitted = fit(MINI, planned, 2, passes=3, rate=0.05, seed=1)
    assert min(held for _, held in fitted.curve) > fitted.loss
    assert not net.arrays["out"].any()
    assert not net.arrays["table"][..., 0].any()


def test_a_round_that_was_stopped_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    whole = ValueRun(tmp_path / "whole", SMALL).go_on()
    stops = [("games", 7), ("gate", 2)]

    def stop(what: str, done: int, total: int, remark: str) -> None:
        if stops and (what, done) == stops[0]:
            stops.pop(0)
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            ValueRun(tmp_path / "parts", SMALL, progress=stop).go_on()
    parts = ValueRun(tmp_path / "parts", SMALL).go_on()
    assert not stops
    assert parts == whole
    assert parts.gate.games == 4
    assert 10 < parts.fit["games"] <= 22
    assert len((tmp_path / "parts" / "round-1" / GATE).read_text().splitlines()) == 4
    assert len((tmp_path / "parts" / ROUNDS).read_text().splitlines()) == 1
    with pytest.raises(TrainingError, match="has another recipe"):
        ValueRun(tmp_path / "parts", replace(SMALL, nodes=41))


def test_after_a_network_was_thrown_away_its_games_are_learned_from_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ValueRun, "_gate", lambda self, number, place: (Tally(1, 0, 3, (1, 1, 0, 0, 0)), ""))
    run = ValueRun(tmp_path, SMALL)
    run.go_on()
    run.go_on()
    rival = f"marshal@net={tmp_path / 'round-1' / 'net.safetensors'}"
    plans = [
        msgspec.json.decode((tmp_path / f"round-{number}" / "games.jsonl").read_bytes().split(b"\n")[0])[
            "plan"
        ]
        for number in (1, 2)
    ]
    assert [plan["rival"] for plan in plans] == ["", rival]
    assert [plan["player"] for plan in plans] == ["marshal", "marshal"]


def test_a_network_is_kept_only_if_it_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = [(Tally(9, 0, 1, (0, 0, 1, 0, 4)), "H1"), (Tally(5, 0, 5, (0, 0, 5, 0, 0)), "")]
    monkeypatch.setattr(ValueRun, "_gate", lambda self, number, place: verdicts[number - 1])
    run = ValueRun(tmp_path, SMALL)
    assert run.go_on().is_kept
    best = tmp_path / BEST
    assert value_net_of(str(best)).header.figures == ("gate at 40 nodes: 9 won, 0 drawn, 1 lost",)
    kept = best.read_bytes()
    assert not ValueRun(tmp_path, SMALL).go_on().is_kept
    assert best.read_bytes() == kept
    again = ValueRun(tmp_path, SMALL)
    assert [one.is_kept for one in again.rounds] == [True, False]
    assert again.player(again.best) == f"marshal@net={best}"
    lines = (tmp_path / "round-2" / "games.jsonl").read_text().splitlines()
    assert all(f"marshal@net={best}" in line for line in lines)
    assert again.rounds[1].fit["games"] > again.rounds[0].fit["games"]
    page = (tmp_path / REPORT).read_text()
    assert "kept" in page
    assert "thrown away" in page


def test_numbers_that_cannot_be_are_refused(tmp_path: Path) -> None:
    for changes, words in (
        ({"hidden": 99}, "--hidden is 99"),
        ({"decay": 1.5}, "a share, from 0 to 1"),
        ({"games": 3}, "too few for a fit"),
        ({"opponents": ("hoarder",)}, "held-out half"),
    ):
        with pytest.raises((TrainingError, HeldOutError), match=words):
            ValueRun(tmp_path, msgspec.convert(msgspec.to_builtins(SMALL) | changes, ValueRecipe))
    with pytest.raises(UserError, match="“greedy” has no evaluation"):
        train_value.value(replace(SMALL, player="greedy"), [], tmp_path, 1, "local")
