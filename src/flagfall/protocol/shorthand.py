"""The ``played`` command: a short form for referees that do not send events.

::

    played north d7-d6                                  a step (or a run, which shows the runner)
    played north d6xd5 d6=scout d5=miner                an attack, with the kinds shown on both squares
    played south e4xe5 e4=captain removed=e4,e5         the removed pieces, if the combat table does not tell

Only moves and attacks have this form; games with powers need events.
"""

from __future__ import annotations

from collections.abc import Sequence

from flagfall.board import DIRECTIONS, cell_name
from flagfall.engine import tables as T
from flagfall.engine.action import ATTACK, MOVE
from flagfall.errors import quoted
from flagfall.notation import NotationError, read_turn
from flagfall.protocol.follower import Follower, FollowError
from flagfall.protocol.messages import ProtocolError, read_pairs, read_side
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenEvent


def played(follower: Follower, words: Sequence[str]) -> list[SeenEvent]:
    """Return the events of ``played SIDE ACTION …`` (without its first word) up to the end of the turn."""
    if len(words) < 2:
        raise ProtocolError("“played” needs a side and an action, such as played north d7-d6.")
    side, pairs = read_side(words[0]), read_pairs(words[2:])
    try:
        actions = read_turn(follower.game, words[1])
    except NotationError as problem:
        raise ProtocolError(f"{quoted(words[1])} cannot be read: {problem}") from None
    act = actions[0]
    if len(actions) != 1 or act.verb not in (MOVE, ATTACK):
        raise ProtocolError("“played” is for moves and attacks only; send events for other actions.")
    account = _Account(follower, side, cell_name(act.origin), cell_name(act.target), pairs)
    is_attack = act.verb == ATTACK or account.target in follower.knowledge.on
    events = account.attack() if is_attack else account.move(act.target - act.origin)
    return [*events, *account.ending()]


class _Account:
    """One turn as events."""

    def __init__(
        self, follower: Follower, side: Side, origin: str, target: str, pairs: dict[str, str]
    ) -> None:
        self.follower, self.side, self.origin, self.target = follower, side, origin, target
        self.removed = pairs.pop("removed", None)
        self.result = pairs.pop("result", "")
        self.kinds = pairs
        self.turn = follower.knowledge.turn
        self.has_won = False
        if origin not in follower.knowledge.on:
            raise FollowError(f"No piece stands on {origin}.")
        self.piece = follower.knowledge.on[origin]
        if SIDES[follower.knowledge.cells[self.piece][1]] != side:
            raise FollowError(f"The piece on {origin} is not {side}'s.")
        for square, kind in pairs.items():
            if square not in (origin, target):
                raise ProtocolError(f"{quoted(f'{square}={kind}')}: only {origin} and {target} take part.")

    def _event(self, what: str, piece: str, **facts: str) -> SeenEvent:
        owner = SIDES[self.follower.knowledge.cells[piece][1]]
        return SeenEvent(what, self.turn, side=owner, piece=piece, **facts)

    def _shown(self, square: str, kind: str) -> SeenEvent:
        return self._event("shown", self.follower.knowledge.on[square], origin=square, kind=kind)

    def move(self, way: int) -> list[SeenEvent]:
        """Return the events of a step, or of a run, which reveals a runner."""
        is_step = way in DIRECTIONS
        kind = self.kinds.get(self.origin, "" if is_step else self._runner())
        shown = [self._shown(self.origin, kind)] if kind else []
        how = "step" if is_step else "run"
        where = {"origin": self.origin, "target": self.target}
        return [*shown, self._event("move", self.piece, detail=how, **where)]

    def _runner(self) -> str:
        """Return the only running kind of the mover's army; empty if there are several or none."""
        game, flags = self.follower.game, self.follower.tables.row
        roster = game.rosters[self.side]
        runners = [
            kind.id
            for number, kind in enumerate(game.kinds)
            if roster[number] and flags[T.KIND_FLAGS + number] & T.RUNS
        ]
        return runners[0] if len(runners) == 1 else ""

    def attack(self) -> list[SeenEvent]:
        """Return the events of an attack; removed pieces are given or follow from the combat table."""
        knowledge = self.follower.knowledge
        if self.target not in knowledge.on:
            raise FollowError(f"There is no enemy to attack on {self.target}.")
        defender = knowledge.on[self.target]
        where = {"origin": self.origin, "target": self.target}
        events = [self._event("attack", self.piece, **where)]
        for square in (self.origin, self.target):
            name = knowledge.on[square]
            kind = self.kinds.get(square) or knowledge.kind_of(name, knowledge.cells[name][1])
            if kind:
                self.kinds[square] = kind
                events.append(self._shown(square, kind))
        gone = self._gone()
        events += [
            self._event("removed", name, origin=square)
            for square, name in ((self.origin, self.piece), (self.target, defender))
            if square in gone
        ]
        if gone == {self.target}:
            events.append(self._event("move", self.piece, detail="capture", **where))
        return events

    def _gone(self) -> set[str]:
        """Return the squares whose pieces are removed."""
        if self.removed is not None:
            gone = set(filter(None, self.removed.split(",")))
            if not gone <= {self.origin, self.target}:
                raise ProtocolError(
                    f"{quoted(f'removed={self.removed}')}: only {self.origin} and {self.target} met."
                )
            return gone
        numbers = self.follower.knowledge.facts.number
        attacker, defender = (numbers.get(self.kinds.get(at, ""), -1) for at in (self.origin, self.target))
        if attacker < 0 or defender < 0:
            raise ProtocolError("Give the kinds shown, or removed=SQUARE, or both.")
        outcome = self.follower.knowledge.facts.fight[attacker][defender]
        self.has_won = outcome == T.ATTACKER_WINS and bool(
            self.follower.tables.row[T.KIND_FLAGS + defender] & T.IS_FLAG
        )
        losers = {
            T.ATTACKER_WINS: {self.target},
            T.DEFENDER_WINS: {self.origin},
            T.BOTH_LOST: {self.origin, self.target},
        }
        return losers.get(outcome, set())

    def ending(self) -> list[SeenEvent]:
        """Return the end of the turn or of the game."""
        if self.has_won:
            return [SeenEvent("result", self.turn, side=self.side, detail="flag captured")]
        return [SeenEvent("turn", self.turn, side=self.side.other)]
