"""The tutorials run, and their pages show what they print today."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs.tutorials.render import FOLDER, cells, rendered, scripts

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("script", scripts(), ids=lambda script: script.stem)
def test_a_page_shows_what_its_script_prints(script: Path) -> None:
    for name, text in rendered(script).items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, "run make tutorials"


def test_every_tutorial_has_a_page_in_the_list_and_in_the_site() -> None:
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert len(scripts()) >= 5
    for script in scripts():
        assert f"({script.stem}.md)" in index
        assert f"tutorials/{script.stem}.md" in site
        assert any(not is_text for is_text, _ in cells(script.read_text(encoding="utf-8")))


def test_no_plot_is_left_over() -> None:
    shown = {
        name
        for page in FOLDER.glob("*.md")
        for name in re.findall(r"\(plots/([\w.-]+)\)", page.read_text(encoding="utf-8"))
    }
    assert shown == {file.name for file in (FOLDER / "plots").iterdir()}
