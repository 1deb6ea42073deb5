"""Every error class has a code of its own, so that programs can tell errors apart."""

from __future__ import annotations

from collections import defaultdict
from importlib import import_module
from pkgutil import walk_packages

import flagfall
from flagfall.errors import FlagfallError


def subclasses(base: type[FlagfallError]) -> set[type[FlagfallError]]:
    return {base}.union(*(subclasses(child) for child in base.__subclasses__()))


def test_every_error_class_has_its_own_code() -> None:
    for module in walk_packages(flagfall.__path__, "flagfall."):
        if not module.name.endswith("__main__") and ".migrations." not in module.name:
            import_module(module.name)
    classes = defaultdict(list)
    for error in subclasses(FlagfallError):
        if error.__module__.startswith("flagfall."):
            classes[error.code].append(error.__name__)
    assert {code: names for code, names in classes.items() if len(names) > 1} == {}
