"""A folder is complete, or resumes to be byte for byte the same, whatever happened to the process."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flagfall.dataset import Dataset, DatasetError, Plan
from flagfall.dataset.folder import PLAYED
from flagfall.dataset.played import PlayedGame
from flagfall.files import locked
from tests.cli.run import ROOT
from tests.dataset.making import contents, self_play

MAX_WAIT_S = 120.0


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten games in one run: two full shards and one of two games."""
    folder = tmp_path_factory.mktemp("whole")
    self_play(folder, games=10)
    return folder


def test_shards_have_as_many_games_each(whole: Path) -> None:
    assert list(contents(whole)) == ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]
    dataset = Dataset(whole)
    assert [shard.games for shard in dataset.shards] == [4, 4, 2]
    assert dataset.games == 10
    assert sum(sum(shard.results.values()) for shard in dataset.shards) == 10


@pytest.mark.parametrize("steps", [1, 5, 7])
def test_a_stopped_run_resumes_to_the_same_bytes(tmp_path: Path, whole: Path, steps: int) -> None:
    stopped = self_play(tmp_path, games=10, stops_after=steps)
    assert 0 < len(stopped) < 10
    assert len(contents(tmp_path)) == (steps > 4)
    again = self_play(tmp_path, games=10)
    assert len(again) == 10
    assert contents(tmp_path) == contents(whole)


def test_nothing_is_played_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    self_play(tmp_path, games=3, stops_after=2)
    kept = (tmp_path / PLAYED).read_bytes()
    assert kept.count(b"\n") == 2
    from flagfall.dataset import making
    from flagfall.dataset.played import play_one

    played: list[int] = []

    def noted(plan: Plan, at: int) -> PlayedGame:
        played.append(at)
        return play_one(plan, at)

    monkeypatch.setattr(making, "play_one", noted)
    self_play(tmp_path, games=3)
    assert played == [2]
    self_play(tmp_path, games=3)
    assert played == [2], "a complete dataset is left as it is"


def test_more_games_are_added_to_a_finished_dataset(tmp_path: Path, whole: Path) -> None:
    self_play(tmp_path, games=5)
    assert [shard.games for shard in Dataset(tmp_path).shards] == [4, 1]
    self_play(tmp_path, games=10)
    assert contents(tmp_path) == contents(whole)
    with pytest.raises(DatasetError, match="already has games up to number 10; give --games 10 or more"):
        self_play(tmp_path, games=9)


def test_the_number_of_processes_changes_nothing(tmp_path: Path, whole: Path) -> None:
    self_play(tmp_path, games=10, jobs=2)
    assert contents(tmp_path) == contents(whole)


def test_another_dataset_is_not_mixed_in(tmp_path: Path) -> None:
    self_play(tmp_path, games=2)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    for change, said in (
        ({"seed": 2}, "there “seed” is 1, here 2"),
        ({"south": "greedy"}, "there “south” is random, here greedy"),
        ({"truth": False}, "there “truth” is True, here False"),
        ({"game": "mini/3x4"}, "there “game” is mini/3x3, here mini/3x4"),
        ({"options": {"no_progress_draw": "40"}}, "there “options” is none, here no_progress_draw=40"),
    ):
        with pytest.raises(DatasetError, match=f"is another dataset: {said}; repeat its command, or choose"):
            self_play(tmp_path, games=2, **change)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("three years")
    with pytest.raises(DatasetError, match="is not empty and not a dataset; choose another --out"):
        self_play(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_two_processes_do_not_write_one_folder(tmp_path: Path) -> None:
    self_play(tmp_path, games=2)
    holder = (
        "import sys, time; from pathlib import Path; from flagfall.files import locked\n"
        "with locked(Path(sys.argv[1]), ValueError): print('held', flush=True); time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(tmp_path / ".lock")], stdout=subprocess.PIPE, text=True
    ) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "held\n"
            with pytest.raises(DatasetError, match=f"is being written by process {other.pid}; wait for it"):
                self_play(tmp_path, games=4)
            assert len(Dataset(tmp_path)) > 0, "readers need no lock"
        finally:
            other.kill()
    self_play(tmp_path, games=4)  # the system has unlocked it
    with locked(tmp_path / ".lock", ValueError):
        pass


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flip(data: bytes) -> bytes:
    return data[:-8] + b"\xff\xff\xff\xff" + data[-4:]


@pytest.mark.parametrize("harm", [_cut, _flip, lambda data: b"", lambda data: b"x" * len(data)])
def test_a_damaged_shard_is_made_again(tmp_path: Path, whole: Path, harm: object) -> None:
    self_play(tmp_path, games=10)
    file = tmp_path / "part-00001.parquet"
    file.write_bytes(harm(file.read_bytes()))  # type: ignore[operator]
    with pytest.raises(DatasetError, match=r"part-00001.parquet is damaged .*; remove it, and the command"):
        Dataset(tmp_path)
    made = self_play(tmp_path, games=10)
    assert made.notes == [f"{file} is damaged and is made again."]
    assert contents(tmp_path) == contents(whole)


def test_damage_in_the_middle_is_found_when_it_is_read(tmp_path: Path, whole: Path) -> None:
    self_play(tmp_path, games=10)
    file = tmp_path / "part-00001.parquet"
    data = bytearray(file.read_bytes())
    for at in range(600, 1200):
        data[at] ^= 0xFF
    file.write_bytes(data)
    with pytest.raises(DatasetError, match=r"part-00001.parquet is damaged"):
        list(Dataset(tmp_path, ["planes", "scalars", "game", "ply", "turn", "mover"]).batches())


def test_a_shard_of_another_dataset_is_refused(tmp_path: Path) -> None:
    self_play(tmp_path / "one", games=4)
    self_play(tmp_path / "two", games=4, seed=2)
    (tmp_path / "two" / "part-00001.parquet").write_bytes(
        (tmp_path / "one" / "part-00000.parquet").read_bytes()
    )
    for use in (lambda: Dataset(tmp_path / "two"), lambda: self_play(tmp_path / "two", games=4, seed=2)):
        with pytest.raises(DatasetError, match=r"part-00001\.parquet belongs to another dataset"):
            use()


def test_a_full_disk_breaks_nothing(tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if self.name.startswith(".part-00001"):
            write(self, data[:100])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(self, data)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space left") as stopped:
            self_play(tmp_path, games=10)
    assert stopped.value.filename == str(tmp_path / "part-00001.parquet")
    assert list(contents(tmp_path)) == ["part-00000.parquet"]
    assert not list(tmp_path.glob(".*.part"))
    self_play(tmp_path, games=10)
    assert contents(tmp_path) == contents(whole)


def test_a_broken_line_of_played_games_is_played_again(tmp_path: Path, whole: Path) -> None:
    self_play(tmp_path, games=10, stops_after=3)
    file = tmp_path / PLAYED
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(lines[0] + b"rubbish\n" + lines[2][:20])
    made = self_play(tmp_path, games=10)
    assert made.notes == [f"{file}, line 2 is damaged; its game is played again."]
    assert contents(tmp_path) == contents(whole)


def test_a_killed_process_leaves_whole_shards(tmp_path: Path) -> None:
    """It is killed while it writes; what it leaves is read, and resumes to the same bytes."""
    folder, program = (
        tmp_path / "killed",
        (
            "import sys; from pathlib import Path; from tests.dataset.making import self_play\n"
            "self_play(Path(sys.argv[1]), games=int(sys.argv[2]))"
        ),
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    with subprocess.Popen(
        [sys.executable, "-c", program, str(folder), "100000"], env=environment, cwd=ROOT
    ) as writer:
        until = time.monotonic() + MAX_WAIT_S
        while not (folder / "part-00001.parquet").exists() and writer.poll() is None:
            assert time.monotonic() < until, "no shard is written"
            time.sleep(0.01)
        writer.send_signal(signal.SIGKILL)
    (folder / ".part-00009.parquet.1.part").write_bytes(b"what was being written")
    left = Dataset(folder)
    assert left.games % 4 == 0
    total = sum(len(batch["game"]) for batch in left.batches())
    assert total == len(left)
    games = left.games + 6
    described = left.description
    (folder / "dataset.json").write_text((folder / "dataset.json").read_text().replace("100000", str(games)))
    assert described.games == 100_000
    self_play(folder, games=games)
    assert not list(folder.glob(".part-*.part"))
    self_play(tmp_path / "straight", games=games)
    assert contents(folder) == contents(tmp_path / "straight")


def test_the_description_of_a_later_format_is_refused(tmp_path: Path) -> None:
    self_play(tmp_path, games=1)
    file = tmp_path / "dataset.json"
    file.write_text(file.read_text().replace('"flagfall_dataset": 1', '"flagfall_dataset": 2'))
    with pytest.raises(DatasetError, match="has format 2, which this Flagfall cannot read; update it"):
        Dataset(tmp_path)
    file.write_text("[]")
    with pytest.raises(DatasetError, match="is not the description of a dataset"):
        Dataset(tmp_path)
    with pytest.raises(DatasetError, match=r"is not a dataset: there is no dataset\.json"):
        Dataset(tmp_path / "nowhere")
