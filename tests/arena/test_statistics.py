"""The numbers of the arena: intervals, Elo, the sequential test, ratings."""

from __future__ import annotations

import math
from random import Random

import msgspec
import pytest

from flagfall.arena.plan import GameResult, GameSlot, Plan, Spent
from flagfall.arena.ratings import Meetings, ratings, strengths
from flagfall.arena.sprt import LOWER, UPPER, Sprt, SprtError, read_sprt
from flagfall.arena.tally import Tally, elo, expected_score, tally, wilson


def game(first: int, second: int, pair: int, leg: int, score: float) -> GameResult:
    """A game in which the first player gets that score."""
    winner = "" if score == 0.5 else "south" if (score == 1.0) == (leg == 0) else "north"
    return GameResult(
        plan=Plan(game="mini/3x3", options={}, players=("a", "b", "c")),
        round=GameSlot(first, second, pair, leg),
        winner=winner,  # type: ignore[arg-type]
        reason="",
        turns=1,
        south=Spent(),
        north=Spent(),
        record=msgspec.Raw(b"{}"),
    )


def test_a_tally_counts_games_and_pairs_from_both_chairs() -> None:
    scores = [(1.0, 1.0), (1.0, 0.5), (0.0, 1.0), (0.0, 0.0)]
    games = [game(0, 1, pair, leg, both[leg]) for pair, both in enumerate(scores) for leg in (0, 1)]
    ours, theirs = tally(games, 0, 1), tally(games, 1, 0)
    assert (ours.won, ours.drawn, ours.lost) == (4, 1, 3)
    assert (theirs.won, theirs.drawn, theirs.lost) == (3, 1, 4)
    assert ours.pairs == (1, 0, 1, 1, 1)
    assert theirs.pairs == ours.pairs[::-1]
    assert tally(games[:3], 0, 1).pairs == (0, 0, 0, 0, 1)
    assert ours.score + theirs.score == 1.0


def test_a_half_played_pair_counts_as_games_only() -> None:
    assert tally([game(0, 1, 0, 0, 1.0)], 0, 1) == Tally(won=1)


def test_elo_and_score_are_two_words_for_one_thing() -> None:
    for difference in (-500.0, -20.0, 0.0, 3.0, 250.0):
        assert elo(expected_score(difference)) == pytest.approx(difference)
    assert elo(1.0) == math.inf
    assert elo(0.0) == -math.inf


def test_the_wilson_interval_holds_the_share_and_shrinks() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == pytest.approx(1.0)
    narrow, wide = wilson(500, 1000), wilson(5, 10)
    assert wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1]


def test_pairs_that_cancel_out_say_more_than_single_games_would() -> None:
    even = Tally(won=50, lost=50, pairs=(0, 0, 50, 0, 0))
    mixed = Tally(won=50, lost=50, pairs=(25, 0, 0, 0, 25))
    assert mixed.interval()[0] < 0.45 < 0.55 < mixed.interval()[1]
    assert even.interval() == wilson(50, 100)


def test_the_test_looks_the_other_way_round_from_the_other_chair() -> None:
    pairs = (3, 8, 20, 14, 6)
    assert Sprt(-10, 10).llr(pairs) == pytest.approx(-Sprt(-10, 10).llr(pairs[::-1]))


def test_the_ratio_grows_with_the_evidence_and_stops_at_its_bounds() -> None:
    test = Sprt(0, 20)
    ratios = [test.llr((2 * n, 5 * n, 10 * n, 9 * n, 5 * n)) for n in (1, 3, 10)]
    assert 0 < ratios[0] < ratios[1] < ratios[2]
    assert pytest.approx((2.944, -2.944), abs=0.001) == (UPPER, LOWER)
    assert test.verdict((2, 5, 10, 9, 5)) == ""


@pytest.mark.parametrize(("true_elo", "right"), [(0.0, "H0"), (60.0, "H1")])
def test_the_test_is_mostly_right(true_elo: float, right: str) -> None:
    rng, test = Random(4), Sprt(0, 60)
    verdicts: list[str] = []
    chance = expected_score(true_elo)
    for _ in range(30):
        pairs = [0] * 5
        while not (verdict := test.verdict(tuple(pairs))):
            pairs[2 * ((rng.random() < chance) + (rng.random() < chance))] += 1
        verdicts.append(verdict)
    assert verdicts.count(right) >= 25


@pytest.mark.parametrize("text", ["", "20", "a,b", "20,0", "0,20,40", "0,inf", "nan,1"])
def test_guesses_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(SprtError):
        read_sprt(text)
    assert read_sprt("0,20") == Sprt(0, 20)


def test_ratings_find_the_strengths_by_which_games_were_drawn() -> None:
    truth, rng = [150.0, 0.0, -150.0], Random(8)
    games = [
        game(a, b, pair, leg, float(rng.random() < expected_score(truth[a] - truth[b])))
        for a, b in ((0, 1), (0, 2), (1, 2))
        for pair in range(150)
        for leg in (0, 1)
    ]
    table = ratings(games, 3)
    assert [each.player for each in table] == [0, 1, 2]
    for each in table:
        assert each.low <= each.elo <= each.high
        assert each.low - 30 < truth[each.player] < each.high + 30
    assert sum(each.elo for each in table) == pytest.approx(0.0, abs=1e-6)


def test_a_player_who_loses_everything_still_has_a_place() -> None:
    games = [game(0, 1, pair, leg, 1.0) for pair in range(10) for leg in (0, 1)]
    first, second = strengths(Meetings.of(games), 2)
    assert 200 < first - second < 1500
