"""The greedy player: takes what it can, avoids known stronger pieces, and otherwise goes forward.

It scores every action without a search: attacks by the kinds the target can still be, weighted by how many
of them the enemy has left. It reads only the View and the combat tables, so it plays every game.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from flagfall.board import DIAGONALS, DIRECTIONS, cell_name, row_of
from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game, power_rows
from flagfall.edition.verbs import VERBS
from flagfall.engine import action as A
from flagfall.engine import tables as T
from flagfall.engine.action import Action
from flagfall.players.budget import Budget
from flagfall.players.worlds import PHASE_NUMBERS
from flagfall.setups import Setup, any_style
from flagfall.view.view import SeenEvent, SeenPiece, View

FLAG_VALUE = 1000.0
BOMB_VALUE = 2.5
AIMED = frozenset(verb.code for verb in VERBS if verb.is_aimed)
POWER_COST = 0.6
"""using a power shows the piece"""
ADVANCE_COST = -4.0
LEARNING = 0.35
"""value of seeing a hidden piece, as a share of its expected value"""


class GreedyPlayer:
    """Plays the action with the best score; near-equal ones are chosen at random."""

    def __init__(self, game: Game, options: Options, rng: Random, budget: Budget) -> None:
        self.game, self.rng = game, rng
        tables = compile_game(game, options)
        count = len(game.kinds)
        self.number = {kind.id: index for index, kind in enumerate(game.kinds)}
        self.fight = tables.fights(count)
        self.value = [self._kind_value(index) for index in range(count)]
        self.mobile = {index for index, kind in enumerate(game.kinds) if kind.is_mobile}
        self._power_fights: dict[tuple[int, int, int], list[int]] = {}
        """user, verb, phase → outcome by kind of the target"""
        self._removed: set[int] = set()
        """kinds that are lost by their own power"""
        self._read_powers(tables)

    def _kind_value(self, kind: int) -> float:
        """Return the value of a kind by how many kinds it beats."""
        facts = self.game.kinds[kind]
        if facts.role == "flag":
            return FLAG_VALUE
        if facts.role == "bomb":
            return BOMB_VALUE
        return 1.0 + self.fight[kind].count(T.ATTACKER_WINS) + (2.0 if facts.takes else 0.0)

    def _read_powers(self, tables: T.Tables) -> None:
        game = self.game
        for index, power in enumerate(power_rows(game)):
            row = tables.row[T.POWERS + index * T.POWER_WIDTH : T.POWERS + (index + 1) * T.POWER_WIDTH]
            users = [number for number, kind in enumerate(game.kinds) if power in game.abilities(kind)]
            if power.parameters.get("removed_after"):
                self._removed.update(users)
            for phase in range(T.PHASES if row[T.CONTEXT] else 0):
                fights = tables.fights(len(game.kinds), phase, int(row[T.CONTEXT]))
                for user in users:
                    self._power_fights[user, int(row[T.POWER_VERB]), phase] = fights[user]

    def set_up(self, side: int) -> Setup:
        """Return a setup in a random style."""
        return any_style(self.game, side, self.rng)

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return the action with the best score."""
        table = Squares(view)
        scored = [(self._score(view, table, act) + self.rng.random() * 0.2, act) for act in view.legal]
        return max(scored)[1]

    def _score(self, view: View, table: Squares, act: Action) -> float:
        if act.verb == A.CHOOSE_KIND:
            return self._score_kind(view, table, act.choice)
        if act.verb == A.CHOOSE_CELL:
            return self._score_cell(view, table, act.target)
        if act.verb in (A.DONE, A.ADVANCE):
            return 0.0 if act.verb == A.DONE else ADVANCE_COST
        piece = table.at(act.origin)
        if act.verb in AIMED and piece is not None:
            return self._score_power(view, piece, table.at(act.target), act.verb) - POWER_COST
        if act.verb in (A.SWING, A.SWEEP) and piece is not None:
            return self._score_area(view, table, piece, act) - POWER_COST
        target = table.at(act.target) if act.verb != A.SPOT else None
        if target is not None and target.side != view.viewer:
            bonus = 2.0 if act.verb == A.RESCUE else 0.0
            return self.score_attack(view, piece, target) + bonus
        score = self.score_step(view, table, piece, act)
        if act.verb == A.RESCUE:
            score += 20.0
        if act.verb in (A.LEAP, A.TELEPORT, A.TWO_STEP):
            score -= POWER_COST
        if act.verb == A.SPOT:
            spotted = table.at(act.target + DIRECTIONS[act.choice])
            score += self._score_spot(view, spotted)
        return score

    def _score_cell(self, view: View, table: Squares, cell: int) -> float:
        """Score a target of an area strike, or the next piece of an advance, foremost first."""
        if view.prompt is None or view.prompt.ask != "target":
            return 0.1 * (row_of(cell) if view.viewer == "south" else -row_of(cell))
        striker, target = table.by_name.get(view.prompt.cell), table.at(cell)
        return self._score_power(view, striker, target, A.SWING) if striker and target else 0.0

    def _score_power(self, view: View, user: SeenPiece, target: SeenPiece | None, verb: int) -> float:
        """Return the expected gain of using a power on one piece."""
        if target is None:
            return 0.0
        own, score = self.number[user.kind], 0.0
        fights = self._power_fights.get((own, verb, PHASE_NUMBERS[view.regime]), [])
        is_friend = target.side == view.viewer
        for kind, chance in self.chances(view, target):
            value = min(self.value[kind], 25.0 if not target.kind else FLAG_VALUE)
            gain = 0.0 if target.kind else LEARNING * min(value, 10.0)
            if fights and fights[kind] in (T.ATTACKER_WINS, T.BOTH_LOST):
                gain += value
            if fights and fights[kind] in (T.DEFENDER_WINS, T.BOTH_LOST):
                gain -= self.value[own]
            score += chance * (-gain if is_friend else gain)
        return score - (1.0 if verb == A.DETECT and target.kind else 0.0)

    def _score_area(self, view: View, table: Squares, piece: SeenPiece, act: Action) -> float:
        """Return the expected gain of an area strike."""
        struck = [
            table.at(act.target + way) for way in DIRECTIONS + DIAGONALS if act.target + way != act.origin
        ]
        hit = [one for one in struck if one and (one.side != view.viewer or act.verb == A.SWEEP)]
        scores = [self._score_power(view, piece, one, act.verb) for one in hit]
        own = self.number[piece.kind]
        lost = self.value[own] if own in self._removed else 0.0
        if act.verb == A.SWING:
            return sum(score for score in scores if score > 0)
        return sum(scores) - lost

    def chances(self, view: View, enemy: SeenPiece) -> list[tuple[int, float]]:
        """Return the kinds that an enemy piece can be, with their chances by what is left."""
        if enemy.kind:
            return [(self.number[enemy.kind], 1.0)]
        roster = list(self.game.rosters[enemy.side])
        known = [gone.kind for gone in view.tray if gone.side == enemy.side]
        known += [piece.kind for piece in view.pieces if piece.side == enemy.side]
        for kind in filter(None, known):
            roster[self.number[kind]] -= 1
        kinds = [self.number[kind] for kind in enemy.possible] or list(range(len(roster)))
        kinds = [kind for kind in kinds if not enemy.moved or self.game.kinds[kind].is_mobile] or kinds
        weights = [(kind, float(max(roster[kind], 0))) for kind in kinds]
        total = sum(weight for _, weight in weights)
        if total == 0:
            return [(kind, 1.0 / len(kinds)) for kind in kinds]
        return [(kind, weight / total) for kind, weight in weights if weight]

    def score_attack(self, view: View, piece: SeenPiece | None, enemy: SeenPiece) -> float:
        """Return the expected gain of an attack."""
        own = self.number[piece.kind] if piece else 0
        score = 0.0
        for kind, chance in self.chances(view, enemy):
            outcome = self.fight[own][kind]
            won = outcome in (T.ATTACKER_WINS, T.BOTH_LOST)
            lost = outcome in (T.DEFENDER_WINS, T.BOTH_LOST)
            value = self.value[kind]
            gain = (value if won else 0.0) - (self.value[own] if lost else 0.0)
            gain += 0.0 if enemy.kind or won else LEARNING * min(value, 10.0)
            score += chance * min(gain, FLAG_VALUE if enemy.kind else 25.0)
        return score

    def _score_spot(self, view: View, enemy: SeenPiece | None) -> float:
        if enemy is None:
            return 0.0
        kind, chance = max(self.chances(view, enemy), key=lambda pair: pair[1])
        return chance * min(self.value[kind], 50.0) - (0.0 if chance > 0.5 else 2.0)

    def _score_kind(self, view: View, table: Squares, kind: int) -> float:
        """Score a kind to name: by its chance for a guess, by its value for a rescue."""
        if view.prompt is not None and view.prompt.ask == "guess":
            enemy = table.by_name.get(view.prompt.cell)
            chances = dict(self.chances(view, enemy)) if enemy else {}
            return 100.0 * chances.get(kind, 0.0) + min(self.value[kind], 20.0) * 0.01
        return self.value[kind]

    def score_step(self, view: View, table: Squares, piece: SeenPiece | None, act: Action) -> float:
        """Score a step: forward is good, next to a stronger known enemy is bad, away from one is good."""
        if piece is None or not piece.kind:
            return 0.0
        own = self.number[piece.kind]
        forward = row_of(act.target) - row_of(act.origin)
        score = 0.15 * (forward if view.viewer == "south" else -forward)
        score -= 0.25 * (act.target != act.origin and not piece.moved)
        score -= self.danger(view, table, own, act.target)
        return score + self.danger(view, table, own, act.origin)

    def danger(self, view: View, table: Squares, own: int, cell: int) -> float:
        """Return the risk of a cell next to known enemies that beat this kind."""
        known = self.known_neighbours(view, table, cell)
        is_threatened = any(self.fight[kind][own] == T.ATTACKER_WINS for kind in known)
        return 0.8 * self.value[own] if is_threatened else 0.0

    def known_neighbours(self, view: View, table: Squares, cell: int) -> list[int]:
        """Return the kinds of the known enemies next to a cell."""
        near = [table.at(cell + way) for way in DIRECTIONS]
        return [
            self.number[piece.kind] for piece in near if piece and piece.side != view.viewer and piece.kind
        ]


class Squares:
    """Pieces of a View by square."""

    def __init__(self, view: View) -> None:
        self.by_name = {piece.cell: piece for piece in view.pieces}

    def at(self, cell: int) -> SeenPiece | None:
        """Return the piece on a cell, if there is one."""
        if not 1 <= cell % 12 <= 10 or not 12 <= cell < 132:
            return None
        return self.by_name.get(cell_name(cell))
