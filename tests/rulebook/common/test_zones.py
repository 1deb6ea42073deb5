"""Where the zones are: no piece enters them, no runner crosses them, everything else is a square."""

from __future__ import annotations

import pytest

from flagfall.edition import load_game
from tests.rulebook.table import Table

TEN_BY_TEN = ["onyx/classic", "duel-masters/classic", "lotr/classic", "barrage/classic"]
TEN_BY_EIGHT = ["fire-and-ice/classic", "spin-master/standard", "spin-master/duel"]


def runner(game: str) -> str:
    """The code of South’s runner."""
    return next(
        kind.code
        for kind, count in zip(load_game(game).kinds, load_game(game).rosters[0], strict=True)
        if count and any(power.verb == "run" for power in load_game(game).abilities(kind))
    )


def reach(game: str, square: str, rows: int) -> set[str]:
    """The squares that South’s runner reaches from a square of the empty board (Flags in two corners)."""
    column, row = "abcdefghij".index(square[0]), int(square[1:])
    lines = []
    for number in range(rows, 0, -1):
        middle = number in (rows // 2, rows // 2 + 1)
        cells = ["~" if middle and at in (2, 3, 6, 7) else "." for at in range(10)]
        if number == row:
            cells[column] = "+" + runner(game)
        if number in (1, rows):
            cells[0] = "+F" if number == 1 else "-F"
        lines.append(f"{number} " + " ".join(cells))
    return {text.split("-")[1] for text in Table(game, "\n".join(lines)).choices() if "-" in text}


@pytest.mark.rule("CM-01")
@pytest.mark.parametrize("game", TEN_BY_TEN)
def test_on_ten_rows_the_zones_are_c5_to_d6_and_g5_to_h6(game: str) -> None:
    assert reach(game, "b5", 10) == {"a5", *(f"b{row}" for row in (1, 2, 3, 4, 6, 7, 8, 9, 10))}
    assert reach(game, "e6", 10) == {"f6", *(f"e{row}" for row in (1, 2, 3, 4, 5, 7, 8, 9, 10))}
    assert reach(game, "j5", 10) == {"i5", *(f"j{row}" for row in (1, 2, 3, 4, 6, 7, 8, 9, 10))}
    for column in "cdgh":
        along = {f"{other}4" for other in "abcdefghij" if other != column}
        assert reach(game, f"{column}4", 10) == along | {f"{column}{row}" for row in (1, 2, 3)}
        along = {f"{other}7" for other in "abcdefghij" if other != column}
        assert reach(game, f"{column}7", 10) == along | {f"{column}{row}" for row in (8, 9, 10)}


@pytest.mark.rule("CM-01")
@pytest.mark.parametrize("game", TEN_BY_EIGHT)
def test_on_eight_rows_the_zones_are_c4_to_d5_and_g4_to_h5(game: str) -> None:
    assert reach(game, "b4", 8) == {"a4", *(f"b{row}" for row in (1, 2, 3, 5, 6, 7, 8))}
    assert reach(game, "e5", 8) == {"f5", *(f"e{row}" for row in (1, 2, 3, 4, 6, 7, 8))}
    assert reach(game, "j4", 8) == {"i4", *(f"j{row}" for row in (1, 2, 3, 5, 6, 7, 8))}
    for column in "cdgh":
        along = {f"{other}3" for other in "abcdefghij" if other != column}
        assert reach(game, f"{column}3", 8) == along | {f"{column}{row}" for row in (1, 2)}
        along = {f"{other}6" for other in "abcdefghij" if other != column}
        assert reach(game, f"{column}6", 8) == along | {f"{column}{row}" for row in (7, 8)}


@pytest.mark.rule("CM-01")
def test_a_mini_board_has_no_zone() -> None:
    table = Table(
        "mini/3x4",
        """
        3   .  . -F -X
        2  +2  .  .  .
        1  +F  .  .  .
        """,
    )
    assert table.choices("a2") == {"a2-b2", "a2-c2", "a2-d2", "a2-a3"}
