"""An operator's commands in the tests; what they print is checked for secrets."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from flagfall.server.store.match_store import FILE_NAME
from tests.cli.run import Ran, flagfall
from tests.server.served import Guest

SHORTEST = 4
"""what is shorter may stand in any text by chance"""


class Operator:
    """Runs `flagfall admin …` on a folder, as text and as JSON, and keeps everything it prints."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.printed: list[str] = []
        self.folders: set[Path] = set()
        self.secrets: set[str] = set()

    def __call__(self, folder: Path, *arguments: object) -> Ran:
        """Run a command and keep what it prints."""
        self.folders.add(folder)
        self.secrets |= secrets_in(folder)
        ran = flagfall(self._capsys, "admin", *arguments, "--data", folder)
        self.printed += [ran.out, ran.err]
        self.secrets |= secrets_in(folder)
        return ran

    def facts(self, folder: Path, *arguments: object, code: int = 0) -> Any:
        """Run a command as text where that changes nothing, then as JSON; its facts."""
        if arguments[0] in ("verify", "matches") or "--list" in arguments:
            assert self(folder, *arguments).code == code
        ran = self(folder, *arguments, "--json")
        assert ran.code == code, ran
        return json.loads(ran.out)

    def check(self) -> None:
        """Nothing secret was printed."""
        cookies = {value for guest in Guest.everybody for value in guest.http.cookies.values()}
        text = "\n".join(self.printed)
        for secret in self.secrets | cookies:
            assert len(secret) < SHORTEST or secret not in text, f"{secret} is printed"
        assert "Traceback" not in text


def secrets_in(folder: Path) -> set[str]:
    """Everything in a database that nobody may read: hashes, tokens, seeds, setups, salts, turns, notes."""
    if not (folder / FILE_NAME).is_file():
        return set()
    found: set[str] = set()
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        for query in (
            "SELECT token_hash FROM guests",
            "SELECT invitation FROM matches WHERE invitation IS NOT NULL",
            "SELECT seed FROM matches",
            "SELECT text FROM notes",
            "SELECT code FROM setups",
        ):
            try:
                found |= {str(row[0]) for row in connection.execute(query)}
            except sqlite3.DatabaseError:
                continue
        try:
            entries = [str(row[0]) for row in connection.execute("SELECT entry FROM log")]
        except sqlite3.DatabaseError:
            entries = []
    for text in entries:
        try:
            entry = json.loads(text)
        except ValueError:
            continue
        if isinstance(entry, dict):
            found |= {str(entry[name]) for name in ("setup", "salt", "text") if entry.get(name)}
    return found
