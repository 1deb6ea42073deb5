"""A database with matches in every state, and how its matches are played on."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from flagfall.server.store.match_store import FILE_NAME
from tests.server.served import Guest, Json, Served, Socket

GAME = "spin-master/duel"
SOON_S = 30.0


@dataclass
class DataFolder:
    """A folder with the database of a server that was stopped, and what is in it."""

    folder: Path
    running: str
    over: str
    waiting: str
    timed: str
    hot_seat: str
    cookies: list[dict[str, str]]
    """of South and North of all matches between two"""

    def copy(self, folder: Path) -> DataFolder:
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return DataFolder(
            folder, self.running, self.over, self.waiting, self.timed, self.hot_seat, self.cookies
        )

    def guests(self, served: Served) -> tuple[Guest, Guest]:
        """South and North with the cookies they got before."""
        guests = Guest(served), Guest(served)
        for guest, cookies in zip(guests, self.cookies, strict=True):
            guest.http.cookies.update(cookies)
        return guests

    def execute(self, sql: str, *values: object) -> None:
        with closing(
            sqlite3.connect(self.folder / FILE_NAME, isolation_level=None, timeout=10)
        ) as connection:
            connection.execute(sql, values)

    def rows(self, sql: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self.folder / FILE_NAME, timeout=10)) as connection:
            return connection.execute(sql, values).fetchall()


def play_actions(anna: Guest, ben: Guest, match: str, actions: int) -> int:
    """Play so many actions, quiet ones so that the game goes on; how many it were."""
    rng = Random(match)
    for at in range(actions):
        state = anna.state(match)
        if state["phase"] != "playing":
            return at
        mover = anna if state["to_move"] == "south" else ben
        state = mover.state(match)
        quiet = [one for one in state["choices"] if one["verb"] == "move" and not one["is_attack"]]
        action = rng.choice(quiet or state["choices"])["action"]
        mover.post(f"/api/matches/{match}/act", number=state["number"], action=action)
    return actions


def until_message(socket: Socket, what: str, **having: object) -> Json:
    """The next message of that sort, refusals included."""
    until = time.monotonic() + SOON_S
    while time.monotonic() < until:
        message = socket.hear(SOON_S)
        if message["what"] == what and all(message[name] == value for name, value in having.items()):
            return message
    raise AssertionError(f"no {what} came")


def soon(claim: Any) -> None:
    until = time.monotonic() + SOON_S
    while not claim():
        assert time.monotonic() < until
        time.sleep(0.1)
