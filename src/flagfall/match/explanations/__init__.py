"""Why an action is not possible, in one sentence to the player who tried it: what, where, what is right.

Looks only at that player's View, and so cannot tell what the player may not know. The sentence is for people;
whether an action is legal is decided by the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flagfall.edition.options import Options, resolve
from flagfall.edition.schema import Game
from flagfall.edition.verbs import ROW_PRIMITIVES, VERB_BY_CODE, VERBS
from flagfall.engine import action as A
from flagfall.engine.action import Action
from flagfall.match.explanations.aims import why_no_power
from flagfall.match.explanations.attempt import Attempt
from flagfall.match.explanations.choices import why_not_chosen, why_nothing_to_choose
from flagfall.match.explanations.moves import why_no_attack, why_no_move, why_not_from
from flagfall.match.explanations.powers import why_no_rescue, why_no_spot, why_no_two_step
from flagfall.match.texts import verdict
from flagfall.view.view import View

REASONS: Mapping[int, Callable[[Attempt], str]] = {
    A.MOVE: why_no_move,
    A.ATTACK: why_no_attack,
    A.SPOT: why_no_spot,
    A.RESCUE: why_no_rescue,
    A.TWO_STEP: why_no_two_step,
    **{verb.code: why_nothing_to_choose for verb in VERBS if verb.is_answer},
    **{verb.code: why_no_power for verb in VERBS if verb.primitive in ROW_PRIMITIVES},
}
"""why an action of a verb is not legal at the start of a turn"""


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
    verb = VERB_BY_CODE.get(action.verb)
    has_origin = verb is None or not (verb.is_answer or verb.form == "advance")
    if has_origin and (wrong := why_not_from(attempt, action.origin)):
        return wrong
    if verb is None:
        return "Nobody can do that; move with an action such as d4-d5 or attack with d4xd5."
    return REASONS[verb.code](attempt)
