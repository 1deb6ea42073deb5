"""Who has a power, and that a turn is a standard action or one power."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

GAME = "duel-masters/elemental-powers"
USERS = [
    ("9", "e3^e5"),
    ("8", "e3 detect e4"),
    ("7", "e3~g3"),
    ("6", "e3 shoot e4"),
    ("4", "advance north e3"),
    ("3", "e3-f3-g3"),
]


def facing(game: str, code: str) -> Table:
    """A piece on e3 next to a Scout on e4."""
    return Table(
        game,
        f"""
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  .  . -1  .  .  .  .  .
         3   .  .  .  . +{code}  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )


@pytest.mark.rule("DM-P-01", "DM-X-23")
@pytest.mark.parametrize(("code", "power"), USERS)
def test_a_piece_with_a_power_may_still_move_or_attack_in_the_ordinary_way(code: str, power: str) -> None:
    table = facing(GAME, code)
    assert {"e3-d3", "e3-f3", "e3-e2", "e3xe4"} <= table.choices("e3")
    assert table.allows(power)


@pytest.mark.rule("DM-P-01")
@pytest.mark.parametrize("code", [code for code, _ in USERS])
@pytest.mark.parametrize("action", ["e3-d3", "e3xe4"])
def test_a_standard_action_ends_the_turn_and_no_power_follows(code: str, action: str) -> None:
    table = facing(GAME, code).plays(action)
    assert table.to_move == "north"
    assert not table.state.is_turn_open


@pytest.mark.rule("DM-P-01")
@pytest.mark.parametrize(("code", "power"), USERS)
def test_a_power_is_the_whole_turn(code: str, power: str) -> None:
    table = facing(GAME, code).plays(power)
    assert table.to_move == "north"
    assert not table.state.is_turn_open


@pytest.mark.rule("DM-P-02")
@pytest.mark.parametrize(("code", "power"), USERS)
def test_the_user_is_shown_to_the_opponent_before_anything_else_happens_to_it(code: str, power: str) -> None:
    events = facing(GAME, code).plays(power).events
    done = [event for event in events if not event.startswith(("use", "attack"))]
    assert done[0].startswith("shown e3")
    assert done[0].endswith("to all")


@pytest.mark.rule("DM-P-01")
@pytest.mark.parametrize("code", list("521s"))
def test_5000_2000_1000_and_spy_have_no_power(code: str) -> None:
    table = facing(GAME, code)
    assert table.choices() == facing("duel-masters/classic", code).choices()


@pytest.mark.rule("DM-P-01")
@pytest.mark.parametrize(("code", "power"), USERS)
def test_in_the_classic_game_nobody_has_a_power(code: str, power: str) -> None:
    classic = facing("duel-masters/classic", code)
    assert classic.choices() == {"e3-d3", "e3-f3", "e3-e2", "e3xe4"}
    assert classic.refuses(power.removesuffix(" e3") if power.startswith("advance") else power)
