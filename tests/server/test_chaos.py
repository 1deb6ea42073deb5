"""Troubles at random while games are played: nothing lost, nothing doubled, no fault, memory steady.

Half a minute; ten minutes with ``FLAGFALL_SOAK=1``. The seed is printed: ``FLAGFALL_CHAOS_SEED`` gives the
same troubles in the same order again, ``FLAGFALL_CHAOS_ONLY=kill,fill_disk`` only those kinds.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from tests.server.chaos import SETTINGS, Chaos
from tests.server.killable import Census, KillableServer
from tests.server.served import friends, seal_both

IS_SOAK = bool(os.environ.get("FLAGFALL_SOAK"))
SECONDS = 600.0 if IS_SOAK else 12.0
MATCHES = 400 if IS_SOAK else 40
GAME = "spin-master/duel"
FORGOTTEN_S = 60.0
MAX_GROWTH_KB = 12_000
"""what the process may grow by while matches come and go; four hundred in memory take far more"""


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
    assert sum(chaos.ledger.acknowledged.values()) > SECONDS, "too little happened between the troubles"


def test_matches_that_were_left_leave_the_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    served = KillableServer(tmp_path, **SETTINGS | {"keep_idle_s": "1", "grace_s": "0.2"})
    try:
        served.start()
        start = _after(served, 20)
        end = _after(served, MATCHES)
    finally:
        served.close()
    with capsys.disabled():
        sys.stdout.write(f"\n{MATCHES} matches came and went: {start} before, {end} after\n")
    assert (end.sessions, end.tasks) == (start.sessions, start.tasks)
    assert end.files <= start.files + 2
    assert end.threads <= start.threads + 4, "more than the pools may have"
    assert end.rss_kb - start.rss_kb < MAX_GROWTH_KB


def _after(served: KillableServer, matches: int) -> Census:
    """Have so many matches begun and left, and wait until they are forgotten."""
    for number in range(matches):
        anna, ben, match = friends(served, GAME)
        seal_both(anna, ben, match, GAME)
        for guest in (anna, ben):
            state = guest.state(match)
            guest.post(f"/api/matches/{match}/act", number=state["number"], text=state["choices"][0]["text"])
            guest.post(f"/api/matches/{match}/chat", phrase="hello")
        if number % 3 == 0:
            with anna.socket(match) as one, ben.socket(match) as other:
                one.until("state")
                other.until("state")
                one.send(do="chat", phrase="bye", id="1")
                one.until("done")
        for guest in (anna, ben):
            guest.http.close()
    until = time.monotonic() + FORGOTTEN_S
    while (census := served.census()).sessions and time.monotonic() < until:
        time.sleep(0.5)
    assert census.sessions == 0, "a match that nobody looks at stays in memory"
    return census
