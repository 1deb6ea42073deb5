"""The Lord of the Rings: Gimli's Dwarven Axe."""

from __future__ import annotations

import pytest

from tests.rulebook.lotr.pieces import EVIL, GAMES, GOOD
from tests.rulebook.table import Table

AROUND = """
    10  -F  .  .  .  .  .  .  .  . -2
     9   .  .  .  . -G  .  .  .  .  .
     8   .  .  . +3  . +2  .  .  .  .
     7   .  . +2 +L +8 +B +2  .  .  .
     6   .  .  ~  ~ +2  .  ~  ~  .  .
     1  +F  .  .  .  .  .  .  .  . +2
"""
"""Gimli steps to e8; d8, f8, d7, e7 and f7 are his neighbours there, c7, g7 and e6 are not"""


def swings(table: Table) -> set[str]:
    """The steps that may be followed by a swing."""
    return {text for text in table.choices() if text.endswith("swing")}


def facing(game: str, *codes: str) -> Table:
    """Gimli steps from e9 to e8, with these pieces in front of him on d7, e7, f7."""
    row = [f"+{code}" for code in codes] + ["."] * (3 - len(codes))
    return Table(
        game,
        f"""
        10  -F  .  .  .  .  .  .  .  . -2
         9   .  .  .  . -G  .  .  .  .  .
         7   .  .  . {" ".join(row)}  .  .  .  .
         1  {"." if "F" in codes else "+F"}  .  .  .  .  .  .  .  . +2
        """,
        to_move="north",
    )


@pytest.mark.rule("LR-P-07", "LR-P-02")
@pytest.mark.parametrize("game", GAMES)
def test_gimli_steps_and_is_shown_and_then_targets_are_asked_for(game: str) -> None:
    table = Table(game, AROUND, to_move="north").plays("e9-e8 swing")
    assert table.events == ["move e9-e8", "use dwarven-axe e8", "shown e8 gimli to all"]
    assert table.to_move == "north"
    assert table.state.is_turn_open
    assert table.choices() == {"d8", "f8", "d7", "e7", "f7"}
    assert table.known_to("north") == {}


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_one_two_or_three_targets_are_chosen_and_until_then_nothing_is_told(game: str) -> None:
    table = Table(game, AROUND, to_move="north").plays("e9-e8 swing", "d8")
    assert table.events == []
    assert table.choices() == {"f8", "d7", "e7", "f7", "done"}
    table.plays("d7")
    assert table.events == []
    assert table.choices() == {"f8", "e7", "f7", "done"}
    assert table.known_to("north") == {}
    table.plays("f8")
    assert table.events == [
        "shown f8 warg-rider to all",
        "shown d7 lurtz to all",
        "shown d8 orc to all",
        "removed f8",
        "removed d7",
        "removed d8",
        "turn south",
    ]


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_done_ends_the_choice_after_the_first_or_second_target(game: str) -> None:
    table = Table(game, AROUND, to_move="north").plays("e9-e8 swing d8 done")
    assert table.events[-4:] == ["shown e8 gimli to all", "shown d8 orc to all", "removed d8", "turn south"]
    assert table.becomes("""
         9   .  .  .  .  .  .  .  .  .  .
         8   .  .  .  . -G +2  .  .  .  .
    """)
    table = Table(game, AROUND, to_move="north").plays("e9-e8 swing d8 f8 done")
    assert table.becomes("""
         9   .  .  .  .  .  .  .  .  .  .
         8   .  .  .  . -G  .  .  .  .  .
    """)
    assert table.to_move == "south"


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_after_a_swing_at_least_one_target_must_be_chosen(game: str) -> None:
    table = Table(game, AROUND, to_move="north").plays("e9-e8 swing")
    assert table.refuses("done")
    assert table.refuses("d8 d8")


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_when_all_neighbours_are_chosen_only_done_is_left(game: str) -> None:
    table = facing(game, "3").plays("e9-e8 swing d7")
    assert table.choices() == {"done"}
    assert table.plays("done").events == ["shown d7 orc to all", "removed d7", "turn south"]


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_a_fourth_target_is_not_asked_for(game: str) -> None:
    table = Table(game, AROUND, to_move="north").plays("e9-e8 swing d8 f8 d7")
    assert table.to_move == "south"
    assert not table.state.is_turn_open


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_a_piece_that_was_not_chosen_is_neither_shown_nor_struck(game: str) -> None:
    table = Table(game, AROUND, to_move="north").plays("e9-e8 swing d8 f8 d7")
    assert table.shown_to("north") == ["f8 warg-rider", "d7 lurtz", "d8 orc"]
    assert table.known_to("north") == {}
    assert table.becomes("""
         9   .  .  .  .  .  .  .  .  .  .
         8   .  .  .  . -G  .  .  .  .  .
         7   .  . +2  . +8 +B +2  .  .  .
    """)


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_lower_targets_fall_equals_fall_with_gimli_and_before_stronger_ones_he_falls_alone(game: str) -> None:
    for code, number in EVIL.items():
        table = facing(game, code).plays("e9-e8 swing d7 done")
        assert ("removed d7" in table.events) == (number <= 8), code
        assert ("removed e8" in table.events) == (number >= 8), code
        assert ("nothing d7" in table.events) == (number > 8), code


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_a_stronghold_survives_and_gimli_is_captured(game: str) -> None:
    table = facing(game, "B").plays("e9-e8 swing d7 done")
    assert table.becomes("""
         9   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-4:] == ["shown d7 stronghold to all", "nothing d7", "removed e8", "turn south"]


@pytest.mark.rule("LR-X-17", "LR-P-07")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("codes", "left"),
    [
        ("8L3", [".", ".", "."]),
        ("3X2", [".", "+X", "."]),
        ("B39", ["+B", ".", "+9"]),
        ("8BX", [".", "+B", "+X"]),
        ("88G", [".", ".", "."]),
    ],
)
def test_all_are_struck_at_once_and_the_weaker_fall_though_gimli_falls(
    game: str, codes: str, left: list[str]
) -> None:
    table = facing(game, *codes).plays("e9-e8 swing d7 e7 f7")
    assert table.becomes(f"""
         9   .  .  .  .  .  .  .  .  .  .
         7   .  .  . {" ".join(left)}  .  .  .  .
    """)
    assert table.events.count("removed e8") == 1


@pytest.mark.rule("LR-X-17")
@pytest.mark.parametrize("game", GAMES)
def test_all_targets_are_shown_before_the_first_falls(game: str) -> None:
    table = facing(game, "3", "X", "8").plays("e9-e8 swing f7 d7 e7")
    assert table.events[3:] == [
        "shown f7 ringwraith to all",
        "shown e7 witch-king to all",
        "shown d7 orc to all",
        "removed f7",
        "nothing e7",
        "removed d7",
        "removed e8",
        "turn south",
    ]


@pytest.mark.rule("LR-X-16", "LR-P-07", "CM-12")
@pytest.mark.parametrize("game", GAMES)
def test_a_flag_may_be_chosen_and_is_shown_and_harms_nobody(game: str) -> None:
    table = facing(game, "F", "3").plays("e9-e8 swing d7 e7 done")
    assert table.becomes("""
         9   .  .  .  .  .  .  .  .  .  .
         8   .  .  .  . -G  .  .  .  .  .
         7   .  .  . +F  .  .  .  .  .  .
    """)
    assert "shown d7 flag to all" in table.events
    assert "nothing d7" in table.events
    assert table.result == ""


@pytest.mark.rule("LR-X-15")
@pytest.mark.parametrize("game", GAMES)
def test_gimli_must_step_and_a_target_must_be_in_reach_from_there(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         8   .  .  .  . -G  .  .  .  .  .
         7   .  .  .  . +3  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        to_move="north",
    )
    steps = {"e8-e9", "e8-d8", "e8-f8"}
    assert table.choices("e8") == {*steps, "e8xe7", "e8-d8 swing", "e8-f8 swing"}


@pytest.mark.rule("LR-X-15", "LR-P-01")
@pytest.mark.parametrize("game", GAMES)
def test_a_plain_step_next_to_enemies_leaves_gimli_hidden_and_ends_the_turn(game: str) -> None:
    table = Table(game, AROUND, to_move="north").plays("e9-e8")
    assert table.events == ["move e9-e8", "turn south"]
    assert table.known_to("south") == {}


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_friends_are_never_targets_nor_are_zones_or_the_edge(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         7   . -3 -B  .  .  .  .  .  .  .
         6  +2  .  ~  ~  .  .  ~  ~  .  .
         5   . -G  ~  ~  .  .  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        to_move="north",
    )
    assert swings(table) == {"b5-b6 swing", "b5-a5 swing"}
    assert table.plays("b5-b6 swing").choices() == {"a6"}


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_a_swing_begins_with_a_step_onto_an_open_square(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         9   .  .  . -3 -G +2  .  .  .  .
         8   .  .  .  . +3  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        to_move="north",
    )
    assert table.choices("e9") == {"e9-e10", "e9xf9", "e9xe8", "e9-e10 swing"}
    assert table.plays("e9-e10 swing").choices() == {"f9"}


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_nobody_else_swings_an_axe(game: str) -> None:
    for code in GOOD.keys() - {"G"}:
        drawing = AROUND.replace("-G", f"-{code}")
        assert not swings(Table(game, drawing, to_move="north")), code
    assert not swings(Table("lotr/classic", AROUND, to_move="north"))


@pytest.mark.rule("CM-19")
@pytest.mark.parametrize("game", GAMES)
def test_the_step_of_a_swing_counts_for_the_two_square_rule(game: str) -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -2
         9   .  .  .  . -G  .  .  .  .  .
         8   .  .  .  .  .  .  .  .  .  .
         7   .  .  . +3 +2 +2  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
    """
    table = Table(game, drawing, to_move="north")
    table.plays("e9-e8 swing d7 done", "j1-j2", "e8-e9", "j2-j1")
    assert table.refuses("e9-e8 swing")
    assert table.refuses("e9-e8")
    table = Table(game, drawing, to_move="north").plays("e9-e8", "j1-j2", "e8-e9", "j2-j1")
    assert table.refuses("e9-e8 swing")
