"""Under silent defence only the outcome tells: what each viewer may conclude from it."""

from __future__ import annotations

import pytest

from flagfall.view.view import VIEWERS
from tests.view.table import Table

NORTH = "d4 flag, c4 bomb, a4 marshal, a3 captain, c3 sergeant, d3 miner"


def struck(striker: str, target: str, **options: str) -> Table:
    """South's piece has struck what stands on the square in front of it."""
    cell = f"{target[0]}{int(target[1]) - 1}"
    table = Table(
        "onyx/classic",
        south=f"a1 flag, {cell} {striker}, d1 general",
        north=NORTH,
        silent_defense="on",
        **options,
    )
    return table.plays(f"{cell}x{target}")


def conclusion(table: Table, name: str) -> set[str]:
    """What the striker and the watchers think of the struck piece; they think the same."""
    assert table.thinks("south", name) == table.thinks("watcher", name)
    return table.thinks("south", name)


@pytest.mark.rule("ON-X-05")
def test_a_striker_that_wins_has_met_something_lower_and_not_the_flag() -> None:
    table = struck("captain", "c3")
    assert conclusion(table, "c3") == {"sergeant", "miner"}
    assert all(table.shown(viewer) == {"captain"} for viewer in VIEWERS)


@pytest.mark.rule("ON-X-05")
def test_a_miner_that_wins_has_met_something_lower_or_a_bomb() -> None:
    table = Table(
        "onyx/classic",
        south="a1 flag, b3 miner, d1 general",
        north="b4 bomb, c4 spy, d4 flag, a4 marshal",
        silent_defense="on",
    )
    assert conclusion(table.plays("b3xb4"), "b4") == {"spy", "bomb"}


@pytest.mark.rule("ON-X-05")
def test_a_spy_that_wins_and_does_not_end_the_game_has_met_the_marshal() -> None:
    table = Table(
        "onyx/classic",
        south="a1 flag, a3 spy, d1 general",
        north=NORTH.replace(", a3 captain", ""),
        silent_defense="on",
    )
    assert conclusion(table.plays("a3xa4"), "a4") == {"marshal"}


@pytest.mark.rule("ON-X-05")
def test_a_strike_that_ends_the_game_has_met_the_flag() -> None:
    table = Table(
        "onyx/classic",
        south="a1 flag, d3 captain, d1 general",
        north="d4 flag, c4 sergeant, a4 marshal",
        silent_defense="on",
    )
    assert conclusion(table.plays("d3xd4"), "d4") == {"flag"}


@pytest.mark.rule("ON-X-04")
def test_a_bomb_that_wins_is_not_named_and_may_be_anything_stronger() -> None:
    table = struck("lieutenant", "a3", defender_advances="off")
    assert conclusion(table, "a3") == {"marshal", "captain", "bomb"}
    assert table.kind("a3") == {"south": "", "north": "captain", "watcher": ""}


@pytest.mark.rule("ON-X-04")
def test_where_defenders_advance_a_winner_that_stays_is_a_bomb() -> None:
    table = Table(
        "onyx/classic",
        south="a1 flag, c3 major, d1 general",
        north=NORTH.replace("c3", "b3"),
        silent_defense="on",
        defender_advances="on",
    )
    table.plays("c3xc4")
    assert conclusion(table, "c4") == {"bomb"}
    assert table.kind("c4") == {"south": "", "north": "bomb", "watcher": ""}
    assert table.possible("south", "a4") == {"marshal", "captain", "sergeant", "miner", "flag"}


@pytest.mark.rule("ON-X-04")
def test_where_defenders_advance_a_winner_that_comes_forward_is_no_bomb() -> None:
    table = struck("lieutenant", "a3", defender_advances="on")
    assert conclusion(table, "a3") == {"marshal", "captain"}
    assert table.piece("south", "a2").moved


@pytest.mark.rule("ON-X-06")
def test_when_both_are_lost_they_were_equal() -> None:
    table = struck("captain", "a3")
    assert conclusion(table, "a3") == {"captain"}
    assert all(table.shown(viewer) == {"captain"} for viewer in VIEWERS)
    assert not any(event.piece == "a3" and event.what == "shown" for event in table.seen["south"])


@pytest.mark.rule("ON-X-07")
def test_where_the_striker_wins_ties_it_has_met_an_equal_or_something_lower() -> None:
    table = struck("captain", "a3", aggressor_advantage="on")
    assert conclusion(table, "a3") == {"captain", "sergeant", "miner"}


def test_what_a_scout_strikes_is_named_to_all() -> None:
    table = struck("scout", "c3", defender_advances="off")
    assert all(table.shown(viewer) == {"scout", "sergeant"} for viewer in VIEWERS)
    assert table.kind("c3") == dict.fromkeys(VIEWERS, "sergeant")


def test_each_player_keeps_the_own_losses() -> None:
    table = struck("captain", "c3")
    assert table.tray("north") == ["north sergeant"]
    assert table.tray("south") == table.tray("watcher") == ["north ?"]
