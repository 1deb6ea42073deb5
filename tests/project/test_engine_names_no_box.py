"""The engine has never heard of an edition: no box, piece or power is named there."""

from __future__ import annotations

import re
from pathlib import Path

import flagfall.engine
from flagfall.edition import editions

ENGINE = Path(flagfall.engine.__file__).parent
COMMON = {
    "flag",
    "bomb",
    "advance",
    "rescue",
    "ring",
    "knight",
    "spotting",
    "long-run",
    "flight",
    "elf",
    "orc",
    "striker",
}
"""words that primitives and drawings need, or that stand inside other words"""


def names_of_boxes() -> set[str]:
    """What boxes call themselves, their kinds and their powers."""
    found: set[str] = set()
    for edition in editions():
        found |= {edition.id, *edition.kinds, *edition.powers}
        found |= {name.lower() for kind in edition.kinds.values() for name in kind.names.values()}
        found |= {power.name.lower() for power in edition.powers.values()}
    return found - COMMON


def test_no_module_of_the_engine_names_a_box_a_piece_or_a_power() -> None:
    sources = {file: file.read_text(encoding="utf-8").lower() for file in ENGINE.rglob("*.py")}
    assert len(sources) > 20
    named = {
        (file.name, name)
        for file, source in sources.items()
        for name in names_of_boxes()
        if re.search(rf"(?<![a-z_]){re.escape(name)}(?![a-z_])", source)
    }
    assert named == set()
