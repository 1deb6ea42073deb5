"""The examples in the docstrings of the match and on its page are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import flagfall.match
from flagfall.match.refusal import Code

MODULES = ["flagfall.match"] + [
    f"flagfall.match.{module.name}" for module in pkgutil.iter_modules(flagfall.match.__path__)
]
PAGE = Path(__file__).parents[2] / "docs" / "match.md"


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_hold(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0


def test_the_examples_of_the_page_hold() -> None:
    outcome = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert outcome.attempted > 5
    assert outcome.failed == 0


def test_the_page_names_every_code_of_a_refusal() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for code in Code.__args__:  # type: ignore[attr-defined]
        assert f"`{code}`" in text
