"""Machine code shows the same as interpreted kernels, and a seed always gives the same games."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from flagfall.engine.mode import mode
from tests.rl import trace

ROOT = Path(__file__).resolve().parents[2]


def test_machine_code_shows_the_same_games_and_stays_within_its_buffers() -> None:
    env = os.environ | {"FLAGFALL_KERNELS": "compiled", "FLAGFALL_BOUNDSCHECK": "1", "NUMBA_OPT": "1"}
    answer = subprocess.run(
        [sys.executable, "-m", "tests.rl.trace"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert answer.returncode == 0, answer.stderr[-3000:]
    told = json.loads(answer.stdout)
    assert (told["mode"], mode()) == ("compiled", "interpreted")
    assert told["found"] == trace.everything()
    assert told["threads left"] == 0


def test_a_seed_gives_the_same_games_whatever_the_number_of_threads() -> None:
    once = trace.trace("barrage/classic", "random", 5)
    assert trace.trace("barrage/classic", "random", 5, threads=2) == once
    assert trace.trace("barrage/classic", "random", 6) != once
