"""The examples on the page of the match are true."""

from __future__ import annotations

import doctest
from pathlib import Path

from flagfall.match.errors import Code

PAGE = Path(__file__).parents[2] / "docs" / "match.md"


def test_the_examples_of_the_page_hold() -> None:
    outcome = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert outcome.attempted > 5
    assert outcome.failed == 0


def test_the_page_names_every_code_of_a_refusal() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for code in Code.__args__:  # type: ignore[attr-defined]
        assert f"`{code}`" in text
