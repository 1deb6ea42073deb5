"""Troubles of every kind for a server that is being played on, at random moments, from one seed."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import httpx

from flagfall.server.store.match_store import FILE_NAME
from tests.server.chaos_ledger import Ledger, Stored
from tests.server.chaos_tables import SocketTable, Table, Watcher
from tests.server.killable import Census, KillableServer
from tests.server.processes import all_gone, command, descendants, eventually
from tests.server.served import Json, Served

SETTINGS = {
    "send_timeout_s": "1",
    "body_timeout_s": "2",
    "head_timeout_s": "3",
    "idle_timeout_s": "5",
    "thinking_timeout_s": "1",
    "grace_s": "0.5",
    "keep_idle_s": "3",
    "guests_per_hour": "100000",
    "max_matches": "100000",
    "max_invitations": "100000",
    "max_sockets": "1000",
    "max_sockets_per_address": "2000",
    "max_connections_per_address": "2000",
}
HAS_PROC = Path("/proc/self/stat").exists()
ALIVE_S = 120.0
"""within so long after the last trouble every table must be playing again"""
FORGOTTEN_S = 90.0
WORKER_TASKS, WORKER_FILES = 6, 16
"""what the workers and the pools of threads and connections may need when they are there"""
SAME_S = 30.0
SAME = (
    "number",
    "phase",
    "turn",
    "to_move",
    "view",
    "choices",
    "news",
    "result",
    "chat",
    "notes",
    "offer",
    "can",
)
"""what a fresh server on the same database must show as the old one did"""


class Chaos:
    """A server, the tables on it and the troubles it gets into."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.seed, self.rng, self.folder = seed, Random(seed), folder
        self.served = KillableServer(folder, **SETTINGS)
        self.ledger = Ledger()
        self.troubles: Counter[str] = Counter()
        self.stopped_workers: set[int] = set()
        self._log_end = 0
        self.at_first: Census | None = None
        self.at_last: Census | None = None
        self._threads: list[threading.Thread] = []
        self.tables: list[Table] = []
        self.watcher: Watcher | None = None
        self.kinds: dict[Callable[[], None], int] = {
            self.kill: 50,
            self.terminate: 6,
            self.lock_database: 10,
            self.write_from_outside: 6,
            self.second_server: 2,
            self.be_silent: 5,
        }
        if HAS_PROC:
            self.kinds |= {self.kill_worker: 5, self.stop_worker: 5}
        if hasattr(resource, "prlimit"):
            self.kinds[self.fill_disk] = 12
        if only := os.environ.get("FLAGFALL_CHAOS_ONLY", ""):
            self.kinds = {
                kind: weight for kind, weight in self.kinds.items() if kind.__name__ in only.split(",")
            }

    def start(self) -> None:
        """The server and everybody who plays on it."""
        self.served.start()
        self.at_first = self.served.census()
        seeds = [self.rng.randrange(2**32) for _ in range(6)]
        self.tables = [
            Table(self.served, self.ledger, seeds[0], "friend", side="south"),
            SocketTable(self.served, self.ledger, seeds[1], side="south"),
            Table(self.served, self.ledger, seeds[2], "hot-seat", options={"clock": "4s/move"}),
            Table(self.served, self.ledger, seeds[3], "computer", level="random", side="south"),
            Table(self.served, self.ledger, seeds[4], "computer", level="greedy", side="north"),
        ]
        self.watcher = Watcher(self.served, self.ledger, seeds[5], self.tables)
        for table in (*self.tables, self.watcher):
            table.thread.start()

    # ------------------------------------------------------------------ the run

    def run(self, seconds: float, most_gap_s: float = 1.2) -> None:
        """One trouble after the other; some go on while the next one comes."""
        until = time.monotonic() + seconds
        kinds, weights = list(self.kinds), list(self.kinds.values())
        first = list(kinds)
        self.rng.shuffle(first)
        while time.monotonic() < until and not self.ledger.faults:
            time.sleep(self.rng.uniform(0.05, most_gap_s))
            kind = first.pop() if first else self.rng.choices(kinds, weights)[0]
            kind()
            self.troubles[kind.__name__] += 1
            self.ledger.check(self.folder, {table.match for table in self.tables if table.match})
            self._check_log()

    def settle(self) -> None:
        """The troubles are over: every table must play on."""
        for thread in self._threads:
            thread.join(timeout=60)
            assert not thread.is_alive()
        self._let_disk_be_empty()
        turns = {table: table.turns for table in self.tables}
        until = time.monotonic() + ALIVE_S
        while any(table.turns < before + 3 for table, before in turns.items()):
            if time.monotonic() > until or self.ledger.faults:
                stuck = [f"{t.request} {t.match}" for t, before in turns.items() if t.turns < before + 3]
                self.ledger.fault(f"these tables do not go on: {stuck}")
                break
            time.sleep(0.1)
        for table in (*self.tables, self.watcher):
            if table is not None:
                table.finish()

    def final_check(self) -> Stored:
        """Everything once more, after everybody has stopped."""
        for table in self.tables:
            table.release()
        stored = self.ledger.check(self.folder)
        self.ledger.rebuild(stored)
        damaged = [match for match, row in stored.rows.items() if row["status"] == "damaged"]
        if damaged:
            self.ledger.fault(f"set aside as damaged: {damaged}")
        self._compare_with_a_fresh_server(stored)
        self._check_leaks()
        self._check_log()
        return stored

    def close(self) -> None:
        """End every process and thread that this has started."""
        for table in (*self.tables, self.watcher):
            if table is not None:
                table.is_done.set()
                table.close()
        workers = descendants(self.served.pid) if self.served.pid and HAS_PROC else {}
        self.served.close()
        for pid in self.stopped_workers:
            # One that was stopped before it could ask the kernel to end it with its parent ends by itself.
            if b"flagfall.server.workers" in command(pid):
                _signal(pid, signal.SIGCONT)
        if not all_gone(pid for pid in {*self.stopped_workers, *workers} if b"flagfall" in command(pid)):
            self.ledger.fault("workers are left after the server has ended")

    def summary(self) -> str:
        """One line of figures."""
        counts = ", ".join(
            f"{name.replace('_', ' ')} {count}" for name, count in sorted(self.troubles.items())
        )
        ledger = self.ledger
        return (
            f"seed {self.seed}: {sum(self.troubles.values())} troubles ({counts}); "
            f"{sum(ledger.acknowledged.values())} actions acknowledged, {sum(ledger.doubtful.values())} "
            f"without an answer, rude clients {dict(ledger.rude)}, refusals {dict(ledger.refused)}; "
            f"{self.at_first} at first, {self.at_last} at last; "
            f"{sum('lost' in fault for fault in ledger.faults)} lost, {len(ledger.faults)} faults"
        )

    # ------------------------------------------------------------------ troubles

    def kill(self) -> None:
        self.served.kill()
        self.served.start()

    def terminate(self) -> None:
        self.served.stop()
        self.served.start()

    def lock_database(self) -> None:
        """Another process holds the write lock, sometimes for longer than the server waits."""
        self._background(self._hold_lock, self.rng.choice((0.2, 1.0, 3.0, 7.0)))

    def _hold_lock(self, seconds: float) -> None:
        with closing(
            sqlite3.connect(self.folder / FILE_NAME, isolation_level=None, timeout=60)
        ) as connection:
            connection.execute("BEGIN IMMEDIATE")
            time.sleep(seconds)
            connection.execute("ROLLBACK")

    def fill_disk(self) -> None:
        """No file of the server can grow for a while; the log of the server neither."""
        self._background(self._limit_files, self.served.pid, self.rng.uniform(0.2, 4.0))

    def _limit_files(self, pid: int, seconds: float) -> None:
        with suppress(ProcessLookupError):
            hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
            time.sleep(seconds)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))

    def _let_disk_be_empty(self) -> None:
        if hasattr(resource, "prlimit"):
            hard = resource.prlimit(self.served.pid, resource.RLIMIT_FSIZE)[1]
            resource.prlimit(self.served.pid, resource.RLIMIT_FSIZE, (hard, hard))

    def kill_worker(self) -> None:
        """A process in which a computer player thinks is killed, or the one that starts these."""
        for pid in self._some_worker():
            _signal(pid, signal.SIGKILL)

    def stop_worker(self) -> None:
        """A process in which a computer player thinks does nothing any more, for a while or for good."""
        for pid in self._some_worker():
            _signal(pid, signal.SIGSTOP)
            self.stopped_workers.add(pid)
            if self.rng.random() < 0.5:
                self._background(self._continue_later, pid, self.rng.uniform(0.5, 4))

    def _continue_later(self, pid: int, seconds: float) -> None:
        time.sleep(seconds)
        if pid in descendants(self.served.pid):
            _signal(pid, signal.SIGCONT)

    def _some_worker(self) -> list[int]:
        workers = sorted(descendants(self.served.pid))
        return [self.rng.choice(workers)] if workers else []

    def write_from_outside(self) -> None:
        """As an operator's command does, another process calls a game off."""
        match = self.rng.choice(self.tables).match
        with closing(
            sqlite3.connect(self.folder / FILE_NAME, isolation_level=None, timeout=60)
        ) as connection:
            connection.execute("BEGIN IMMEDIATE")
            status = connection.execute("SELECT status FROM matches WHERE id = ?", (match,)).fetchone()
            if not match or status != ("running",):
                connection.execute("ROLLBACK")
                return
            number, entry = connection.execute(
                "SELECT number, entry FROM log WHERE match_id = ? ORDER BY number DESC LIMIT 1", (match,)
            ).fetchone()
            new = {"what": "aborted", "number": number + 1, "at_ms": json.loads(entry)["at_ms"] + 1}
            connection.execute("INSERT INTO log VALUES (?, ?, ?)", (match, number + 1, json.dumps(new)))
            connection.execute(
                "UPDATE matches SET status = 'over', reason = 'aborted', to_move = '', falls_at_ms = NULL "
                "WHERE id = ?",
                (match,),
            )
            self.ledger.foreign.add((match, number + 1))
            connection.execute("COMMIT")

    def second_server(self) -> None:
        """A second server on the same folder is refused with a sentence."""
        command = [sys.executable, "-c", "from flagfall.cli import main; main()", "serve", "--port", "0"]
        second = subprocess.run(
            [*command, "--data", str(self.folder)], capture_output=True, text=True, timeout=120, check=False
        )
        said = second.stdout + second.stderr
        if second.returncode != 2 or "uses the data folder" not in said or "Traceback" in said:
            self.ledger.fault(f"a second server ended with {second.returncode}: {said[-500:]}")

    def be_silent(self) -> None:
        """Many connections that say nothing, and are broken later."""
        self._background(self._hold_connections, self.rng.uniform(0.5, 5))

    def _hold_connections(self, seconds: float) -> None:
        held = []
        with suppress(OSError):
            for _ in range(50):
                held.append(self.tables[0]._connect())
        time.sleep(seconds)
        for connection in held:
            connection.close()

    def _background(self, work: Callable[..., None], *arguments: object) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        self._threads.append(threading.Thread(target=work, args=arguments, daemon=True))
        self._threads[-1].start()

    # ------------------------------------------------------------------ looks

    def _check_log(self) -> None:
        """No fault in what the log of the server has gained."""
        with (self.folder / "server.log").open("rb") as file:
            file.seek(max(0, self._log_end - 1000))
            log = file.read().decode(errors="replace")
            self._log_end = file.tell()
        for sign in ("Traceback", "status=500", "request failed", "a task failed", "is marked as damaged"):
            if sign in log:
                at = log.index(sign)
                self.ledger.fault(f"the log of the server has “{sign}”: {log[max(0, at - 500) : at + 3000]}")

    def _check_leaks(self) -> None:
        """Nobody is there any more: no match, task or connection may be left."""
        assert self.at_first is not None
        for table in (*self.tables, self.watcher):
            if table is not None:
                table.close()
        most = self.at_first.tasks + WORKER_TASKS, self.at_first.files + WORKER_FILES

        def is_empty() -> bool:
            self.at_last = last = self.served.census()
            return last.sessions == 0 and last.tasks <= most[0] and last.files <= most[1]

        if not eventually(is_empty, FORGOTTEN_S):
            self.ledger.fault(f"after everybody has left: {self.at_last}, at first {self.at_first}")

    def _compare_with_a_fresh_server(self, stored: Stored) -> None:
        """Everybody is shown the same by this server as by a new one on a copy of the database."""
        self._await_computers()
        copy = self.folder / "copy"
        copy.mkdir()
        with (
            closing(sqlite3.connect(self.folder / FILE_NAME)) as source,
            closing(sqlite3.connect(copy / FILE_NAME)) as target,
        ):
            source.backup(target)
        fresh = KillableServer(copy, **SETTINGS)
        try:
            fresh.start()
            for table in self.tables:
                self._compare_views(table, fresh)
            for match, row in stored.rows.items():
                answer = httpx.get(f"{fresh.url}/api/matches/{match}/state?as=watcher", timeout=60)
                if answer.status_code != 200:
                    self.ledger.fault(f"{match} ({row['status']}) cannot be opened: {answer.text}")
                    break
        finally:
            fresh.close()
        shutil.rmtree(copy, ignore_errors=True)

    def _await_computers(self) -> None:
        """Wait for computer players: one at its turn would play once here and otherwise on a fresh server."""
        until = time.monotonic() + SAME_S
        for table in self.tables:
            while table.request["opponent"] == "computer" and time.monotonic() < until:
                answer = table.clients[0].http.get(f"{self.served.url}/api/matches/{table.match}/state")
                state = answer.json()
                if state.get("phase") != "playing" or state["to_move"] in state["yours"]:
                    break
                time.sleep(0.1)

    def _compare_views(self, table: Table, fresh: Served) -> None:
        """A computer player may be at its turn and a clock may run out, on both servers alike."""
        until = time.monotonic() + SAME_S
        while (here := _views(table, self.served)) != (there := _views(table, fresh)):
            if time.monotonic() > until:
                pairs = list(zip(here, there, strict=True))
                differing = [name for name in here[0] if any(one[name] != two[name] for one, two in pairs)]
                self.ledger.fault(f"{table.request} {table.match}: memory and disk differ in {differing}")
                return
            time.sleep(0.2)


def _views(table: Table, served: Served) -> list[Json]:
    """What the players of a table and a watcher are shown."""
    found = []
    for client in table.clients:
        for viewer in ("south", "north", "watcher"):
            answer = client.http.get(f"{served.url}/api/matches/{table.match}/state", params={"as": viewer})
            state = answer.json()
            found.append({name: state.get(name) for name in SAME} | {"status": answer.status_code})
    return found


def _signal(pid: int, what: signal.Signals) -> None:
    """Send a signal to a process that may have ended meanwhile."""
    with suppress(ProcessLookupError):
        os.kill(pid, what)
