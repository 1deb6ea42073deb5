"""`docs/dataset.md` describes exactly the columns that there are, and its programs run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flagfall.dataset.columns import COLUMNS, MAY_BE_NULL
from tests.cli.run import ROOT
from tests.cli.test_readme import _options
from tests.dataset.making import self_play

PAGE = (ROOT / "docs" / "dataset.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python( torch)?\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [line.split("#")[0] for line in PAGE.splitlines() if line.startswith("flagfall ")]


def test_the_page_describes_every_column() -> None:
    table = PAGE.partition("## Columns")[2].partition("\n\n**")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.+) \|$", table, re.MULTILINE)
    assert [name for name, _, _ in rows] == [column.name for column in COLUMNS]
    for (name, kind, _), column in zip(rows, COLUMNS, strict=True):
        wanted = {
            "planes": "bits, fixed length",
            "scalars": f"{column.type}, fixed number",
            "list": f"list of {column.type}",
            "text": "text",
            "number": column.type,
        }[column.sort]
        assert kind == wanted + (" or null" if name in MAY_BE_NULL else "")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page_exist(command: str) -> None:
    words = command.split()[1:]
    assert {word for word in words if word.startswith("-")} <= _options(words)


def test_the_programs_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    self_play(tmp_path / "barrage", "mini/3x4", 12)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    ran = 0
    for needs_torch, program in PROGRAMS:
        if needs_torch and not _has_torch():
            continue
        exec(compile(program, "docs/dataset.md", "exec"), names)
        ran += 1
    assert ran >= 2
    assert names["epoch"] == 1
    assert isinstance(names["batch"], dict)


def _has_torch() -> bool:
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True
