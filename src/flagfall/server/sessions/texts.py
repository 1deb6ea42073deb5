"""Short words around the board: what is asked, what has been done in an open turn, which options differ.

Everything is said from the viewer's own View and from what everybody may know; a turn that goes on looks to
all others like any other turn.
"""

from __future__ import annotations

from functools import lru_cache

from flagfall.edition import Options, load_game, resolve
from flagfall.engine import action as A
from flagfall.match import Match
from flagfall.notation import describe_steps
from flagfall.sides import Side
from flagfall.view.view import View, Viewer

_ASKS = {
    "guess": "What stands on {cell}? Name it.",
    "rescue kind": "Which of your lost pieces comes back?",
    "rescue square": "Where does it come back?",
    "attack again": "Attack again, or end the turn.",
    "attack after landing": "Attack a neighbour of the landing square, or end the turn.",
    "target": "Whom do you strike?",
    "next": "Which piece goes next?",
}
_MAY_END = " Or end the turn."


def prompt_words(match: Match, view: View) -> str:
    """What this viewer is asked, or whom everybody waits for."""
    if match.phase == "over":
        return ""
    side = view.own_side
    if match.phase == "setup":
        if side is None:
            return "The armies are being set up."
        if side not in match.sealed:
            return "Place your pieces, then seal your setup."
        return f"Your setup is sealed. {match.seating.name(side.other)} is still setting up."
    if match.to_move != side or side is None:
        return f"{match.seating.name(view.to_move)} is thinking."
    if view.prompt is None:
        return "Your turn."
    asked = _ASKS.get(view.prompt.ask, "Your turn goes on.").format(cell=view.prompt.cell)
    may_end = any(action.verb == A.DONE for action in view.legal)
    return asked + (_MAY_END if may_end and "end the turn" not in asked else "")


def steps(match: Match, viewer: Viewer) -> tuple[str, ...]:
    """What the viewer, if it is the mover, has done so far in an open turn."""
    if match.to_move != viewer or not match.is_turn_open:
        return ()
    return describe_steps(match.game, Side(viewer), match.turns[-1].actions)


@lru_cache(maxsize=512)
def chips(game_id: str, options: Options) -> tuple[str, ...]:
    """Short words for every option that differs from the game's defaults.

    >>> from flagfall.edition import load_game, resolve
    >>> game = load_game("onyx/classic")
    >>> chips(game.id, resolve(game, {"rescue": "on", "clock": "10m+5s", "memory": "strict"}))
    ('memory: strict', '10m+5s', 'rescue')
    """
    usual = resolve(load_game(game_id, allow_files=False), {})
    return tuple(_chip(name, value) for name, value in options.items() if usual[name] != value)


def _chip(name: str, value: str) -> str:
    words = name.replace("_", " ")
    if name == "clock":
        return value
    return words if value == "on" else f"{words}: {value.replace('_', ' ')}"
