"""Actions and events of the engine in a few plain words, for scenarios only."""

from __future__ import annotations

from flagfall.board import DIRECTIONS, cell_name
from flagfall.edition import SIDE_NAMES, Game
from flagfall.engine import action, events
from flagfall.engine.action import Action
from flagfall.engine.play import Event
from flagfall.engine.state import DRAW, State, is_empty

VIEWERS = ("south", "north", "watchers")
REASONS = ("", "flag", "own flag", "no move", "no progress", "both stuck")


def of_action(game: Game, state: State, act: Action) -> str:
    """One small action: ``d4-d5``, ``d9-d10 rescue``, ``general`` …"""
    origin, target = cell_name(act.origin), cell_name(act.target)
    if act.verb == action.MOVE:
        return f"{origin}-{target}"
    if act.verb == action.ATTACK:
        return f"{origin}x{target}"
    if act.verb == action.CHOOSE_KIND:
        return game.kinds[act.choice].id
    if act.verb == action.CHOOSE_CELL:
        return target
    if act.verb == action.RESCUE:
        return f"{origin}{'-' if is_empty(state.buffer, act.target) else 'x'}{target} rescue"
    if act.verb == action.SPOT:
        way = origin if act.origin == act.target else f"{origin}-{target}"
        return f"{way} spot {cell_name(act.target + DIRECTIONS[act.choice])}"
    if act.verb == action.TWO_STEP:
        return f"{origin}-{cell_name(act.origin + DIRECTIONS[act.choice])}x{target}"
    raise ValueError(f"no words for {act}")


def of_event(game: Game, row: Event) -> str:
    """One event: ``move d4-d5``, ``shown d4 scout to all``, ``result south flag`` …"""
    origin, target = cell_name(row.origin), cell_name(row.target)
    if row.what == events.MOVE:
        return f"{('move', 'run', 'take', 'advance')[row.value]} {origin}-{target}"
    if row.what == events.SHOWN:
        return f"shown {origin} {game.kinds[row.value].id} to {audience(row.audience)}"
    if row.what == events.GUESS:
        return f"guess {target} {game.kinds[row.value].id}"
    if row.what == events.RESULT:
        return f"result {of_result(row.value >> 4, row.value & 15)}"
    return {
        events.ATTACK: f"attack {origin}x{target}",
        events.REMOVED: f"removed {origin}",
        events.SPOT: f"spot {target}",
        events.MISS: f"miss {target}",
        events.RESCUE: f"rescue {origin}-{target}",
        events.RESCUED: f"returns {target}",
        events.TURN: f"turn {SIDE_NAMES[row.value & 1]}",
    }[row.what]


def of_result(result: int, reason: int) -> str:
    """How the game ended: ``south flag``, ``draw no progress`` …"""
    return f"{'draw' if result == DRAW else SIDE_NAMES[result - 1]} {REASONS[reason]}"


def audience(bits: int) -> str:
    """Who is told."""
    told = [viewer for at, viewer in enumerate(VIEWERS) if bits >> at & 1]
    return "all" if bits == events.TO_ALL else " and ".join(told)
