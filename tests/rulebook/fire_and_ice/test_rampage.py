"""Rampage: a Lava Beast or Yeti strikes everybody around it."""

from __future__ import annotations

import pytest

from tests.rulebook.table import Table

GAME = "fire-and-ice/special-powers"
CROWD = """
     8  -F  .  .  .  .  .  .  .  . -2
     4   .  .  ~  ~ -4  .  ~  ~  .  .
     3   .  .  . -2 +2 +3  .  .  .  .
     2   .  .  . +4  . -3  .  .  .  .
     1  +F  .  . -s +5 -2  .  .  .  .
"""


def rampage(*neighbours: str, flag: str = "+F") -> Table:
    """A Beast has stepped from e1 to e2 among up to three neighbours on d3, e3 and f3."""
    left, middle, right = [*neighbours, ".", ".", "."][:3]
    own = flag if "+F" not in neighbours else " ."
    enemy = "-F" if "-F" not in neighbours else " ."
    table = Table(
        GAME,
        f"""
         8  {enemy}  .  .  .  .  .  .  .  . -2
         3   .  .  . {left} {middle} {right}  .  .  .  .
         1  {own}  .  .  . +5  .  .  .  . +2
        """,
    )
    return table.plays("e1-e2 rampage")


def after(left: str, beast: str) -> str:
    """Rows 3 to 1 after a rampage with one neighbour on d3."""
    return f"""
         3   .  .  . {left}  .  .  .  .  .  .
         2   .  .  .  . {beast}  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
    """


@pytest.mark.rule("FI-P-07", "FI-P-02", "FI-P-08")
def test_a_beast_is_shown_steps_and_strikes_all_eight_neighbours_friends_included() -> None:
    table = Table(GAME, CROWD).plays("e1-e2 rampage")
    assert table.events == [
        "shown e1 beast to all",
        "move e1-e2",
        "use rampage e2",
        "shown e3 scout to all",
        "shown f3 dwarf to all",
        "shown f2 dwarf to all",
        "shown f1 scout to all",
        "shown d1 slayer to all",
        "shown d2 elf to all",
        "shown d3 scout to all",
        "removed e3",
        "removed f3",
        "removed f2",
        "removed f1",
        "removed d1",
        "removed d2",
        "removed d3",
        "turn north",
    ]
    assert table.becomes("""
         3   .  .  .  .  .  .  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
    """), "e4 stands two squares away"


@pytest.mark.rule("FI-P-07")
def test_neighbours_of_both_sides_are_shown_to_both_players() -> None:
    table = Table(GAME, CROWD).plays("e1-e2 rampage")
    assert table.shown_to("north") == ["e1 beast", "e3 scout", "f3 dwarf", "d2 elf"]
    assert table.shown_to("south") == ["f2 dwarf", "f1 scout", "d1 slayer", "d3 scout"]


@pytest.mark.rule("FI-P-07")
def test_a_yeti_of_the_north_rampages_too() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  . -5  .  .  .  . -2
         6   .  .  . +3  . -4  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        to_move="north",
    )
    table.plays("e8-e7 rampage")
    assert table.becomes("""
         8  -F  .  .  .  .  .  .  .  . -2
         7   .  .  .  . -5  .  .  .  .  .
         6   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("FI-P-08")
@pytest.mark.parametrize("code", ["-2", "-3", "-4", "+2", "+3", "+4"])
def test_a_weaker_neighbour_is_captured_and_the_beast_survives(code: str) -> None:
    assert rampage(code).becomes(after(".", "+5"))


@pytest.mark.rule("FI-P-08", "FI-X-10")
@pytest.mark.parametrize("code", ["-5", "+5"])
def test_an_equal_neighbour_and_the_beast_are_both_captured(code: str) -> None:
    assert rampage(code).becomes(after(".", "."))


@pytest.mark.rule("FI-P-08", "FI-X-10")
@pytest.mark.parametrize("code", ["-6", "-7", "-X", "+6", "+9"])
def test_a_stronger_neighbour_survives_and_the_beast_is_captured(code: str) -> None:
    table = rampage(code)
    assert table.becomes(after(code, "."))
    assert table.events[-3:] == ["nothing d3", "removed e2", "turn north"]


@pytest.mark.rule("FI-P-08")
def test_all_are_struck_at_once_so_the_weak_fall_although_a_stronger_one_takes_the_beast() -> None:
    assert rampage("-9", "-3", "+4").becomes(after("-9", "."))


@pytest.mark.rule("FI-P-09", "FI-X-08", "FI-X-09", "CM-12")
@pytest.mark.parametrize("code", ["-B", "+B"])
def test_a_trap_is_shown_neither_hurt_nor_hurting(code: str) -> None:
    table = rampage(code)
    assert table.becomes(after(code, "+5"))
    assert table.events[3:] == ["shown d3 trap to all", "nothing d3", "turn north"]


@pytest.mark.rule("FI-P-09", "FI-X-09", "CM-12")
@pytest.mark.parametrize("code", ["-F", "+F"])
def test_a_flag_of_either_side_is_shown_and_stays(code: str) -> None:
    table = rampage(code)
    assert table.events[3:] == ["shown d3 flag to all", "nothing d3", "turn north"]
    assert code in table.board()
    assert not table.result


@pytest.mark.rule("FI-X-12", "CM-12")
@pytest.mark.parametrize("code", ["-s", "+s"])
def test_a_slayer_falls_and_does_not_hurt_the_beast(code: str) -> None:
    assert rampage(code).becomes(after(".", "+5"))


@pytest.mark.rule("FI-X-13")
def test_a_beast_may_rampage_among_friends_alone() -> None:
    assert rampage("+2", "+3").becomes(after(".", "+5"))


@pytest.mark.rule("FI-X-07")
def test_the_step_is_compulsory_and_goes_to_an_unoccupied_square() -> None:
    table = Table(GAME, CROWD)
    assert {turn for turn in table.choices("e1") if "rampage" in turn} == {"e1-e2 rampage"}


@pytest.mark.rule("FI-X-07")
def test_without_a_neighbour_on_arrival_there_is_no_rampage() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         4   .  .  ~  ~  .  . ~ ~  .  .
         3   .  .  .  .  . -3  .  .  .  .
         1  +F  .  .  . +5  .  .  .  .  .
        """,
    )
    rampages = {turn for turn in table.choices("e1") if "rampage" in turn}
    assert rampages == {"e1-e2 rampage"}, "from d1 and f1 nobody is next to the beast, not even its shadow"


@pytest.mark.rule("FI-P-07", "FI-X-07")
def test_a_rampage_begins_with_a_single_step_never_with_an_attack() -> None:
    table = Table(
        GAME,
        """
         8  -F  .  .  .  .  .  .  .  . -2
         3   .  .  .  . -3 -2  .  .  .  .
         2   .  .  .  . +5  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        """,
    )
    rampages = {turn for turn in table.choices("e2") if "rampage" in turn}
    assert rampages == {"e2-d2 rampage", "e2-f2 rampage"}, "not onto e3, not to e1, where nobody is near"


@pytest.mark.rule("FI-P-01")
def test_a_beast_may_step_without_rampaging_and_then_shows_nothing() -> None:
    assert Table(GAME, CROWD).plays("e1-e2").events == ["move e1-e2", "turn north"]
