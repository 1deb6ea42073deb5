"""Recorded games become rows; damaged and other games are left out and named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from flagfall.arena.contest import play_round
from flagfall.arena.plan import GameSlot, Plan
from flagfall.arena.simulate import Simulation, play_one
from flagfall.dataset import Dataset, DatasetError
from flagfall.dataset.records import game_and_options
from flagfall.match.records import from_record
from flagfall.match.saving import save
from flagfall.notation import Record, Turn, from_json, to_json, write_record
from flagfall.view.view import Result
from tests.dataset.making import contents, from_files

WON = Record(
    "mini/3x3",
    ("Anna", "Ben"),
    ("XsF", "FsX"),
    (Turn("a1-a2"), Turn("c3-c2"), Turn("a2xa3")),
    Result("south", "flag captured"),
)
RESIGNED = Record("mini/3x3", ("Anna", "Ben"), ("XsF", "FsX"), (Turn("a1-a2"),), Result("north", "resigned"))


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six games as `flagfall simulate` writes them."""
    file = tmp_path_factory.mktemp("games") / "games.jsonl"
    plan = Simulation("mini/3x3", (), 1)
    file.write_text("".join(play_one(plan, at).line + "\n" for at in range(6)))
    return file


def rows(folder: Path, *names: str) -> list[tuple[Any, ...]]:
    [batch] = Dataset(folder, names).batches(10_000)
    return list(zip(*(batch[name].tolist() for name in names), strict=True))


def test_simulated_games_become_rows(tmp_path: Path, simulated: Path) -> None:
    making = from_files(tmp_path / "set", "mini/3x3", [simulated])
    assert (making.problems, making.others) == ([], 0)
    records = [from_json(line) for line in simulated.read_text().splitlines()]
    turns = {at: len(record.turns) for at, record in enumerate(records) if record.turns}
    found = rows(tmp_path / "set", "game", "ply", "plies_left", "reason")
    assert {at: 1 + max(int(row[1]) for row in found if row[0] == at) for at in turns} == turns
    for game, _, left, reason in found:
        result = records[int(game)].result
        assert result is not None
        assert reason == result.reason
        assert left >= 0


def test_text_and_json_and_lines_are_the_same_game(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.txt", "b.json", "c.jsonl")]
    files[0].write_text(write_record(WON))
    files[1].write_text(to_json(WON))
    files[2].write_text("\ufeff" + msgspec.json.format(to_json(WON), indent=-1) + "\n")
    assert game_and_options(files) == ("mini/3x3", {})
    from_files(tmp_path / "set", "mini/3x3", files)
    found = rows(tmp_path / "set", "game", "ply", "mover", "outcome", "south_player", "reason", "is_finished")
    one = [(0, 0, 1), (1, 1, -1), (2, 0, 1)]
    assert found == [(game, *row, "Anna", "flag captured", True) for game in range(3) for row in one]


def test_a_saved_game_counts_once_it_is_over(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("over.json", "open.json")]
    files[0].write_bytes(save(from_record(WON)))
    files[1].write_bytes(save(from_record(replace(WON, turns=WON.turns[:2], result=None))))
    assert game_and_options(files) == ("mini/3x3", {})
    making = from_files(tmp_path / "set", "mini/3x3", files)
    assert making.problems == [f"{files[1]}, line 1: it is a saved game that is not over; finish it first."]
    assert rows(tmp_path / "set", "game", "outcome", "north_player") == [
        (0, 1, "Ben"),
        (0, -1, "Ben"),
        (0, 1, "Ben"),
    ]


def test_results_at_the_table_count(tmp_path: Path) -> None:
    file = tmp_path / "resigned"
    file.write_text(write_record(RESIGNED))
    from_files(tmp_path / "set", "mini/3x3", [file])
    assert rows(tmp_path / "set", "outcome", "is_finished", "reason") == [(-1, True, "resigned")]


def test_games_of_a_match_keep_forfeits_and_turn_limits(tmp_path: Path) -> None:
    players = ("greedy", "random")
    plan = Plan(game="mini/3x4", options={}, players=players, nodes=20, max_turns=1, time_ms=None)
    line = msgspec.json.encode(play_round(plan, GameSlot(0, 1, 0, 0)))
    lost = json.loads(line) | {"winner": "north", "reason": "crashed", "trouble": "It stops."}
    file = tmp_path / "match.jsonl"
    file.write_bytes(line + b"\n" + msgspec.json.encode({"plan": lost.pop("plan"), **lost}) + b"\n")
    making = from_files(tmp_path / "set", "mini/3x4", [file])
    assert making.problems == []
    found = rows(tmp_path / "set", "game", "mover", "outcome", "reason", "is_finished")
    assert {row[3:] for row in found if row[0] == 0} == {("turn limit", False)}
    assert {row[1:] for row in found if row[0] == 1} == {(0, -1, "crashed", True), (1, 1, "crashed", True)}


DAMAGE = [
    ("not a game\n", "line 2: Line 1, column 1: "),
    (to_json(WON).replace("\n", "").replace("a2xa3", "a2xc3") + "\n", "turn 2s is not legal"),
    (
        to_json(WON).replace("\n", "").replace("flag captured", "no move left") + "\n",
        "on the board it is",
    ),
    (to_json(WON).replace("\n", "").replace("XsF", "XXX") + "\n", "line 2: "),
    (to_json(WON).replace("\n", "")[:90] + "\n", "this is not JSON"),
    (to_json(WON).replace("\n", "").replace('"a2xa3"', '"a2xa3", "open": true') + "\n", "marked as open"),
    ('{"plan":{},"winner":7}\n', "line 2: "),
    ("{" * 3000 + "}\n", "line 2: "),
]


@pytest.mark.parametrize(("bad", "said"), DAMAGE, ids=range(len(DAMAGE)))
def test_a_damaged_game_is_left_out_and_named(tmp_path: Path, bad: str, said: str) -> None:
    file, good = tmp_path / "games.jsonl", to_json(WON).replace("\n", "")
    file.write_text(good + "\n" + bad + good + "\n")
    making = from_files(tmp_path / "set", "mini/3x3", [file])
    assert len(making.problems) == 1
    assert making.problems[0].startswith(f"{file}, line 2: ")
    assert said in making.problems[0]
    dataset = Dataset(tmp_path / "set")
    assert (dataset.games, dataset.shards[0].left_out) == (2, 1)
    assert {row[0] for row in rows(tmp_path / "set", "game")} == {0, 2}, "numbers stay"


def test_a_line_without_end_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagfall.dataset.records.MAX_LINE_BYTES", 1000)
    file, good = tmp_path / "games.jsonl", to_json(WON).replace("\n", "")
    file.write_text(good + "\n{" + "x" * 5000 + "}\n" + good + "\n")
    making = from_files(tmp_path / "set", "mini/3x3", [file])
    assert making.problems == [f"{file}, line 2: it has more than 1000 bytes."]
    assert Dataset(tmp_path / "set").games == 2


def test_other_games_are_left_out_and_counted(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    other = Record("mini/3x4", ("A", "B"), ("XsF.", "FsX."))
    patient = Record("mini/3x3", ("A", "B"), WON.setups, WON.turns, WON.result, {"no_progress_draw": "40"})
    timed = Record("mini/3x3", ("A", "B"), WON.setups, WON.turns, WON.result, {"clock": "10m"})
    file.write_text("".join(to_json(one).replace("\n", "") + "\n" for one in (WON, other, patient, timed)))
    making = from_files(tmp_path / "set", "mini/3x3", [file])
    assert (making.problems, making.others) == ([], 2)
    assert {row[0] for row in rows(tmp_path / "set", "game")} == {0, 3}, "a clock changes no rule"


def test_a_changed_file_is_another_dataset(tmp_path: Path, simulated: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(simulated.read_bytes())
    from_files(tmp_path / "set", "mini/3x3", [file])
    before = contents(tmp_path / "set")
    from_files(tmp_path / "set", "mini/3x3", [file])
    assert contents(tmp_path / "set") == before
    file.write_text(file.read_text().replace("random", "chance"))
    with pytest.raises(DatasetError, match=r"is another dataset: there “files” is games\.jsonl"):
        from_files(tmp_path / "set", "mini/3x3", [file])


def test_files_without_a_readable_game_are_refused(tmp_path: Path) -> None:
    empty, noise = tmp_path / "empty", tmp_path / "noise"
    empty.write_text("")
    noise.write_bytes(bytes(range(256)))
    for files in ([empty], [noise], [empty, noise]):
        with pytest.raises(DatasetError, match="No game can be read"):
            game_and_options(files)
