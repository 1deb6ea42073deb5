"""A server in a process of its own, and guests as its clients."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Self

import httpx
from websockets.sync.client import ClientConnection, connect

Json = dict[str, Any]
ROOMY = {
    "FLAGFALL_REQUESTS_PER_S": "100000",
    "FLAGFALL_REQUESTS_AT_ONCE": "100000",
    "FLAGFALL_GUESTS_PER_HOUR": "100000",
    "FLAGFALL_MATCHES_PER_HOUR": "100000",
    "FLAGFALL_COMPUTER_GAMES_PER_HOUR": "100000",
    "FLAGFALL_INVITATIONS_PER_HOUR": "100000",
    "FLAGFALL_EXPORTS_PER_HOUR": "100000",
    "FLAGFALL_SOCKETS_PER_MINUTE": "100000",
    "FLAGFALL_WORKERS": "1",
}
REGISTRY = "flagfall.server.sessions.registry"
INTERVALS: Mapping[str, float] = {f"{REGISTRY}.FOLLOW_EVERY_S": 0.1}
"""constants of the server that tests would only wait for"""
START_S = 60.0
STOP_S = 60.0


class Nursery:
    """The process that all servers of this test run are forked from (nursery.py)."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__).with_name("nursery.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._lock = threading.Lock()
        atexit.register(self._close)

    def ask(self, **request: object) -> Any:
        """Send a request and return the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(f"{json.dumps(request)}\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())

    def _close(self) -> None:
        self._process.communicate(timeout=STOP_S)


nursery = cache(Nursery)


class ServerProcess:
    """A process of the nursery."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.code: int | None = None
        """the exit code, once it is known"""

    def has_ended(self) -> bool:
        """Return whether the process has ended."""
        if self.code is None:
            self.code = nursery().ask(wait=self.pid)
        return self.code is not None

    def send(self, sign: signal.Signals) -> None:
        """Send a signal, unless the process has ended."""
        if not self.has_ended():
            os.kill(self.pid, sign)

    def wait(self) -> int:
        """Wait until the process has ended and return its exit code."""
        until = time.monotonic() + STOP_S
        while not self.has_ended():
            assert time.monotonic() < until, "the server does not end"
            time.sleep(0.005)
        assert self.code is not None
        return self.code


class Served:
    """A server on a folder and a port; it can be killed and restarted."""

    def __init__(
        self, folder: Path, constants: Mapping[str, float] = MappingProxyType({}), /, **settings: str
    ) -> None:
        self.folder, self.port = folder, 0
        self.constants = {**INTERVALS, **constants}
        self.settings = ROOMY | {f"FLAGFALL_{name.upper()}": value for name, value in settings.items()}
        self.process: ServerProcess | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, open_files: int = 0) -> Self:
        """Start the server and wait until it answers; ``open_files`` limits its open files."""
        (self.folder / "server.out").unlink(missing_ok=True)
        pid = nursery().ask(
            arguments=["serve", "--port", str(self.port), "--data", str(self.folder)],
            environment=dict(os.environ | self.settings),
            folder=str(self.folder),
            constants=self.constants,
            open_files=open_files,
        )
        self.process = ServerProcess(pid)
        until = time.monotonic() + START_S
        while not self._answers():
            assert not self.process.has_ended(), self.log()[-2000:]
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(0.01)
        return self

    def _answers(self) -> bool:
        out = self.folder / "server.out"
        line = out.read_text() if out.exists() else ""
        if not line.endswith("\n"):
            return False
        self.port = int(line.split("http://", 1)[1].split()[0].rsplit(":", 1)[1])
        with suppress(httpx.HTTPError), http_client(self.url) as http:
            return http.get("/health").status_code == 200
        return False

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, sign: signal.Signals) -> int:
        assert self.process is not None
        self.process.send(sign)
        return self.process.wait()

    def log(self) -> str:
        return (self.folder / "server.log").read_text()


@contextmanager
def serving(
    folder: Path, constants: Mapping[str, float] = MappingProxyType({}), /, **settings: str
) -> Iterator[Served]:
    served = Served(folder, constants, **settings)
    try:
        yield served.start()
    finally:
        served.stop()


def http_client(url: str) -> httpx.Client:
    """Return a client of a server; it loads no certificates, which takes longer than a request."""
    return httpx.Client(base_url=url, timeout=60, verify=False)


class Guest:
    """A client with a cookie."""

    everybody: ClassVar[list[Guest]] = []

    def __init__(self, served: Served, name: str = "") -> None:
        self.served = served
        self.everybody.append(self)
        self.http = http_client(served.url)
        if name:
            self.post("/api/guests", name=name)

    def __enter__(self) -> Guest:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str, status: int = 200, **query: object) -> Json:
        answer = self.http.get(path, params={k.rstrip("_"): str(v) for k, v in query.items()})
        assert answer.status_code == status, answer.text
        found: Json = answer.json()
        return found

    def post(self, path: str, status: int = 200, **body: object) -> Json:
        return self._ask("POST", path, status, body)

    def put(self, path: str, status: int = 200, **body: object) -> Json:
        return self._ask("PUT", path, status, body)

    def delete(self, path: str, status: int = 200) -> Json:
        return self._ask("DELETE", path, status, None)

    def _ask(self, method: str, path: str, status: int, body: Json | None) -> Json:
        answer = self.http.request(method, path, json=body)
        assert answer.status_code == status, answer.text
        found: Json = answer.json()
        return found

    def state(self, match: str, since: int = 0, as_: str = "", wait_s: float = 0, status: int = 200) -> Json:
        return self.get(f"/api/matches/{match}/state", status, as_=as_, since=since, wait_s=wait_s)

    def code(self, game: str, side: str, style: str = "") -> str:
        return str(self.post(f"/api/games/{game}/setup", side=side, style=style)["code"])

    @contextmanager
    def socket(self, match: str, as_: str = "", since: int = 0, changes: str = "") -> Iterator[Socket]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = f"ws://127.0.0.1:{self.served.port}/api/matches/{match}/socket"
        address += f"?as={as_}&since={since}&changes={changes}"
        headers = {"Cookie": cookies} if cookies else {}
        with connect(address, additional_headers=headers, max_size=None, max_queue=None) as raw:
            yield Socket(raw)


class Socket:
    """The client side of a socket, with the newest State."""

    def __init__(self, raw: ClientConnection) -> None:
        self.raw = raw
        self.state: Json = {}
        self.heard: list[str] = []

    def send(self, **message: object) -> None:
        self.raw.send(json.dumps(message))

    def hear(self, timeout: float = 30) -> Json:
        """Return the next message."""
        text = self.raw.recv(timeout)
        assert isinstance(text, str)
        self.heard.append(text)
        message: Json = json.loads(text)
        if message["what"] == "state":
            self.state = message
        return message

    def until(self, what: str, **having: object) -> Json:
        """Return the next message of this kind."""
        while True:
            message = self.hear()
            if message["what"] == what and all(message[name] == value for name, value in having.items()):
                return message
            assert message["what"] != "refused", message


def merged(state: Json, change: Json) -> Json:
    """Return the State that a client builds from the last one and a change."""
    pieces = {piece["cell"]: piece for piece in state["view"]["pieces"]}
    for square, piece in change["squares"].items():
        if piece is None:
            del pieces[square]
        else:
            pieces[square] = piece
    ordered = [pieces[square] for square in sorted(pieces)]
    result: Json = state | change["state"] | {"view": state["view"] | change["view"] | {"pieces": ordered}}
    return result


def essential(view: Json | None) -> Json:
    """Return a View without fields that have their default values."""
    return {name: value for name, value in (view or {}).items() if value not in ([], [0, 0], None, 0, "")}


def pick(state: Json, rng: Random) -> Json:
    """Choose an action that ends a game soon: attacks before moves, forward before back."""
    choices: list[Json] = state["choices"]
    assert choices, state
    attacks = [choice for choice in choices if choice["is_attack"]]
    pool = attacks if attacks and rng.random() < 0.9 else choices
    if rng.random() < 0.8:
        ahead = 1 if state["viewer"] == "south" else -1

        def forward(choice: Json) -> int:
            if not choice["origin"] or not choice["target"][1:].isdecimal():
                return 0
            return ahead * (int(choice["target"][1:]) - int(choice["origin"][1:]))

        pool = [choice for choice in pool if forward(choice) > 0] or pool
    return rng.choice(pool)


def friends(served: Served, game: str, options: dict[str, str] | None = None) -> tuple[Guest, Guest, str]:
    """Return two guests in a match before the setups; the first has South."""
    anna, ben = Guest(served, "Anna"), Guest(served, "Ben")
    made = anna.post("/api/matches", game=game, opponent="friend", side="south", options=options or {})
    assert made["phase"] == "waiting"
    joined = ben.post(f"/api/invitations/{made['invitation']}")
    assert joined["viewer"] == "north"
    return anna, ben, made["match"]


def seal_both(anna: Guest, ben: Guest, match: str, game: str) -> None:
    anna.post(f"/api/matches/{match}/setup", code=anna.code(game, "south"))
    ben.post(f"/api/matches/{match}/setup", code=ben.code(game, "north"))


def in_thread(work: Any) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread
