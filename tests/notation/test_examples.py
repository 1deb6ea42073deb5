"""The examples in the docstrings of setups and notation are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import flagfall.notation
import flagfall.setups

MODULES = [
    f"{package.__name__}.{module.name}"
    for package in (flagfall.notation, flagfall.setups)
    for module in pkgutil.iter_modules(package.__path__)
] + ["flagfall.notation", "flagfall.setups"]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_hold(module: str) -> None:
    outcome = doctest.testmod(importlib.import_module(module))
    assert outcome.failed == 0
