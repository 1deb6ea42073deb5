"""The Lord of the Rings, Destroy the Ring: Mount Doom, who enters it and what happens there."""

from __future__ import annotations

import pytest

from tests.rulebook.lotr.pieces import GOOD, POWERS, RING
from tests.rulebook.table import Table

ENTRIES = {
    "c5": ("b5", "c4"),
    "d5": ("e5", "d4"),
    "g5": ("f5", "g4"),
    "h5": ("i5", "h4"),
}
ZONES = ["c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"]
OUTSIDE = ["b5", "b6", "c4", "c7", "d4", "d7", "e5", "e6", "f5", "f6", "g4", "g7", "h4", "h7", "i5", "i6"]


def board(**pieces: str) -> str:
    """A drawing with the given pieces, ``b5="-D"``; both sides have a Flag and another piece to move."""
    every = {"a1": "+F", "a10": "-F", "j1": "+3", "j10": "-2", **pieces}
    rows = []
    for row in range(10, 0, -1):
        cells = [f"{column}{row}" for column in "abcdefghij"]
        rows.append(f"{row} " + " ".join(every.get(cell, "~" if cell in ZONES else ".") for cell in cells))
    return "\n".join(rows)


def neighbours(cell: str) -> list[str]:
    """Return the squares next to a square."""
    column, row = ord(cell[0]), int(cell[1:])
    return [f"{chr(column + dx)}{row + dy}" for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))]


@pytest.mark.rule("LR-R-02", "LR-X-01")
@pytest.mark.parametrize("square", ENTRIES)
def test_frodo_enters_mount_doom_from_its_two_neighbours_outside_the_zone_and_no_other_way(
    square: str,
) -> None:
    for cell in OUTSIDE:
        table = Table(RING, board(**{cell: "-D"}), to_move="north", mount_doom=square)
        inside = {to for to in neighbours(cell) if to in ZONES and table.allows(f"{cell}-{to}")}
        assert inside == ({square} if cell in ENTRIES[square] else set()), cell


@pytest.mark.rule("LR-X-01")
def test_mount_doom_is_c5_unless_another_square_is_chosen() -> None:
    for cell in ENTRIES["c5"]:
        assert Table(RING, board(**{cell: "-D"}), to_move="north").allows(f"{cell}-c5")


@pytest.mark.rule("LR-R-02")
@pytest.mark.parametrize("entry", ["b5", "c4"])
def test_entering_shows_frodo_and_destroys_the_ring(entry: str) -> None:
    table = Table(RING, board(**{entry: "-D"}), to_move="north").plays(f"{entry}-c5")
    assert table.events == [
        f"shown {entry} frodo to all",
        f"move {entry}-c5",
        "regime bearer arrived",
        "turn south",
    ]
    assert table.becomes("5  .  . -D  ~  .  .  ~  ~  .  .\n4  .  .  .  .  .  .  .  .  .  .")
    assert table.known_to("south") == {"c5": "frodo"}


@pytest.mark.rule("LR-R-02")
def test_nobody_but_frodo_enters() -> None:
    for code in GOOD.keys() - {"D"}:
        table = Table(RING, board(b5=f"-{code}"), to_move="north")
        assert table.refuses("b5-c5"), code
    for code in "X98GLK65432s":
        table = Table(RING, board(c4=f"+{code}"))
        assert table.refuses("c4-c5"), code


@pytest.mark.rule("LR-X-05", "LR-R-02")
def test_neither_a_ride_nor_a_gallop_ends_on_or_crosses_mount_doom() -> None:
    table = Table(RING, board(b4="-T"), to_move="north")
    assert {text for text in table.choices() if text.endswith("c5")} == set()
    rider = Table(RING, board(a5="-2", c2="-2"), to_move="north")
    assert "a5-b5" in rider.choices()
    assert "c2-c4" in rider.choices()
    across = {text for text in rider.choices("a5") | rider.choices("c2") if text[3:] in ("c5", "e5", "c7")}
    assert across == set()


@pytest.mark.rule("LR-R-02")
@pytest.mark.parametrize("cell", ["b5", "c4"])
def test_without_the_ring_game_the_square_is_part_of_the_zone(cell: str) -> None:
    assert Table(POWERS, board(**{cell: "-D"}), to_move="north").refuses(f"{cell}-c5")


@pytest.mark.rule("LR-R-02", "CM-05")
def test_a_player_who_can_only_enter_mount_doom_has_not_lost() -> None:
    drawing = """
        10  -F  .  .  .  .  .  .  .  .  .
         6   . -B  ~  ~  .  .  ~  ~  .  .
         5  -B -D  ~  ~  .  .  ~  ~  .  .
         4   . -B  .  .  .  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +3
    """
    table = Table(RING, drawing, to_move="north")
    assert table.choices() == {"b5-c5"}
    assert Table(RING, drawing).plays("j1-j2").result == ""
    assert Table(POWERS, drawing).plays("j1-j2").result == "south no move"


@pytest.mark.rule("LR-R-09")
@pytest.mark.parametrize("square", ENTRIES)
def test_he_may_leave_on_a_later_turn_by_either_way_but_not_through_the_zone(square: str) -> None:
    first, second = ENTRIES[square]
    table = Table(RING, board(**{first: "-D"}), to_move="north", mount_doom=square)
    table.plays(f"{first}-{square}", "j1-j2")
    assert table.choices(square) == {f"{square}-{first}", f"{square}-{second}"}
    table.plays(f"{square}-{second}")
    assert table.events == [f"move {square}-{second}", "turn south"]


@pytest.mark.rule("LR-R-09", "LR-R-02")
def test_he_never_comes_back_and_the_square_is_closed_to_all() -> None:
    table = Table(RING, board(b5="-D", b4="-A"), to_move="north")
    table.plays("b5-c5", "j1-j2", "c5-c4", "j2-j3", "j10-j9", "j3-j4")
    assert table.becomes(board(c4="-D", b4="-A", j1=".", j4="+3", j10=".", j9="-2"))
    assert table.refuses("c4-c5")
    table.plays("b4-b5", "j4-j5")
    assert table.refuses("b5-c5")


@pytest.mark.rule("LR-R-09", "LR-R-02")
def test_he_cannot_come_back_by_the_other_entry_either() -> None:
    table = Table(RING, board(b5="-D"), to_move="north")
    table.plays("b5-c5", "j1-j2", "c5-b5", "j2-j3", "b5-b4", "j3-j4", "b4-c4", "j4-j5")
    assert table.refuses("c4-c5")


def arrived(**pieces: str) -> Table:
    """Frodo has just come to Mount Doom from b5, and Evil is to move."""
    options = {name: pieces.pop(name) for name in list(pieces) if len(name) > 3}
    return Table(RING, board(b5="-D", **pieces), to_move="north", **options).plays("b5-c5")


@pytest.mark.rule("LR-X-03")
def test_the_witch_king_captures_frodo_there_but_does_not_step_in() -> None:
    table = arrived(c4="+X", g8="-X").plays("c4xc5")
    assert table.events == [
        "attack c4xc5",
        "shown c4 witch-king to all",
        "shown c5 frodo to all",
        "removed c5",
        "turn north",
    ]
    assert table.becomes(board(c4="+X", g8="-X"))
    assert table.plays("j10-j9").refuses("c4-c5")


@pytest.mark.rule("LR-X-03", "LR-R-10")
def test_a_capture_after_the_arrival_gives_evil_nothing() -> None:
    table = arrived(c4="+X", e4="+3", e5="-3").plays("c4xc5", "j10-j9", "e4xe5")
    assert table.events[-3:] == ["removed e4", "removed e5", "turn north"]


@pytest.mark.rule("LR-X-03", "LR-R-10")
def test_a_capture_after_he_has_left_gives_evil_nothing_either() -> None:
    table = arrived(b4="+X", e4="+3", e5="-3").plays("j1-j2", "c5-b5", "b4xb5")
    assert table.events[-3:] == ["removed b5", "take b4-b5", "turn north"]
    table.plays("j10-j9", "e4xe5")
    assert table.events[-3:] == ["removed e4", "removed e5", "turn north"]


@pytest.mark.rule("LR-X-03", "LR-R-03")
@pytest.mark.parametrize("code", ["3", "s"])
def test_orcs_and_wormtongue_are_captured_when_they_attack_him_there(code: str) -> None:
    table = arrived(c4=f"+{code}").plays("c4xc5")
    assert table.events[-2:] == ["removed c4", "turn north"]
    assert table.becomes(board(c5="-D"))


@pytest.mark.rule("LR-X-03", "LR-X-06")
def test_saruman_cannot_see_him_there_or_anywhere_after_the_ring_is_gone() -> None:
    table = arrived(c4="+9").plays("c4xc5")
    assert table.events[-2:] == ["nothing c5", "turn north"]
    assert table.becomes(board(c4="+9", c5="-D"))
    table.plays("c5xc4")
    assert table.events[-2:] == ["nothing c4", "turn south"]


@pytest.mark.rule("LR-X-06", "LR-X-03")
def test_with_ring_gone_visible_saruman_captures_him_there_and_does_not_step_in() -> None:
    table = arrived(c4="+9", ring_gone_visible="on").plays("c4xc5")
    assert table.events[-2:] == ["removed c5", "turn north"]
    assert table.becomes(board(c4="+9"))


@pytest.mark.rule("LR-X-06")
def test_with_ring_gone_visible_frodo_loses_to_saruman_as_an_attacker_too() -> None:
    table = arrived(c4="+9", ring_gone_visible="on").plays("j1-j2", "c5xc4")
    assert table.events[-2:] == ["removed c5", "turn south"]
    assert table.becomes(board(c4="+9", j1=".", j2="+3"))


@pytest.mark.rule("LR-X-06")
def test_with_ring_gone_visible_he_is_invisible_until_the_ring_is_gone() -> None:
    table = Table(RING, board(b5="-D", b4="+9"), ring_gone_visible="on").plays("b4xb5")
    assert table.events[-2:] == ["nothing b5", "turn north"]
    strong = Table(RING, board(b5="-D", b4="+B"), to_move="north", ring_gone_visible="on").plays("b5xb4")
    assert strong.events[-2:] == ["nothing b4", "turn south"]


@pytest.mark.rule("LR-X-04")
def test_frodo_may_attack_out_of_mount_doom_and_leaves_it_if_he_wins() -> None:
    table = arrived(b4="+3").plays("b4-b5", "c5xb5")
    assert table.events[-3:] == ["removed b5", "take c5-b5", "turn south"]
    assert table.becomes(board(b5="-D"))
    assert table.plays("j1-j2").refuses("b5-c5")


@pytest.mark.rule("LR-X-04")
def test_if_he_is_invisible_he_stays_there() -> None:
    table = arrived(c4="+9").plays("j1-j2", "c5xc4")
    assert table.events[-2:] == ["nothing c4", "turn south"]
    assert table.becomes(board(c4="+9", c5="-D", j1=".", j2="+3"))


@pytest.mark.rule("LR-X-04", "LR-R-06")
def test_if_he_attacks_the_witch_king_from_there_he_is_captured_and_evil_gains_nothing() -> None:
    table = arrived(c4="+X").plays("j1-j2", "c5xc4")
    assert table.events[-2:] == ["removed c5", "turn south"]
    assert table.becomes(board(c4="+X", j1=".", j2="+3"))


@pytest.mark.rule("LR-X-03", "LR-X-36")
@pytest.mark.parametrize("code", ["X", "9", "3", "s"])
def test_with_doom_immune_nobody_may_attack_him_there(code: str) -> None:
    assert arrived(c4=f"+{code}").allows("c4xc5")
    table = arrived(c4=f"+{code}", doom_immune="on")
    assert table.refuses("c4xc5")
    assert {"c4-b4", "c4-c3"} <= table.choices("c4")


@pytest.mark.rule("LR-X-36")
def test_with_doom_immune_he_may_be_attacked_again_once_he_has_left() -> None:
    table = arrived(b4="+X", doom_immune="on").plays("j1-j2", "c5-b5")
    assert table.allows("b4xb5")


@pytest.mark.rule("LR-X-36")
def test_with_doom_immune_he_may_still_attack_out_of_it_and_be_detected() -> None:
    table = arrived(c4="+9", doom_immune="on")
    assert table.allows("c4 detect c5")
    assert table.plays("j1-j2").allows("c5xc4")


@pytest.mark.rule("LR-X-36")
def test_doom_immune_protects_nobody_before_the_arrival() -> None:
    table = Table(RING, board(b5="-D", b4="+X"), doom_immune="on")
    assert table.plays("b4xb5").events[-3:] == ["regime bearer lost", "take b4-b5", "turn north"]


@pytest.mark.rule("LR-X-05", "LR-P-03")
def test_the_witch_king_flies_over_frodo_on_mount_doom() -> None:
    table = arrived(c4="+X").plays("c4^c7")
    assert table.becomes(board(c7="+X", c5="-D"))


@pytest.mark.rule("LR-P-04")
def test_saruman_may_detect_him_there() -> None:
    table = arrived(d4="+9").plays("d4 detect c5")
    assert table.shown_to("south") == ["c5 frodo"]
    assert table.becomes(board(d4="+9", c5="-D"))


@pytest.mark.rule("LR-R-02")
def test_after_frodo_is_lost_nobody_ever_enters() -> None:
    table = Table(RING, board(b5="-D", b4="+8", c4="-A")).plays("b4xb5", "j10-j9", "j1-j2")
    assert table.refuses("c4-c5")
