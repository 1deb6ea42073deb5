"""Every example in a docstring is true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import flagfall

ROOT = Path(flagfall.__file__).parent


def modules_with_examples() -> list[str]:
    """Modules of the package that show how they are used."""
    files = (file for file in ROOT.rglob("*.py") if ">>> " in file.read_text(encoding="utf-8"))
    names = (file.relative_to(ROOT.parent).with_suffix("").parts for file in files)
    return sorted(".".join(parts).removesuffix(".__init__") for parts in names)


@pytest.mark.parametrize("module", modules_with_examples())
def test_the_examples_of_a_module_hold(module: str) -> None:
    outcome = doctest.testmod(importlib.import_module(module))
    assert outcome.attempted
    assert outcome.failed == 0
