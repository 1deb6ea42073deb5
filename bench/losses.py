"""Why games are lost: how each game that was not won ended, and how the strongest pieces fell."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from flagfall.arena.plan import GameResult
from flagfall.arena.simulate import prepared
from flagfall.edition import Game
from flagfall.engine import events as E
from flagfall.engine.play import Event, deal, play
from flagfall.engine.state import PIECE_CELL, PIECE_INFO, TOLD_SOUTH, State, kind_of, owner_of, piece_on
from flagfall.engine.tables import ATTACKER_WINS, PIECES, Tables
from flagfall.notation import from_json, record_actions
from flagfall.setups import read_setup

TOP_KINDS = 2
"""how many of the strongest kinds are followed"""
_SEATS = ("south", "north")


class Loss(Struct, frozen=True):
    """One game that the first player of a match did not win."""

    line: int
    """which game of its file, from 1: for ``flagfall replay --game``"""
    seat: str
    result: str
    turns: int
    left: tuple[int, int]
    """pieces on the board at the end: its own, the other side's"""
    falls: tuple[str, ...]
    """how its strongest pieces were lost"""


def losses(games: Sequence[GameResult]) -> list[Loss]:
    """Return the losses among games in the order of their file."""
    return [_loss(number, played) for number, played in enumerate(games, start=1) if played.score < 1.0]


def _loss(number: int, played: GameResult) -> Loss:
    side = played.round.leg
    replayed = _Replay(played, side)
    replayed.run()
    result = f"draw, {played.reason}" if not played.winner else f"lost, {played.reason}"
    return Loss(number, _SEATS[side], result, played.turns, replayed.left(), tuple(replayed.falls))


class _Replay:
    """Replays a game with all pieces visible."""

    def __init__(self, played: GameResult, side: int) -> None:
        plan = played.plan
        self.game, _, self.tables = prepared(plan.game, tuple(sorted(plan.options.items())))
        self.record = from_json(bytes(played.record))
        south, north = (read_setup(self.game, at, text) for at, text in enumerate(self.record.setups))
        self.state, _ = deal(self.tables, south.kinds, north.kinds)
        self.side = side
        self.top = top_kinds(self.game, self.tables, side)
        self.falls: list[str] = []

    def run(self) -> None:
        for turn, acts in enumerate(record_actions(self.game, self.record), start=1):
            for act in acts:
                before = self.state.copy()
                self._note(turn, before, play(self.tables, self.state, act.pack()))

    def _note(self, turn: int, before: State, happened: Sequence[Event]) -> None:
        for event in happened:
            if event.what == E.REMOVED and owner_of(before.buffer, event.piece) == self.side:
                kind = kind_of(before.buffer, event.piece)
                if kind in self.top:
                    how = self._how(before, happened, event.piece)
                    self.falls.append(f"turn {turn}: {self.game.kind_name(kind, self.side)} {how}")

    def _how(self, before: State, happened: Sequence[Event], victim: int) -> str:
        """Return who captured it, and whether that piece was known."""
        s = before.buffer
        for event in happened:
            if event.what == E.ATTACK:
                struck = piece_on(s, event.target)
                if victim == event.piece and struck:
                    return f"attacks {self._named(before, struck)}"
                if victim == struck:
                    return f"is attacked by {self._named(before, event.piece)}"
        return "is struck by a power"

    def _named(self, before: State, piece: int) -> str:
        s = before.buffer
        is_told = s[PIECE_INFO + piece] & (TOLD_SOUTH << self.side)
        name = self.game.kind_name(kind_of(s, piece), owner_of(s, piece))
        return f"a {'known' if is_told else 'hidden'} {name}"

    def left(self) -> tuple[int, int]:
        s = self.state.buffer
        owners = [owner_of(s, piece) for piece in range(1, PIECES) if s[PIECE_CELL + piece]]
        return owners.count(self.side), owners.count(1 - self.side)


def top_kinds(game: Game, tables: Tables, side: int) -> set[int]:
    """Return the kinds of an army that win most fights."""
    fights = tables.fights(len(game.kinds))
    mobile = [kind for kind, one in enumerate(game.kinds) if one.is_mobile and game.rosters[side][kind]]
    return set(sorted(mobile, key=lambda kind: -fights[kind].count(ATTACKER_WINS))[:TOP_KINDS])
