"""Setup texts: written and read back, forgiving about layout, precise about mistakes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.board import parse_cell
from flagfall.edition import Game
from flagfall.setups import SetupError, random_setup, read_setup, write_setup
from tests.boxes import DUEL, GAMES, MINI, ONYX, game_name

RIGHT = "8B64B8B8BF/689755778B/945B963697/9519924s93"


@pytest.mark.parametrize("game", GAMES, ids=game_name)
@pytest.mark.parametrize("side", [0, 1])
def test_every_setup_comes_back_from_its_text(game: Game, side: int) -> None:
    rng = Random(10)
    for _ in range(20):
        setup = random_setup(game, side, rng)
        text = write_setup(setup)
        assert read_setup(game, side, text) == setup
        assert read_setup(game, side, text.replace("/", "")) == setup
        assert read_setup(game, side, "\ufeff " + text.replace("/", " /\r\n ") + "\n") == setup


def test_the_text_begins_with_the_own_back_row_and_column_a_for_both_sides() -> None:
    flag = ONYX.kind_index("flag")
    text = "F" + RIGHT.replace("F", "8")[1:]
    assert read_setup(ONYX, 0, text).cells_of(flag) == [parse_cell("a1")]
    assert read_setup(ONYX, 1, text).cells_of(flag) == [parse_cell("a10")]


def test_letters_may_be_written_in_the_other_case_where_that_is_clear() -> None:
    assert read_setup(ONYX, 0, RIGHT.lower()) == read_setup(ONYX, 0, RIGHT)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            RIGHT.replace("s", "9"),
            r"^The setup has 9 Scouts where the army has 8 and 0 Spies where the army has 1\.$",
        ),
        (RIGHT.replace("s", "."), r"^The setup has 0 Spies where the army has 1\.$"),
        (
            "8BZ" + RIGHT[3:],
            r"^“Z” on c1 is not a piece of South's army; its letters are 1 Marshal, .*F Flag, and \. for",
        ),
        (RIGHT[:-1], r"^Row 4 of the setup \(a4–j4\) has 9 squares where the board has 10\.$"),
        (RIGHT + "9", r"^Row 4 of the setup \(a4–j4\) has 11 squares where the board has 10\.$"),
        (RIGHT + "/" + "." * 10, r"^The setup has 5 rows where there are 4 home rows: 4 rows of 10\.$"),
        (
            RIGHT[:10],
            r"^The setup has 10 squares where South's home has 40: 4 rows of 10, \. for an empty one\.$",
        ),
        (RIGHT.replace("/", "") + "99", r"^The setup has 42 squares where South's home has 40"),
        ("", r"^The setup has 0 squares where South's home has 40"),
    ],
)
def test_a_wrong_text_is_refused_with_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        read_setup(ONYX, 0, text)


def test_the_error_knows_the_place_in_the_text_and_the_square() -> None:
    with pytest.raises(SetupError) as refusal:
        read_setup(ONYX, 1, RIGHT.replace("/", "\n").replace("4s93", "4s9?"))
    assert (refusal.value.line, refusal.value.column, refusal.value.square) == (4, 10, "j7")


@settings(deadline=None)
@given(st.sampled_from((MINI, DUEL, ONYX)), st.text() | st.text("FB123456789sX./ \n", max_size=50))
def test_any_text_is_a_setup_or_refused_at_a_place_inside_it(game: Game, text: str) -> None:
    refusal: SetupError | None = None
    try:
        setup = read_setup(game, 0, text)
    except SetupError as error:
        refusal = error
    if refusal is None:
        assert read_setup(game, 0, write_setup(setup)) == setup
    else:
        lines = text.split("\n")
        assert 1 <= refusal.line <= len(lines)
        assert 1 <= refusal.column <= len(lines[refusal.line - 1]) + 1
