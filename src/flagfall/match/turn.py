"""A turn on its way to the table: read, checked action by action, carried out.

Only the mover's View decides what a refusal says, so it tells nothing the mover could not know. For the same
reason nothing may follow an action that shows something new: were the rest refused, the player would have
looked for nothing.
"""

from __future__ import annotations

from flagfall.edition.options import Options
from flagfall.engine.action import Action
from flagfall.match.errors import RefusedError
from flagfall.match.explanations import explain_illegal
from flagfall.match.referee import Referee, Seen, is_quiet
from flagfall.notation.actions import write_action, write_turn
from flagfall.notation.errors import NotationError
from flagfall.notation.reading import read_turn
from flagfall.view.view import VIEWERS

MAX_TEXT = 400


def read_actions(referee: Referee, wanted: Action | str) -> tuple[Action, ...]:
    """The actions of a text, read with the mover's View."""
    if not isinstance(wanted, str):
        return (wanted,)
    if len(wanted) > MAX_TEXT:
        raise RefusedError(
            "unreadable", f"A turn has at most {MAX_TEXT} characters; write only your actions."
        )
    try:
        return read_turn(referee.game, wanted, referee.view(referee.mover))
    except NotationError as error:
        raise RefusedError("unreadable", str(error)) from None


def perform(referee: Referee, options: Options, actions: tuple[Action, ...]) -> tuple[str, Seen]:
    """Carry out actions of one turn on the table; their text, and what each viewer saw.

    If one of them is refused the table is left half-way: give a copy.
    """
    mover, strikes = referee.mover, referee.strikes(actions[0])
    seen: Seen = dict.fromkeys(VIEWERS, ())
    for at, action in enumerate(actions):
        if at and referee.is_fresh:
            raise RefusedError(
                "illegal", f"The turn ends with {_named(referee, actions[at - 1])}; leave out the rest."
            )
        if not referee.is_legal(action):
            raise RefusedError("illegal", explain_illegal(referee.game, referee.view(mover), action, options))
        if at + 1 < len(actions) and not is_quiet(referee.view(mover), action):
            raise RefusedError(
                "one-at-a-time",
                f"What follows {_named(referee, action)} depends on what it shows; play it alone first.",
            )
        seen = {viewer: seen[viewer] + events for viewer, events in referee.play(action).items()}
    return write_turn(referee.game, actions, is_attack=strikes), seen


def _named(referee: Referee, action: Action) -> str:
    return write_action(referee.game, action, is_attack=referee.strikes(action))
