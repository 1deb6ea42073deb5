"""Saving, leaving and going on: nothing is lost, and nothing of others is written over."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from flagfall import files
from flagfall.errors import UserError
from flagfall.match import load
from flagfall.terminal.game import TerminalGame
from flagfall.terminal.start import StartOptions, new_game, resume_game
from tests.terminal.script import Script
from tests.terminal.table import Time, play, seated
from tests.terminal.test_commands import DUEL_SETUPS


def again(file: Path, *lines: str, time: Time | None = None) -> tuple[str, TerminalGame]:
    table = resume_game(file, Script(lines), Random(1), clock=time.clock() if time else None)
    return play(table), table


def test_a_game_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    text = play(seated(Script(["a1-a2", "note a2 strong", f"save {file}", "c3-c2", "quit"])))
    assert text.count(f"Saved. Continue later with: flagfall play --resume {file}") == 2
    text, table = again(file, "notes", "a2xa3")
    assert "An enemy piece moves from c3 to c2." in text
    assert "strong" not in text, "that was North's note"
    assert table.match.is_over
    assert load(file.read_bytes()).notes.north == {"a1": "strong"}


@pytest.mark.parametrize(
    ("player", "name"), [("recruit", "Computer (Recruit)"), ("greedy", "Computer (greedy)")]
)
def test_a_computer_plays_on_after_a_game_was_saved(tmp_path: Path, player: str, name: str) -> None:
    file = tmp_path / "game.json"
    play(seated(Script([f"save {file}", "quit"]), "mini/3x3", player, setups=("XsF",)))
    table = resume_game(file, Script(["quit"]), Random(1))
    assert table.match.seating.name("north") == name
    assert list(table.computers) == ["north"]


def test_a_saved_game_cannot_have_a_module_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.json"
    play(seated(Script([f"save {file}", "quit"]), "mini/3x3", "greedy", setups=("XsF",)))
    (tmp_path / "intruder.py").write_text("raise AssertionError('this was imported')")
    monkeypatch.syspath_prepend(tmp_path)
    saved = json.loads(file.read_bytes())
    saved["computers"] = {"north": "intruder:Player"}
    file.write_text(json.dumps(saved))
    with pytest.raises(UserError, match="“intruder:Player” is not a computer player here"):
        resume_game(file, Script(["quit"]), Random(1))


@pytest.mark.parametrize("is_0_1_0", [False, True])
def test_a_saved_game_names_its_computer_player_by_id(tmp_path: Path, is_0_1_0: bool) -> None:
    """Games saved by 0.1.0 have it in the name of the seat only."""
    file = tmp_path / "game.json"
    play(seated(Script([f"save {file}", "quit"]), "mini/3x3", "greedy", setups=("XsF",)))
    saved = json.loads(file.read_bytes())
    assert saved["computers"] == {"north": "greedy"}
    if is_0_1_0:
        del saved["computers"]
    else:
        saved["log"][0]["seating"]["north"] = "The greedy one"
    file.write_text(json.dumps(saved))
    assert list(resume_game(file, Script(["quit"]), Random(1)).computers) == ["north"]


def test_a_game_goes_on_in_the_middle_of_a_turn(tmp_path: Path) -> None:
    file = tmp_path / "spot.json"
    play(
        seated(
            Script(["e3-e4", "a6-a5", "e4-e5 spot e6", f"save {file}"]),
            "spin-master/duel",
            setups=DUEL_SETUPS,
        )
    )
    text, table = again(file, "tray", "marshal")
    assert "What stands on e6? Type a piece." in text
    assert "The enemy Marshal is captured." in text
    assert table.match.to_move == "north"


def test_a_setup_that_is_ready_is_not_lost(home: Path) -> None:
    text = play(seated(Script(["use FsX", "ready", "quit"]), setups=()))
    (file,) = (home / "saved").iterdir()
    assert str(file) in text
    text, table = again(file, "use FsX", "ready")
    assert text.count("setup> ") == 2
    assert table.match.setup_text("south") == "FsX"


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Anna", encoding="utf-8")
    text = play(seated(Script([f"save {letter}", f"save {tmp_path}", f"save {tmp_path}/no/where.json"])))
    assert f"{letter} exists; choose another name. Nothing was written." in text
    assert f"{tmp_path} exists;" in text
    assert "there is no such file or folder; check the name." in text
    assert letter.read_text(encoding="utf-8") == "Dear Anna"
    assert not list(tmp_path.glob("*.part"))


def test_when_the_usual_place_cannot_be_written_another_is_found(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.parent.mkdir()
    home.write_text("not a folder", encoding="utf-8")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    text = play(seated(Script(["a1-a2"])))
    (file,) = (tmp_path / "work").iterdir()
    assert f"flagfall play --resume {file}" in text
    play(seated(Script(["resign", "yes"])))
    assert len(list((tmp_path / "work").glob("*.txt"))) == 1


def test_two_games_in_one_second_keep_two_files(home: Path) -> None:
    names = set()
    for _ in range(3):
        name = files.free_name("mini/3x3", "games", ".txt")
        files.write_with_fallback(name, b"a game")
        names.add(name)
    assert len(names) == 3


def test_a_clock_stands_still_while_the_game_is_away(tmp_path: Path) -> None:
    file, time = tmp_path / "clock.json", Time()
    table = seated(Script([f"save {file}"]), "mini/3x3", "human", "clock=1m+0s", time=time)
    play(table)
    match = load(file.read_bytes())
    assert match.put_away_ms == time.ms
    text, table = again(file, "clock")
    assert re.search(r"Time left: South (1:00|0:[1-5]\d), North 1:00\.", text), "years have passed outside"
    assert not table.match.is_over


def test_a_clock_of_days_runs_on(tmp_path: Path) -> None:
    file = tmp_path / "days.json"
    play(seated(Script([f"save {file}"]), "mini/3x3", "human", "clock=2d", time=Time()))
    text, table = again(file, "clock")
    assert table.match.result is not None
    assert "wins: time." in text


def test_a_game_of_a_box_of_ones_own_says_which_box_it_needs(tmp_path: Path) -> None:
    from flagfall.cli.games import write_new_box

    box = tmp_path / "my box.toml"
    write_new_box(box)
    file = tmp_path / "own.json"
    table = new_game(StartOptions(str(box), "random", "south", ["open"]), Script([f"save {file}"]), Random(1))
    text = play(table)
    assert f"--resume {file} --box '{box}'" in text
    assert resume_game(file, Script([]), Random(1), box).match.game.id == "my-box/classic"
    with pytest.raises(UserError, match="for a box of your own add --box FILE"):
        resume_game(file, Script([]), Random(1))


@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff", b"[]", b"{}", b'{"flagfall_match": 9, "log": []}', b"hello"]
)
def test_what_is_no_saved_game_is_refused_with_its_name(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    with pytest.raises(UserError) as refusal:
        resume_game(file, Script([]), Random(1))
    assert str(refusal.value).startswith(f"{file} cannot be resumed: ")
    assert file.read_bytes() == content


def test_a_cut_saved_game_is_refused_wherever_it_is_cut(tmp_path: Path) -> None:
    file = tmp_path / "whole.json"
    play(seated(Script(["a1-a2", f"save {file}"])))
    whole = file.read_bytes()
    for length in range(0, len(whole), 17):
        file.write_bytes(whole[:length])
        with pytest.raises(UserError):
            resume_game(file, Script([]), Random(1))
