"""The README tells the truth: its program runs, its commands exist, its pages are there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from flagfall.cli.app import app
from flagfall.edition import game_ids
from tests.cli.run import ROOT, process

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/rules").glob("*.md")),
]
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, flags=re.DOTALL)
PROGRAMS = [block for language, block in BLOCKS if language == "python"]
COMMANDS = [
    line.split("#")[0].strip()
    for language, block in BLOCKS
    if language == "sh"
    for line in block.splitlines()
    if line.startswith(".venv/bin/flagfall")
]
COMMANDS += [
    match.group(1)
    for page in PAGES[1:]
    for block in re.findall(r"^```sh\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    for match in re.finditer(r"^(?:sudo -u \w+ |.+\| )?((?:\.venv/bin/)?flagfall .+)$", block, re.M)
]


def test_the_program_runs_and_prints_a_result(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PROGRAMS[0], "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("Result(winner=")


def test_the_environment_plays_many_games() -> None:
    small = PROGRAMS[1].replace("256", "2").replace("range(100)", "range(3)")  # kernels are interpreted here
    names: dict[str, Any] = {}
    exec(compile(small, "README.md", "exec"), names)
    assert names["env"].mask.shape[0] == 2
    assert names["env"].mask.any(axis=1).all()


def _options(words: list[str]) -> set[str]:
    """The options of a command, by walking the command tree."""
    import typer

    group = typer.main.get_command(app)
    while words and hasattr(group, "commands") and words[0] in group.commands:
        group = group.commands[words.pop(0)]
    assert not hasattr(group, "commands"), "no such command"
    return {name for parameter in group.params for name in (*parameter.opts, *parameter.secondary_opts)}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_exists_with_its_options(command: str) -> None:
    words = shlex.split(command)[1:]
    used = {word for word in words if word.startswith("-")}
    assert used <= _options(words)


def test_every_make_target_exists() -> None:
    targets = set(
        re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    )
    assert set(re.findall(r"\bmake ([a-z]+)\b", README)) - {"machines"} <= targets | {"a"}


def test_every_game_is_in_the_table() -> None:
    assert set(re.findall(r"`([a-z-]+/[a-z0-9-]+)`", README)) >= set(game_ids())


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def test_make_terminal_answers_a_script(tmp_path: Path) -> None:
    lines = "mini/3x3\nrandom\nuse XsF\nready\nwho a1\na1-a2\nresign\nyes\n"
    ran = process("play", "--plain", typed=lines, home=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert "a1: yours, Marshal" in ran.out
    assert "Random (North) wins: resigned." in ran.out
    assert "\x1b" not in ran.out
