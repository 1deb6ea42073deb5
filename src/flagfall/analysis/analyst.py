"""One side's analyst: a searching player that is asked before each turn of its side.

It is given the View and the history of its side, as in a game; the truth is only compared with its answers.
A second analyst of the same side is given the same View with every piece known (`judge`). The two share
nothing, so the first one's answers never depend on what was hidden.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

import msgspec

from flagfall.board import cell_name
from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.engine.tables import ATTACKER_WINS, BOTH_LOST, DEFENDER_WINS
from flagfall.notation import action_text, describe_action
from flagfall.players import Budget
from flagfall.players.chances import Odds, duel
from flagfall.players.explain import Explanation, HiddenPiece, estimate_of, explain
from flagfall.players.levels import Level
from flagfall.players.line import LineTurn, best_line
from flagfall.players.searcher import SearchingPlayer
from flagfall.sides import Side
from flagfall.view.view import SeenEvent, View

WORTH_A_LINE = 0.03
"""how much worse than the best an action must be for the best line to be shown"""
Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
"""how good an action was"""
_GRADES: tuple[tuple[float, Grade], ...] = (
    (0.01, "best"),
    (0.04, "good"),
    (0.1, "inaccuracy"),
    (0.2, "mistake"),
)
"""what an action may lose to have each grade; one that loses more is a blunder"""
MIN_CHANCE = 0.005
"""kinds that are less likely are left out of a stored belief"""
Belief = tuple[tuple[str, float], ...]
"""kind ids with their chances, likeliest first"""
Ending = Literal["won", "both fell", "lost", "nothing"]
"""the outcome of an attack for the attacker"""
_ENDINGS: Mapping[int, Ending] = {ATTACKER_WINS: "won", BOTH_LOST: "both fell", DEFENDER_WINS: "lost"}
_LEAST = 1e-6


@dataclass(frozen=True)
class BlindAttack:
    """An attack on a hidden piece: its odds, and the kind that stood there."""

    attacker: str
    """kind id"""
    cell: str
    odds: Odds
    kind: str
    """the truth"""
    chance: float
    """the chance that the attacker's side gave to that kind"""
    ending: Ending


@dataclass(frozen=True)
class BeliefAccuracy:
    """A belief about the enemy's hidden pieces before a turn, compared with the truth."""

    hidden: int
    trust: float
    """mean chance given to the true kinds"""
    nats: float
    """mean log-loss"""
    flag_place: int | None
    """rank of the true square of the flag, 1 for the likeliest; None if it is known"""
    flag_squares: int
    """number of possible squares"""


@dataclass(frozen=True)
class Opinion:
    """What the mover's analyst thought of the position and of the action that was played."""

    estimate: float
    """with the best action"""
    played: float
    """with the action that was played"""
    best: str
    """the best action in notation"""
    best_words: str
    """in words; names no piece that was hidden from the mover"""
    line: tuple[LineTurn, ...]
    """empty unless a clearly worse action was played"""
    depth: int
    nodes: int
    sight: BeliefAccuracy | None
    """None if nothing is hidden"""
    trial: BlindAttack | None
    origin: str = ""
    """the square from which the best action goes"""
    target: str = ""
    beliefs: Mapping[str, Belief] = field(default_factory=dict)
    """by name: what each hidden piece may be"""
    wins_at_once: bool = False
    """whether the best action is proved to capture the Flag in this turn"""

    @property
    def given_away(self) -> float:
        """What the choice lost against the best action."""
        return self.estimate - self.played

    @property
    def grade(self) -> Grade:
        """How good the action was."""
        return next((grade for limit, grade in _GRADES if self.given_away < limit), "blunder")


class Analyst:
    """A searching player that analyses one seat through a whole game."""

    def __init__(self, game: Game, options: Options, side: Side, level: Level, budget: Budget) -> None:
        self.game, self.side = game, side
        self.player = SearchingPlayer(game, options, Random(0), budget, level)
        self._flags = {kind.id for kind in game.kinds if kind.role == "flag"}

    def opinion(
        self, view: View, history: Sequence[SeenEvent], action: Action, truth: Mapping[str, str]
    ) -> Opinion:
        """Return the opinion before ``action`` is played; ``truth`` is the kind of every piece by name."""
        self.player.rng.seed(f"analysis/{self.side}/{view.turn}")  # the same after a pause
        told = explain(self.player, view, history, turns=0)
        thought = self.player.result
        assert thought is not None
        played = estimate_of(self.player, thought, action)
        best = told.candidates[0].action
        is_worse = told.estimate - played >= WORTH_A_LINE and best != action
        return Opinion(
            estimate=told.estimate,
            played=played,
            best=action_text(self.game, view, best),
            best_words=describe_action(self.game, best, msgspec.structs.replace(view, viewer="watcher")),
            line=best_line(self.player, thought, voice="watcher") if is_worse else (),
            depth=told.depth,
            nodes=told.nodes,
            sight=self._accuracy(told.hidden, truth),
            trial=self._blind_attack(told, view, action, truth),
            origin=cell_name(best.origin) if best.origin else "",
            target=cell_name(best.target) if best.target else "",
            beliefs={
                piece.name: tuple(
                    (kind, round(chance, 3)) for kind, chance in piece.kinds if chance >= MIN_CHANCE
                )
                for piece in told.hidden
            },
        )

    def _accuracy(self, hidden: Sequence[HiddenPiece], truth: Mapping[str, str]) -> BeliefAccuracy | None:
        if not hidden:
            return None
        right = [piece.chance(truth[piece.name]) for piece in hidden]
        flags = {piece.name: sum(piece.chance(kind) for kind in self._flags) for piece in hidden}
        true_flag = next((chance for name, chance in flags.items() if truth[name] in self._flags), None)
        place = None
        if true_flag is not None:
            place = 1 + sum(chance > true_flag + _LEAST for chance in flags.values())
        return BeliefAccuracy(
            hidden=len(hidden),
            trust=statistics.fmean(right),
            nats=statistics.fmean(-math.log(max(chance, _LEAST)) for chance in right),
            flag_place=place,
            flag_squares=sum(chance > 0 for chance in flags.values()),
        )

    def _blind_attack(
        self, told: Explanation, view: View, action: Action, truth: Mapping[str, str]
    ) -> BlindAttack | None:
        assert self.player.result is not None
        fight = duel(self.game, self.player.sampler.tables, self.player.result, action)
        if fight is None:
            return None
        attacker, struck = view.at(cell_name(action.origin)), told.at(cell_name(action.target))
        assert attacker is not None
        assert struck is not None
        kind = truth[struck.name]
        ending = _ENDINGS.get(fight.outcomes[self.game.kind_index(kind)], "nothing")
        return BlindAttack(attacker.kind, struck.cell, fight.odds, kind, struck.chance(kind), ending)
