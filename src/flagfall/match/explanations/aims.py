"""Why a power cannot be used there: who has it, how far it reaches, what is in the way."""

from __future__ import annotations

from flagfall.board import DIRECTION_NAMES, cell_name, column_of, row_of
from flagfall.edition.combat import setting
from flagfall.edition.schema import Power
from flagfall.edition.texts import kind_names, listed
from flagfall.edition.verbs import VERB_BY_CODE, power_verb
from flagfall.engine import action as A
from flagfall.match.explanations.attempt import Attempt
from flagfall.match.explanations.moves import why_barred, why_not_to

_LISTED = 6


def why_no_power(attempt: Attempt) -> str:
    """Why a power other than spotting, rescuing and stepping twice is not possible."""
    verb = VERB_BY_CODE[attempt.action.verb]
    powers = [
        power for power in attempt.game.powers() if power.verb == verb.primitive and power_verb(power) == verb
    ]
    word = verb.word or verb.token
    if not powers:
        return f"Nobody can {word} in this game; move or attack instead."
    if verb.form == "advance":
        return _why_no_advance(attempt, powers[0])
    kind = attempt.kind_at(attempt.action.origin)
    own = [power for power in attempt.game.abilities(kind) if power in powers]
    if not own:
        able = [
            kind_names(attempt.game, kind)
            for kind in attempt.game.kinds
            if any(power in powers for power in attempt.game.abilities(kind))
        ]
        return f"Your {attempt.name_at(attempt.action.origin)} cannot {word}; only {listed(able)} can."
    return _why_not_there(attempt, own[0])


def _why_not_there(attempt: Attempt, power: Power) -> str:
    form, target = VERB_BY_CODE[attempt.action.verb].form, attempt.action.target
    if not attempt.is_square(target):
        return f"That is off the board; {_offered(attempt, power)}."
    if form == "after step":
        return _why_no_strike_around(attempt, power)
    if form == "path":
        return _why_no_flight(attempt, power)
    return _why_no_aim(attempt, power)


def _why_no_strike_around(attempt: Attempt, power: Power) -> str:
    target = attempt.action.target
    wrong = why_not_to(attempt, target, reach=1) or why_barred(attempt, target)
    if wrong:
        return wrong
    if not attempt.is_open(target):
        return f"{power.name} begins with a step to an empty square; {_offered(attempt, power)}."
    return f"Nobody stands around {cell_name(target)} to strike; {_offered(attempt, power)}."


def _why_no_flight(attempt: Attempt, power: Power) -> str:
    origin, target = attempt.action.origin, attempt.action.target
    if barred := why_barred(attempt, target):
        return barred
    if not attempt.is_open(target):
        return f"{cell_name(target)} is not an empty square; {_offered(attempt, power)}."
    if power.verb == "teleport":
        return f"{cell_name(target)} is out of reach; {_offered(attempt, power)}."
    if column_of(origin) != column_of(target) and row_of(origin) != row_of(target):
        return f"{power.name} goes in a straight line; {_offered(attempt, power)}."
    over = "pieces or zones" if setting(power, "over_zones", attempt.options) else "pieces"
    return (
        f"{power.name} goes over an unbroken row of {over} to the first empty square behind them; "
        f"{_offered(attempt, power)}."
    )


def _why_no_aim(attempt: Attempt, power: Power) -> str:
    origin, target = attempt.action.origin, attempt.action.target
    name, piece = cell_name(target), attempt.at(target)
    if piece is None or piece.side == attempt.view.to_move:
        return f"No enemy stands on {name}; {_offered(attempt, power)}."
    across, along = abs(column_of(origin) - column_of(target)), abs(row_of(origin) - row_of(target))
    if max(across, along) > 2:
        return f"{name} is further away than two squares; {_offered(attempt, power)}."
    if power.verb == "convert" and piece.is_converted:
        return f"The piece on {name} has changed sides already and stays; {_offered(attempt, power)}."
    if power.verb == "convert" and _is_used_up(attempt, power):
        return f"You have used {power.name} as often as this game allows; move or attack instead."
    if setting(power, "reach", attempt.options) == "lines" and 0 not in (across, along) and across != along:
        return f"{name} does not lie on a straight line; {_offered(attempt, power)}."
    if power.verb == "strike" and power.parameters["blocked"]:
        return f"A piece stands in the way to {name}; {_offered(attempt, power)}."
    return f"You have seen the piece on {name} before; {_offered(attempt, power)}."


def _is_used_up(attempt: Attempt, power: Power) -> bool:
    cap = setting(power, "cap", attempt.options)
    return isinstance(cap, int) and 0 < cap <= attempt.view.conversions[attempt.side]


def _why_no_advance(attempt: Attempt, power: Power) -> str:
    ways = [DIRECTION_NAMES[act.choice] for act in attempt.view.legal if act.verb == A.ADVANCE]
    if not ways:
        return f"You have no piece left with {power.name}; move or attack instead."
    return f"The two-square rule forbids that way; advance {listed(ways, 'or')}."


def _offered(attempt: Attempt, power: Power) -> str:
    """Where the power can be used from that square."""
    act = attempt.action
    offers = [one for one in attempt.view.legal if (one.verb, one.origin) == (act.verb, act.origin)]
    squares = [cell_name(one.target) for one in offers]
    if not squares:
        return f"{power.name} can be used nowhere from {cell_name(act.origin)} now"
    more = f" or {len(squares) - _LISTED} other squares" if len(squares) > _LISTED else ""
    return f"choose {listed(squares[:_LISTED], 'or')}{more}"
