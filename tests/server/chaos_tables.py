"""Tables that go on playing whatever happens to the server: over HTTP, over sockets, against a computer."""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import threading
import time
import traceback
from contextlib import ExitStack, suppress
from random import Random

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.server.chaos_ledger import Action, Ledger
from tests.server.served import Json, Served, http_client, pick

GAME = "spin-master/duel"
PHRASES = ("hello", "wow", "oops", "thanks")
SIDES = ("south", "north")
TOLD_S = 30.0
"""so long after a change a viewer with an open socket must have been told"""


class RefusedError(Exception):
    """A documented refusal; the code says why."""

    @property
    def is_doubtful(self) -> bool:
        """Whether it may have happened all the same."""
        return str(self) == "stopping"


class Client:
    """A guest with a cookie, who notes what the server answers."""

    def __init__(self, served: Served, ledger: Ledger, name: str) -> None:
        self.served, self.ledger, self.name = served, ledger, name
        self.http = http_client(served.url)

    def ask(self, method: str, path: str, body: Json | None = None) -> Json:
        """The answer; `RefusedError` for a documented refusal, everything else is a fault."""
        if "flagfall_guest" not in self.http.cookies and path != "/api/guests":
            self.ask("POST", "/api/guests", {"name": self.name})
        answer = self.http.request(method, path, json=body)
        if answer.status_code == 200:
            found: Json = answer.json()
            return found
        try:
            refusal: Json = answer.json()
        except ValueError:
            refusal = {"code": "", "text": answer.text[:200]}
        self.ledger.refuse(answer.status_code, refusal)
        raise RefusedError(str(refusal.get("code")))

    def act(self, action: Action, path: str, body: Json, method: str = "POST") -> Json:
        """Ask for something that the ledger remembers."""
        self.ledger.send(action)
        outcome = "doubtful"
        try:
            answer = self.ask(method, f"/api/matches/{action.match}/{path}", body)
            outcome = "acknowledged"
            return answer
        except RefusedError as refusal:
            outcome = "doubtful" if refusal.is_doubtful else "refused"
            raise
        finally:
            self.ledger.settle(action, outcome)

    def note(self, match: str, side: str, piece: str, text: str) -> None:
        """Keep a note on a piece; the ledger remembers which texts may be stored."""
        may_be = self.ledger.notes.setdefault((match, side, piece), {""})
        may_be.add(text)
        try:
            self.ask("PUT", f"/api/matches/{match}/notes", {"seat": side, "piece": piece, "text": text})
        except RefusedError as refusal:
            if not refusal.is_doubtful:
                may_be.discard(text)
            raise
        may_be.intersection_update({text})

    def look(self, match: str, viewer: str = "", since: int = 0, wait_s: float = 0) -> Json:
        """The state; nothing that was shown before may be taken back."""
        known = self.ledger.known(match, viewer)
        query = f"as={viewer}&since={since}&wait_s={wait_s}"
        state = self.ask("GET", f"/api/matches/{match}/state?{query}")
        self.ledger.seen(state, known)
        return state

    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    def close(self) -> None:
        self.http.close()


class Table:
    """One or two people who begin games, play them and begin again, as the state asks for it."""

    def __init__(self, served: Served, ledger: Ledger, seed: int, opponent: str, **request: object) -> None:
        self.served, self.ledger, self.rng, self.opponent = served, ledger, Random(seed), opponent
        self.request = {"game": GAME, "opponent": opponent} | request
        names = ("Anna", "Ben") if opponent == "friend" else ("Anna",)
        self.clients = [Client(served, ledger, name) for name in names]
        self.match = ""
        self.seats: dict[str, Client] = {}
        self.turns = 0
        """turns that were acknowledged"""
        self.is_done = threading.Event()
        self.held: list[socket.socket] = []
        self.thread = threading.Thread(target=self._run, daemon=True)

    # ------------------------------------------------------------------ the loop

    def _run(self) -> None:
        while not self.is_done.is_set():
            try:
                self.step()
            except RefusedError:
                time.sleep(0.05)
            except (httpx.HTTPError, OSError, WebSocketException, TimeoutError):
                self.disconnected()
                time.sleep(0.05)
            except Exception:
                self.ledger.fault(traceback.format_exc())
                time.sleep(0.5)

    def finish(self) -> None:
        """Stop playing; wait for what is under way."""
        self.is_done.set()
        self.thread.join(timeout=90)
        assert not self.thread.is_alive(), "a client got no answer"
        self.disconnected()

    def close(self) -> None:
        for client in self.clients:
            client.close()
        self.release()

    def release(self) -> None:
        """Close the connections that were left hanging."""
        while self.held:
            self.held.pop().close()

    def disconnected(self) -> None:
        """The server has gone away."""

    # ------------------------------------------------------------------ one step

    def step(self) -> None:
        if not self.match:
            self._create()
            return
        state = self.clients[0].look(self.match, "watcher" if self.opponent == "hot-seat" else "")
        if state["phase"] == "waiting":
            self.clients[1].ask("POST", f"/api/invitations/{state['invitation']}")
            return
        self._sit(state)
        if state["phase"] == "over":
            self._again(state)
        elif state["phase"] == "setup":
            self._seal(state)
        elif (client := self.seats.get(state["to_move"])) is None:
            self.clients[0].look(self.match, state["viewer"], state["number"], wait_s=2)
        else:
            self.turn(client, state["to_move"])

    def _create(self) -> None:
        made = self.clients[0].ask("POST", "/api/matches", self.request)
        self.match = made["match"]
        self.ledger.matches.add(self.match)
        if self.opponent == "computer":
            self.ledger.computers.add(self.match)

    def _sit(self, state: Json) -> None:
        first = self.clients[0]
        if self.opponent == "hot-seat":
            self.seats = dict.fromkeys(SIDES, first)
            return
        other = "north" if state["viewer"] == "south" else "south"
        self.seats = {state["viewer"]: first} | dict.fromkeys([other], self.clients[-1])
        if self.opponent == "computer":
            del self.seats[other]

    def _seal(self, state: Json) -> None:
        for side, client in self.seats.items():
            if not state["seats"][side]["is_sealed"]:
                code = client.ask("POST", f"/api/games/{GAME}/setup", {"side": side})["code"]
                action = Action("setup sealed", self.match, side, -1, code)
                client.act(action, "setup", {"seat": side, "code": code})
                return
        if self.opponent == "computer":
            self.clients[0].look(self.match, state["viewer"], state["number"], wait_s=2)

    def _again(self, state: Json) -> None:
        """A rematch, or another match."""
        if state["rematch"]["match"]:
            self.match = state["rematch"]["match"]
            if self.opponent == "computer":
                self.ledger.computers.add(self.match)
        elif state["rematch"]["asked"] or self.rng.random() < 0.6:
            for side, client in self.seats.items():
                client.ask("POST", f"/api/matches/{self.match}/rematch", {"seat": side})
        else:
            self.match = ""
        self.disconnected()

    def turn(self, client: Client, side: str) -> None:
        state = client.look(self.match, side)
        if state["to_move"] != side or not state["choices"]:
            return
        self._talk(client, side, state)
        if self.rng.random() < 0.01:
            client.act(Action("resigned", self.match, side, -1, ""), "resign", {"seat": side})
            return
        text = pick(state, self.rng)["text"]
        action = Action("acted", self.match, side, state["number"], text)
        body = {"seat": side, "number": state["number"], "text": text}
        chance = self.rng.random()
        if chance < 0.02:
            self._reset(client, action, body)
        elif chance < 0.03:
            self._half(client, body)
        elif chance < 0.04:
            self._never_read(client, action, body)
        else:
            client.act(action, "act", body)
            self.turns += 1

    def _talk(self, client: Client, side: str, state: Json) -> None:
        if self.opponent != "hot-seat" and self.rng.random() < 0.1:
            phrase = self.rng.choice(PHRASES)
            client.act(Action("chat", self.match, side, -1, phrase), "chat", {"seat": side, "phrase": phrase})
        if self.rng.random() < 0.05:
            piece = self.rng.choice(state["view"]["pieces"])["name"]
            client.note(self.match, side, piece, f"n{self.rng.randrange(100)}")

    # ------------------------------------------------------------------ rude clients

    def _connect(self) -> socket.socket:
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.settimeout(10)
        try:
            connection.connect(("127.0.0.1", self.served.port))
        except OSError:
            connection.close()
            raise
        return connection

    def _request(self, client: Client, body: Json) -> bytes:
        data = json.dumps(body).encode()
        head = (
            f"POST /api/matches/{self.match}/act HTTP/1.1\r\nHost: 127.0.0.1:{self.served.port}\r\n"
            f"Cookie: {client.cookie()}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(data)}\r\n\r\n"
        )
        return head.encode() + data

    def _reset(self, client: Client, action: Action, body: Json) -> None:
        """Send a move and break the connection at once."""
        self.ledger.rude["broken off"] += 1
        self.ledger.send(action)
        try:
            with self._connect() as connection:
                connection.sendall(self._request(client, body))
                time.sleep(self.rng.choice((0.0, 0.002, 0.02)))
        finally:
            self.ledger.settle(action, "doubtful")

    def _half(self, client: Client, body: Json) -> None:
        """Send half a request, and never the rest; or nothing at all."""
        self.ledger.rude["half sent"] += 1
        connection = self._connect()
        self.held.append(connection)
        request = self._request(client, body)
        connection.sendall(request[: self.rng.choice((0, 20, len(request) - 5))])
        if len(self.held) > 20:
            self.held.pop(0).close()

    def _never_read(self, client: Client, action: Action, body: Json) -> None:
        """Play over a socket and have many states sent, but read none of them."""
        self.ledger.rude["never read"] += 1
        self.ledger.send(action)
        try:
            connection = self._connect()
            self.held.append(connection)
            key = base64.b64encode(os.urandom(16)).decode()
            connection.sendall(
                f"GET /api/matches/{self.match}/socket?as={action.seat} HTTP/1.1\r\n"
                f"Host: 127.0.0.1:{self.served.port}\r\nCookie: {client.cookie()}\r\n"
                f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
            )
            connection.recv(64)
            connection.sendall(_frame({"do": "look", "viewer": action.seat}) * 60)
            connection.sendall(_frame({"do": "act"} | body))
            connection.sendall(_frame({"do": "look", "viewer": "watcher"}) * 60)
        finally:
            self.ledger.settle(action, "doubtful")


def _frame(message: Json) -> bytes:
    """A text frame as a client sends it, with a mask of zeros."""
    data = json.dumps(message).encode()
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack("!H", len(data))
    return b"\x81" + length + bytes(4) + data


class Player:
    """One seat's socket and the newest state that came over it."""

    def __init__(self, client: Client, match: str, side: str) -> None:
        self.client, self.match, self.side = client, match, side
        self.known = client.ledger.known(match, side)
        self.state: Json = {}
        self.asked = 0
        address = (
            f"ws://127.0.0.1:{client.served.port}/api/matches/{match}/socket?as={side}&since={self.known}"
        )
        self._stack = ExitStack()
        self.raw: ClientConnection = self._stack.enter_context(
            connect(address, additional_headers={"Cookie": client.cookie()}, max_size=None, max_queue=None)
        )

    def drop(self) -> None:
        """Break the connection without a word."""
        with suppress(OSError, WebSocketException):
            self.raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.raw.socket.close()
        with suppress(OSError, WebSocketException):
            self._stack.close()

    def hear(self, timeout: float) -> Json:
        message: Json = json.loads(self.raw.recv(timeout))
        if message["what"] == "state":
            self.client.ledger.seen(message, self.known)
            self.known, self.state = message["number"], message
        elif message["what"] == "refused":
            self.client.ledger.refuse(None, message)
        return message

    def do(self, action: Action, **body: object) -> None:
        """Send an action and wait for its answer."""
        self.asked += 1
        reply_to, outcome = str(self.asked), "doubtful"
        self.client.ledger.send(action)
        try:
            self.raw.send(json.dumps(body | {"id": reply_to}))
            while (answer := self.hear(60)).get("reply_to") != reply_to:
                pass
            outcome = "acknowledged" if answer["what"] == "done" else str(answer["code"])
        finally:
            self.client.ledger.settle(action, outcome)
        if outcome != "acknowledged":
            raise RefusedError(outcome)


class SocketTable(Table):
    """Two friends with open sockets, who never ask for the state of a game that is on."""

    def __init__(self, served: Served, ledger: Ledger, seed: int, **request: object) -> None:
        super().__init__(served, ledger, seed, "friend", **request)
        self.players: dict[str, Player] = {}

    def disconnected(self) -> None:
        for player in self.players.values():
            player.drop()
        self.players = {}

    def step(self) -> None:
        if not self.players:
            super().step()
            return
        since = time.monotonic()
        while not self.is_done.is_set():
            for player in self.players.values():
                with suppress(TimeoutError):
                    player.hear(0.02)
            if any(player.state.get("phase") == "over" for player in self.players.values()):
                self.disconnected()
                return
            mover = next((one for one in self.players.values() if one.state.get("choices")), None)
            if mover is not None:
                self._act(mover)
                return
            if time.monotonic() - since > TOLD_S:
                self._was_told()
                return

    def _act(self, mover: Player) -> None:
        state, mover.state = mover.state, {}
        text = pick(state, self.rng)["text"]
        try:
            if self.rng.random() < 0.05:
                phrase = self.rng.choice(PHRASES)
                said = Action("chat", self.match, mover.side, -1, phrase)
                mover.do(said, do="chat", phrase=phrase, seat=mover.side)
            action = Action("acted", self.match, mover.side, state["number"], text)
            mover.do(action, do="act", number=state["number"], text=text, seat=mover.side)
        except RefusedError:
            self.disconnected()
            raise
        if mover.state and mover.state["number"] <= state["number"]:
            mover.state = {}
        self.turns += 1

    def _was_told(self) -> None:
        """Nothing has come for long: there must be nothing to tell."""
        for player in self.players.values():
            state = player.client.look(self.match, player.side)
            if state["number"] > player.known:
                told = f"was told of {player.known}, not of {state['number']}"
                self.ledger.fault(f"{self.match}: {player.side} {told}")
        self.disconnected()

    def turn(self, client: Client, side: str) -> None:
        """The game is on: open the sockets, now and then play by HTTP first."""
        if self.rng.random() < 0.5:
            super().turn(client, side)
        self.players = {}
        for seat, one in self.seats.items():
            self.players[seat] = Player(one, self.match, seat)


class Watcher(Table):
    """A stranger who looks at every table in turn."""

    def __init__(self, served: Served, ledger: Ledger, seed: int, tables: list[Table]) -> None:
        super().__init__(served, ledger, seed, "computer")
        self.tables = tables
        self.numbers: dict[str, int] = {}

    def step(self) -> None:
        match = self.rng.choice(self.tables).match
        if match:
            since = self.numbers.get(match, 0)
            state = self.clients[0].look(match, "watcher", since, self.rng.choice((0, 0.3)))
            self.numbers[match] = state["number"]
        time.sleep(0.05)
