"""Actions as text: every action comes back, every form is accepted, every mistake gets its sentence."""

from __future__ import annotations

from random import Random

import pytest

from flagfall.board import DIRECTIONS, parse_cell
from flagfall.edition import Game
from flagfall.engine.action import (
    ADVANCE,
    ATTACK,
    CHOOSE_CELL,
    CHOOSE_KIND,
    CONVERT,
    DETECT,
    DONE,
    LEAP,
    MOVE,
    RESCUE,
    SHOOT,
    SPOT,
    SWEEP,
    SWING,
    TELEPORT,
    TWO_STEP,
    Action,
)
from flagfall.notation import NotationError, read_turn, write_action, write_turn
from tests.boxes import AWKWARD, GAMES, LOTR, MINI, ONYX, game_name


def cell(name: str) -> int:
    return parse_cell(name)


def every_action(game: Game) -> list[Action]:
    """All actions of a board that can be written, legal or not."""
    cells = list(game.board.cells())
    pairs = [(a, b) for a in cells for b in cells if a != b]
    verbs = (MOVE, ATTACK, LEAP, TELEPORT, SHOOT, DETECT, CONVERT, RESCUE, SWING, SWEEP)
    actions = [Action(verb, a, b) for verb in verbs for a, b in pairs]
    actions += [Action(verb, a, a) for verb in (RESCUE, SWING, SWEEP) for a in cells]
    actions += [Action(SHOOT, a, b, 1) for a, b in pairs]
    actions += [Action(CHOOSE_CELL, 0, a) for a in cells]
    actions += [Action(CHOOSE_KIND, choice=kind) for kind in range(len(game.kinds))]
    actions += [Action(ADVANCE, choice=direction) for direction in range(4)] + [Action(DONE)]
    for a in cells:
        for at, step in enumerate(DIRECTIONS):
            if a + step in game.board:
                actions.append(Action(SPOT, a, a, at))
                actions += [Action(SPOT, a - back, a, at) for back in DIRECTIONS if a - back in game.board]
                ends = [a + step + then for then in DIRECTIONS if a + step + then in game.board]
                actions += [Action(TWO_STEP, a, end, at) for end in ends]
    return actions


@pytest.mark.parametrize("game", GAMES, ids=game_name)
def test_every_action_comes_back_from_its_text(game: Game) -> None:
    actions = every_action(game)
    chosen = actions if len(actions) < 5000 else Random(1).sample(actions, 5000)
    for action in chosen:
        assert read_turn(game, write_action(game, action)) == (action,)


@pytest.mark.parametrize("game", GAMES, ids=game_name)
def test_every_row_of_actions_comes_back_as_one_turn(game: Game) -> None:
    """Even rows that no rule allows: two names in a row alone would read as one longer name."""
    rng, actions = Random(2), every_action(game)
    by_verb = [[action for action in actions if action.verb == verb] for verb in range(MOVE, ADVANCE + 1)]
    for _ in range(500):
        turn = [rng.choice(rng.choice(by_verb)) for _ in range(rng.randint(1, 5))]
        kept = [
            a
            for at, a in enumerate(turn)
            if not (a.verb == CHOOSE_KIND and at and turn[at - 1].verb == a.verb)
        ]
        text = write_turn(game, kept)
        assert read_turn(game, text) == tuple(kept), text


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("d4-d5", [Action(MOVE, cell("d4"), cell("d5"))]),
        ("d4xd5", [Action(ATTACK, cell("d4"), cell("d5"))]),
        ("d4d5", [Action(MOVE, cell("d4"), cell("d5"))]),
        (" D4  D5 ", [Action(MOVE, cell("d4"), cell("d5"))]),
        ("d4–d10", [Action(MOVE, cell("d4"), cell("d10"))]),
        ("d1×d10", [Action(ATTACK, cell("d1"), cell("d10"))]),
        ("d4-d5 spot d6", [Action(SPOT, cell("d4"), cell("d5"), 0)]),
        ("d4 d5 spot d6", [Action(SPOT, cell("d4"), cell("d5"), 0)]),
        ("d5 spot c5 marshal", [Action(SPOT, cell("d5"), cell("d5"), 3), Action(CHOOSE_KIND, choice=0)]),
        (
            "d9-d10 rescue general b2",
            [
                Action(RESCUE, cell("d9"), cell("d10")),
                Action(CHOOSE_KIND, choice=1),
                Action(CHOOSE_CELL, 0, cell("b2")),
            ],
        ),
        ("d9xd10 rescue", [Action(RESCUE, cell("d9"), cell("d10"))]),
        ("d4-d5-e5", [Action(TWO_STEP, cell("d4"), cell("e5"), 0)]),
        ("d4-d5xe5", [Action(TWO_STEP, cell("d4"), cell("e5"), 0)]),
        ("c4^c7 c7xc8", [Action(LEAP, cell("c4"), cell("c7")), Action(ATTACK, cell("c7"), cell("c8"))]),
        ("d4~e6", [Action(TELEPORT, cell("d4"), cell("e6"))]),
        ("d4 shoot d6 power 2", [Action(SHOOT, cell("d4"), cell("d6"), 1)]),
        ("d4 Detect d6", [Action(DETECT, cell("d4"), cell("d6"))]),
        ("d4 enchant d6", [Action(CONVERT, cell("d4"), cell("d6"))]),
        (
            "d4-d5 swing c6 e6 done",
            [
                Action(SWING, cell("d4"), cell("d5")),
                Action(CHOOSE_CELL, 0, cell("c6")),
                Action(CHOOSE_CELL, 0, cell("e6")),
                Action(DONE),
            ],
        ),
        ("d4-d5 rampage", [Action(SWEEP, cell("d4"), cell("d5"))]),
        ("advance North c3", [Action(ADVANCE, choice=0), Action(CHOOSE_CELL, 0, cell("c3"))]),
        ("b2", [Action(CHOOSE_CELL, 0, cell("b2"))]),
        ("MARSHAL", [Action(CHOOSE_KIND, choice=0)]),
        ("mar", [Action(CHOOSE_KIND, choice=0)]),
        ("1", [Action(CHOOSE_KIND, choice=0)]),
    ],
)
def test_what_people_type_is_understood(text: str, actions: list[Action]) -> None:
    assert read_turn(ONYX, text) == tuple(actions)


def test_an_attack_that_ends_a_rescue_or_a_two_step_is_written_as_one() -> None:
    assert write_action(ONYX, Action(RESCUE, cell("d9"), cell("d10")), is_attack=True) == "d9xd10 rescue"
    assert write_action(ONYX, Action(TWO_STEP, cell("d4"), cell("e5"), 0), is_attack=True) == "d4-d5xe5"
    turn = [Action(RESCUE, cell("d9"), cell("d10")), Action(CHOOSE_KIND, choice=1)]
    assert write_turn(ONYX, turn, is_attack=True) == "d9xd10 rescue general"


def test_a_piece_named_like_a_square_or_a_keyword_is_marked() -> None:
    texts = [write_action(AWKWARD, Action(CHOOSE_KIND, choice=kind)) for kind in range(4)]
    assert texts == ["=b2", "=done", "=a1-b1", "=spot"]


def test_two_chosen_squares_alone_are_not_taken_for_a_move() -> None:
    turn = (Action(CHOOSE_CELL, 0, cell("a1")), Action(CHOOSE_CELL, 0, cell("b1")))
    assert write_turn(MINI, turn) == "@a1 b1"
    assert read_turn(MINI, "@a1 b1") == turn


@pytest.mark.parametrize(
    ("text", "column", "sentence"),
    [
        ("", 1, "nothing is written here; expected an action such as d4-d5 or d4xd5."),
        ("d4-k5", 4, "“k5” is not a square of this board; expected a square from a1 to j10."),
        ("d4-d11", 4, "“d11” is not a square of this board; expected a square from a1 to j10."),
        ("d4-d5-e5-e6", 10, "a path has at most three squares; expected two steps such as d4-d5-e5."),
        ("d4-d5-f5", 7, "f5 is not one step further; expected two single steps such as d4-d5-e5."),
        ("d4xd5-e5", 4, "an attack ends the path; expected d4xd5 alone."),
        ("d4-d5 spot d7", 12, "d7 is not next to d5; expected d6, e5, d4 or c5."),
        ("d4xd5 spot d6", 4, "the piece steps before it can spot"),
        ("d4-d5 spot", 11, "“spot” lacks its square; expected a square such as d6."),
        ("d4-d5 spot marshal", 12, "“marshal” is not a square; expected one square such as d6."),
        ("spot d6", 1, "“spot” needs a square before it; expected for example d4 spot."),
        ("advance up", 9, "“up” is not a direction; expected one of north, east, south, west."),
        ("advance", 8, "“advance” lacks its direction"),
        ("power 2", 1, "“power” follows a shot"),
        ("d4 shoot d6 power x", 13, "“power” lacks its number; expected a number such as power 2."),
        ("d5 spot d6 ma", 12, "“ma” could be Marshal or Major; expected more of the name."),
        ("d5 spot d6 wizard", 12, "“wizard” is neither a square nor a piece of this game"),
        ("d5 spot d6 =wizard", 12, "“=wizard” is neither a square nor a piece of this game"),
        ("d4-d5\nd4-z5", 4, "“z5” is not a square of this board"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_what_would_be_right(
    text: str, column: int, sentence: str
) -> None:
    with pytest.raises(NotationError) as refusal:
        read_turn(ONYX, text)
    assert sentence in str(refusal.value)
    assert refusal.value.column == column
    assert refusal.value.line == text.count("\n") + 1


def test_a_square_that_this_board_lacks_is_refused() -> None:
    with pytest.raises(
        NotationError, match="“d4” is not a square of this board; expected a square from a1 to c3"
    ):
        read_turn(MINI, "c3-d4")


def test_pieces_are_called_by_names_labels_and_beginnings_in_either_army() -> None:
    def named(text: str) -> str:
        (action,) = read_turn(LOTR, text)
        return LOTR.kinds[action.choice].id

    assert named("Witch-king") == named("witchking") == named("witch") == "witch-king"
    assert named("gandalf") == "gandalf"
    with pytest.raises(NotationError, match=r"“10” could be .*Gandalf"):
        named("10")


@pytest.mark.parametrize(
    "action",
    [
        Action(0),
        Action(17),
        Action(MOVE, 0, 13),
        Action(MOVE, 13, 255),
        Action(CHOOSE_KIND, choice=99),
        Action(ADVANCE, choice=4),
        Action(SPOT, 13, 13, 2),
    ],
)
def test_what_is_no_action_of_the_board_cannot_be_written(action: Action) -> None:
    with pytest.raises(ValueError, match=r"not"):
        write_action(ONYX, action)
