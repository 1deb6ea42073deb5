"""Brute force: try every setup the hidden army may have, keep those that show the viewer the same.

Knows nothing of `view/`: it compares rows of the engine, with pieces called by the square they started on.

A rescue is chosen in silence, so a hidden choice is tried with every kind. What a viewer could only conclude
from *what did not happen* is left out on purpose, as it is in Knowledge:

- that a side which goes on playing must have had a move (and a side which lost for want of one had none);
- that a rescue, once declared, found a piece to bring back, before one has come back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from flagfall.board import cell_name
from flagfall.edition import Game
from flagfall.engine import action as A
from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.action import Action
from flagfall.engine.play import Event, deal, legal_actions, play
from flagfall.engine.state import State
from flagfall.engine.tables import Tables

Row = tuple[int, str, int, int, int]
"""an event as a viewer gets it: what, which piece by its public name, from, to, value"""


def permutations(kinds: list[int]) -> Iterator[tuple[int, ...]]:
    """Every different order of these kinds."""
    if not kinds:
        yield ()
    for kind in sorted(set(kinds)):
        rest = list(kinds)
        rest.remove(kind)
        for tail in permutations(rest):
            yield (kind, *tail)


@dataclass
class World:
    """One way things may be."""

    setups: tuple[dict[int, int], dict[int, int]]
    state: State
    names: dict[int, str]
    returned: list[int] = field(default_factory=lambda: [0, 0])
    came_back: dict[str, int] = field(default_factory=dict)
    """what each piece is that came back, by the name it came back under"""

    @classmethod
    def begin(cls, tables: Tables, south: dict[int, int], north: dict[int, int]) -> World:
        """Before the first action."""
        state, _ = deal(tables, south, north)
        _go_on(state)
        names = {}
        for piece in range(1, T.PIECES):
            if state.buffer[S.PIECE_CELL + piece]:
                names[piece] = cell_name(state.buffer[S.PIECE_CELL + piece])
        return cls((south, north), state, names)

    def copy(self) -> World:
        """Another one that may go its own way."""
        return World(
            self.setups, self.state.copy(), dict(self.names), list(self.returned), dict(self.came_back)
        )

    def play(self, tables: Tables, act: int, bit: int) -> list[Row]:
        """Play an action; what the viewer of that bit sees of it."""
        rows = [row for event in play(tables, self.state, act) if (row := self._row(event, bit))]
        _go_on(self.state)
        return rows

    def _row(self, event: Event, bit: int) -> Row | None:
        if event.what == E.RESULT and event.value % 16 in (S.NO_MOVE, S.BOTH_STUCK):
            return None
        if event.what == E.RESCUED:
            owner = S.owner_of(self.state.buffer, event.piece)
            self.returned[owner] += 1
            name = f"{('south', 'north')[owner]}+{self.returned[owner]}"
            self.names[event.piece] = name
            self.came_back[name] = S.kind_of(self.state.buffer, event.piece)
        if not event.audience >> bit & 1:
            return None
        return (event.what, self.names.get(event.piece, ""), event.origin, event.target, event.value)

    def kinds(self) -> dict[str, int]:
        """What every piece is that ever had a name."""
        dealt = {cell_name(cell): kind for setup in self.setups for cell, kind in setup.items()}
        return dealt | self.came_back


def _go_on(state: State) -> None:
    """As if nobody ever lost for want of a move."""
    if state.buffer[S.REASON] in (S.NO_MOVE, S.BOTH_STUCK):
        state.buffer[S.RESULT] = state.buffer[S.REASON] = 0


class Oracle:
    """Every world one viewer must think possible."""

    def __init__(
        self,
        game: Game,
        tables: Tables,
        setups: tuple[dict[int, int], dict[int, int]],
        viewer: int,
    ) -> None:
        """``viewer``: 0 South, 1 North, 2 watchers."""
        self.tables, self.viewer = tables, viewer
        self.truth = World.begin(tables, *setups)
        choices: list[list[dict[int, int]]] = []
        for side, setup in enumerate(setups):
            if side == viewer:
                choices.append([setup])
                continue
            kinds = [kind for kind, count in enumerate(game.rosters[side]) for _ in range(count)]
            cells = sorted(setup)
            choices.append([dict(zip(cells, order, strict=True)) for order in permutations(kinds)])
        self.worlds = [World.begin(tables, south, north) for south, north in product(*choices)]

    def play(self, act: int) -> None:
        """The true action; worlds in which it would have looked different are gone."""
        mover = self.truth.state.side
        is_secret = self.truth.state.buffer[S.PENDING] == S.ASK_RESCUE_KIND and mover != self.viewer
        seen = self.truth.play(self.tables, act, self.viewer)
        kept = []
        for world in self.worlds:
            choices = legal_actions(self.tables, world.state) if is_secret else [act]
            for choice in choices:
                if choice == act or is_secret:
                    other = world.copy() if len(choices) > 1 else world
                    if self._may(other, choice) and other.play(self.tables, choice, self.viewer) == seen:
                        kept.append(other)
        self.worlds = kept

    def _may(self, world: World, act: int) -> bool:
        legal = legal_actions(self.tables, world.state)
        if act in legal:
            return True
        one = Action.unpack(act)
        if one.verb != A.RESCUE:
            return False
        s, t = world.state.buffer, self.tables.buffer
        kind = S.kind_of(s, S.piece_on(s, one.origin))
        verb = A.MOVE if S.is_empty(s, one.target) else A.ATTACK
        plain = Action(verb, one.origin, one.target).pack()
        return plain in legal and bool(t[T.KIND_FLAGS + kind] & T.RESCUES)

    def possible(self) -> dict[str, int]:
        """For every piece the kinds it has in some world, as a bit set."""
        found: dict[str, int] = {}
        for world in self.worlds:
            for name, kind in world.kinds().items():
                found[name] = found.get(name, 0) | 1 << kind
        return found
