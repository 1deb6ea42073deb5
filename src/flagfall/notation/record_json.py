"""The JSON twin of a record: the same facts, for programs.

>>> from flagfall.notation.record import Record, Turn
>>> record = Record("mini/3x3", ("Anna", "Ben"), ("F1.", "F1."), (Turn("b1-b2"),))
>>> from_json(to_json(record)) == record
True
"""

from __future__ import annotations

import json
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, ValidationError, convert, field, to_builtins

from flagfall.errors import quoted, quoted_error
from flagfall.languages import ENGLISH, use_language
from flagfall.notation.errors import NotationError
from flagfall.notation.record import MAX_RECORD_TURNS, VERSION, Record, Turn, require_size
from flagfall.view.view import Result

MAX_DIGITS = 18
"""maximum digits of a number; the only number in a record is its format"""
_EXPECTED = "a record as docs/notation.md describes it"


class _Pair(Struct, forbid_unknown_fields=True):
    """One text for each side."""

    south: str
    north: str


class _Turn(Struct, forbid_unknown_fields=True, omit_defaults=True):
    text: str
    comment: str = ""
    open: bool = False


class _Result(Result, frozen=True, forbid_unknown_fields=True):
    """A result without other fields."""


class _Record(Struct, forbid_unknown_fields=True):
    """The JSON object of a record."""

    flagfall_record: int
    game: str
    players: _Pair
    setups: _Pair
    turns: list[_Turn]
    result: _Result | None
    options: dict[str, str] = field(default_factory=dict)
    date: str = ""
    comments: list[str] = field(default_factory=list)
    training: Literal[True] | UnsetType = UNSET


def to_json(record: Record) -> str:
    """Return a record as indented JSON."""
    shape = _Record(
        flagfall_record=VERSION,
        game=record.game,
        options=dict(record.options),
        date=record.date,
        players=_Pair(*record.players),
        setups=_Pair(*record.setups),
        comments=list(record.comments),
        training=True if record.is_training else UNSET,
        turns=[_Turn(turn.text, turn.comment, turn.is_open) for turn in record.turns],
        result=_Result(record.result.winner, record.result.reason) if record.result else None,
    )
    return json.dumps(to_builtins(shape), ensure_ascii=False, indent=1) + "\n"


@use_language(ENGLISH)
def from_json(text: str | bytes) -> Record:
    """Return the record of a JSON text; a `NotationError` names the field that is wrong or unknown."""
    require_size(text)
    plain = _parsed(_text(text))
    if isinstance(plain, dict) and plain.get("flagfall_record", VERSION) != VERSION:
        number = plain["flagfall_record"]
        shown = number if type(number) is int else quoted(number)
        raise _wrong(
            f"“flagfall_record” is {shown}, a format that this Flagfall cannot read", f"format {VERSION}"
        )
    try:
        return _checked(convert(plain, _Record))
    except ValidationError as error:
        raise _wrong(quoted_error(error), _EXPECTED) from None
    except UnicodeError:
        raise _wrong("a field name contains half a character", _EXPECTED) from None


def _text(text: str | bytes) -> str:
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _wrong("these bytes are not text", "UTF-8") from None


def _parsed(text: str) -> object:
    try:
        return json.loads(
            text, object_pairs_hook=_without_repeats, parse_constant=_no_constant, parse_int=_whole_number
        )
    except json.JSONDecodeError as error:
        raise NotationError(
            f"this is not JSON ({error.msg})", line=error.lineno, column=error.colno, expected="JSON"
        ) from None
    except RecursionError:
        raise _wrong("this is nested too deeply", _EXPECTED) from None
    except ValueError as error:
        raise _wrong(str(error), _EXPECTED) from None


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{quoted(name)} is there twice in one object")
        found[name] = value
    return found


def _whole_number(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number has {len(digits)} digits; at most {MAX_DIGITS} are possible")
    return int(digits)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON value")


def _checked(shape: _Record) -> Record:
    """Return the record, checked like a text file."""
    if len(shape.turns) > MAX_RECORD_TURNS:
        raise _wrong(f"the record has {len(shape.turns)} turns", f"at most {MAX_RECORD_TURNS}")
    turns = []
    for at, turn in enumerate(shape.turns):
        try:
            turns.append(Turn(turn.text, turn.comment, turn.open))
        except NotationError as error:
            raise _wrong(f"{error.reason} - at `$.turns[{at}].text`", error.expected) from None
        except ValueError as error:
            raise _wrong(f"{error} - at `$.turns[{at}]`", _EXPECTED) from None
    try:
        return Record(
            game=shape.game,
            players=(shape.players.south, shape.players.north),
            setups=(shape.setups.south, shape.setups.north),
            turns=tuple(turns),
            result=Result(shape.result.winner, shape.result.reason) if shape.result else None,
            options=shape.options,
            date=shape.date,
            comments=tuple(shape.comments),
            is_training=shape.training is True,
        )
    except ValueError as error:
        raise _wrong(str(error), _EXPECTED) from None


def _wrong(reason: str, expected: str) -> NotationError:
    return NotationError(reason, expected=expected)
