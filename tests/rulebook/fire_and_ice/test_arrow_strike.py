"""Arrow Strike: an Elf captures a weaker enemy from afar."""

from __future__ import annotations

import pytest

from tests.rulebook.around import within_two
from tests.rulebook.fire_and_ice.crowd import GAME, NORTH_CROWD, SOUTH_CROWD
from tests.rulebook.table import Table


def shot(code: str, **options: str) -> Table:
    """An Elf on e3 has shot at a knight's square."""
    flag = " ." if code == "F" else "-F"
    table = Table(
        GAME,
        f"""
         8  {flag}  .  .  .  .  .  .  .  . -2
         5   .  .  ~  ~  . -{code}  ~  ~  .  .
         4   .  .  ~  ~ +3 +3  ~  ~  .  .
         3   .  .  .  . +4  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
        **options,
    )
    return table.plays("e3 shoot f5")


@pytest.mark.rule("FI-P-13")
@pytest.mark.parametrize(
    ("crowd", "side", "elf"), [(SOUTH_CROWD, "south", "e3"), (NORTH_CROWD, "north", "e6")]
)
def test_an_elf_shoots_at_any_enemy_within_two_squares_over_a_piece_that_stands_between(
    crowd: str, side: str, elf: str
) -> None:
    crowd = crowd.replace("-4 -4", "-4 -6").replace("+4 +4", "+4 +6")
    table = Table(GAME, crowd.replace("{user}", "4"), to_move=side)
    found = {turn for turn in table.choices(elf) if "shoot" in turn}
    assert found == {f"{elf} shoot {cell}" for cell in within_two(GAME, elf)}


@pytest.mark.rule("FI-P-13")
def test_an_elf_shoots_over_zones() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         6   .  . -3 -3  .  .  .  .  .  .
         4   . +4  ~  ~  .  .  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    assert {turn for turn in table.choices("b4") if "shoot" in turn} == {"b4 shoot c6", "b4 shoot d6"}


@pytest.mark.rule("FI-P-13", "FI-P-02")
def test_a_weaker_target_is_shown_and_captured_and_the_elf_stays() -> None:
    table = shot("3")
    assert table.becomes("5  .  .  ~  ~  .  .  ~  ~  .  .")
    assert table.events == [
        "use arrow-strike e3 on f5",
        "shown e3 elf to all",
        "shown f5 dwarf to all",
        "removed f5",
        "turn north",
    ]
    assert (table.shown_to("south"), table.shown_to("north")) == (["f5 dwarf"], ["e3 elf"])


@pytest.mark.rule("FI-P-13")
@pytest.mark.parametrize("code", list("456789X"))
def test_nothing_happens_to_an_equal_or_higher_rank(code: str) -> None:
    table = shot(code)
    assert table.becomes("")
    assert table.events[3:] == ["nothing f5", "turn north"]


@pytest.mark.rule("FI-P-13", "FI-X-24", "CM-12")
@pytest.mark.parametrize("code", list("23s"))
def test_scouts_dwarves_and_slayers_fall(code: str) -> None:
    assert "removed f5" in shot(code).events


@pytest.mark.rule("FI-X-23", "CM-12")
@pytest.mark.parametrize(("code", "kind"), [("B", "trap"), ("F", "flag")])
def test_a_trap_or_flag_is_shown_and_unaffected(code: str, kind: str) -> None:
    table = shot(code)
    assert table.becomes("")
    assert table.events[2:] == [f"shown f5 {kind} to all", "nothing f5", "turn north"]
    assert not table.result


@pytest.mark.rule("FI-X-23")
def test_with_arrow_takes_flag_an_arrow_captures_the_flag_and_wins() -> None:
    table = shot("F", arrow_takes_flag="on")
    assert table.result == "south flag"
    assert table.becomes("5  .  .  ~  ~  .  .  ~  ~  .  .")


@pytest.mark.rule("FI-X-23")
def test_even_with_arrow_takes_flag_a_trap_is_unaffected() -> None:
    assert shot("B", arrow_takes_flag="on").becomes("")
