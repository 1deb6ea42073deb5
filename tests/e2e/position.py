"""A match that stands just before something: setups and turns so far, put into a server's store."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
from msgspec import Struct

from flagfall.edition import load_game, resolve
from flagfall.match import Match, Seating
from flagfall.server.store.match_store import FILE_NAME, MatchStore
from flagfall.server.store.rows import GuestRow, MatchRow
from flagfall.sides import Side

FOLDER = Path(__file__).parent / "positions"
OTHER: dict[Side, Side] = {Side.SOUTH: Side.NORTH, Side.NORTH: Side.SOUTH}


class Position(Struct, frozen=True):
    """Where a match stands, and one turn that can be played there."""

    game: str
    options: dict[str, str]
    power: str
    """what the turn shows"""
    setups: tuple[str, str]
    played: tuple[str, ...]
    seat: Side
    """who is to move"""
    turn: tuple[str, ...]
    """its actions, one after the other, until the turn is over"""

    def match(self, names: tuple[str, str], actions: int = 0) -> Match:
        """The match after what was played and so many actions of the turn."""
        game = load_game(self.game)
        match = Match.created(game, resolve(game, self.options), Seating(*names), 0)
        for side, setup in zip(("south", "north"), self.setups, strict=True):
            match.seal(side, setup, 0, f"salt of the {side}")
        for text in (*self.played, *self.turn[:actions]):
            match.act(match.to_move or "", None, text, 0)
        return match


def position(name: str) -> Position:
    """A position by the name of its file."""
    return msgspec.json.decode((FOLDER / f"{name}.json").read_bytes(), type=Position)


def positions() -> list[str]:
    """The names of all of them."""
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def lay(folder: Path, match: Match, seats: dict[Side, GuestRow], *, level: str = "") -> str:
    """Put a match into the store of a server that runs on the folder; its id.

    A seat that nobody is named for is a computer player's of that level, or without a level nobody's.
    """
    with ThreadPoolExecutor(1) as executor:  # the browser's own loop runs in this thread
        return executor.submit(asyncio.run, _lay(folder, match, seats, level)).result()


async def _lay(folder: Path, match: Match, seats: dict[Side, GuestRow], level: str) -> str:
    host = next(iter(seats.values()))
    ids = {side: guest.id for side, guest in seats.items()}
    is_one = len(seats) == 2 and len(set(ids.values())) == 1
    facts: dict[str, object] = {
        "id": secrets.token_urlsafe(9),
        "game": match.game.id,
        "options": match.options.changed(match.game),
        "opponent": "computer" if level else "hot-seat" if is_one else "friend",
        "status": "over" if match.is_over else "running",
        "host": host.id,
        "host_side": next(iter(seats)).value,
        "south": ids.get(Side.SOUTH),
        "north": ids.get(Side.NORTH),
        "south_name": match.seating.name("south"),
        "north_name": match.seating.name("north"),
        "south_level": "" if "south" in seats else level,
        "north_level": "" if "north" in seats else level,
        "seed": f"{match.game.id} seed",
        "created_ms": 0,
    }
    store = MatchStore.open(folder / FILE_NAME)
    try:
        row = msgspec.convert(facts, MatchRow)
        await store.add_match(row, match.log)
    finally:
        await store.close()
    return row.id
