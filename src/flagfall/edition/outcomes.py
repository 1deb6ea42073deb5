"""What happens when one kind meets another, in every context and regime, from what the box says.

A *context* is an attack, or one power that strikes or converts; a *regime* is which numbers are in force
(the ring game has three). The engine only ever looks the answer up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from flagfall.edition.combat_facts import ATTACKER_WINS, BOTH_LOST, DEFENDER_WINS, NOTHING, melee
from flagfall.edition.options import Options
from flagfall.edition.schema import Game, Kind, Power

START, BEARER_LOST, BEARER_ARRIVED = 0, 1, 2


def setting(power: Power, key: str, options: Options) -> object:
    """A parameter of a power, as the box says it or as an option sets it."""
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
    """The judge of a game: asks the box, answers in the engine's numbers."""

    game: Game
    options: Options

    def in_attack(self, attacker: Kind, defender: Kind, phase: int) -> int:
        """An ordinary attack."""
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
        """A strike, an area strike or a conversion."""
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
        """Whether the bearer turns invisible before that piece."""
        if other.id in _names(power.parameters, "captors"):
            return False
        return not (phase == BEARER_ARRIVED and setting(power, "visible_after", self.options))

    def _in_force(self, kind: Kind, phase: int) -> Kind:
        """The kind with the number that it has in that regime."""
        if phase == BEARER_LOST and kind.id in self._raised:
            return replace(kind, rank=kind.rank + 1)
        return kind


def _names(says: Mapping[str, object], key: str) -> tuple[str, ...]:
    names = says.get(key, ())
    return names if isinstance(names, tuple) else ()
