"""Names for parametrised laws."""

from __future__ import annotations

from typing import Any

from flagfall.edition import Game


def pytest_make_parametrize_id(config: Any, val: object, argname: str) -> str | None:
    """A game is called by its id, a choice of options as people type it."""
    if isinstance(val, Game):
        return val.id
    if isinstance(val, dict):
        return " ".join(f"{name}={value}" for name, value in val.items()) or "defaults"
    return None
