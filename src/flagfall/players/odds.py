"""How an attack on a hidden piece may end, by what the piece may be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flagfall.board import cell_name
from flagfall.edition import Game
from flagfall.engine import action as A
from flagfall.engine import tables as T
from flagfall.engine.action import Action
from flagfall.players.search_result import SearchResult
from flagfall.players.worlds import PHASE_NUMBERS

_BY_CONTACT = frozenset({A.ATTACK, A.TWO_STEP, A.RESCUE})


@dataclass(frozen=True)
class Odds:
    """Chances of the four ways in which a fight can end; they add up to 1."""

    wins: float
    both_fall: float
    loses: float
    in_vain: float = 0.0

    def words(self) -> str:
        """For a sentence, without what cannot happen.

        >>> Odds(0.621, 0.0, 0.379).words()
        'wins 62 %, loses 38 %'
        """
        ends = (
            ("wins", self.wins),
            ("both fall", self.both_fall),
            ("loses", self.loses),
            ("nothing happens", self.in_vain),
        )
        return ", ".join(f"{what} {percent(chance)}" for what, chance in ends if chance)


def percent(chance: float) -> str:
    """A chance for people; what is possible is never called 0 %, and what is not sure never 100 %.

    >>> percent(0.5), percent(0.001), percent(0.999), percent(1.0)
    ('50 %', 'under 1 %', 'over 99 %', '100 %')
    """
    if 0 < chance < 0.005:
        return "under 1 %"
    if 0.995 < chance < 1 - 1e-9:
        return "over 99 %"
    return f"{100 * chance:.0f} %"


@dataclass(frozen=True)
class Duel:
    """An attack by contact on a hidden piece."""

    column: int
    """place of the struck piece among the hidden ones"""
    outcomes: tuple[int, ...]
    """how it ends, by kind of the struck piece"""
    odds: Odds

    @property
    def likeliest(self) -> int:
        """The outcome to expect."""
        odds = self.odds
        ways = {
            T.ATTACKER_WINS: odds.wins,
            T.BOTH_LOST: odds.both_fall,
            T.DEFENDER_WINS: odds.loses,
            T.NOTHING: odds.in_vain,
        }
        return max(ways, key=lambda outcome: ways[outcome])


def duel(game: Game, tables: T.Tables, result: SearchResult, action: Action) -> Duel | None:
    """What an action of the View's owner risks; None if it attacks nobody hidden by contact."""
    if action.verb not in _BY_CONTACT:
        return None
    origin, target = cell_name(action.origin), cell_name(action.target)
    column = next((i for i, piece in enumerate(result.hidden) if piece.cell == target), -1)
    attacker = result.view.at(origin)
    if column < 0 or attacker is None or not attacker.kind:
        return None
    fights = tables.fights(len(game.kinds), PHASE_NUMBERS[result.view.regime])
    outcomes = fights[game.kind_index(attacker.kind)]
    chances = result.chances[column]
    shares = [
        float(chances[np.array(outcomes) == outcome].sum())
        for outcome in (T.ATTACKER_WINS, T.BOTH_LOST, T.DEFENDER_WINS, T.NOTHING)
    ]
    return Duel(column, tuple(outcomes), Odds(*shares))
