"""Why an answer does not fit what an open turn asks for."""

from __future__ import annotations

from flagfall.board import cell_name
from flagfall.edition.texts import listed
from flagfall.engine import action as A
from flagfall.match.explanations.attempt import Attempt
from flagfall.view.view import Prompt

_LISTED = 12


def why_not_chosen(attempt: Attempt, prompt: Prompt) -> str:
    """What the open turn asks for instead."""
    action, asked = attempt.action, _asked(attempt, prompt)
    if action.verb == A.CHOOSE_KIND and 0 <= action.choice < len(attempt.game.kinds):
        kind = attempt.game.kinds[action.choice]
        name = next(iter(kind.names.values()), kind.id)
        if prompt.ask == "guess":
            return f"The enemy army has no {name}; {asked}."
        if prompt.ask == "rescue kind":
            return f"You have no lost {name} to bring back; {asked}."
    if action.verb == A.CHOOSE_CELL and attempt.is_square(action.target):
        return f"{cell_name(action.target)} cannot be chosen here; {asked}."
    return f"Your turn is not finished; {asked}."


def why_nothing_to_choose(attempt: Attempt) -> str:
    """Said of a choice at the beginning of a turn."""
    if attempt.action.verb == A.DONE:
        return "Nothing has been done yet, and nobody may pass; make a move such as d4-d5."
    return "Nothing is to be chosen now; begin your turn with a move such as d4-d5."


def _asked(attempt: Attempt, prompt: Prompt) -> str:
    """What would be right, from what is offered."""
    legal = attempt.view.legal
    kinds = [attempt.game.kinds[act.choice] for act in legal if act.verb == A.CHOOSE_KIND]
    names = [next(iter(kind.names.values()), kind.id) for kind in kinds]
    squares = [cell_name(act.target) for act in legal if act.verb in (A.CHOOSE_CELL, A.ATTACK)]
    done = ", or say done" if any(act.verb == A.DONE for act in legal) else ""
    if prompt.ask == "guess":
        return f"say what stands on {prompt.cell}: {_some(names)}"
    if prompt.ask == "rescue kind":
        return f"say who comes back: {_some(names)}"
    if prompt.ask == "rescue square":
        return f"name an empty square for the piece that comes back: {_some(squares)}"
    return f"choose {_some(squares) or 'one of the actions offered'}{done}"


def _some(names: list[str]) -> str:
    if len(names) <= _LISTED:
        return listed(names, "or")
    return f"{', '.join(names[: _LISTED - 1])} or {len(names) - _LISTED + 1} others"
