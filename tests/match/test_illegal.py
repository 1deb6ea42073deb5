"""Why an action is not possible: one sentence that says what, where and what would be right."""

from __future__ import annotations

import inspect

import pytest

from flagfall.board import parse_cell
from flagfall.engine.action import (
    ADVANCE,
    ATTACK,
    CHOOSE_CELL,
    DONE,
    LEAP,
    MOVE,
    RESCUE,
    SPOT,
    TWO_STEP,
    Action,
)
from flagfall.match import Match, RefusedError, explain_illegal
from flagfall.sides import Side
from flagfall.view.view import Barred, View
from tests.match.games import MINI_4, barrage, duel, mini, onyx, opened, play, rescue_ready
from tests.view.table import Table

SCOUTS_IN_FRONT = "FB88888777/B976666555/1233444sBB/99B9599B99"


def refusal(match: Match, wanted: str | Action) -> str:
    """Return the sentence with which an action of the side to move is refused."""
    seat = match.to_move
    assert seat is not None
    with pytest.raises(RefusedError) as caught:
        match.act(seat, None, wanted, 0)
    assert caught.value.code == "illegal"
    return caught.value.sentence


def act(verb: int, origin: str = "", target: str = "", choice: int = 0) -> Action:
    return Action(verb, parse_cell(origin) if origin else 0, parse_cell(target) if target else 0, choice)


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ("c3-c4", "No piece stands on c3; name the square of one of your own pieces."),
        ("e7-e6", "The piece on e7 is not yours; move one of your own."),
        ("a1-a2", "Your Flag never moves. Choose another piece."),
        ("b1-b2", "Your Bomb never moves. Choose another piece."),
        (
            "e4-d5",
            "Nobody can enter a lake. Your Marshal can go to e3 or e5.",
        ),
        ("e4-f5", "Pieces move in straight lines. Your Marshal can go to e3 or e5."),
        (
            "e4-f6",
            "Pieces move in straight lines. Your Marshal can go to e3 or e5.",
        ),
        ("e4-f4", "Your own Miner stands on f4. It can go to e3 or e5."),
        (
            "e4-e6",
            "Your Marshal moves one square at a time. It can go to e3 or e5.",
        ),
        (
            "e4xe7",
            "Your Marshal moves one square at a time. It can go to e3 or e5.",
        ),
        (
            "d4-d8",
            "The way from d4 to d8 is blocked on d5 by a lake. "
            "It can go to d1, d2, d3, a4 or 2 other squares.",
        ),
        (
            "d4-g4",
            "The way from d4 to g4 is blocked on e4 by your own piece. "
            "It can go to d1, d2, d3, a4 or 2 other squares.",
        ),
        (act(MOVE, "e4", "e4"), "Your Marshal can go to e3 or e5."),
        (act(ATTACK, "e4", "e5"), "Nothing stands on e5 to attack; move there with e4-e5."),
        (Action(MOVE, 5, 6), "That is not a square of this board; squares run from a1 to j10."),
        (
            Action(MOVE, parse_cell("e4"), 6),
            "That is not a square of this board; squares run from a1 to j10.",
        ),
        ("done", "You cannot skip your turn; make a move such as e4-e5."),
        ("b2", "There is nothing to choose now; begin your turn with a move such as e4-e5."),
        ("marshal", "There is nothing to choose now; begin your turn with a move such as e4-e5."),
        ("e4 spot e5", "Nobody can spot in this game; move or attack instead."),
        ("e4-e5 rescue", "There is no rescue in this game; leave out “rescue”."),
        ("e4-e5-e6", "Your Marshal does not take two steps in one turn. It can go to e3 or e5."),
        ("e4^e6", "Nobody can fly in this game; move or attack instead."),
        ("e4~e6", "Nobody can teleport in this game; move or attack instead."),
        ("e4 shoot e6", "Nobody can shoot in this game; move or attack instead."),
        ("e4 detect e6", "Nobody can detect in this game; move or attack instead."),
        ("e4 enchant e6", "Nobody can enchant in this game; move or attack instead."),
        ("e4 swing", "Nobody can swing in this game; move or attack instead."),
        ("e4 rampage", "Nobody can rampage in this game; move or attack instead."),
        ("advance north", "Nobody can advance in this game; move or attack instead."),
        (
            Action(77, parse_cell("e4")),
            "There is no such action; move with e4-e5, for example, or attack with e4xe5.",
        ),
    ],
)
def test_a_step_that_cannot_be_made_is_explained(wanted: str | Action, sentence: str) -> None:
    assert refusal(barrage(), wanted) == sentence


def test_the_word_for_a_zone_is_the_words_of_the_box() -> None:
    assert refusal(duel(), "g3-g4") == "Nobody can enter a crater. Your Miner can go to g2."


def test_a_piece_that_is_hemmed_in_says_so() -> None:
    match = mini("FXs", "FsX")
    play(match, "b1-b2", "c3-c2", "c1-b1", "c2-c3")
    assert refusal(match, "b1-a1") == "Your own Flag stands on a1. It can go to c1."
    full = onyx(SCOUTS_IN_FRONT, SCOUTS_IN_FRONT)
    assert refusal(full, "d1-d2").endswith("It cannot move now. Choose another piece.")


def test_an_enemy_on_the_square_is_for_attacking() -> None:
    match = play(barrage(), "e4-e5", "e7-e6")
    assert refusal(match, act(MOVE, "e5", "e6")) == "An enemy stands on e6; attack it with e5xe6."


def test_an_enemy_blocks_the_way_of_a_runner() -> None:
    match = play(barrage(), "f4-f5", "f7-f6", "d4-d3", "b7-b6", "d3-f3", "b6-b5", "f5-e5", "b5-b4")
    assert refusal(match, "f3-f8").startswith(
        "The way from f3 to f8 is blocked on f6 by an enemy piece. It can "
    )


def test_a_runner_of_this_box_may_not_run_and_strike() -> None:
    match = onyx(SCOUTS_IN_FRONT, SCOUTS_IN_FRONT)
    assert (
        refusal(match, "a4xa7")
        == "Your Scout may not run and attack in one turn in this box; move next to a7 first."
    )


@pytest.mark.parametrize(("limit", "nth"), [("1", "second"), ("2", "third"), ("5", "sixth")])
def test_the_two_square_rule_is_named_with_its_count(limit: str, nth: str) -> None:
    match = barrage(two_square_limit=limit)
    steps, answers = ("e4-e5", "e5-e4"), ("j10", "h10-h9", "h9-g9", "g9-g8", "g8-h8", "h8-h9", "h9-h10")
    for turn in range(int(limit)):
        play(match, steps[turn % 2], answers[1 + turn % 6])
    wanted = steps[int(limit) % 2]
    start, end = wanted.split("-")
    assert (
        refusal(match, wanted)
        == f"A {nth} move in a row between {start} and {end} breaks the two-square rule; "
        "do something else this turn."
    )


@pytest.mark.parametrize(
    ("kind", "over", "turns", "wanted"),
    [
        ("knight", "", ("b1~b3", "b3~b1"), "b1~b3"),
        ("knight", "", ("b1~c3", "c3~b1"), "b1~c3"),
        ("leader", "b2 brute, ", ("b1^b3", "b3^b1"), "b1^b3"),
        ("striker", "", ("b1-b2-b3", "b3-b2-b1"), "b1-b2-b3"),
        ("striker", "", ("b1-b2-c2", "c2-c1-b1"), "b1-c1-c2"),
    ],
)
def test_a_power_against_the_two_square_rule_is_refused_with_that_rule(
    kind: str, over: str, turns: tuple[str, str], wanted: str
) -> None:
    table = Table(
        "duel-masters/elemental-powers",
        south=f"a1 flag, {over}b1 {kind}",
        north="a4 flag, d4 brute",
    )
    table.plays(turns[0], "d4-d3", turns[1], "d3-d4")
    action = table.read(wanted)
    end = wanted[-2:]
    assert explain_illegal(table.game, table.view("south"), action) == (
        f"A third move in a row between b1 and {end} breaks the two-square rule; do something else this turn."
    )


def test_an_open_turn_names_the_two_square_rule() -> None:
    table = Table(
        "fire-and-ice/special-powers",
        south="a1 flag, b1 dragon, b2 elf",
        north="d4 flag, b3 scout, c3 scout, d3 scout",
        two_square_counts_attacks="on",
    )
    table.plays("b1^b4", "done", "d3-d2", "b4^b1", "b3-b4", "b1^b3")
    assert explain_illegal(table.game, table.view("south"), table.read("b3xb4")) == (
        "The two-square rule forbids the attack on b4 this turn; choose c3, or say done."
    )


def test_a_flight_that_must_end_in_an_attack_names_the_two_square_rule() -> None:
    table = Table(
        "fire-and-ice/special-powers",
        south="a1 flag, b1 dragon, b2 elf",
        north="d4 flag, b4 scout, d3 scout",
    )
    table.plays("b1^b3", "done", "d3-d2", "b3^b1", "d2-d3", "b1^b3")
    assert explain_illegal(table.game, table.view("south"), table.read("done")) == (
        "The two-square rule forbids the flight without an attack; choose b4."
    )


def test_the_chase_rule_is_named() -> None:
    match = barrage(chase_rule="on", two_square_limit="off")
    view = match.view("south")
    barred = View(
        **{name: getattr(view, name) for name in view.__struct_fields__}
        | {"barred": (Barred("e4", "e5", "chase"),), "legal": ()}
    )
    assert explain_illegal(match.game, barred, act(MOVE, "e4", "e5"), match.options) == (
        "e4-e5 repeats a position of this chase, which the chase rule forbids; do something else this turn."
    )


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ("f3 spot f4", "Your Scout cannot spot; only Spotter can."),
        ("e3 spot e4", "There is nothing to spot on e4: no enemy stands there."),
        ("e3 spot f3", "Your Spotter spots straight ahead only; from e3 that is e4."),
        ("e3-f3 spot f4", "Your own Scout stands on f3. It can go to e2, d3 or e4."),
        (
            act(SPOT, "e3", "e5", 0),
            "Your Spotter moves one square at a time. It can go to e2, d3 or e4.",
        ),
        (act(SPOT, "e3", "e3", 9), "Spotting goes to a square next to the piece; name that square."),
        ("e3-e4-e5", "Your Spotter does not take two steps in one turn. It can go to e2, d3 or e4."),
    ],
)
def test_a_spot_that_cannot_be_made_is_explained(wanted: str | Action, sentence: str) -> None:
    assert refusal(duel(), wanted) == sentence


def test_a_spotter_cannot_step_onto_an_enemy() -> None:
    match = play(duel(), "e3-e4", "e6-e5")
    assert refusal(match, act(SPOT, "e4", "e5", 0)) == (
        "An enemy stands on e5; step to an empty square, or spot without a step."
    )


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (
            "e3-f3-f4",
            "The first step must go to an empty square, and f3, in between, is not empty. "
            "It can go to e2, d3 or e4.",
        ),
        (act(TWO_STEP, "e3", "e8", 0), "The second step must start from e4; name a square next to it."),
        ("e3-e4-e5", "After its step your Spotter may only attack, and no enemy stands there."),
    ],
)
def test_a_step_and_attack_that_cannot_be_made_is_explained(wanted: str | Action, sentence: str) -> None:
    assert refusal(duel(spot_move_then_attack="on"), wanted) == sentence


def test_an_open_turn_says_what_it_asks_for() -> None:
    match = play(duel(), "e3-e4", "e6-e5", "e4 spot e5")
    asked = "say what stands on e5: Marshal, General, Miner, Scout, Spotter, Spy, Bomb or Flag."
    assert refusal(match, "e4-e3") == f"Your turn is not finished; {asked}"
    assert refusal(match, "done") == f"Your turn is not finished; {asked}"
    assert refusal(match, act(CHOOSE_CELL, target="b2")) == f"b2 cannot be chosen here; {asked}"


def test_a_rescue_asks_for_a_lost_piece_and_a_free_square() -> None:
    match = play(rescue_ready(), "c3-b3 rescue")
    assert (
        refusal(match, "marshal")
        == "You have no lost Marshal to bring back; say which piece comes back: Spy."
    )
    play(match, "spy")
    where = "name an empty square for the piece that comes back: b1 or c1."
    assert refusal(match, "a1") == f"a1 cannot be chosen here; {where}"
    assert refusal(match, "spy") == f"Your turn is not finished; {where}"


def test_a_rescue_that_is_not_possible_says_why() -> None:
    match = rescue_ready()
    assert (
        refusal(match, "c3-c2 rescue")
        == "A rescue happens on row 3, and c2 is not there; leave out “rescue”."
    )
    assert refusal(match, "d1xd2 rescue").startswith("A rescue happens on row 3")
    strike = rescue_ready(by_strike=True)
    assert (
        refusal(strike, "c2xc3 rescue")
        == "In this game a rescue follows a move, not a fight; leave out “rescue”."
    )


def test_runners_never_rescue() -> None:
    match = opened(MINI_4, {"rescue": "on"})
    match.seal("south", "F2Xs", 0)
    match.seal("north", "FsX2", 0)
    play(match, "c1-c2", "b3-b2")
    assert refusal(match, "b1xb2 rescue").startswith("A rescue happens on row 3")
    play(match, "c2xb2", "c3-c2")
    assert refusal(match, "b1-b3 rescue").startswith(
        "The way from b1 to b3 is blocked on b2 by your own piece"
    )
    play(match, "b2-a2", "c2-c1")
    assert (
        refusal(match, "b1-b3 rescue")
        == "Your Scout cannot rescue, because runners never do; leave out “rescue”."
    )
    assert refusal(match, "a2-b2 rescue").startswith("A rescue happens on row 3")


def test_with_nothing_lost_nobody_comes_back() -> None:
    match = opened(MINI_4, {"rescue": "on"})
    match.seal("south", "F2Xs", 0)
    match.seal("north", "FsX2", 0)
    play(match, "c1-c2", "b3-b2", "c2xb2", "d3-d2")
    assert (
        refusal(match, "b2-b3 rescue") == "You have lost no piece that could come back; leave out “rescue”."
    )


def test_a_piece_rescues_once() -> None:
    match = play(rescue_ready(), "c3-b3 rescue spy b1", "d2-c2", "b1xb2")
    play(match, "c2-c1")
    sentence = refusal(match, "b3-c3 rescue")
    assert (
        sentence == "Your Marshal has already rescued a piece, and each may do so once; leave out “rescue”."
    )


def test_two_rescues_are_all_there_are() -> None:
    match = rescue_ready()
    view = match.view("south")
    fields = {name: getattr(view, name) for name in view.__struct_fields__}
    spent = View(**fields | {"rescues": (2, 0), "legal": ()})
    action = act(RESCUE, "c3", "b3")
    assert explain_illegal(match.game, spent, action, match.options) == (
        "You have made 2 rescues, and there are no more; leave out “rescue”."
    )
    home = [piece for piece in view.pieces if piece.side == "south"][:1]
    crowd = [type(home[0])(cell, cell, Side.SOUTH, kind="spy") for cell in ("b1", "c1")]
    full = View(**fields | {"pieces": (*view.pieces, *crowd), "legal": ()})
    assert explain_illegal(match.game, full, action, match.options) == (
        "No square is free for a piece that comes back; leave out “rescue”."
    )


def test_it_also_answers_when_nothing_is_wrong_or_it_is_not_your_turn() -> None:
    match = barrage()
    action = act(MOVE, "e4", "e5")
    assert explain_illegal(match.game, match.view("south"), action) == "That is possible; play it."
    assert explain_illegal(match.game, match.view("north"), action) == (
        "It is South's turn; wait until South has moved."
    )
    match.resign("south", 0)
    assert (
        explain_illegal(match.game, match.view("south"), action) == "The game is over: North wins (resigned)."
    )


def test_the_explanation_is_given_nothing_but_the_view() -> None:
    assert list(inspect.signature(explain_illegal).parameters) == ["game", "view", "action", "options"]


@pytest.mark.parametrize("verb", [DONE, ADVANCE, LEAP])
def test_every_verb_has_an_answer(verb: int) -> None:
    assert refusal(barrage(), Action(verb)).endswith(".")
