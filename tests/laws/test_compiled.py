"""Interpreted = compiled: machine code plays the same games, with every index checked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from flagfall.arena.signature import read
from flagfall.engine.mode import mode
from tests.laws import trace

ROOT = Path(__file__).resolve().parents[2]


def test_machine_code_plays_the_same_games_and_stays_within_its_arrays() -> None:
    env = os.environ | {"FLAGFALL_KERNELS": "compiled", "FLAGFALL_BOUNDSCHECK": "1"}
    answer = subprocess.run(
        [sys.executable, "-m", "tests.laws.trace"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert answer.returncode == 0, answer.stderr[-3000:]
    told = json.loads(answer.stdout)
    assert told["mode"] == "compiled"
    assert mode() == "interpreted"
    assert told["signature"] == read(ROOT / "signature.txt")
    expected = trace.everything()
    assert set(told["found"]) == set(expected)
    for name, here in expected.items():
        assert told["found"][name] == here, name
