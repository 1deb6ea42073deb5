"""What happened, in plain words for one viewer, from what that viewer has seen and nothing else.

>>> from flagfall.edition import load_game
>>> from flagfall.view.view import SeenEvent
>>> game = load_game("onyx/classic")
>>> event = SeenEvent("move", 3, side="south", piece="d4", origin="d4", target="d5")
>>> describe_event(game, event, "south"), describe_event(game, event, "north")
('Your piece moves from d4 to d5.', 'An enemy piece moves from d4 to d5.')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from flagfall.board import DIRECTION_NAMES, DIRECTIONS, cell_name
from flagfall.edition.power_texts import bearer_of
from flagfall.edition.schema import Game
from flagfall.edition.texts import kind_names, listed
from flagfall.engine import action as A
from flagfall.engine.action import VERB_NAMES, Action
from flagfall.notation.phrases import at_phrase, kind_word, piece_phrase, sentence
from flagfall.view.view import ONLOOKERS, SeenEvent, SeenPiece, Side, View, Viewer

_NAMES_A_KIND = frozenset({"shown", "removed", "rescued", "converted"})
_STRIKES = frozenset({"attack", "shoot", "detect", "convert"})

OPPONENT: Mapping[Side, Side] = {"south": "north", "north": "south"}

_EVENTS: Mapping[str, str] = {
    "move": "{who} moves from {origin} to {target}",
    "attack": "{who} on {origin} attacks {target}",
    "spot": "{who} on {origin} spots {target}",
    "guess": "{who} says {kind}",
    "miss": "the guess is wrong",
    "rescue": "{who} on {target} calls back a lost piece",
    "rescued": "{who} returns on {target}",
    "leap": "{who} flies from {origin} to {target}",
    "teleport": "{who} vanishes from {origin} and appears on {target}",
    "shoot": "{who} on {origin} shoots at {target}",
    "detect": "{who} on {origin} looks at {target}",
    "convert": "{who} on {origin} tries to win over {target}",
    "swing": "{who} on {cell} swings at its neighbours",
    "sweep": "{who} on {cell} strikes all around",
    "no-effect": "nothing happens to the piece on {cell}",
}
_MOVES: Mapping[str, str] = {
    "run": "{who} runs from {origin} to {target}",
    "defender": "{who} moves up from {origin} to {target}",
    "advance": "{who} moves up from {origin} to {target}",
}


def describe_event(game: Game, event: SeenEvent, viewer: Viewer, view: View | None = None) -> str:
    """One thing that happened, as a sentence; a `View` helps to name pieces that the event leaves unnamed."""
    return sentence(_event_text(game, event, viewer, _names((event,), view)))


def describe_turn(game: Game, events: Sequence[SeenEvent], viewer: Viewer, view: View | None = None) -> str:
    """All that happened in a turn, in one paragraph.

    A fight is told at once: ``Your Scout on d4 attacks e4: General. Your Scout is lost.``
    """
    names = _names(events, view)
    told = _told_elsewhere(events, names)
    sentences = []
    for at, event in enumerate(events):
        if at in told or event.what == "turn":
            continue
        text = _event_text(game, event, viewer, names)
        shown = _shown_on_target(events, at)
        if shown is not None:
            text += f": {kind_word(game, events[shown].kind, events[shown].side)}"
        sentences.append(sentence(text))
    return " ".join(sentences)


def describe_piece(game: Game, piece: SeenPiece, viewer: Viewer, *, knows_moves: bool = True) -> str:
    """A piece on the board for somebody who cannot see it: where, whose, what, and what is known of it.

    ``knows_moves`` is off where old moves are forgotten: a piece without a mark may have moved all the same.
    """
    is_own = piece.side == viewer
    owner = "yours" if is_own else "enemy" if viewer not in ONLOOKERS else piece.side.capitalize()
    known = kind_word(game, piece.kind, piece.side) if piece.kind else "unknown"
    facts = [owner, known]
    if piece.moved or knows_moves:
        facts.append("has moved" if piece.moved else "has not moved")
    if piece.is_told and is_own:
        facts.append("known to the enemy")
    text = f"{piece.cell}: {', '.join(facts)}"
    for kinds, lead in ((piece.possible, "can be"), (piece.looks_like, "to the enemy it can be")):
        if kinds and not (kinds is piece.looks_like and piece.is_told):
            text += f"; {lead} {listed([kind_word(game, kind, piece.side) for kind in kinds], 'or')}"
    return f"{text}."


def describe_action(game: Game, action: Action, view: View) -> str:
    """What an action would do, said to the player who may choose it."""
    origin, target = _square(action.origin), _square(action.target)
    who, goal = at_phrase(game, view, origin), at_phrase(game, view, target)
    match action.verb:
        case A.MOVE:
            text = f"move {who} to {target}"
        case A.ATTACK:
            text = f"attack {goal} with {who}"
        case A.DONE:
            text = "end the turn here"
        case A.CHOOSE_CELL:
            text = f"choose {goal}"
        case A.RESCUE:
            way = f"attack {goal} with {who}" if view.at(target) else f"move {who} to {target}"
            text = f"{way} and rescue a lost piece"
        case A.LEAP:
            text = f"fly with {who} to {target}"
        case A.TELEPORT:
            text = f"send {who} to {target}"
        case A.SHOOT:
            text = f"shoot at {goal} with {who}"
        case A.DETECT:
            text = f"look at {goal} with {who}"
        case A.CONVERT:
            text = f"win over {goal} with {who}"
        case A.SWING:
            text = f"{_step_first(origin, target)}swing with {who} at enemies around {target}"
        case A.SWEEP:
            text = f"{_step_first(origin, target)}strike all around {target} with {who}"
        case _:
            text = _choice_text(game, action, view, who, goal)
    return sentence(text)


def _step_first(origin: str, target: str) -> str:
    return f"step from {origin} to {target} and " if origin != target else ""


def _choice_text(game: Game, action: Action, view: View, who: str, goal: str) -> str:
    """The actions whose choice says what is meant."""
    if action.verb == A.CHOOSE_KIND and action.choice < len(game.kinds):
        is_rescue = view.prompt is not None and view.prompt.ask.startswith("rescue")
        side = view.to_move if is_rescue else OPPONENT[view.to_move]
        name = kind_word(game, game.kinds[action.choice].id, side)
        return f"rescue {name}" if is_rescue else f"say {name}"
    if action.verb == A.ADVANCE:
        return f"advance {DIRECTION_NAMES[action.choice]}"
    if action.verb == A.SPOT:
        spotted = _square(action.target + DIRECTIONS[action.choice])
        step = f"step to {_square(action.target)} with {who}, then " if action.origin != action.target else ""
        return f"{step}spot {at_phrase(game, view, spotted)}" + ("" if step else f" with {who}")
    if action.verb == A.TWO_STEP:
        middle = _square(action.origin + DIRECTIONS[action.choice])
        is_attack = view.at(_square(action.target)) is not None and action.target != action.origin
        return f"go with {who} over {middle} {'and attack' if is_attack else 'to'} {goal}"
    return VERB_NAMES[action.verb] if action.verb < len(VERB_NAMES) else f"verb {action.verb}"


def _event_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    if event.what in _TELLERS:
        return _TELLERS[event.what](game, event, viewer, names)
    who, cell = _who(game, event, viewer, names), _cell(event)
    template = _MOVES.get(event.detail, _EVENTS["move"]) if event.what == "move" else _EVENTS.get(event.what)
    if template is None:
        return f"{who}{f' on {cell}' if cell else ''}: {event.what}"
    enemy = OPPONENT[event.side] if event.side else None
    guess = kind_word(game, event.kind, enemy) if event.kind else "nothing"
    return template.format(who=who, origin=event.origin or cell, target=event.target, cell=cell, kind=guess)


def _who(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    own_kind = event.kind if event.what in _NAMES_A_KIND else ""
    return piece_phrase(game, event.side, own_kind or names.get(event.piece, ""), viewer)


def _cell(event: SeenEvent) -> str:
    return event.target or event.origin


def _removed_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    who, cell = _who(game, event, viewer, names), _cell(event)
    if event.side is None or viewer in (*ONLOOKERS, event.side):
        return f"{who} is lost"
    is_named = bool(event.kind or names.get(event.piece))
    return f"{who}{'' if is_named or not cell else f' on {cell}'} is captured"


def _converted_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    cell = _cell(event)
    return f"{_who(game, event, viewer, names)}{f' on {cell}' if cell else ''} has changed sides"


def _advance_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    if viewer in ONLOOKERS and event.side:
        pieces = f"{event.side.capitalize()}'s pieces"
    else:
        pieces = "your pieces" if event.side == viewer else "the enemy's pieces"
    return f"{pieces} advance {event.detail or 'together'}"


def _regime_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    words = "the balance of power changes"
    if not game.has_verb("bearer"):
        return words + (f": {event.detail}" if event.detail else "")
    name = kind_names(game, bearer_of(game))
    if event.detail == "bearer arrived":
        return f"{name} has reached {game.edition.words['reserved']}, and {words}"
    return f"{name} is captured, and {words}"


def _shown_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    name, cell = kind_word(game, event.kind, event.side), _cell(event)
    where = f" on {cell}" if cell else ""
    if event.side == viewer:
        return f"your {name}{where} is shown to the enemy"
    owner = "the enemy piece" if viewer not in ONLOOKERS else piece_phrase(game, event.side, "", viewer)
    return f"{owner}{where} is shown: {name}"


def _result_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    if event.side is None:
        verdict = "the game is drawn"
    elif viewer in ONLOOKERS:
        verdict = f"{event.side} wins"
    else:
        verdict = "you win" if event.side == viewer else "you lose"
    return f"{verdict}: {event.detail}" if event.detail else verdict


def _names(events: Sequence[SeenEvent], view: View | None) -> dict[str, str]:
    """What is known of the pieces that take part: piece → kind id."""
    names = {piece.name: piece.kind for piece in view.pieces if piece.kind} if view else {}
    names |= {event.piece: event.kind for event in events if event.what in _NAMES_A_KIND and event.kind}
    return names


def _shown_on_target(events: Sequence[SeenEvent], at: int) -> int | None:
    """Place of the event that shows the piece struck by event ``at``, if it comes before the next strike."""
    if events[at].what not in _STRIKES:
        return None
    for later in range(at + 1, len(events)):
        event = events[later]
        if event.what in _STRIKES:
            return None
        if event.what == "shown" and _cell(event) == events[at].target and event.piece != events[at].piece:
            return later
    return None


def _told_elsewhere(events: Sequence[SeenEvent], names: Mapping[str, str]) -> set[int]:
    """Events that another sentence already tells: the struck piece's name, the name of whoever acts."""
    told = {shown for at in range(len(events)) if (shown := _shown_on_target(events, at)) is not None}
    acting = {event.piece for event in events if event.what in _EVENTS and event.piece in names}
    told |= {at for at, event in enumerate(events) if event.what == "shown" and event.piece in acting}
    return told


def _square(cell: int) -> str:
    return cell_name(cell) if cell else ""


_TELLERS: Mapping[str, Callable[[Game, SeenEvent, Viewer, Mapping[str, str]], str]] = {
    "shown": _shown_text,
    "removed": _removed_text,
    "converted": _converted_text,
    "advance": _advance_text,
    "regime": _regime_text,
    "result": _result_text,
}
