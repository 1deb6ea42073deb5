"""Matches on the command line: stopped without a scar, taken up again, refused in one sentence."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from time import sleep

import msgspec
import pytest

from flagfall.arena.plan import GameResult
from tests.cli.run import ROOT, Ran, one_sentence
from tests.cli.stopping import started, stopped


def ran(*arguments: object) -> Ran:
    process = started(*arguments)
    said, complaints = process.communicate(timeout=300)
    return Ran(process.returncode, said, complaints)


def running(marker: str) -> list[str]:
    """Commands of the processes on this machine that name a file."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = place.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if marker in command and "flagfall.cli" not in command:
            found.append(command)
    return found


@pytest.mark.parametrize("jobs", [1, 2])
def test_stopping_keeps_what_was_played_and_ends_every_process(tmp_path: Path, jobs: int) -> None:
    out, bot = tmp_path / "match.jsonl", tmp_path / "bot.py"
    shutil.copy(ROOT / "examples" / "bot.py", bot)
    arguments = ["--south", f"cmd:{sys.executable} {bot}", "--north", "random", "--game", "mini/3x4"]
    process = started("match", *arguments, "--games", 100_000, "--jobs", jobs, "--out", out)
    stopped(process, out, 10_000)
    lines = out.read_bytes().splitlines()
    assert all(not msgspec.json.decode(line, type=GameResult).trouble for line in lines)
    assert is_over(str(bot))


def is_over(marker: str) -> bool:
    """Whether all those processes come to an end; one that was just being started may need a moment."""
    for _ in range(100):
        if not running(marker):
            return True
        sleep(0.1)
    return False


def test_a_match_its_replay_and_its_resumption(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    arguments = ("match", "--south", "greedy", "--north", "random", "-g", "mini/3x4", "--out", out, "--json")
    assert ran(*arguments, "-n", 4).facts["games"] == 4
    before = out.read_bytes()
    as_argument = ("match", "mini/3x4", *(each for each in arguments[1:] if each not in ("-g", "mini/3x4")))
    assert ran(*as_argument, "-n", 6).facts["games"] == 6
    assert out.read_bytes().startswith(before)
    assert "greedy" in ran("replay", out, "--game", 2).out


def test_former_names_of_options_work_but_the_help_does_not_show_them(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    arguments = ("match", "--south", "random", "--north", "random", "-g", "mini/3x4", "--out", out, "--json")
    for restart, limit, turns in (
        ("--resume", "--max-turns", 3),
        ("--restart", "--max-turns", 4),
        ("--anew", "--most-turns", 5),
    ):
        assert ran(*arguments, "-n", 2, restart, limit, turns).facts["games"] == 2
        games = [msgspec.json.decode(line, type=GameResult) for line in out.read_bytes().splitlines()]
        assert [game.plan.max_turns for game in games] == [turns, turns]
    told = ran("match", "--help").out
    assert "--restart" in told
    assert "--max-turns" in told
    assert "--anew" not in told
    assert "--most-turns" not in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--south", "gredy", "--north", "random"), "did you mean “greedy”"),
        (("--south", "cheater", "--north", "random"), "--allow-cheater"),
        (("--south", "greedy", "--north", "random", "--sprt", "5"), "not two Elo bounds"),
        (("--south", "greedy", "--north", "random", "--setups", "mine"), "shared or own"),
        (("--south", "greedy", "--north", "random", "--option", "memory=long"), "memory"),
        (("--south", "cmd:", "--north", "random"), "needs a command"),
    ],
)
def test_a_match_that_cannot_be_is_refused_in_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    assert words in one_sentence(ran("match", "--game", "mini/3x4", *arguments))


def test_a_match_is_of_one_game() -> None:
    players = ("--south", "greedy", "--north", "random")
    assert "Which game?" in one_sentence(ran("match", *players))
    assert "two games" in one_sentence(ran("match", "mini/3x4", "-g", "mini/3x3", *players))


def test_a_league_needs_different_players() -> None:
    league = ("league", "--game", "mini/3x4", "--players")
    assert "two players or more" in one_sentence(ran(*league, "greedy"))
    assert "twice" in one_sentence(ran(*league, "greedy,random,greedy"))


def test_an_engine_for_a_game_or_a_player_that_is_not_there() -> None:
    assert "no player" in one_sentence(ran("engine", "mini/3x4", "--player", "nobody"))
    assert "mini/3x4" in one_sentence(ran("engine", "mini/3x5"))
