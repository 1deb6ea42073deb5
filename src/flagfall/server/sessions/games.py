"""What a client may name: games that can be played here, computer players, names of people."""

from __future__ import annotations

import asyncio

from flagfall.edition import Game, OptionError, Options, UnknownGameError, load_game, resolve
from flagfall.edition.load import added_version
from flagfall.edition.versions import VERSIONS, is_version
from flagfall.languages import say
from flagfall.match import Seating
from flagfall.players import BUILT_IN, unknown_player
from flagfall.server.errors import RequestError
from flagfall.server.names import normalise_name
from flagfall.server.networks import check_network, is_network
from flagfall.server.store.rows import MatchRow


def find_game(game_id: str) -> Game:
    """Return a game that can be played here; a client must never name a file.

    A game of an operator's box, ``harbour/classic``, is the one of its version, so that its matches can be
    read again after the file has changed.
    """
    box, _, name = game_id.partition("/")
    return load_game(f"{added_version(box) or box}/{name}", allow_files=False)


async def found_game(game_id: str) -> Game:
    """Return a game as `find_game` does, in a thread: the text of its box may have to be read and checked."""
    return await asyncio.to_thread(find_game, game_id)


async def stored_game(game_id: str, text: str) -> Game:
    """Return a game of which the text of its box was stored with it, if it is a guest's."""
    if text:
        VERSIONS.add(text)
    return await found_game(game_id)


async def shown_game(game_id: str) -> Game:
    """Return a game for its rules and drawings; one of an operator's box has the id of its file."""
    return await asyncio.to_thread(load_game, game_id, allow_files=False, allow_added=True)


def is_private(game_id: str) -> bool:
    """Return whether a game belongs to the box of a guest, which no list may show."""
    box = game_id.partition("/")[0]
    return is_version(box) and box not in VERSIONS.kept()


def is_by_day(row: MatchRow) -> bool:
    """Return whether a player of this match has a day or more for each move."""
    try:
        return resolve(find_game(row.game), row.options).clock.is_by_day
    except (OptionError, UnknownGameError):
        return False


def check_level(level: str, game: Game, options: Options) -> None:
    """Refuse an unknown computer player; a client must never name a module or a file."""
    if is_network(level):
        check_network(level, game, options)
    elif level not in BUILT_IN:
        raise RequestError("not-found", f"{unknown_player(level, BUILT_IN)}.")


def check_name(name: str) -> str:
    """Return the name as it is stored, or refuse one that a record cannot hold."""
    name = normalise_name(name)
    try:
        Seating(name, "North")
    except ValueError:
        raise RequestError("malformed", say("server.name.unfit")) from None
    return name
