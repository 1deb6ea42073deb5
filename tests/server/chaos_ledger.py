"""What every client was told, and whether the disk agrees with it.

An action is *acknowledged* when its answer said so, *refused* when the answer said that it has not happened,
and *doubtful* when no answer came. The disk must hold every acknowledged action once, may hold a doubtful
one, and holds nothing else that a person could have done.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from flagfall.match import Match, decode_log
from flagfall.server.store.match_store import FILE_NAME
from tests.server.served import Json

DOCUMENTED = {
    408: {"too-slow"},
    409: {
        "stale-number",
        "not-your-turn",
        "finished",
        "not-over",
        "taken",
        "started",
        "time",
        "not-started",
    },
    429: {"too-many"},
    503: {"not-stored", "not-readable", "not-ready", "stopping"},
}
"""refusals that a client may meet while the server is in trouble, by HTTP status"""
CODES = frozenset().union(*DOCUMENTED.values())


class Action(NamedTuple):
    """One thing that a client asked for."""

    kind: str
    match: str
    seat: str
    number: int
    """the number it was sent with; -1 where the action has none"""
    text: str


class Stored(NamedTuple):
    """The database as it is at one moment."""

    actions: Counter[Action]
    lengths: dict[str, int]
    rows: dict[str, Json]
    entries: dict[str, list[str]]
    notes: dict[tuple[str, str, str], str]


@dataclass
class Ledger:
    """Remembers what was asked and answered; used by many threads."""

    acknowledged: Counter[Action] = field(default_factory=Counter)
    doubtful: Counter[Action] = field(default_factory=Counter)
    pending: Counter[Action] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    foreign: set[tuple[str, int]] = field(default_factory=set)
    """log entries that another process has written"""
    matches: set[str] = field(default_factory=set)
    """matches whose making was acknowledged"""
    computers: set[str] = field(default_factory=set)
    """matches with a computer player"""
    shown: dict[tuple[str, str], int] = field(default_factory=dict)
    """by match and viewer: the highest number that was shown"""
    told: dict[tuple[str, str], dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    """by match and viewer: the events of each number while the game was on"""
    rude: Counter[str] = field(default_factory=Counter)
    """how often a client was rude, and how"""
    notes: dict[tuple[str, str, str], set[str]] = field(default_factory=dict)
    """by match, seat and piece: the texts that may be stored"""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, action: Action) -> None:
        """An action is about to be sent."""
        with self._lock:
            self.pending[action] += 1

    def settle(self, action: Action, outcome: str) -> None:
        """How that ended: ``acknowledged``, ``doubtful`` or the code of a refusal."""
        with self._lock:
            self.pending[action] -= 1
            if outcome == "acknowledged":
                self.acknowledged[action] += 1
            elif outcome == "doubtful":
                self.doubtful[action] += 1

    def fault(self, text: str) -> None:
        """Something that must never happen."""
        with self._lock:
            self.faults.append(text)

    def refuse(self, status: int | None, answer: Json) -> None:
        """Count a refusal; one that is not documented is a fault. Over a socket there is no status."""
        code = str(answer.get("code", ""))
        is_known = code in CODES if status is None else code in DOCUMENTED.get(status, ())
        with self._lock:
            self.refused[code] += 1
            if not is_known:
                self.faults.append(f"refused with {status} {json.dumps(answer)[:300]}")

    def seen(self, state: Json, known: int) -> None:
        """A state was shown; ``known`` is the highest number shown before it was asked for."""
        key = (state["match"], state["viewer"])
        with self._lock:
            if state["number"] < known:
                self.faults.append(f"{key} was shown {known} and then {state['number']}")
            self.shown[key] = max(self.shown.get(key, 0), state["number"])
            if state["phase"] == "over":
                return
            told = self.told[key]
            for news in state["news"]:
                events = json.dumps(news["events"], sort_keys=True)
                if told.setdefault(news["number"], events) != events:
                    self.faults.append(f"{key} was told two stories about number {news['number']}")

    def known(self, match: str, viewer: str) -> int:
        """The highest number that this viewer was shown."""
        with self._lock:
            return self.shown.get((match, viewer), 0)

    def check(self, folder: Path, only: Iterable[str] | None = None) -> Stored:
        """Compare with the disk; ``only``: the matches to look at."""
        with self._lock:
            acknowledged, shown = self.acknowledged.copy(), dict(self.shown)
            made, foreign_before = set(self.matches), set(self.foreign)
        wanted = None if only is None else set(only)
        stored = read_stored(folder, wanted)
        with self._lock:
            allowed = self.acknowledged + self.doubtful + self.pending
            computers, foreign = set(self.computers), set(self.foreign)
        faults = []
        for action, count in acknowledged.items():
            if (wanted is None or action.match in wanted) and stored.actions[action] < count:
                faults.append(f"lost: {action}")
        for action, count in stored.actions.items():
            is_computers = action.match in computers and action.seat not in _people(stored.rows, action.match)
            is_servers = (
                is_computers or action.kind == "flag fell" or (action.match, action.number) in foreign
            )
            if allowed[action] < count and not is_servers:
                faults.append(f"stored {count} times but asked for {allowed[action]} times: {action}")
        for (match, viewer), number in shown.items():
            if (wanted is None or match in wanted) and stored.lengths.get(match, 0) < number:
                faults.append(
                    f"{match}: {viewer} was shown {number}, stored are {stored.lengths.get(match, 0)}"
                )
        for match, number in foreign_before:
            if match in stored.lengths and stored.lengths[match] <= number:
                faults.append(f"{match}: the entry {number} of another process is gone")
        if wanted is None and not any(self.pending.values()):
            for where, texts in self.notes.items():
                if stored.notes.get(where, "") not in texts:
                    faults.append(f"note {where}: {stored.notes.get(where)!r} is stored, not one of {texts}")
        if wanted is None:
            faults += [f"the match {match} is gone" for match in made - stored.rows.keys()]
        with self._lock:
            self.faults += faults
        return stored

    def rebuild(self, stored: Stored) -> None:
        """Build every match from its log and compare it with its row."""
        for match_id, row in stored.rows.items():
            try:
                self._compare(match_id, row, stored)
            except Exception as error:
                self.fault(f"{match_id} cannot be rebuilt: {error!r}")

    def _compare(self, match_id: str, row: Json, stored: Stored) -> None:
        entries = stored.entries.get(match_id, [])
        if row["status"] == "waiting" or not entries:
            if entries or row["status"] not in ("waiting", "over"):
                self.fault(f"{match_id} is {row['status']} with {len(entries)} entries")
            return
        match = Match.rebuilt(decode_log("[" + ",".join(entries) + "]"))
        expected = ("over" if match.is_over else "running", match.clocks.falls_at_ms)
        if (row["status"], row["falls_at_ms"]) != expected:
            self.fault(f"{match_id}: the row says {row['status']}, {row['falls_at_ms']}; the log {expected}")
        if match.phase == "playing" and row["to_move"] != match.to_move:
            self.fault(f"{match_id}: the row says that {row['to_move']} is to move, not {match.to_move}")
        if row["rematch"] and row["rematch"] not in stored.rows:
            self.fault(f"{match_id}: its rematch {row['rematch']} does not exist")
        if not row["rematch"] and len(row["rematch_asked"].split()) == 2:
            self.fault(f"{match_id}: both have asked for a rematch, and there is none")


def _people(rows: dict[str, Json], match: str) -> set[str]:
    row = rows.get(match, {})
    return {side for side in ("south", "north") if row and not row[f"{side}_level"]}


def read_stored(folder: Path, only: set[str] | None = None) -> Stored:
    """Read the database from outside, in one snapshot; every log must be without a gap."""
    found = Stored(Counter(), {}, {}, defaultdict(list), {})
    with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None, timeout=30)) as connection:
        connection.execute("BEGIN")
        where, values = "", []
        if only is not None:
            values = sorted(only)
            where = f"WHERE match_id IN ({','.join('?' * len(values))})"
        query = f"SELECT match_id, number, entry FROM log {where} ORDER BY match_id, number"
        for match, number, entry in connection.execute(query, values):
            assert number == found.lengths.get(match, 0), f"{match} has a gap or a double at {number}"
            found.lengths[match] = number + 1
            found.entries[match].append(entry)
            if (action := _action(match, number, json.loads(entry))) is not None:
                found.actions[action] += 1
        chat = f"SELECT match_id, seat, phrase FROM chat {where}"
        for match, seat, phrase in connection.execute(chat, values):
            found.actions[Action("chat", match, seat, -1, phrase)] += 1
        for match, seat, piece, text in connection.execute(
            f"SELECT match_id, seat, piece, text FROM notes {where}", values
        ):
            found.notes[(match, seat, piece)] = text
        connection.row_factory = sqlite3.Row
        for row in connection.execute(f"SELECT * FROM matches {where.replace('match_id', 'id')}", values):
            found.rows[row["id"]] = dict(row)
    return found


def _action(match: str, number: int, entry: dict[str, Any]) -> Action | None:
    """The entry as what a person asked for; None for the beginning, which nobody asks for by itself."""
    seat = entry.get("seat") or ""
    if entry["what"] == "created":
        return None
    if entry["what"] == "acted":
        return Action("acted", match, seat, number, entry["text"])
    if entry["what"] == "setup sealed":
        return Action("setup sealed", match, seat, -1, entry["setup"])
    if entry["what"] in ("aborted", "flag fell"):
        return Action(entry["what"], match, seat, number, "")
    return Action(entry["what"], match, seat, -1, str(entry.get("accepts", "")))
