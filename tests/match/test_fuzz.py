"""Whatever is thrown at the referee: a Refusal, and nothing has changed."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.board import DIRECTIONS
from flagfall.engine.action import MOVE, Action
from flagfall.match import Match, MatchError, RefusedError, load, save
from flagfall.setups import Setup, random_setup
from flagfall.sides import Side
from tests.match.games import BARRAGE, DUEL, barrage, duel, opened, play, rescue_ready

POSITIONS: list[Match] = [
    barrage(),
    duel(),
    play(duel(), "e3-e4", "e6-e5"),
    play(duel(), "e3-e4", "e6-e5", "e4 spot e5"),
    rescue_ready(),
    rescue_ready(by_strike=True, rescue_on_strike="on"),
    play(rescue_ready(), "c3-b3 rescue"),
    play(rescue_ready(), "c3-b3 rescue", "spy"),
    opened(DUEL),
]
SQUARES = st.builds(lambda column, row: f"{column}{row}", st.sampled_from("abcdefghijk"), st.integers(0, 12))
WORDS = st.one_of(
    SQUARES,
    st.builds(
        lambda one, mark, two: one + mark + two, SQUARES, st.sampled_from(["-", "x", "^", "~", ""]), SQUARES
    ),
    st.sampled_from(
        ["spot", "rescue", "shoot", "detect", "enchant", "swing", "rampage", "advance", "done", "power"]
    ),
    st.sampled_from(["marshal", "spy", "flag", "scout", "=spy", "@b1", "north", "2", "10"]),
    st.text(max_size=8),
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=6).map(" ".join))
NUMBERS = st.integers(-(2**40), 2**40) | st.integers(0, 150)
ACTIONS = st.builds(Action, NUMBERS | st.integers(0, 17), NUMBERS, NUMBERS, NUMBERS | st.integers(0, 12))


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(range(len(POSITIONS))), TEXTS | ACTIONS, st.sampled_from(["south", "north", "x", ""]))
def test_junk_is_refused_and_changes_nothing(at: int, wanted: str | Action, seat: str) -> None:
    match = POSITIONS[at]
    before = match.digest(), match.log
    trial = Match.rebuilt(match.log)
    try:
        trial.act(seat, None, wanted, 0)
        sentence = ""
    except RefusedError as refusal:
        sentence = refusal.sentence
    if sentence:
        assert (trial.digest(), trial.log) == before
        assert sentence.endswith(".")
        assert "None" not in sentence
    else:
        assert trial.number == match.number + 1
    assert (match.digest(), match.log) == before


def wandered(seed: int, moves: int, *, is_twin: bool) -> Match:
    """Both sides have taken single steps; the twin's movable enemies have changed places before."""
    match, rng = opened(BARRAGE), Random(seed)
    match.seal("south", random_setup(BARRAGE, 0, rng), 0)
    north = random_setup(BARRAGE, 1, rng)
    mobile = [cell for cell, kind in north.kinds.items() if BARRAGE.kinds[kind].is_mobile]
    turned = dict(zip(mobile, [north.kinds[cell] for cell in (*mobile[1:], mobile[0])], strict=True))
    match.seal("north", Setup(BARRAGE, Side.NORTH, {**north.kinds, **turned}) if is_twin else north, 0)
    for _ in range(2 * moves):
        mover = match.to_move or Side.SOUTH
        steps = [act for act in match.view(mover).legal if act.verb == MOVE]
        steps = [act for act in steps if act.target - act.origin in DIRECTIONS]
        match.act(mover, None, rng.choice(steps), 0)
    return match


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 12), st.integers(0, 10**6), TEXTS | ACTIONS)
def test_a_refusal_is_the_same_whatever_the_enemy_is(moves: int, seed: int, wanted: str | Action) -> None:
    answers = []
    for is_twin in (False, True):
        match = wandered(seed, moves, is_twin=is_twin)
        try:
            match.act("south", None, wanted, 0)
            answers.append("accepted")
        except RefusedError as refusal:
            answers.append(f"{refusal.code} {refusal}")
    assert answers[0] == answers[1]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_mutilated_save_is_a_match_or_a_match_error(data: st.DataObject) -> None:
    text = bytearray(save(play(duel(), "e3-e4", "e6-e5", "e4 spot e5")))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
    with suppress(MatchError):
        load(bytes(text))


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=8,
    )
)
def test_any_json_is_a_match_or_a_match_error(value: object) -> None:
    with pytest.raises(MatchError):
        load(msgspec.json.encode(value))
    with pytest.raises(MatchError):
        load(msgspec.json.encode({"flagfall_match": 1, "log": value}))
