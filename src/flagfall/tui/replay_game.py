"""Replay: a recorded game turn by turn, as one of the viewers saw it, or as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from flagfall.match import Refusal, walk
from flagfall.notation import (
    NotationError,
    Record,
    describe_turn,
    draw,
    from_json,
    read_damaged_record,
    turn_label,
)
from flagfall.tui.boxes import finder
from flagfall.tui.output import console, errors, print_json, say
from flagfall.view.view import View, Viewer

VIEWERS: tuple[Viewer, ...] = ("south", "north", "watcher", "truth")


def replay(
    file: Path, viewer: str, number: int, turn: int | None, box: Path | None, *, step: bool, as_json: bool
) -> None:
    """Print a game."""
    eyes = next((known for known in VIEWERS if known == viewer), None)
    if eyes is None:
        raise Refusal("unknown-seat", f"Nobody is called “{viewer}”; look as {', '.join(VIEWERS)}.")
    record = read_any(file, number)
    find = finder(box)
    game = find(record.game)
    if turn is not None and not 0 <= turn <= len(record.turns):
        raise NotationError(
            f"the game has {len(record.turns)} turns, not {turn}", expected=f"--turn 0 to {len(record.turns)}"
        )
    shown = positions(record, eyes, box, only=turn)
    if as_json:
        print_json(
            [{"turn": at, "text": text, "view": msgspec.to_builtins(view)} for at, text, view in shown]
        )
        return
    say(f"{record.game}: {record.players[0]} (South) against {record.players[1]} (North), as {eyes}")
    for at, text, view in shown:
        say("")
        if text:
            say(f"{turn_label(at - 1)} {text}".rstrip() if eyes == "truth" else turn_label(at - 1))
            say(describe_turn(game, view.last_turn, eyes, view))
        say(draw(game, view))
        if step and console.is_terminal:
            console.input("Enter for the next turn … ")
    if turn is None:
        result = record.result
        say("")
        say("Unfinished." if result is None else f"{result.winner.title() or 'Draw'}: {result.reason}.")


def read_any(file: Path, number: int) -> Record:
    """A record, its JSON twin, or one game of a file with a game a line; what is whole of a damaged one."""
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    if text.lstrip().startswith("{"):
        return _from_json_file(file, text, number)
    record, losses = read_damaged_record(text)
    for loss in losses:
        errors.print(f"{file}: {loss}", soft_wrap=True, markup=False)
    return record


def _from_json_file(file: Path, text: str, number: int) -> Record:
    lines = [line for line in text.splitlines() if line.strip()]
    is_many = len(lines) > 1 and lines[0].rstrip().endswith("}") and lines[0].lstrip().startswith("{")
    if not is_many:
        return from_json(text)
    if not 1 <= number <= len(lines):
        raise NotationError(
            f"{file} holds {len(lines)} games, not {number}", expected=f"--game 1 to {len(lines)}"
        )
    try:
        return from_json(lines[number - 1])
    except NotationError as error:
        raise error.moved(number, 1) from None


def positions(
    record: Record, viewer: Viewer, box: Path | None, only: int | None = None
) -> Iterator[tuple[int, str, View]]:
    """The View after every turn, from the start; ``only`` one of them."""
    for at, view in enumerate(walk(record, viewer, finder(box))):
        if only is None or at == only:
            yield at, record.turns[at - 1].text if at else "", view
        if at == only:
            return
