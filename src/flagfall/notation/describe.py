"""Sentences for one viewer about events, actions and pieces, from what that viewer has seen.

>>> from flagfall.edition import load_game
>>> from flagfall.view.view import SeenEvent
>>> game = load_game("onyx/classic")
>>> event = SeenEvent("move", 3, side="south", piece="d4", origin="d4", target="d5")
>>> describe_event(game, event, "south"), describe_event(game, event, "north")
('Your piece moves from d4 to d5.', 'An enemy piece moves from d4 to d5.')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import SupportsIndex

from flagfall.board import DIRECTION_NAMES, DIRECTIONS, MAX_COLUMNS, MAX_ROWS, cell_name, column_of, row_of
from flagfall.edition.power_texts import bearer_of
from flagfall.edition.schema import Game
from flagfall.edition.texts import kind_names, listed
from flagfall.edition.verbs import VERB_BY_CODE, VERBS
from flagfall.engine import action as A
from flagfall.engine.action import Action
from flagfall.notation.names import at_phrase, kind_word, piece_phrase, sentence
from flagfall.sides import SIDES, Side
from flagfall.view.view import ONLOOKERS, SeenEvent, SeenPiece, View, Viewer

_NAMES_A_KIND = frozenset({"shown", "removed", "rescued", "converted"})
_STRIKES = frozenset(verb.name for verb in VERBS if verb.is_aimed or verb.code == A.ATTACK)

_CHOOSING: Mapping[str, str] = {
    "target": "strike {goal}",
    "next": "go on with {goal}",
    "rescue square": "put it on {target}",
}
"""what choosing a square means, by what an open turn asks"""

EVENT_TEXTS: Mapping[str, str] = {
    **{verb.name: verb.event_text for verb in VERBS if verb.event_text},
    "guess": "{who} says {kind}",
    "miss": "the guess is wrong",
    "rescued": "{who} returns on {target}",
    "no-effect": "nothing happens to the piece on {cell}",
}
_MOVES: Mapping[str, str] = {
    "run": "{who} runs from {origin} to {target}",
    "defender": "{who} moves up from {origin} to {target}",
    "advance": "{who} moves up from {origin} to {target}",
}


def describe_event(game: Game, event: SeenEvent, viewer: Viewer, view: View | None = None) -> str:
    """Return an event as a sentence; a `View` helps to name pieces that the event does not name."""
    return sentence(_event_text(game, event, viewer, _names((event,), view)))


def describe_turn(game: Game, events: Sequence[SeenEvent], viewer: Viewer, view: View | None = None) -> str:
    """Return the events of a turn as one paragraph.

    A fight is one sentence: ``Your Scout on d4 attacks e4: General. Your Scout is lost.``
    """
    names = _names(events, view)
    told = _told_elsewhere(events, names)
    sentences = []
    for index, event in enumerate(events):
        if index in told or event.what == "turn":
            continue
        text = _event_text(game, event, viewer, names)
        shown = _shown_on_target(events, index)
        if shown is not None:
            text += f": {kind_word(game, events[shown].kind, events[shown].side)}"
        sentences.append(sentence(text))
    return " ".join(sentences)


def describe_piece(game: Game, piece: SeenPiece, viewer: Viewer, *, knows_moves: bool = True) -> str:
    """Return a piece on the board in words: its square, owner and kind, and what is known of it.

    ``knows_moves`` is off where old moves are forgotten: then an unmarked piece may have moved as well.
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
    """Return what an action would do, for the player who may choose it."""
    verb = VERB_BY_CODE.get(action.verb)
    if verb is None:
        return f"Verb {action.verb}."
    return sentence(verb.action_text.format_map(_action_facts(game, action, view)))


def describe_steps(game: Game, side: SupportsIndex, actions: Sequence[Action]) -> tuple[str, ...]:
    """Return what a side has done so far in an open turn, a few words for each action."""
    steps, is_rescue = [], False
    for action in actions:
        facts = {"target": _square(action.target), **_direction_facts(action, SIDES[side], SIDES[side])}
        if action.verb == A.CHOOSE_KIND:
            facts["answer"] = _answer(game, action.choice, SIDES[side], is_rescue)
        is_rescue = is_rescue or action.verb == A.RESCUE
        text = VERB_BY_CODE[action.verb].step_text.format_map(facts)
        steps.append(text[:1].upper() + text[1:])
    return tuple(steps)


def _answer(game: Game, kind: int, side: Side, is_rescue: bool) -> str:
    name = game.kind_name(kind, side if is_rescue else side.other)
    return f"rescue {name}" if is_rescue else f"say {name}"


def _action_facts(game: Game, action: Action, view: View) -> dict[str, str]:
    """Return what the action texts of the verb table may name."""
    origin, target = _square(action.origin), _square(action.target)
    who, goal = at_phrase(game, view, origin), at_phrase(game, view, target)
    is_step, is_attack = origin != target, view.at(target) is not None
    facts = {"origin": origin, "target": target, "who": who, "goal": goal}
    facts |= _direction_facts(action, view.to_move, view.viewer)
    facts["step"] = f"step from {origin} to {target} and " if is_step else ""
    facts["way"] = f"attack {goal} with {who}" if is_attack else f"move {who} to {target}"
    facts["end"] = "and attack" if is_attack and is_step else "to"
    if action.verb == A.SPOT:
        spotted = at_phrase(game, view, facts["spotted"])
        first = f"step to {target} with {who}, then spot {spotted}"
        facts["spotting"] = first if is_step else f"spot {spotted} with {who}"
    ask = view.prompt.ask if view.prompt else ""
    facts["ending"] = "strike now" if ask == "target" else "end the turn here"
    facts["choosing"] = _CHOOSING.get(ask, "choose {goal}").format(goal=goal, target=target)
    if action.verb == A.CHOOSE_KIND:
        is_rescue = view.prompt is not None and view.prompt.ask.startswith("rescue")
        is_kind = action.choice < len(game.kinds)
        facts["answer"] = _answer(game, action.choice, view.to_move, is_rescue) if is_kind else "choose kind"
    return facts


def _direction_facts(action: Action, side: Side, viewer: Viewer) -> dict[str, str]:
    if action.choice >= len(DIRECTIONS):
        return {}
    way = DIRECTIONS[action.choice]
    return {
        "direction": _heading(action.choice, side, viewer),
        "middle": _square(action.origin + way),
        "spotted": _square(action.target + way),
    }


def _heading(direction: int, side: Side | None, viewer: Viewer) -> str:
    """Return a direction in words that hold on a turned board: forward for the side, left for the viewer."""
    if direction % 2 == 0:
        return "forward" if (direction == 0) == (side != Side.NORTH) else "back"
    return "to the right" if (direction == 1) == (viewer != Side.NORTH) else "to the left"


def _event_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    if event.what in EVENT_WRITERS:
        return EVENT_WRITERS[event.what](game, event, viewer, names)
    who, cell = _who(game, event, viewer, names), _cell(event)
    template = EVENT_TEXTS.get(event.what)
    if event.what == "move":
        template = _MOVES.get(event.detail, template)
    if template is None:
        return f"{who}{f' on {cell}' if cell else ''}: {event.what}"
    enemy = Side(event.side).other if event.side else None
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
    is_known = event.detail in DIRECTION_NAMES
    heading = _heading(DIRECTION_NAMES.index(event.detail), event.side, viewer) if is_known else "together"
    return EVENT_TEXTS["advance"].format(pieces=pieces, direction=heading)


def _regime_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    words = "the balance of power changes"
    if not game.has_verb("bearer"):
        return f"{words}: {event.detail}" if event.detail else words
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
    """Return the known kinds of the pieces that take part: piece → kind id."""
    names = {piece.name: piece.kind for piece in view.pieces if piece.kind} if view else {}
    names |= {event.piece: event.kind for event in events if event.what in _NAMES_A_KIND and event.kind}
    return names


def _shown_on_target(events: Sequence[SeenEvent], index: int) -> int | None:
    """Return the index of the event that shows the target of strike ``index``, before the next strike."""
    strike = events[index]
    if strike.what not in _STRIKES:
        return None
    for later in range(index + 1, len(events)):
        event = events[later]
        if event.what in _STRIKES:
            return None
        if event.what == "shown" and _cell(event) == strike.target and event.piece != strike.piece:
            return later
    return None


def _told_elsewhere(events: Sequence[SeenEvent], names: Mapping[str, str]) -> set[int]:
    """Return the events that other sentences include: those that show a target or an acting piece."""
    told = {shown for index in range(len(events)) if (shown := _shown_on_target(events, index)) is not None}
    acting = {event.piece for event in events if event.what in EVENT_TEXTS and event.piece in names}
    told |= {index for index, event in enumerate(events) if event.what == "shown" and event.piece in acting}
    return told


def _square(cell: int) -> str:
    """Return the name of a cell; empty if it is outside the largest board."""
    is_on_board = 1 <= column_of(cell) <= MAX_COLUMNS and 1 <= row_of(cell) <= MAX_ROWS
    return cell_name(cell) if is_on_board else ""


EVENT_WRITERS: Mapping[str, Callable[[Game, SeenEvent, Viewer, Mapping[str, str]], str]] = {
    "shown": _shown_text,
    "removed": _removed_text,
    "converted": _converted_text,
    "advance": _advance_text,
    "regime": _regime_text,
    "result": _result_text,
}
