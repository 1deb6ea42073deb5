"""What everybody sees of the ring game: the purge, what may be concluded from it, and changed numbers."""

from __future__ import annotations

import msgspec
import pytest

from flagfall.view.view import VIEWERS, Viewer
from tests.view.table import Table, WideTable

GAME = "lotr/destroy-the-ring"
EVIL = (
    "a1 flag, c3 witch-king, d3 orc, e3 uruk-hai, f3 haradrim, g3 warg-rider, h3 wormtongue, i3 stronghold, "
    "b1 stronghold"
)
GOOD = "a10 flag, b5 frodo, j10 rider, b10 stronghold, c10 sam"
MODES = ["open", "prisoner", "secret", "stealth"]
GONE = ["uruk-hai", "haradrim", "warg-rider", "stronghold", "stronghold"]
STAYS = {"witch-king", "orc", "wormtongue", "flag"}
OUTSIDERS: tuple[Viewer, ...] = ("north", "watcher")


def ring_game(south: str = EVIL, north: str = GOOD, **options: str) -> Table:
    """A ring game on its own board."""
    return WideTable(GAME, south=south, north=north, **options)


def purged(south: str = EVIL, **options: str) -> Table:
    """Orc and Uruk-hai have stepped forward; then Frodo has reached Mount Doom."""
    return ring_game(south, **options).plays("d3-d4", "j10-j9", "e3-e4", "b5-c5")


def sent(table: Table, viewer: Viewer) -> bytes:
    """What a viewer gets over the wire."""
    return msgspec.json.encode(table.view(viewer))


@pytest.mark.rule("LR-X-19", "CM-23", "LR-C-02", "LR-C-03", "LR-C-04", "LR-C-05")
@pytest.mark.parametrize(
    ("mode", "lookers"),
    [
        ("open", {"south", "north", "watcher"}),
        ("prisoner", {"north"}),
        ("secret", {"south"}),
        ("stealth", set()),
    ],
)
def test_purged_pieces_lie_in_the_tray_of_the_agreed_mode(mode: str, lookers: set[Viewer]) -> None:
    table = purged(captured_pieces=mode)
    for viewer in VIEWERS:
        kinds = GONE if viewer in lookers else ["?"] * 5
        assert table.tray(viewer) == [f"south {kind}" for kind in kinds], viewer


@pytest.mark.rule("LR-X-19")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_squares_from_which_pieces_go_are_seen_by_everybody(mode: str, viewer: Viewer) -> None:
    table = purged(captured_pieces=mode)
    seen = [event for event in table.seen[viewer] if event.what == "removed"]
    assert {event.origin for event in seen} == {"e4", "f3", "g3", "i3", "b1"}
    assert all(event.kind == "" for event in seen)
    assert {piece.cell for piece in table.view(viewer).pieces if piece.side == "south"} == {
        *("a1", "c3", "d4", "h3")
    }


@pytest.mark.rule("LR-X-19")
@pytest.mark.parametrize("viewer", OUTSIDERS)
@pytest.mark.parametrize("mode", ["secret", "stealth"])
def test_in_secret_a_purged_piece_may_be_any_that_had_to_go_and_could_do_what_it_did(
    mode: str, viewer: Viewer
) -> None:
    table = purged(captured_pieces=mode)
    assert table.thinks(viewer, "e3") == {"uruk-hai", "haradrim", "warg-rider"}
    for name in ("f3", "g3", "i3", "b1"):
        assert table.thinks(viewer, name) == {*GONE}
    assert table.shown(viewer) == {"frodo"}


@pytest.mark.rule("LR-X-19")
@pytest.mark.parametrize("viewer", OUTSIDERS)
@pytest.mark.parametrize("mode", ["open", "prisoner"])
def test_in_the_open_every_purged_piece_is_shown(mode: str, viewer: Viewer) -> None:
    table = purged(captured_pieces=mode)
    assert table.shown(viewer) == {"frodo", *GONE}
    assert table.thinks(viewer, "e3") == {"uruk-hai"}


@pytest.mark.rule("LR-X-19")
@pytest.mark.parametrize("viewer", OUTSIDERS)
@pytest.mark.parametrize("mode", MODES)
def test_what_stays_is_known_to_be_of_a_kind_that_may_stay(mode: str, viewer: Viewer) -> None:
    table = purged(captured_pieces=mode)
    for cell in ("a1", "c3", "h3"):
        assert table.possible(viewer, cell) == STAYS
        assert table.piece(viewer, cell).kind == ""
    assert table.possible(viewer, "d4") == STAYS - {"flag"}


@pytest.mark.rule("LR-X-19")
def test_evil_sees_what_good_may_conclude_of_its_pieces() -> None:
    table = purged()
    assert {*table.piece("south", "c3").looks_like} == STAYS
    assert {*table.piece("south", "d4").looks_like} == STAYS - {"flag"}


@pytest.mark.rule("LR-X-35")
@pytest.mark.parametrize("mode", MODES)
def test_of_good_s_own_pieces_the_purge_tells_nothing(mode: str) -> None:
    table = purged(captured_pieces=mode)
    for viewer in ("south", "watcher"):
        assert table.possible(viewer, "b10") == {"flag", "stronghold", "sam", "rider"}
        assert table.possible(viewer, "j9") == {"rider", "sam"}


@pytest.mark.rule("LR-X-19")
@pytest.mark.parametrize("viewer", OUTSIDERS)
@pytest.mark.parametrize("mode", ["secret", "stealth"])
@pytest.mark.parametrize(
    ("one", "other"),
    [("haradrim", "warg-rider"), ("warg-rider", "stronghold"), ("witch-king", "wormtongue")],
)
def test_twins_who_stayed_or_went_together_cannot_be_told_apart(
    one: str, other: str, mode: str, viewer: Viewer
) -> None:
    exchanged = EVIL.replace(f" {one},", " @,", 1).replace(f" {other},", f" {one},", 1)
    exchanged = exchanged.replace("@", other)
    assert exchanged != EVIL
    true, twin = purged(captured_pieces=mode), purged(exchanged, captured_pieces=mode)
    assert true.seen[viewer] == twin.seen[viewer]
    assert sent(true, viewer) == sent(twin, viewer)


@pytest.mark.rule("LR-R-02", "LR-R-07")
def test_until_frodo_uses_the_ring_he_cannot_be_told_from_sam() -> None:
    exchanged = GOOD.replace("frodo", "@").replace("sam", "frodo").replace("@", "sam")
    for viewer in ("south", "watcher"):
        seen_games = [ring_game(north=north) for north in (GOOD, exchanged)]
        for turn in ("d3-d4", "b5-b4", "d4-e4", "b4-a4", "e4-e5", "a4-b4", "e5-e6"):
            for table in seen_games:
                table.plays(turn)
            assert sent(seen_games[0], viewer) == sent(seen_games[1], viewer), turn


@pytest.mark.rule("LR-R-02")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_entering_mount_doom_shows_frodo_and_the_end_of_the_ring_to_everybody(viewer: Viewer) -> None:
    table = purged()
    assert table.piece(viewer, "c5").kind == "frodo"
    assert table.view(viewer).regime == "bearer arrived"
    assert [event.detail for event in table.seen[viewer] if event.what == "regime"] == ["bearer arrived"]


@pytest.mark.rule("LR-X-34", "LR-R-10")
@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("mode", MODES)
def test_everybody_sees_that_evil_has_the_ring_for_the_rest_of_the_game(mode: str, viewer: Viewer) -> None:
    table = ring_game("a1 flag, b4 ringwraith, d3 orc", captured_pieces=mode)
    assert table.view(viewer).regime == ""
    table.plays("b4xb5")
    assert table.shown(viewer) == {"ringwraith", "frodo"}
    assert [event.detail for event in table.seen[viewer] if event.what == "regime"] == ["bearer lost"]
    table.plays("j10-j9", "d3-d4", "j9-j8")
    assert table.view(viewer).regime == "bearer lost"
    assert [piece.side for piece in table.view(viewer).tray] == ["north"]


@pytest.mark.rule("LR-R-10")
def test_the_new_numbers_tell_nothing_about_hidden_pieces() -> None:
    table = ring_game("a1 flag, b4 ringwraith, d3 orc, e3 haradrim").plays("b4xb5")
    for viewer in OUTSIDERS:
        assert table.possible(viewer, "d3") == {"flag", "orc", "haradrim"}


@pytest.mark.rule("LR-R-07")
@pytest.mark.parametrize(("memory", "later"), [("assisted", "frodo"), ("notes", ""), ("strict", "")])
def test_a_piece_that_met_invisible_frodo_has_seen_him(memory: str, later: str) -> None:
    table = ring_game("a1 flag, b4 saruman, d3 orc", memory=memory).plays("b4xb5")
    for viewer in VIEWERS:
        assert table.shown(viewer) == {"saruman", "frodo"}
        assert table.piece(viewer, "b5").kind == "frodo"
        assert table.tray(viewer) == []
    table.plays("j10-j9", "d3-d4", "j9-j8")
    assert table.piece("south", "b5").kind == later
