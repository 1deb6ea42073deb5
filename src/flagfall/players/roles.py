"""Roles of kinds, read off the combat table: who digs, who runs, who leads, who assassinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from flagfall.edition import Game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine.tables import ATTACKER_WINS


@dataclass(frozen=True)
class Roles:
    """Kinds of one army by what they are good for."""

    flags: frozenset[int]
    bombs: frozenset[int]
    diggers: frozenset[int]
    runners: frozenset[int]
    assassins: frozenset[int]
    leaders: frozenset[int]
    """the two strongest"""
    strength: Mapping[int, float]
    """0 for the weakest soldier, 1 for the strongest"""


@lru_cache(maxsize=64)
def roles_of(game: Game, side: int) -> Roles:
    """The roles in that side's army, at the default options."""
    own = [kind for kind, count in enumerate(game.rosters[side]) if count]
    enemy = [kind for kind, count in enumerate(game.rosters[1 - side]) if count]
    fights = compile_game(game, resolve(game, {})).fights(len(game.kinds))
    soldiers = [kind for kind in own if game.kinds[kind].role == "soldier"]
    bombs = {kind for kind in enemy if game.kinds[kind].role == "bomb"}
    beaten = {
        kind: sum(
            game.rosters[1 - side][other]
            for other in enemy
            if other not in bombs and fights[kind][other] == ATTACKER_WINS
        )
        for kind in soldiers
    }
    ranked = sorted(soldiers, key=lambda kind: beaten[kind])
    weak = set(ranked[: len(ranked) // 2])
    strong = {kind for kind in enemy if game.kinds[kind].role == "soldier" and game.kinds[kind].rank > 0}
    top = max((game.kinds[kind].rank for kind in strong), default=0)
    return Roles(
        flags=frozenset(kind for kind in own if game.kinds[kind].role == "flag"),
        bombs=frozenset(kind for kind in own if game.kinds[kind].role == "bomb"),
        diggers=frozenset(
            kind for kind in soldiers if any(fights[kind][bomb] == ATTACKER_WINS for bomb in bombs)
        ),
        runners=frozenset(
            kind
            for kind in soldiers
            if any(power.verb == "run" for power in game.abilities(game.kinds[kind]))
        ),
        assassins=frozenset(
            kind
            for kind in weak
            if any(fights[kind][other] == ATTACKER_WINS and game.kinds[other].rank == top for other in strong)
        ),
        leaders=frozenset(ranked[-2:]),
        strength={kind: i / max(len(ranked) - 1, 1) for i, kind in enumerate(ranked)},
    )
