"""The greedy player for many games at once: the same scores from planes, several times as fast.

A `GreedyPlayer` wants a View of each game, so that an environment needs a referee for each. Here the scores
of all legal actions of all games are worked out together. It plays games in which pieces move, attack and
spot; a test holds its scores against the player's.

What it cannot see in planes it remembers: which kinds a hidden piece is not because a guess missed.
"""

from __future__ import annotations

from functools import cached_property
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flagfall.board import DIRECTIONS
from flagfall.engine import action as A
from flagfall.engine import tables as T
from flagfall.engine.action import Action
from flagfall.players import Budget
from flagfall.players.greedy import FLAG_VALUE, LEARNING, POWER_COST, GreedyPlayer
from flagfall.rl import layout as L
from flagfall.rl.layout import Layout
from flagfall.rl.observer import Observation
from flagfall.setups import any_style

Memory = tuple[NDArray[np.bool_], list[list[int]], dict[str, Any]]
_SETUPS = 400
"""setups of each side to choose from; making one takes longer than many choices"""
_NOISE = 0.2
"""scores nearer than this are chosen between at random"""
_CAP = 25.0
"""most that a piece which is not known can be worth"""
_VERBS = frozenset({A.SPOT, A.TWO_STEP})
"""what it can play besides moves and attacks"""


def is_playable(layout: Layout) -> bool:
    """Return whether the scores of a game's actions can be read from planes."""
    return layout.space.verbs <= _VERBS


class StyledSetups:
    """Setups in random styles, as the numbers of the actions that place their pieces."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    @cached_property
    def by_side(self) -> tuple[list[list[int]], list[list[int]]]:
        """Some hundred setups of South and of North: where each piece goes, in the order of placing."""
        return self._made(0), self._made(1)

    def _made(self, side: int) -> list[list[int]]:
        layout, rng, found = self._layout, Random(f"setups {side}"), []
        for _ in range(_SETUPS):
            setup = any_style(layout.game, side, rng)
            left = {kind: setup.cells_of(kind) for kind in set(setup.kinds.values())}
            cells = [left[kind].pop(0) for kind in layout.piece_kinds[side]]
            found.append([layout.space.encode(Action(A.CHOOSE_CELL, target=cell), side) for cell in cells])
        return found


class GreedyOpponent:
    """Answers in a `VectorEnv` of ``n`` games as a `GreedyPlayer` would; it places its pieces too."""

    name = "greedy"

    def __init__(self, layout: Layout, n: int) -> None:
        self._layout = layout
        self._player = player = GreedyPlayer(layout.game, layout.options, Random(0), Budget())
        self._ruled_out = np.zeros((n, layout.kinds, layout.space.squares), dtype=np.bool_)
        """kinds that the piece on a square is not, because they were guessed"""
        self._orders: list[list[int]] = [[] for _ in range(n)]
        """where each game's pieces go, in the order in which they are placed"""
        self._deals = StyledSetups(layout)
        self._rng = np.random.default_rng(0)
        kinds, armies = layout.kinds, layout.army_kinds
        shape = (2, kinds, kinds)
        self._known, self._hidden = np.zeros(shape), np.zeros(shape)
        """what an attack gains: side, own kind, enemy's kind"""
        self._beaten = np.zeros(shape, dtype=np.bool_)
        """whether an own kind loses if that kind attacks it"""
        self._value = np.zeros((2, kinds))
        """of each side's kinds"""
        for side in (0, 1):
            for place, own in enumerate(armies[side]):
                self._value[side, place] = player.value[own]
                for other, enemy in enumerate(armies[1 - side]):
                    known, hidden = self._gains(own, enemy)
                    self._known[side, place, other], self._hidden[side, place, other] = known, hidden
                    self._beaten[side, place, other] = player.fight[enemy][own] == T.ATTACKER_WINS
        self._read_slots()

    def _gains(self, own: int, enemy: int) -> tuple[float, float]:
        """Return what an attack gains if the enemy's kind is known, and if it only may be that kind."""
        player, outcome = self._player, self._player.fight[own][enemy]
        value = player.value[enemy]
        has_won = outcome in (T.ATTACKER_WINS, T.BOTH_LOST)
        has_lost = outcome in (T.DEFENDER_WINS, T.BOTH_LOST)
        gain = (value if has_won else 0.0) - (player.value[own] if has_lost else 0.0)
        learned = 0.0 if has_won else LEARNING * min(value, 10.0)
        return min(gain, FLAG_VALUE), min(gain + learned, _CAP)

    def _read_slots(self) -> None:
        """Work out where every slot of every square leads, and which square it spots."""
        space = self._layout.space
        self._target = np.zeros((space.squares, space.slots), dtype=np.int64)
        self._spotted = np.zeros((space.squares, space.slots), dtype=np.int64)
        self._verb = np.zeros(space.slots, dtype=np.int64)
        for number in range(space.squares * space.slots):
            square, slot = divmod(number, space.slots)
            action = space.decode(number, 0)
            self._verb[slot] = action.verb
            self._target[square, slot] = self._square(action.target)
            if action.verb == A.SPOT:
                self._spotted[square, slot] = self._square(action.target + DIRECTIONS[action.choice])
        row, column = np.divmod(np.arange(space.squares), space.columns)
        self._row = row
        apart = np.abs(row[:, None] - row) + np.abs(column[:, None] - column)
        self._near = (apart == 1).astype(np.float32)

    def _square(self, cell: int) -> int:
        """Return the number of a cell as South counts, or 0 outside of the board, where no action leads."""
        space = self._layout.space
        is_inside = 1 <= cell // 12 <= space.rows and 1 <= cell % 12 <= space.columns
        return space.square(cell, 0) if is_inside else 0

    # ------------------------------------------------------------ answering

    def seed(self, seed: int) -> None:
        """Begin anew: the same seed gives the same games."""
        self._rng = np.random.default_rng(seed)
        self._ruled_out[:] = False

    def memory(self) -> Memory:
        """Return what it remembers of the games, for `remember`."""
        orders = [list(order) for order in self._orders]
        return self._ruled_out.copy(), orders, dict(self._rng.bit_generator.state)

    def remember(self, memory: Memory) -> None:
        """Go back to what it remembered of as many games."""
        ruled_out, orders, state = memory
        self._ruled_out[:] = ruled_out
        self._orders = [list(order) for order in orders]
        self._rng.bit_generator.state = state

    def answers(
        self, games: NDArray[np.intp], sides: NDArray[np.int8], seen: Observation | None
    ) -> NDArray[np.int32]:
        """Return what the player would choose in each of these games."""
        assert seen is not None
        is_placing = seen.scalars[:, L.ASKED + L.ASK_PLACE] > 0
        chosen = np.zeros(len(games), dtype=np.int32)
        for i in np.flatnonzero(is_placing):
            chosen[i] = self._placed(int(games[i]), int(sides[i]), seen.scalars[i])
        rest = np.flatnonzero(~is_placing)
        if len(rest):
            part = Observation(seen.planes[rest], seen.scalars[rest], seen.mask[rest])
            scores = self.scores(games[rest], sides[rest], part)
            scores += self._rng.random(scores.shape, dtype=np.float32) * _NOISE
            chosen[rest] = scores.argmax(1)
            self.note(games[rest], chosen[rest], part)
        return chosen

    def _placed(self, game: int, side: int, scalars: NDArray[np.int16]) -> int:
        """Return where the next piece goes, in a setup that is chosen with the first one."""
        placed = int(scalars[L.KIND_SCALARS : L.KIND_SCALARS + self._layout.kinds].sum())
        if placed == 0:
            self._orders[game] = self._deals.by_side[side][int(self._rng.integers(_SETUPS))]
            self._ruled_out[game] = False
        return self._orders[game][placed]

    def note(self, games: NDArray[np.intp], chosen: NDArray[np.int32], seen: Observation) -> None:
        """Remember what was guessed: if the piece is still there later, it is not of that kind."""
        first = int(self._layout.space.rest_table[A.CHOOSE_KIND])
        if first < 0:
            return
        for i in np.flatnonzero(chosen >= first):
            kind, side = int(chosen[i]) - first, int(seen.scalars[i, L.SIDE])
            if kind in self._layout.army_kinds[1 - side]:
                place = self._layout.army_kinds[1 - side].index(kind)
                self._ruled_out[games[i], place, self._plain(seen.planes)[i, L.ASKED_SQUARE].argmax()] = True

    def _plain(self, planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return planes.reshape(len(planes), planes.shape[1], -1)[:, 3 * self._layout.kinds :]

    def _follow(self, games: NDArray[np.intp], seen: Observation) -> None:
        """Let what was ruled out move with the pieces that moved last."""
        if self._layout.space.rest_table[A.CHOOSE_KIND] < 0:
            return
        plain = self._plain(seen.planes)
        for i in np.flatnonzero(seen.scalars[:, L.ASKED] > 0):  # the turn has not begun
            origin, target = plain[i, L.LAST_ENEMY_FROM], plain[i, L.LAST_ENEMY_TO]
            if origin.any() and target.any() and (start := origin.argmax()) != (end := target.argmax()):
                out = self._ruled_out[games[i]]
                out[:, end], out[:, start] = out[:, start].copy(), False

    def scores(
        self, games: NDArray[np.intp], sides: NDArray[np.int8], seen: Observation
    ) -> NDArray[np.float32]:
        """Return the score of every action, ``[game, action]``; minus infinity where it is not legal."""
        self._follow(games, seen)
        layout, space = self._layout, self._layout.space
        n, kinds = len(games), layout.kinds
        planes: NDArray[Any] = seen.planes.reshape(n, layout.plane_count, -1)
        known, plain = planes[:, kinds : 2 * kinds], planes[:, 3 * kinds :]
        chances = self._chances(games, planes, seen.scalars)
        is_known: NDArray[np.bool_] = np.any(known, axis=1)
        is_enemy = is_known | (plain[:, L.HIDDEN_MOVED] > 0) | (plain[:, L.HIDDEN_UNMOVED] > 0)
        near: NDArray[np.bool_] = np.greater(known.astype(np.float32) @ self._near, 0)
        own_kind = planes[:, :kinds].argmax(1)
        has_moved = plain[:, L.OWN_MOVED] > 0

        found = np.full(seen.mask.shape, -np.inf, dtype=np.float32)
        at, number = np.nonzero(seen.mask)
        has_square = number < space.squares * space.slots
        game, action = at[has_square], number[has_square]
        origin, slot = np.divmod(action, space.slots)
        target, verb, side = self._target[origin, slot], self._verb[slot], sides[game].astype(np.int64)
        own = own_kind[game, origin]

        gains = np.where(
            is_known[game, target],
            (self._known[side, own] * known[game, :, target]).sum(1),
            (self._hidden[side, own] * chances[game, :, target]).sum(1),
        )
        beaten = self._beaten[side, own]
        steps = 0.15 * (self._row[target] - self._row[origin])
        steps -= 0.25 * ((target != origin) & ~has_moved[game, origin])
        danger = (near[game, :, target] & beaten).any(1).astype(np.float64)
        danger -= (near[game, :, origin] & beaten).any(1)
        steps -= 0.8 * self._value[side, own] * danger
        steps -= POWER_COST * (verb == A.TWO_STEP)
        is_attack = is_enemy[game, target] & (verb != A.SPOT)
        score = np.where(is_attack, gains, steps)
        score += (verb == A.SPOT) * self._spotting(1 - side, chances[game, :, self._spotted[origin, slot]])
        found[game, action] = score

        rest = np.flatnonzero(~has_square)
        found[at[rest], number[rest]] = 0.0
        for i in np.unique(at[rest]):
            self._score_guesses(found[i], int(sides[i]), chances[i, :, plain[i, L.ASKED_SQUARE].argmax()])
        return found

    def _chances(
        self, games: NDArray[np.intp], planes: NDArray[Any], scalars: NDArray[np.int16]
    ) -> NDArray[np.float64]:
        """Return the chance of each kind on each square of an enemy, ``[game, kind, square]``."""
        kinds = self._layout.kinds
        known, possible = planes[:, kinds : 2 * kinds], planes[:, 2 * kinds : 3 * kinds]
        left = scalars[:, L.KIND_SCALARS + kinds : L.KIND_SCALARS + 2 * kinds]
        weight = possible * ~self._ruled_out[games] * left[:, :, None].astype(np.float64)
        weight = np.where(np.any(known, axis=1)[:, None], known, weight)
        total = weight.sum(1, keepdims=True)
        chances: NDArray[np.float64] = weight / np.where(total, total, 1)
        return chances

    def _spotting(self, army: NDArray[np.int64], chances: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the value of spotting pieces that are of each kind with some chance."""
        kind = chances.argmax(1)
        chance = chances.max(1)
        value = np.minimum(self._value[army, kind], 50.0)
        score: NDArray[np.float64] = (chance > 0) * (chance * value - 2.0 * (chance <= 0.5))
        return score

    def _score_guesses(self, scores: NDArray[np.float32], side: int, chances: NDArray[np.float64]) -> None:
        """Write the scores of the kinds that may be named."""
        first = int(self._layout.space.rest_table[A.CHOOSE_KIND])
        kinds = self._layout.army_kinds[1 - side]
        for kind, value in enumerate(self._player.value):
            if first >= 0 and np.isfinite(scores[first + kind]):
                chance = chances[kinds.index(kind)] if kind in kinds else 0.0
                scores[first + kind] = 100.0 * chance + min(value, 20.0) * 0.01
