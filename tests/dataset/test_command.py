"""`flagfall dataset make` and `info`, as a person types them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from flagfall.cli import dataset
from flagfall.dataset import Dataset
from flagfall.engine import mode
from tests.cli.run import ROOT, Ran, flagfall, one_sentence
from tests.cli.stopping import INTERPRETED, started, stopped
from tests.dataset.test_records import simulated

__all__ = ["simulated"]
Capsys = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Kernels are interpreted here; there is nothing to compile."""
    monkeypatch.setattr(mode, "choose", lambda wanted: None)
    monkeypatch.setattr(dataset, "warm_up_for", lambda *_, **__: None)
    monkeypatch.chdir(tmp_path)


def make(capsys: Capsys, *arguments: object) -> Ran:
    return flagfall(capsys, "dataset", "make", *arguments)


def test_games_are_played_and_described(capsys: Capsys) -> None:
    ran = make(capsys, "mini/3x3", "-n", 3, "--out", "set", "--south", "greedy", "--seed", 5)
    assert (ran.code, ran.err) == (0, "")
    assert "greedy (South) against random (North), seed 5" in ran.out
    assert "Written to set." in ran.out
    facts = flagfall(capsys, "dataset", "info", "set", "--json").facts
    assert (facts["game"], facts["games"], facts["left_out"]) == ("mini/3x3", 3, 0)
    assert facts["positions"] == len(Dataset("set"))
    assert sum(facts["results"].values()) == 3
    assert all(column["bytes"] > 0 for column in facts["columns"])
    assert "Every row can be read." in flagfall(capsys, "dataset", "info", "set", "--check").out


def test_the_game_of_recorded_ones_need_not_be_named(capsys: Capsys, simulated: Path) -> None:
    shutil.copy(simulated, "games.jsonl")
    with Path("games.jsonl").open("a") as file:
        file.write('{"flagfall_rec')
    ran = make(capsys, "--from", "games.jsonl", "--out", "set", "--no-truth", "--no-other")
    assert ran.code == 0
    assert ran.err.startswith("Left out: games.jsonl, line 7: ")
    assert "1 games were left out" in ran.out
    assert "planes" in ran.out
    assert "truth_planes" not in ran.out
    assert "other_planes" not in ran.out


def test_a_box_of_ones_own(capsys: Capsys) -> None:
    shutil.copy(ROOT / "examples" / "harbour.toml", "harbour.toml")
    typed = ("harbour.toml#classic", "-n", 1, "--max-turns", 3, "--out", "set")
    assert make(capsys, *typed).code == 0
    assert len(Dataset("set")) >= 3
    text = Path("harbour.toml").read_text()
    Path("harbour.toml").write_text(text.replace('takes = ["keg"]', 'takes = ["keg", "captain"]'))
    said = one_sentence(make(capsys, *typed))
    assert "the rules of harbour/classic or its observation have changed since it was begun" in said


REFUSED = [
    ("--out set", "Name a game to play, such as barrage/classic, or recorded games with --from FILE."),
    ("chess --out set", "There is no game “chess”"),
    ("mini/3x3 --out set --south deep-blue", "There is no player “deep-blue”"),
    ("mini/3x3 --out set --south greedy@nodes=0", "leaves no time to think"),
    (
        "mini/3x3 --out set --south cmd:bot",
        "let it play with flagfall match --out FILE, then",
    ),
    ("mini/3x3 --out set --north cheater:greedy", "“cheater:greedy” sees hidden pieces"),
    ("mini/3x3 --out set --setups bunker", "“bunker” is not a rule for setups"),
    ("mini/3x3 --out set -o tea=hot", "there is no option “tea”"),
    ("mini/3x3 --out record", "record"),
    ("--from nowhere.jsonl --out set", "nowhere.jsonl: there is no such file or folder"),
    ("--from empty --out set", "No game can be read"),
    ("--from record --out set -o rescue=on", "--option belongs to a game; name the game too"),
    ("mini/3x3", "Missing option '--out'"),
]


@pytest.mark.parametrize(("typed", "said"), REFUSED)
def test_what_cannot_be_made_gets_one_sentence(capsys: Capsys, typed: str, said: str) -> None:
    Path("empty").write_text("")
    Path("record").write_text("")
    assert said in one_sentence(make(capsys, *typed.split()))
    assert not Path("set").exists()


def test_info_about_something_else(capsys: Capsys) -> None:
    for name in ("nowhere", "."):
        assert "is not a dataset: there is no dataset.json" in one_sentence(
            flagfall(capsys, "dataset", "info", name)
        )


def test_stopping_keeps_the_games_and_says_so(tmp_path: Path) -> None:
    out = tmp_path / "set"
    typed = ["dataset", "make", "mini/3x3", "-n", "100000", "--shard", "5", "--out", str(out)]
    process = started(*typed, before=INTERPRETED)
    complaints = stopped(process, out / "part-00002.parquet", 0)
    assert f"they are in {out}, and the same command resumes" in complaints
    assert Dataset(out).games >= 15
