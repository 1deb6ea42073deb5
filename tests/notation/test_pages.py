"""The examples on the pages about notation and setups are true."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from flagfall.notation import read_record, write_record

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["notation.md", "setups.md"])
def test_the_examples_of_a_page_hold(page: str) -> None:
    outcome = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8")
    assert outcome.attempted > 3
    assert outcome.failed == 0


def test_the_record_on_the_page_is_a_record() -> None:
    text = (DOCS / "notation.md").read_text(encoding="utf-8")
    record = text[text.index("flagfall record 1\n") :].split("```")[0]
    assert write_record(read_record(record)) == record
