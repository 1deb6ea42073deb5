"""The programs on the page about environments, and those in `examples/`, run."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import flagfall
from flagfall.protocol.engine import Engine

ROOT = Path(__file__).resolve().parents[2]


def test_the_programs_of_the_page_run_one_after_the_other() -> None:
    text = (ROOT / "docs" / "rl.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, object] = {}
    for program in programs:
        exec(compile(program, "docs/rl.md", "exec"), names)
    assert len(programs) >= 4
    assert {"env", "many", "mine"} <= names.keys()


def test_the_vector_environment_in_twenty_lines_measures_a_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    example = import_module("vector_env")
    assert 0 < example.share_of_wins("mini/3x4", 32, 40) < 1


def test_a_policy_is_named_by_its_module_at_any_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    final = flagfall.play("vector_env:Forward", "random", "mini/3x4", seed=2)
    assert final.is_over
    said: list[str] = []
    Engine("mini/3x4", "vector_env:Forward", {}, said.append).run(
        ["newgame side=south seed=1", "setup", "enemy a3,b3,c3,d3", "go"]
    )
    assert said[0].startswith("setup ")
    assert said[-1].startswith("bestaction ")
