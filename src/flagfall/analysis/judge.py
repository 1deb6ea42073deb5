"""The verdict given the truth: an analyst that knows every piece, and exact proofs of forced wins.

The search drops actions that look poor early and so misses some forced wins. The `Prover` looks at every turn
of both sides, a few turns deep and within a number of nodes; what it proves replaces the estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from flagfall.analysis.analyst import WORTH_A_LINE, Analyst, Opinion
from flagfall.analysis.proof import Prover, TooManyNodesError, WholeTurn
from flagfall.board import cell_name
from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.match.play import GameRunner
from flagfall.match.referee import Referee
from flagfall.notation import describe_action, describe_turn
from flagfall.notation.actions import write_action
from flagfall.players import Budget
from flagfall.players.levels import level_of
from flagfall.players.line import LineTurn
from flagfall.sides import Side
from flagfall.view.view import SeenEvent, View

TRUTH_SHARE = 0.25
"""what the verdict given the truth takes of the budget, in addition"""
MAX_DEPTH = 3
"""own turns within which a forced win is looked for"""
PROOF_NODES = 4_000
PROOF_SHARE = 0.04
"""nodes of a proof for each node of the budget; one takes about twenty times as long"""
LINE_NODES = 20_000
"""for the replies in the line of a win that was missed"""
SLOWER = 0.98
"""estimate of a turn that also forces the win, but later"""


class Judge:
    """Judges one side's turns through a whole game; forgets nothing that it is shown."""

    def __init__(self, game: Game, options: Options, side: Side, level: str, budget: Budget) -> None:
        knowing = replace(level_of(level), memory=None)
        self._analyst = Analyst(game, options, side, knowing, _share(budget, TRUTH_SHARE))
        nodes = PROOF_NODES if budget.nodes is None else int(budget.nodes * PROOF_SHARE)
        self._proof_nodes = min(nodes, PROOF_NODES)

    def verdict(self, running: GameRunner, actions: Sequence[Action]) -> Opinion:
        """Return the opinion on a turn that is about to be played, if every piece is known."""
        side = running.mover
        view = running.view(side)
        truth = {piece.name: piece.kind for piece in running.referee.view("truth").pieces}
        pieces = tuple(
            piece if piece.kind else msgspec.structs.replace(piece, kind=truth[piece.name], possible=())
            for piece in view.pieces
        )
        known = msgspec.structs.replace(view, pieces=pieces)
        opinion = self._analyst.opinion(known, running.history(side), actions[0], truth)
        return self.proved(opinion, known, running.referee, actions)

    def proved(self, opinion: Opinion, view: View, referee: Referee, actions: Sequence[Action]) -> Opinion:
        """Return the opinion with what can be proved; ``view`` must show every piece."""
        prover, state = Prover(referee, referee.state.side, self._proof_nodes), referee.state
        right: list[WholeTurn] = []
        depth = 0
        try:
            while not right and depth < MAX_DEPTH:
                depth += 1
                right = prover.winning_turns(state, depth)
        except TooManyNodesError:
            return opinion
        if not right:
            return opinion
        played = tuple(action.pack() for action in actions)
        best = min(right, key=lambda turn: (turn.actions != played, _first(referee, turn) != opinion.best))
        estimate = 1.0 if best.actions == played else opinion.played
        if estimate < SLOWER and self._still_wins(referee, played):
            estimate = SLOWER
        first = Action.unpack(best.actions[0])
        is_worse = 1 - estimate >= WORTH_A_LINE
        return replace(
            opinion,
            estimate=1.0,
            played=estimate,
            best=_first(referee, best),
            best_words=describe_action(referee.game, first, msgspec.structs.replace(view, viewer="watcher")),
            line=_line(referee, best, depth) if is_worse else (),
            origin=cell_name(first.origin) if first.origin else "",
            target=cell_name(first.target) if first.target else "",
            wins_at_once=depth == 1,
        )

    def _still_wins(self, referee: Referee, played: tuple[int, ...]) -> bool:
        """Return whether a turn forces the win as well, within a few more turns."""
        prover = Prover(referee, referee.state.side, self._proof_nodes)
        try:
            turn = next((turn for turn in prover.turns(referee.state) if turn.actions == played), None)
            return turn is not None and any(prover.forces(turn, more) for more in range(1, MAX_DEPTH + 1))
        except TooManyNodesError:
            return False


def _first(referee: Referee, turn: WholeTurn) -> str:
    """Return the first action of a turn in notation."""
    return write_action(referee.game, Action.unpack(turn.actions[0]), is_attack=turn.is_attack)


def _line(referee: Referee, turn: WholeTurn | None, depth: int) -> tuple[LineTurn, ...]:
    """Return the winning turn and what follows, with the most stubborn replies."""
    referee, line = referee.copy(), list[LineTurn]()
    prover = Prover(referee, referee.state.side, LINE_NODES)
    try:
        while turn is not None:
            line.append(_played(referee, turn))
            if turn.after.is_over:
                break
            reply = prover.most_stubborn(turn.after, depth := depth - 1)
            if reply is None:
                break
            line.append(_played(referee, reply))
            turn = next(iter(prover.winning_turns(reply.after, depth)), None)
    except TooManyNodesError:
        pass
    return tuple(line)


def _played(referee: Referee, turn: WholeTurn) -> LineTurn:
    """Play a turn and tell it to someone who sees every piece."""
    side, before, seen = referee.mover, referee.view("truth"), list[SeenEvent]()
    for act in turn.actions:
        seen += (event for event in referee.play(Action.unpack(act))["watcher"] if event.what != "result")
    return LineTurn(side, turn.text(referee.game), describe_turn(referee.game, seen, "truth", before))


def _share(budget: Budget, share: float) -> Budget:
    """Return a part of a budget."""
    time_ms, nodes = (
        None if limit is None else max(1, int(limit * share)) for limit in (budget.time_ms, budget.nodes)
    )
    return Budget(time_ms, nodes)
