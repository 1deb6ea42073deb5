"""What version 0.1.0 wrote can be opened and continued, and its clients, bots and scripts still work."""

from __future__ import annotations

import doctest
import json
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer
from bench.commands import app as benchmarks

from flagfall.cli.app import app as cli_app
from flagfall.match import Match, from_record, load, to_record
from flagfall.notation import Record, from_json, read_record, to_json, write_record
from tests.cli.run import flagfall, process
from tests.compatibility import shapes
from tests.compatibility.client import Conversation, Json
from tests.compatibility.shapes import differences, disagreements, shape
from tests.server.served import Served, serving

FILES = Path(__file__).parent / "v0_1_0"
FACTS = json.loads((FILES / "facts.json").read_text(encoding="utf-8"))
SERVER = json.loads((FILES / "server.json").read_text(encoding="utf-8"))
API = json.loads((FILES / "api.json").read_text(encoding="utf-8"))
COMMANDS = json.loads((FILES / "commands.json").read_text(encoding="utf-8"))


def facts(match: Match) -> dict[str, Any]:
    return {
        "game": match.game.id,
        "players": [match.seating.south, match.seating.north],
        "phase": match.phase,
        "turn": match.turn,
        "entries": match.number,
        "to_move": match.to_move,
        "is_turn_open": match.is_turn_open,
        "result": msgspec.to_builtins(match.result),
        "setups": [match.setup_text("south"), match.setup_text("north")],
        "digest": match.digest(),
        "pieces": {
            "south": len(match.view("south").pieces),
            "north": len(match.view("north").pieces),
            "watcher": len(match.view("watcher").pieces),
        },
    }


# ---------------------------------------------------------------------- records and saved games


def both_forms(name: str) -> tuple[Record, Record]:
    text = (FILES / f"{name}.txt").read_text(encoding="utf-8")
    return read_record(text), from_json((FILES / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["finished", "unfinished"])
def test_a_record_is_the_same_game_as_text_and_as_json(name: str) -> None:
    text, twin = both_forms(name)
    assert text == twin
    assert facts(from_record(text)) == FACTS[name]


@pytest.mark.parametrize("name", ["finished", "unfinished"])
def test_a_record_is_written_as_it_was(name: str) -> None:
    text, twin = both_forms(name)
    assert write_record(text) == (FILES / f"{name}.txt").read_text(encoding="utf-8")
    assert to_json(twin) == (FILES / f"{name}.json").read_text(encoding="utf-8")
    assert to_record(from_record(text)) == text


def test_an_unfinished_record_goes_on() -> None:
    match = from_record(both_forms("unfinished")[0])
    match.act("south", None, "marshal", at_ms=0)
    assert (match.turn, match.to_move) == (3, "north")


def test_a_saved_match_goes_on_within_its_turn() -> None:
    match = load((FILES / "saved_match.json").read_bytes())
    kept = facts(match) | {
        "notes": msgspec.to_builtins(match.notes),
        "put_away_ms": match.put_away_ms,
        "date": match.annotations.date,
        "falls_at_ms": match.clocks.falls_at_ms,
    }
    assert kept == FACTS["saved_match"]
    match.act("south", match.number, "marshal", at_ms=40_000)
    assert match.to_move == "north"


def test_a_saved_game_goes_on_in_the_terminal(tmp_path: Path) -> None:
    file = shutil.copy(FILES / "saved_game.json", tmp_path)
    assert facts(load(Path(file).read_bytes())) == FACTS["saved_game"]
    ran = process("play", "--plain", "--resume", file, typed="b5-b6\nquit\n", home=tmp_path)
    assert ran.code == 0, ran.err
    assert "moves from b5 to b6" in ran.out
    match = load(Path(file).read_bytes())
    assert match.turn == FACTS["saved_game"]["turn"] + 2
    assert match.to_move == "south"


# ---------------------------------------------------------------------- files of the command line


def test_simulated_games_are_the_same_and_the_file_is_continued(tmp_path: Path) -> None:
    file = Path(shutil.copy(FILES / "simulated.jsonl", tmp_path))
    old = file.read_text(encoding="utf-8")
    ran = process("simulate", "barrage/classic", "--games", 5, "--seed", 7, "--out", file, home=tmp_path)
    assert ran.code == 0, ran.err
    new = file.read_text(encoding="utf-8")
    assert new.startswith(old)
    assert new.splitlines()[3:] == FACTS["simulated_next"]
    assert [facts(from_record(from_json(line))) for line in new.splitlines()] == FACTS["simulated"]


def test_a_match_between_players_is_continued_from_its_file(tmp_path: Path) -> None:
    file = Path(shutil.copy(FILES / "arena.jsonl", tmp_path))
    whole = file.read_bytes().rpartition(b"\n")[0]
    players = ("--south", "random", "--north", "greedy", "--game", "mini/3x4")
    ran = process("match", *players, "--games", 6, "--nodes", 40, "--seed", 11, "--out", file, "--json")
    assert ran.code == 0, ran.err
    assert file.read_bytes().startswith(whole + b"\n")
    played = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [{name: game.get(name, "") for name in FACTS["arena"][0]} for game in played] == FACTS["arena"]


def test_a_game_of_a_match_file_is_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    ran = flagfall(capsys, "replay", FILES / "arena.jsonl", "--game", 2, "--json")
    assert ran.code == 0, ran.err


def test_a_weights_file_is_played_with() -> None:
    player = f"marshal@weights={FILES / 'weights.json'}"
    limits = ("--game", "mini/3x4", "--games", 2, "--nodes", 40, "--most-turns", 20)
    ran = process("match", "--south", player, "--north", "random", *limits, "--json")
    assert ran.code == 0, ran.err


def options_of(group: Any, path: tuple[str, ...] = ()) -> dict[str, set[str]]:
    """Return the options of every command, hidden ones too."""
    found = {" ".join(path): {name for one in group.params for name in (*one.opts, *one.secondary_opts)}}
    for name, inner in getattr(group, "commands", {}).items():
        found |= options_of(inner, (*path, name))
    return found


def test_every_command_still_takes_its_options() -> None:
    group = typer.main.get_command(cli_app)
    now = options_of(group) | options_of(typer.main.get_command(benchmarks), ("bench",))
    missing = {name: set(options) - now.get(name, set()) for name, options in COMMANDS.items()}
    assert COMMANDS.keys() <= now.keys()
    assert not any(missing.values()), missing


# ---------------------------------------------------------------------- the engine protocol


def replies(lines: list[str]) -> list[str]:
    """Return what an engine said: whole lines where a program reads them, else their first word."""
    found = []
    for line in lines:
        word = line.split()[0]
        if word in ("setup", "bestaction", "error"):
            found.append(word)
        elif not line.startswith(("id version", "info ")):
            found.append(line)
    return found


@pytest.mark.parametrize("name", ["engine_mini", "engine_lotr", "engine_position"])
def test_an_engine_answers_an_old_referee(name: str, tmp_path: Path) -> None:
    first, *lines = (FILES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    said = [line[2:] for line in lines if line.startswith("<")]
    answered = [line[2:] for line in lines if line.startswith(">")]
    ran = process(*first.split()[2:], typed="\n".join(said) + "\n", home=tmp_path)
    assert ran.code == 0, ran.err
    now = ran.out.splitlines()
    assert [line for line in replies(now) if line in replies(answered)] == replies(answered)
    assert all(
        re.fullmatch(r"bestaction [a-d]\d+[-x][a-d]\d+", one) for one in now if one.startswith("best")
    ), now


# ---------------------------------------------------------------------- the server


def test_shapes_are_compared_as_documented() -> None:
    assert doctest.testmod(shapes).failed == 0


@pytest.fixture
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a data folder with the old database; its matches are made young, or invitations would lapse."""
    file = Path(shutil.copy(FILES / request.param, tmp_path / "flagfall.sqlite3"))
    with closing(sqlite3.connect(file)) as connection, connection:
        (newest_ms,) = connection.execute("SELECT max(created_ms) FROM matches").fetchone()
        age_ms = int(time.time() * 1000) - newest_ms
        connection.execute("UPDATE matches SET created_ms = created_ms + ?", (age_ms,))
    return tmp_path


@pytest.fixture
def old_server(folder: Path) -> Iterator[Served]:
    with serving(folder, config=str(FILES / "server.toml")) as running:
        yield running
    assert "Traceback" not in running.log()


DATABASES = pytest.mark.parametrize("folder", ["server.sqlite3", "server_schema_0002.sqlite3"], indirect=True)


@DATABASES
def test_an_old_database_is_served(old_server: Served) -> None:
    with Conversation(old_server.url, SERVER["cookies"], **SERVER["kept"]) as talk:
        for one in SERVER["answers"]:
            found = talk.take({"guest": one["guest"], "method": "GET", "path": one["path"]})
            assert disagreements(one["values"], found["answer"]) == [], one["path"]
        _go_on(talk)


def _go_on(talk: Conversation) -> None:
    """Take the next action in every match that is under way."""

    def take(guest: str, method: str, path: str, **more: Json) -> Json:
        found = talk.take({"guest": guest, "method": method, "path": path, **more})
        assert found["status"] == 200, found
        return found["answer"]

    number = {"keep": {"n": "number"}}
    take("anna", "GET", "/api/matches/{computer}/state", **number)
    moved = take("anna", "POST", "/api/matches/{computer}/act", body={"number": "{n}", "text": "b5-b6"})
    answered = take("anna", "GET", "/api/matches/{computer}/state", until={"to_move": "south"})
    assert answered["turn"] == moved["turn"] + 1
    assert answered["notes"] == {"a7": "scout?"}
    take("cleo", "GET", "/api/matches/{hot_seat}/state?as=south", **number)
    guess = {"seat": "south", "number": "{n}", "text": "marshal"}
    assert take("cleo", "POST", "/api/matches/{hot_seat}/act", body=guess)["to_move"] == "north"
    assert take("cleo", "POST", "/api/invitations/{invitation}")["viewer"] == "north"
    assert take("ben", "POST", "/api/matches/{finished}/rematch", body={})["rematch"]["match"]


@DATABASES
def test_an_old_database_is_sound(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(folder):
        pass
    ran = flagfall(capsys, "admin", "verify", "--data", folder, "--json")
    assert ran.code == 0, ran.out + ran.err


def test_an_old_client_finds_every_field(tmp_path: Path) -> None:
    with serving(tmp_path, config=str(FILES / "server.toml")) as served, Conversation(served.url) as talk:
        for step in API["steps"]:
            found = talk.take(step)
            where = f"{step['guest']} {step['method']} {step['path']}"
            if step["method"] == "SOCKET":
                for sort, at in step["shapes"].items():
                    assert differences(API["shapes"][at], shape(found[sort])) == [], f"{where}: {sort}"
                continue
            assert found["status"] == step["status"], where
            has_begun = "playing_shape" in step and found["answer"]["phase"] == "playing"
            known = API["shapes"][step["playing_shape" if has_begun else "shape"]]
            assert differences(known, shape(found["answer"])) == [], where
            if "values" in step:
                assert disagreements(step["values"], found["answer"]) == [], where
    assert "Traceback" not in served.log()
