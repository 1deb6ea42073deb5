"""Who has a power, and that a turn is a standard action or one power."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

GAME = "fire-and-ice/special-powers"
USERS = [
    ("X", "e2^e4"),
    ("9", "e2 detect e3"),
    ("8", "e2-f2-g2"),
    ("7", "e2-f2-g2"),
    ("6", "e2 enchant e3"),
    ("5", "e2-f2 rampage"),
    ("4", "e2 shoot e3"),
]


def facing(game: str, code: str) -> Table:
    """A piece on e2 next to a Scout on e3."""
    return Table(
        game,
        f"""
         8  -F  .  .  .  .  .  .  .  . -3
         3   .  .  .  . -2  .  .  .  .  .
         2   .  .  .  . +{code}  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )


@pytest.mark.rule("FI-P-01")
@pytest.mark.parametrize(("code", "power"), USERS)
def test_a_piece_with_a_power_makes_a_standard_action_or_uses_it(code: str, power: str) -> None:
    table = facing(GAME, code)
    assert {"e2-d2", "e2-f2", "e2-e1", "e2xe3"} <= table.choices("e2")
    for turn in (power, "e2-d2", "e2xe3"):
        done = facing(GAME, code).plays(f"{turn} done" if code == "X" and turn == power else turn)
        assert done.to_move == "north"
        assert not done.state.is_turn_open


@pytest.mark.rule("FI-P-02")
@pytest.mark.parametrize(("code", "power"), USERS)
def test_the_user_is_shown_before_anything_happens(code: str, power: str) -> None:
    table = facing(GAME, code).plays(power)
    done = [event for event in table.events if not event.startswith("use")]
    assert done[0].startswith("shown e2")
    assert done[0].endswith("to all")


@pytest.mark.rule("FI-P-01")
@pytest.mark.parametrize("code", list("32s"))
def test_dwarf_scout_and_slayer_have_no_power(code: str) -> None:
    assert facing(GAME, code).choices() == facing("fire-and-ice/classic", code).choices()


@pytest.mark.rule("FI-P-01")
@pytest.mark.parametrize(("code", "power"), USERS)
def test_in_the_classic_game_nobody_has_a_power(code: str, power: str) -> None:
    classic = facing("fire-and-ice/classic", code)
    assert classic.choices() == {"e2-d2", "e2-f2", "e2-e1", "e2xe3"}
    assert classic.refuses(power)
