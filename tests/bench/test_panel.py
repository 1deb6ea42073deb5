"""The panel of strangers: who is in it, what is asked, and the player of an earlier version."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from bench.frozen import FROZEN, Frozen, unpack
from bench.panel import draws, panel_rows, panel_trials, prepared_panel, print_population
from bench.players import Folder, Standing
from bench.strength_report import sections
from bench.trials import TrialError

from flagfall.arena.contestants import read_contestant
from flagfall.edition import load_game
from flagfall.errors import UserError
from flagfall.players.zoo.panel import EARLIER, HELD_OUT, PANEL, TO_FIT, is_held_out
from tests.bench.test_trials import played

CLASSIC = "lotr/classic"


def test_every_member_is_played_and_only_the_held_out_half_has_targets() -> None:
    found = {each.second: each for each in panel_trials(load_game(CLASSIC), 100)}
    assert list(found) == list(PANEL)
    assert {each.time_ms for each in found.values()} == {100}
    assert {each.games for each in found.values()} == {200}
    asked = {name: each.gate.words() for name, each in found.items()}
    assert {asked[name] for name in TO_FIT} == {"–"}
    assert {asked[name] for name in HELD_OUT if name != EARLIER} == {"≥ 95 % won"}
    assert asked[EARLIER] == "≥ 70 % won"
    powers = {each.second: each.gate.words() for each in panel_trials(load_game("lotr/special-powers"), 100)}
    assert {name for name, words in powers.items() if words != "–"} == {EARLIER}
    assert powers[EARLIER] == "≥ 65 % won"


def test_each_game_and_time_has_files_of_its_own() -> None:
    names = [
        each.name
        for game in (CLASSIC, "barrage/classic")
        for ms in (100, 1000)
        for each in panel_trials(load_game(game), ms)
    ]
    assert len({*names}) == len(names)
    assert not any(":" in name for name in names), "they are names of files"


def test_the_earlier_player_is_a_program_that_is_played_from_its_own_sources(tmp_path: Path) -> None:
    trial = next(each for each in panel_trials(load_game(CLASSIC), 100) if each.second == EARLIER)
    contestant = read_contestant(trial.plan(1).players[1])
    assert f"PYTHONPATH={FROZEN[EARLIER].source}" in contestant.command
    assert contestant.command.endswith(f"engine {CLASSIC} --player marshal")


def test_sources_of_a_commit_are_unpacked_and_a_missing_one_is_said(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "src").mkdir(parents=True)
    (checkout / "src" / "one.py").write_text("first = True\n")
    me = ("-c", "user.name=A", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), ("add", "."), (*me, "commit", "-qm", "First")):
        subprocess.run(["git", "-C", str(checkout), *words], check=True)
    first = subprocess.run(
        ["git", "-C", str(checkout), "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    (checkout / "src" / "one.py").write_text("first = False\n")
    unpack(first, tmp_path / "there", "it", checkout)
    assert (tmp_path / "there" / "src" / "one.py").read_text() == "first = True\n"
    with pytest.raises(UserError, match="shallow clone gets it by: git fetch --unshallow"):
        unpack("0" * 40, tmp_path / "nowhere", "it", checkout)
    assert not (tmp_path / "nowhere").exists()


def test_an_earlier_player_that_does_not_start_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Frozen("old", "1" * 40, "marshal")
    monkeypatch.setattr(Frozen, "folder", property(lambda self: tmp_path))
    (tmp_path / "complete").touch()
    (tmp_path / "src" / "flagfall").mkdir(parents=True)
    (tmp_path / "src" / "flagfall" / "__init__.py").write_text("raise SystemExit('broken')\n")
    with pytest.raises(UserError, match="old does not start: broken"):
        broken.prepare()


def test_the_table_has_a_row_for_each_member_and_each_half(tmp_path: Path) -> None:
    bench = prepared_panel("outside", CLASSIC, Folder(tmp_path, 1), (), 100, 20, restarts=False)
    assert {each.trial.games for each in bench.standings} == {20}
    assert panel_rows(bench.standings) == []
    for each in bench.standings:
        results = ["won", "won", "drawn", "lost"] if is_held_out(each.trial.second) else ["won"] * 4
        each.games = [played(result, i // 2, i % 2, each.trial.second) for i, result in enumerate(results)]
    rows = {row[0]: row[1:] for row in panel_rows(bench.standings)}
    assert set(rows) == {*PANEL, "all: to fit on", "all: held out", "all"}
    assert rows["walker"][:6] == ("4", "2", "1", "1", "50.0", "15.0–85.0")
    assert rows["all: to fit on"][:5] == ("24", "24", "0", "0", "100.0")
    assert rows["all: held out"][:5] == ("24", "12", "6", "6", "50.0")
    assert rows["all"][6] == "12.5"
    verdict = draws(bench.standings)
    assert verdict is not None
    assert verdict.verdict == "not enough games"
    section = next(each for each in sections(bench) if each.title == "The panel of strangers")
    assert [row[0] for row in section.rows] == list(rows)


def test_draws_are_counted_on_the_held_out_half_alone() -> None:
    trials = {each.second: each for each in panel_trials(load_game(CLASSIC), 100)}
    drawn = [Standing(trials["raider"], 200, [played("drawn")])]
    assert draws(drawn) is None
    found = draws([*drawn, Standing(trials["walker"], 200, [played("won")])])
    assert found is not None
    assert found.result.startswith("0 of 1,")


def test_an_unknown_panel_is_said(tmp_path: Path) -> None:
    with pytest.raises(TrialError, match="no panel “inside”; there is outside"):
        prepared_panel("inside", CLASSIC, Folder(tmp_path, 1), (), 100, 20, restarts=False)


def test_the_population_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    print_population([17, 18])
    said = capsys.readouterr().out
    assert "mix:17 (to fit on): depth" in said
    assert "mix:18 (held out): depth" in said
