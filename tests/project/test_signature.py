"""``signature.txt`` says how the engine behaves today."""

from __future__ import annotations

from pathlib import Path

from flagfall.arena.signature import read, signatures

FILE = Path(__file__).resolve().parents[2] / "signature.txt"


def test_the_committed_signature_is_the_one_of_this_engine() -> None:
    assert read(FILE) == signatures(), "behaviour has changed: say so in the commit, and write the file anew"
