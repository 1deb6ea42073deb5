"""Piece values: what each kind is worth, by what it can still take and what can still take it.

A kind's value grows with the share of enemy sorts it beats. So values change as pieces leave: the highest
piece becomes invincible, diggers are worth more while there are bombs, and an assassin is worth little when
its victim is gone. No piece is named.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from flagfall.engine import action as A
from flagfall.engine import tables as T
from flagfall.engine.tables import Tables

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """The weights of the evaluation; `weights.json` has those in use. The first is the unit of the others."""

    base: float  # value of a piece that beats nothing
    rank_factor: float  # per tenth of the enemy's sorts that it beats
    invincible: float  # factor for a piece that no enemy can take
    immobile: float  # value of a bomb
    digger: float  # extra for kinds that take bombs, shared among them
    assassin: float  # part of its victim's value
    runner: float
    power: float  # share of its value per power
    flag: float
    scarcity: float  # extra per mover, the more the fewer are left
    hide: float  # share of its value while it is hidden
    pull: float  # towards the best target
    crowd: float  # towards all targets together
    fade: float  # of both, per step
    guard: float  # value of a square next to a flag
    guard_fade: float  # of that, per step
    flag_threat: float  # cost of an intruder that cannot be stopped
    flag_threat_fade: float  # of that, per step
    hunt: float  # how much more an enemy near our flag pulls
    trade: float  # of equal pieces near our flag
    chase: float  # pull of an intruder
    learn: float  # share of a piece's value for seeing it
    risk: float  # share of its value for an attacker lost to a hidden piece
    certain_gain: float  # expected gain of a certain blind attack, in median piece values
    min_probability: float  # of the enemy's blind attacks, in sixteenths, like the next three
    max_probability: float  # of a blind attack
    gain_cap: float  # of a blind attack, relative to its expected gain
    flag_probability: float  # that the enemy takes a hidden flag next to it
    draw: float  # value of a draw
    bearer: float  # value of the bearer's arrival, and cost of its loss
    # Newer than the others: a file without them means these values, which change nothing.
    raid: float = 0.0  # pull of an enemy by what it can take nearby, for those that beat it
    lead_at_risk: float = 1.0  # share of the lead that an intruder costs that cannot be stopped
    late_fade: float = 0.0  # of what a guard saves that comes too late, per turn
    secrecy: float = 0.0  # share of the flag's danger that the enemy's ignorance takes away
    repeat: float = 0.0  # cost of another move of the same piece to the same square


def standard_weights() -> Weights:
    """Return the weights in use."""
    text = files("flagfall.players.evaluation").joinpath("weights.json").read_text(encoding="utf-8")
    return Weights(**json.loads(text))


class PieceValues:
    """The values of a game's kinds for any number of remaining pieces."""

    def __init__(self, tables: Tables, kinds: int, weights: Weights) -> None:
        self.weights, self.kinds = weights, kinds
        self.fights = [np.array(tables.fights(kinds, phase)) for phase in range(T.PHASES)]
        flags = tables.row[T.KIND_FLAGS : T.KIND_FLAGS + kinds].astype(np.int64)
        self.mobile = flags & T.MOBILE != 0
        self.flag = flags & T.IS_FLAG != 0
        self.runner = flags & T.RUNS != 0
        self.immobile = ~self.mobile & ~self.flag
        self.takes = (self.fights[0] == T.ATTACKER_WINS).astype(np.float64)
        """1 where a kind takes another"""
        self.trades = (self.fights[0] == T.BOTH_LOST).astype(np.float64)
        self.aims = [self._aims(tables, phase) for phase in range(T.PHASES)]
        """by phase, ``[kind, kind]``: 1 where it can shoot the other, 2 where it can convert it"""
        skills = flags & (T.TWO_STEPS | T.CHAINS | T.SPOTS | T.STEP_ATTACKS) != 0
        rows = tables.row[T.KIND_POWERS : T.KIND_POWERS + kinds].astype(np.int64)
        self.powers = np.array([int(row).bit_count() for row in rows]) + skills

    def _aims(self, tables: Tables, phase: int) -> Numbers:
        aims = np.zeros((self.kinds, self.kinds))
        powers = tables.row[T.POWERS : T.OUTCOMES].reshape(T.MAX_POWERS, T.POWER_WIDTH)
        for kind in range(self.kinds):
            for row, power in enumerate(powers):
                verb = int(power[T.POWER_VERB])
                if int(tables.row[T.KIND_POWERS + kind]) >> row & 1 and verb in (A.SHOOT, A.CONVERT):
                    hit = np.array(tables.fights(self.kinds, phase, int(power[T.CONTEXT]))[kind])
                    level = 2 if verb == A.CONVERT else 1
                    aims[kind] = np.maximum(aims[kind], (hit == T.ATTACKER_WINS) * level)
        return aims

    def values(self, own: NDArray[np.int64], enemy: NDArray[np.int64], phase: int) -> Numbers:
        """Return the value of each kind to a side that has ``own`` left against ``enemy``."""
        weights, takes = self.weights, self.fights[phase] == T.ATTACKER_WINS
        there = (enemy > 0) & self.mobile
        value = weights.base * weights.rank_factor ** self._ranks(takes, own, there)
        value = np.where(~takes[there].any(axis=0) & self.mobile, value * weights.invincible, value)
        value = value + weights.runner * self.runner + self._assassin_bonus(takes, value, there)
        digs = takes[:, self.immobile & (enemy > 0)].any(axis=1) & self.mobile
        if enemy[self.immobile].any():
            value += digs * weights.digger * (0.35 + 1.0 / max(float(own[digs].sum()), 1.0))
        value *= 1.0 + weights.power * self.powers
        movers = float(own[self.mobile].sum())
        value += self.mobile * weights.scarcity / max(movers * (movers + 1.0), 2.0)
        value[self.immobile] = weights.immobile
        value[self.flag] = weights.flag
        return np.asarray(value, dtype=np.float64)

    def _ranks(self, takes: NDArray[np.bool_], own: NDArray[np.int64], there: NDArray[np.bool_]) -> Numbers:
        """Return how many tenths of the enemy's sorts each kind beats.

        Enemies that the same pieces beat are one sort. A share and not a number: an army must not be worth
        less because the enemy has lost a sort.
        """
        ours = (own > 0) & self.mobile
        sorts: dict[bytes, int] = {}
        for kind in np.flatnonzero(there):
            mark = np.concatenate([takes[ours, kind], takes[kind, ours]])
            sorts.setdefault(mark.tobytes(), int(kind))
        ranks: Numbers = takes[:, list(sorts.values())].sum(axis=1) * (10.0 / max(len(sorts), 1))
        return ranks

    def _assassin_bonus(self, takes: NDArray[np.bool_], value: Numbers, there: NDArray[np.bool_]) -> Numbers:
        """Return the extra value of weak pieces that take a strong one."""
        gap = np.where(takes & there[None, :], value[None, :] - value[:, None], 0.0)
        best = np.maximum(gap.max(axis=1), 0.0)
        return np.where(best > value, self.weights.assassin * best, 0.0)
