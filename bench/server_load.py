"""The load generator of ``flagfall bench server --live``: many matches at once, in a process of its own.

It reads commands from standard input, one JSON object a line, and answers each with one line on standard
output. It ends when standard input is closed, so it never outlives the process that started it.

::

    parent ── {"do": "play", "seconds": 30} ──► generator ══ sockets ══► server
           ◄─ {"actions": 300, "own_ms": …} ──

A player here is as light as it can be: of every State it decodes only the number, whose turn it is and the
packed actions, and picks one of them at random.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from flagfall.edition import Game, load_game
from flagfall.server.middleware.clients import COOKIE
from flagfall.setups import random_setup, write_setup

ANSWER_TIMEOUT_S = 30.0
"""how long a player waits for a State before the match counts as stuck"""
CONNECTIONS = 8
"""connections kept open for HTTP requests"""
LONG_GAME_ATTEMPTS = 4
"""games played for each long one that is wanted"""
SEATS = ("south", "north")
Answer = dict[str, Any]


def cpu_seconds(pid: int) -> float | None:
    """Return the user and system time of a process, all threads together; None if unreadable."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(pid: int) -> int | None:
    """Return the resident memory of a process (RSS); None if unreadable."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except OSError:
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def spread(values: list[float]) -> Answer:
    """Return median, 99th percentile and count.

    >>> spread([3.0, 1.0, 2.0])
    {'p50': 2.0, 'p99': 3.0, 'count': 3}
    """
    if not values:
        return {"p50": None, "p99": None, "count": 0}
    ordered = sorted(values)
    late = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return {"p50": round(ordered[len(ordered) // 2], 2), "p99": round(late, 2), "count": len(ordered)}


class _Choice(Struct):
    action: int


class _State(Struct, tag_field="what", tag="state"):
    """The few fields of a State that a player here needs."""

    number: int
    phase: str
    turn: int
    to_move: str | None
    choices: list[_Choice]


class _Fields(Struct):
    """The same fields where they have changed."""

    number: int
    phase: str | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    to_move: str | UnsetType | None = UNSET
    choices: list[_Choice] | UnsetType = UNSET


class _Change(Struct, tag_field="what", tag="change"):
    state: _Fields

    def after(self, before: _State) -> _State:
        """Return the State after this change."""
        fields = {name: getattr(self.state, name) for name in _Fields.__struct_fields__}
        return replace(before, **{name: value for name, value in fields.items() if value is not UNSET})


class _Refused(Struct, tag_field="what", tag="refused"):
    code: str


class _Done(Struct, tag_field="what", tag="done"):
    number: int


class _Pong(Struct, tag_field="what", tag="pong"):
    pass


_decode = msgspec.json.Decoder(_State | _Change | _Refused | _Done | _Pong).decode


class Act(Struct, tag_field="do", tag="act"):
    """What a player sends."""

    number: int
    action: int


_encode = msgspec.json.Encoder().encode


class Window(Struct):
    """What was measured between two moments, in milliseconds and bytes."""

    begins_at: float
    own_ms: list[float] = []
    opponent_ms: list[float] = []
    state_bytes: list[int] = []


class CountingConnection(ClientConnection):
    """A socket that counts the bytes it receives, as they were on the wire."""

    received_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Count the bytes, then process them."""
        CountingConnection.received_bytes += len(data)
        super().data_received(data)


class RequestFailed(Exception):  # noqa: N818 - counted, never raised to a caller
    """The server refused a request; the message is its code."""


class Api:
    """HTTP requests over a few connections that are kept open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._idle = [HTTPConnection("127.0.0.1", port, timeout=ANSWER_TIMEOUT_S) for _ in range(CONNECTIONS)]
        self._free = asyncio.Semaphore(CONNECTIONS)

    async def request(
        self, method: str, path: str, cookie: str = "", body: dict[str, object] | None = None
    ) -> tuple[bytes, str]:
        """Send a request; the body of the answer and the cookie it sets."""
        async with self._free:
            connection = self._idle.pop()
            try:
                return await asyncio.to_thread(_request, connection, method, path, cookie, body)
            finally:
                self._idle.append(connection)

    async def new_guest(self, name: str) -> str:
        """The cookie of a new guest."""
        return (await self.request("POST", "/api/guests", body={"name": name}))[1]

    def close(self) -> None:
        """Close the connections that are not in use."""
        for connection in self._idle:
            connection.close()


def _request(
    connection: HTTPConnection, method: str, path: str, cookie: str, body: dict[str, object] | None
) -> tuple[bytes, str]:
    headers = {"content-type": "application/json"}
    if cookie:
        headers["cookie"] = f"{COOKIE}={cookie}"
    data = msgspec.json.encode(body) if body is not None else None
    try:
        connection.request(method, path, data, headers)
        response = connection.getresponse()
    except (HTTPException, ConnectionError):
        # An idle connection is closed by the server; a new one is tried once.
        connection.close()
        connection.request(method, path, data, headers)
        response = connection.getresponse()
    content = response.read()
    if response.status >= 400:
        with contextlib.suppress(msgspec.DecodeError):
            raise RequestFailed(msgspec.json.decode(content, type=_Refused).code)
        raise RequestFailed(f"HTTP {response.status}")
    return content, response.getheader("set-cookie", "").partition(";")[0].removeprefix(f"{COOKIE}=")


class LiveMatch:
    """One place for a match: two guests who play one game after the other."""

    def __init__(self, load: Load, cookies: tuple[str, str], rng: Random) -> None:
        self.load, self.cookies, self.rng = load, cookies, rng
        self.id = ""
        self.turn = 0
        self.states: list[_State | None] = [None, None]
        self._sockets: list[ClientConnection] = []
        self._readers: list[asyncio.Task[None]] = []
        self._news = asyncio.Event()
        self._sent_at = 0.0
        self._received_at = [0.0, 0.0]
        self._awaiting_opponent = -1
        """the seat whose State after the last action has not come yet, or -1"""
        self.is_broken = False

    async def create(self) -> None:
        """Make a friend game with both setups, by HTTP."""
        api, game = self.load.api, self.load.game
        south, north = self.cookies
        wanted: dict[str, object] = {"game": game.id, "opponent": "friend", "side": "south"}
        content, _ = await api.request("POST", "/api/matches", south, wanted)
        made: dict[str, Any] = msgspec.json.decode(content)
        await api.request("POST", f"/api/invitations/{made['invitation']}", north)
        self.id = made["match"]
        for seat, cookie in enumerate(self.cookies):
            code = write_setup(random_setup(game, seat, self.rng))
            await api.request("POST", f"/api/matches/{self.id}/setup", cookie, {"code": code})
        self.states, self.is_broken = [None, None], False

    async def connect(self) -> None:
        """Open the sockets of both players and wait for their first States."""
        for seat, cookie in enumerate(self.cookies):
            socket = await connect(
                f"ws://127.0.0.1:{self.load.api.port}/api/matches/{self.id}/socket?changes=1",
                additional_headers={"Cookie": f"{COOKIE}={cookie}"},
                compression="deflate" if self.load.compresses else None,
                create_connection=CountingConnection,
                ping_interval=None,
                max_size=None,
                proxy=None,
            )
            self._sockets.append(socket)
            self._readers.append(asyncio.create_task(self._read(seat, socket)))
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            await self._until(lambda: self.states[0] is not None and self.states[1] is not None)

    async def disconnect(self) -> None:
        """Close both sockets."""
        readers, self._readers = self._readers, []
        sockets, self._sockets = self._sockets, []
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        for socket in sockets:
            with contextlib.suppress(WebSocketException, OSError, TimeoutError):
                await socket.close()

    async def _read(self, seat: int, socket: ClientConnection) -> None:
        try:
            while True:
                self._receive(seat, await socket.recv(decode=False))
        except (WebSocketException, OSError, msgspec.DecodeError) as error:
            self._break(type(error).__name__)

    def _receive(self, seat: int, data: bytes) -> None:
        at = time.perf_counter()
        message = _decode(data)
        if isinstance(message, _Refused):
            self._break(f"refused: {message.code}")
        elif isinstance(message, _State | _Change):
            before = self.states[seat]
            if isinstance(message, _Change):
                assert before is not None, "a change comes after a State"
                message = message.after(before)
            self.states[seat] = message
            self._received_at[seat] = at
            self.turn = message.turn
            window = self.load.window
            if window is not None and self._sent_at >= window.begins_at:
                window.state_bytes.append(len(data))
                if seat == self._awaiting_opponent and (before is None or message.number > before.number):
                    window.opponent_ms.append((at - self._sent_at) * 1000)
                    self._awaiting_opponent = -1
            self._news.set()

    def _break(self, reason: str) -> None:
        self.load.errors[reason] += 1
        self.is_broken = True
        self._news.set()

    async def _until(self, is_so: Callable[[], bool]) -> None:
        while not is_so() and not self.is_broken:
            self._news.clear()
            await self._news.wait()

    def _mover(self) -> int:
        """Return the seat that may act, or -1."""
        for seat, state in enumerate(self.states):
            if state is not None and state.to_move == SEATS[seat] and state.choices:
                return seat
        return -1

    @property
    def is_connected(self) -> bool:
        """Whether both sockets were opened."""
        return bool(self._sockets)

    @property
    def is_over(self) -> bool:
        """Whether a player has been told that the game is over."""
        return any(state is not None and state.phase == "over" for state in self.states)

    async def play(self, every_s: float) -> None:
        """Act every few seconds, in one game after the other, until cancelled."""
        due = time.perf_counter() + self.rng.random() * every_s
        while True:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due = max(due + every_s, time.perf_counter())
            try:
                await self.act()
                if self.is_over or self.is_broken:
                    await self._replace()
            except TimeoutError:
                self.load.errors["no State in time"] += 1
                self.is_broken = True
            except RequestFailed as failed:
                self.load.errors[f"refused: {failed}"] += 1
            except (WebSocketException, HTTPException, OSError) as error:
                self.load.errors[type(error).__name__] += 1

    async def _replace(self) -> None:
        await self.disconnect()
        await self.create()
        await self.connect()

    async def act(self) -> None:
        """Let the player to move choose at random, and wait for the new State of that player."""
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            await self._until(lambda: self._mover() >= 0 or self.is_over)
            mover = self._mover()
            if self.is_broken or mover < 0 or self.is_over:
                return
            state = self.states[mover]
            assert state is not None
            number = state.number
            message = _encode(Act(number, self.rng.choice(state.choices).action)).decode()
            self._awaiting_opponent = 1 - mover
            self._sent_at = sent_at = time.perf_counter()
            await self._sockets[mover].send(message)
            await self._until(lambda: (seen := self.states[mover]) is not None and seen.number > number)
        window = self.load.window
        if window is not None and sent_at >= window.begins_at and not self.is_broken:
            window.own_ms.append((self._received_at[mover] - sent_at) * 1000)


class Load:
    """All the matches of the generator."""

    def __init__(self, game: str, seed: int, *, compresses: bool) -> None:
        self.rng = Random(seed)
        self.game: Game = load_game(game, allow_files=False)
        self.compresses = compresses
        self.api = Api(0)
        self.server_pid = 0
        self.matches: list[LiveMatch] = []
        self.errors: Counter[str] = Counter()
        self.window: Window | None = None

    async def use(self, port: int, pid: int) -> Answer:
        """Talk to this server from now on; matches of an earlier one are left."""
        await self.close()
        self.matches = []
        self.api, self.server_pid = Api(port), pid
        return {}

    async def create(self, count: int) -> Answer:
        """Bring the number of matches to this count; each has two guests of its own."""
        missing = range(count - len(self.matches))
        self.matches += await self._gathered(self._add_match(Random(self.rng.random())) for _ in missing)
        return {"matches": len(self.matches)}

    async def _gathered(self, making: Iterable[Coroutine[Any, Any, LiveMatch]]) -> list[LiveMatch]:
        """Run all of them, a few at a time; the first failure cancels the rest."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one) for one in making]
        return [task.result() for task in tasks]

    async def _add_match(self, rng: Random) -> LiveMatch:
        return await self._new_match(await self._new_guests(), rng)

    async def _new_guests(self) -> tuple[str, str]:
        return await self.api.new_guest("Anna"), await self.api.new_guest("Ben")

    async def _new_match(self, cookies: tuple[str, str], rng: Random) -> LiveMatch:
        match = LiveMatch(self, cookies, rng)
        await match.create()
        return match

    async def connect(self) -> Answer:
        """Open the sockets of all matches that have none."""
        for match in self.matches:
            if not match.is_connected:
                await match.connect()
        return {"sockets": 2 * len(self.matches)}

    async def play(self, every_s: float, warm_up_s: float, seconds: float) -> Answer:
        """Play all matches; return what was measured after the warm-up."""
        tasks = [asyncio.create_task(match.play(every_s)) for match in self.matches]
        try:
            await asyncio.sleep(warm_up_s)
            self.errors.clear()
            wire, own_cpu_s = CountingConnection.received_bytes, time.process_time()
            server_cpu_s = cpu_seconds(self.server_pid)
            self.window = window = Window(time.perf_counter())
            await asyncio.sleep(seconds)
            took_s = time.perf_counter() - window.begins_at
            self.window = None
            states, actions = len(window.state_bytes), len(window.own_ms)
            used_s = cpu_seconds(self.server_pid)
            has_cpu = server_cpu_s is not None and used_s is not None and actions
            return {
                "seconds": round(took_s, 2),
                "actions": actions,
                "actions_per_s": round(actions / took_s, 1),
                "own_ms": spread(window.own_ms),
                "opponent_ms": spread(window.opponent_ms),
                "state_bytes": round(sum(window.state_bytes) / states) if states else None,
                "wire_bytes_per_state": round((CountingConnection.received_bytes - wire) / states)
                if states and self.compresses
                else None,
                "server_cpu_ms_per_action": round(1000 * (used_s - server_cpu_s) / actions, 2)
                if has_cpu and used_s is not None and server_cpu_s is not None
                else None,
                "server_cpu_share": round((used_s - server_cpu_s) / took_s, 3)
                if used_s is not None and server_cpu_s is not None
                else None,
                "generator_cpu_share": round((time.process_time() - own_cpu_s) / took_s, 3),
                "errors": dict(self.errors),
            }
        finally:
            self.window = None
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def open_games(self, count: int) -> Answer:
        """Start many games of one guest against another and return the guest's cookie."""
        cookies = await self._new_guests()
        await self._gathered(self._new_match(cookies, Random(self.rng.random())) for _ in range(count))
        return {"cookie": cookies[0]}

    async def long_games(self, count: int, turns: int) -> Answer:
        """Play games of this many turns as fast as possible and resign; return the longest.

        Some random games end early, so more are played if need be, but not without end.
        """
        played: list[tuple[int, str]] = []
        for _ in range(LONG_GAME_ATTEMPTS * count):
            match = await self._add_match(Random(self.rng.random()))
            await match.connect()
            while match.turn < turns and not match.is_over and not match.is_broken:
                await match.act()
            if not match.is_over:
                await self.api.request("POST", f"/api/matches/{match.id}/resign", match.cookies[0], {})
            await match.disconnect()
            played.append((match.turn, match.id))
            if sum(length >= turns for length, _ in played) >= count:
                break
        longest = sorted(played, reverse=True)[:count]
        return {
            "matches": [match_id for _, match_id in longest],
            "turns": [length for length, _ in longest],
            "errors": dict(self.errors),
        }

    async def get(self, path: str, cookie: str = "") -> Answer:
        """One GET request: how long it took and how much came."""
        begun_at = time.perf_counter()
        content, _ = await self.api.request("GET", path, cookie)
        return {"ms": round((time.perf_counter() - begun_at) * 1000, 2), "bytes": len(content)}

    async def close(self) -> None:
        """Close all sockets."""
        for match in self.matches:
            await match.disconnect()
        self.api.close()


async def _serve_commands(game: str, seed: int, *, compresses: bool) -> None:
    """Execute commands until standard input ends, then cancel what is under way."""
    load = Load(game, seed, compresses=compresses)
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    working = asyncio.create_task(_work(load, lines))
    while line := await reader.readline():
        lines.put_nowait(line)
    working.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await working


async def _work(load: Load, lines: asyncio.Queue[bytes]) -> None:
    commands: dict[str, Callable[..., Any]] = {
        "use": load.use,
        "create": load.create,
        "connect": load.connect,
        "play": load.play,
        "open-games": load.open_games,
        "long-games": load.long_games,
        "get": load.get,
    }
    while True:
        command: dict[str, Any] = msgspec.json.decode(await lines.get())
        try:
            answer = await commands[command.pop("do")](**command)
        except* RequestFailed as failed:
            answer = {"failed": f"the server refused a request ({failed.exceptions[0]})"}
        except* (WebSocketException, HTTPException, OSError, TimeoutError) as failed:
            answer = {"failed": f"the server did not answer ({type(failed.exceptions[0]).__name__})"}
        sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")
        sys.stdout.flush()


def main() -> None:
    """Run as ``python -m bench.server_load GAME SEED COMPRESSES``."""
    game, seed, compresses = sys.argv[1:]
    asyncio.run(_serve_commands(game, int(seed), compresses=compresses == "1"))


if __name__ == "__main__":
    main()
