"""Troubles at random while games are played: nothing lost, nothing doubled, no fault, memory steady."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from tests.server.chaos import Chaos

IS_SOAK = bool(os.environ.get("FLAGFALL_SOAK"))
SECONDS = 600.0 if IS_SOAK else 35.0


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_troubles_lose_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seed = int(os.environ.get("FLAGFALL_CHAOS_SEED") or time.time_ns() % 10**9)
    chaos = Chaos(tmp_path, seed)
    try:
        chaos.start()
        chaos.run(SECONDS)
        chaos.settle()
        chaos.final_check()
    finally:
        chaos.close()
        with capsys.disabled():
            sys.stdout.write(f"\n{chaos.summary()}\n")
    faults = "\n".join(fault[:3000] for fault in chaos.ledger.faults[:20])
    assert not faults
    assert sum(chaos.ledger.acknowledged.values()) > SECONDS
