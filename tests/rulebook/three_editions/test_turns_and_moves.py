"""The classic games of three editions: board, turns and moves."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table
from tests.rulebook.three_editions.editions import SPY, Edition, for_each, in_each_edition


def opening(e: Edition) -> Table:
    """A piece next to an enemy, and one apart for each side."""
    return Table(
        e.game,
        f"""
        {e.top}  -F  .  .  .  .  .  .  .  . -3
         3   .  .  .  . +5 -{e.miner}  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
    )


@pytest.mark.rule("FI-B-03", "FI-M-04", "LR-B-03", "LR-M-04", "DM-B-04", "DM-M-05")
@in_each_edition
def test_the_two_zones_are_neither_entered_nor_crossed(e: Edition) -> None:
    row = e.top // 2
    table = Table(
        e.game,
        f"""
        {e.top}  -F  .  .  .  .  .  .  .  . -3
        {row + 1}   .  .  ~  ~  .  .  ~  ~  .  .
        {row}   . +{e.runner}  ~  ~ +5  .  ~  ~  .  .
        {row - 1}   .  .  .  .  .  . +6  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    column = {f"b{row}-b{other}" for other in range(1, e.top + 1) if other != row}
    assert table.choices(f"b{row}") == {f"b{row}-a{row}", *column}
    assert table.choices(f"e{row}") == {f"e{row}-e{row + 1}", f"e{row}-e{row - 1}", f"e{row}-f{row}"}
    below = row - 1
    assert table.choices(f"g{below}") == {
        f"g{below}-f{below}",
        f"g{below}-h{below}",
        f"g{below}-g{below - 1}",
    }


@pytest.mark.rule("FI-T-01", "LR-T-01", "DM-T-01")
@in_each_edition
def test_the_first_army_begins_and_the_players_alternate(e: Edition) -> None:
    table = opening(e)
    assert tuple(army.id for army in table.game.armies) == e.armies
    assert table.to_move == "south"
    assert table.plays("e3-e2").to_move == "north"
    assert table.plays(f"j{e.top}-j{e.top - 1}").to_move == "south"


@pytest.mark.rule("FI-T-02", "FI-M-02", "LR-T-02", "LR-M-02", "DM-T-02", "DM-M-02")
@in_each_edition
def test_a_turn_is_one_move_of_one_piece(e: Edition) -> None:
    table = opening(e).plays("e3-e2")
    assert table.events == ["move e3-e2", "turn north"]
    assert table.becomes(f"""
         3   .  .  .  .  . -{e.miner}  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
    """)


@pytest.mark.rule("FI-T-02", "LR-T-02", "DM-T-02")
@in_each_edition
def test_or_a_turn_is_one_attack(e: Edition) -> None:
    table = opening(e).plays("e3xf3")
    assert table.events[-1] == "turn north"
    assert not table.state.is_turn_open


@pytest.mark.rule("FI-T-02", "LR-T-02", "DM-T-02", "DM-A-06")
@in_each_edition
def test_nobody_must_attack_and_nobody_may_pass(e: Edition) -> None:
    assert opening(e).choices() == {"e3-e4", "e3-d3", "e3-e2", "e3xf3", "j1-j2", "j1-i1"}


@pytest.mark.rule("FI-T-03", "LR-T-03", "DM-T-03")
@in_each_edition
def test_a_player_who_can_neither_move_nor_attack_loses_at_once(e: Edition) -> None:
    table = Table(
        e.game,
        f"""
        {e.top}  -3 -F  .  .  .  .  .  .  .  .
        {e.top - 1}  -B  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
    ).plays("j1-j2")
    assert table.events == ["move j1-j2", "turn north", "result south no move"]


@pytest.mark.rule("FI-T-03", "LR-T-03", "DM-T-03", "DM-V-02")
@in_each_edition
def test_a_player_whose_movable_pieces_are_all_gone_loses(e: Edition) -> None:
    table = Table(
        e.game,
        f"""
        {e.top}  -F  .  .  .  .  .  .  .  . -B
         3   .  .  .  . -{e.miner}  .  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    ).plays("e2xe3")
    assert table.events[-2:] == ["turn north", "result south no move"]


@pytest.mark.rule("FI-T-03", "LR-T-03", "DM-T-03")
@in_each_edition
def test_a_player_who_can_only_attack_plays_on(e: Edition) -> None:
    table = Table(
        e.game,
        f"""
        {e.top}  -3 -F  .  .  .  .  .  .  .  .
        {e.top - 1}  +5  .  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
    ).plays("j1-j2")
    assert table.choices() == {f"a{e.top}xa{e.top - 1}"}


@pytest.mark.rule("FI-M-01", "FI-A-01", "LR-M-01", "LR-A-01", "DM-M-01", "DM-A-01")
@in_each_edition
def test_the_flag_and_bombs_neither_move_nor_attack(e: Edition) -> None:
    table = Table(
        e.game,
        f"""
        {e.top}  -F  .  .  .  .  .  .  .  . -3
         3   .  .  . -{e.miner} +B  . +F -{e.miner}  .  .
         1   .  .  .  .  .  .  .  .  . +3
        """,
    )
    assert table.choices() == {"j1-j2", "j1-i1"}


@pytest.mark.rule("FI-M-02", "LR-M-02", "DM-M-03")
@for_each(lambda e: [*(code for code in e.south if code != e.runner), SPY])
def test_a_piece_steps_to_a_neighbouring_empty_square_and_shows_nothing(e: Edition, code: str) -> None:
    table = Table(
        e.game,
        f"""
        {e.top}  -F  .  .  .  .  .  .  .  . -3
         2   .  .  .  . +{code}  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices() == {"e2-e3", "e2-e1", "e2-d2", "e2-f2"}
    assert table.plays("e2-e3").events == ["move e2-e3", "turn north"]
    assert table.known_to("north") == table.known_to("watchers") == {}


@pytest.mark.rule("FI-M-02", "LR-M-02", "DM-M-03")
@for_each(lambda e: [*(code for code in e.north if code != e.runner), SPY])
def test_the_pieces_of_north_step_alike(e: Edition, code: str) -> None:
    row = e.top - 1
    table = Table(
        e.game,
        f"""
        {e.top}  -F  .  .  .  .  .  .  .  .  .
        {row}   .  .  .  . -{code}  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
        to_move="north",
    )
    assert table.choices() == {
        f"e{row}-e{e.top}",
        f"e{row}-e{row - 1}",
        f"e{row}-d{row}",
        f"e{row}-f{row}",
    }


@pytest.mark.rule("FI-M-03", "LR-M-03", "DM-M-04")
@in_each_edition
def test_nobody_jumps_over_a_piece_or_enters_an_occupied_square_but_to_attack(e: Edition) -> None:
    table = Table(
        e.game,
        f"""
        {e.top}  -F  .  .  .  .  .  .  .  . -3
         3   .  .  .  . -{e.miner}  .  .  .  .  .
         2   .  .  . +5 +{e.runner}  .  . +6  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.choices("e2") == {"e2xe3", "e2-f2", "e2-g2", "e2-e1"}
    assert table.choices("d2") == {"d2-d3", "d2-c2", "d2-d1"}


@pytest.mark.rule("FI-M-05", "LR-M-05", "DM-M-06")
@in_each_edition
def test_a_piece_may_not_shuttle_between_two_squares_three_turns_running(e: Edition) -> None:
    top = e.top
    table = opening(e).plays("j1-j2", f"j{top}-j{top - 1}", "j2-j1", f"j{top - 1}-j{top - 2}")
    assert table.refuses("j1-j2")
    assert table.allows("j1-i1")


def before_a_run(e: Edition) -> Table:
    """A runner with an enemy far ahead and one far to its right."""
    return Table(
        e.game,
        f"""
        {e.top}  -F  .  .  .  .  .  .  .  . -3
        {e.top - 2}   .  .  .  . -9  .  .  .  .  .
         2   .  .  .  . +{e.runner}  .  . -s  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )


@pytest.mark.rule("FI-M-06", "LR-M-06", "DM-M-07")
@in_each_edition
def test_a_runner_goes_any_number_of_empty_squares_in_one_line(e: Edition) -> None:
    moves = {text for text in before_a_run(e).choices("e2") if "-" in text}
    assert moves == {
        *(f"e2-e{row}" for row in (1, *range(3, e.top - 2))),
        *("e2-d2", "e2-c2", "e2-b2", "e2-a2", "e2-f2", "e2-g2"),
    }


@pytest.mark.rule("FI-M-06", "LR-M-07", "DM-M-08")
@in_each_edition
def test_a_runner_is_shown_before_it_goes_further_than_one_square(e: Edition) -> None:
    table = before_a_run(e).plays("e2-e4")
    assert table.events == [f"shown e2 {e.runner_id} to all", "run e2-e4", "turn north"]
    assert table.known_to("north") == {"e4": e.runner_id}


@pytest.mark.rule("FI-M-06", "LR-M-07", "DM-M-08")
@in_each_edition
def test_a_runner_that_goes_one_square_is_not_shown(e: Edition) -> None:
    table = before_a_run(e).plays("e2-f2")
    assert table.events == ["move e2-f2", "turn north"]
    assert table.known_to("north") == {}


@pytest.mark.rule("FI-S-04", "LR-S-04", "DM-S-03")
@in_each_edition
def test_a_runner_may_end_its_run_on_an_enemys_square_and_attack(e: Edition) -> None:
    table = before_a_run(e)
    assert {text for text in table.choices("e2") if "x" in text} == {f"e2xe{e.top - 2}", "e2xh2"}
    table.plays("e2xh2")
    assert table.becomes(f"""
         2   .  .  .  .  .  .  . +{e.runner}  .  .
    """)
    assert table.events == [
        "attack e2xh2",
        f"shown e2 {e.runner_id} to all",
        f"shown h2 {e.spy_id} to all",
        "removed h2",
        "take e2-h2",
        "turn north",
    ]
