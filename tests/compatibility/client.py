"""An API client that knows only URLs and JSON: it plays a recorded conversation with a running server.

A conversation is a list of steps. A step names the guest who takes it (empty: no cookie), a method, a path
and a body; `keep` names fields of the answer that later steps use as `{name}`, and `until` fields that must
have a value before the conversation goes on (a computer player is waited for). `playing_shape` is the shape
of an answer that comes after a quick computer player has begun the game. A step with the method SOCKET opens
a socket at the path and sends its messages one after the other.
"""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

Json = Any
TIMEOUT_S = 60
WAIT_S = 900
"""for a computer player, whose first start on a machine compiles"""
PAUSE_S = 0.2
SORTS = ("state", "change", "done", "refused", "pong")


class Conversation:
    """The guests of a conversation with one server, and the values they have kept."""

    def __init__(self, url: str, cookies: dict[str, dict[str, str]] | None = None, **kept: str) -> None:
        self.url, self.kept = url, dict(kept)
        self._guests: dict[str, httpx.Client] = {}
        for name, cookie in (cookies or {}).items():
            self._guest(name).cookies.update(cookie)

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: object) -> None:
        for guest in self._guests.values():
            guest.close()

    def cookies(self) -> dict[str, dict[str, str]]:
        """Return the cookies of every guest who has one."""
        return {name: dict(guest.cookies) for name, guest in self._guests.items() if guest.cookies}

    def take(self, step: Json) -> Json:
        """Take one step; return the status and the answer, or the messages of a socket by their sort."""
        if step["method"] == "SOCKET":
            return self._talk(step)
        found = self._ask(step)
        deadline = time.monotonic() + WAIT_S
        while any(found["answer"][field] != value for field, value in step.get("until", {}).items()):
            assert time.monotonic() < deadline, found
            time.sleep(PAUSE_S)
            found = self._ask(step)
        for name, field in step.get("keep", {}).items():
            self.kept[name] = str(found["answer"][field])
        return found

    def _ask(self, step: Json) -> Json:
        body = self._filled(step["body"]) if "body" in step else None
        answer = self._guest(step["guest"]).request(step["method"], self._filled(step["path"]), json=body)
        is_json = answer.headers["content-type"].startswith("application/json")
        return {"status": answer.status_code, "answer": answer.json() if is_json else answer.text}

    def _talk(self, step: Json) -> Json:
        """Send every message; wait for its reply and, after one that was carried out, for the new state."""
        cookies = "; ".join(f"{name}={value}" for name, value in self._guest(step["guest"]).cookies.items())
        address = "ws" + self.url.removeprefix("http") + self._filled(step["path"])
        heard: list[Json] = []
        with connect(
            address, additional_headers={"Cookie": cookies} if cookies else {}, max_size=None
        ) as socket:
            self._hear(socket, heard, {"state"})
            for message in step["messages"]:
                socket.send(json.dumps(self._filled(message)))
                wanted = {"looked": {"state"}, "done": {"done", "state"}}.get(
                    message["expect"], {message["expect"]}
                )
                self._hear(socket, heard, wanted)
        return {sort: [one for one in heard if one["what"] == sort] for sort in SORTS}

    def _hear(self, socket: ClientConnection, heard: list[Json], wanted: set[str]) -> None:
        missing = set(wanted)
        while missing:
            message = json.loads(socket.recv(TIMEOUT_S))
            heard.append(message)
            sort = "state" if message["what"] == "change" else message["what"]
            missing.discard(sort)

    def _guest(self, name: str) -> httpx.Client:
        if name not in self._guests:
            self._guests[name] = httpx.Client(base_url=self.url, timeout=TIMEOUT_S, verify=False)
        return self._guests[name]

    def _filled(self, value: Json) -> Json:
        """Replace `{name}` by what was kept; a text that is nothing but a kept number becomes that number."""
        if isinstance(value, dict):
            return {name: self._filled(one) for name, one in value.items() if name != "expect"}
        if not isinstance(value, str):
            return value
        for name, kept in self.kept.items():
            if value == f"{{{name}}}" and kept.isdecimal():
                return int(kept)
            value = value.replace(f"{{{name}}}", kept)
        return value
