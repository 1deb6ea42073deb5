"""Spin Master: Spotters."""

from __future__ import annotations

import pytest

from tests.rulebook.fight import fight
from tests.rulebook.table import Table

GAMES = ["spin-master/standard", "spin-master/duel"]
STANDARD = "spin-master/standard"

FACING = """
     8  -F  .  .  .  .  .  .  .  . -3
     3   .  .  . -3 -9  .  .  .  .  .
     2   .  .  .  . +1  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +3
"""
FAR = """
     8  -F  .  .  .  .  .  .  .  . -3
     4   .  .  ~  ~ -9  .  ~  ~  .  .
     2   .  .  .  . +1  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +3
"""


@pytest.mark.rule("SM-S-04", "SM-X-02")
@pytest.mark.parametrize("game", GAMES)
def test_a_spotter_may_spot_without_moving(game: str) -> None:
    table = Table(game, FACING)
    assert {"e2 spot e3", "e2xe3"} <= table.choices("e2")
    assert table.plays("e2 spot e3 general").to_move == "north"


@pytest.mark.rule("SM-S-04")
@pytest.mark.parametrize("game", GAMES)
def test_a_spotter_may_move_first_and_then_spot(game: str) -> None:
    table = Table(game, FAR)
    assert table.choices("e2") == {"e2-e3", "e2-e3 spot e4", "e2-d2", "e2-f2", "e2-e1"}
    table.plays("e2-e3 spot e4 general")
    assert table.becomes("""
         4   .  .  ~  ~  .  .  ~  ~  .  .
         3   .  .  .  . +1  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events == [
        "move e2-e3",
        "spot e4",
        "shown e3 spotter to all",
        "guess e4 general",
        "shown e4 general to all",
        "removed e4",
        "turn north",
    ]


@pytest.mark.rule("SM-S-04")
def test_a_spotter_may_step_sideways_into_view_and_spot() -> None:
    table = Table(STANDARD, FACING)
    assert {text for text in table.choices("e2") if "spot" in text} == {"e2 spot e3", "e2-d2 spot d3"}


@pytest.mark.rule("SM-S-05")
def test_spotting_shows_the_spotter_first_and_then_the_target() -> None:
    table = Table(STANDARD, FACING).plays("e2 spot e3")
    assert table.events == ["spot e3", "shown e2 spotter to all"]
    assert table.to_move == "south"
    assert table.known_to("south") == {}
    table = Table(STANDARD, FACING).plays("e2 spot e3 bomb")
    assert table.shown_to("south") == ["e3 general"]
    assert table.shown_to("north") == ["e2 spotter"]


@pytest.mark.rule("SM-S-05")
def test_once_spotting_is_announced_a_rank_must_be_named() -> None:
    table = Table(STANDARD, FACING).plays("e2 spot e3")
    assert table.choices() == {kind.id for kind in table.game.kinds}


@pytest.mark.rule("SM-S-06")
def test_a_right_guess_captures_the_target_and_the_spotter_stays() -> None:
    table = Table(STANDARD, FACING).plays("e2 spot e3 general")
    assert table.becomes("""
         3   .  .  . -3  .  .  .  .  .  .
    """)
    assert table.events[-2:] == ["removed e3", "turn north"]


@pytest.mark.rule("SM-S-07")
def test_a_wrong_guess_captures_nobody_but_the_spotter_is_known() -> None:
    table = Table(STANDARD, FACING).plays("e2 spot e3 marshal")
    assert table.becomes("")
    assert table.events[-3:] == ["shown e3 general to all", "miss e3", "turn north"]
    assert table.known_to("north") == {"e2": "spotter"}


@pytest.mark.rule("SM-S-08", "CM-12")
@pytest.mark.parametrize("game", GAMES)
def test_bombs_may_be_spotted_and_captured(game: str) -> None:
    table = Table(game, FACING.replace("-9", "-B")).plays("e2 spot e3 bomb")
    assert table.becomes("""
         3   .  .  . -3  .  .  .  .  .  .
    """)


@pytest.mark.rule("SM-S-08", "SM-V-01", "CM-12")
@pytest.mark.parametrize("game", GAMES)
def test_spotting_the_flag_wins_the_game(game: str) -> None:
    drawing = FACING.replace("8  -F", "8   .").replace("-9", "-F")
    table = Table(game, drawing).plays("e2 spot e3 flag")
    assert table.events[-2:] == ["removed e3", "result south flag"]


@pytest.mark.rule("SM-S-08")
def test_a_wrong_guess_at_the_flag_does_not_win() -> None:
    drawing = FACING.replace("8  -F", "8   .").replace("-9", "-F")
    table = Table(STANDARD, drawing).plays("e2 spot e3 bomb")
    assert table.result == ""


@pytest.mark.rule("CM-12")
def test_the_spy_counts_as_the_lowest_piece_and_can_be_spotted() -> None:
    table = Table(STANDARD, FACING.replace("-9", "-s")).plays("e2 spot e3 spy")
    assert table.events[-2:] == ["removed e3", "turn north"]


@pytest.mark.rule("SM-S-09")
def test_a_spotter_may_attack_in_the_ordinary_way_as_a_one() -> None:
    table = Table(STANDARD, FACING).plays("e2xe3")
    assert table.events == [
        "attack e2xe3",
        "shown e2 spotter to all",
        "shown e3 general to all",
        "removed e2",
        "turn north",
    ]
    assert [fight(STANDARD, "1", code) for code in ("2", "1", "s")] == ["defender", "nobody", "attacker"]


ROUND_ABOUT = """
     8  -F  .  .  .  .  .  .  .  . -3
     3   .  .  .  . -9  .  .  .  .  .
     2   .  .  . -8 +1 -7  .  .  .  .
     1  +F  .  .  . -6  .  .  .  . +3
"""


@pytest.mark.rule("SM-X-01")
def test_in_front_is_the_next_square_towards_the_enemys_rows() -> None:
    table = Table(STANDARD, ROUND_ABOUT)
    assert {text for text in table.choices("e2") if "spot" in text} == {"e2 spot e3"}


@pytest.mark.rule("SM-X-01")
def test_norths_spotters_look_south() -> None:
    drawing = """
         8  -F  .  .  .  .  .  .  .  . -3
         3   .  .  .  . +9  .  .  .  .  .
         2   .  .  . +8 -1 +7  .  .  .  .
         1  +F  .  .  . +6  .  .  .  . +3
    """
    table = Table(STANDARD, drawing, to_move="north")
    assert {text for text in table.choices("e2") if "spot" in text} == {"e2 spot e1"}
    assert table.plays("e2 spot e1 captain").events[-2:] == ["removed e1", "turn south"]


@pytest.mark.rule("SM-X-01")
def test_with_spot_any_side_a_spotter_looks_all_four_ways() -> None:
    table = Table(STANDARD, ROUND_ABOUT, spot_any_side="on")
    assert {text for text in table.choices("e2") if "spot" in text} == {
        "e2 spot e3",
        "e2 spot d2",
        "e2 spot f2",
        "e2 spot e1",
    }
    table.plays("e2 spot d2 colonel")
    assert table.becomes("""
         2   .  .  .  . +1 -7  .  .  .  .
    """)


@pytest.mark.rule("SM-X-03")
def test_a_spotter_does_not_move_and_then_attack_in_the_ordinary_way() -> None:
    assert {text for text in Table(STANDARD, FAR).choices("e2") if "x" in text} == set()


@pytest.mark.rule("SM-X-03")
def test_with_spot_move_then_attack_it_may() -> None:
    table = Table(STANDARD, FAR.replace("-9", "-s"), spot_move_then_attack="on").plays("e2-e3xe4")
    assert table.becomes("""
         4   .  .  ~  ~ +1  .  ~  ~  .  .
         2   .  .  .  .  .  .  .  .  .  .
    """)
    assert table.events == [
        "move e2-e3",
        "attack e3xe4",
        "shown e3 spotter to all",
        "shown e4 spy to all",
        "removed e4",
        "take e3-e4",
        "turn north",
    ]


@pytest.mark.rule("SM-X-03")
def test_with_spot_move_then_attack_only_spotters_may() -> None:
    table = Table(STANDARD, FAR.replace("+1", "+8"), spot_move_then_attack="on")
    assert table.choices("e2") == {"e2-e3", "e2-d2", "e2-f2", "e2-e1"}


@pytest.mark.rule("SM-X-04")
@pytest.mark.parametrize("guess", ["general", "bomb"])
def test_after_spotting_the_turn_is_over_so_nobody_spots_and_then_moves(guess: str) -> None:
    table = Table(STANDARD, FACING).plays(f"e2 spot e3 {guess}")
    assert table.to_move == "north"
    assert not table.state.is_turn_open


@pytest.mark.rule("SM-X-05")
def test_after_a_wrong_guess_the_true_rank_is_disclosed() -> None:
    table = Table(STANDARD, FACING).plays("e2 spot e3 marshal")
    assert table.shown_to("south") == ["e3 general"]
    assert table.known_to("south") == {"e3": "general"}


@pytest.mark.rule("SM-X-05")
def test_with_spot_silent_miss_a_wrong_guess_discloses_nothing() -> None:
    table = Table(STANDARD, FACING, spot_silent_miss="on").plays("e2 spot e3 marshal")
    assert table.events == ["spot e3", "shown e2 spotter to all", "guess e3 marshal", "miss e3", "turn north"]
    assert table.known_to("south") == {}


@pytest.mark.rule("SM-X-05", "SM-X-06")
@pytest.mark.parametrize("silent", ["off", "on"])
def test_after_a_right_guess_spotter_and_target_have_been_shown(silent: str) -> None:
    table = Table(STANDARD, FACING, spot_silent_miss=silent).plays("e2 spot e3 general")
    assert table.shown_to("south") == ["e3 general"]
    assert table.shown_to("north") == ["e2 spotter"]
    assert table.known_to("north") == table.known_to("watchers") == {"e2": "spotter"}


@pytest.mark.rule("SM-X-07")
def test_any_of_the_thirteen_kinds_may_be_guessed() -> None:
    table = Table(STANDARD, FACING).plays("e2 spot e3")
    names = "marshal general colonel major captain lieutenant sergeant miner scout spotter spy bomb flag"
    assert table.choices() == set(names.split())


@pytest.mark.rule("SM-X-07")
def test_in_duel_the_eight_kinds_of_the_small_army_may_be_guessed() -> None:
    table = Table("spin-master/duel", FACING).plays("e2 spot e3")
    assert table.choices() == {"marshal", "general", "miner", "scout", "spotter", "spy", "bomb", "flag"}


@pytest.mark.rule("SM-X-08")
def test_a_piece_that_is_already_known_may_be_spotted() -> None:
    table = Table(STANDARD, FACING).plays("e2 spot e3 marshal", "j8-j7")
    assert table.known_to("south") == {"e3": "general"}
    assert table.allows("e2 spot e3 general")


@pytest.mark.rule("SM-X-09")
@pytest.mark.parametrize(
    ("drawing", "what"),
    [
        (FACING.replace("-9", " ."), "nobody"),
        (FACING.replace("-9", "+9"), "an own piece"),
    ],
)
def test_only_an_enemy_can_be_spotted(drawing: str, what: str) -> None:
    table = Table(STANDARD, drawing)
    assert table.refuses("e2 spot e3"), what


@pytest.mark.rule("SM-X-09")
def test_neither_a_crater_nor_the_edge_can_be_spotted() -> None:
    table = Table(
        STANDARD,
        """
         8  -F  .  .  .  .  .  .  .  . +1
         3   .  .  . +1  .  .  .  .  .  .
         2   .  .  .  .  .  .  .  .  . -3
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        spot_any_side="on",
    )
    assert table.choices() == {"j8-j7", "j8-i8", "d3-c3", "d3-e3", "d3-d2"}
