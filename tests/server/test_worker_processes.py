"""Workers of a running server are stopped, killed or orphaned: games go on, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from tests.server.processes import all_gone, eventually, leaves
from tests.server.served import Guest, Json, Served, serving

SMALL = "mini/3x4"
ANSWER_S = 20.0
"""a generous limit for an answer that should come within seconds"""


def begun(guest: Guest, level: str = "random", game: str = SMALL) -> Json:
    """A match against the computer in which it is the guest's turn."""
    match = guest.post("/api/matches", game=game, opponent="computer", level=level, side="south")["match"]
    guest.post(f"/api/matches/{match}/setup", code=guest.code(game, "south"))
    return answered(guest, match, 0)


def answered(guest: Guest, match: str, number: int) -> Json:
    """The match when it is the guest's turn again, or over."""
    until = time.monotonic() + ANSWER_S
    state = guest.state(match)
    while state["phase"] != "over" and not (state["choices"] and state["number"] > number):
        assert time.monotonic() < until, "the computer does not answer"
        state = guest.state(match, since=state["number"], wait_s=2)
    return state


def move(guest: Guest, state: Json) -> int:
    """Play something that is no attack, so that the game goes on; the number before."""
    quiet = [choice for choice in state["choices"] if not choice["is_attack"]]
    guest.post(f"/api/matches/{state['match']}/act", number=state["number"], text=quiet[0]["text"])
    return int(state["number"])


def pid_of(served: Served) -> int:
    assert served.process is not None
    return served.process.pid


def test_a_stopped_worker_is_replaced_and_the_game_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path, thinking_timeout_s="0.5") as served, Guest(served, "Anna") as anna:
        state = begun(anna)
        stopped = leaves(pid_of(served))
        assert stopped
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            answered(anna, state["match"], move(anna, state))
            assert "Traceback" not in served.log()
        finally:
            served.kill()
            for pid in stopped:
                if Path(f"/proc/{pid}").exists():
                    os.kill(pid, signal.SIGKILL)


def test_a_killed_worker_is_replaced_and_the_game_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Guest(served, "Anna") as anna:
        state = begun(anna)
        killed = leaves(pid_of(served))
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        assert all_gone(killed)
        answered(anna, state["match"], move(anna, state))
        assert not killed & leaves(pid_of(served))
        assert "Traceback" not in served.log()


def test_no_worker_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    """Not even one that was stopped, which cannot end by itself."""
    served = Served(tmp_path).start()
    with Guest(served, "Anna") as anna:
        begun(anna)
        workers = leaves(pid_of(served))
        assert workers
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
    served.kill()
    try:
        assert all_gone(workers)
    finally:
        for pid in workers:
            if Path(f"/proc/{pid}").exists():
                os.kill(pid, signal.SIGKILL)


def test_no_worker_outlives_a_server_that_is_told_to_stop(tmp_path: Path) -> None:
    """While one kind of worker is still getting ready and another was stopped."""
    served = Served(tmp_path).start()
    with Guest(served, "Anna") as anna:
        state = begun(anna)
        anna.post("/api/matches", game=SMALL, opponent="computer", level="marshal", side="south")
        assert eventually(lambda: len(leaves(pid_of(served))) >= 2)
        workers = leaves(pid_of(served))
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
        move(anna, state)
    try:
        assert served.stop() == 0
        assert all_gone(workers)
        assert "Traceback" not in served.log()
    finally:
        for pid in workers:
            if Path(f"/proc/{pid}").exists():
                os.kill(pid, signal.SIGKILL)


def test_a_worker_holds_neither_the_database_nor_the_server_s_sockets(tmp_path: Path) -> None:
    with serving(tmp_path) as served, Guest(served, "Anna") as anna:
        begun(anna)
        for pid in leaves(pid_of(served)):
            files = [str(path.readlink()) for path in Path(f"/proc/{pid}/fd").iterdir()]
            assert not [file for file in files if "sqlite" in file]
            assert sum("socket:" in file for file in files) <= 1
            assert len(files) <= 5


def test_one_guest_s_many_games_do_not_hold_up_another_s(tmp_path: Path) -> None:
    """The busy guest owns far more matches than may wait; they ask again, and none is lost."""
    limits = {"max_queued_jobs_per_guest": "2", "thinking_timeout_s": "0.5"}
    with serving(tmp_path, **limits) as served, Guest(served, "Anna") as anna, Guest(served, "Ben") as ben:
        matches = [
            anna.post("/api/matches", game=SMALL, opponent="computer", level="random", side="south")["match"]
            for _ in range(20)
        ]
        begun(ben)
        for match in matches:
            anna.post(f"/api/matches/{match}/setup", code=anna.code(SMALL, "south"))
        for match in matches:
            answered(anna, match, 0)
