"""The Lord of the Rings: the Rampage of a Berzerker."""

from __future__ import annotations

import pytest

from tests.rulebook.lotr.pieces import EVIL, GAMES, GOOD, POWERS, RING
from tests.rulebook.table import Table

AROUND = """
    10  -F  .  .  .  .  .  .  .  . -2
     5   .  .  ~  ~ -2  .  ~  ~  .  .
     4   .  . -2 -5 -B -O -2  .  .  .
     3   .  .  . +3  . -s  .  .  .  .
     2   .  .  . -3 +5 -X  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +2
"""
"""The Berzerker steps to e3; c4, g4 and e5 are two squares away from there"""


def rampages(table: Table) -> set[str]:
    """The steps that may be followed by a rampage."""
    return {text for text in table.choices() if text.endswith("rampage")}


@pytest.mark.rule("LR-P-10", "LR-P-11")
@pytest.mark.parametrize("game", GAMES)
def test_a_rampage_takes_equals_the_weaker_and_strongholds_all_around_and_the_berzerker_is_removed(
    game: str,
) -> None:
    table = Table(game, AROUND).plays("e2-e3 rampage")
    assert table.becomes("""
         4   .  . -2  .  . -O -2  .  .  .
         3   .  .  . +3  .  .  .  .  .  .
         2   .  .  .  .  . -X  .  .  .  .
    """)


@pytest.mark.rule("LR-P-10", "LR-P-11", "LR-P-02")
@pytest.mark.parametrize("game", GAMES)
def test_it_steps_and_is_shown_then_all_its_enemies_are_shown_then_they_fall_and_it_goes(game: str) -> None:
    table = Table(game, AROUND).plays("e2-e3 rampage")
    assert table.events == [
        "move e2-e3",
        "use rampage e3",
        "shown e3 berzerker to all",
        "shown e4 stronghold to all",
        "shown f4 boromir to all",
        "shown f3 eowyn to all",
        "shown f2 gandalf to all",
        "shown d2 soldier to all",
        "shown d4 elf to all",
        "removed e4",
        "nothing f4",
        "removed f3",
        "nothing f2",
        "removed d2",
        "removed d4",
        "removed e3",
        "turn north",
    ]
    assert table.known_to("south") == {"f4": "boromir", "f2": "gandalf"}
    assert table.known_to("north") == {}


@pytest.mark.rule("LR-P-10")
@pytest.mark.parametrize("game", GAMES)
def test_everybody_with_its_number_or_a_lower_one_falls_and_nobody_else(game: str) -> None:
    for code, number in {**GOOD, "B": 0}.items():
        table = next_to(game, code).plays("e2-e3 rampage")
        is_frodo = game == RING and code == "D"
        assert ("removed e4" in table.events) == (number <= 5 and not is_frodo), code
        assert "removed e3" in table.events, code


def next_to(game: str, code: str) -> Table:
    """A Berzerker steps from e2 to e3, where one enemy is its neighbour."""
    return Table(
        game,
        f"""
        10  {"." if code == "F" else "-F"}  .  .  .  .  .  .  .  . -2
         4   .  .  .  . -{code}  .  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )


@pytest.mark.rule("LR-P-11")
@pytest.mark.parametrize("game", GAMES)
def test_the_berzerker_is_removed_even_if_nobody_falls(game: str) -> None:
    table = next_to(game, "X").plays("e2-e3 rampage")
    assert table.events[-3:] == ["nothing e4", "removed e3", "turn north"]
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("LR-P-10", "LR-X-32", "CM-12")
@pytest.mark.parametrize("game", GAMES)
def test_a_flag_is_shown_and_stays(game: str) -> None:
    table = next_to(game, "F").plays("e2-e3 rampage")
    assert table.shown_to("south") == ["e4 flag"]
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.result == ""


@pytest.mark.rule("LR-X-13", "LR-R-04")
def test_frodo_is_shown_but_not_taken() -> None:
    table = next_to(RING, "D").plays("e2-e3 rampage")
    assert table.events[-4:] == ["shown e4 frodo to all", "nothing e4", "removed e3", "turn north"]
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("LR-P-12", "LR-X-13")
def test_without_the_ring_frodo_falls_as_any_four() -> None:
    table = next_to(POWERS, "D").plays("e2-e3 rampage")
    assert table.becomes("""
         4   .  .  .  .  .  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("LR-X-18")
@pytest.mark.parametrize("game", GAMES)
def test_the_berzerker_must_step_and_a_target_must_be_in_reach_from_there(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  .  . -3  .  .  .  .  .
         3   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    steps = {"e3-d3", "e3-f3", "e3-e2"}
    assert table.choices("e3") == {*steps, "e3xe4", "e3-d3 rampage", "e3-f3 rampage"}


@pytest.mark.rule("LR-X-18")
@pytest.mark.parametrize("game", GAMES)
def test_friends_alone_are_no_reason_to_rampage(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  . +3  .  .  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    assert rampages(table) == set()


@pytest.mark.rule("LR-P-10")
@pytest.mark.parametrize("game", GAMES)
def test_a_rampage_begins_with_a_step_onto_an_open_square(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         5   . -3  ~  ~  .  .  ~  ~  .  .
         4   .  . +5 -3  .  .  .  .  .  .
         3   . -3 +3  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    assert table.choices("c4") == {"c4-b4", "c4xd4", "c4-b4 rampage"}


@pytest.mark.rule("LR-P-01", "LR-P-10")
@pytest.mark.parametrize("game", GAMES)
def test_a_plain_step_next_to_enemies_is_only_a_step(game: str) -> None:
    table = Table(game, AROUND).plays("e2-e3")
    assert table.events == ["move e2-e3", "turn north"]
    assert table.known_to("north") == table.known_to("south") == {}


@pytest.mark.rule("LR-P-10")
@pytest.mark.parametrize("game", GAMES)
def test_nobody_else_rampages(game: str) -> None:
    for code in EVIL.keys() - {"5"}:
        assert not rampages(Table(game, AROUND.replace("+5", f"+{code}"))), code
    assert not rampages(Table("lotr/classic", AROUND))


@pytest.mark.rule("CM-19")
@pytest.mark.parametrize("game", GAMES)
def test_a_step_that_the_two_square_rule_bars_is_barred_with_a_rampage_too(game: str) -> None:
    table = next_to(game, "3").plays("e2-e3", "j10-j9", "e3-e2", "j9-j10")
    assert table.refuses("e2-e3")
    assert table.refuses("e2-e3 rampage")


@pytest.mark.rule("LR-P-11", "LR-T-03")
@pytest.mark.parametrize("game", GAMES)
def test_a_piece_that_rampages_with_the_last_movable_piece_loses_on_the_next_turn(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  .  . -3  .  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    ).plays("e2-e3 rampage")
    assert table.result == ""
    assert table.plays("j10-j9").result == "north no move"


@pytest.mark.rule("CM-10", "CM-21")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("both_stuck", "result"), [("side_to_move_loses", "south no move"), ("draw", "draw both stuck")]
)
def test_when_a_rampage_removes_the_last_movable_pieces_of_both_the_next_to_move_is_asked(
    game: str, both_stuck: str, result: str
) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  .  .
         4   .  .  .  . -3  .  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        both_stuck=both_stuck,
    ).plays("e2-e3 rampage")
    assert table.result == result
