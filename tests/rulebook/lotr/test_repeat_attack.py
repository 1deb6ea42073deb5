"""The Lord of the Rings: the Repeat Attack of the Uruk-hai."""

from __future__ import annotations

import pytest

from tests.rulebook.lotr.pieces import EVIL, GAMES, POWERS, RING
from tests.rulebook.table import Table

CROWDED = """
    10  -F  .  .  .  .  .  .  .  . -2
     5   .  .  ~  ~ -5 -3  ~  ~  .  .
     4   .  .  .  . -3 -2  .  .  .  .
     3   .  .  . -3 +6 -2  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +2
"""


@pytest.mark.rule("LR-P-09", "LR-X-26")
@pytest.mark.parametrize("game", GAMES)
def test_after_a_won_attack_an_uruk_hai_may_attack_a_neighbour_of_its_new_square_or_stop(game: str) -> None:
    table = Table(game, CROWDED).plays("e3xe4")
    assert table.to_move == "south"
    assert table.state.is_turn_open
    assert table.choices() == {"e4xe5", "e4xf4", "done"}
    assert table.events == [
        "attack e3xe4",
        "shown e3 uruk-hai to all",
        "shown e4 soldier to all",
        "removed e4",
        "take e3-e4",
    ]


@pytest.mark.rule("LR-P-09")
@pytest.mark.parametrize("game", GAMES)
def test_it_goes_on_as_long_as_it_wins_and_its_owner_likes(game: str) -> None:
    table = Table(game, CROWDED).plays("e3xe4 e4xf4 f4xf5")
    assert table.choices() == {"f5xe5", "done"}
    table.plays("f5xe5")
    assert table.to_move == "north"
    assert table.becomes("""
         5   .  .  ~  ~ +6  .  ~  ~  .  .
         4   .  .  .  .  .  .  .  .  .  .
         3   .  .  . -3  . -2  .  .  .  .
    """)
    assert table.events == [
        "attack f5xe5",
        "shown f5 uruk-hai to all",
        "shown e5 elf to all",
        "removed e5",
        "take f5-e5",
        "turn north",
    ]


@pytest.mark.rule("LR-P-09")
@pytest.mark.parametrize("game", GAMES)
def test_done_ends_the_turn(game: str) -> None:
    table = Table(game, CROWDED).plays("e3xe4", "done")
    assert table.events == ["turn north"]
    assert table.becomes("""
         4   .  .  .  . +6 -2  .  .  .  .
         3   .  .  . -3  . -2  .  .  .  .
    """)


@pytest.mark.rule("LR-P-09")
@pytest.mark.parametrize("game", GAMES)
def test_without_an_enemy_next_to_its_new_square_the_turn_is_over(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         5   .  .  ~  ~  . -3  ~  ~  .  .
         4   .  .  . +3 -3  .  .  .  .  .
         3   .  .  . -3 +6  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    ).plays("e3xe4")
    assert table.events[-1] == "turn north"
    assert not table.state.is_turn_open


@pytest.mark.rule("LR-X-26")
@pytest.mark.parametrize("game", GAMES)
def test_between_two_attacks_it_neither_steps_nor_strikes_diagonally_nor_lets_another_attack(
    game: str,
) -> None:
    table = Table(game, CROWDED.replace("     3   .  .  . -3", "     3   .  . +6 -3")).plays("e3xe4")
    assert table.refuses("e4-d4")
    assert table.refuses("e4-e3")
    assert table.refuses("e4xf5")
    assert table.refuses("c3xd3")
    assert table.choices() == {"e4xe5", "e4xf4", "done"}


@pytest.mark.rule("LR-X-25", "LR-P-09")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("code", "left"), [("O", "."), ("B", "-B"), ("T", "-T")], ids=["a tie", "a stronghold", "a stronger one"]
)
def test_a_tie_a_stronghold_or_a_stronger_piece_ends_it(game: str, code: str, left: str) -> None:
    table = Table(game, CROWDED.replace("-5", f"-{code}")).plays("e3xe4 e4xe5")
    assert table.to_move == "north"
    assert not table.state.is_turn_open
    assert table.becomes(f"""
         5   .  .  ~  ~ {left} -3  ~  ~  .  .
         4   .  .  .  .  . -2  .  .  .  .
         3   .  .  . -3  . -2  .  .  .  .
    """)


@pytest.mark.rule("LR-X-25", "LR-R-04")
def test_invisible_frodo_ends_it_and_nobody_is_captured() -> None:
    table = Table(RING, CROWDED.replace("-5", "-D")).plays("e3xe4 e4xe5")
    assert table.events[-2:] == ["nothing e5", "turn north"]
    assert not table.state.is_turn_open
    assert table.becomes("""
         5   .  .  ~  ~ -D -3  ~  ~  .  .
         4   .  .  .  . +6 -2  .  .  .  .
         3   .  .  . -3  . -2  .  .  .  .
    """)


@pytest.mark.rule("LR-X-25", "LR-P-12")
def test_without_the_ring_frodo_is_captured_and_it_goes_on() -> None:
    table = Table(POWERS, CROWDED.replace("-5", "-D")).plays("e3xe4 e4xe5")
    assert table.choices() == {"e5xf5", "done"}


@pytest.mark.rule("LR-X-25")
@pytest.mark.parametrize("game", GAMES)
def test_a_flag_taken_on_the_way_ends_the_game(game: str) -> None:
    table = Table(
        game,
        """
        10  -2 -F -3  .  .  .  .  .  . -2
         9   . -3  .  .  .  .  .  .  .  .
         8   . +6  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    ).plays("b8xb9 b9xb10")
    assert table.result == "south flag"
    assert table.events[-1] == "result south flag"


@pytest.mark.rule("LR-P-09")
@pytest.mark.parametrize("game", GAMES)
def test_a_first_attack_that_is_not_won_opens_nothing(game: str) -> None:
    for code in "OTB":
        table = Table(game, CROWDED.replace("-3 -2  .  .  .  .\n     3", f"-{code} -2  .  .  .  .\n     3"))
        assert table.plays("e3xe4").to_move == "north", code


@pytest.mark.rule("LR-P-09")
@pytest.mark.parametrize("game", GAMES)
def test_nobody_else_attacks_again(game: str) -> None:
    for code in EVIL.keys() - {"6", "s", "2", "3"}:
        table = Table(game, CROWDED.replace("+6", f"+{code}")).plays("e3xe4")
        assert table.to_move == "north", code
    table = Table("lotr/classic", CROWDED).plays("e3xe4")
    assert table.to_move == "north"
    good = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  .  . +3 +3  .  .  .  .
         3   .  .  .  . -O  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        to_move="north",
    ).plays("e3xe4")
    assert good.to_move == "south"


@pytest.mark.rule("LR-P-09")
@pytest.mark.parametrize("game", GAMES)
def test_an_uruk_hai_that_wins_as_a_defender_does_not_strike_back(game: str) -> None:
    table = Table(game, CROWDED, to_move="north").plays("e4xe3")
    assert table.events[-2:] == ["removed e4", "turn south"]
    assert not table.state.is_turn_open


@pytest.mark.rule("CM-03", "LR-M-05")
@pytest.mark.parametrize("game", GAMES)
def test_a_chain_of_attacks_is_no_move_for_the_two_square_rule(game: str) -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  . -2
         4   .  .  .  . -3  .  .  .  .  .
         3   .  .  .  . +6  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
    """
    table = Table(game, drawing).plays("e3xe4", "j10-j9", "e4-e3", "j9-j10", "e3-e4", "j10-i10")
    assert table.refuses("e4-e3")
    table = Table(game, drawing, two_square_counts_attacks="on")
    assert table.plays("e3xe4", "j10-j9", "e4-e3", "j9-j10").refuses("e3-e4")
