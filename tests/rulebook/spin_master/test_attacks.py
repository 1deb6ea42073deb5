"""Spin Master: attacks, Spy, Miner, Bomb and Flag."""

from __future__ import annotations

import pytest

from flagfall.edition import load_game, resolve
from tests.rulebook.fight import fight, meeting
from tests.rulebook.table import Table

RANKS = ["X", "9", "8", "7", "6", "5", "4", "3", "2", "1"]
GAMES = ["spin-master/standard", "spin-master/duel"]
STANDARD = "spin-master/standard"

NEIGHBOURS = """
     8  -F  .  .  .  .  .  .  .  . -3
     3   .  .  . -6 -4 -6  .  .  .  .
     2   .  .  .  . +5  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +3
"""


@pytest.mark.rule("SM-A-01")
def test_an_enemy_next_to_a_piece_may_be_attacked_and_need_not_be() -> None:
    table = Table(STANDARD, NEIGHBOURS)
    assert table.choices("e2") == {"e2xe3", "e2-d2", "e2-f2", "e2-e1"}
    assert {"j1-j2", "j1-i1"} <= table.choices()


@pytest.mark.rule("SM-A-02")
def test_the_attacker_is_named_first_and_then_the_defender() -> None:
    table = Table(STANDARD, NEIGHBOURS).plays("e2xe3")
    assert table.events[:3] == ["attack e2xe3", "shown e2 lieutenant to all", "shown e3 sergeant to all"]


@pytest.mark.rule("SM-A-03")
def test_the_higher_rank_captures_and_equals_are_both_captured() -> None:
    for a, attacker in enumerate(RANKS):
        for d, defender in enumerate(RANKS):
            winner = "attacker" if a < d else "defender" if a > d else "nobody"
            assert fight(STANDARD, attacker, defender) == winner, (attacker, defender)


@pytest.mark.rule("SM-A-03")
def test_a_winning_attacker_takes_the_square() -> None:
    assert (
        Table(STANDARD, NEIGHBOURS)
        .plays("e2xe3")
        .becomes("""
         3   .  .  . -6 +5 -6  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
        """)
    )


@pytest.mark.rule("SM-A-03")
def test_a_winning_defender_stays() -> None:
    table = Table(STANDARD, NEIGHBOURS.replace("-4", "-7")).plays("e2xe3")
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events[-2:] == ["removed e2", "turn north"]


@pytest.mark.rule("SM-A-03")
def test_after_a_tie_both_squares_are_empty() -> None:
    assert (
        Table(STANDARD, NEIGHBOURS.replace("-4", "-5"))
        .plays("e2xe3")
        .becomes("""
         3   .  .  . -6  . -6  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
        """)
    )


@pytest.mark.rule("SM-A-04", "SM-X-13")
def test_captured_pieces_leave_the_board_at_once_and_are_open_unless_agreed_otherwise() -> None:
    assert resolve(load_game(STANDARD), {})["captured_pieces"] == "open"
    table = Table(STANDARD, NEIGHBOURS).plays("e2xe3")
    assert "removed e3" in table.events
    assert table.shown_to("south") == ["e3 sergeant"]


@pytest.mark.rule("SM-X-13")
@pytest.mark.parametrize("mode", ["open", "prisoner", "secret", "stealth"])
def test_whatever_happens_to_captured_pieces_a_fight_shows_both(mode: str) -> None:
    table = Table(STANDARD, NEIGHBOURS, captured_pieces=mode).plays("e2xe3")
    assert table.shown_to("south") == ["e3 sergeant"]
    assert table.shown_to("north") == ["e2 lieutenant"]


@pytest.mark.rule("SM-A-05")
@pytest.mark.parametrize("code", [*"X987654", "2", "1", "s"])
def test_anything_but_a_miner_is_captured_by_the_bomb_it_attacks(code: str) -> None:
    table = meeting(STANDARD, code, "B").plays("e2xe3")
    assert table.becomes("""
         2   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("SM-A-06")
@pytest.mark.parametrize("game", GAMES)
def test_a_miner_removes_the_bomb_it_attacks_and_takes_its_square(game: str) -> None:
    table = meeting(game, "3", "B").plays("e2xe3")
    assert table.becomes("""
         3   .  .  .  . +3  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("SM-A-07")
@pytest.mark.parametrize("game", GAMES)
def test_bombs_never_attack(game: str) -> None:
    table = Table(
        game,
        """
         8  -F  .  .  .  .  .  .  .  . -3
         3   .  .  .  . -B  .  .  .  .  .
         2   .  .  .  . +3  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        to_move="north",
    )
    assert table.refuses("e3xe2")
    assert table.choices() == {"j8-j7", "j8-i8"}


@pytest.mark.rule("SM-S-10")
@pytest.mark.parametrize("game", GAMES)
def test_between_spy_and_marshal_a_piece_that_attacks_wins(game: str) -> None:
    assert fight(game, "s", "X") == "attacker"
    assert fight(game, "X", "s") == "attacker"


@pytest.mark.rule("SM-S-11")
@pytest.mark.parametrize("code", [*"X987654321"])
def test_any_piece_that_attacks_the_spy_removes_it(code: str) -> None:
    assert fight(STANDARD, code, "s") == "attacker"


@pytest.mark.rule("SM-X-10")
@pytest.mark.parametrize("code", [*"987654321B"])
def test_a_spy_that_attacks_anything_else_is_lost(code: str) -> None:
    assert fight(STANDARD, "s", code) == "defender"


@pytest.mark.rule("SM-X-11")
@pytest.mark.parametrize("game", GAMES)
def test_a_spy_that_attacks_a_spy_is_lost_with_it(game: str) -> None:
    assert fight(game, "s", "s") == "nobody"


@pytest.mark.rule("SM-X-12")
@pytest.mark.parametrize("game", GAMES)
def test_a_spotter_wins_against_the_spy_both_ways(game: str) -> None:
    assert fight(game, "1", "s") == "attacker"
    assert fight(game, "s", "1") == "defender"


@pytest.mark.rule("SM-V-01")
@pytest.mark.parametrize("code", [*"X987654321s"])
def test_any_piece_that_attacks_the_enemy_flag_wins(code: str) -> None:
    table = Table(
        STANDARD,
        f"""
         8  -F  .  .  .  .  .  .  .  . -3
         7  +{code}  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    ).plays("a7xa8")
    assert table.events[-1] == "result south flag"
