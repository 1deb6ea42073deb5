"""What one viewer has seen and can conclude, computed from its SeenEvents alone.

A `Knowledge` starts from the occupied squares, which all can see, and for a seat from its own setup. After
that it reads only SeenEvents, so the same events always give the same Knowledge.

Its conclusions are exact (tests check them by brute force on small boards), except that it ignores two things
that follow from what did *not* happen: a side that plays on must have a piece that can move, and a rescue
that was declared must have a piece to bring back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache

from flagfall.edition.schema import Game
from flagfall.engine import tables as T
from flagfall.engine.tables import Tables
from flagfall.view.army import Army, Token
from flagfall.view.view import SeenEvent, Viewer, side_of


class Facts:
    """Properties of the kinds of a game as bit sets, from its Tables; shared by all Knowledge of a game."""

    def __init__(self, game: Game, tables: Tables) -> None:
        self.game = game
        self.ids = tuple(kind.id for kind in game.kinds)
        self.number = {kind: index for index, kind in enumerate(self.ids)}
        flags = [int(tables.row[T.KIND_FLAGS + index]) for index in range(len(self.ids))]
        self.mobile = self._mask(flag & T.MOBILE for flag in flags)
        self.rescuers = self._mask(flag & T.RESCUES for flag in flags)
        self.rescuable = self._mask(flag & T.RESCUABLE for flag in flags)
        self.purged = self._mask(flag & T.PURGED for flag in flags)
        self.flags = self._mask(flag & T.IS_FLAG for flag in flags)
        self.returns_in_silence = bool(tables.row[T.SILENT_DEFENSE])
        self.defenders_advance = bool(tables.row[T.DEFENDER_ADVANCES])
        self.fight = tables.fights(len(self.ids))
        self._names: dict[int, tuple[str, ...]] = {}

    @staticmethod
    def _mask(claims: Iterable[int]) -> int:
        return sum(1 << index for index, claim in enumerate(claims) if claim)

    def losers(self, attacker: int, outcome: int) -> int:
        """Return the kinds against which an attack by that kind has that outcome."""
        return self._mask(int(result == outcome) for result in self.fight[attacker])

    def names(self, kinds: int) -> tuple[str, ...]:
        """Return the kind ids of a bit set, in the order of the game."""
        if kinds not in self._names:
            self._names[kinds] = tuple(kind for index, kind in enumerate(self.ids) if kinds >> index & 1)
        return self._names[kinds]


shared_facts = lru_cache(maxsize=256)(Facts)
"""the Facts of a game and its Tables; all its matches share them"""


@lru_cache(maxsize=1024)
def _place(cell: str, side: int) -> tuple[str, int]:
    """Return a square and the side of the piece on it; all matches share the value, to save memory."""
    return cell, side


@dataclass
class Fight:
    """An attack whose outcome is not complete yet."""

    attacker: str
    defender: str
    removed: set[str] = field(default_factory=set)
    has_advanced: bool = False


class Knowledge:
    """Everything that one viewer knows."""

    def __init__(
        self,
        facts: Facts,
        viewer: Viewer,
        squares: tuple[Iterable[str], Iterable[str]],
        own: Mapping[str, str],
    ) -> None:
        """``squares``: the starting squares of South and North; ``own``: the viewer's setup."""
        self.facts = facts
        self.viewer = viewer
        own_side = side_of(viewer)
        self.side = None if own_side is None else int(own_side)
        self.armies = tuple(Army(roster) for roster in facts.game.rosters)
        self.cells: dict[str, tuple[str, int]] = {}
        """name → square and side of the pieces on the board"""
        self.on: dict[str, str] = {}
        """square → name"""
        self.own = dict(own)
        """name → kind id of the viewer's own pieces"""
        self.moved: set[str] = set()
        self.converted: set[str] = set()
        self.lost: tuple[list[str], list[str]] = ([], [])
        self.rescues = [0, 0]
        self.unnamed_returns = [0, 0]
        """rescued pieces whose kinds the viewer does not know"""
        self.turn = 0
        self.to_move = 0
        self.open_turn: list[SeenEvent] = []
        self.last_turn: list[SeenEvent] = []
        self.result: SeenEvent | None = None
        self._fight: Fight | None = None
        self._purged: int | None = None
        """the side whose purged pieces are being removed"""
        for side, names in enumerate(squares):
            for name in names:
                self.armies[side].stands(name)
                self._stand(name, name, side)

    def copy(self) -> Knowledge:
        """Return an independent copy."""
        other = copy(self)
        other.armies = tuple(army.copy() for army in self.armies)
        other.cells, other.on, other.own = dict(self.cells), dict(self.on), dict(self.own)
        other.moved, other.converted = set(self.moved), set(self.converted)
        other.lost = (list(self.lost[0]), list(self.lost[1]))
        other.rescues, other.unnamed_returns = list(self.rescues), list(self.unnamed_returns)
        other.open_turn, other.last_turn = list(self.open_turn), list(self.last_turn)
        if self._fight:
            other._fight = replace(self._fight, removed=set(self._fight.removed))
        return other

    def _stand(self, name: str, cell: str, side: int) -> None:
        self.cells[name] = _place(cell, side)
        self.on[cell] = name

    def _leave(self, name: str) -> None:
        cell, _ = self.cells.pop(name)
        del self.on[cell]

    def fold(self, events: Iterable[SeenEvent]) -> None:
        """Learn from events."""
        for event in events:
            if event.what in _ENDS_FIGHT:
                self.settle(is_flag=event.what == "result" and event.detail == "flag captured")
            if event.what in CONCLUSIONS:
                CONCLUSIONS[event.what](self, event)
            if event.what == "turn":
                self.last_turn, self.open_turn = self.open_turn, []
            else:
                self.open_turn.append(event)

    def army_of(self, name: str) -> Army:
        """Return the army in which a piece began, even if it has changed sides."""
        return self.armies[0 if name in self.armies[0].tokens else 1]

    def token(self, name: str) -> Token:
        """Return what an outsider knows of a piece."""
        return self.army_of(name).tokens[name]

    def _side_of(self, event: SeenEvent) -> int:
        return 0 if event.side == "south" else 1

    def _move(self, event: SeenEvent) -> None:
        side = self._side_of(event)
        self.army_of(event.piece).allow(event.piece, self.facts.mobile)
        self._leave(event.piece)
        self._stand(event.piece, event.target, side)
        self.moved.add(event.piece)
        if self._fight and event.piece == self._fight.defender:
            self._fight.has_advanced = True

    def _attack(self, event: SeenEvent) -> None:
        self._fight = Fight(event.piece, self.on[event.target])

    def _shown(self, event: SeenEvent) -> None:
        side = self._side_of(event)
        is_return = event.detail == "rescued"
        is_private = is_return and side == self.side and self.facts.returns_in_silence
        if not is_private:
            self.army_of(event.piece).show(event.piece, self.facts.number[event.kind])
        if side == self.side and event.piece not in self.own:
            self.own[event.piece] = event.kind
        if is_return:
            self._take_from_tray(side, event.kind)

    def _removed(self, event: SeenEvent) -> None:
        side = self._side_of(event)
        self._leave(event.piece)
        self.army_of(event.piece).lose(event.piece)
        if side == self._purged:
            self.army_of(event.piece).allow(event.piece, self.facts.purged)
        self.lost[side].append(event.piece)
        if self._fight:
            self._fight.removed.add(event.piece)

    def _miss(self, event: SeenEvent) -> None:
        name = self.on[event.target]
        if not self.token(name).is_told:
            self.army_of(name).allow(name, ~(1 << self.facts.number[event.kind]))

    def _rescue(self, event: SeenEvent) -> None:
        self.army_of(event.piece).allow(event.piece, self.facts.rescuers)

    def _rescued(self, event: SeenEvent) -> None:
        side = self._side_of(event)
        self.armies[side].rescue(event.piece, self.facts.rescuable)
        self._stand(event.piece, event.target, side)
        self.rescues[side] += 1
        self.unnamed_returns[side] += 1

    def _take_from_tray(self, side: int, kind: str) -> None:
        for name in self.lost[side]:
            if self.kind_of(name, side) == kind:
                self.lost[side].remove(name)
                self.unnamed_returns[side] -= 1
                return

    def _no_effect(self, event: SeenEvent) -> None:
        """Conclude that a piece never moves if it was not shown although nothing happened to it."""
        if not self.token(event.piece).is_told:
            self.army_of(event.piece).allow(event.piece, ~self.facts.mobile)

    def _converted(self, event: SeenEvent) -> None:
        side = self._side_of(event)
        self.cells[event.piece] = _place(event.target, side)
        self.converted.add(event.piece)
        if side == self.side:
            self.own[event.piece] = self.facts.ids[self.token(event.piece).kinds.bit_length() - 1]

    def _regime(self, event: SeenEvent) -> None:
        if event.detail == "bearer arrived":
            self._purged = 1 - self._side_of(event)

    def _end_purge(self) -> None:
        """Conclude that the pieces still there are not of the kinds that had to leave."""
        for name, (_, side) in self.cells.items():
            if side == self._purged:
                self.army_of(name).allow(name, ~self.facts.purged)
        self._purged = None

    def _turn(self, event: SeenEvent) -> None:
        self.turn += 1
        self.to_move = self._side_of(event)

    def _result(self, event: SeenEvent) -> None:
        self.result = event

    def settle(self, *, is_flag: bool = False) -> None:
        """End a fight and conclude what an unnamed defender can be; ``is_flag``: its loss ended the game."""
        if self._purged is not None:
            self._end_purge()
        fight, self._fight = self._fight, None
        if fight is None or self.token(fight.defender).is_told:
            return
        attacker = self.token(fight.attacker).kinds.bit_length() - 1
        has_lost, has_won = fight.attacker in fight.removed, fight.defender in fight.removed
        if has_lost:
            outcome = T.BOTH_LOST if has_won else T.DEFENDER_WINS
        else:
            outcome = T.ATTACKER_WINS if has_won else T.NOTHING
        kinds = self.facts.losers(attacker, outcome)
        if outcome == T.DEFENDER_WINS and self.facts.defenders_advance:
            kinds &= self.facts.mobile if fight.has_advanced else ~self.facts.mobile
        if outcome == T.ATTACKER_WINS:
            kinds &= self.facts.flags if is_flag else ~self.facts.flags
        self.army_of(fight.defender).allow(fight.defender, kinds)

    def kind_of(self, name: str, side: int) -> str:
        """Return the kind id if the viewer has been shown it or owns the piece, else empty."""
        if side == self.side:
            return self.own[name]
        token = self.token(name)
        return self.facts.ids[token.kinds.bit_length() - 1] if token.is_told else ""

    def recent_names(self) -> dict[str, str]:
        """Return the names to send where players must remember: Knowledge's name → the name to send.

        A starting square as a name would reveal that a piece has moved, and from where. So a piece is named
        by its square at the beginning of the last turn, and one that has come back since then by its side
        (``"south+1"``). The names stay the same while a turn is open.
        """
        names: dict[str, str] = {}
        returns = {"south": 0, "north": 0}
        for event in (*self.last_turn, *self.open_turn):
            if event.piece in names or event.side is None:
                continue
            if event.what == "rescued":
                returns[event.side] += 1
                names[event.piece] = f"{event.side}+{returns[event.side]}"
            elif event.what in ("move", "removed"):
                names[event.piece] = event.origin
        return names | {name: cell for name, (cell, _) in self.cells.items() if name not in names}

    def possible(self, name: str) -> int:
        """Return the kinds that an outsider must consider possible, as a bit set."""
        self.settle()
        return self.army_of(name).kinds_of(name)


_ENDS_FIGHT = frozenset({"turn", "result", "attack", "rescued", "spot", "rescue"})
NO_CONCLUSION = frozenset(
    {"spot", "guess", "leap", "teleport", "shoot", "detect", "convert", "swing", "sweep", "advance"}
)
"""announcements; what they reveal comes in separate events"""
CONCLUSIONS: Mapping[str, Callable[[Knowledge, SeenEvent], None]] = {
    "move": Knowledge._move,
    "attack": Knowledge._attack,
    "shown": Knowledge._shown,
    "removed": Knowledge._removed,
    "miss": Knowledge._miss,
    "rescue": Knowledge._rescue,
    "rescued": Knowledge._rescued,
    "no-effect": Knowledge._no_effect,
    "converted": Knowledge._converted,
    "regime": Knowledge._regime,
    "turn": Knowledge._turn,
    "result": Knowledge._result,
}
