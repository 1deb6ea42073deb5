"""Messages of the engine protocol, one per line, read and written (docs/engine-protocol.md).

>>> line = write_event(SeenEvent("move", 3, side="north", piece="d7", origin="d7", target="d6"))
>>> line
'event move turn=3 side=north piece=d7 from=d7 to=d6'
>>> read_event(line.split()[1:]).target
'd6'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from flagfall.edition import Game
from flagfall.engine.action import Action
from flagfall.errors import FlagfallError, quoted
from flagfall.notation import NotationError, action_text, read_turn
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenEvent, View

VERSION = 1
HELLO = "flagfall"
READY = "flagfallok"
MAX_LINE = 20_000
"""characters of one message; a line with all legal actions has up to about 6,000"""
MAX_WORDS = 2_000
"""words of one message; a list of legal actions has some hundreds"""
_FIELDS = {"from": "origin", "to": "target"}
_TEXTS = ("side", "piece", "origin", "target", "kind", "detail")


class ProtocolError(FlagfallError):
    """A line that cannot be read; the message says what was expected."""

    code = "bad-line"


def split_line(line: str) -> list[str]:
    """Return the words of a message; `ProtocolError` if it is too long."""
    if len(line) > MAX_LINE:
        raise ProtocolError(f"A line has at most {MAX_LINE} characters; this one is longer.")
    words = line.split(maxsplit=MAX_WORDS)
    if len(words) > MAX_WORDS:
        raise ProtocolError(f"A line has at most {MAX_WORDS} words; this one has more.")
    return words


def read_lines(readline: Callable[[int], str]) -> Iterator[str]:
    """Yield the lines of a stream; the rest of an overlong line is discarded, to save memory.

    ``readline`` reads a line, or at most as many characters as requested.
    """
    while line := readline(MAX_LINE + 1):
        rest = line
        while rest and len(rest) > MAX_LINE and not rest.endswith("\n"):
            rest = readline(MAX_LINE + 1)
        yield line


def write_event(event: SeenEvent) -> str:
    """Return an event as a line; blanks in a value are written ``_``."""
    words = ["event", event.what.replace(" ", "_"), f"turn={event.turn}"]
    names = {field: word for word, field in _FIELDS.items()}
    for field in _TEXTS:
        if value := getattr(event, field):
            words.append(f"{names.get(field, field)}={value.replace(' ', '_')}")
    return " ".join(words)


def read_event(words: Sequence[str], turn: int = 0) -> SeenEvent:
    """Return the event of a line without its first word; ``turn`` is the default turn."""
    if not words:
        raise ProtocolError("“event” needs a name, such as event move piece=d7 to=d6.")
    pairs = read_pairs(words[1:])
    number = whole(pairs.pop("turn", str(turn)), "turn")
    facts = {_FIELDS.get(name, name): value for name, value in pairs.items()}
    unknown = sorted(set(facts) - set(_TEXTS))
    if unknown:
        raise ProtocolError(f"An event has no {quoted(unknown[0])}; it has from, to and {', '.join(_TEXTS)}.")
    side = read_side(facts.pop("side")) if "side" in facts else None
    if "detail" in facts:
        facts["detail"] = facts["detail"].replace("_", " ")
    return SeenEvent(words[0], number, side=side, **facts)


def read_pairs(words: Iterable[str]) -> dict[str, str]:
    """Return ``name=value`` words as a dictionary."""
    found = {}
    for word in words:
        name, mark, value = word.partition("=")
        if not mark or not name:
            raise ProtocolError(f"{quoted(word)} is not name=value.")
        found[name] = value
    return found


def read_side(text: str) -> Side:
    """Return a side by name."""
    if text in SIDES:
        return Side(text)
    raise ProtocolError(f"{quoted(text)} is not a side; sides are south and north.")


def whole(text: str, what: str) -> int:
    """Return a whole number."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ProtocolError(f"{quoted(text)} is not a number for {what}.")
    return int(text)


def action_of(game: Game, view: View, text: str) -> Action:
    """Return the single action of a text; `ProtocolError` if it is none."""
    try:
        actions = read_turn(game, text, view)
    except NotationError as problem:
        raise ProtocolError(f"{quoted(text)} cannot be read: {problem}") from None
    if len(actions) != 1:
        raise ProtocolError(f"{quoted(text)} is {len(actions)} actions; send one at a time.")
    return actions[0]


def legal_line(game: Game, view: View) -> str:
    """Return all legal actions as one line."""
    return "legal " + ", ".join(action_text(game, view, action) for action in view.legal)
