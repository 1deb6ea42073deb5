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
from flagfall.languages import Phrase, say
from flagfall.notation.names import kind_word
from flagfall.sides import Side
from flagfall.view.view import SeenPiece, View

Fights = Sequence[Sequence[int]]
"""outcomes of attacks: row attacker, column defender (`Tables.fights`)"""

WALKS = (A.MOVE, A.TWO_STEP, A.LEAP, A.TELEPORT)
"""verbs that bring a piece to another square"""
FALLBACK = "players.reason.quiet"
POWER_REASONS: Mapping[int, str] = {
    A.SPOT: "players.reason.spot",
    A.RESCUE: "players.reason.rescue",
    A.SHOOT: "players.reason.shoot",
    A.DETECT: "players.reason.detect",
    A.CONVERT: "players.reason.convert",
    A.SWING: "players.reason.swing",
    A.SWEEP: "players.reason.sweep",
    A.ADVANCE: "players.reason.advance",
}
"""messages by verb"""
LONE_ADVANCE = "players.reason.lone-advance"
"""for an advance of one piece"""
NEAR_FLAG = 2
"""steps from the Flag within which a piece guards it"""
NEW_LANE = 2
"""additional squares of a run that make a lane"""


def quiet_reason(game: Game, options: Options, view: View, action: Action, fights: Fights) -> str:
    """Return why an action that attacks nothing is good; empty for an answer in an open turn."""
    piece = view.at(action.origin_square) if action.origin else None
    if action.verb in WALKS and piece:
        return _Walk(game, options, view, fights, piece, action.target).reason()
    if action.verb not in POWER_REASONS:
        return ""
    key = POWER_REASONS[action.verb]
    if action.verb == A.ADVANCE and len(group := _group(game, view)) == 1:
        key, piece = LONE_ADVANCE, group[0]
    who = _your(game, piece) if piece else ""
    return say(key, who=who, square=action.target_square if action.target else "")


def _your(game: Game, piece: SeenPiece) -> Phrase:
    return Phrase("phrases.your", kind_word(game, piece.kind, piece.side))


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
        return next(filter(None, (reason() for reason in reasons)), "") or say(FALLBACK)

    def _escapes(self) -> str:
        if any(True for _ in self._attackers(self.target, self._squares_after)):
            return ""
        for enemy in self._attackers(self.origin, self._squares):
            if self._comes_closer(enemy, by=-1):
                return say("players.reason.escapes", who=self.own, enemy=self._their(enemy))
        return ""

    def _threatens(self) -> str:
        for enemy in self._new_neighbours():
            if enemy.kind and self._beats(self.piece.kind, enemy.kind):
                return say("players.reason.threatens", who=self.own, enemy=self._their(enemy))
        return ""

    def _guards_flag(self) -> str:
        for flag in self.view.pieces:
            if flag.side != self.piece.side or self._kind(flag.kind).role != "flag":
                continue
            if self._comes_closer(flag) and distance(self.target, parse_cell(flag.cell)) <= NEAR_FLAG:
                return say("players.reason.guards", who=self.own, flag=_your(self.game, flag))
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
        bomb = Phrase("phrases.a", self.game.edition.words["bomb"])
        return say("players.reason.nears-bomb", who=self.own, square=nearest.cell, bomb=bomb)

    def _meets_hidden(self) -> str:
        for enemy in self._new_neighbours():
            if not enemy.kind:
                is_shown = not self.options.is_on("silent_defense") or self._runs(self.piece)
                end = "meets-hidden" if is_shown else "meets-silent"
                return say(f"players.reason.{end}", who=self.own, square=enemy.cell)
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
                    runs = _your(self.game, runner)
                    return say("players.reason.opens-lane", who=runs, square=runner.cell)
        return ""

    def _goes_forward(self) -> str:
        rows = row_of(self.target) - row_of(self.origin)
        is_forward = rows > 0 if self.piece.side is Side.SOUTH else rows < 0
        return say("players.reason.forward", who=self.own) if is_forward else ""

    def _has_more_room(self) -> str:
        before, after = self._room(self.origin, self._squares), self._room(self.target, self._squares_after)
        return say("players.reason.room", who=self.own) if after > before else ""

    # ------------------------------------------------------------------ the View

    @property
    def origin(self) -> int:
        """The cell where the piece stands."""
        return parse_cell(self.piece.cell)

    @property
    def own(self) -> Phrase:
        """The piece for a sentence: ``your Scout``."""
        return _your(self.game, self.piece)

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

    def _their(self, piece: SeenPiece) -> Phrase:
        return Phrase("phrases.their", kind_word(self.game, piece.kind, piece.side))

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
