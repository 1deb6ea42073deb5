"""The Lord of the Rings: the Longbow."""

from __future__ import annotations

import pytest

from tests.rulebook.lotr.pieces import CROWD, EVIL, GAMES, GOOD, KNIGHTS, LINES, POWERS, RING
from tests.rulebook.table import Table

ARCHERS = {"L": 8, "R": 7, "5": 5}


def aims(table: Table, origin: str) -> set[str]:
    """The squares that a piece may shoot at."""
    return {text.split()[-1] for text in table.choices(origin) if " shoot " in text}


def range_of(game: str, evil: str, good: str, *, side: str, **options: str) -> Table:
    """An archer and a piece two squares away from it."""
    return Table(
        game,
        f"""
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  .  . -{good}  .  .  .  .  .
         2   .  .  .  . +{evil}  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        to_move=side,
        **options,
    )


@pytest.mark.rule("LR-P-05", "LR-X-07")
@pytest.mark.parametrize("game", GAMES)
def test_an_archer_reaches_two_squares_along_the_eight_lines(game: str) -> None:
    table = Table(game, CROWD.replace(" @", "+4"))
    assert aims(table, "e3") == {*LINES}


@pytest.mark.rule("LR-X-07")
@pytest.mark.parametrize("game", GAMES)
def test_with_longbow_range_square_it_reaches_two_squares_in_any_combination(game: str) -> None:
    table = Table(game, CROWD.replace(" @", "+4"), longbow_range="square")
    assert aims(table, "e3") == {*LINES, *KNIGHTS}


@pytest.mark.rule("LR-X-07")
def test_longbow_range_does_not_change_how_far_detection_goes() -> None:
    table = Table(RING, CROWD.replace(" @", "+9"), longbow_range="square")
    assert not aims(table, "e3")
    lines = Table(RING, CROWD.replace(" @", "+9"), longbow_range="lines")
    assert {"e3 detect f5", "e3 detect c2"} <= lines.choices("e3")


@pytest.mark.rule("LR-P-05", "LR-X-30")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("between", ["+3", "-3", "-B"])
def test_an_arrow_flies_over_friends_and_enemies(game: str, between: str) -> None:
    table = Table(
        game,
        f"""
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  .  . -2  .  .  .  .  .
         3   .  .  .  . {between}  .  .  .  .  .
         2   .  .  .  . +4  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    ).plays("e2 shoot e4")
    assert table.becomes("""
         4   .  .  .  .  .  .  .  .  .  .
    """)
    assert "e3" not in table.known_to("south")
    assert "e3" not in table.known_to("north")


@pytest.mark.rule("LR-P-05", "LR-X-30")
@pytest.mark.parametrize("game", GAMES)
def test_an_arrow_flies_over_a_forbidden_zone(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         6   .  .  ~  ~ -2  .  ~  ~  .  .
         5   .  .  ~  ~  .  .  ~  ~  .  .
         4   .  . +4  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    ).plays("c4 shoot e6")
    assert table.becomes("""
         6   .  .  ~  ~  .  .  ~  ~  .  .
    """)


@pytest.mark.rule("LR-P-02", "LR-P-05")
@pytest.mark.parametrize("game", GAMES)
def test_a_weaker_target_is_captured_and_the_archer_stays_where_it_is(game: str) -> None:
    table = range_of(game, "4", "3", side="south").plays("e2 shoot e4")
    assert table.events == [
        "use longbow e2 on e4",
        "shown e2 haradrim to all",
        "shown e4 soldier to all",
        "removed e4",
        "turn north",
    ]
    assert table.becomes("""
         4   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("LR-P-05", "LR-X-10")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("code", "kind"), [("A", "sam"), ("5", "elf"), ("X", "gandalf")])
def test_an_equal_or_stronger_target_is_shown_and_both_stay(game: str, code: str, kind: str) -> None:
    table = range_of(game, "4", code, side="south").plays("e2 shoot e4")
    assert table.events == [
        "use longbow e2 on e4",
        "shown e2 haradrim to all",
        f"shown e4 {kind} to all",
        "nothing e4",
        "turn north",
    ]
    assert table.becomes("")
    assert table.known_to("south") == {"e4": kind}
    assert table.known_to("north") == {"e2": "haradrim"}


@pytest.mark.rule("LR-P-05", "LR-X-08", "LR-X-10", "CM-12")
@pytest.mark.parametrize("game", GAMES)
def test_each_archer_captures_just_what_has_a_lower_number_or_none(game: str) -> None:
    for archer, strength in ARCHERS.items():
        for code, number in EVIL.items():
            table = range_of(game, code, archer, side="north").plays("e4 shoot e2")
            is_captured = number < strength and code != "5"
            assert ("removed e2" in table.events) == is_captured, (archer, code)
            assert "removed e4" not in table.events
    for code, number in GOOD.items():
        table = range_of(game, "4", code, side="south").plays("e2 shoot e4")
        assert ("removed e4" in table.events) == (number < 4), code


@pytest.mark.rule("LR-P-06", "LR-X-09")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("code", "kind"), [("B", "stronghold"), ("5", "berzerker")])
@pytest.mark.parametrize("archer", ["L", "R"])
def test_strongholds_and_berzerkers_are_shown_but_immune(
    game: str, code: str, kind: str, archer: str
) -> None:
    table = range_of(game, code, archer, side="north").plays("e4 shoot e2")
    assert table.becomes("")
    assert table.shown_to("north") == [f"e2 {kind}"]
    assert table.events[-2:] == ["nothing e2", "turn south"]


@pytest.mark.rule("LR-P-06", "LR-X-09")
@pytest.mark.parametrize("game", GAMES)
def test_the_archers_of_evil_cannot_harm_a_stronghold_either(game: str) -> None:
    table = range_of(game, "4", "B", side="south").plays("e2 shoot e4")
    assert table.shown_to("south") == ["e4 stronghold"]
    assert table.becomes("")


@pytest.mark.rule("LR-P-06", "LR-X-09", "CM-12")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("side", ["south", "north"])
def test_a_flag_is_shown_but_immune_and_the_game_goes_on(game: str, side: str) -> None:
    drawing = """
        10  -F  . +4  .  .  .  .  .  .  .
         1  +F  . -5  .  .  .  .  .  .  .
    """
    shot = "c10 shoot a10" if side == "south" else "c1 shoot a1"
    table = Table(game, drawing, to_move=side).plays(shot)
    assert table.shown_to(side) == [f"{shot.split()[-1]} flag"]
    assert table.becomes("")
    assert table.result == ""


@pytest.mark.rule("LR-P-05")
@pytest.mark.parametrize("game", GAMES)
def test_a_neighbour_may_be_shot_at_or_attacked(game: str) -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -2
         3   .  .  .  . -5 -3  .  .  .  .
         2   .  .  .  . +4  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
    """
    assert {"e2 shoot e3", "e2xe3", "e2 shoot f3"} <= Table(game, drawing).choices("e2")
    assert Table(game, drawing).plays("e2 shoot e3").becomes("")
    assert (
        Table(game, drawing)
        .plays("e2 shoot f3")
        .becomes("""
         3   .  .  .  . -5  .  .  .  .  .
    """)
    )


@pytest.mark.rule("LR-P-05")
@pytest.mark.parametrize("game", GAMES)
def test_only_enemies_within_two_squares_are_aimed_at(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  .  . +3  .  .  .  .  .
         2   .  . +B  . +4  .  . -3  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    assert aims(table, "e2") == set()


@pytest.mark.rule("LR-P-05")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("longbow_range", ["lines", "square"])
def test_no_arrow_flies_round_the_edge_of_the_board(game: str, longbow_range: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         5  -3 -3  ~  ~  .  .  ~  ~  .  .
         4  -3 -3  .  .  .  .  .  .  .  .
         3  -3  .  .  .  .  .  .  .  . +4
         2  -5 -5  .  .  .  .  .  .  . -2
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        longbow_range=longbow_range,
    )
    assert aims(table, "j3") == {"j2"}


@pytest.mark.rule("LR-P-05")
@pytest.mark.parametrize("game", GAMES)
def test_nobody_else_has_a_longbow(game: str) -> None:
    for code in EVIL.keys() - {"4"}:
        assert not aims(range_of(game, code, "3", side="south"), ""), code
    for code in GOOD.keys() - ARCHERS.keys():
        assert not aims(range_of(game, "3", code, side="north"), ""), code
    assert not aims(range_of("lotr/classic", "4", "3", side="south"), "")


@pytest.mark.rule("LR-P-01")
@pytest.mark.parametrize("game", GAMES)
def test_after_a_shot_the_turn_is_over(game: str) -> None:
    table = range_of(game, "4", "3", side="south").plays("e2 shoot e4")
    assert table.to_move == "north"
    assert not table.state.is_turn_open


@pytest.mark.rule("CM-05")
@pytest.mark.parametrize("game", GAMES)
def test_a_piece_that_can_only_shoot_has_not_lost(game: str) -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -2
         2  +B  .  .  .  .  .  .  .  .  .
         1  +4 +B -B +F  .  .  .  .  .  .
    """
    table = Table(game, drawing)
    assert table.result == ""
    assert table.choices() == {"a1 shoot c1"}


@pytest.mark.rule("CM-16")
@pytest.mark.parametrize("game", GAMES)
def test_a_shot_that_captures_is_progress_and_one_without_effect_is_not(game: str) -> None:
    table = range_of(game, "4", "3", side="south", no_progress_draw="3").plays("j1-i1", "j10-i10")
    assert table.plays("e2 shoot e4").result == ""
    table = range_of(game, "4", "5", side="south", no_progress_draw="3").plays("j1-i1", "j10-i10")
    assert table.plays("e2 shoot e4").result == "draw no progress"


@pytest.mark.rule("CM-19")
@pytest.mark.parametrize("game", GAMES)
def test_a_shot_breaks_the_chain_of_the_two_square_rule(game: str) -> None:
    table = range_of(game, "4", "5", side="south").plays("e2-f2", "j10-j9", "f2-e2", "j9-j10")
    assert table.refuses("e2-f2")
    table.plays("e2 shoot e4", "j10-i10")
    assert table.allows("e2-f2")


@pytest.mark.rule("LR-R-05")
def test_a_longbow_does_not_harm_frodo_who_is_shown() -> None:
    table = range_of(RING, "4", "D", side="south").plays("e2 shoot e4")
    assert table.becomes("")
    assert table.shown_to("south") == ["e4 frodo"]
    assert table.events[-2:] == ["nothing e4", "turn north"]


@pytest.mark.rule("LR-X-12", "LR-R-05")
def test_with_frodo_tie_kills_a_shot_at_frodo_still_harms_nobody() -> None:
    table = range_of(RING, "4", "D", side="south", frodo_tie_kills="on").plays("e2 shoot e4")
    assert table.becomes("")


@pytest.mark.rule("LR-P-12")
def test_without_the_ring_frodo_is_an_equal_for_the_haradrim() -> None:
    table = range_of(POWERS, "4", "D", side="south").plays("e2 shoot e4")
    assert table.events[-2:] == ["nothing e4", "turn north"]
