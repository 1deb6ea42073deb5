"""A match as bytes and back: the log as JSON, enough to go on where it stopped, even within a turn."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from msgspec import Struct, field

from flagfall.match.entries import Entry
from flagfall.match.match import Match
from flagfall.match.notes import Notes
from flagfall.match.refusal import MatchError
from flagfall.match.remarks import Remarks
from flagfall.match.replay import FindGame, bundled_game

VERSION = 1
Shape = TypeVar("Shape")


class _Saved(Struct, forbid_unknown_fields=True, omit_defaults=True):
    flagfall_match: int
    log: list[Entry]
    remarks: Remarks = Remarks()
    notes: Notes = field(default_factory=Notes)
    put_away_ms: int | None = None


class _Head(Struct):
    flagfall_match: int


def encode_log(entries: tuple[Entry, ...]) -> bytes:
    """Entries as JSON: a list of objects."""
    return msgspec.json.encode(entries)


def decode_log(text: bytes | str) -> tuple[Entry, ...]:
    """Entries of JSON; `MatchError` names the field that is wrong."""
    return _decoded(text, tuple[Entry, ...])


def save(match: Match, at_ms: int | None = None) -> bytes:
    """The whole match, and when it was put away. Holds both setups: for its keeper, not for the players."""
    return msgspec.json.encode(_Saved(VERSION, list(match.log), match.remarks, match.notes, at_ms))


def load(data: bytes | str, find_game: FindGame = bundled_game) -> Match:
    """The match that was saved; `MatchError` says what is damaged and where."""
    version = _decoded(data, _Head).flagfall_match
    if version != VERSION:
        raise MatchError(f"This match was saved in format {version}; only format {VERSION} is known here")
    saved = _decoded(data, _Saved)
    match = Match.rebuilt(saved.log, find_game=find_game)
    match.remarks, match.notes, match.put_away_ms = saved.remarks, saved.notes, saved.put_away_ms
    return match


def _decoded(data: bytes | str, shape: type[Shape]) -> Shape:
    try:
        return msgspec.json.decode(data, type=shape)
    except msgspec.ValidationError as error:
        raise MatchError(f"This is not a saved match: {error}") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MatchError(f"This cannot be read: {error}") from None
