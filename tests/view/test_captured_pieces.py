"""Who may look at captured pieces: the four modes, for captor, loser and watchers."""

from __future__ import annotations

import msgspec
import pytest

from flagfall.view.view import VIEWERS
from tests.view.table import Table

KINDS = {
    "duel-masters/classic": ("seer", "knight", "brute"),
    "lotr/classic": ("saruman", "legolas", "gimli"),
    "fire-and-ice/classic": ("mage", "knight", "beast"),
}


def captured(game_id: str, mode: str, memory: str = "") -> Table:
    """South's strong piece has captured North's, and each side has made a move since."""
    strong, lost, other = KINDS[game_id]
    more = {"memory": memory} if memory else {}
    table = Table(
        game_id,
        south=f"a1 flag, b2 {strong}, d1 orc" if game_id.startswith("lotr") else f"a1 flag, b2 {strong}",
        north=f"d4 flag, b3 {lost}, c4 {other}",
        captured_pieces=mode,
        **more,
    )
    return table.plays("b2xb3", "c4-c3", "b3-a3")


@pytest.mark.rule("DM-C-01", "LR-C-01", "FI-C-01")
@pytest.mark.parametrize("game_id", KINDS)
@pytest.mark.parametrize("mode", ["open", "prisoner", "secret", "stealth"])
def test_a_captured_piece_leaves_the_board_at_once_and_lies_in_the_tray_of_the_agreed_mode(
    game_id: str, mode: str
) -> None:
    table = captured(game_id, mode)
    for viewer in VIEWERS:
        assert [piece.side for piece in table.view(viewer).tray] == ["north"]
        assert all(piece.name != "b3" for piece in table.view(viewer).pieces)


@pytest.mark.rule("DM-C-02", "LR-C-02", "FI-C-02")
@pytest.mark.parametrize("game_id", KINDS)
def test_open_both_players_and_watchers_see_what_was_captured(game_id: str) -> None:
    table = captured(game_id, "open")
    assert all(table.tray(viewer) == [f"north {KINDS[game_id][1]}"] for viewer in VIEWERS)


@pytest.mark.rule("DM-C-03", "LR-C-03", "FI-C-03")
@pytest.mark.parametrize("game_id", KINDS)
def test_prisoner_only_the_captor_sees_what_was_captured(game_id: str) -> None:
    table = captured(game_id, "prisoner")
    assert table.tray("south") == [f"north {KINDS[game_id][1]}"]
    assert table.tray("north") == table.tray("watcher") == ["north ?"]


@pytest.mark.rule("DM-C-04", "LR-C-04", "FI-C-04")
@pytest.mark.parametrize("game_id", KINDS)
def test_secret_only_the_loser_sees_what_was_captured(game_id: str) -> None:
    table = captured(game_id, "secret")
    assert table.tray("north") == [f"north {KINDS[game_id][1]}"]
    assert table.tray("south") == table.tray("watcher") == ["north ?"]


@pytest.mark.rule("DM-C-05", "LR-C-05", "FI-C-05")
@pytest.mark.parametrize("game_id", KINDS)
def test_stealth_nobody_sees_what_was_captured(game_id: str) -> None:
    table = captured(game_id, "stealth")
    assert all(table.tray(viewer) == ["north ?"] for viewer in VIEWERS)


@pytest.mark.rule("CM-07")
@pytest.mark.parametrize("mode", ["open", "prisoner", "secret", "stealth"])
def test_the_fight_itself_is_shown_to_everybody_in_every_mode(mode: str) -> None:
    table = Table(
        "onyx/classic",
        south="a1 flag, b2 captain",
        north="d4 flag, b3 sergeant, c4 miner",
        captured_pieces=mode,
    )
    table.plays("b2xb3")
    for viewer in VIEWERS:
        assert table.shown(viewer) == {"captain", "sergeant"}


@pytest.mark.rule("CM-07")
@pytest.mark.parametrize("memory", ["notes", "strict"])
@pytest.mark.parametrize(
    ("mode", "knowing"), [("prisoner", {"south"}), ("secret", {"north"}), ("stealth", set())]
)
def test_once_the_fight_is_over_nothing_a_viewer_is_sent_names_what_the_tray_hides(
    mode: str, knowing: set[str], memory: str
) -> None:
    table = captured("duel-masters/classic", mode, memory)
    naming = {viewer for viewer in VIEWERS if b'"knight"' in msgspec.json.encode(table.view(viewer))}
    assert naming == knowing


@pytest.mark.rule("CM-23")
@pytest.mark.parametrize(
    ("mode", "captor", "loser"),
    [
        ("open", "south general", "south general"),
        ("prisoner", "south general", "south ?"),
        ("secret", "south ?", "south general"),
        ("stealth", "south ?", "south ?"),
    ],
)
def test_a_piece_lost_in_its_own_attack_lies_in_the_captor_s_tray(mode: str, captor: str, loser: str) -> None:
    table = Table(
        "onyx/classic",
        south="a1 flag, b2 general, d1 scout",
        north="d4 flag, b3 bomb, a4 miner",
        captured_pieces=mode,
    )
    table.plays("b2xb3")
    assert (table.tray("north"), table.tray("south")) == ([captor], [loser])


@pytest.mark.rule("CM-23")
@pytest.mark.parametrize(
    ("mode", "south"),
    [
        ("open", ["south captain", "north captain"]),
        ("prisoner", ["south ?", "north captain"]),
        ("secret", ["south captain", "north ?"]),
        ("stealth", ["south ?", "north ?"]),
    ],
)
def test_of_two_equals_each_is_the_other_side_s_capture(mode: str, south: list[str]) -> None:
    table = Table(
        "onyx/classic",
        south="a1 flag, b2 captain, d1 scout",
        north="d4 flag, b3 captain, a4 miner",
        captured_pieces=mode,
    )
    table.plays("b2xb3")
    assert table.tray("south") == south


def test_a_tray_is_sorted_by_strength_so_its_order_tells_nothing() -> None:
    table = Table(
        "onyx/classic",
        south="a1 flag, b2 marshal, d1 scout",
        north="d4 flag, b3 miner, a3 general, d3 scout",
    )
    table.plays("b2xb3", "d3-d2", "b3xa3")
    assert table.tray("north") == ["north general", "north miner"]
