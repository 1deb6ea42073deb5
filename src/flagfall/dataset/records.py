"""Read games from files: records as text or JSON, saved games, and the files of simulate, match and league.

A file may hold damaged games, and games of other boxes; each is left out with a reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Literal, NamedTuple

import msgspec

from flagfall.arena.simulate import prepared
from flagfall.dataset.arrow import DatasetError
from flagfall.dataset.description import Plan, RecordsFile
from flagfall.dataset.played import UNFINISHED, PlayedGame, space_of
from flagfall.edition import resolve
from flagfall.edition.versions import is_version
from flagfall.engine import play as engine
from flagfall.engine.action import Action
from flagfall.engine.state import State
from flagfall.engine.tables import Tables
from flagfall.errors import FlagfallError, sentence
from flagfall.match.records import to_record
from flagfall.match.saving import load
from flagfall.match.texts import AGREED, RESIGNED, TIME
from flagfall.notation import Record, from_json, read_record, record_actions, turn_label
from flagfall.notation.record import MAX_RECORD_SIZE, result_text
from flagfall.setups import read_setup
from flagfall.view.project import board_result

MAX_LINE_BYTES = 4 * MAX_RECORD_SIZE
"""of a line: a record, its plan, and what each action cost"""
_AT_THE_TABLE = frozenset({RESIGNED, AGREED, TIME})
"""results that are not decided on the board"""


class Found(NamedTuple):
    """A game in a file, not yet read."""

    number: int
    where: str
    """the file, and the line if there are several"""
    data: bytes
    """empty if it is too long"""


class OtherGameError(DatasetError):
    """A record is of another game, or has other options."""

    code = "other-game"


class _ResultLine(msgspec.Struct):
    record: msgspec.Raw
    winner: Literal["south", "north", ""] = ""
    reason: str = ""


def found_in(files: Sequence[Path]) -> Iterator[Found]:
    """Yield every game of the files, in order, with its number."""
    number = 0
    for file in files:
        for where, data in _texts(file):
            yield Found(number, where, data)
            number += 1


def _texts(file: Path) -> Iterator[tuple[str, bytes]]:
    with file.open("rb") as stream:
        if not _is_of_lines(stream):
            stream.seek(0)
            data = stream.read(MAX_LINE_BYTES + 1)
            yield str(file), data if len(data) <= MAX_LINE_BYTES else b""
            return
        stream.seek(0)
        number = 0
        while line := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            is_whole = len(line) <= MAX_LINE_BYTES
            while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE_BYTES + 1)
            if text := line.removeprefix(b"\xef\xbb\xbf").strip():
                yield f"{file}, line {number}", text if is_whole else b""


def _is_of_lines(stream: IO[bytes]) -> bool:
    """Return whether every line is a game: JSON, and not one object over several lines."""
    first = stream.readline(MAX_LINE_BYTES + 1).removeprefix(b"\xef\xbb\xbf").strip()
    if not first.startswith(b"{"):
        return False
    return first.endswith(b"}") or stream.readline(2).startswith(b"{")


def examined(file: Path) -> RecordsFile:
    """Return what identifies a file and how many games it holds."""
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256")
    return RecordsFile(file.name, sum(1 for _ in _texts(file)), digest.hexdigest())


def read(found: Found) -> tuple[Record, Literal["south", "north", ""], str]:
    """Return a record, and the result that its file gives, if any; `DatasetError` if it is damaged."""
    data = found.data
    try:
        if not data:
            raise DatasetError(f"it has more than {MAX_LINE_BYTES} bytes")
        if b'"flagfall_match"' in data[:100]:
            return _saved(data), "", ""
        if not data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
            return read_record(data.replace(b"\r\n", b"\n")), "", ""
        if data.startswith(b'{"plan":'):
            line = msgspec.json.decode(data, type=_ResultLine)
            return from_json(bytes(line.record)), line.winner, line.reason
        return from_json(data), "", ""
    except DatasetError:
        raise
    except (FlagfallError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DatasetError(str(error)) from None


def _saved(data: bytes) -> Record:
    """Return the record of a saved game, which must be over: until then nobody is shown the truth of it."""
    match = load(data)
    if match.result is None:
        raise DatasetError("it is a saved game that is not over; finish it first")
    return to_record(match)


def game_and_options(files: Sequence[Path]) -> tuple[str, dict[str, str]]:
    """Return the game and the options of the first record that can be read."""
    first = ""
    for found in found_in(files):
        try:
            record, _, _ = read(found)
        except DatasetError as error:
            first = first or f"{found.where}: {sentence(error)}"
            continue
        return record.game, dict(record.options)
    raise DatasetError(f"No game can be read. {first}" if first else "The files hold no games.")


def played(plan: Plan, found: Found) -> PlayedGame:
    """Return a recorded game; `DatasetError` if it is damaged or another game."""
    record, winner, reason = read(found)
    game, options, tables = prepared(plan.address, tuple(plan.options.items()))
    if not _is_same_game(record.game, game.id):
        raise OtherGameError(f"it is a game of {record.game}")
    try:
        theirs = resolve(game, record.options)
        if _rules(theirs.items()) != _rules(options.items()):
            raise OtherGameError("it is played with other options")
        setups = [read_setup(game, side, text) for side, text in enumerate(record.setups)]
        turns = record_actions(game, record)
    except OtherGameError:
        raise
    except FlagfallError as error:
        raise DatasetError(str(error)) from None
    state, _ = engine.deal(tables, setups[0].kinds, setups[1].kinds)
    actions = _numbered(plan, tables, state, record, turns)
    result = board_result(state)
    claimed = record.result
    if result != claimed and not (result is None and (claimed is None or claimed.reason in _AT_THE_TABLE)):
        raise DatasetError(
            f"it says “{result_text(claimed)}”, but on the board it is “{result_text(result)}”"
        )
    if claimed is not None:
        winner, reason = claimed.winner, claimed.reason
    is_forfeit = claimed is None and bool(winner)
    return PlayedGame(
        number=found.number,
        setups=record.setups,
        players=record.players,
        actions=actions,
        winner=winner,
        reason=reason or UNFINISHED,
        is_finished=claimed is not None or is_forfeit,
    )


def _is_same_game(recorded: str, game_id: str) -> bool:
    """Return whether a record is of a game; a server names the version of a box of its own."""
    box, _, name = recorded.partition("/")
    return recorded == game_id or (is_version(box) and name == game_id.partition("/")[2])


def _rules(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    return {name: value for name, value in pairs if name != "clock"}


def _numbered(
    plan: Plan, tables: Tables, state: State, record: Record, turns: Sequence[Sequence[Action]]
) -> list[int]:
    """Play the turns of a record on a State and return the numbers of the actions."""
    space, found = space_of(plan), list[int]()
    for at, actions in enumerate(turns):
        label = turn_label(at)
        for action in actions:
            if state.is_over:
                raise DatasetError(f"turn {label} comes after the end of the game")
            if action.pack() not in engine.legal_actions(tables, state):
                raise DatasetError(f"turn {label} is not legal")
            found.append(space.encode(action, state.side))
            engine.play(tables, state, action.pack())
        if state.is_turn_open != record.turns[at].is_open:
            how = "not finished" if state.is_turn_open else "finished, but marked as open"
            raise DatasetError(f"turn {label} is {how}")
    return found
