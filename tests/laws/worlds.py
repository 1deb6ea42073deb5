"""Worlds: positions imagined from one viewer's Knowledge, with some possible kinds for what it cannot see."""

from __future__ import annotations

from copy import deepcopy
from random import Random

from flagfall.board import parse_cell
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints
from flagfall.engine.state import State, add_mover, first_piece, put
from flagfall.view.army import Army
from flagfall.view.knowledge import Knowledge
from flagfall.view.view import SeenEvent
from tests.laws.seen_game import SeenGame

_REPETITION = (
    *range(S.LAST_PIECE, S.LAST_COUNT + 2),
    S.CHASER,
    S.EVADER,
    S.CHASE_COUNT,
    *range(S.CHASE_KEYS, S.CHASE_KEYS + S.CHASE_RING * S.KEY_WORDS),
)
_PROMPT = (
    S.PENDING,
    S.PENDING_PIECE,
    S.PENDING_CELL,
    S.PENDING_KIND,
    S.PENDING_LIST,
    S.PENDING_ROW,
    *range(S.TURN_PIECE, S.TURN_HOW + 1),
)
_PUBLIC = (S.PHASE, S.RESERVED, S.CONVERSIONS, S.CONVERSIONS + 1)


def assignment(army: Army, names: list[str], rng: Random) -> dict[str, int]:
    """One way to deal kinds to these pieces that fits everything known, at random."""
    imagined = deepcopy(army)
    dealt = {}
    for name in rng.sample(names, len(names)):
        kinds = imagined.kinds_of(name)
        assert kinds, f"nothing is possible for {name}"
        dealt[name] = rng.choice([kind for kind in range(kinds.bit_length()) if kinds >> kind & 1])
        imagined.allow(name, 1 << dealt[name])
    return dealt


def imagine(seen_game: SeenGame, knowledge: Knowledge, events: list[SeenEvent], rng: Random) -> State:
    """A State made of a seat's Knowledge alone, but for the mover's memory of repetitions and its prompt."""
    side = knowledge.side
    assert side is not None
    truth, t = seen_game.state.buffer, seen_game.tables.buffer
    number = {name: piece for piece, name in seen_game.observers._names.items()}
    enemies = [name for name, (_, owner) in knowledge.cells.items() if owner != side]
    shown = {name: knowledge.token(name) for name in enemies if knowledge.token(name).is_told}
    kinds = {name: token.kinds.bit_length() - 1 for name, token in shown.items()}
    hidden = [name for name in enemies if name not in shown]
    kinds |= assignment(knowledge.armies[1 - side], hidden, rng)
    world = State()
    s = world.buffer
    for cell in range(144):
        s[S.BOARD + cell] = (S.NO_SQUARE if t[T.CELL_FLAGS + cell] & T.BLOCKED else S.EMPTY) << S.STANDS
    for name, (square, owner) in knowledge.cells.items():
        own = owner == side
        kind = knowledge.facts.number[knowledge.own[name]] if own else kinds[name]
        s[S.PIECE_INFO + number[name]] = kind | owner << S.OWNER_SHIFT | S.TOLD_SOUTH << owner
        if name in shown:
            s[S.PIECE_INFO + number[name]] |= S.TOLD_SOUTH << side
        if name in knowledge.converted:
            s[S.PIECE_INFO + number[name]] |= S.CONVERTED
        if own:
            s[S.PIECE_INFO + number[name]] |= truth[S.PIECE_INFO + number[name]] & S.ADVANCED
        put(s, number[name], parse_cell(square))
        if t[T.KIND_FLAGS + kind] & T.MOBILE:
            add_mover(s, owner, number[name])
    _own_losses(s, knowledge, side)
    for name in _rescuers(events):
        if name in knowledge.cells:
            s[S.PIECE_INFO + number[name]] |= S.HAS_RESCUED
    s[S.SIDE] = side
    for owner in (0, 1):
        s[S.RESCUES_MADE + owner] = knowledge.rescues[owner]
    for word in (*_REPETITION, *_PROMPT, *_PUBLIC):
        s[word] = truth[word]
    return world


def _own_losses(s: Ints, knowledge: Knowledge, side: int) -> None:
    free = [
        piece
        for piece in range(first_piece(side), first_piece(side) + T.ARMY)
        if s[S.PIECE_INFO + piece] == 0
    ]
    for piece, name in zip(free, knowledge.lost[side], strict=False):
        kind = knowledge.facts.number[knowledge.own[name]]
        s[S.PIECE_INFO + piece] = kind | side << S.OWNER_SHIFT | S.TOLD_SOUTH << side


def _rescuers(events: list[SeenEvent]) -> set[str]:
    """Names of the pieces that have brought another back."""
    found: set[str] = set()
    declared = ""
    for event in events:
        if event.what == "rescue":
            declared = event.piece
        elif event.what == "rescued":
            found.add(declared)
    return found
