"""Files and names that the pages mention exist.

A reference is `path/file.py` or `path/file.py: name` in backticks; the name may be `Class.method`. Paths
begin at the root of the repository or in one of the folders below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from flagfall.players import BUILT_IN, SEARCHING

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("", "src/flagfall", "src/flagfall/players", "tests", "web/src", "docs")
PAGES = sorted(
    page.relative_to(ROOT).as_posix()
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs/rules").glob("*.md"))
    if page.name not in ("CHANGELOG.md", "progress.md")
)
REFERENCE = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|ts|svelte|toml|md|txt|css))(?:: ([\w., ]+))?`")


def references(text: str) -> Iterator[tuple[str, str]]:
    """Yield each file that a page mentions with each name in it; an empty name for the file alone."""
    for path, names in REFERENCE.findall(text):
        if "NAME" in path:
            continue
        for name in names.split(", "):
            yield path, name


def is_defined(name: str, source: str) -> bool:
    """Return whether a source defines a name; of `Class.method`, both."""
    return all(
        re.search(
            rf"(?:def|class|function|const|type|interface) {part}\b|^\s*(?:async )?{part}\b *(?:[:=(\[]|$)",
            source,
            re.M,
        )
        for part in name.split(".")
    )


def problems(text: str) -> list[str]:
    """Return the references of a page that lead nowhere."""
    found = []
    for path, name in references(text):
        files = [ROOT / folder / path for folder in FOLDERS if (ROOT / folder / path).is_file()]
        if not files:
            found.append(path)
        elif name and not is_defined(name, files[0].read_text(encoding="utf-8")):
            found.append(f"{path}: {name}")
    return found


@pytest.mark.parametrize("page", PAGES)
def test_files_and_names_on_a_page_exist(page: str) -> None:
    assert problems((ROOT / page).read_text(encoding="utf-8")) == []


def test_a_missing_file_or_name_is_noticed() -> None:
    text = "`match/match.py: Match.act, Match.think` `match/nothing.py` `edition/data/onyx.toml`"
    assert problems(text) == ["match/match.py: Match.think", "match/nothing.py"]


def test_every_computer_player_but_the_levels_is_on_its_page() -> None:
    page = (ROOT / "docs/players.md").read_text(encoding="utf-8")
    assert [name for name in BUILT_IN if name not in SEARCHING and f"| `{name}` |" not in page] == []
