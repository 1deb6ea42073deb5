"""Decide who wins when two kinds meet, by attack or by power, in every phase; also as tables for people.

::

    attacker ->  takes it? ----------- yes: attacker wins
                 is it a flag? ------- yes: attacker wins
                 is it a bomb? ------- yes: defender wins
                 otherwise the ranks:  higher wins, equal are both lost

A *context* is an attack, or one power that strikes or converts; a *phase* is the part of the game in which
certain outcomes hold (a game with a bearer has three). `compile` writes the outcomes into the Tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from flagfall.edition.options import Options, resolve
from flagfall.edition.schema import Game, Kind, Power
from flagfall.edition.verbs import STRIKING_PRIMITIVES
from flagfall.sides import SIDES, Side

ATTACKER_WINS: Final = 1
BOTH_LOST: Final = 0
DEFENDER_WINS: Final = -1
NOTHING: Final = 2


def melee(attacker: Kind, defender: Kind) -> int:
    """Return `ATTACKER_WINS`, `BOTH_LOST` or `DEFENDER_WINS`.

    A piece that never moves never attacks; if called anyway, it returns `DEFENDER_WINS`.
    """
    if not attacker.is_mobile:
        return DEFENDER_WINS
    if defender.id in attacker.takes or defender.role == "flag":
        return ATTACKER_WINS
    if defender.role == "bomb":
        return DEFENDER_WINS
    return (attacker.rank > defender.rank) - (attacker.rank < defender.rank)


START, BEARER_LOST, BEARER_ARRIVED = 0, 1, 2


def setting(power: Power, key: str, options: Options) -> object:
    """Return a parameter of a power, from the box or from the option that sets it."""
    if key not in power.options:
        return power.parameters[key]
    value = options[power.options[key]]
    default = power.parameters[key]
    if isinstance(default, bool):
        return value == "on"
    if isinstance(default, int):
        return 0 if value == "off" else int(value)
    return value


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of a game under its options, in the engine's numbers."""

    game: Game
    options: Options

    def in_attack(self, attacker: Kind, defender: Kind, phase: int) -> int:
        """Return the outcome of an ordinary attack."""
        attacker, defender = self._in_force(attacker, phase), self._in_force(defender, phase)
        outcome = melee(attacker, defender)
        if outcome == BOTH_LOST and self.options.is_on("aggressor_advantage"):
            outcome = ATTACKER_WINS
        for bearer, other, loss in ((attacker, defender, DEFENDER_WINS), (defender, attacker, ATTACKER_WINS)):
            power = self._rings.get(bearer.id)
            if power and outcome in (BOTH_LOST, loss) and self._escapes(power, other, phase):
                is_win = outcome == BOTH_LOST and setting(power, "tie_kills", self.options)
                outcome = -loss if is_win else NOTHING
        return outcome

    def by_power(self, power: Power, user: Kind, target: Kind, phase: int) -> int:
        """Return the outcome of a strike, an area strike or a conversion."""
        user, target = self._in_force(user, phase), self._in_force(target, phase)
        ring = self._rings.get(target.id)
        if target.id in _names(power.parameters, "spares") or (ring and self._escapes(ring, user, phase)):
            return NOTHING
        if target.role == "flag":
            return ATTACKER_WINS if self._says(power, "takes_flag") else NOTHING
        if target.role == "bomb":
            if self._says(power, "takes_bombs"):
                return ATTACKER_WINS
            return DEFENDER_WINS if self._says(power, "bombs_kill") else NOTHING
        if target.rank < user.rank:
            return ATTACKER_WINS
        if power.verb != "area":
            return NOTHING
        if target.rank == user.rank:
            return BOTH_LOST if self._says(power, "equal_kills") else ATTACKER_WINS
        return DEFENDER_WINS if self._says(power, "higher_kills") else NOTHING

    def _says(self, power: Power, key: str) -> bool:
        return key in power.parameters and bool(setting(power, key, self.options))

    @cached_property
    def _rings(self) -> Mapping[str, Power]:
        """The bearers, with their power."""
        return {
            kind.id: power
            for kind in self.game.kinds
            for power in self.game.abilities(kind)
            if power.verb == "bearer"
        }

    @cached_property
    def _raised(self) -> frozenset[str]:
        """The kinds that gain a rank when the bearer is lost."""
        return frozenset(
            name for power in self._rings.values() for name in _names(power.parameters, "raises")
        )

    def _escapes(self, power: Power, other: Kind, phase: int) -> bool:
        """Return whether the bearer turns invisible when it meets that piece."""
        if other.id in _names(power.parameters, "captors"):
            return False
        return not (phase == BEARER_ARRIVED and setting(power, "visible_after", self.options))

    def _in_force(self, kind: Kind, phase: int) -> Kind:
        """Return the kind with the rank that it has in that phase."""
        if phase == BEARER_LOST and kind.id in self._raised:
            return replace(kind, rank=kind.rank + 1)
        return kind


def _names(says: Mapping[str, object], key: str) -> tuple[str, ...]:
    names = says.get(key, ())
    return names if isinstance(names, tuple) else ()


_OUTCOMES = (ATTACKER_WINS, BOTH_LOST, DEFENDER_WINS, NOTHING)


@dataclass(frozen=True)
class CombatRow:
    """The outcomes when one kind attacks the kinds of the enemy."""

    side: Side
    attacker: Kind
    beats: tuple[Kind, ...]
    ties: tuple[Kind, ...]
    loses_to: tuple[Kind, ...]
    in_vain: tuple[Kind, ...] = ()


@dataclass(frozen=True)
class PowerRow:
    """The outcomes when one kind uses a power; a conversion counts as a capture."""

    side: Side
    power: Power
    user: Kind
    captures: tuple[Kind, ...]
    falls_with: tuple[Kind, ...]
    falls_to: tuple[Kind, ...]
    spares: tuple[Kind, ...]


def combat_table(game: Game, options: Options | None = None) -> tuple[CombatRow, ...]:
    """Return who beats whom at the start: a row for every kind that can attack, South's first."""
    fights = Outcomes(game, options or resolve(game, {}))
    rows = []
    for side in SIDES:
        enemies = _kinds(game, side.other)
        for kind in _kinds(game, side):
            if kind.is_mobile:
                outcomes = {enemy.id: fights.in_attack(kind, enemy, START) for enemy in enemies}
                rows.append(CombatRow(side, kind, *_by_outcome(enemies, outcomes)))
    return tuple(rows)


def power_table(game: Game, options: Options | None = None) -> tuple[PowerRow, ...]:
    """Return what powers do that strike or convert: a row for each power, side and kind that has it."""
    options = options or resolve(game, {})
    fights = Outcomes(game, options)
    rows = []
    for power in game.powers():
        if power.verb not in STRIKING_PRIMITIVES:
            continue
        for side in SIDES:
            friends = "friends" in power.parameters and setting(power, "friends", options)
            targets = list(game.kinds) if friends else _kinds(game, side.other)
            for kind in _kinds(game, side):
                if power in game.abilities(kind):
                    outcomes = {target.id: fights.by_power(power, kind, target, START) for target in targets}
                    rows.append(PowerRow(side, power, kind, *_by_outcome(targets, outcomes)))
    return tuple(rows)


def _kinds(game: Game, side: Side) -> list[Kind]:
    return [kind for index, kind in enumerate(game.kinds) if game.rosters[side][index]]


def _by_outcome(kinds: list[Kind], outcomes: dict[str, int]) -> tuple[tuple[Kind, ...], ...]:
    return tuple(tuple(kind for kind in kinds if outcomes[kind.id] == outcome) for outcome in _OUTCOMES)
