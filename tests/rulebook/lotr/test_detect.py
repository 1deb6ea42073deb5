"""The Lord of the Rings: Detect Enemy."""

from __future__ import annotations

import pytest

from tests.rulebook.lotr.pieces import CROWD, EVIL, GAMES, GOOD, KNIGHTS, LINES, RING
from tests.rulebook.table import Table


def detections(table: Table, origin: str) -> set[str]:
    """The squares that a piece may name."""
    return {text.split()[-1] for text in table.choices(origin) if " detect " in text}


@pytest.mark.rule("LR-P-04", "LR-X-30")
@pytest.mark.parametrize("game", GAMES)
def test_saruman_detects_any_enemy_up_to_two_squares_away_in_any_combination(game: str) -> None:
    table = Table(game, CROWD.replace(" @", "+9"))
    assert detections(table, "e3") == {*LINES, *KNIGHTS}


@pytest.mark.rule("LR-P-04", "LR-X-30")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("code", ["9", "L"])
def test_aragorn_and_legolas_detect_as_far(game: str, code: str) -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -2
         6   .  .  ~  ~ +2  .  ~  ~  .  .
         5   .  .  ~  ~ +2 +2  ~  ~  .  .
         4   . +3 +2 +2 +2 +2 +3 +3  .  .
         3   . +3 +3 +5  @ +5 +5 +5  .  .
         2   . +B +B +B +B +B +B +4  .  .
         1  +F +X +9 +8 +8 +G +L +K  . +2
    """
    table = Table(game, drawing.replace(" @", f"-{code}"), to_move="north")
    assert detections(table, "e3") == {*LINES, *KNIGHTS}


@pytest.mark.rule("LR-P-02", "LR-P-04")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("square", "kind"), [("e5", "rider"), ("c2", "stronghold"), ("d1", "aragorn")])
def test_the_user_and_the_named_piece_are_shown_and_nothing_else_happens(
    game: str, square: str, kind: str
) -> None:
    table = Table(game, CROWD.replace(" @", "+9")).plays(f"e3 detect {square}")
    assert table.events == [
        f"use detect-enemy e3 on {square}",
        "shown e3 saruman to all",
        f"shown {square} {kind} to all",
        "turn north",
    ]
    assert table.becomes("")
    assert table.known_to("south") == {square: kind}
    assert table.known_to("north") == {"e3": "saruman"}


@pytest.mark.rule("LR-P-04")
@pytest.mark.parametrize("game", GAMES)
def test_a_flag_can_be_detected_and_the_game_goes_on(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         9   .  . +9  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    ).plays("c9 detect a10")
    assert table.shown_to("south") == ["a10 flag"]
    assert table.result == ""
    assert table.to_move == "north"


@pytest.mark.rule("LR-P-04")
@pytest.mark.parametrize("game", GAMES)
def test_only_enemies_are_detected(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  .  . +3  .  .  .  .  .
         3   .  .  .  . +9  . -3  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    assert detections(table, "e3") == {"g3"}


EAST = """
    10  -F  .  .  .  .  .  .  .  . -2
     5  -3  .  ~  ~  .  .  ~  ~  .  .
     4  -5 -5  .  .  .  .  .  .  .  .
     3  -3 -3  .  .  .  .  . -A  . +9
     2  -3  .  .  .  .  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +2
"""
WEST = """
    10  -F  .  .  .  .  .  .  .  . -2
     4   .  .  .  .  .  .  .  .  . -5
     3  +9  . -A  .  .  .  .  . -3 -3
     2   .  .  .  .  .  .  .  . -5 -3
     1  +F  .  .  .  .  .  .  .  . -3
"""
CORNERS = """
    10  -F  .  .  .  .  .  .  . -3 +9
     9   .  .  .  .  .  .  .  .  .  .
     8  -5  .  .  .  .  .  .  .  . -A
     3  -M  .  .  .  .  .  .  .  .  .
     2   .  .  .  .  .  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +2
"""
SOUTH_WEST = """
    10  -F  .  .  .  .  .  .  .  . -3
     3  -A  .  .  .  .  .  .  .  .  .
     2   .  .  .  .  .  .  .  .  . -3
     1  +9 +F  .  .  .  .  .  .  . +2
"""


@pytest.mark.rule("LR-P-04")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("drawing", "origin", "seen"),
    [
        (EAST, "j3", {"h3"}),
        (WEST, "a3", {"c3"}),
        (CORNERS, "j10", {"i10", "j8"}),
        (SOUTH_WEST, "a1", {"a3"}),
    ],
)
def test_the_edge_of_the_board_is_the_end(game: str, drawing: str, origin: str, seen: set[str]) -> None:
    assert detections(Table(game, drawing), origin) == seen


@pytest.mark.rule("LR-P-04")
@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_seen_beyond_the_last_row(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  . +X  . -9
         9   .  .  .  .  .  .  . +2 +2  .
         8   .  .  .  .  .  .  .  . +2 +2
         2  +2 +2 +2 +2  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        to_move="north",
    )
    assert detections(table, "j10") == {"h10", "h9", "i9", "i8", "j8"}


@pytest.mark.rule("LR-P-04")
@pytest.mark.parametrize("game", GAMES)
def test_nobody_else_detects(game: str) -> None:
    for code in EVIL.keys() - {"9"}:
        table = Table(game, CROWD.replace(" @", f"+{code}"))
        assert not detections(table, ""), code
    for code in GOOD.keys() - {"9", "L"}:
        table = Table(
            game,
            f"""
            10  -F  .  .  .  .  .  .  .  . -3
             4   .  .  . +3 +3 +3  .  .  .  .
             3   .  .  . +2 -{code}  . +2  .  .  .
             1  +F  .  .  .  .  .  .  .  . +2
            """,
            to_move="north",
        )
        assert not detections(table, ""), code


@pytest.mark.rule("LR-P-04")
def test_nobody_detects_in_the_classic_game() -> None:
    assert not detections(Table("lotr/classic", CROWD.replace(" @", "+9")), "")


@pytest.mark.rule("LR-X-31")
@pytest.mark.parametrize("game", GAMES)
def test_a_piece_that_is_already_known_may_be_detected_again(game: str) -> None:
    table = Table(game, CROWD.replace(" @", "+9")).plays("e3 detect e5", "j10-j9")
    assert detections(table, "e3") == {*LINES, *KNIGHTS}


@pytest.mark.rule("LR-X-31")
@pytest.mark.parametrize("game", GAMES)
def test_with_detect_known_off_only_unknown_pieces_are_detected(game: str) -> None:
    table = Table(game, CROWD.replace(" @", "+9"), detect_known="off").plays("e3 detect e5", "j10-j9")
    assert detections(table, "e3") == {*LINES, *KNIGHTS} - {"e5"}


@pytest.mark.rule("LR-X-31")
def test_with_detect_known_off_the_longbow_may_still_aim_at_known_pieces() -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  .  . -L  .  .  .  .  .
         2   .  .  .  . +3  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
    """
    table = Table(RING, drawing, to_move="north", detect_known="off").plays("e4 detect e2", "j1-j2")
    assert table.refuses("e4 detect e2")
    assert table.allows("e4 shoot e2")


@pytest.mark.rule("LR-X-27", "LR-P-01")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("power", ["detect", "shoot"])
def test_legolas_has_two_powers_and_uses_one_of_them_in_a_turn(game: str, power: str) -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  .  . -L  .  .  .  .  .
         2   .  .  .  . +G  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
    """
    table = Table(game, drawing, to_move="north")
    steps = {"e4-e5", "e4-e3", "e4-d4", "e4-f4"}
    assert table.choices("e4") == {*steps, "e4 detect e2", "e4 shoot e2"}
    table.plays(f"e4 {power} e2")
    assert table.to_move == "south"
    assert not table.state.is_turn_open


@pytest.mark.rule("LR-P-04", "LR-R-04")
def test_detection_shows_frodo_and_no_more() -> None:
    table = Table(
        RING,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  .  . -D  .  .  .  .  .
         3   .  .  .  . +9  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    ).plays("e3 detect e4")
    assert table.shown_to("south") == ["e4 frodo"]
    assert table.becomes("")


@pytest.mark.rule("CM-19")
@pytest.mark.parametrize("game", GAMES)
def test_a_detection_breaks_the_chain_of_the_two_square_rule(game: str) -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -2
         3   .  .  .  . +9  . -3  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
    """
    table = Table(game, drawing).plays("e3-f3", "j10-j9", "f3-e3", "j9-j10")
    assert table.refuses("e3-f3")
    table.plays("e3 detect g3", "j10-i10")
    assert table.allows("e3-f3")
