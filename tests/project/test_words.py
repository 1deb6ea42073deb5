"""Code, docs and messages use the usual words; the glossary names every public class."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.project.class_index import PAGE, todays_page

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("src/flagfall", "bench", "docs", "tests", "web/src", "examples")
PAGES = ("README.md", "CONTRIBUTING.md")
KINDS = {".py", ".md", ".ts", ".svelte", ".css", ".toml"}

AVOIDED = {
    "strongbox": "store or database",
    "wish": "request",
    "wishes": "requests",
    "wished": "requested",
    "deed": "command",
    "deeds": "commands",
    "chronicle": "history",
    "rehearse": "warm up",
    "appraiser": "evaluator",
    "by lot": "at random",
    "by_lot": "random",
    "somebody": "a person, a player, or the passive",
    "whoever": "the player who",
    "the own": "your own, its own",
    "to and fro": "back and forth",
    "beside": "next to, with, compared with",
    "so called": "called",
    "deaf": "ignores",
    "is_well": "is_healthy",
    "carry_out": "execute",
    "is gone on with": "is resumed",
    "gone on with": "resumed",
}
"""words and what to write instead; docs/glossary.md has the right ones"""

ALLOWED = {
    "src/flagfall/match/log.py": {"by_lot"},  # a field of stored logs
}


@cache
def texts() -> dict[str, str]:
    """Return every text of ours that people read, by the name of its file."""
    found = [ROOT / page for page in PAGES]
    for place in PLACES:
        found += [file for file in (ROOT / place).rglob("*") if file.suffix in KINDS and file.is_file()]
    own = (Path(__file__), ROOT / "docs" / "rules-coverage.md", ROOT / "web/src/api/schema.ts")
    skipped = {"compatibility", "rules", "nl", "de", "fr"}  # what 0.1.0 wrote, given rules, other languages
    kept = [file for file in found if file not in own and not skipped & set(file.parts)]
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in kept}


@pytest.mark.parametrize("word", AVOIDED)
def test_an_odd_word_is_not_used(word: str) -> None:
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])", re.IGNORECASE)
    hits = []
    for name, text in texts().items():
        if word in ALLOWED.get(name, ()) or word not in text.lower():
            continue
        for number, line in enumerate(text.splitlines(), start=1):
            if pattern.search(line):
                hits.append(f"{name}:{number}: {line.strip()[:90]}")
    assert not hits, f"write “{AVOIDED[word]}”:\n" + "\n".join(hits)


def test_the_glossary_names_every_public_class() -> None:
    assert PAGE.read_text(encoding="utf-8") == todays_page(), "run python -m tests.project.class_index"
