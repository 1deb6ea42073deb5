"""Looking at a game again: an analyst knows what its seat knew, and the page tells where the game turned."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from random import Random

import msgspec
import pytest

from flagfall.analysis.analyst import BeliefAccuracy, BlindAttack, Opinion
from flagfall.analysis.findings import Reader as Eyes
from flagfall.analysis.findings import beliefs_at, findings
from flagfall.analysis.report import html_page
from flagfall.analysis.review import Analysis, Step, prepared
from flagfall.analysis.turning_points import attempts, costly, turning_points
from flagfall.arena.charts import Chart, number_axis, percent_axis
from flagfall.board import cell_name
from flagfall.edition import load_game, resolve
from flagfall.match.play import GameRunner
from flagfall.notation import Record, Turn, turn_label
from flagfall.players import Budget, make_player
from flagfall.players.chances import Odds
from flagfall.players.line import LineTurn
from flagfall.setups import Setup, read_setup, write_setup
from flagfall.sides import Side
from flagfall.view.view import Result

BUDGET = Budget(nodes=60)
SHORT = Record(
    "mini/3x4",
    ("Anna", "<b>Ben"),
    ("FX2s", "sX2F"),
    (Turn("c1-c2"), Turn("b3-b2"), Turn("b1xb2"), Turn("a3-a2"), Turn("c2xc3")),
    None,
)


def played(game_id: str, seed: int, turns: int) -> Record:
    """A game between two greedy players, as far as that many turns."""
    game = load_game(game_id)
    options = resolve(game, {})
    seats = [make_player("greedy", game, options, Random(f"{seed}/{side}")) for side in (0, 1)]
    running = GameRunner(game, options, (seats[0].set_up(0), seats[1].set_up(1)))
    while not running.is_over and running.turns < turns:
        running.play(seats[running.mover].choose(running.view(running.mover), running.history(running.mover)))
    return running.record(("Anna", "Ben"), ())


def analysed(record: Record, every: int = 1, stop: int | None = None) -> Analysis:
    analysis = prepared(record, load_game, "marshal", BUDGET, every)
    for step in analysis.run():
        if step.number + 1 == stop:
            break
    return analysis


@pytest.fixture(scope="module")
def duel() -> Analysis:
    """A game of the Spotter's duel, with open turns."""
    return analysed(played("spin-master/duel", 4, 24))


# ---------------------------------------------------------------- the walk


def test_every_turn_has_the_opinion_of_the_side_that_played_it(duel: Analysis) -> None:
    assert duel.is_complete
    assert [step.label for step in duel.steps[:4]] == ["1s", "1n", "2s", "2n"]
    assert [step.text for step in duel.steps] == [turn.text for turn in duel.record.turns]
    for step in duel.steps:
        assert step.opinion is not None
        assert 0 <= step.opinion.played <= step.opinion.estimate <= 1
        assert step.words


def test_a_belief_is_held_to_the_truth(duel: Analysis) -> None:
    first = duel.steps[0].opinion
    assert first is not None
    assert first.sight is not None
    assert first.sight.hidden == duel.game.army_size(1)
    assert 0 < first.sight.trust < 1
    assert first.sight.nats > 0
    assert first.sight.flag_place is not None
    assert 1 <= first.sight.flag_place <= first.sight.flag_squares


def test_an_analyst_knows_no_more_than_its_seat() -> None:
    """Two pieces of North's that nobody has met change places: South thinks the same all along."""
    record = played("barrage/classic", 8, 10)
    game = load_game(record.game)
    north = read_setup(game, 1, record.setups[1])
    moved = set(re.findall(r"[a-j]\d+", " ".join(turn.text for turn in record.turns)))
    still = [cell for cell in sorted(north.kinds) if cell_name(cell) not in moved]
    one, other = next((a, b) for a in still for b in still if north.kinds[a] != north.kinds[b])
    exchanged = dict(north.kinds)
    exchanged[one], exchanged[other] = north.kinds[other], north.kinds[one]
    twin = replace(record, setups=(record.setups[0], write_setup(Setup(game, Side.NORTH, exchanged))))
    ours, theirs = analysed(record), analysed(twin)
    for (_, here), (_, there) in zip(ours.opinions(Side.SOUTH), theirs.opinions(Side.SOUTH), strict=True):
        assert replace(here, sight=None) == replace(there, sight=None)
    assert findings(ours, "south") == findings(theirs, "south")
    assert findings(ours) != findings(theirs)


def test_only_every_other_turn_of_a_side_is_looked_at_if_that_is_wanted() -> None:
    analysis = analysed(SHORT, every=2)
    looked_at = [step.label for step in analysis.steps if step.opinion]
    assert looked_at == ["1s", "1n", "3s"]


def test_the_same_record_gives_the_same_page() -> None:
    assert html_page(analysed(SHORT)) == html_page(analysed(SHORT))


def test_an_attack_on_a_hidden_piece_is_written_down_with_its_odds() -> None:
    """South's Marshal takes what stands on b2: North's Marshal, so both fall."""
    found = attempts(analysed(SHORT))
    first = found[0].trial
    assert (found[0].step.label, first.attacker, first.cell, first.kind) == ("2s", "marshal", "b2", "marshal")
    assert first.ending == "both fell"
    assert first.odds.both_fall == pytest.approx(first.chance)


# ---------------------------------------------------------------- where it turned


def opinion(estimate: float, played: float, trial: BlindAttack | None = None) -> Opinion:
    line = (LineTurn(Side.SOUTH, "a1-a2", "Move it."),) if estimate - played > 0.03 else ()
    sight = BeliefAccuracy(4, 0.5, 0.7, 1, 4)
    return Opinion(estimate, played, "a1-a2", "Move it.", line, 2, 100, sight, trial)


def history(*estimates: tuple[float, float], winner: Side | None = None, **trials: BlindAttack) -> Analysis:
    """A made-up game: estimates before the turns and after the actions, South's and North's in turn."""
    sides = (Side.SOUTH, Side.NORTH)
    turns = tuple(Turn("a1-a2") for _ in estimates)
    result = Result.of(winner, "flag captured") if winner else None
    record = replace(SHORT, turns=turns, result=result)
    analysis = prepared(record, load_game, "marshal", BUDGET)
    for number, (estimate, after) in enumerate(estimates):
        told = opinion(estimate, after, trials.get(f"t{number}"))
        analysis.steps.append(Step(number, sides[number % 2], "a1-a2", "It moves.", told))
    return analysis


EVEN = (0.5, 0.5)


def test_a_bad_choice_is_a_turning_point() -> None:
    (point,) = turning_points(history(EVEN, EVEN, (0.7, 0.4), EVEN, (0.4, 0.4), EVEN))
    assert (point.step.label, point.cause, point.before, point.after) == ("2s", "choice", 0.7, 0.4)


def test_what_happens_after_a_good_choice_is_another() -> None:
    (point,) = turning_points(history(EVEN, (0.6, 0.6), EVEN, (0.2, 0.2), EVEN))
    assert (point.step.label, point.step.side, point.cause) == ("1n", "north", "events")
    assert [step.label for step in point.happened] == ["1n", "2s"]


def test_the_end_of_the_game_counts_for_the_loser() -> None:
    (point,) = turning_points(history(EVEN, (0.4, 0.4), (0.9, 0.9), winner=Side.SOUTH))
    assert (point.step.side, point.after) == ("north", 0.0)
    assert turning_points(history(EVEN, (0.4, 0.4), (0.9, 0.9))) == []


def test_the_same_story_is_not_told_twice() -> None:
    points = turning_points(history(*[(0.7, 0.5), EVEN] * 2, (0.7, 0.4), EVEN))
    assert [(point.step.label, point.cause) for point in points] == [("3s", "choice")]


def test_a_costly_attack_was_not_won_and_lost_more_than_was_hoped() -> None:
    lost = BlindAttack("scout", "a3", Odds(0.5, 0.0, 0.5), "marshal", 0.25, "lost")
    won = replace(lost, ending="won")
    analysis = history((0.6, 0.6), EVEN, (0.4, 0.4), EVEN, (0.3, 0.3), t0=lost, t2=won)
    assert len(attempts(analysis)) == 2
    (attempt,) = costly(attempts(analysis))
    assert attempt.step.label == "1s"
    assert attempt.cost == pytest.approx(0.2)


# ---------------------------------------------------------------- the page


class Reader(HTMLParser):
    """Looks whether a page is whole: tags closed, links leading somewhere, nothing fetched."""

    VOID = frozenset({"meta", "path", "rect"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        facts = dict(attrs)
        assert "src" not in facts
        self.ids += [facts["id"] or ""] if "id" in facts else []
        self.links += [facts["href"] or ""] if "href" in facts else []
        if tag not in self.VOID or tag == "rect":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("what", ["whole", "short", "stopped", "sparse", "made up"])
def test_the_page_is_whole_and_fetches_nothing(what: str, duel: Analysis) -> None:
    lost = BlindAttack("scout", "a3", Odds(0.5, 0.1, 0.4), "marshal", 0.25, "lost")
    analysis = {
        "whole": lambda: duel,
        "short": lambda: analysed(replace(SHORT, turns=SHORT.turns[:1])),
        "stopped": lambda: analysed(SHORT, stop=2),
        "sparse": lambda: analysed(SHORT, every=2),
        "made up": lambda: history((0.8, 0.5), EVEN, (0.2, 0.2), EVEN, winner=Side.NORTH, t0=lost),
    }[what]()
    text = html_page(analysis)
    page = Reader(text)
    assert page.open == []
    assert len(set(page.ids)) == len(page.ids)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert not page.tags & {"script", "link", "img", "iframe"}
    assert not re.search(r"https?://|@import|url\(", text)
    assert "prefers-color-scheme: dark" in text
    assert ("was stopped after 2 of 5 turns" in text) == (what == "stopped")


def test_names_of_players_are_no_markup() -> None:
    text = html_page(analysed(SHORT, stop=1))
    assert "&lt;b&gt;Ben" in text
    assert "<b>Ben" not in text


def test_the_page_tells_the_game_the_result_and_the_turns(duel: Analysis) -> None:
    text = html_page(duel)
    assert f"{duel.game.edition.name}: {duel.game.name}" in text
    for step in duel.steps:
        assert f'<span class="label">{step.label}</span>' in text
    assert "Unfinished." in html_page(analysed(SHORT, stop=1))
    assert "(North) wins: flag captured." in html_page(history(EVEN, EVEN, winner=Side.NORTH))


def test_no_line_is_drawn_where_there_is_no_value() -> None:
    chart = Chart("a label", 6, percent_axis(), {Side.SOUTH: [(0, 0.5), (2, None), (4, 0.25)]})
    (path,) = re.findall(r'<path class="line south" d="([^"]+)"', chart.html())
    assert path.count("M") == 2


@pytest.mark.parametrize(("low", "high"), [(0.0, 2.4), (1.0, 1.0), (1.0, 40.0), (0.0, 0.1)])
def test_axes_hold_their_values_and_have_few_ticks(low: float, high: float) -> None:
    axis = number_axis(low, high)
    assert axis.low <= low <= high <= axis.high
    assert 2 <= len(axis.ticks) <= 6
    assert axis.height(axis.high) == 0


# ---------------------------------------------------------------- two verdicts, and what each viewer may see


def test_a_flag_that_nobody_could_know_counts_only_against_the_truth() -> None:
    """South's Scout on c1 could take the Flag on c3 at once, and moves its Spy."""
    missed = replace(SHORT, setups=("FX2s", "sXF2"), turns=(Turn("d1-d2"),))
    (step,) = analysed(missed).steps
    assert step.opinion is not None
    assert step.truth is not None
    assert (step.truth.best, step.truth.origin, step.truth.target) == ("c1xc3", "c1", "c3")
    assert step.truth.estimate > 0.95
    assert step.truth.grade == "blunder"
    assert step.opinion.estimate < 0.7
    shown = findings(analysed(missed)).turns[0]
    assert shown.known is not None
    assert shown.truth is not None
    assert shown.truth.grade == "blunder"
    assert shown.known.estimate < shown.truth.estimate


def test_a_won_fight_is_luck_as_far_as_it_was_not_expected() -> None:
    lost = BlindAttack("scout", "a3", Odds(0.5, 0.2, 0.3), "marshal", 0.25, "lost")
    won, drawn = replace(lost, ending="won"), replace(lost, ending="both fell")
    found = findings(history(EVEN, EVEN, EVEN, EVEN, EVEN, EVEN, t0=lost, t1=won, t2=drawn))
    south, north = found.sides
    assert (south.fights, south.won) == (2, 0.5)
    assert south.expected == pytest.approx(1.2)
    assert (north.fights, north.won) == (1, 1.0)
    assert north.expected == pytest.approx(0.6)


def test_a_choice_is_graded_by_what_it_gave_away() -> None:
    grades = [opinion(0.6, after).grade for after in (0.6, 0.57, 0.55, 0.45, 0.2)]
    assert grades == ["best", "good", "inaccuracy", "mistake", "blunder"]


def test_the_summary_tells_who_won_and_from_when_on_the_winner_was_ahead() -> None:
    analysis = history(EVEN, (0.6, 0.6), (0.8, 0.5), (0.7, 0.7), (0.2, 0.2), (0.9, 0.9), winner=Side.NORTH)
    analysis.steps[:] = [replace(step, truth=step.opinion) for step in analysis.steps]
    told = " ".join(findings(analysis).summary)
    assert "<b>Ben won after 6 turns: the Flag was captured." in told
    assert "From turn 4 on, <b>Ben was always ahead." in told, "as in a list of the moves of both sides"
    assert "From turn 2n on, <b>Ben" in " ".join(findings(analysis, turn_name=turn_label).summary)
    assert "Anna made 1 blunder" not in told
    assert "Anna made 1 mistake" in told


@pytest.mark.parametrize("reader", ["south", "north"])
def test_eyes_are_shown_nothing_that_was_compared_with_the_truth(reader: Eyes, duel: Analysis) -> None:
    seen = findings(duel, reader)
    assert {turn.truth for turn in seen.turns} == {None}
    assert {turn.side for turn in seen.turns if turn.known} == {reader}
    assert {point.side for point in seen.turning_points} <= {reader}
    assert {(fight.side, fight.defender) for fight in seen.fights} <= {(reader, "")}
    assert [(one.side, one.trust) for one in seen.sides] == [(reader, None)]
    assert list(beliefs_at(duel.steps, 10, reader)) == [reader]


def test_a_step_is_the_same_after_it_was_stored(duel: Analysis) -> None:
    stored = msgspec.json.decode(msgspec.json.encode(duel.steps), type=list[Step])
    assert findings(replace(duel, steps=stored)) == findings(duel)
    assert beliefs_at(stored, 7, "truth") == beliefs_at(duel.steps, 7, "truth")


def test_an_analysis_goes_on_where_it_stopped() -> None:
    analysis = analysed(SHORT, stop=2)
    assert [step.number for step in analysis.run()] == [2, 3, 4]
    assert analysis.is_complete


@pytest.mark.parametrize(("between", "told"), [(0.5, ["2s", "4s"]), (1.0, ["4s"])])
def test_a_win_that_came_back_and_was_missed_again_is_told_twice(between: float, told: list[str]) -> None:
    """Between the two misses the win was gone, or it was there all the time and only taken later."""
    analysis = history(*[EVEN] * 8)
    for at, truth in ((2, opinion(1.0, 0.4)), (4, opinion(between, between)), (6, opinion(1.0, 0.3))):
        analysis.steps[at] = replace(analysis.steps[at], truth=truth)
    assert [point.step.label for point in turning_points(analysis)] == told


@pytest.mark.parametrize(("afterwards", "told"), [(0.8, ["2s"]), (1.0, [])])
def test_a_sure_win_that_is_gone_is_told_although_the_side_stays_ahead(
    afterwards: float, told: list[str]
) -> None:
    analysis = history(*[EVEN] * 8)
    for at, truth in ((2, opinion(1.0, 0.84)), (4, opinion(afterwards, afterwards))):
        analysis.steps[at] = replace(analysis.steps[at], truth=truth)
    assert [point.step.label for point in turning_points(analysis)] == told


LEFT = replace(opinion(1.0, 0.98), wins_at_once=True)
"""a Flag that could be captured was left, and the win is still forced"""
LEFT_FOR_LITTLE = replace(opinion(1.0, 0.6), wins_at_once=True)
EVENLY = opinion(0.5, 0.5)


@pytest.mark.parametrize(
    ("truths", "winner", "told"),
    [
        ([LEFT, opinion(0.4, 0.4), EVENLY], None, [("2s", 0.4)]),
        ([LEFT, LEFT, opinion(1.0, 0.5), EVENLY], None, [("2s", 0.5), ("4s", 0.5)]),
        ([LEFT, LEFT, LEFT], Side.NORTH, [("2s", 0.0)]),
        ([LEFT, LEFT_FOR_LITTLE, opinion(1.0, 0.5), EVENLY], None, [("2s", 0.5), ("3s", 0.6), ("4s", 0.5)]),
        ([LEFT, LEFT, LEFT], Side.SOUTH, []),
    ],
    ids=["gone at the next turn", "thrown away later", "never taken", "left twice", "taken later"],
)
def test_a_flag_left_for_a_win_that_never_came_is_a_missed_win(
    truths: list[Opinion], winner: Side | None, told: list[tuple[str, float]]
) -> None:
    analysis = history(*[EVEN] * (2 + 2 * len(truths)), winner=winner)
    for at, truth in enumerate(truths, start=1):
        analysis.steps[2 * at] = replace(analysis.steps[2 * at], truth=truth)
    found = [point for point in turning_points(analysis) if point.cause == "missed win"]
    assert [(point.step.label, point.after) for point in found] == told


def test_every_win_that_was_lost_is_told() -> None:
    analysis = history(*[EVEN] * 16)
    for at in range(0, 16, 4):
        analysis.steps[at] = replace(analysis.steps[at], truth=opinion(1.0, 0.4))
        analysis.steps[at + 2] = replace(analysis.steps[at + 2], truth=opinion(0.4, 0.4))
    assert [point.step.label for point in turning_points(analysis)] == ["1s", "3s", "5s", "7s"]


def test_a_win_that_was_missed_is_a_turning_point_by_the_truth_alone() -> None:
    analysis = history(EVEN, EVEN, (0.5, 0.5), EVEN, EVEN, EVEN)
    analysis.steps[2] = replace(analysis.steps[2], truth=opinion(1.0, 0.4))
    (point,) = turning_points(analysis)
    assert (point.step.label, point.cause, point.before, point.after) == ("2s", "missed win", 1.0, 0.4)
    (found,) = findings(analysis).turning_points
    assert found.cause == "missed win"
    assert "could have won" in " ".join(findings(analysis).summary)
    assert findings(analysis, "south").turning_points == (), "South could not see it"
