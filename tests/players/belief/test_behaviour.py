"""What a piece does says something of its kind; never too much."""

from __future__ import annotations

import numpy as np
import pytest

from flagfall.edition import game_ids, load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.players.belief import Belief
from flagfall.players.belief.behaviour import (
    BY_CLASS,
    BY_RELATION,
    CLASSES,
    MAX_PER_EVENT,
    MAX_TOTAL,
    RELATIONS,
    Behaviour,
    HabitRates,
    HabitTable,
    class_of,
    default_habits,
)
from flagfall.players.belief.hidden import HistoryReader
from flagfall.sides import Side
from flagfall.view.view import SeenEvent, SeenPiece, View
from tests.players.belief.told_game import Told

GAME = load_game("onyx/classic")
OPTIONS = resolve(GAME, {})


def number(kind: str) -> int:
    return GAME.kind_index(kind)


def start(south: str, north: str) -> View:
    """Pieces on their starting squares."""
    armies: tuple[tuple[Side, str], ...] = ((Side.SOUTH, south), (Side.NORTH, north))
    pieces = tuple(SeenPiece(name, name, side) for side, names in armies for name in names.split())
    return View(GAME.id, "south", 0, Side.SOUTH, pieces, (), ())


def step(side: Side, piece: str, origin: str, target: str) -> list[SeenEvent]:
    other: Side = Side.NORTH if side == Side.SOUTH else Side.SOUTH
    return [
        SeenEvent("move", 0, side, piece, origin, target, detail="step"),
        SeenEvent("turn", 0, other),
    ]


def shown(side: Side, piece: str, kind: str) -> SeenEvent:
    return SeenEvent("shown", 0, side, piece, kind=kind)


def seen_habits(history: list[SeenEvent], south: str, north: str) -> list[tuple[str, str]]:
    """Which habits of North's pieces a listener notes."""
    found: list[tuple[str, str]] = []
    behaviour = Behaviour(GAME, OPTIONS, 1, [{}], lambda name, habit, categories: found.append((name, habit)))
    HistoryReader(GAME, OPTIONS, "south").update(start(south, north), history, behaviour.note)
    return found


def test_a_step_next_to_a_known_piece_is_noted() -> None:
    history = [
        shown(Side.SOUTH, "a4", "captain"),
        *step(Side.SOUTH, "a4", "a4", "a5"),
        *step(Side.NORTH, "a7", "a7", "a6"),
    ]
    assert ("a7", "comes near a known piece") in seen_habits(history, "a4 b4", "a7 b7")


def test_a_step_next_to_a_hidden_piece_is_another_habit() -> None:
    history = [*step(Side.SOUTH, "a4", "a4", "a5"), *step(Side.NORTH, "a7", "a7", "a6")]
    habits = seen_habits(history, "a4 b4", "a7 b7")
    assert ("a7", "comes near a hidden piece") in habits
    assert ("a7", "first move early") in habits


def test_staying_and_leaving_are_noted_of_pieces_next_to_a_known_one() -> None:
    history = [
        shown(Side.SOUTH, "a4", "captain"),
        *step(Side.SOUTH, "a4", "a4", "a5"),
        *step(Side.NORTH, "b7", "b7", "b6"),
        *step(Side.SOUTH, "a4", "a5", "a6"),
        *step(Side.NORTH, "j7", "j7", "j6"),
        *step(Side.SOUTH, "j4", "j4", "j5"),
        *step(Side.NORTH, "b7", "b6", "c6"),
    ]
    habits = seen_habits(history, "a4 j4", "a7 b7 j7")
    assert ("a7", "stays by a known piece") in habits
    assert ("b7", "leaves a known piece") in habits
    assert ("j7", "stays by a known piece") not in habits


def test_a_step_next_to_a_threatened_friend_covers_it() -> None:
    history = [
        shown(Side.SOUTH, "a4", "captain"),
        *step(Side.SOUTH, "a4", "a4", "a5"),
        *step(Side.NORTH, "c7", "c7", "c8"),
        *step(Side.SOUTH, "a4", "a5", "a6"),
        *step(Side.NORTH, "b8", "b8", "b7"),
    ]
    assert ("b8", "covers against a known piece") in seen_habits(history, "a4", "a7 b8 c7")


def test_a_piece_that_is_free_and_never_moves_is_noted_after_some_turns() -> None:
    walk = [("j7", "j6"), ("j6", "j7")] * 4
    history: list[SeenEvent] = []
    for i, (origin, target) in enumerate(walk):
        history += step(Side.SOUTH, "a4", *(("a4", "a5") if i % 2 == 0 else ("a5", "a4")))
        history += step(Side.NORTH, "j7", origin, target)
    habits = seen_habits(history, "a4", "e7 j7")
    assert ("e7", "free for 8 turns") in habits
    assert ("j7", "free for 8 turns") not in habits


def test_factors_are_clipped_however_often_something_happens() -> None:
    loud: HabitRates = {
        habit: {"wins": 9.0, "loses": -9.0, "top": 9.0, "low": -9.0} for habit in BY_CLASS + BY_RELATION
    }
    behaviour = Behaviour(GAME, OPTIONS, 1, [loud])
    history = [shown(Side.SOUTH, "a4", "captain"), *step(Side.SOUTH, "a4", "a4", "a5")]
    for i in range(40):
        origin, target = ("a7", "a6") if i % 2 == 0 else ("a6", "a7")
        history += step(Side.NORTH, "a7", origin, target) + step(Side.SOUTH, "j4", "j4", "j4")
    HistoryReader(GAME, OPTIONS, "south").update(start("a4 j4", "a7 b7"), history, behaviour.note)
    factors = np.log(behaviour.factors("a7"))
    assert np.abs(factors).max() <= MAX_TOTAL + 1e-9
    assert factors[number("marshal")] > factors[number("sergeant")]
    assert (behaviour.factors("b7") == 1).all() or np.abs(np.log(behaviour.factors("b7"))).max() <= MAX_TOTAL
    assert (behaviour.factors("nobody") == 1).all()


BOLD: HabitRates = {"comes near a known piece": {"wins": 1.2, "loses": -1.2}}


def chance_to_win(shown_kinds: list[str]) -> float:
    """How much likelier a7 beats the captain it came near than loses, after others did so and were shown."""
    behaviour = Behaviour(GAME, OPTIONS, 1, [{}, BOLD])
    history = [shown(Side.SOUTH, "a4", "captain"), *step(Side.SOUTH, "a4", "a4", "a5")]
    squares = ["a6", "b5"]
    for i, kind in enumerate(shown_kinds):
        name = f"{'bcdefghij'[i]}7"
        history += [
            *step(Side.NORTH, name, name, squares[i % 2]),
            *step(Side.SOUTH, "j4", "j4", "j4"),
            SeenEvent("attack", 0, Side.NORTH, name, squares[i % 2], "a5"),
            shown(Side.NORTH, name, kind),
            SeenEvent("removed", 0, Side.NORTH, name, squares[i % 2]),
            SeenEvent("turn", 0, Side.SOUTH),
            *step(Side.SOUTH, "j4", "j4", "j4"),
        ]
    history += step(Side.NORTH, "a7", "a7", "a6")
    names = "a7 " + " ".join(f"{'bcdefghij'[i]}7" for i in range(len(shown_kinds)))
    HistoryReader(GAME, OPTIONS, "south").update(start("a4 j4", names), history, behaviour.note)
    factors = behaviour.factors("a7")
    return float(np.log(factors[number("major")] / factors[number("sergeant")]))


def test_habits_count_less_against_an_opponent_whose_pieces_turned_out_otherwise() -> None:
    unknown, as_expected = chance_to_win([]), chance_to_win(["major", "colonel", "major"])
    otherwise = chance_to_win(["sergeant", "miner", "scout", "sergeant"])
    assert 0 < otherwise < unknown / 2
    assert unknown < as_expected <= 2.4


def test_a_piece_without_habits_says_nothing_about_the_style() -> None:
    behaviour = Behaviour(GAME, OPTIONS, 1, [{}, BOLD])
    history = [shown(Side.NORTH, "a7", "sergeant"), *step(Side.SOUTH, "a4", "a4", "a5")]
    before = behaviour.factors("b7")
    HistoryReader(GAME, OPTIONS, "south").update(start("a4", "a7 b7"), history, behaviour.note)
    assert (behaviour.factors("b7") == before).all()


def test_one_event_counts_for_no_more_than_its_cap() -> None:
    table = HabitTable(GAME, 1, compile_game(GAME, OPTIONS).fights(len(GAME.kinds)), default_habits())
    for habit in BY_CLASS:
        assert np.abs(table.row(habit, -1)).max() <= MAX_PER_EVENT
    for habit in BY_RELATION:
        assert np.abs(table.row(habit, number("captain"))).max() <= MAX_PER_EVENT


def test_the_shipped_table_knows_only_habits_and_sorts() -> None:
    for habit, row in default_habits().items():
        assert habit in BY_CLASS + BY_RELATION
        assert set(row) <= set(CLASSES if habit in BY_CLASS else RELATIONS)


@pytest.mark.parametrize("game_id", game_ids())
def test_every_kind_has_a_class(game_id: str) -> None:
    game = load_game(game_id)
    for side in (0, 1):
        assert {class_of(game, side, kind) for kind in range(len(game.kinds))} <= set(CLASSES)


def test_behaviour_changes_what_is_believed_but_not_what_is_possible() -> None:
    game = load_game("spin-master/duel")
    options = resolve(game, {})
    told = Told(game, options, "habits")
    told.go_on(30)
    loud: HabitRates = {
        habit: {"top": 0.7, "runner": -0.7, "wins": 0.7, "loses": -0.7} for habit in BY_CLASS + BY_RELATION
    }
    beliefs = [Belief(game, options, Side.SOUTH, habits=table) for table in ({}, loud)]
    for belief in beliefs:
        belief.update(told.view(Side.SOUTH), told.stories[Side.SOUTH])
    quiet, swayed = (belief.marginals() for belief in beliefs)
    assert ((quiet > 0) == (swayed > 0)).all()
    assert np.abs(quiet - swayed).max() > 0.01
