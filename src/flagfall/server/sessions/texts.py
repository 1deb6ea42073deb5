"""Texts around the board: prompts, steps of an open turn, changed options, legal actions and phrases.

Everything comes from the viewer's own View and from public facts: to all others an open turn looks like any
other turn.
"""

from __future__ import annotations

from msgspec import UNSET

from flagfall.board import CELLS, DIRECTION_NAMES, DIRECTIONS, cell_name
from flagfall.edition import Game, Options, load_game, resolve
from flagfall.edition.option_table import Option, options_of
from flagfall.edition.verbs import VERB_BY_CODE
from flagfall.engine import action as A
from flagfall.engine.action import VERB_NAMES, Action
from flagfall.languages import cached_by_language, say
from flagfall.match import Match
from flagfall.match.previews import Preview, previews
from flagfall.notation import describe_action, describe_steps, write_action
from flagfall.server.api.messages.matches import Choice
from flagfall.sides import Side
from flagfall.view.view import View, Viewer

_ASKS = frozenset(
    {"guess", "rescue kind", "rescue square", "attack again", "attack after landing", "target", "next"}
)
"""questions with a message of their own"""
_NO_SQUARES = frozenset({A.DONE, A.CHOOSE_KIND, A.ADVANCE})

PHRASES = (
    "hello",
    "good-luck",
    "well-played",
    "nice-move",
    "oops",
    "wow",
    "close",
    "thinking",
    "sorry",
    "thanks",
    "good-game",
    "again",
    "bye",
)
"""what players can say: preset phrases, so that the chat needs no moderation"""


def phrase_words(phrase: str) -> str:
    """Return a preset phrase in words; empty if it is not known any more."""
    return say(f"table.phrase.{phrase}") if phrase in PHRASES else ""


def prompt_words(match: Match, view: View) -> str:
    """Return what this viewer is asked, or who is to move."""
    if match.phase == "over":
        return ""
    side = view.own_side
    if match.phase == "setup":
        if side is None:
            return say("table.setting-up")
        if side not in match.sealed:
            return say("table.set-up")
        return say("table.ready", other=match.seating.shown_name(side.other))
    if match.to_move != side or side is None:
        return say("table.thinking", name=match.seating.shown_name(view.to_move))
    return turn_words(view)


def turn_words(view: View) -> str:
    """Return what the side to move is asked, from its View."""
    if view.prompt is None:
        return say("table.your-turn")
    asked = view.prompt.ask.replace(" ", "-") if view.prompt.ask in _ASKS else "other"
    may_end = any(action.verb == A.DONE for action in view.legal)
    return say(f"table.ask.{asked}{'-or-end' if may_end else ''}", cell=view.prompt.cell)


def steps(match: Match, viewer: Viewer) -> tuple[str, ...]:
    """Return what the mover has done so far in an open turn; nothing for other viewers."""
    if match.to_move != viewer or not match.is_turn_open:
        return ()
    return describe_steps(match.game, Side(viewer), match.turns[-1].actions)


@cached_by_language(maxsize=512)
def changed_options(game_id: str, options: Options) -> tuple[str, ...]:
    """Return a few words for each option that differs from the game's defaults.

    >>> from flagfall.edition import load_game, resolve
    >>> game = load_game("onyx/classic")
    >>> changed_options(game.id, resolve(game, {"rescue": "on", "clock": "10m+5s", "memory": "strict"}))
    ('Memory: remember them yourself', '10m+5s', 'Rescue')
    """
    game = load_game(game_id, allow_files=False, allow_added=True)
    usual = resolve(game, {})
    return tuple(
        _option_words(option, options[option.name])
        for option in options_of(game)
        if options[option.name] != usual[option.name]
    )


def _option_words(option: Option, value: str) -> str:
    if option.name == "clock":
        return value
    label = option.labels.get(value, value.replace("_", " "))
    if value == "on":
        return option.shown_title
    return say("table.option", title=option.shown_title, label=label, small=label[:1].lower() + label[1:])


def choices(game: Game, view: View, options: Options) -> tuple[Choice, ...]:
    """Return the viewer's legal actions in full, so that a client needs no rules and no numbers of cells."""
    shown = previews(game, view, options)
    return tuple(_choice(game, view, action, shown.get(action)) for action in view.legal)


def _choice(game: Game, view: View, action: Action, preview: Preview | None) -> Choice:
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
        preview=UNSET if preview is None else preview,
    )


def _square(game: Game, cell: int) -> str:
    return cell_name(cell) if 0 <= cell < CELLS and cell in game.board else ""


def _power(game: Game, view: View, action: Action, origin: str) -> str:
    """Return the power that an action uses: of its piece, or for a group of any piece of the army."""
    wanted = VERB_BY_CODE[action.verb].primitive
    if not wanted:
        return ""
    piece = view.at(origin) if origin else None
    side = int(Side(view.to_move))
    if piece is not None and piece.kind:
        kinds = [game.kinds[game.kind_index(piece.kind)]]
    else:
        kinds = [kind for at, kind in enumerate(game.kinds) if game.rosters[side][at]]
    found = [power.id for kind in kinds for power in game.abilities(kind) if power.verb == wanted]
    return found[0] if found else ""


def _is_likely(view: View, kind: str) -> bool:
    """Return whether a guess agrees with what the viewer knows of the piece."""
    if not kind or view.prompt is None or view.prompt.ask != "guess":
        return True
    piece = view.at(view.prompt.cell)
    if piece is None:
        return True
    return piece.kind == kind if piece.kind else not piece.possible or kind in piece.possible
