"""Save and load a match: its log as JSON, from which it continues even within a turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct, field

from flagfall.errors import quoted_error
from flagfall.match.errors import MatchError
from flagfall.match.log import Entry
from flagfall.match.match import Match
from flagfall.match.notes import Annotations, Notes
from flagfall.match.replay import FindGame, bundled_game
from flagfall.notation.record import MAX_RECORD_TURNS
from flagfall.sides import Side

VERSION = 1
MAX_SAVED_BYTES = 16_000_000
"""maximum size of a saved match or log: 400 bytes for each entry"""
MAX_LOG_ENTRIES = 2 * MAX_RECORD_TURNS
"""maximum number of entries of a saved match or log: two for each turn of a record"""
MAX_TIME_MS = 2**53
"""the largest time in a log, before or after the epoch; any JSON program can hold it"""
Shape = TypeVar("Shape")


class _Saved(Struct, forbid_unknown_fields=True, omit_defaults=True):
    flagfall_match: int
    log: list[Entry]
    remarks: Annotations = Annotations()
    notes: Notes = field(default_factory=Notes)
    put_away_ms: int | None = None
    computers: dict[Side, str] = field(default_factory=dict)


class _Head(Struct):
    flagfall_match: Annotated[int, Meta(ge=0, le=MAX_TIME_MS)]


def encode_log(entries: tuple[Entry, ...]) -> bytes:
    """Return entries as JSON: a list of objects."""
    return msgspec.json.encode(entries)


def decode_log(text: bytes | str) -> tuple[Entry, ...]:
    """Return the entries of JSON; a `MatchError` names the field that is wrong."""
    entries = _decoded(text, tuple[Entry, ...])
    _check_entries(entries)
    return entries


def save(match: Match, at_ms: int | None = None) -> bytes:
    """Return the match and the time it was suspended as JSON. It contains both setups: not for players."""
    return msgspec.json.encode(
        _Saved(VERSION, list(match.log), match.annotations, match.notes, at_ms, match.computers)
    )


def load(data: bytes | str, find_game: FindGame = bundled_game) -> Match:
    """Return a saved match; a `MatchError` says what is damaged and where."""
    version = _decoded(data, _Head).flagfall_match
    if version != VERSION:
        raise MatchError(f"This match was saved in format {version}; this Flagfall reads format {VERSION}")
    saved = _decoded(data, _Saved)
    _check_entries(saved.log)
    if saved.put_away_ms is not None and abs(saved.put_away_ms) > MAX_TIME_MS:
        raise MatchError("The time when this match was suspended is out of range")
    match = Match.rebuilt(saved.log, find_game=find_game)
    match.annotations, match.notes, match.put_away_ms = saved.remarks, saved.notes, saved.put_away_ms
    match.computers = saved.computers
    return match


def _check_entries(entries: Sequence[Entry]) -> None:
    """Refuse a log that is too long or has times out of range."""
    if len(entries) > MAX_LOG_ENTRIES:
        raise MatchError(f"The log has {len(entries)} entries; at most {MAX_LOG_ENTRIES} are read")
    for at, entry in enumerate(entries):
        if abs(entry.at_ms) > MAX_TIME_MS:
            raise MatchError(f"The time of entry {at} of the log is out of range")


def _decoded(data: bytes | str, shape: type[Shape]) -> Shape:
    if len(data) > MAX_SAVED_BYTES:
        raise MatchError(f"This has {len(data)} bytes; a saved match has at most {MAX_SAVED_BYTES}")
    try:
        return msgspec.json.decode(data, type=shape)
    except msgspec.ValidationError as error:
        raise MatchError(f"This is not a saved match: {quoted_error(error)}") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise MatchError(f"This cannot be read: {quoted_error(error)}") from None
