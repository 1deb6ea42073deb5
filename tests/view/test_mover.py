"""What only the mover is sent, and what the owner is told about the opponent's thoughts."""

from __future__ import annotations

from flagfall.view.view import VIEWERS, Barred
from tests.view.table import Table


def test_legal_actions_are_sent_to_the_mover_only() -> None:
    table = Table("onyx/classic", south="a1 flag, b1 captain", north="a4 flag, b4 captain")
    assert [bool(table.view(viewer).legal) for viewer in VIEWERS] == [True, False, False]
    table.plays("b1-b2")
    assert [bool(table.view(viewer).legal) for viewer in VIEWERS] == [False, True, False]


def test_a_move_barred_by_the_two_square_rule_is_shown_to_the_mover_only() -> None:
    table = Table("onyx/classic", south="a1 flag, b1 captain", north="a4 flag, d4 captain")
    table.plays("b1-b2", "d4-d3", "b2-b1", "d3-d2")
    assert table.view("south").barred == (Barred("b1", "b2", "two-square"),)
    assert table.view("north").barred == table.view("watcher").barred == ()


def test_a_barred_move_is_not_shown_where_an_enemy_may_be_attacked_instead() -> None:
    table = Table("onyx/classic", south="a1 flag, b1 captain", north="a4 flag, c3 captain")
    table.plays("b1-b2", "c3-c2", "b2-b1", "c2-b2")
    assert table.view("south").barred == ()
    assert "attack b1-b2" in table.choices()


def test_an_attack_is_barred_where_attacks_count() -> None:
    table = Table(
        "onyx/classic",
        south="a1 flag, b1 captain",
        north="a4 flag, c3 captain",
        two_square_counts_attacks="on",
    )
    table.plays("b1-b2", "c3-c2", "b2-b1", "c2-b2")
    assert table.view("south").barred == (Barred("b1", "b2", "two-square"),)
    assert "attack b1-b2" not in table.choices()


def test_a_chasing_move_that_would_bring_a_position_back_is_shown_as_barred() -> None:
    table = Table("onyx/classic", south="a1 flag, c2 captain", north="d4 flag, b3 captain", chase_rule="on")
    table.plays("c2-b2", "b3-c3", "b2-b3", "c3-c2", "b3-c3", "c2-b2", "c3-c2")
    assert table.view("south").barred == ()
    table.plays("b2-b3")
    assert table.view("south").barred == (Barred("c2", "b2", "chase"),)
    assert "move c2-b2" not in table.choices()


def test_looks_like_says_what_the_opponent_must_still_think_possible() -> None:
    table = Table(
        "onyx/classic",
        south="a1 flag, b1 captain, c1 bomb, d1 scout",
        north="a4 flag, b4 captain",
    )
    assert table.piece("south", "b1").looks_like == ("captain", "scout", "bomb", "flag")
    table.plays("b1-b2", "b4-b3")
    assert table.piece("south", "b2").looks_like == ("captain", "scout")
    table.plays("d1-d3", "b3-b4")
    assert table.piece("south", "b2").looks_like == ("captain",)
    assert table.piece("south", "d3").looks_like == ()
    assert table.piece("south", "d3").is_told
    assert table.piece("south", "a1").looks_like == ("bomb", "flag")
    assert table.piece("north", "a1").possible == table.piece("south", "a1").looks_like


def test_a_spotter_is_asked_for_a_guess_and_nobody_else_is() -> None:
    table = Table(
        "spin-master/duel",
        south="a1 flag, b1 spotter, c1 miner",
        north="a4 flag, b3 miner, c4 scout",
        spot_silent_miss="on",
    )
    table.plays("spot b1-b2 north")
    asked = table.view("south").prompt
    assert asked is not None
    assert (asked.ask, asked.cell) == ("guess", "b3")
    assert table.view("north").prompt is table.view("watcher").prompt is None
    assert table.kind("b2") == dict.fromkeys(VIEWERS, "spotter")
    table.plays("kind scout")
    assert table.possible("south", "b3") == {"miner", "flag"}
    assert table.possible("watcher", "b3") == {"miner", "flag"}
    assert table.kind("b3") == {"south": "", "north": "miner", "watcher": ""}
