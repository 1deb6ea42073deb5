"""Replay shows each viewer what it saw, and no more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flagfall.match import save, to_record
from flagfall.notation import Record, Turn, to_json, write_record
from flagfall.view.view import Result
from tests.cli.run import flagfall, one_sentence
from tests.match.games import mini, play, rescue_ready

Capsys = pytest.CaptureFixture[str]
WON = Record(
    "mini/3x3",
    ("Anna", ":smile: [bold]Ben"),
    ("XsF", "FsX"),
    (Turn("a1-a2"), Turn("c3-c2", "why not?"), Turn("a2xa3")),
    Result("south", "flag captured"),
)


@pytest.mark.parametrize("viewer", ["south", "north", "watcher", "truth"])
@pytest.mark.parametrize("shape", ["text", "json", "bom", "windows"])
def test_all_four_viewers_of_all_shapes(capsys: Capsys, tmp_path: Path, viewer: str, shape: str) -> None:
    text = to_json(WON) if shape == "json" else write_record(WON)
    data = text.replace("\n", "\r\n").encode() if shape == "windows" else text.encode()
    file = tmp_path / "game"
    file.write_bytes((b"\xef\xbb\xbf" if shape == "bom" else b"") + data)
    ran = flagfall(capsys, "replay", file, "--as", viewer)
    assert (ran.code, ran.err) == (0, "")
    assert "Anna (South) against :smile: [bold]Ben (North)" in ran.out
    assert ran.out.rstrip().endswith("South: flag captured.")
    assert ("; why not?" in ran.out) == (viewer == "truth")
    facts = flagfall(capsys, "replay", file, "--as", viewer, "--json").facts
    assert [position["turn"] for position in facts] == [0, 1, 2, 3]
    assert all(set(position) == {"turn", "text", "told", "view"} for position in facts)
    assert all(position["view"]["viewer"] == viewer for position in facts)


def test_raw_turns_go_to_their_own_player_only(capsys: Capsys, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(write_record(WON), encoding="utf-8")
    texts = {
        viewer: [p["text"] for p in flagfall(capsys, "replay", file, "--as", viewer, "--json").facts]
        for viewer in ("south", "north", "watcher", "truth")
    }
    assert texts["south"] == ["", "a1-a2", "", "a2xa3"]
    assert texts["north"] == ["", "", "c3-c2", ""]
    assert texts["watcher"] == ["", "", "", ""]
    assert texts["truth"] == ["", "a1-a2", "c3-c2", "a2xa3"]


def test_a_hidden_piece_is_named_by_no_line_of_the_other_side(capsys: Capsys, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(write_record(WON), encoding="utf-8")
    for turn in (0, 1, 2):
        out = flagfall(capsys, "replay", file, "--as", "north", "--turn", turn).out
        assert "[10]" in out
        assert "<10>" not in out
    assert "<10>" in flagfall(capsys, "replay", file, "--as", "north", "--turn", 3).out


def test_only_the_last_turn_is_told_when_the_game_ends(capsys: Capsys, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(write_record(WON), encoding="utf-8")
    out = flagfall(capsys, "replay", file, "--as", "north", "--turn", 3).out
    assert "c3" not in out
    assert "You lose: flag captured." in out


def test_what_is_whole_of_a_damaged_record_is_shown(capsys: Capsys, tmp_path: Path) -> None:
    file = tmp_path / "cut.txt"
    file.write_text(write_record(WON).split("2s")[0] + "2s a2x", encoding="utf-8")
    ran = flagfall(capsys, "replay", file)
    assert ran.code == 0
    assert ran.err == f"{file}: Line 10 is lost (the record breaks off in the middle of a line); " + (
        "2 turns and the head are kept.\n"
    )
    assert ran.out.rstrip().endswith("Unfinished.")


def test_a_silent_choice_is_told_to_nobody_else(capsys: Capsys, tmp_path: Path) -> None:
    file = tmp_path / "rescue.txt"
    match = play(rescue_ready(silent_defense="on"), "c3-b3 rescue spy b1", "d2-d3")
    file.write_text(write_record(to_record(match)), encoding="utf-8")
    at = len(match.turns) - 1
    own = flagfall(capsys, "replay", file, "--as", "south", "--turn", at, "--json")
    assert own.facts[0]["text"] == "c3-b3 rescue spy b1"
    for viewer in ("north", "watcher"):
        ran = flagfall(capsys, "replay", file, "--as", viewer, "--turn", at, "--json")
        (position,) = ran.facts
        assert position["text"] == ""
        returned = next(piece for piece in position["view"]["pieces"] if piece["cell"] == "b1")
        assert "kind" not in returned
        assert "Spy" not in position["told"]
        assert "rescue spy" not in ran.out + flagfall(capsys, "replay", file, "--as", viewer).out


def test_an_open_turn_is_marked(capsys: Capsys, tmp_path: Path) -> None:
    file = tmp_path / "open.txt"
    match = play(rescue_ready(), "c3-b3 rescue")
    file.write_text(write_record(to_record(match)), encoding="utf-8")
    out = flagfall(capsys, "replay", file).out
    assert "5s c3-b3 rescue …" in out
    assert out.rstrip().endswith("Unfinished.")


def test_a_saved_game_keeps_its_secret_until_it_is_over(capsys: Capsys, tmp_path: Path) -> None:
    match = play(mini(), "a1-a2", "c3-c2")
    file = tmp_path / "saved.json"
    file.write_bytes(save(match))
    assert "is not over, so the truth stays hidden" in one_sentence(flagfall(capsys, "replay", file))
    south = flagfall(capsys, "replay", file, "--as", "south").out
    assert "<?>" in south
    assert "<10>" not in south
    play(match, "a2xa3")
    file.write_bytes(save(match))
    assert flagfall(capsys, "replay", file).out.rstrip().endswith("South: flag captured.")


def test_one_game_of_many(capsys: Capsys, tmp_path: Path) -> None:
    line = json.dumps(json.loads(to_json(WON)))
    file = tmp_path / "games.jsonl"
    file.write_text(f"{line}\n{line[:40]}\n", encoding="utf-8")
    assert flagfall(capsys, "replay", file, "--game", 1).code == 0
    assert f"{file}: Line 2, column " in one_sentence(flagfall(capsys, "replay", file, "--game", 2))
    assert one_sentence(flagfall(capsys, "replay", file, "--game", 3)) == (
        f"{file} holds 2 games, not 3; give --game 1 to 2."
    )
