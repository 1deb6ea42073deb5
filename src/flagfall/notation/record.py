"""A record: one whole game as a value, and as a text file for people.

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

Each turn has a line: ``s`` for South, who begins, and ``n`` for North. An unfinished turn comes last and
ends in ``…``. A game without a result has ``result: unfinished``, a training game
``training: yes`` before its date. The line ``end`` shows that nothing was cut
off.

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
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date as calendar_date

from flagfall.edition.schema import Game
from flagfall.engine.action import Action
from flagfall.errors import quoted
from flagfall.notation.errors import NotationError
from flagfall.notation.names import player_name
from flagfall.notation.reading import check_turn, read_turn
from flagfall.sides import SIDES
from flagfall.view.view import Result

VERSION = 1
VERSION_LINE = f"flagfall record {VERSION}"
END_LINE = "end"
TRAINING_LINE = "training: yes"
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
    """the turn was not finished; only the last one can be open"""

    def __post_init__(self) -> None:
        require_line("The comment of a turn", self.comment)
        require_line("A turn", self.text)
        if COMMENT_MARK in self.text:
            raise ValueError(f"A turn cannot contain “{COMMENT_MARK}”; put remarks into its comment")
        if self.text.endswith("..."):
            raise ValueError("Mark an unfinished turn with is_open, not with dots in its text")
        check_turn(self.text)


@dataclass(frozen=True)
class Record:
    """A game from setup to result, complete enough to replay it.

    ``options`` holds what differs from the game's defaults. ``players`` and ``setups`` are South's and
    North's; setups are the compact texts of `flagfall.setups`. ``result`` is None while the game is
    unfinished.
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
    is_training: bool = False
    """hints and taking back were allowed"""

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

    @property
    def shown_names(self) -> tuple[str, str]:
        """The names of South and North as people read them."""
        south, north = map(player_name, self.players)
        return south, north

    def __hash__(self) -> int:
        return hash((self.game, self.players, self.setups, self.turns, self.date))

    def with_turn(self, turn: Turn) -> Record:
        """Return the record with one more turn; it replaces an open last turn."""
        before = self.turns[:-1] if self.turns and self.turns[-1].is_open else self.turns
        return replace(self, turns=(*before, turn))


def turn_label(at: int) -> str:
    """Return the label of a turn; ``at`` counts from 0.

    >>> turn_label(0), turn_label(1), turn_label(2)
    ('1s', '1n', '2s')
    """
    return f"{at // 2 + 1}{SIDES[at % 2][0]}"


def write_record(record: Record) -> str:
    """Return a record as text; `read_record` reads it back."""
    lines = [VERSION_LINE, f"game: {record.game}"]
    lines += [f"option {name}: {value}" for name, value in record.options.items()]
    if record.is_training:
        lines.append(TRAINING_LINE)
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
    """Return a result in words: ``south wins, flag captured``, ``draw, agreed``, ``unfinished``."""
    if result is None:
        return UNFINISHED
    verdict = f"{result.winner} wins" if result.winner else "draw"
    return f"{verdict}, {result.reason}" if result.reason else verdict


def record_actions(game: Game, record: Record) -> tuple[tuple[Action, ...], ...]:
    """Return the actions of every turn; a `NotationError` has the number of the wrong turn as its line."""
    turns = []
    for at, turn in enumerate(record.turns):
        try:
            turns.append(read_turn(game, turn.text))
        except NotationError as error:
            reason = f"turn {turn_label(at)}: {error.reason}"
            raise NotationError(reason, line=at + 1, column=error.column, expected=error.expected) from None
    return tuple(turns)


def require_line(what: str, text: str) -> None:
    """Refuse a text that does not fit on one line or would come back changed."""
    bad = first_unprintable(text)
    if bad is not None:
        found = f"{what} contains the character {text[bad]!r}"
        raise ValueError(f"{found}; leave out line breaks and control characters")
    if text != text.strip():
        raise ValueError(f"{what} begins or ends with a blank; leave it out")


def first_unprintable(text: str) -> int | None:
    """Return the position of the first character that cannot be part of a line; None if all can."""
    if text.isprintable():
        return None
    return next((at for at, letter in enumerate(text) if is_unprintable(letter)), None)


def is_unprintable(letter: str) -> bool:
    """Return whether a character cannot be part of a line of text; a tab can."""
    return letter != "\t" and unicodedata.category(letter) in _UNPRINTABLE


def require_size(text: str | bytes) -> None:
    """Refuse a text that is too long to be a record."""
    if len(text) > MAX_RECORD_SIZE:
        size = f"{len(text)} {'characters' if isinstance(text, str) else 'bytes'}"
        raise NotationError(f"the record has {size}", expected=f"at most {MAX_RECORD_SIZE} with comments")


def require_game(game: str) -> None:
    """Refuse a text that cannot be the id of a game."""
    require_line("The game", game)
    if not GAME_ID.fullmatch(game):
        raise ValueError(f"{quoted(game)} is not the id of a game, such as onyx/classic")


def require_date(date: str) -> None:
    """Refuse a text that is not a date; an empty one means unknown."""
    try:
        is_right = not date or calendar_date.fromisoformat(date).isoformat() == date
    except ValueError:
        is_right = False
    if not is_right:
        raise ValueError(f"{quoted(date)} is not a date; write year, month and day like 2026-11-15")


def require_setup(side: str, setup: str) -> None:
    """Refuse a setup that is empty or contains blanks."""
    require_line(f"The setup of {side}", setup)
    if not setup or any(letter.isspace() for letter in setup):
        raise ValueError(f"The setup of {side} must be one word of letters, rows joined by slashes")


def require_option(name: str, value: str) -> None:
    """Refuse a name or value that no option can have."""
    if not OPTION_NAME.fullmatch(name):
        raise ValueError(f"{quoted(name)} is not the name of an option; names are like two_square_limit")
    require_line(f"Option {name}", value)
    if not value:
        raise ValueError(f"Option {name} has no value; leave it out or give one")


def _turn_line(at: int, turn: Turn) -> str:
    mark = f" {OPEN_MARK}" if turn.is_open else ""
    comment = f" {COMMENT_MARK} {turn.comment}" if turn.comment else ""
    return f"{turn_label(at)} {turn.text}{mark}{comment}"
