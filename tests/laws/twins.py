"""Twins: the same game with some kinds of one army exchanged, played in step while nobody can tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

from flagfall.board import cell_name, parse_cell
from flagfall.engine import action as A
from flagfall.engine import state as S
from flagfall.view.view import VIEWERS, Viewer
from tests.laws import MORE
from tests.laws.seen_game import Record, SeenGame, short

NEVER = 1 << 30
EVERY = 3 if MORE == 1 else 1
"""actions between two comparisons of what is sent; the next twins of the game compare in between"""


@dataclass
class Outcome:
    """How far two games went together before one viewer's eyes."""

    viewer: Viewer
    steps: int = 0
    moves_of_exchanged: int = 0
    open_turns: int = 0
    difference: str = ""
    """where the viewer was sent different things although it had seen the same"""


def exchanges(record: Record, side: int, rng: Random) -> Iterator[dict[int, int]]:
    """Other setups of one army that the other side may take for the true one for long."""
    setup = record.setups[side]
    shown, moved = _firsts(record, side)
    mobile = {kind for kind, one in enumerate(record.case.game.kinds) if one.is_mobile}

    def lasts(first: int, second: int) -> int:
        """When at the latest the exchange of two squares' pieces shows."""
        until = min(shown.get(first, NEVER), shown.get(second, NEVER))
        for here, there in ((first, second), (second, first)):
            if setup[there] not in mobile:
                until = min(until, moved.get(here, NEVER))
        return until

    def strolls(first: int, second: int) -> int:
        """The same, but only for pieces that move before that."""
        until = lasts(first, second)
        return until if min(moved.get(first, NEVER), moved.get(second, NEVER)) < until else 0

    pairs = [pair for pair in combinations(sorted(setup), 2) if setup[pair[0]] != setup[pair[1]]]
    rng.shuffle(pairs)
    if pairs:
        for merit in (lasts, strolls):
            first, second = max(pairs, key=lambda pair: merit(*pair))
            yield setup | {first: setup[second], second: setup[first]}
        if record.case.seed % 3 == 0:
            first, second = pairs[0]
            yield setup | {first: setup[second], second: setup[first]}
    yield from _shuffled(setup, shown, moved, mobile, rng)


def _shuffled(
    setup: dict[int, int], shown: dict[int, int], moved: dict[int, int], mobile: set[int], rng: Random
) -> Iterator[dict[int, int]]:
    """All pieces that are never shown exchanged at once: those that move, and those that stay."""
    hidden = [cell for cell in sorted(setup) if cell not in shown]
    other = dict(setup)
    for group in ([c for c in hidden if setup[c] in mobile], [c for c in hidden if c not in moved]):
        kinds = [other[cell] for cell in group]
        rng.shuffle(kinds)
        other.update(zip(group, kinds, strict=True))
    if other != setup:
        yield other


def _firsts(record: Record, side: int) -> tuple[dict[int, int], dict[int, int]]:
    """Per starting square: at which step its piece was first shown to the other side, and first moved."""
    viewer = VIEWERS[1 - side]
    shown: dict[int, int] = {}
    moved: dict[int, int] = {}
    for at, seen in enumerate(record.seen):
        for event in seen[viewer]:
            if event.side == VIEWERS[side] and "+" not in event.piece and event.piece:
                cell = parse_cell(event.piece)
                if event.what == "shown":
                    shown.setdefault(cell, at)
                elif event.what == "move":
                    moved.setdefault(cell, at)
    return shown, moved


def walk(record: Record, side: int, other: dict[int, int], first: int = 0) -> list[Outcome]:
    """Play the twin along with the record; what the other seat and the watchers could tell.

    What is seen is compared after every action; what is sent, at every third one counted from ``first`` and
    within open turns.
    """
    setups = [dict(setup) for setup in record.setups]
    exchanged = {cell_name(cell) for cell, kind in other.items() if record.setups[side][cell] != kind}
    setups[side] = other
    twin = SeenGame(record.case.game, record.case.options, setups[0], setups[1])
    going = [Outcome(VIEWERS[1 - side]), Outcome("watcher")]
    done: list[Outcome] = []
    seen = twin.greeting
    for at in range(len(record.seen)):
        for outcome in list(going):
            viewer = outcome.viewer
            if seen[viewer] != record.seen[at][viewer]:
                going.remove(outcome)
                done.append(outcome)
                continue
            is_compared = (at + first) % EVERY == 0 or twin.state.is_turn_open
            if is_compared and short(sent := twin.sent(viewer)) != record.sent[at][viewer]:
                outcome.difference = (
                    f"{record.case}: after {at} actions {viewer} is sent\n{sent.decode()}\nand\n"
                    f"{record.replayed(after=at).sent(viewer).decode()}\n"
                    f"when {sorted(exchanged)} of {VIEWERS[side]} are exchanged"
                )
                return [*done, *going]
            outcome.steps += 1
            outcome.open_turns += twin.state.is_turn_open
            outcome.moves_of_exchanged += any(
                event.what == "move" and event.piece in exchanged for event in seen[viewer]
            )
        if not going or at == len(record.actions):
            break
        act = same_action(twin, record.actions[at], side, record.setups[side], other)
        if act is None:
            break
        seen = twin.play(act)
    return [*done, *going]


def same_action(
    twin: SeenGame, act: int, side: int, setup: dict[int, int], other: dict[int, int]
) -> int | None:
    """Return the same action if the twin may do it; a rescue is silent, so there another kind will do."""
    legal = twin.legal()
    if act in legal:
        return act
    if twin.state.side == side and twin.state.buffer[S.PENDING] == S.ASK_RESCUE_KIND:
        wanted = A.Action.unpack(act).choice
        partners = {other[cell] for cell, kind in setup.items() if kind == wanted}
        for choice in sorted(legal):
            if A.Action.unpack(choice).choice in partners:
                return choice
    return None
