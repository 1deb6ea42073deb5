"""A record: one whole game as a value, and as a text file that is nice to read and to compare.

::

    flagfall record 1
    game: onyx/classic
    option rescue: on
    date: 2026-11-15
    south: Anna
    north: Computer (greedy)
    setup south: FB98…/…/…/…
    setup north: …
    ; a comment about the game

    1s d4-d5
    1n d7-d6
    2s d5xd6 ; a comment about the turn
    2n e8xd8 rescue general b9
    result: south wins, flag captured
    end

One turn a line, ``s`` for South, who begins, and ``n`` for North. A turn that was never finished is the
last one and ends in ``…``. A game without a result says ``result: unfinished``. The line ``end`` shows that
nothing was cut off.

>>> turns = (Turn("b1-b2"),)
>>> record = Record("mini/3x3", ("Anna", "Ben"), ("F1.", "F1."), turns, Result("north", "resigned"))
>>> print(write_record(record), end="")
flagfall record 1
game: mini/3x3
south: Anna
north: Ben
setup south: F1.
setup north: F1.
<BLANKLINE>
1s b1-b2
result: north wins, resigned
end
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date as calendar_date

from flagfall.edition.schema import Game
from flagfall.engine.action import Action
from flagfall.errors import quoted
from flagfall.notation.errors import NotationError
from flagfall.notation.reading import check_turn, read_turn
from flagfall.sides import SIDES
from flagfall.view.view import Result

VERSION = 1
VERSION_LINE = f"flagfall record {VERSION}"
END_LINE = "end"
OPEN_MARK = "…"
COMMENT_MARK = ";"
UNFINISHED = "unfinished"

MAX_RECORD_SIZE = 2_000_000
"""maximum size of a record, text or JSON, in characters or bytes: 100 for each turn"""
MAX_RECORD_TURNS = 20_000
"""maximum number of turns of a record and of entries of a match"""

OPTION_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
GAME_ID = re.compile(r"[^\s/;]+(?:/[^\s/;]+)*")
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})


@dataclass(frozen=True)
class Turn:
    """One turn of a record: its actions as text, and a comment."""

    text: str
    comment: str = ""
    is_open: bool = False
    """more was to come when the game was interrupted; only the last turn can be open"""

    def __post_init__(self) -> None:
        require_line("The comment of a turn", self.comment)
        require_line("A turn", self.text)
        if COMMENT_MARK in self.text:
            raise ValueError(f"A turn holds no “{COMMENT_MARK}”; put remarks into its comment")
        if self.text.endswith("..."):
            raise ValueError("A turn that goes on is marked by is_open, not by dots in its text")
        check_turn(self.text)


@dataclass(frozen=True)
class Record:
    """A game from setup to result, complete enough to replay it.

    ``options`` holds what differs from the game's defaults. ``players`` and ``setups`` are South's and
    North's; setups are the compact texts of `flagfall.setups`. ``result`` is missing while the game is
    unfinished, and its winner is empty for a draw.
    """

    game: str
    players: tuple[str, str]
    setups: tuple[str, str]
    turns: tuple[Turn, ...] = ()
    result: Result | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    date: str = ""
    """``2026-11-15``, or empty if unknown"""
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", dict(self.options))
        require_game(self.game)
        require_date(self.date)
        for side, player, setup in zip(SIDES, self.players, self.setups, strict=True):
            require_line(f"The name of {side}", player)
            require_setup(side, setup)
        for name, value in self.options.items():
            require_option(name, value)
        for comment in self.comments:
            require_line("A comment", comment)
        if self.result is not None:
            require_line("The reason of the result", self.result.reason)
        if any(turn.is_open for turn in self.turns[:-1]):
            raise ValueError("Only the last turn of a record can be open")

    def __hash__(self) -> int:
        return hash((self.game, self.players, self.setups, self.turns, self.date))

    def with_turn(self, turn: Turn) -> Record:
        """The record with one more turn; an open last turn is replaced."""
        before = self.turns[:-1] if self.turns and self.turns[-1].is_open else self.turns
        return replace(self, turns=(*before, turn))


def turn_label(at: int) -> str:
    """How the turn at that place is numbered, counted from 0.

    >>> turn_label(0), turn_label(1), turn_label(2)
    ('1s', '1n', '2s')
    """
    return f"{at // 2 + 1}{SIDES[at % 2][0]}"


def write_record(record: Record) -> str:
    """The text file of a record; `read_record` gives the same record back."""
    lines = [VERSION_LINE, f"game: {record.game}"]
    lines += [f"option {name}: {value}" for name, value in record.options.items()]
    if record.date:
        lines.append(f"date: {record.date}")
    lines += [f"{side}: {player}" for side, player in zip(SIDES, record.players, strict=True)]
    lines += [f"setup {side}: {setup}" for side, setup in zip(SIDES, record.setups, strict=True)]
    lines += [f"{COMMENT_MARK} {comment}" for comment in record.comments]
    lines.append("")
    lines += [_turn_line(at, turn) for at, turn in enumerate(record.turns)]
    lines += [f"result: {result_text(record.result)}", END_LINE]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def result_text(result: Result | None) -> str:
    """A result in words: ``south wins, flag captured``, ``draw, agreed``, ``unfinished``."""
    if result is None:
        return UNFINISHED
    verdict = f"{result.winner} wins" if result.winner else "draw"
    return f"{verdict}, {result.reason}" if result.reason else verdict


def record_actions(game: Game, record: Record) -> tuple[tuple[Action, ...], ...]:
    """The actions of every turn; `NotationError` names the turn that is none in this game."""
    return turns_actions(game, [turn.text for turn in record.turns])


def turns_actions(game: Game, texts: Sequence[str]) -> tuple[tuple[Action, ...], ...]:
    """The actions of turns in their order, South's first; an error's line is the place of the turn."""
    turns = []
    for at, text in enumerate(texts):
        try:
            turns.append(read_turn(game, text))
        except NotationError as error:
            reason = f"turn {turn_label(at)}: {error.reason}"
            raise NotationError(reason, line=at + 1, column=error.column, expected=error.expected) from None
    return tuple(turns)


def require_line(what: str, text: str) -> None:
    """Refuse a text that does not fit on one line or would come back changed."""
    bad = first_unprintable(text)
    if bad is not None:
        raise ValueError(
            f"{what} holds the character {text[bad]!r}; leave out line breaks and control characters"
        )
    if text != text.strip():
        raise ValueError(f"{what} begins or ends with a blank; leave it out")


def first_unprintable(text: str) -> int | None:
    """Where the first character stands that has no place in a line of text, if there is one."""
    if text.isprintable():
        return None
    return next((at for at, letter in enumerate(text) if is_unprintable(letter)), None)


def is_unprintable(letter: str) -> bool:
    """Whether a character has no place in a line of text; a tab has."""
    return letter != "\t" and unicodedata.category(letter) in _UNPRINTABLE


def require_size(text: str | bytes) -> None:
    """Refuse a text that is too long to be a record."""
    if len(text) > MAX_RECORD_SIZE:
        units = "characters" if isinstance(text, str) else "bytes"
        raise NotationError(
            f"the record has {len(text)} {units}", expected=f"at most {MAX_RECORD_SIZE}, comments included"
        )


def require_game(game: str) -> None:
    """Refuse a text that cannot be the id of a game."""
    require_line("The game", game)
    if not GAME_ID.fullmatch(game):
        raise ValueError(f"{quoted(game)} is not the id of a game, such as onyx/classic")


def require_date(date: str) -> None:
    """Refuse what is not a day of the calendar; an empty text means unknown."""
    try:
        is_right = not date or calendar_date.fromisoformat(date).isoformat() == date
    except ValueError:
        is_right = False
    if not is_right:
        raise ValueError(f"{quoted(date)} is not a date; write year, month and day like 2026-11-15")


def require_setup(side: str, setup: str) -> None:
    """Refuse a setup that is missing or not in one piece."""
    require_line(f"The setup of {side}", setup)
    if not setup or any(letter.isspace() for letter in setup):
        raise ValueError(f"The setup of {side} must be one word of letters, rows joined by slashes")


def require_option(name: str, value: str) -> None:
    """Refuse an option whose name or value cannot stand in a record."""
    if not OPTION_NAME.fullmatch(name):
        raise ValueError(f"{quoted(name)} is not the name of an option; names are like two_square_limit")
    require_line(f"Option {name}", value)
    if not value:
        raise ValueError(f"Option {name} has no value; leave it out or give one")


def _turn_line(at: int, turn: Turn) -> str:
    mark = f" {OPEN_MARK}" if turn.is_open else ""
    comment = f" {COMMENT_MARK} {turn.comment}" if turn.comment else ""
    return f"{turn_label(at)} {turn.text}{mark}{comment}"
