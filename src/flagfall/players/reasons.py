"""Why a quiet action is good, in one sentence, from the View of the player who would play it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from flagfall.board import DIRECTIONS, distance, parse_cell, row_of
from flagfall.edition import Game, Options
from flagfall.edition.combat import setting
from flagfall.edition.schema import Kind
from flagfall.engine import action as A
from flagfall.engine import tables as T
from flagfall.engine.action import Action
from flagfall.notation.names import kind_word
from flagfall.sides import Side
from flagfall.view.view import SeenPiece, View

Fights = Sequence[Sequence[int]]
"""outcomes of attacks: row attacker, column defender (`Tables.fights`)"""

WALKS = (A.MOVE, A.TWO_STEP, A.LEAP, A.TELEPORT)
"""verbs that bring a piece to another square"""
FALLBACK = "It is a quiet move, and the best one I can see."
POWER_REASONS: Mapping[int, str] = {
    A.SPOT: "If you name the right piece, you capture it.",
    A.RESCUE: "It brings one of your lost pieces back.",
    A.SHOOT: "It strikes from a distance, so your {own} need not attack.",
    A.DETECT: "It shows you what stands on {target}.",
    A.CONVERT: "A weaker piece on {target} changes to your side.",
    A.SWING: "It can strike more than one piece.",
    A.SWEEP: "It strikes everything around your {own}.",
    A.ADVANCE: "It moves several of your pieces in one turn.",
}
LONE_ADVANCE = "It moves your {own} one square."
"""for an advance of one piece"""
NEAR_FLAG = 2
"""steps from the Flag within which a piece guards it"""
NEW_LANE = 2
"""additional squares of a run that make a lane"""


def quiet_reason(game: Game, options: Options, view: View, action: Action, fights: Fights) -> str:
    """Return why an action that attacks nothing is good; empty for an answer in an open turn."""
    piece = view.at(action.origin_square) if action.origin else None
    own = kind_word(game, piece.kind, piece.side) if piece else ""
    if action.verb in WALKS and piece:
        return _Walk(game, options, view, fights, piece, action.target).reason()
    text = POWER_REASONS.get(action.verb, "")
    if action.verb == A.ADVANCE and len(group := _group(game, view)) == 1:
        text, own = LONE_ADVANCE, kind_word(game, group[0].kind, group[0].side)
    return text.format(own=own, target=action.target_square if action.target else "")


def _group(game: Game, view: View) -> list[SeenPiece]:
    """Return the pieces of the side to move that advance together."""
    return [
        piece
        for piece in view.pieces
        if piece.side == view.to_move
        and any(power.verb == "advance" for power in game.abilities(game.kinds[game.kind_index(piece.kind)]))
    ]


@dataclass(frozen=True)
class _Walk:
    """One of the viewer's pieces goes to an empty square."""

    game: Game
    options: Options
    view: View
    fights: Fights
    piece: SeenPiece
    target: int

    def reason(self) -> str:
        """Return the first reason that holds."""
        reasons = (
            self._escapes,
            self._threatens,
            self._guards_flag,
            self._nears_bomb,
            self._meets_hidden,
            self._opens_lane,
            self._goes_forward,
            self._has_more_room,
        )
        return next(filter(None, (reason() for reason in reasons)), FALLBACK)

    def _escapes(self) -> str:
        if any(True for _ in self._attackers(self.target, self._squares_after)):
            return ""
        for enemy in self._attackers(self.origin, self._squares):
            if self._comes_closer(enemy, by=-1):
                return f"It takes your {self.own} away from their {self._name(enemy)}."
        return ""

    def _threatens(self) -> str:
        for enemy in self._new_neighbours():
            if enemy.kind and self._beats(self.piece.kind, enemy.kind):
                return f"From there your {self.own} threatens their {self._name(enemy)}."
        return ""

    def _guards_flag(self) -> str:
        for flag in self.view.pieces:
            if flag.side != self.piece.side or self._kind(flag.kind).role != "flag":
                continue
            if self._comes_closer(flag) and distance(self.target, parse_cell(flag.cell)) <= NEAR_FLAG:
                return f"It brings your {self.own} closer to your {self._name(flag)}, to guard it."
        return ""

    def _nears_bomb(self) -> str:
        bombs = {kind.id for kind in self.game.kinds if kind.role == "bomb"} & {
            *self._kind(self.piece.kind).takes
        }
        unmoved = [one for one in self._enemies if not one.kind and bombs & {*one.possible}]
        nearest = min(
            unmoved, key=lambda one: (distance(self.target, parse_cell(one.cell)), one.cell), default=None
        )
        if nearest is None or not self._comes_closer(nearest):
            return ""
        guess = f"a piece that has never moved: perhaps a {self.game.edition.words['bomb']}"
        return f"It brings your {self.own} towards {nearest.cell}, {guess}."

    def _meets_hidden(self) -> str:
        for enemy in self._new_neighbours():
            if not enemy.kind:
                is_shown = not self.options.is_on("silent_defense") or self._runs(self.piece)
                end = " and find out what it is" if is_shown else ""
                return f"From there your {self.own} can attack {enemy.cell}{end}."
        return ""

    def _opens_lane(self) -> str:
        for runner in self.view.pieces:
            if runner.side != self.piece.side or runner == self.piece or not self._runs(runner):
                continue
            start = parse_cell(runner.cell)
            for way in DIRECTIONS:
                before, after = (
                    len(self._lane(start, way, taken)) for taken in (self._squares, self._squares_after)
                )
                if after >= before + NEW_LANE:
                    return f"It opens a lane for your {self._name(runner)} on {runner.cell}."
        return ""

    def _goes_forward(self) -> str:
        rows = row_of(self.target) - row_of(self.origin)
        is_forward = rows > 0 if self.piece.side is Side.SOUTH else rows < 0
        return f"It brings your {self.own} forward." if is_forward else ""

    def _has_more_room(self) -> str:
        before, after = self._room(self.origin, self._squares), self._room(self.target, self._squares_after)
        return f"It gives your {self.own} more room." if after > before else ""

    # ------------------------------------------------------------------ the View

    @property
    def origin(self) -> int:
        """The cell where the piece stands."""
        return parse_cell(self.piece.cell)

    @property
    def own(self) -> str:
        """The name of the piece."""
        return self._name(self.piece)

    @cached_property
    def _enemies(self) -> list[SeenPiece]:
        return [piece for piece in self.view.pieces if piece.side != self.piece.side]

    @cached_property
    def _squares(self) -> frozenset[int]:
        """The squares with a piece on them now."""
        return frozenset(parse_cell(piece.cell) for piece in self.view.pieces)

    @cached_property
    def _squares_after(self) -> frozenset[int]:
        return self._squares - {self.origin} | {self.target}

    def _kind(self, kind: str) -> Kind:
        return self.game.kinds[self.game.kind_index(kind)]

    def _name(self, piece: SeenPiece) -> str:
        return kind_word(self.game, piece.kind, piece.side)

    def _beats(self, attacker: str, defender: str) -> bool:
        row = self.fights[self.game.kind_index(attacker)]
        return row[self.game.kind_index(defender)] == T.ATTACKER_WINS

    def _comes_closer(self, piece: SeenPiece, by: int = 1) -> bool:
        cell = parse_cell(piece.cell)
        return by * (distance(self.origin, cell) - distance(self.target, cell)) > 0

    def _new_neighbours(self) -> Iterator[SeenPiece]:
        """Yield the enemies next to the target that are not next to the piece now."""
        for enemy in self._enemies:
            cell = parse_cell(enemy.cell)
            if distance(self.target, cell) == 1 < distance(self.origin, cell):
                yield enemy

    def _attackers(self, cell: int, taken: frozenset[int]) -> Iterator[SeenPiece]:
        """Yield the enemies known to beat the piece that could attack it on a cell."""
        for enemy in self._enemies:
            if enemy.kind and self._beats(enemy.kind, self.piece.kind):
                start = parse_cell(enemy.cell)
                ends = {start + way for way in DIRECTIONS}
                if self._runs(enemy, attacks=True):
                    ends |= {start + way * (len(self._lane(start, way, taken)) + 1) for way in DIRECTIONS}
                if cell in ends:
                    yield enemy

    def _runs(self, piece: SeenPiece, *, attacks: bool = False) -> bool:
        powers = [power for power in self.game.abilities(self._kind(piece.kind)) if power.verb == "run"]
        return any(not attacks or bool(setting(power, "attack", self.options)) for power in powers)

    def _lane(self, start: int, way: int, taken: frozenset[int]) -> list[int]:
        """Return the empty squares from a cell in one direction."""
        lane, cell = [], start + way
        while self._is_open(cell, taken):
            lane.append(cell)
            cell += way
        return lane

    def _room(self, cell: int, taken: frozenset[int]) -> int:
        return sum(self._is_open(cell + way, taken) for way in DIRECTIONS)

    def _is_open(self, cell: int, taken: frozenset[int]) -> bool:
        board = self.game.board
        return cell in board and cell not in board.zones and cell not in taken
