"""Rebuild a match from its log: every entry is played again, and refused if it is impossible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from flagfall.edition.load import load_game
from flagfall.edition.options import OptionError, Options, resolve
from flagfall.edition.schema import Game, UnknownGameError
from flagfall.match.errors import MatchError
from flagfall.match.log import (
    Aborted,
    Acted,
    Created,
    DrawAnswered,
    DrawOffered,
    Entry,
    FlagFell,
    Resigned,
    SetupSealed,
    TakenBack,
)

if TYPE_CHECKING:
    from flagfall.match.match import Match

FindGame = Callable[[str], Game]


def bundled_game(game_id: str) -> Game:
    """Return a bundled game; the usual way to find the game of a log."""
    return load_game(game_id, allow_files=False)


def begun(entries: Sequence[Entry], find_game: FindGame) -> tuple[Game, Options, Created]:
    """Return the game and options of a log, and its first entry."""
    if not entries or not isinstance(entries[0], Created):
        raise MatchError("A log begins with the entry “created”; this one does not")
    entry = entries[0]
    if entry.number != 0 or entry.seat is not None:
        raise MatchError("The entry “created” has number 0 and no seat; this one has not")
    try:
        game = find_game(entry.game)
        return game, resolve(game, entry.options), entry
    except (UnknownGameError, OptionError) as error:
        raise MatchError(f"Entry 0 of the log is impossible: {error}") from None


def replay(played: Match, entries: Sequence[Entry]) -> None:
    """Play the entries after the first again, in a match that was just created."""
    for at, entry in enumerate(entries[1:], start=1):
        if entry.at_ms < entries[at - 1].at_ms:
            raise MatchError(f"Entry {at} is earlier than entry {at - 1}; times may not go backwards")
        try:
            _do_again(played, entry)
        except ValueError as error:
            raise MatchError(f"Entry {at} of the log is impossible: {error}") from None
        if played.number != at + 1 or played.last != entry:
            raise MatchError(f"Entry {at} of the log does not fit what happened before it")


def _do_again(played: Match, entry: Entry) -> None:
    seat, at_ms = entry.seat or "", entry.at_ms
    match entry:
        case SetupSealed():
            played.seal_again(entry)
        case Acted():
            played.act_again(entry)
        case TakenBack():
            played.take_back(seat, at_ms)
        case DrawOffered():
            played.offer_draw(seat, at_ms)
        case DrawAnswered():
            played.answer_draw(seat, entry.accepts, at_ms)
        case Resigned():
            played.resign(seat, at_ms)
        case FlagFell():
            if played.check_time(at_ms) is None:
                raise ValueError("the time had not run out")
        case Aborted():
            played.abort(entry.seat, at_ms)
        case Created():
            raise ValueError("a match is created only once")
