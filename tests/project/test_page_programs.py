"""The programs on pages that have no test of their own run."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import flagfall
from flagfall.cli.games import write_new_box
from flagfall.players import make_player
from flagfall.players.belief import Belief, public_belief

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = {"rl.md", "dataset.md", "cluster.md"}
"""pages whose programs other tests run: `tests/rl`, `tests/dataset`; that of a cluster needs one"""


def programs(page: Path) -> list[str]:
    """Return the Python programs of a page that are no dialogues."""
    found = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    return [program for program in found if not program.startswith(">>> ")]


PAGES = [page for page in sorted((ROOT / "docs").glob("*.md")) if programs(page)]


@pytest.mark.parametrize("page", [page.name for page in PAGES if page.name not in ELSEWHERE])
def test_the_programs_of_a_page_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_new_box(Path("my.toml"))
    names: dict[str, Any] = {"Belief": Belief, "public_belief": public_belief, "seed": 1}
    position = flagfall.game("mini/3x4").new(seed=1)
    game, options = position.game.rules, position.game.options
    names |= {"game": game, "options": options}
    names |= {"view": position.view("south"), "history": position.history("south")}
    names |= {"player": make_player("recruit", game, options, Random(1), flagfall.Budget(None, 50))}
    for program in programs(ROOT / "docs" / page):
        exec(compile(program, page, "exec"), names)


def test_pages_with_programs_are_found() -> None:
    assert {"analysis.md", "belief.md", "editions.md", "players.md", *ELSEWHERE} <= {
        page.name for page in PAGES
    }
