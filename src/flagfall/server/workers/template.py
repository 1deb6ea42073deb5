"""The template process: it warms up once, and forks a warm worker whenever the server asks for one.

Starting a Python process, importing the players and loading the compiled kernels takes one to two seconds,
and minutes on a machine that has not compiled them yet. A fork of a process that has done all this takes
milliseconds. Forking is safe because the template has only one thread: the server starts it with an
environment that keeps numerical libraries from starting more.

The template is a fresh program (fork and exec with every other file closed), so neither it nor its workers
hold a listening socket or a database file. It ends, and its workers with it, when the server ends, even when
the server is killed: the control socket closes, and on Linux the kernel kills it.

Commands from the server are `COMMAND` records, the reports to it are `REPORT` records. A worker's own socket
travels with the command to fork it.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import struct
import sys
from contextlib import suppress
from random import Random

import msgspec

from flagfall.edition import load_game, resolve
from flagfall.engine.kernel_cache import complete_marker, is_saved
from flagfall.engine.mode import is_compiled
from flagfall.match import Match, Seating
from flagfall.players.process import end_with_parent
from flagfall.players.warm import warm_up, warm_up_levels
from flagfall.server.workers.jobs import LENGTH, Job, LivePlayers
from flagfall.setups import random_setup
from flagfall.sides import SIDES

COMMAND = struct.Struct(">cI")
"""command, number of the worker"""
REPORT = struct.Struct(">cII")
"""report, number of the worker, its process id"""
FORK, KILL = b"f", b"k"
READY, FORKED, FAILED = b"r", b"f", b"x"
REAP_EVERY_S = 1.0
"""how often ended workers are looked for"""


def main() -> None:
    """Run as ``main()`` in a new process: argv holds the control socket's descriptor and the server's id."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(int(sys.argv[2]))
    with suppress(BrokenPipeError, ConnectionResetError):
        load_levels()
        gc.freeze()
        control.sendall(REPORT.pack(READY, 0, 0))
        Template(control).serve()
    os._exit(0)


def load_levels() -> None:
    """Load everything that the levels need, or the simple players where kernels are not compiled."""
    warm_up_levels()
    for player in ("marshal", "colonel") if is_compiled() else ("greedy", "recruit"):
        _play_a_little(player)


def load_kernels() -> None:
    """Load or compile all kernels."""
    load_levels()
    warm_up()
    for player in ("ismcts", "expectimax"):
        _play_a_little(player)
    if is_saved():
        with suppress(OSError):
            complete_marker().touch()


def _play_a_little(player: str) -> None:
    """Let a player set up and choose one action in a small game, so that everything it needs is loaded."""
    game = load_game("mini/3x4", allow_files=False)
    match = Match.created(game, resolve(game, {}), Seating("South", "North"), 0)
    for side in SIDES:
        match.seal(side.value, random_setup(game, int(side), Random(int(side))), 0)
    mover = match.to_move
    assert mover is not None
    job = Job(game=game.id, options={}, player=player, seed="warm-up", time_ms=50, nodes=200)
    view = msgspec.json.encode(match.view(mover, forgets=False))
    history = msgspec.json.encode(match.history(mover))
    players = LivePlayers()
    players.set_up(job)
    players.think(msgspec.structs.replace(job, view=view, history=history))


class Template:
    """Forks workers and kills them; as their parent it can never kill another process by mistake."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._children: dict[int, int] = {}
        """number of a worker → id of a process that was not reaped yet"""

    def serve(self) -> None:
        """Carry out the server's commands until it is gone; then kill all workers."""
        try:
            while True:
                readable, _, _ = select.select([self._control], [], [], REAP_EVERY_S)
                self._reap()
                if readable and not self._execute_command():
                    return
        finally:
            for pid in self._children.values():
                os.kill(pid, signal.SIGKILL)

    def _execute_command(self) -> bool:
        """Read and execute one command; False when the server has closed the control socket."""
        message, received = b"", list[int]()
        while len(message) < COMMAND.size:
            part, passed, _, _ = socket.recv_fds(self._control, COMMAND.size - len(message), 1)
            if not part:
                return False
            message, received = message + part, received + list(passed)
        command, number = COMMAND.unpack(message)
        if command == FORK:
            self._fork(number, received[0])
        elif number in self._children:
            os.kill(self._children[number], signal.SIGKILL)
        return True

    def _fork(self, number: int, descriptor: int) -> None:
        template = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:
            os.close(descriptor)
            self._control.sendall(REPORT.pack(FAILED, number, error.errno or 0))
            return
        if pid == 0:
            _work(self._control, descriptor, template)
        os.close(descriptor)
        self._children[number] = pid
        self._control.sendall(REPORT.pack(FORKED, number, pid))

    def _reap(self) -> None:
        for number, pid in list(self._children.items()):
            if os.waitpid(pid, os.WNOHANG)[0]:
                del self._children[number]


def _work(control: socket.socket, descriptor: int, template: int) -> None:
    """Do jobs in a new worker until the server closes the socket; never returns."""
    try:
        control.close()
        end_with_parent(template)
        with socket.socket(fileno=descriptor) as jobs:
            players = LivePlayers()
            while (message := _receive(jobs)) is not None:
                if (reply := players.answer(message)) is not None:
                    jobs.sendall(LENGTH.pack(len(reply)) + reply)
    except (BrokenPipeError, ConnectionResetError):
        pass
    except BaseException as error:
        with suppress(OSError):
            os.write(2, f"A worker of Flagfall ends: {type(error).__name__}\n".encode())
    finally:
        os._exit(0)


def _receive(jobs: socket.socket) -> bytes | None:
    """Return the next message, or None when the server has closed the socket."""
    head = _receive_exactly(jobs, LENGTH.size)
    return None if head is None else _receive_exactly(jobs, LENGTH.unpack(head)[0])


def _receive_exactly(jobs: socket.socket, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        part = jobs.recv(size - len(data))
        if not part:
            return None
        data += part
    return bytes(data)
