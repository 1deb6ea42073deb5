"""The viewer's legal actions, spelt out, so that a client needs no rules and no numbering of squares."""

from __future__ import annotations

from flagfall.board import CELLS, DIRECTION_NAMES, DIRECTIONS, cell_name
from flagfall.edition import SIDE_NAMES, Game
from flagfall.edition.verbs import VERB_BY_CODE
from flagfall.engine import action as A
from flagfall.engine.action import VERB_NAMES, Action
from flagfall.notation import describe_action, write_action
from flagfall.server.api.messages import Choice
from flagfall.view.view import View

_NO_SQUARES = frozenset({A.DONE, A.CHOOSE_KIND, A.ADVANCE})


def choices(game: Game, view: View) -> tuple[Choice, ...]:
    """What the View's owner may do now."""
    return tuple(_choice(game, view, action) for action in view.legal)


def _choice(game: Game, view: View, action: Action) -> Choice:
    origin = (
        "" if action.verb in _NO_SQUARES or action.verb == A.CHOOSE_CELL else _square(game, action.origin)
    )
    target = "" if action.verb in _NO_SQUARES else _square(game, action.target)
    stands = ""
    if action.verb == A.SPOT:
        stands, target = target, _square(game, action.target + DIRECTIONS[action.choice])
    elif action.verb == A.TWO_STEP:
        stands = _square(game, action.origin + DIRECTIONS[action.choice])
    elif action.verb == A.ADVANCE:
        target = DIRECTION_NAMES[action.choice]
    struck = view.at(target) if target else None
    is_attack = struck is not None and struck.side != view.to_move and action.verb != A.SPOT
    kind = game.kinds[action.choice].id if action.verb == A.CHOOSE_KIND else ""
    return Choice(
        action=action.pack(),
        text=write_action(game, action, is_attack=is_attack),
        verb=VERB_NAMES[action.verb],
        origin=origin,
        target=target,
        stands=stands if stands != origin else "",
        kind=kind,
        power=_power(game, view, action, origin),
        is_attack=is_attack,
        is_likely=_is_likely(view, kind),
        words=describe_action(game, action, view),
    )


def _square(game: Game, cell: int) -> str:
    return cell_name(cell) if 0 <= cell < CELLS and cell in game.board else ""


def _power(game: Game, view: View, action: Action, origin: str) -> str:
    """Which power of the piece, or of any piece of the army for a group, an action uses."""
    wanted = VERB_BY_CODE[action.verb].primitive
    if not wanted:
        return ""
    piece = view.at(origin) if origin else None
    side = SIDE_NAMES.index(view.to_move)
    if piece is not None and piece.kind:
        kinds = [game.kinds[game.kind_index(piece.kind)]]
    else:
        kinds = [kind for at, kind in enumerate(game.kinds) if game.rosters[side][at]]
    found = [power.id for kind in kinds for power in game.abilities(kind) if power.verb == wanted]
    return found[0] if found else ""


def _is_likely(view: View, kind: str) -> bool:
    """Whether a guess agrees with what the guesser's own View says of the piece."""
    if not kind or view.prompt is None or view.prompt.ask != "guess":
        return True
    piece = view.at(view.prompt.cell)
    if piece is None:
        return True
    return piece.kind == kind if piece.kind else not piece.possible or kind in piece.possible
