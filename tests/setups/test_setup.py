"""A setup is right or there is none: counts, squares, and the sentence that says what is wrong."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from flagfall.board import cell_name, parse_cell
from flagfall.edition import Game
from flagfall.setups import Setup, SetupError, mirrored, random_setup, setup_from_squares, swapped
from flagfall.sides import Side
from tests.boxes import AWKWARD, BARRAGE, DUEL, GAMES, LOTR, MINI, ONYX, game_name

every_game = pytest.mark.parametrize("game", GAMES, ids=game_name)


def squares_of(setup: Setup) -> dict[str, str]:
    return {cell_name(cell): setup.game.kinds[kind].id for cell, kind in setup.kinds.items()}


@every_game
@pytest.mark.parametrize("side", [0, 1])
def test_a_random_setup_has_the_whole_army_on_home_squares(game: Game, side: int) -> None:
    setup = random_setup(game, side, Random(1))
    counts = Counter(setup.kinds.values())
    assert tuple(counts[kind] for kind in range(len(game.kinds))) == game.rosters[side]
    assert set(setup.kinds) <= set(game.board.home(side))


def test_every_random_setup_is_equally_likely() -> None:
    rng = Random(2)
    seen = Counter(random_setup(MINI, 0, rng) for _ in range(6000))
    assert len(seen) == 6
    assert all(880 < times < 1120 for times in seen.values())


@every_game
def test_a_setup_comes_back_from_its_squares(game: Game) -> None:
    setup = random_setup(game, 1, Random(3))
    assert setup_from_squares(game, 1, squares_of(setup)) == setup


def test_equal_setups_count_once_in_a_set() -> None:
    assert len({random_setup(ONYX, 0, Random(4)), random_setup(ONYX, 0, Random(4))}) == 1
    assert random_setup(ONYX, 0, Random(4)) != random_setup(ONYX, 0, Random(5))
    assert random_setup(ONYX, 0, Random(4)) != "a setup"


def test_a_label_shared_in_an_army_needs_the_letter_or_the_name() -> None:
    setup = random_setup(LOTR, 1, Random(4))
    squares = squares_of(setup)
    gimli = next(square for square, kind in squares.items() if kind == "gimli")
    assert setup_from_squares(LOTR, 1, squares | {gimli: "G"}) == setup
    with pytest.raises(SetupError, match=f"“8” on {gimli} is not one piece of North's army"):
        setup_from_squares(LOTR, 1, squares | {gimli: "8"})


def test_a_mirrored_setup_exchanges_left_and_right() -> None:
    setup = setup_from_squares(MINI, 0, {"a1": "flag", "b1": "Marshal", "c1": "spy"})
    assert squares_of(mirrored(setup)) == {"a1": "spy", "b1": "marshal", "c1": "flag"}


def test_a_setup_cannot_be_mirrored_into_a_zone() -> None:
    setup = setup_from_squares(AWKWARD, 0, {"a1": "b2", "c1": "done", "a2": "a1-b1", "b2": "spot"})
    with pytest.raises(
        SetupError, match=r"^done is placed on b1, where no piece may stand; South sets up on"
    ):
        mirrored(setup)


def test_swapping_exchanges_two_squares_of_which_one_may_be_empty() -> None:
    setup = random_setup(DUEL, 0, Random(6))
    full, empty = next(iter(setup.kinds)), next(c for c in DUEL.board.home(0) if c not in setup.kinds)
    after = swapped(setup, full, empty)
    assert after.kinds[empty] == setup.kinds[full]
    assert full not in after.kinds
    assert swapped(after, full, empty) == setup


def test_swapping_with_a_square_outside_home_is_refused() -> None:
    with pytest.raises(
        SetupError, match=r"^b5 is not one of South's home squares; South sets up on rows 1–4\.$"
    ):
        swapped(random_setup(ONYX, 0, Random(7)), parse_cell("a1"), parse_cell("b5"))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"a1": "scout"}, "The setup has 0 Flags where the army has 1 and 2 Scouts where the army has 1."),
        ({"b3": "scout"}, "Scout is placed on b3, outside South's home rows; South sets up on row 1."),
        ({"e1": "scout"}, "Scout is placed on e1, which is not on the board; South sets up on row 1."),
        ({"k1": "scout"}, "“k1” is not a square; squares are a letter a–j and a number 1–10, such as d4."),
        ({"A1": "flag"}, "Square a1 is named twice; each square holds one piece."),
        (
            {"a1": "bomb"},
            "“bomb” on a1 is not one piece of South's army, which has Marshal, Scout, Spy, Flag.",
        ),
    ],
)
def test_a_wrong_mapping_is_refused_with_one_sentence(changes: dict[str, str], sentence: str) -> None:
    game = next(game for game in GAMES if game.id == "mini/3x4")
    squares = {"a1": "flag", "b1": "marshal", "c1": "spy", "d1": "scout"} | changes
    with pytest.raises(SetupError) as refusal:
        setup_from_squares(game, 0, squares)
    # the order of the kinds is the box's own
    assert sorted(str(refusal.value).split()) == sorted(sentence.split())


def test_a_piece_in_a_lake_is_refused() -> None:
    squares = squares_of(random_setup(BARRAGE, 0, Random(8)))
    square, kind = squares.popitem()
    with pytest.raises(
        SetupError, match=r"is placed on c5, where no piece may stand; South sets up on rows 1–4\.$"
    ):
        setup_from_squares(BARRAGE, 0, squares | {"c5": kind})
    assert square != "c5"


def test_a_setup_that_breaks_the_rules_cannot_be_made_directly() -> None:
    with pytest.raises(SetupError, match="0 Marshals where the army has 1"):
        Setup(MINI, Side.SOUTH, {})
    with pytest.raises(SetupError, match="unknown kind 99"):
        Setup(MINI, Side.SOUTH, dict.fromkeys(MINI.board.home(0), 99))
    with pytest.raises(SetupError, match="cell 7000,"):
        Setup(MINI, Side.SOUTH, {7000: 0})


def test_a_setup_cannot_be_changed_after_it_was_checked() -> None:
    kinds = dict(random_setup(MINI, 0, Random(9)).kinds)
    setup = Setup(MINI, Side.SOUTH, kinds)
    kinds.clear()
    assert len(setup.kinds) == 3
    with pytest.raises(TypeError):
        setup.kinds[13] = 0  # type: ignore[index]
