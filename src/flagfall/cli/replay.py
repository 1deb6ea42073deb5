"""`flagfall replay`: a recorded game turn by turn, as one of the viewers saw it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from flagfall.cli.output import console, print_json, say, warn
from flagfall.edition import Game
from flagfall.edition.load import game_finder
from flagfall.errors import UserError, sentence
from flagfall.match import load, to_record, walk
from flagfall.match.texts import AGREED, RESIGNED, TIME
from flagfall.notation import (
    NotationError,
    Record,
    describe_turn,
    draw,
    from_json,
    read_damaged_record,
    result_text,
    turn_label,
)
from flagfall.view.view import View, Viewer

VIEWERS: tuple[Viewer, ...] = ("south", "north", "watcher", "truth")
_AT_THE_TABLE = frozenset({RESIGNED, AGREED, TIME})
"""results that are not decided on the board"""


def replay(
    file: Path, viewer: str, number: int, turn: int | None, box: Path | None, *, step: bool, as_json: bool
) -> None:
    """Print a game."""
    viewer_name = next((known for known in VIEWERS if known == viewer), None)
    if viewer_name is None:
        raise UserError(f"Unknown viewer “{viewer}”; use {', '.join(VIEWERS)}.")
    record = read_any(file, number, viewer_name, box)
    game = game_finder(box)(record.game)
    if turn is not None and not 0 <= turn <= len(record.turns):
        raise UserError(f"There is no turn {turn} in {file}; give --turn 0 to {len(record.turns)}.")
    shown = positions(file, record, viewer_name, box, only=turn)
    if as_json:
        seen = list(shown)
        if turn is None:
            check_result(file, record, seen[-1][1])
        print_json([_facts(game, record, at, view) for at, view in seen])
        return
    south, north = record.shown_names
    say(f"{record.game}: {south} (South) against {north} (North), as {viewer_name}")
    for at, view in shown:
        _print_position(game, record, at, view)
        if step and console.is_terminal and not _wants_more():
            return
    if turn is None:
        check_result(file, record, view)
        say("")
        result = record.result
        say("Unfinished." if result is None else f"{result.winner.title() or 'Draw'}: {result.reason}.")


def _facts(game: Game, record: Record, at: int, view: View) -> dict[str, object]:
    return {
        "turn": at,
        "text": _text(record, at, view.viewer),
        "told": _told(game, at, view),
        "view": msgspec.to_builtins(view),
    }


def _print_position(game: Game, record: Record, at: int, view: View) -> None:
    say("")
    if at:
        say(f"{turn_label(at - 1)} {_text(record, at, view.viewer)}".rstrip())
        say(_told(game, at, view))
        comment = record.turns[at - 1].comment
        if comment and view.viewer == "truth":
            say(f"; {comment}")
    say(draw(game, view))


def _text(record: Record, at: int, viewer: Viewer) -> str:
    """Return a turn's text; it contains hidden choices, so only its own player and the truth get it."""
    is_own = viewer == ("south" if at % 2 else "north")
    if not at or not (is_own or viewer == "truth"):
        return ""
    turn = record.turns[at - 1]
    return f"{turn.text} …" if turn.is_open else turn.text


def _told(game: Game, at: int, view: View) -> str:
    """Return what the viewer saw of the turn, in words."""
    events = [event for event in view.last_turn if event.turn == at - 1]
    return describe_turn(game, events, view.viewer, view) if events else ""


def _wants_more() -> bool:
    try:
        console.input("Enter for the next turn … ")
    except EOFError:
        return False
    return True


def check_result(file: Path, record: Record, last: View) -> None:
    """Refuse a record whose result differs from the one on the board."""
    claimed = record.result
    if last.result is None and (claimed is None or claimed.reason in _AT_THE_TABLE):
        return
    if last.result != claimed:
        on_board, said = result_text(last.result), result_text(claimed)
        raise UserError(f"{file}: the record says “{said}”, but on the board it is “{on_board}”.")


def read_any(file: Path, number: int, viewer: Viewer, box: Path | None) -> Record:
    """Read a record, its JSON twin, a saved game, or one game of a results file.

    Of a damaged text record, read what is intact.
    """
    data = file.read_bytes()
    try:
        start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
        if start in (b"{", b"["):
            return _from_json_file(file, data, number, viewer, box)
        record, losses = read_damaged_record(data.replace(b"\r\n", b"\n"))
    except NotationError as error:
        what = (
            f"{file}: {error}" if _is_text(data) else f"{file} is not a text file; give a record of Flagfall."
        )
        raise UserError(what) from None
    for loss in losses:
        warn(f"{file}: {loss}")
    return _only(file, record, number)


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def _only(file: Path, record: Record, number: int) -> Record:
    if number != 1:
        raise UserError(f"{file} holds one game, not {number}; leave --game out.")
    return record


def _from_json_file(file: Path, data: bytes, number: int, viewer: Viewer, box: Path | None) -> Record:
    lines = [line for line in data.splitlines() if line.strip()]
    is_many = len(lines) > 1 and lines[0].rstrip().endswith(b"}")
    if b'"flagfall_match"' in data[:100]:
        return _only(file, _saved(file, data, viewer, box), number)
    if not is_many:
        return _only(file, from_json(_game_of(data)), number)
    if not 1 <= number <= len(lines):
        raise UserError(f"{file} holds {len(lines)} games, not {number}; give --game 1 to {len(lines)}.")
    try:
        return from_json(_game_of(lines[number - 1]))
    except NotationError as error:
        raise error.moved(number, 1) from None


def _game_of(line: bytes) -> bytes:
    """Return the record in a line of a results file; any other line as it is."""
    if not line.startswith(b'{"plan":'):
        return line
    try:
        return bytes(msgspec.json.decode(line, type=_OfMatch).record)
    except msgspec.DecodeError:
        return line


class UnfinishedGameError(UserError):
    """A saved game that is not over, so the truth may not be shown."""

    code = "unfinished-game"


class _OfMatch(msgspec.Struct):
    record: msgspec.Raw


def _saved(file: Path, data: bytes, viewer: Viewer, box: Path | None) -> Record:
    """Return a saved game as a record; the truth only when it is over."""
    match = load(data, game_finder(box))
    if match.is_over and not match.is_open:
        raise UserError(f"{file} is an aborted game, so there is nothing to replay.")
    if viewer == "truth" and not match.is_over:
        raise UnfinishedGameError(
            f"{file} is a saved game that is not over, so the truth stays hidden; look with --as south, "
            f"--as north or --as watcher, or continue it with flagfall play --resume {file}."
        )
    return to_record(match)


def positions(
    file: Path, record: Record, viewer: Viewer, box: Path | None, only: int | None = None
) -> Iterator[tuple[int, View]]:
    """Yield the View after every turn, from the start, or after ``only`` one."""
    views = enumerate(walk(record, viewer, game_finder(box)))
    while True:
        try:
            at, view = next(views)
        except StopIteration:
            return
        except ValueError as error:
            raise UserError(f"{file}: {sentence(error)}") from None
        if only in (None, at):
            yield at, view
        if at == only:
            return
