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
from types import MappingProxyType
from typing import SupportsIndex

from flagfall.board import DIRECTION_NAMES, DIRECTIONS, MAX_COLUMNS, MAX_ROWS, cell_name, column_of, row_of
from flagfall.edition.power_texts import bearer_of
from flagfall.edition.schema import Game
from flagfall.edition.texts import capitalised, kind_names, side_name
from flagfall.edition.verbs import VERB_BY_CODE, VERBS
from flagfall.engine import action as A
from flagfall.engine.action import Action
from flagfall.languages import Phrase, listed, say
from flagfall.notation.names import (
    at_phrase,
    kind_phrase,
    kind_word,
    on_square,
    piece_phrase,
    sentence,
)
from flagfall.sides import SIDES, Side
from flagfall.view.view import ONLOOKERS, SeenEvent, SeenPiece, View, Viewer

_GOES_THERE = frozenset({"leap", "teleport", "attack"})
"""events whose sentence names the square on which the piece then stands"""
_NAMES_A_KIND = frozenset({"shown", "removed", "rescued", "converted"})
_AFTER_STEP = frozenset({A.SPOT, A.SWING, A.SWEEP})
"""verbs with a sentence of their own after a step"""
_STRIKES = frozenset(verb.name for verb in VERBS if verb.is_aimed or verb.code == A.ATTACK)

_CHOOSING: Mapping[str, str] = {
    "target": "actions.offer.choose-target",
    "next": "actions.offer.choose-next",
    "rescue square": "actions.offer.choose-rescue-square",
}
"""what choosing a square means, by what an open turn asks"""

EVENT_TEXTS: Mapping[str, str] = {
    **{verb.name: f"actions.event.{verb.key}" for verb in VERBS if verb.is_event},
    **{
        what: f"actions.event.{what}"
        for verb in VERBS
        for what in verb.events
        if what != "converted"  # it has a writer
    },
}
"""event → the key of its sentence"""
_MOVES: Mapping[str, str] = {
    "run": "actions.event.run",
    "defender": "actions.event.move-up",
    "advance": "actions.event.move-up",
}


def describe_event(game: Game, event: SeenEvent, viewer: Viewer, view: View | None = None) -> str:
    """Return an event as a sentence; a `View` helps to name pieces that the event does not name."""
    return sentence(_event_text(game, event, viewer, _names((event,), view)))


def describe_turn(
    game: Game,
    events: Sequence[SeenEvent],
    viewer: Viewer,
    view: View | None = None,
    own: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the events of a turn as one paragraph.

    A fight is one sentence: ``Your Scout on d4 attacks e4: General. Your Scout is lost.`` ``own``: the kinds
    of the viewer's pieces by name, also of those that are no longer on the board of the View.
    """
    names = {**own, **_names(events, view)}
    told = _told_elsewhere(events, names)
    sentences = []
    for index, event in enumerate(events):
        if index in told or event.what == "turn":
            continue
        shown = _shown_on_target(events, index)
        told_kind = "" if shown is None else kind_word(game, events[shown].kind, events[shown].side)
        sentences.append(sentence(_event_text(game, event, viewer, names, told_kind)))
    return " ".join(sentences)


def describe_piece(game: Game, piece: SeenPiece, viewer: Viewer, *, knows_moves: bool = True) -> str:
    """Return a piece on the board in words: its square, owner and kind, and what is known of it.

    ``knows_moves`` is off where old moves are forgotten: then an unmarked piece may have moved as well.
    """
    is_own = piece.side == viewer
    if viewer in ONLOOKERS:
        owner = side_name(piece.side)
    else:
        owner = say("pieces.described.yours" if is_own else "pieces.described.enemy")
    known = kind_word(game, piece.kind, piece.side) if piece.kind else say("pieces.described.unknown")
    facts = [owner, known]
    if piece.moved or knows_moves:
        facts.append(say("pieces.described.moved" if piece.moved else "pieces.described.unmoved"))
    if piece.is_told and is_own:
        facts.append(say("pieces.described.told"))
    parts = [", ".join(facts)]
    looks_like = () if piece.is_told else piece.looks_like
    for kinds, key in ((piece.possible, "possible"), (looks_like, "looks-like")):
        if kinds:
            names = listed([kind_word(game, kind, piece.side) for kind in kinds], "or")
            parts.append(say(f"pieces.described.{key}", kinds=names))
    return say("pieces.described.line", square=piece.cell, facts="; ".join(parts))


def describe_action(game: Game, action: Action, view: View) -> str:
    """Return what an action would do, for the player who may choose it."""
    if action.verb not in VERB_BY_CODE:
        return f"Verb {action.verb}."
    return sentence(say(_offer_key(game, action, view), **_action_facts(game, action, view)))


def describe_steps(game: Game, side: SupportsIndex, actions: Sequence[Action]) -> tuple[str, ...]:
    """Return what a side has done so far in an open turn, a few words for each action."""
    steps, is_rescue = [], False
    for action in actions:
        key = f"actions.step.{VERB_BY_CODE[action.verb].key}"
        facts = {"target": _square(action.target), **_direction_facts(action, SIDES[side], SIDES[side])}
        if action.verb == A.CHOOSE_KIND:
            facts["kind"] = _chosen_kind(game, action.choice, SIDES[side], is_rescue)
            key = "actions.step.choose-rescued" if is_rescue else "actions.step.choose-kind"
        is_rescue = is_rescue or action.verb == A.RESCUE
        steps.append(capitalised(say(key, **facts)))
    return tuple(steps)


def _chosen_kind(game: Game, kind: int, side: Side, is_rescue: bool) -> Phrase:
    return kind_phrase(game, game.kinds[kind].id, side if is_rescue else side.other)


def _offer_key(game: Game, action: Action, view: View) -> str:
    """Return the key of the sentence for an action that may be chosen."""
    key = f"actions.offer.{VERB_BY_CODE[action.verb].key}"
    ask = view.prompt.ask if view.prompt else ""
    is_step, is_attack = action.origin != action.target, view.at(_square(action.target)) is not None
    if action.verb == A.DONE and ask == "target":
        return "actions.offer.done-striking"
    if action.verb == A.CHOOSE_CELL:
        return _CHOOSING.get(ask, key)
    if action.verb == A.CHOOSE_KIND:
        if action.choice >= len(game.kinds):
            return "actions.offer.choose-unknown"
        return "actions.offer.choose-rescued" if ask.startswith("rescue") else key
    if action.verb == A.RESCUE and is_attack:
        return "actions.offer.rescue-attack"
    if action.verb == A.TWO_STEP and is_attack and is_step:
        return "actions.offer.two-step-attack"
    return f"{key}-step" if action.verb in _AFTER_STEP and is_step else key


def _action_facts(game: Game, action: Action, view: View) -> dict[str, object]:
    """Return what the sentences about offered actions may name."""
    origin, target = _square(action.origin), _square(action.target)
    facts: dict[str, object] = {"origin": origin, "target": target}
    facts |= {"who": at_phrase(game, view, origin), "goal": at_phrase(game, view, target)}
    facts |= _direction_facts(action, view.to_move, view.viewer)
    if action.verb == A.SPOT:
        facts["spotted"] = at_phrase(game, view, str(facts["spotted"]))
    if action.verb == A.CHOOSE_KIND and action.choice < len(game.kinds):
        is_rescue = view.prompt is not None and view.prompt.ask.startswith("rescue")
        facts["kind"] = _chosen_kind(game, action.choice, view.to_move, is_rescue)
    return facts


def _direction_facts(action: Action, side: Side, viewer: Viewer) -> dict[str, object]:
    if action.choice >= len(DIRECTIONS):
        return {}
    way = DIRECTIONS[action.choice]
    return {
        "direction": _heading(action.choice, side, viewer),
        "middle": _square(action.origin + way),
        "spotted": _square(action.target + way),
    }


def _heading(direction: int, side: Side | None, viewer: Viewer) -> str:
    """Return a direction that holds on a turned board: forward for the side, left for the viewer."""
    if direction % 2 == 0:
        return "forward" if (direction == 0) == (side != Side.NORTH) else "back"
    return "right" if (direction == 1) == (viewer != Side.NORTH) else "left"


def _event_text(
    game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str], shown: str = ""
) -> str:
    """Return the sentence for an event; ``shown`` names the target of a strike that shows what it is."""
    if event.what in EVENT_WRITERS:
        return EVENT_WRITERS[event.what](game, event, viewer, names)
    who, cell = _who(game, event, viewer, names), _cell(event)
    key = EVENT_TEXTS.get(event.what)
    if event.what == "move":
        key = _MOVES.get(event.detail, key)
    if key is None:
        return say("actions.event.unknown", who=on_square(who, cell), event=event.what)
    facts = {"who": who, "origin": event.origin or cell, "target": event.target, "square": cell}
    if shown:
        return say(f"actions.event-shown.{event.what}", kind=shown, **facts)
    return say(key, **facts)


def _who(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> Phrase:
    own_kind = event.kind if event.what in _NAMES_A_KIND else ""
    return piece_phrase(game, event.side, own_kind or names.get(event.piece, ""), viewer)


def _cell(event: SeenEvent) -> str:
    return event.target or event.origin


def _guess_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    who = _who(game, event, viewer, names)
    if not event.kind:
        return say("actions.event.guess-nothing", who=who)
    kind = kind_phrase(game, event.kind, event.side.other if event.side else None)
    return say("actions.event.guess", who=who, kind=kind)


def _removed_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    who = _who(game, event, viewer, names)
    if event.side is None or viewer in (*ONLOOKERS, event.side):
        return say("actions.event.lost", who=who)
    is_named = bool(event.kind or names.get(event.piece))
    return say("actions.event.captured", who=who if is_named else on_square(who, _cell(event)))


def _converted_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    return say("actions.event.converted", who=on_square(_who(game, event, viewer, names), _cell(event)))


def _advance_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    if viewer in ONLOOKERS and event.side:
        pieces = Phrase("pieces.army.side", arguments={"side": str(event.side)})
    else:
        pieces = Phrase("pieces.army.own" if event.side == viewer else "pieces.army.enemy")
    is_known = event.detail in DIRECTION_NAMES
    heading = _heading(DIRECTION_NAMES.index(event.detail), event.side, viewer) if is_known else "together"
    return say(EVENT_TEXTS["advance"], pieces=pieces, direction=heading)


def _regime_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    if not game.has_verb("bearer"):
        return _because("actions.event.regime", event.detail)
    bearer = kind_names(game, bearer_of(game))
    if event.detail == "bearer arrived":
        place = Phrase("pieces.name", game.edition.words["reserved"])
        return say("actions.event.bearer-arrived", bearer=bearer, place=place)
    return say("actions.event.bearer-lost", bearer=bearer)


def _shown_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    cell = _cell(event)
    if event.side == viewer:
        own = piece_phrase(game, event.side, event.kind, viewer)
        return say("actions.event.shown-to-enemy", who=on_square(own, cell))
    is_watched = viewer in ONLOOKERS
    who = piece_phrase(game, event.side, "", viewer) if is_watched else Phrase("pieces.enemy-shown")
    return say("actions.event.shown", who=on_square(who, cell), kind=kind_word(game, event.kind, event.side))


def _result_text(game: Game, event: SeenEvent, viewer: Viewer, names: Mapping[str, str]) -> str:
    if event.side is None:
        return _because("actions.event.drawn", event.detail)
    if viewer in ONLOOKERS:
        return _because("actions.event.wins", event.detail, side=str(event.side))
    return _because("actions.event.won" if event.side == viewer else "actions.event.defeat", event.detail)


def _because(key: str, reason: str, **facts: str) -> str:
    """Return a message, or the one with a reason if there is one."""
    return say(f"{key}-because", reason=reason, **facts) if reason else say(key, **facts)


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
    """Return the events that other sentences include: what shows a target or an acting piece, arrivals."""
    told = {shown for index in range(len(events)) if (shown := _shown_on_target(events, index)) is not None}
    acting = {event.piece for event in events if event.what in EVENT_TEXTS and event.piece in names}
    told |= {index for index, event in enumerate(events) if event.what == "shown" and event.piece in acting}
    ways = {(event.piece, event.origin, event.target) for event in events if event.what in _GOES_THERE}
    told |= {
        index
        for index, event in enumerate(events)
        if event.what == "move" and (event.piece, event.origin, event.target) in ways
    }
    return told


def _square(cell: int) -> str:
    """Return the name of a cell; empty if it is outside the largest board."""
    is_on_board = 1 <= column_of(cell) <= MAX_COLUMNS and 1 <= row_of(cell) <= MAX_ROWS
    return cell_name(cell) if is_on_board else ""


EVENT_WRITERS: Mapping[str, Callable[[Game, SeenEvent, Viewer, Mapping[str, str]], str]] = {
    "guess": _guess_text,
    "shown": _shown_text,
    "removed": _removed_text,
    "converted": _converted_text,
    "advance": _advance_text,
    "regime": _regime_text,
    "result": _result_text,
}
