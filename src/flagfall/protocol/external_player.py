"""An external program as a player: the referee's end of the engine protocol.

The program gets its own setup, the squares of the enemy's pieces and every event of its seat, nothing else.
If it crashes, stalls or sends an unreadable answer, it forfeits the game and its process is ended.
"""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Literal

from flagfall.board import cell_name
from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.players import Budget
from flagfall.protocol.messages import (
    HELLO,
    MAX_LINE,
    READY,
    ProtocolError,
    action_of,
    legal_line,
    write_event,
)
from flagfall.setups import Setup, SetupError, read_setup, write_setup
from flagfall.sides import SIDES
from flagfall.view.view import SeenEvent, View

Fault = Literal["crashed", "stalled", "illegal action", "garbled"]
GRACE_S = 2.0
"""extra time for an answer beyond its budget"""
START_S = 900.0
"""time for a program to get ready; the first start on a machine compiles"""
NODES_S = 120.0
"""time for an answer that is limited by nodes"""
MAX_LINES = 20_000
"""maximum number of lines before an answer"""
_OVERLONG = "\n"
"""marks an overlong line in the queue; lines that were read contain no line break"""


class Forfeit(Exception):  # noqa: N818 (an outcome, not an error of this program)
    """A player that crashes, stalls or breaks the rules loses the game; the sentence says why."""

    def __init__(self, fault: Fault, sentence: str) -> None:
        super().__init__(sentence)
        self.fault = fault
        self.sentence = sentence


class EngineSeat:
    """The connection to one program for one game."""

    def __init__(
        self,
        command: str,
        game: Game,
        options: Options,
        budget: Budget,
        seed: str,
        *,
        address: str = "",
        grace_s: float = GRACE_S,
        start_s: float = START_S,
    ) -> None:
        self.game, self.options, self.budget, self.seed = game, options, budget, seed
        self.address = address or game.id
        self.nodes: int | None = None
        self.wants_legal = False
        self._grace_s, self._start_s = grace_s, start_s
        self._told = 0
        self._side: int | None = None
        self._lines: queue.Queue[str | None] = queue.Queue(maxsize=1000)
        self._complaints: deque[str] = deque(maxlen=5)
        self._command = command
        self._running: subprocess.Popen[bytes] | None = None
        self._readers: tuple[threading.Thread, ...] = ()
        self._is_overlong = False
        """a line was too long, so its output was closed, which may have ended the program"""

    # ------------------------------------------------------------------ the process

    def start(self) -> None:
        """Start the program and wait until it is ready; `close` ends it in any case."""
        try:
            self._running = process = subprocess.Popen(
                shlex.split(self._command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as problem:
            raise Forfeit("crashed", f"The program cannot be started: {problem}.") from None
        assert process.stdout is not None
        assert process.stderr is not None
        self._readers = (
            threading.Thread(target=self._read, args=(process.stdout,), daemon=True),
            threading.Thread(target=self._overhear, args=(process.stderr,), daemon=True),
        )
        for reader in self._readers:
            reader.start()
        self._write(HELLO)
        self._await(READY, self._start_s)
        self._write("isready")
        self._await("readyok", self._start_s)

    @property
    def _process(self) -> subprocess.Popen[bytes]:
        assert self._running is not None, "the program was not started"
        return self._running

    @property
    def is_running(self) -> bool:
        """Whether the program runs."""
        return self._running is not None and self._running.poll() is None

    def _read(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(MAX_LINE + 1):
                if len(line) > MAX_LINE:
                    self._is_overlong = True
                    self._lines.put(_OVERLONG)
                    break
                self._lines.put(line.decode("utf-8", "replace").strip())
        self._lines.put(None)

    def _overhear(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(MAX_LINE):
                if line.strip():
                    self._complaints.append(" ".join(line.decode("utf-8", "replace").split())[:200])

    def close(self) -> None:
        """End the program: ask it to quit, then kill it."""
        process = self._running
        if process is None:
            return
        if process.poll() is None:
            self._write_if_possible("quit")
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=0.5)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
        for reader in self._readers:
            if reader.is_alive():  # it may not have started yet
                reader.join(timeout=1.0)

    def _write_if_possible(self, line: str) -> bool:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def _write(self, line: str) -> None:
        if not self._write_if_possible(line):
            raise _overlong() if self._is_overlong else self._crash()

    def _crash(self) -> Forfeit:
        try:
            code: int | None = self._process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            code = None
        time.sleep(0.01)  # its last output may still arrive
        words = f": {self._complaints[-1]}" if self._complaints else ""
        how = f"The program ended with code {code}" if code is not None else "The program closed its output"
        return Forfeit("crashed", f"{how}{words}.")

    # ------------------------------------------------------------------ the conversation

    def _await(self, first_word: str, limit_s: float) -> str:
        """Return the rest of the next line that begins with that word; handle other lines."""
        end = time.monotonic() + limit_s
        for _ in range(MAX_LINES):
            try:
                line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise Forfeit("stalled", f"No “{first_word}” within {limit_s:g} seconds.") from None
            if line is None:
                raise self._crash()
            if line == _OVERLONG:
                raise _overlong()
            word, _, rest = line.partition(" ")
            if word == first_word:
                return rest.strip()
            self._notice(word, rest.split())
        raise Forfeit("garbled", f"{MAX_LINES} lines and no “{first_word}” among them.")

    def _notice(self, word: str, rest: list[str]) -> None:
        if word == "info" and len(rest) >= 2 and rest[0] == "nodes" and rest[1].isdecimal():
            self.nodes = int(rest[1][:15])
        elif word == "wants" and rest == ["legal"]:
            self.wants_legal = True
        elif word == "error":
            self._complaints.append(" ".join(rest)[:200])

    def _limits(self) -> str:
        time_ms = f" time {self.budget.time_ms}" if self.budget.time_ms is not None else ""
        nodes = f" nodes {self.budget.nodes}" if self.budget.nodes is not None else ""
        return time_ms + nodes

    def _new_game(self, side: int) -> None:
        words = [f"newgame game={self.address} side={SIDES[side]} seed={self.seed}"]
        limits = self._limits().split()
        words += [f"{name}={value}" for name, value in zip(limits[::2], limits[1::2], strict=True)]
        words += [f"{name}={value}" for name, value in sorted(self.options.changed(self.game).items())]
        self._write(" ".join(words))
        self._side = side

    def set_up(self, side: int) -> Setup:
        """Ask the program for its setup."""
        self._new_game(side)
        self._write("setup")
        text = self._await("setup", self._limit_s())
        try:
            return read_setup(self.game, side, text)
        except SetupError as problem:
            raise Forfeit("illegal action", f"Its setup cannot be used: {problem}") from None

    def begin(self, side: int, setup: Setup, enemy: Sequence[int]) -> None:
        """Send the program its setup and the squares of the enemy's pieces."""
        if self._side is None:
            self._new_game(side)
        self._write(f"setup {write_setup(setup)}")
        self._write(f"enemy {','.join(cell_name(cell) for cell in enemy)}")

    def _limit_s(self) -> float:
        if self.budget.time_ms is None:
            return NODES_S
        return self.budget.time_ms / 1000 + self._grace_s

    def end(self, history: Sequence[SeenEvent]) -> None:
        """Send the last events, if the program still runs."""
        for event in history[self._told :]:
            self._write_if_possible(write_event(event))
        self._told = len(history)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Send the new events and ask for an action."""
        for event in history[self._told :]:
            self._write(write_event(event))
        self._told = len(history)
        self.nodes = None
        if self.wants_legal:
            self._write(legal_line(self.game, view))
        self._write(f"go{self._limits()}")
        text = self._await("bestaction", self._limit_s())
        try:
            return action_of(self.game, view, text)
        except ProtocolError as problem:
            raise Forfeit("garbled", f"Its answer {problem}") from None


def _overlong() -> Forfeit:
    return Forfeit("garbled", f"A line of more than {MAX_LINE} bytes.")
