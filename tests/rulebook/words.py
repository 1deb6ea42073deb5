"""Actions and events of the engine in a few plain words, for scenarios only."""

from __future__ import annotations

from flagfall.board import DIRECTION_NAMES, DIRECTIONS, cell_name
from flagfall.edition import Game
from flagfall.edition.compile import power_rows
from flagfall.engine import action, events
from flagfall.engine.action import Action
from flagfall.engine.play import Event
from flagfall.engine.state import DRAW, State, is_empty
from flagfall.sides import SIDES

VIEWERS = ("south", "north", "watchers")
REASONS = ("", "flag", "own flag", "no move", "no progress", "both stuck")
PHASES = ("start", "bearer lost", "bearer arrived")
TRAVELS = ("move", "run", "take", "advance", "leap", "teleport", "charge")
ACROSS = {action.MOVE: "-", action.ATTACK: "x", action.LEAP: "^", action.TELEPORT: "~"}
AT_RANGE = {action.SHOOT: "shoot", action.DETECT: "detect", action.CONVERT: "enchant"}
AFTER_STEP = {action.RESCUE: "rescue", action.SWING: "swing", action.SWEEP: "rampage"}


def of_action(game: Game, state: State, act: Action) -> str:
    """One small action: ``d4-d5``, ``c4^c7``, ``d4 shoot d6``, ``d9-d10 rescue``, ``general`` …"""
    origin, target = cell_name(act.origin), cell_name(act.target)
    last = "-" if is_empty(state.buffer, act.target) or act.origin == act.target else "x"
    if act.verb in ACROSS:
        return f"{origin}{ACROSS[act.verb]}{target}"
    if act.verb in AT_RANGE:
        return f"{origin} {AT_RANGE[act.verb]} {target}"
    if act.verb in AFTER_STEP:
        return f"{origin}{last}{target} {AFTER_STEP[act.verb]}"
    if act.verb == action.SPOT:
        way = origin if act.origin == act.target else f"{origin}-{target}"
        return f"{way} spot {cell_name(act.target + DIRECTIONS[act.choice])}"
    if act.verb == action.TWO_STEP:
        return f"{origin}-{cell_name(act.origin + DIRECTIONS[act.choice])}{last}{target}"
    if act.verb == action.ADVANCE:
        return f"advance {DIRECTION_NAMES[act.choice]}"
    return {
        action.CHOOSE_KIND: game.kinds[act.choice].id,
        action.CHOOSE_CELL: target,
        action.DONE: "done",
    }[act.verb]


def of_event(game: Game, row: Event) -> str:
    """One event: ``move d4-d5``, ``shown d4 scout to all``, ``result south flag`` …"""
    origin, target = cell_name(row.origin), cell_name(row.target)
    if row.what == events.MOVE:
        return f"{TRAVELS[row.value]} {origin}-{target}"
    if row.what == events.SHOWN:
        return f"shown {origin} {game.kinds[row.value].id} to {audience(row.audience)}"
    if row.what == events.GUESS:
        return f"guess {target} {game.kinds[row.value].id}"
    if row.what == events.RESULT:
        return f"result {of_result(row.value >> 4, row.value & 15)}"
    if row.what == events.USE:
        return f"use {power_rows(game)[row.value].id} {_whereabouts(row)}"
    if row.what == events.PHASE:
        return f"regime {PHASES[row.value]}"
    return {
        events.ATTACK: f"attack {origin}x{target}",
        events.REMOVED: f"removed {origin}",
        events.SPOT: f"spot {target}",
        events.MISS: f"miss {target}",
        events.RESCUE: f"rescue {origin}-{target}",
        events.RESCUED: f"returns {target}",
        events.NOTHING: f"nothing {target}",
        events.CONVERT: f"converted {target} to {SIDES[row.value & 1]}",
        events.TURN: f"turn {SIDES[row.value & 1]}",
    }[row.what]


def _whereabouts(row: Event) -> str:
    """Where a power is used: ``d4 on d6``, ``d5``, or the direction of a group."""
    if not row.piece:
        return DIRECTION_NAMES[row.target]
    return cell_name(row.origin) + (f" on {cell_name(row.target)}" if row.target else "")


def of_result(result: int, reason: int) -> str:
    """How the game ended: ``south flag``, ``draw no progress`` …"""
    return f"{'draw' if result == DRAW else SIDES[result - 1]} {REASONS[reason]}"


def audience(bits: int) -> str:
    """Who is told."""
    told = [viewer for at, viewer in enumerate(VIEWERS) if bits >> at & 1]
    return "all" if bits == events.TO_ALL else " and ".join(told)
