"""Who beats whom, in attacks and by powers, for people who look at a box as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from flagfall.edition.combat_facts import ATTACKER_WINS, BOTH_LOST, DEFENDER_WINS, NOTHING
from flagfall.edition.options import Options, resolve
from flagfall.edition.outcomes import START, Outcomes, setting
from flagfall.edition.schema import NORTH, SOUTH, Game, Kind, Power
from flagfall.edition.vocabulary import STRIKING_VERBS

_OUTCOMES = (ATTACKER_WINS, BOTH_LOST, DEFENDER_WINS, NOTHING)


@dataclass(frozen=True)
class CombatRow:
    """How one kind fares when it attacks: whom it beats, falls with, loses to, or meets in vain."""

    side: int
    attacker: Kind
    beats: tuple[Kind, ...]
    ties: tuple[Kind, ...]
    loses_to: tuple[Kind, ...]
    in_vain: tuple[Kind, ...] = ()


@dataclass(frozen=True)
class PowerRow:
    """What a power does in the hands of one kind: whom it captures (or wins over), with whom the user falls,
    to whom it falls, and who is spared."""

    side: int
    power: Power
    user: Kind
    captures: tuple[Kind, ...]
    falls_with: tuple[Kind, ...]
    falls_to: tuple[Kind, ...]
    spares: tuple[Kind, ...]


def combat_table(game: Game, options: Options | None = None) -> tuple[CombatRow, ...]:
    """Who beats whom: a row for every kind of South that can attack, then for North’s; as the game begins,
    under these options or the usual ones."""
    judge = Outcomes(game, options or resolve(game, {}))
    rows = []
    for side in (SOUTH, NORTH):
        enemies = _kinds(game, 1 - side)
        for kind in _kinds(game, side):
            if kind.is_mobile:
                outcomes = {enemy.id: judge.in_attack(kind, enemy, START) for enemy in enemies}
                rows.append(CombatRow(side, kind, *_sorted_out(enemies, outcomes)))
    return tuple(rows)


def power_table(game: Game, options: Options | None = None) -> tuple[PowerRow, ...]:
    """What every power does that strikes or wins over: a row for each power, side and kind that has it."""
    options = options or resolve(game, {})
    judge = Outcomes(game, options)
    rows = []
    for power in game.powers():
        if power.verb not in STRIKING_VERBS:
            continue
        for side in (SOUTH, NORTH):
            friends = "friends" in power.parameters and setting(power, "friends", options)
            targets = list(game.kinds) if friends else _kinds(game, 1 - side)
            for kind in _kinds(game, side):
                if power in game.abilities(kind):
                    outcomes = {target.id: judge.by_power(power, kind, target, START) for target in targets}
                    rows.append(PowerRow(side, power, kind, *_sorted_out(targets, outcomes)))
    return tuple(rows)


def _kinds(game: Game, side: int) -> list[Kind]:
    return [kind for index, kind in enumerate(game.kinds) if game.rosters[side][index]]


def _sorted_out(kinds: list[Kind], outcomes: dict[str, int]) -> tuple[tuple[Kind, ...], ...]:
    return tuple(tuple(kind for kind in kinds if outcomes[kind.id] == outcome) for outcome in _OUTCOMES)
