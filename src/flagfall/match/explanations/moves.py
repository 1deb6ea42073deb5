"""Why a piece cannot go or strike there: what is wrong with its square, with the way, with the repetition."""

from __future__ import annotations

from flagfall.board import cell_name, column_of, row_of
from flagfall.match.explanations.attempt import Attempt

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def why_not_from(attempt: Attempt, origin: int) -> str:
    """What is wrong with the square an action starts from; empty if nothing is."""
    if not attempt.is_square(origin):
        return off_board(attempt)
    name, piece = cell_name(origin), attempt.at(origin)
    if piece is None:
        return f"No piece stands on {name}; name the square of one of your own pieces."
    if piece.side != attempt.view.to_move:
        return f"The piece on {name} is not yours; move one of your own."
    if not attempt.kind_at(origin).is_mobile:
        return f"Your {attempt.name_at(origin)} on {name} never moves; choose another piece."
    return ""


def why_not_to(attempt: Attempt, target: int, *, reach: int = 0) -> str:
    """What is wrong with the way of a step, run or strike; empty if nothing is.

    ``reach`` is how far the piece may go; 0 for as far as its kind goes.
    """
    origin = attempt.action.origin
    if not attempt.is_square(target):
        return off_board(attempt)
    start, end, who = cell_name(origin), cell_name(target), attempt.name_at(origin)
    instead = attempt.instead(origin)
    if target == origin:
        return f"Your {who} stands on {start} already; {instead}."
    if target in attempt.game.board.zones:
        zone = attempt.game.edition.words["zone"]
        return f"{end} is a {zone}, which no piece may enter; {instead}."
    columns, rows = column_of(target) - column_of(origin), row_of(target) - row_of(origin)
    if columns and rows:
        way = "diagonal" if abs(columns) == abs(rows) else "not along one row or column"
        return f"From {start} to {end} is {way}, and pieces move straight; {instead}."
    if attempt.is_own(target):
        return f"Your own {attempt.name_at(target)} stands on {end}; {instead}."
    length = abs(columns + rows)
    is_runner = attempt.has_verb(origin, "run")
    if length > (reach or (length if is_runner else 1)):
        return f"Your {who} goes one square at a time, and from {start} to {end} it is {length}; {instead}."
    return _why_blocked(attempt, target, (target - origin) // length)


def _why_blocked(attempt: Attempt, target: int, way: int) -> str:
    origin = attempt.action.origin
    start, end = cell_name(origin), cell_name(target)
    for cell in range(origin + way, target, way):
        if not attempt.is_open(cell):
            what = f"a {attempt.game.edition.words['zone']}"
            if attempt.at(cell):
                what = "your own piece" if attempt.is_own(cell) else "an enemy piece"
            return (
                f"The way from {start} to {end} is blocked on {cell_name(cell)} by {what}; "
                f"{attempt.instead(origin)}."
            )
    if attempt.is_enemy(target) and target != origin + way and not _may_run_and_strike(attempt):
        return (
            f"Your {attempt.name_at(origin)} may not run and attack in one turn in this box; "
            f"move next to {end} first."
        )
    return ""


def why_barred(attempt: Attempt, target: int) -> str:
    """Which repetition rule forbids the move; empty if none does."""
    start, end = cell_name(attempt.action.origin), cell_name(target)
    for barred in attempt.view.barred:
        if (barred.origin, barred.target) != (start, end):
            continue
        instead = "do something else this turn"
        if barred.rule == "chase":
            return f"{start}-{end} would bring back an earlier position of this chase: chase rule; {instead}."
        limit = attempt.options.number("two_square_limit")
        nth = _ORDINALS[limit] if limit else "another"
        return f"{nth.capitalize()} move between {start} and {end}: two-square rule; {instead}."
    return ""


def why_no_move(attempt: Attempt) -> str:
    """Why a MOVE is not possible."""
    origin, target = attempt.action.origin, attempt.action.target
    if attempt.is_enemy(target) and not why_not_to(attempt, target):
        return f"An enemy stands on {cell_name(target)}; attack it with {_written(origin, target, 'x')}."
    return why_not_to(attempt, target) or why_barred(attempt, target) or otherwise(attempt)


def why_no_attack(attempt: Attempt) -> str:
    """Why an ATTACK is not possible."""
    origin, target = attempt.action.origin, attempt.action.target
    wrong = why_not_to(attempt, target)
    if not wrong and attempt.at(target) is None:
        move = _written(origin, target, "-")
        return f"Nothing stands on {cell_name(target)} to attack; move there with {move}."
    return wrong or why_barred(attempt, target) or otherwise(attempt)


def off_board(attempt: Attempt) -> str:
    """Said of a square that is none."""
    corner = cell_name(max(attempt.game.board.cells()))
    return f"That is not a square of this board; squares run from a1 to {corner}."


def otherwise(attempt: Attempt) -> str:
    """Said where nothing more precise is known."""
    origin = attempt.action.origin
    return f"Your {attempt.name_at(origin)} cannot do that now; {attempt.instead(origin)}."


def _may_run_and_strike(attempt: Attempt) -> bool:
    powers = attempt.game.abilities(attempt.kind_at(attempt.action.origin))
    return any(power.verb == "run" and power.parameters.get("attack", True) for power in powers)


def _written(origin: int, target: int, mark: str) -> str:
    return f"{cell_name(origin)}{mark}{cell_name(target)}"
