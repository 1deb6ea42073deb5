"""Commands that print facts print them as JSON too."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partialmethod
from pathlib import Path

import pytest
from bench.engine import Bench

from bench import engine_tables
from flagfall.cli import runs
from flagfall.edition import game_ids
from flagfall.errors import UserError
from tests.cli.run import ROOT, flagfall

Capsys = pytest.CaptureFixture[str]


def test_games_lists_every_game_with_its_options(capsys: Capsys) -> None:
    facts = flagfall(capsys, "games", "--json").facts
    assert [game["id"] for game in facts] == list(game_ids())
    onyx = facts[0]
    assert onyx["pieces"] == 40
    assert onyx["options"]["rescue"]["values"] == ["off", "on"]
    assert "onyx/classic" in flagfall(capsys, "games").out


@pytest.mark.parametrize("game", game_ids())
def test_rules_tell_every_option_in_force(capsys: Capsys, game: str) -> None:
    facts = flagfall(capsys, "rules", game, "--json").facts
    page = flagfall(capsys, "rules", game).out
    assert facts["page"].strip() == page.strip()
    assert set(facts["options_in_force"]) >= {"memory", "clock", "captured_pieces", "two_square_limit"}
    for name, value in facts["options_in_force"].items():
        if name not in ("rescue_zone", "rescue_on_strike"):
            assert f"`{name} = {value}`" in page


def test_rules_follow_the_options_that_were_chosen(capsys: Capsys) -> None:
    page = flagfall(capsys, "rules", "onyx/classic", "-o", "rescue=on", "--option", "clock=10m+5s").out
    assert "`clock = 10m+5s` *(changed)*" in page
    assert "`rescue_zone = home_rows`" in page


def test_the_card_of_a_piece_is_printed_once_for_both_armies(capsys: Capsys) -> None:
    out = flagfall(capsys, "rules", "onyx/classic", "--piece", "spy").out
    assert out.startswith("### Spy\n\nRed and Blue · label S · 1 in each army\n")
    assert out.count("The Spy has no number") == 1


def test_a_piece_with_two_names_has_two_cards(capsys: Capsys) -> None:
    out = flagfall(capsys, "rules", "duel-masters/classic", "--piece", "Gigagiele").out
    assert out.startswith("### Gigagiele\n\nFire and Darkness · label S · 1 in the army\n")
    assert "\n### Hanusa, Radiance Elemental\n\nWater, Light and Nature · label S" in out


def test_a_box_of_ones_own_from_new_to_check_to_rules(capsys: Capsys, tmp_path: Path) -> None:
    box = tmp_path / "my-box.toml"
    assert str(box) in flagfall(capsys, "edition", "new", box).out
    facts = flagfall(capsys, "edition", "check", box, "--json").facts
    assert facts["box"] == "my-box"
    (game,) = facts["games"]
    assert game["rosters"]["south"] == game["rosters"]["north"]
    assert {"side", "attacker", "beats", "ties", "loses_to", "in_vain"} == set(game["combat"][0])
    assert "No problems found." in flagfall(capsys, "edition", "check", box).out
    assert flagfall(capsys, "rules", box).code == 0
    assert flagfall(capsys, "rules", f"{box}#classic").code == 0


def test_version(capsys: Capsys) -> None:
    assert flagfall(capsys, "--version").out.strip()


def test_bench_engine_as_json(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_tables, "warm_up_kernels", lambda **_: None)
    monkeypatch.setattr(Bench, "clone_ns", partialmethod(Bench.clone_ns, times=20))
    engine_tables.print_rates(["mini/3x3"], 1, 0.01, as_json=True)
    facts = json.loads(capsys.readouterr().out)
    figures = facts["mini/3x3"]
    assert set(figures) == {"plies_per_second", "view_us", "clone_ns"}
    assert all(isinstance(value, int | float) and value > 0 for value in figures.values())
    assert set(facts["references"]) in ({"mailbox", "bitboard"}, set())
    assert bool(facts["references"]) != ("references_missing" in facts)


def test_warm_says_where_machine_code_is_or_that_it_could_not_be_saved(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(runs, "warm_up_kernels", lambda **_: None)
    monkeypatch.setattr(runs, "cache_folder", lambda: tmp_path)
    runs.warm_players(None)
    assert str(tmp_path) in capsys.readouterr().out.replace("\n", "")
    monkeypatch.setattr(runs, "is_saved", lambda: False)
    with pytest.raises(UserError, match="could not be saved for the next start"):
        runs.warm_players(None)


def test_perft_as_json(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "warm_up_kernels", lambda **_: None)
    runs.perft("mini/3x3", 2, 1, [], as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts == {"game": "mini/3x3", "seed": 1, "options": {}, "counts": {"1": 2, "2": 4}}


def test_a_signature_is_written_compared_and_told_apart(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(runs, "warm_up_kernels", lambda **_: None)
    lines = {"mini/3x3 defaults": "90 0123456789abcdef"}
    monkeypatch.setattr("flagfall.arena.signature.signatures", lambda report: lines)
    file = tmp_path / "signature.txt"
    assert runs.signature(file, check=False, write=True, as_json=False)
    assert runs.signature(file, check=True, write=False, as_json=False)
    assert "The signature matches the file." in capsys.readouterr().out
    lines = {"mini/3x3 defaults": "91 fedcba9876543210"}
    assert not runs.signature(file, check=True, write=False, as_json=False)
    assert "mini/3x3 defaults: 90 0123456789abcdef → 91 fedcba9876543210" in capsys.readouterr().out
    assert not runs.signature(file, check=True, write=False, as_json=True)
    said = capsys.readouterr()
    assert json.loads(said.out) == lines
    assert "The signature differs." in said.err


HELP = """
import contextlib, io, sys
from flagfall.cli import main

commands = ["", "games", "rules", "edition", "edition check", "edition new", "simulate", "perft", "signature"]
for words in [*commands, "bench", "bench engine", "play", "replay"]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main([*words.split(), "--help"])
    assert "Usage: flagfall" in out.getvalue(), words
    assert "..." not in out.getvalue().replace("[ARGS]...", ""), words
heavy = {"numba", "numpy", "llvmlite", "rich"} & {name.split(".")[0] for name in sys.modules}
assert not heavy, heavy
"""


def test_help_is_there_for_every_command_and_needs_neither_numba_nor_numpy() -> None:
    ran = subprocess.run([sys.executable, "-c", HELP], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
