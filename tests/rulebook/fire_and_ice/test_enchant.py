"""Enchant: a Sorceress wins an enemy over."""

from __future__ import annotations

import pytest

from tests.rulebook.around import within_two
from tests.rulebook.fire_and_ice.crowd import GAME, NORTH_CROWD, SOUTH_CROWD
from tests.rulebook.table import Table


def enchanted(code: str, **options: str) -> Table:
    """South's Sorceress on e3 has tried her power on a knight's square."""
    flag = " ." if code == "F" else "-F"
    table = Table(
        GAME,
        f"""
         8  {flag}  .  .  .  .  .  .  .  . -2
         5   .  .  ~  ~  . -{code}  ~  ~  .  .
         4   .  .  ~  ~ +3 +3  ~  ~  .  .
         3   .  .  .  . +6  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        **options,
    )
    return table.plays("e3 enchant f5")


@pytest.mark.rule("FI-P-10", "FI-X-19")
@pytest.mark.parametrize(
    ("crowd", "side", "sorceress"), [(SOUTH_CROWD, "south", "e3"), (NORTH_CROWD, "north", "e6")]
)
def test_a_sorceress_may_try_any_enemy_within_two_squares_whatever_stands_between(
    crowd: str, side: str, sorceress: str
) -> None:
    table = Table(GAME, crowd.replace("{user}", "6"), to_move=side)
    found = {turn for turn in table.choices(sorceress) if "enchant" in turn}
    assert found == {f"{sorceress} enchant {cell}" for cell in within_two(GAME, sorceress)}


@pytest.mark.rule("FI-P-12")
def test_a_sorceress_enchants_across_a_zone() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         6   .  . -3 -4  .  .  .  .  .  .
         4   . +6  ~  ~  .  .  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.plays("b4 enchant d6").becomes("6  .  . -3 +4  .  .  .  .  .  .")


@pytest.mark.rule("FI-P-10", "FI-P-02", "FI-X-16")
def test_a_weaker_target_is_shown_and_changes_sides_on_its_square() -> None:
    table = enchanted("5")
    assert table.becomes("5  .  .  ~  ~  . +5  ~  ~  .  .")
    assert table.events == [
        "use enchant e3 on f5",
        "shown e3 sorceress to all",
        "shown f5 beast to all",
        "converted f5 to south",
        "turn north",
    ]
    assert "f5" not in " ".join(table.choices()), "North can do nothing with it"


@pytest.mark.rule("FI-P-10")
@pytest.mark.parametrize("code", list("2345"))
def test_every_lower_rank_is_won_over(code: str) -> None:
    assert enchanted(code).becomes(f"5  .  .  ~  ~  . +{code}  ~  ~  .  .")


@pytest.mark.rule("FI-P-10")
@pytest.mark.parametrize("code", list("6789X"))
def test_nothing_happens_to_an_equal_or_higher_rank_but_it_is_shown(code: str) -> None:
    table = enchanted(code)
    assert table.becomes("")
    assert table.events[3:] == ["nothing f5", "turn north"]
    assert list(table.known_to("south")) == ["f5"]


@pytest.mark.rule("FI-P-12", "CM-12")
def test_a_slayer_can_be_enchanted() -> None:
    assert enchanted("s").becomes("5  .  .  ~  ~  . +s  ~  ~  .  .")


@pytest.mark.rule("FI-P-12", "FI-X-20", "CM-12")
@pytest.mark.parametrize(("code", "kind"), [("B", "trap"), ("F", "flag")])
def test_a_trap_or_flag_cannot_be_enchanted_but_must_show_itself(code: str, kind: str) -> None:
    table = enchanted(code)
    assert table.becomes("")
    assert table.events[2:] == [f"shown f5 {kind} to all", "nothing f5", "turn north"]
    assert table.known_to("south") == {"f5": kind}
    assert not table.result


@pytest.mark.rule("FI-X-20")
@pytest.mark.parametrize("code", ["B", "F"])
def test_with_enchant_probe_off_a_trap_or_flag_answers_without_being_shown(code: str) -> None:
    table = enchanted(code, enchant_probe="off")
    assert table.becomes("")
    assert table.events[1:] == ["shown e3 sorceress to all", "nothing f5", "turn north"]
    assert table.known_to("south") == {}
    assert table.known_to("north") == {"e3": "sorceress"}


@pytest.mark.rule("FI-X-20")
@pytest.mark.parametrize(
    ("code", "end"), [("7", "nothing f5"), ("6", "nothing f5"), ("3", "converted f5 to south")]
)
def test_with_enchant_probe_off_everybody_else_is_still_shown(code: str, end: str) -> None:
    table = enchanted(code, enchant_probe="off")
    assert table.events[2].startswith("shown f5")
    assert table.events[3] == end


@pytest.mark.rule("FI-X-25")
def test_a_piece_that_withstood_may_be_tried_again() -> None:
    assert enchanted("7").plays("j8-j7").allows("e3 enchant f5")


# --- a converted piece

CAMP = """
     8  -F  .  .  .  .  .  .  .  . -7
     7   .  .  .  .  .  .  . -B  .  .
     6   .  .  .  .  . -B -{code}  .  .  .
     5   .  .  ~  ~ +6  .  ~  ~  .  .
     1  +F  .  .  .  .  .  .  .  . +2
"""


def won_over(code: str) -> Table:
    """North's piece on g6 stands among its Traps and now belongs to South, who is to move."""
    return Table(GAME, CAMP.replace("{code}", code)).plays("e5 enchant g6", "j8-j7")


@pytest.mark.rule("FI-X-16", "FI-P-11")
def test_a_converted_piece_acts_from_the_enchanters_next_turn() -> None:
    table = won_over("4")
    assert {"g6-g7", "g6-h6"} <= table.choices("g6")
    table.plays("g6-g7")
    assert table.becomes("""
         8  -F  .  .  .  .  .  .  .  .  .
         7   .  .  .  .  .  . +4 -B  . -7
         6   .  .  .  .  . -B  .  .  .  .
    """)


@pytest.mark.rule("FI-X-18", "FI-P-11")
def test_a_converted_dwarf_takes_the_traps_of_its_former_side() -> None:
    table = won_over("3").plays("g6xf6")
    assert table.becomes("""
         8  -F  .  .  .  .  .  .  .  .  .
         7   .  .  .  .  .  .  . -B  . -7
         6   .  .  .  .  . +3  .  .  .  .
    """)


@pytest.mark.rule("FI-X-18", "FI-P-11")
def test_a_converted_elf_shoots_at_its_former_side() -> None:
    table = won_over("4")
    assert {turn for turn in table.choices("g6") if "shoot" in turn} == {"g6 shoot f6", "g6 shoot h7"}


@pytest.mark.rule("FI-X-18", "FI-P-11")
def test_a_converted_scout_runs() -> None:
    table = won_over("2")
    assert {"g6-g8", "g6-j6", "g6xf6"} <= table.choices("g6")
    assert table.refuses("g6xg5")


@pytest.mark.rule("FI-X-18", "FI-P-11")
def test_a_converted_yeti_rampages_among_old_and_new_friends() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -7
         6   .  .  .  . -3  . -5  .  .  .
         5   .  .  ~  ~ +6 +2  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    table.plays("e5 enchant g6", "j8-j7", "g6-f6 rampage")
    assert table.becomes("""
         8  -F  .  .  .  .  .  .  .  .  .
         7   .  .  .  .  .  .  .  .  . -7
         6   .  .  .  .  .  .  .  .  .  .
         5   .  .  ~  ~ +6  .  ~  ~  .  .
    """), "the Sorceress is stronger and takes the Yeti; its old and its new friend fall"


@pytest.mark.rule("FI-X-18", "FI-P-12")
def test_a_converted_slayer_hunts_its_former_dragon() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -7
         6   .  .  .  .  . -X -s  .  .  .
         5   .  .  ~  ~ +6  .  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    table.plays("e5 enchant g6", "j8-j7", "g6xf6")
    assert table.events[-3:] == ["removed f6", "take g6-f6", "turn north"]


@pytest.mark.rule("FI-P-11")
def test_the_former_side_may_attack_a_converted_piece_like_any_enemy() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         6   .  .  .  . -7 -4  .  .  .  .
         4   .  .  ~  ~  . +6  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    table.plays("f4 enchant f6")
    assert table.allows("e6xf6")
    table.plays("e6xf6")
    assert table.becomes("6  .  .  .  .  . -7  .  .  .  .")


@pytest.mark.rule("FI-P-11")
def test_the_former_side_may_shoot_detect_and_not_enchant_it() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         7   .  .  .  . -6 -9 -4  .  .  .
         6   .  .  .  .  . -2  .  .  .  .
         4   .  .  ~  ~  . +6  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    table.plays("f4 enchant f6")
    assert table.allows("g7 shoot f6")
    assert table.allows("f7 detect f6")
    assert table.refuses("e7 enchant f6"), "a converted piece cannot be enchanted again"


@pytest.mark.rule("FI-P-11", "FI-X-29")
def test_a_converted_piece_is_never_offered_to_a_sorceress_again() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         6   .  .  .  . -6 -3 -3  .  .  .
         4   .  .  ~  ~  . +6  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    table.plays("f4 enchant f6")
    assert {turn for turn in table.choices("e6") if "enchant" in turn} == {"e6 enchant f4"}
    table.plays("j8-j7")
    assert {turn for turn in table.choices("f4") if "enchant" in turn} == {"f4 enchant e6", "f4 enchant g6"}


@pytest.mark.rule("FI-X-17", "FI-P-10")
def test_a_converted_piece_is_known_to_both_for_good() -> None:
    table = won_over("3")
    assert table.known_to("north") == {"e5": "sorceress", "g6": "dwarf"}
    table.plays("g6-g7", "j7-j6")
    assert table.known_to("north") == {"e5": "sorceress", "g7": "dwarf"}


@pytest.mark.rule("FI-X-21")
def test_a_player_whose_last_movable_piece_was_won_over_loses_on_his_turn() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -B
         6   .  .  .  .  . -3  .  .  .  .
         4   .  .  ~  ~  . +6  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert table.plays("f4 enchant f6").result == "south no move"


@pytest.mark.rule("FI-X-21")
def test_a_converted_piece_saves_its_new_owner_from_the_no_move_loss() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         7   .  .  .  .  .  .  .  .  . -7
         6   .  .  .  .  . -3  .  .  .  .
         4   .  .  ~  ~ -9 +6  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    table.plays("f4 enchant f6", "e4xf4")
    assert not table.result, "South's own pieces are gone, the won one can move"
    assert table.choices() == {"f6-f7", "f6-e6", "f6-g6", "f6-f5"}


@pytest.mark.rule("CM-16", "FI-P-10")
def test_a_conversion_is_progress_and_a_vain_one_is_not() -> None:
    won, vain = enchanted("3", no_progress_draw="2"), enchanted("7", no_progress_draw="2")
    assert vain.plays("j8-j7").result == "draw no progress"
    assert not won.plays("j8-j7").result
    assert won.plays("e3-e2").result == "draw no progress"


MANY = """
     8  -F  .  .  .  .  .  .  .  . -2
     6   .  .  .  . -6 -3 -3 -7  .  .
     4   .  .  ~  ~ +2 +6  ~  ~  .  .
     1  +F  .  .  .  .  .  .  .  . +2
"""


@pytest.mark.rule("FI-X-26", "FI-X-30")
def test_without_a_cap_a_sorceress_may_enchant_as_often_as_she_likes() -> None:
    table = Table(GAME, MANY).plays("f4 enchant f6", "j8-j7", "f4 enchant g6")
    assert table.becomes("""
         8  -F  .  .  .  .  .  .  .  .  .
         7   .  .  .  .  .  .  .  .  . -2
         6   .  .  .  . -6 +3 +3 -7  .  .
    """)


@pytest.mark.rule("FI-X-26", "FI-X-30")
@pytest.mark.parametrize(("cap", "is_free"), [("1", False), ("2", True), ("off", True)])
def test_enchant_cap_counts_successes_of_each_player(cap: str, is_free: bool) -> None:
    table = Table(GAME, MANY, enchant_cap=cap).plays("f4 enchant f6")
    assert table.allows("e6 enchant e4"), "North has its own count"
    table.plays("j8-j7")
    assert table.allows("f4 enchant g6") == is_free
    assert table.allows("f4 enchant e6") == is_free, "not even a vain one is left"


@pytest.mark.rule("FI-X-30")
def test_a_vain_enchantment_does_not_count_towards_the_cap() -> None:
    table = Table(GAME, MANY, enchant_cap="1").plays("f4 enchant e6", "j8-j7")
    assert table.plays("f4 enchant f6").events[3] == "converted f6 to south"
    assert table.plays("j7-j6").refuses("f4 enchant g6")
