"""What a kind is worth: by what it can still take and what can still take it.

A piece climbs the ladder by the share of the enemies' sorts it beats that are still there; so ladders
collapse as pieces leave, the highest becomes invincible, diggers are worth more while there are bombs, and an
assassin is worth nothing when its victim is gone. No piece is named.
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
    """The numbers of the evaluation; `weights.json` has those in use."""

    step: float
    ladder: float
    invincible: float
    immobile: float
    digger: float
    assassin: float
    runner: float
    power: float
    flag: float
    last: float
    hide: float
    pull: float
    crowd: float
    fade: float
    guard: float
    guard_fade: float
    alarm: float
    alarm_fade: float
    hunt: float
    trade: float
    chase: float
    learn: float
    risk: float
    bold: float
    probing: float
    surest: float
    hope: float
    dread: float
    draw: float
    bearer: float


def standard_weights() -> Weights:
    """The weights in use."""
    text = files("flagfall.players.evaluation").joinpath("weights.json").read_text(encoding="utf-8")
    return Weights(**json.loads(text))


class Ladder:
    """Worth of kinds in one game, asked again whenever pieces have left."""

    def __init__(self, tables: Tables, kinds: int, weights: Weights) -> None:
        self.weights, self.kinds = weights, kinds
        self.fights = [np.array(tables.fights(kinds, phase)) for phase in range(T.PHASES)]
        flags = tables.row[T.KIND_FLAGS : T.KIND_FLAGS + kinds].astype(np.int64)
        self.mobile = flags & T.MOBILE != 0
        self.flag = flags & T.IS_FLAG != 0
        self.runner = flags & T.RUNS != 0
        self.bearer = flags & T.BEARER != 0
        self.immobile = ~self.mobile & ~self.flag
        self.takes = (self.fights[0] == T.ATTACKER_WINS).astype(np.float64)
        """1 where a kind takes another"""
        self.trades = (self.fights[0] == T.BOTH_LOST).astype(np.float64)
        self.aims = [self._aims(tables, phase) for phase in range(T.PHASES)]
        """by regime, ``[kind, kind]``: 1 where it shoots the other, 2 where it wins it over"""
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
                    aims[kind] = np.maximum(
                        aims[kind], (hit == T.ATTACKER_WINS) * (2 if verb == A.CONVERT else 1)
                    )
        return aims

    def worth(self, own: NDArray[np.int64], enemy: NDArray[np.int64], phase: int) -> Numbers:
        """Worth of each kind to a side that has ``own`` left against ``enemy``."""
        weights, fights = self.weights, self.fights[phase]
        takes = fights == T.ATTACKER_WINS
        there = (enemy > 0) & self.mobile
        worth = weights.step * weights.ladder ** self._rungs(takes, own, there)
        threats = (takes[there] if there.any() else np.zeros((1, self.kinds), dtype=bool)).any(axis=0)
        worth = np.where(~threats & self.mobile, worth * weights.invincible, worth)
        plain = worth.copy()
        worth = worth + weights.runner * self.runner
        worth += self._rare_victims(takes, plain, there)
        bombs = float(enemy[self.immobile].sum())
        digs = takes[:, self.immobile & (enemy > 0)].any(axis=1) & self.mobile
        diggers = max(float(own[digs].sum()), 1.0)
        if bombs:
            worth += digs * weights.digger * (0.35 + 1.0 / diggers)
        worth *= 1.0 + weights.power * self.powers
        movers = float(own[self.mobile].sum())
        worth += self.mobile * weights.last / max(movers * (movers + 1.0), 2.0)
        worth[self.immobile] = weights.immobile
        worth[self.flag] = weights.flag
        return np.asarray(worth, dtype=np.float64)

    def _rungs(self, takes: NDArray[np.bool_], own: NDArray[np.int64], there: NDArray[np.bool_]) -> Numbers:
        """Of ten sorts of enemies, how many each kind beats; enemies whom the same pieces beat are one sort.

        A share and not a number: the whole army must not be worth less because the enemy has lost a sort.
        """
        ours = (own > 0) & self.mobile
        sorts: dict[bytes, int] = {}
        for kind in np.flatnonzero(there):
            mark = np.concatenate([takes[ours, kind], takes[kind, ours]])
            sorts.setdefault(mark.tobytes(), int(kind))
        rungs: Numbers = takes[:, list(sorts.values())].sum(axis=1) * (10.0 / max(len(sorts), 1))
        return rungs

    def _rare_victims(self, takes: NDArray[np.bool_], plain: Numbers, there: NDArray[np.bool_]) -> Numbers:
        """Extra worth of a weak piece that takes a strong one: a part of what its victim is worth."""
        gap = np.where(takes & there[None, :], plain[None, :] - plain[:, None], 0.0)
        best = np.maximum(gap.max(axis=1), 0.0)
        extra: Numbers = np.where(best > plain, self.weights.assassin * best, 0.0)
        return extra
