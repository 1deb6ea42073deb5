"""Read record files: whole ones, or the intact part of a damaged one.

>>> read_record("flagfall record 1\\ngame: mini/3x3\\nresult: unfinished\\nend\\n")
Traceback (most recent call last):
    ...
flagfall.notation.errors.NotationError: Line 3, column 1: “south:” is missing; expected a line “south: …”.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from flagfall.errors import quoted
from flagfall.languages import ENGLISH, use_language
from flagfall.notation.errors import NotationError
from flagfall.notation.reading import an_action
from flagfall.notation.record import (
    COMMENT_MARK,
    END_LINE,
    MAX_RECORD_TURNS,
    OPEN_MARK,
    UNFINISHED,
    VERSION,
    VERSION_LINE,
    Record,
    Turn,
    first_unprintable,
    require_date,
    require_game,
    require_line,
    require_option,
    require_setup,
    require_size,
    turn_label,
)
from flagfall.sides import Side
from flagfall.view.view import Result

_VERSION = re.compile(r"flagfall record ([0-9]{1,9})")
_TURN = re.compile(r"([0-9]+[snSN])(?:\s+|$)")
_RESULT = re.compile(r"(south wins|north wins|draw)(?:,\s*(.*))?")
_REQUIRED = ("game", "south", "north", "setup south", "setup north")
_BOM = "\ufeff"
_LOOKS = f"the line “{VERSION_LINE}”, then “game: …”, players, setups, turns such as “1s d4-d5”, and “end”"


@use_language(ENGLISH)
def read_record(text: str | bytes) -> Record:
    """Return the record of a text; a `NotationError` names the line and column of the first mistake."""
    return _Draft().read(_decoded(text)).record()


@use_language(ENGLISH)
def read_damaged_record(text: str | bytes) -> tuple[Record, list[str]]:
    """Return the intact part of a record, and sentences about what was lost.

    The intact part ends before the first broken line; a last line that was cut off counts as broken.
    `NotationError` if the head is damaged: a record needs its game, players and setups.
    """
    draft = _Draft()
    kept, has_broken_bytes = _kept_text(text)
    try:
        draft.read(kept)
    except NotationError as error:
        if draft.missing():
            raise
        return draft.record(), [_loss(kept, draft, error)]
    return draft.record(), ["What follows the end of the record is not text."] if has_broken_bytes else []


@dataclass
class _Draft:
    """A record that is being read, line by line."""

    fields: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    remarks: dict[int, list[str]] = field(default_factory=dict)
    """comments on lines of their own, by the index of the turn before them"""
    result: Result | None = None
    has_version: bool = False
    has_result: bool = False
    is_ended: bool = False
    line: int = 1
    """the current line, counted from 1"""

    def read(self, text: str) -> _Draft:
        """Read all lines of a text."""
        lines = text.removeprefix(_BOM).split("\n")
        for at, line in enumerate(lines):
            self.line = at + 1
            is_cut_off = at == len(lines) - 1 and line.rstrip() not in ("", END_LINE)
            if is_cut_off and (self.has_version or VERSION_LINE.startswith(line)):
                reason = "the record breaks off in the middle of a line"
                raise self._wrong(len(line) + 1, reason, "a line break")
            self._take(line.rstrip())
        if not self.is_ended:
            self._require_head(1)
            missing = f"the line “{END_LINE}”" if self.has_result else "a turn or the result"
            raise self._wrong(1, "the record breaks off here", missing)
        return self

    def record(self) -> Record:
        """Return the record so far; its head must be complete."""
        fields = self.fields
        return Record(
            game=fields["game"],
            players=(fields["south"], fields["north"]),
            setups=(fields["setup south"], fields["setup north"]),
            turns=tuple(self._remarked(at) for at in range(len(self.turns))),
            result=self.result,
            options=self.options,
            date=fields.get("date", ""),
            comments=tuple(self.comments),
            is_training="training" in fields,
        )

    def _remarked(self, at: int) -> Turn:
        """Return a turn with the comments that follow it."""
        turn, remarks = self.turns[at], self.remarks.get(at)
        if not remarks:
            return turn
        return Turn(turn.text, " ".join(filter(None, (turn.comment, *remarks))), turn.is_open)

    def missing(self) -> list[str]:
        """Return the names of the missing lines of the head."""
        return [name for name in _REQUIRED if name not in self.fields]

    def _take(self, line: str) -> None:
        bad = first_unprintable(line)
        if bad is not None:
            raise self._wrong(bad + 1, f"the character {line[bad]!r} is not allowed", "printable text")
        if not line.strip():
            return
        if self.is_ended:
            raise self._wrong(1, f"something follows the line “{END_LINE}”", "nothing more")
        if not self.has_version:
            self._take_version(line)
        elif line.startswith(COMMENT_MARK):
            self._take_comment(line[len(COMMENT_MARK) :].strip())
        elif line == END_LINE:
            if not self.has_result:
                raise self._wrong(1, "the result is missing", "a line “result: …” before the end")
            self.is_ended = True
        elif self.has_result:
            raise self._wrong(1, "something follows the result", f"the line “{END_LINE}”")
        elif _TURN.match(line):
            self._take_turn(line)
        else:
            self._take_field(line)

    def _take_version(self, line: str) -> None:
        found = _VERSION.fullmatch(line)
        if found is None:
            raise self._wrong(1, "this is not a Flagfall record", _LOOKS)
        if int(found.group(1)) != VERSION:
            reason = f"this record has format {int(found.group(1))}, which this Flagfall cannot read"
            raise self._wrong(found.start(1) + 1, reason, f"format {VERSION}, or a newer Flagfall")
        self.has_version = True

    def _take_comment(self, comment: str) -> None:
        """Add a comment to the game before the first turn, later to the turn before it."""
        if not self.turns:
            self.comments.append(comment)
        elif comment:
            self.remarks.setdefault(len(self.turns) - 1, []).append(comment)

    def _take_field(self, line: str) -> None:
        name, colon, rest = line.partition(":")
        value, column = rest.strip(), len(name) + 2 + len(rest) - len(rest.lstrip())
        name = " ".join(name.split())
        if not colon:
            expected = f"turn {turn_label(len(self.turns))}, a line “name: value” or a comment after “;”"
            raise self._wrong(1, f"“{_short(line)}” is not a line of a record", expected)
        if name == "result":
            self._take_result(value, column)
        elif self.turns:
            raise self._wrong(1, f"“{_short(name)}” comes after a turn", "it before the first turn")
        elif name.startswith("option "):
            option = name.removeprefix("option ")
            self._refuse_twice(f"option {option}", option in self.options)
            self._checked(column, "name and value of an option", lambda: require_option(option, value))
            self.options[option] = value
        elif name in (*_REQUIRED, "date", "training"):
            self._refuse_twice(name, name in self.fields)
            self._checked(column, f"a right line “{name}: …”", lambda: _require(name, value))
            self.fields[name] = value
        else:
            known = ", ".join((*_REQUIRED[:3], "date", "training", *_REQUIRED[3:], "option …"))
            raise self._wrong(1, f"“{_short(name)}” is not known in a record", f"one of {known} or result")

    def _take_turn(self, line: str) -> None:
        found = _TURN.match(line)
        assert found is not None
        self._require_head(1)
        if self.turns and self.turns[-1].is_open:
            raise self._wrong(1, "a turn follows an unfinished one", "the result")
        label = turn_label(len(self.turns))
        if len(self.turns) == MAX_RECORD_TURNS:
            raise self._wrong(1, f"the record has more than {MAX_RECORD_TURNS} turns", "the result")
        if found.group(1).lower() != label:
            raise self._wrong(1, f"this is numbered {_short(found.group(1))}", f"turn {label}")
        text, _, comment = line[found.end() :].partition(COMMENT_MARK)
        text = text.rstrip()
        is_open = text.endswith((OPEN_MARK, "..."))
        if is_open:
            text = text.removesuffix(OPEN_MARK).removesuffix("...").rstrip()
        column = found.end() + 1
        if not text:
            raise self._wrong(min(column, len(line) + 1), "the turn is empty", an_action())
        try:
            self.turns.append(Turn(text, comment.strip(), is_open))
        except NotationError as error:
            raise error.moved(self.line, column) from None
        except ValueError as error:
            raise self._wrong(column, str(error), an_action()) from None

    def _take_result(self, value: str, column: int) -> None:
        self._require_head(1)
        self.has_result = True
        if value == UNFINISHED:
            return
        found = _RESULT.fullmatch(value)
        if found is None:
            expected = f"“south wins, …”, “north wins, …”, “draw, …” or “{UNFINISHED}”"
            self.has_result = False
            raise self._wrong(column, f"“{_short(value)}” is not a result", expected)
        winners = {"south wins": Side.SOUTH, "north wins": Side.NORTH}
        self.result = Result.of(winners.get(found.group(1)), (found.group(2) or "").strip())

    def _require_head(self, column: int) -> None:
        if not self.has_version:
            raise self._wrong(column, "the text is empty", f"the line “{VERSION_LINE}”")
        for name in self.missing():
            raise self._wrong(column, f"“{name}:” is missing", f"a line “{name}: …”")

    def _refuse_twice(self, name: str, is_there: bool) -> None:
        if is_there:
            raise self._wrong(1, f"“{_short(name)}” is there twice", "it only once")

    def _checked(self, column: int, expected: str, check: Callable[[], None]) -> None:
        try:
            check()
        except ValueError as error:
            raise self._wrong(column, str(error), expected) from None

    def _wrong(self, column: int, reason: str, expected: str) -> NotationError:
        return NotationError(reason, line=self.line, column=column, expected=expected)


def _require(name: str, value: str) -> None:
    if name == "game":
        require_game(value)
    elif name == "date":
        require_date(value)
        if not value:
            raise ValueError("The date is empty; leave the line out if it is unknown")
    elif name == "training":
        if value != "yes":
            raise ValueError("“training” can only be “yes”; leave the line out of other games")
    elif name.startswith("setup "):
        require_setup(name.removeprefix("setup "), value)
    else:
        require_line(f"The name of {name}", value)


def _decoded(text: str | bytes) -> str:
    kept, is_broken = _kept_text(text)
    if is_broken:
        line, column = kept.count("\n") + 1, len(kept) - kept.rfind("\n")
        raise NotationError("these bytes are not text", line=line, column=column, expected="UTF-8")
    return kept


def _kept_text(text: str | bytes) -> tuple[str, bool]:
    """Return the text before the first bytes that are not UTF-8, and whether there are such bytes."""
    require_size(text)
    if isinstance(text, str):
        return text, False
    try:
        return text.decode(), False
    except UnicodeDecodeError as error:
        return text[: error.start].decode(), True


def _loss(text: str, draft: _Draft, error: NotationError) -> str:
    """Return a sentence about what was lost."""
    lost = [line for line in text.split("\n")[error.line - 1 :] if line.strip()]
    kept = f"{len(draft.turns)} turn{'' if len(draft.turns) == 1 else 's'} and the head are kept"
    if not lost:
        return f"The record breaks off before line {error.line}; {kept}."
    lines = f"Line {error.line} is" if len(lost) == 1 else f"{len(lost)} lines from line {error.line} on are"
    return f"{lines} lost ({error.reason}); {kept}."


def _short(text: str) -> str:
    return quoted(text)[1:-1]
