"""The bench of the search: the same positions every time, every choice accounted for."""

from __future__ import annotations

from itertools import islice

import pytest
from bench.search import Choice, late_figures, positions, stage_figures, thoughts

from bench import measures, search
from flagfall.edition import load_game

BARRAGE = load_game("barrage/classic")
MINI = load_game("mini/3x3")


def test_the_same_positions_come_up_every_time() -> None:
    first, second = (positions(BARRAGE, 1, 5) for _ in range(2))
    assert [moment.view for moment in first] == [moment.view for moment in second]
    assert {moment.side for moment in first} == {"south", "north"}
    assert all(len(moment.view.legal) > 1 for moment in first)


def test_every_stage_of_a_choice_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "IN_A_ROW", 2)
    given = list(thoughts(BARRAGE, 5, 3, 1))
    assert [each.is_first for each in given] == [True, False, True]
    for each in given:
        assert each.wall_ms > 0
        assert each.worlds > 0
        assert set(each.stages) <= set(search.STAGES)
        assert sum(each.stages.values()) == pytest.approx(each.wall_ms)
    assert given[1].stages["belief"] > 0
    assert set(stage_figures(given, 0.3)) == set(search.STAGES)


def test_lateness_is_told_by_its_median_its_tail_and_its_worst() -> None:
    given = [Choice(float(ms), float(ms), 1, 1, 1, False, {}) for ms in [*range(41, 60), 2100]]
    figures = late_figures(50, given)
    assert (figures["choices"], figures["median_ms"], figures["p95_ms"]) == (20, 0.5, 2050.0)
    assert (figures["more_than_50_late"], figures["over_the_cap"]) == (1, 1)


def test_all_of_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "NODES", 30)
    told: list[str] = []
    found = search.measure([MINI], [1, 50], 2, 1, 0.01, lambda done, of, what: told.append(what))
    speed = found["speed"]
    assert isinstance(speed, dict)
    assert speed["mini/3x3"]["ratio"] > 0
    depth = found["depth"]
    assert isinstance(depth, dict)
    assert set(depth["mini/3x3"]) == {"1", "50"}
    late, stages = found["time_kept"], found["stages_ms"]
    assert isinstance(late, list)
    assert [row["choices"] for row in late] == [2, 2]
    assert isinstance(stages, dict)
    assert set(stages) == {"mini/3x3"}
    assert "mini/3x3 at 50 ms" in told


def test_what_was_measured_is_judged_without_mercy() -> None:
    late = {"budget_ms": 50, "choices": 208, "median_ms": -3.0, "p95_ms": 1.0, "worst_ms": 70.0}
    late |= {"worst_processor_ms": 2.0, "more_than_50_late": 1, "over_the_cap": 0}
    good = late | {"more_than_50_late": 0, "worst_ms": 12.0}
    figures = {
        "speed": {"mini/3x3": {"ratio": 0.2}},
        "time_kept": [late, good, good | {"choices": 20}],
        "under_load": [late | {"budget_ms": 5000, "over_the_cap": 2}],
    }
    search = next(each for each in measures.measures("mini/3x3") if each.name == "measures.search")
    verdicts = [each.verdict for each in search.judge(figures)]
    assert verdicts == ["not reached", "not reached", "reached", "not enough games", "not reached"]


def test_beliefs_are_judged_by_impossible_lots_and_by_falling_loss() -> None:
    belief = next(each for each in measures.measures("mini/3x3") if each.name == "measures.belief")
    row = {"impossible": 0, "drawn": 100_000, "loss": {"0": 2.0, "50": 1.0, "100": 0.9}}
    worse = row | {"drawn": 10, "loss": {"0": 2.0, "50": 1.0, "100": 1.1}}
    assert [each.verdict for each in belief.judge({"a": row})] == ["reached", "reached"]
    assert [each.verdict for each in belief.judge({"a": row, "b": worse})] == [
        "not enough games",
        "not reached",
    ]
    assert belief.judge({"a": row | {"impossible": 1}})[0].verdict == "not reached"


def test_setups_of_people_are_measured_only_if_there_are_any() -> None:
    setups = next(each for each in measures.measures("mini/3x3") if each.name == "measures.setups")
    assert setups.take is None
    judged = setups.judge({"counting": {"0": 2.5}, "nats": {"0": 2.35}, "setups": 400})
    assert (judged[0].verdict, judged[0].result) == ("not reached", "0.150 over 400 held-out setups")


def test_choices_in_a_row_begin_later_in_later_games(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[int] = []
    monkeypatch.setattr(search, "IN_A_ROW", 1)
    monkeypatch.setattr(
        search,
        "_thought",
        lambda thinker, watch, moment, **rest: turns.append(moment.turn),
    )
    list(islice(thoughts(load_game("lotr/classic"), 5, 3, 1), 3))
    assert turns[0] < turns[1] < turns[2]
