"""A server in a process of its own, and guests as its clients."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.children import ENDS_WITH_PARENT

Json = dict[str, Any]
ROOMY = {
    "FLAGFALL_REQUESTS_PER_S": "100000",
    "FLAGFALL_REQUESTS_AT_ONCE": "100000",
    "FLAGFALL_GUESTS_PER_HOUR": "100000",
    "FLAGFALL_MATCHES_PER_HOUR": "100000",
    "FLAGFALL_COMPUTER_GAMES_PER_HOUR": "100000",
    "FLAGFALL_INVITATIONS_PER_HOUR": "100000",
    "FLAGFALL_SOCKETS_PER_MINUTE": "100000",
    "FLAGFALL_WORKERS": "1",
}
START_S = 60.0


class Served:
    """A server on a folder and a port; it can be killed and restarted."""

    def __init__(self, folder: Path, port: int = 0, **settings: str) -> None:
        self.folder, self.port = folder, port
        self.settings = ROOMY | {f"FLAGFALL_{name.upper()}": value for name, value in settings.items()}
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Served:
        program = ENDS_WITH_PARENT + "from flagfall.cli import main; main()"
        command = [sys.executable, "-c", program, "serve"]
        with (self.folder / "server.log").open("a") as log:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port), "--data", str(self.folder)],
                env=os.environ | self.settings,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http://" in line, (self.folder / "server.log").read_text()[-2000:]
        self.port = int(line.split("http://", 1)[1].split()[0].rsplit(":", 1)[1])
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            try:
                if httpx.get(f"{self.url}/health", timeout=START_S).status_code == 200:
                    return self
            except httpx.HTTPError:
                assert self.process.poll() is None, (self.folder / "server.log").read_text()[-2000:]
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self._gone()

    def stop(self) -> int:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.terminate()
        return self._gone()

    def _gone(self) -> int:
        assert self.process is not None
        assert self.process.stdout is not None
        code = self.process.wait(timeout=30)
        self.process.stdout.close()
        return code

    def log(self) -> str:
        return (self.folder / "server.log").read_text()


@contextmanager
def serving(folder: Path, **settings: str) -> Iterator[Served]:
    served = Served(folder, 0, **settings)
    try:
        yield served.start()
    finally:
        served.stop()


class Guest:
    """A client with a cookie."""

    everybody: ClassVar[list[Guest]] = []

    def __init__(self, served: Served, name: str = "") -> None:
        self.served = served
        self.everybody.append(self)
        self.http = httpx.Client(base_url=served.url, timeout=60)
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
