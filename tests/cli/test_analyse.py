"""`flagfall analyse`: from a record to a page, with a plain sentence for whatever cannot be analysed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flagfall.analysis.review import Analysis, Step
from flagfall.cli.analyse import analyse, limits
from flagfall.errors import UserError
from flagfall.match import save, to_record
from flagfall.notation import Record, Turn, to_json, write_record
from flagfall.players import Budget
from flagfall.view.view import Result
from tests.cli.run import one_sentence, process
from tests.match.games import mini, play, rescue_ready

Capsys = pytest.CaptureFixture[str]
WON = Record(
    "mini/3x3",
    ("Anna", "Ben"),
    ("XsF", "FsX"),
    (Turn("a1-a2"), Turn("c3-c2"), Turn("a2xa3")),
    Result("south", "flag captured"),
)


def look(file: Path, out: Path | None = None, **given: Any) -> None:
    """Analyse a file with little effort, in this process."""
    facts: dict[str, Any] = {"player": "marshal", "budget": Budget(nodes=40), "every": 1, "number": 1}
    facts |= {"box": None, "as_json": False} | given
    analyse(file, out, **facts)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.txt"
    file.write_text(write_record(WON), encoding="utf-8")
    return file


@pytest.mark.parametrize("shape", ["text", "json", "many"])
def test_a_page_is_written_next_to_the_record(capsys: Capsys, tmp_path: Path, shape: str) -> None:
    file = tmp_path / "game.rec"
    line = json.dumps(json.loads(to_json(WON)))
    text = {"text": write_record(WON), "json": to_json(WON), "many": f"{line}\n{line}\n"}[shape]
    file.write_text(text, encoding="utf-8")
    look(file, number=2 if shape == "many" else 1)
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "Anna" in page
    assert "(South) wins: flag captured." in page
    assert capsys.readouterr().out.endswith(f"The page is {tmp_path / 'game.html'}.\n")


def test_the_facts_are_there_for_programs(capsys: Capsys, record: Path, tmp_path: Path) -> None:
    look(record, tmp_path / "page.html", as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts["page"] == str(tmp_path / "page.html")
    assert [turn["turn"] for turn in facts["turns"]] == ["1s", "1n", "2s"]
    assert all(0 <= turn["opinion"]["estimate"] <= 1 for turn in facts["turns"])
    assert facts["attacks"][0]["kind"] == "flag"


def test_what_is_whole_of_a_damaged_record_is_analysed(capsys: Capsys, record: Path, tmp_path: Path) -> None:
    record.write_text(write_record(WON).split("2s")[0] + "2s a2x", encoding="utf-8")
    look(record, tmp_path / "page.html")
    assert "Line 10 is lost" in capsys.readouterr().err
    assert "Unfinished." in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_an_open_turn_is_analysed_too(tmp_path: Path) -> None:
    file = tmp_path / "open.txt"
    file.write_text(write_record(to_record(play(rescue_ready(), "c3-b3 rescue"))), encoding="utf-8")
    look(file, tmp_path / "page.html", every=2)
    assert "c3-b3 rescue" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_stop_leaves_a_page_of_what_was_analysed(
    capsys: Capsys, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Analysis.run

    def stopped(self: Analysis) -> Iterator[Step]:
        for step in run(self):
            yield step
            if step.number == 1:
                raise KeyboardInterrupt

    monkeypatch.setattr(Analysis, "run", stopped)
    with pytest.raises(KeyboardInterrupt):
        look(record)
    page = record.with_suffix(".html")
    assert f"Stopped after 2 of 3 turns; they are in {page}." in capsys.readouterr().err
    assert "was stopped after 2 of 3 turns" in page.read_text(encoding="utf-8")


BROKEN = {
    "illegal": (replace(WON, turns=(Turn("a1-a3"),), result=None), "Turn 1s cannot be played: "),
    "other result": (
        replace(WON, result=Result("north", "flag captured")),
        "the record says “north wins, flag captured”, but on the board it is “south wins, flag captured”.",
    ),
    "nothing played": (replace(WON, turns=(), result=None), "has no turns to analyse"),
}


@pytest.mark.parametrize("fault", sorted(BROKEN))
def test_a_record_that_cannot_be_is_refused_before_anything_is_looked_at(fault: str, record: Path) -> None:
    broken, words = BROKEN[fault]
    record.write_text(write_record(broken), encoding="utf-8")
    with pytest.raises(UserError, match=str(record)) as refused:
        look(record)
    assert words in str(refused.value)
    assert not record.with_suffix(".html").exists()


def test_a_saved_game_keeps_its_secret_until_it_is_over(tmp_path: Path) -> None:
    match = play(mini(), "a1-a2", "c3-c2")
    file = tmp_path / "saved.json"
    file.write_bytes(save(match))
    with pytest.raises(UserError, match="is not over; play it to its end, then analyse it"):
        look(file)
    play(match, "a2xa3")
    file.write_bytes(save(match))
    look(file)
    assert (tmp_path / "saved.html").exists()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"player": "greedy"},
            "“greedy” does not search and has no estimates; analyse with --player recruit, ",
        ),
        ({"player": "nobody"}, "“nobody” is not a player; analyse with --player recruit, "),
        ({"number": 2}, "holds one game, not 2; leave --game out."),
    ],
)
def test_what_cannot_be_done_is_told(given: dict[str, Any], words: str, record: Path) -> None:
    with pytest.raises(UserError) as refused:
        look(record, **given)
    assert words in str(refused.value)


def test_a_page_never_replaces_its_record_and_needs_a_folder(record: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is the record itself"):
        look(record, record)
    with pytest.raises(UserError, match="cannot be written"):
        look(record, tmp_path / "missing" / "page.html")
    with pytest.raises(UserError, match="cannot be written"):
        look(record, tmp_path)
    assert record.read_text(encoding="utf-8") == write_record(WON)


def test_a_turn_is_limited_by_nodes_unless_time_is_given() -> None:
    assert limits(None, None).time_ms is None
    assert limits(200, None) == Budget(200, None)
    assert limits(None, 500) == Budget(nodes=500)


def test_the_command_answers_in_one_sentence(tmp_path: Path) -> None:
    assert "there is no such file" in one_sentence(process("analyse", tmp_path / "none.txt"))
