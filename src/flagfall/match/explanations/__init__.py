"""Why an action is not possible, in one sentence to the player who tried it: what, where, what is right.

Looks only at that player's View, and so cannot tell what the player may not know. The sentence is for people;
whether an action is legal is decided by the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flagfall.edition.options import Options, resolve
from flagfall.edition.schema import Game
from flagfall.engine import action as A
from flagfall.engine.action import Action
from flagfall.match.explanations.aims import why_no_power
from flagfall.match.explanations.attempt import Attempt
from flagfall.match.explanations.choices import why_not_chosen, why_nothing_to_choose
from flagfall.match.explanations.moves import why_no_attack, why_no_move, why_not_from
from flagfall.match.explanations.powers import why_no_rescue, why_no_spot, why_no_two_step
from flagfall.match.texts import verdict
from flagfall.view.view import View

_CHOICES = frozenset({A.DONE, A.CHOOSE_KIND, A.CHOOSE_CELL})
_WITHOUT_ORIGIN = frozenset({A.ADVANCE})
_REASONS: Mapping[int, Callable[[Attempt], str]] = {
    A.MOVE: why_no_move,
    A.ATTACK: why_no_attack,
    A.SPOT: why_no_spot,
    A.RESCUE: why_no_rescue,
    A.TWO_STEP: why_no_two_step,
}


def explain_illegal(game: Game, view: View, action: Action, options: Options | None = None) -> str:
    """Why the owner of the View cannot do that now; without options the game's usual ones are meant."""
    attempt = Attempt(game, options or resolve(game, {}), view, action)
    if view.result is not None:
        return f"The game is over: {verdict(view.result)}."
    if view.viewer != view.to_move:
        return f"It is {view.to_move.title}'s turn; wait until {view.to_move.title} has moved."
    if action in view.legal:
        return "That is possible; play it."
    if view.prompt is not None:
        return why_not_chosen(attempt, view.prompt)
    if action.verb in _CHOICES:
        return why_nothing_to_choose(attempt)
    if action.verb not in _WITHOUT_ORIGIN and (wrong := why_not_from(attempt, action.origin)):
        return wrong
    return _REASONS.get(action.verb, why_no_power)(attempt)
