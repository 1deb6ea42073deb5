"""The documentation site lists every public name of the front door, and has every page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import flagfall
import flagfall.notation
import flagfall.rl

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
LISTED = {
    page.stem: set(re.findall(r"^::: ([\w.]+)$", page.read_text(encoding="utf-8"), re.M))
    for page in REFERENCE.glob("*.md")
}


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("flagfall", [f"flagfall.{name}" for name in flagfall.__all__ if name != "__version__"]),
        ("rl", [f"flagfall.rl.{name}" for name in flagfall.rl.__all__]),
        ("notation", [f"flagfall.notation.{name}" for name in flagfall.notation.__all__]),
    ],
)
def test_every_public_name_is_in_the_reference(page: str, names: list[str]) -> None:
    assert set(names) <= LISTED[page]


def test_the_site_has_every_page() -> None:
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    docs = ROOT / "docs"
    pages = {page.relative_to(docs).as_posix() for page in docs.rglob("*.md")}
    in_site = set(re.findall(r"[\w/.-]+\.md", site))
    assert pages - in_site == set()
    assert "font: false" in site
