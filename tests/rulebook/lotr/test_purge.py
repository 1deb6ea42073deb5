"""The Lord of the Rings, Destroy the Ring: what Evil loses when Frodo reaches Mount Doom."""

from __future__ import annotations

import pytest

from flagfall.engine import events
from tests.rulebook.lotr.pieces import RING
from tests.rulebook.table import Table

ARMIES = """
    10  -F -B -3  .  .  .  .  .  . -2
     7  -X -9 -L -G -R -T -E -O -5 -A
     5   . -D  ~  ~  .  .  ~  ~  .  .
     3  +X +9 +8 +G +L +K +6 +5 +4 +3
     2  +2 +s +B  .  .  .  .  .  .  .
     1  +F +B  .  .  .  .  .  .  . +3
"""
GONE = {
    **{"c3": "ringwraith", "d3": "gothmog", "e3": "lurtz", "f3": "sharku", "g3": "uruk-hai"},
    **{"h3": "berzerker", "i3": "haradrim", "a2": "warg-rider", "c2": "stronghold", "b1": "stronghold"},
}


def squares(table: Table, word: str) -> set[str]:
    """The squares that events of a sort speak of."""
    return {event.split()[1] for event in table.events if event.startswith(word)}


@pytest.mark.rule("LR-R-08")
def test_evil_loses_its_2s_and_4s_to_8s_and_strongholds_and_keeps_the_rest() -> None:
    table = Table(RING, ARMIES, to_move="north").plays("b5-c5")
    assert table.becomes("""
         5   .  . -D  ~  .  .  ~  ~  .  .
         3  +X +9  .  .  .  .  .  .  . +3
         2   . +s  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
    """)
    assert squares(table, "removed") == GONE.keys()


@pytest.mark.rule("LR-R-08")
def test_they_go_at_once_and_then_it_is_evil_s_turn() -> None:
    table = Table(RING, ARMIES, to_move="north").plays("b5-c5")
    assert table.events[:3] == ["shown b5 frodo to all", "move b5-c5", "regime bearer arrived"]
    assert table.events[-1] == "turn south"
    assert table.to_move == "south"
    assert table.result == ""
    assert table.allows("j3-j4")


@pytest.mark.rule("LR-X-35")
def test_the_strongholds_of_good_stay() -> None:
    table = Table(RING, ARMIES, to_move="north").plays("b5-c5")
    assert "b10" not in squares(table, "removed")
    assert table.board().splitlines()[0].split()[2] == "-B"


@pytest.mark.rule("LR-X-19", "CM-23")
@pytest.mark.parametrize("mode", ["open", "prisoner"])
def test_where_the_captor_may_look_what_goes_is_shown(mode: str) -> None:
    table = Table(RING, ARMIES, to_move="north", captured_pieces=mode).plays("b5-c5")
    assert set(table.shown_to("north")) == {f"{cell} {kind}" for cell, kind in GONE.items()}
    assert table.known_to("north") == {}


@pytest.mark.rule("LR-X-19", "CM-23")
@pytest.mark.parametrize("mode", ["secret", "stealth"])
def test_where_the_captor_may_not_look_only_the_squares_are_told(mode: str) -> None:
    table = Table(RING, ARMIES, to_move="north", captured_pieces=mode).plays("b5-c5")
    assert table.shown_to("north") == []
    assert table.shown_to("watchers") == ["b5 frodo"]
    assert squares(table, "removed") == GONE.keys()
    told = [row for row in table.rows if row.what == events.REMOVED]
    assert all(row.audience == events.TO_ALL and row.value == 0 for row in told)


@pytest.mark.rule("LR-X-19")
def test_a_piece_that_was_known_before_is_not_shown_again() -> None:
    table = Table(RING, ARMIES.replace("3  +X", "3   .")).plays("a2-a5", "b5-c5")
    assert "a5 warg-rider" not in table.shown_to("north")
    assert "g3 uruk-hai" in table.shown_to("north")
    assert "a5" in squares(table, "removed")


@pytest.mark.rule("LR-R-08")
def test_everybody_is_told_that_the_ring_is_gone() -> None:
    table = Table(RING, ARMIES, to_move="north").plays("b5-c5")
    [told] = [row for row in table.rows if row.what == events.PHASE]
    assert told.audience == events.TO_ALL


@pytest.mark.rule("LR-X-20", "LR-T-03")
def test_if_evil_has_nobody_left_to_move_it_has_lost() -> None:
    table = Table(
        RING,
        """
        10  -F  .  .  .  .  .  .  .  .  .
         5   . -D  ~  ~  .  .  ~  ~  .  .
         3   .  . +8 +G +6 +5 +4 +2  .  .
         1  +F +B  .  .  .  .  .  .  .  .
        """,
        to_move="north",
    ).plays("b5-c5")
    assert table.events[-1] == "result north no move"


@pytest.mark.rule("LR-R-08", "LR-V-01")
def test_play_goes_on_for_the_flag_with_the_old_numbers() -> None:
    table = Table(
        RING,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         5   . -D  ~  ~  .  .  ~  ~  .  .
         3   .  . +3 -3  .  .  .  .  .  .
         2  -A  .  .  .  .  .  .  .  .  .
         1  +F +B  .  .  .  .  .  .  . +3
        """,
        to_move="north",
    ).plays("b5-c5", "c3xd3")
    assert table.events[-3:] == ["removed c3", "removed d3", "turn north"]
    assert table.plays("a2xa1").result == "north flag"


@pytest.mark.rule("CM-16", "LR-R-08")
@pytest.mark.parametrize("code", ["2", "3"])
def test_the_purge_is_progress_even_if_nobody_is_left_to_go(code: str) -> None:
    table = Table(
        RING,
        f"""
        10  -F  .  .  .  .  .  .  .  . -2
         5   . -D  ~  ~  .  .  ~  ~  .  .
         3   .  . +{code}  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
        """,
        no_progress_draw="4",
    ).plays("j1-j2", "j10-j9", "j2-j1")
    assert table.plays("b5-c5").result == ""
    table.plays("j1-i1", "j9-j10", "i1-h1")
    assert table.result == ""
    assert table.plays("c5-b5").result == "draw no progress"
