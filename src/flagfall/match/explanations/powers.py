"""Why a piece cannot spot, rescue or step twice there."""

from __future__ import annotations

from flagfall.board import DIRECTIONS, cell_name, row_of
from flagfall.edition.compile import RESCUES_PER_PLAYER
from flagfall.edition.texts import kind_names, listed
from flagfall.match.explanations.attempt import Attempt
from flagfall.match.explanations.moves import otherwise, why_barred, why_not_to


def why_no_spot(attempt: Attempt) -> str:
    """Why a SPOT is not possible."""
    origin, stands, way = attempt.action.origin, attempt.action.target, attempt.action.choice
    lacking = _why_no_power(attempt, "spot")
    if lacking:
        return lacking
    if stands != origin:
        wrong = why_not_to(attempt, stands, reach=1)
        if wrong:
            return wrong
        if attempt.is_enemy(stands):
            return f"An enemy stands on {cell_name(stands)}; step to an empty square, or spot without a step."
        if barred := why_barred(attempt, stands):
            return barred
    ahead = DIRECTIONS[2 * attempt.side]
    if not 0 <= way < len(DIRECTIONS):
        return "Spotting goes to a square next to the piece; name that square."
    spotted = stands + DIRECTIONS[way]
    who = attempt.name_at(origin)
    if not attempt.options.is_on("spot_any_side") and DIRECTIONS[way] != ahead:
        front = (
            f"; from {cell_name(stands)} that is {cell_name(stands + ahead)}"
            if attempt.is_square(stands + ahead)
            else ""
        )
        return f"Your {who} spots straight ahead only{front}."
    if not attempt.is_enemy(spotted):
        where = cell_name(spotted) if attempt.is_square(spotted) else "that side"
        return f"There is nothing to spot on {where}: no enemy stands there."
    return otherwise(attempt)


def why_no_rescue(attempt: Attempt) -> str:
    """Why a RESCUE is not possible."""
    origin, target = attempt.action.origin, attempt.action.target
    if not attempt.options.is_on("rescue"):
        return "There is no rescue in this game; leave out “rescue”."
    wrong = why_not_to(attempt, target) or why_barred(attempt, target)
    if wrong:
        return wrong
    row, who = attempt.game.board.back_row(1 - attempt.side), attempt.name_at(origin)
    if row_of(target) != row:
        return f"A rescue happens on row {row}, and {cell_name(target)} is not there; leave out “rescue”."
    if attempt.has_verb(origin, "run"):
        return f"Your {who} cannot rescue, because runners never do; leave out “rescue”."
    if attempt.is_enemy(target) and not attempt.options.is_on("rescue_on_strike"):
        return "In this game a rescue follows a move, not a fight; leave out “rescue”."
    return _why_nobody_returns(attempt) or (
        f"Your {who} has already rescued a piece, and each may do so once; leave out “rescue”."
    )


def why_no_two_step(attempt: Attempt) -> str:
    """Why a TWO_STEP is not possible."""
    origin, target, way = attempt.action.origin, attempt.action.target, attempt.action.choice
    steps_and_strikes = attempt.has_verb(origin, "spot") and attempt.options.is_on("spot_move_then_attack")
    if not steps_and_strikes and not attempt.has_verb(origin, "two-step"):
        return (
            f"Your {attempt.name_at(origin)} does not take two steps in one turn; {attempt.instead(origin)}."
        )
    middle = origin + (DIRECTIONS[way] if 0 <= way < len(DIRECTIONS) else 0)
    if not attempt.is_open(middle):
        where = f"{cell_name(middle)} between them" if attempt.is_square(middle) else "the first square"
        return f"The first step must go to an empty square, and {where} is none; {attempt.instead(origin)}."
    if target - middle not in DIRECTIONS:
        return f"The second step must start from {cell_name(middle)}; name a square next to it."
    if steps_and_strikes and not attempt.is_enemy(target):
        return f"After its step your {attempt.name_at(origin)} may only attack, and no enemy stands there."
    return why_barred(attempt, target) or otherwise(attempt)


def _why_no_power(attempt: Attempt, verb: str) -> str:
    able = [
        kind_names(attempt.game, kind)
        for kind in attempt.game.kinds
        if any(power.verb == verb for power in attempt.game.abilities(kind))
    ]
    if not able:
        return f"Nobody can {verb} in this game; move or attack instead."
    if attempt.has_verb(attempt.action.origin, verb):
        return ""
    return f"Your {attempt.name_at(attempt.action.origin)} cannot {verb}; only {listed(able)} can."


def _why_nobody_returns(attempt: Attempt) -> str:
    """Why no piece could come back at all, as far as the View tells."""
    view, board = attempt.view, attempt.game.board
    if view.rescues[attempt.side] >= RESCUES_PER_PLAYER:
        return f"You have made {RESCUES_PER_PLAYER} rescues, and there are no more; leave out “rescue”."
    lost = [piece.kind for piece in view.tray if piece.side == view.to_move]
    bombs = {kind.id for kind in attempt.game.kinds if kind.role == "bomb"}
    if not any(kind not in bombs for kind in lost):
        return "You have lost no piece that could come back; leave out “rescue”."
    rows = board.rows // 2 if attempt.options.get("rescue_zone", "home_rows") == "half" else None
    if not any(attempt.is_open(cell) for cell in board.home(attempt.side, rows)):
        return "No square is free for a piece that comes back; leave out “rescue”."
    return ""
