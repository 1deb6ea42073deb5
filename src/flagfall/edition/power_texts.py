"""The Powers section of a rules page: who has a power, what it does under the options, how to type it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from flagfall.board import DIRECTIONS, cell_at, cell_name, column_of, parse_cell, row_of
from flagfall.edition.combat import ATTACKER_WINS, BOTH_LOST, DEFENDER_WINS, NOTHING, START, Outcomes, setting
from flagfall.edition.options import Options
from flagfall.edition.schema import Game, Kind, Power
from flagfall.edition.texts import capitalised, group_names, kind_names, owners, zone_word
from flagfall.edition.verbs import PRIMITIVES, power_verb
from flagfall.languages import listed, say
from flagfall.sides import SIDES

_SQUARE_NAME = re.compile("[a-j](?:10|[1-9])")
_SQUARE = "x x x x x\nx x x x x\nx x P x x\nx x x x x\nx x x x x"
_LINES = "x . x . x\n. x x x .\nx x P x x\n. x x x .\nx . x . x"
_AROUND = "x x x\nx P x\nx x x"
_TWO_STEPS = ". . x . .\n. x . x .\nx . P . x\n. x . x .\n. . x . ."


def power_section_powers(game: Game) -> tuple[Power, ...]:
    """Return the powers of the Powers section; runs and spotting belong to the special pieces."""
    return tuple(power for power in game.powers() if PRIMITIVES[power.verb].section == "powers")


def powers(game: Game, options: Options) -> str:
    """Return the section in Markdown; empty if the game has no powers."""
    told = power_section_powers(game)
    if not told:
        return ""
    intro = say("powers.intro")
    if weakest := [group_names(game, kind) for kind in game.kinds if kind.is_mobile and kind.rank == 0]:
        intro += " " + say("powers.weakest", pieces=listed(weakest))
    return "\n\n".join([intro, *(_power(game, power, options) for power in told)])


def _power(game: Game, power: Power, options: Options) -> str:
    lines = [*FACTS[power.verb](game, power, options)]
    lines.append(say("powers.type", example=_typed(game, power, options)))
    parts = [f"### {power.name}", f"*{listed(owners(game, power))}*", power.text]
    if drawing := _drawing(game, power, options):
        parts.append(f"```text\n{drawing}\n```")
    return "\n\n".join([*parts, "\n".join(f"- {line}" for line in lines)])


def _typed(game: Game, power: Power, options: Options) -> str:
    """Return how a power is typed, with an example on squares of this board."""
    if power.verb == "bearer":
        return say("powers.step-in", example=_step_in(game, options))
    text = PRIMITIVES[power.verb].typed or f"`{power_verb(power).example}`"
    if power.verb == "leap" and setting(power, "attack_after", options):
        text = say("powers.typed.leap-attack")
    if power.verb == "advance" and setting(power, "order", options) == "front_first":
        text = say("powers.typed.advance-front")
    return _on_board(game, text)


def _on_board(game: Game, example: str) -> str:
    """Return an example moved to squares that pieces may enter, with the squares between and in front."""
    cells = [parse_cell(square) for square in _SQUARE_NAME.findall(example)]
    if not cells:
        return example
    box = [cell_at(column, row) for column in _span(cells, column_of) for row in _span(cells, row_of)]
    if "advance" in example:
        box += [cell + DIRECTIONS[0] for cell in cells]
    open_cells = set(game.board.open_cells())
    ways = sorted(cell - box[0] for cell in open_cells)
    way = min((way for way in ways if open_cells.issuperset(cell + way for cell in box)), key=abs, default=0)
    return _SQUARE_NAME.sub(lambda square: cell_name(parse_cell(square[0]) + way), example)


def _span(cells: list[int], part: Callable[[int], int]) -> range:
    return range(min(map(part, cells)), max(map(part, cells)) + 1)


def _drawing(game: Game, power: Power, options: Options) -> str:
    if "reach" in power.parameters:
        return _LINES if setting(power, "reach", options) == "lines" else _SQUARE
    if power.verb == "leap":
        crosses = zone_word(game) and setting(power, "over_zones", options)
        return "P o o # x" if crosses else "P o o o x"
    return {"area": _AROUND, "two-step": _TWO_STEPS}.get(power.verb, "")


def _reach(power: Power, options: Options) -> str:
    lines = setting(power, "reach", options) == "lines"
    return say("powers.reach-lines" if lines else "powers.reach-square")


def _leap(game: Game, power: Power, options: Options) -> list[str]:
    lines = [say("powers.leap.way"), say("powers.leap.needs")]
    if zones := zone_word(game):
        over = setting(power, "over_zones", options)
        lines.append(say("powers.leap.zones" if over else "powers.leap.no-zones", zones=zones))
    attacks = setting(power, "attack_after", options)
    lines.append(say("powers.leap.attack" if attacks else "powers.no-attack"))
    return lines


def _teleport(game: Game, power: Power, options: Options) -> list[str]:
    return [_reach(power, options), say("powers.teleport.way"), say("powers.no-attack")]


def _two_step(game: Game, power: Power, options: Options) -> list[str]:
    back = setting(power, "may_return", options)
    return [
        say("powers.two-step.way"),
        say("powers.two-step.attack"),
        say("powers.two-step.first"),
        say("powers.two-step.back" if back else "powers.two-step.no-back"),
    ]


def _strike(game: Game, power: Power, options: Options) -> list[str]:
    is_blocked, takes_flag = setting(power, "blocked", options), setting(power, "takes_flag", options)
    lines = [_reach(power, options), say("powers.strike.blocked" if is_blocked else "powers.strike.over")]
    if is_blocked and setting(power, "reach", options) == "square":
        lines.append(say("powers.strike.corner"))
    lines += [
        say("powers.strike.outcome"),
        say("powers.strike.stays"),
        *_spared(game, power, ("bomb",) if takes_flag else ("bomb", "flag")),
    ]
    if takes_flag:
        lines.append(say("powers.strike.flag"))
    return lines


def _spared_names(game: Game, power: Power, roles: tuple[str, ...]) -> str:
    spares = power.parameters["spares"]
    assert isinstance(spares, tuple)
    return listed(group_names(game, kind) for kind in game.kinds if kind.role in roles or kind.id in spares)


def _spared(game: Game, power: Power, roles: tuple[str, ...]) -> list[str]:
    names = _spared_names(game, power, roles)
    return [say("powers.spared", pieces=names)] if names else []


def _area(game: Game, power: Power, options: Options) -> list[str]:
    most, friends = power.parameters["choose"], setting(power, "friends", options)
    if most:
        lines = [
            say("powers.area.chosen-pieces" if friends else "powers.area.chosen-enemies", most=most),
            say("powers.area.choosing", most=most),
        ]
    else:
        lines = [say("powers.area.pieces" if friends else "powers.area.enemies"), say("powers.area.needs")]
    equal_kills, higher_kills = (setting(power, name, options) for name in ("equal_kills", "higher_kills"))
    lines += [
        say("powers.area.weaker"),
        say("powers.area.equal-both" if equal_kills else "powers.area.equal"),
        say("powers.area.stronger-kills" if higher_kills else "powers.area.stronger"),
        *_bombs(game, power, options),
    ]
    if setting(power, "removed_after", options):
        lines.append(say("powers.area.leaves"))
    return lines


def _bombs(game: Game, power: Power, options: Options) -> list[str]:
    bombs = game.edition.words["bombs"]
    if not any(kind.role == "bomb" for kind in game.kinds):
        return _spared(game, power, ("flag",))
    if setting(power, "takes_bombs", options):
        return [say("powers.area.bombs-captured", bombs=bombs), *_spared(game, power, ("flag",))]
    if setting(power, "bombs_kill", options):
        return [say("powers.area.bombs-kill", bombs=bombs), *_spared(game, power, ("flag",))]
    return _spared(game, power, ("bomb", "flag"))


def _advance(game: Game, power: Power, options: Options) -> list[str]:
    zones = zone_word(game)
    lines = [
        say("powers.advance.all", pieces=listed(owners(game, power))),
        say("powers.advance.attack"),
        say("powers.advance.edge-zones", zones=zones) if zones else say("powers.advance.edge"),
    ]
    if setting(power, "order", options) == "front_first":
        return [*lines, say("powers.advance.front-first")]
    lines.append(say("powers.advance.order"))
    if setting(power, "subset", options):
        lines.append(say("powers.advance.subset"))
    return lines


def _detect(game: Game, power: Power, options: Options) -> list[str]:
    known = setting(power, "known", options)
    return [
        _reach(power, options),
        say("powers.detect.shown"),
        say("powers.detect.between"),
        say("powers.detect.known" if known else "powers.detect.unknown"),
    ]


def _convert(game: Game, power: Power, options: Options) -> list[str]:
    lines = [
        _reach(power, options),
        say("powers.convert.shown"),
        say("powers.convert.outcome"),
        say("powers.convert.once"),
    ]
    if setting(power, "probe", options):
        lines += _spared(game, power, ("bomb", "flag"))
    else:
        lines.append(say("powers.convert.spared", pieces=_spared_names(game, power, ("bomb", "flag"))))
    if cap := setting(power, "cap", options):
        lines.append(say("powers.convert.most", number=cap))
    return lines


def _chain(game: Game, power: Power, options: Options) -> list[str]:
    return [say("powers.chain.again"), say("powers.chain.end")]


def reserved_square(game: Game, options: Options) -> int | None:
    """Return the square that only the bearer may enter; None in games without a bearer."""
    for power in game.powers():
        if power.verb == "bearer":
            return parse_cell(str(setting(power, "square", options)))
    return None


def entries(game: Game, square: int) -> list[int]:
    """Return the squares from which the reserved one is entered: its neighbours outside the zones."""
    board = game.board
    near = [square + way for way in DIRECTIONS]
    return [cell for cell in near if cell in board and cell not in board.zones]


def _step_in(game: Game, options: Options) -> str:
    """Return an example of the step onto the reserved square."""
    square = reserved_square(game, options)
    assert square is not None
    doors = entries(game, square)
    return f"{cell_name(doors[-1] if doors else square)}-{cell_name(square)}"


def bearer_of(game: Game) -> Kind:
    """Return the kind that carries the ring."""
    return next(kind for kind in game.kinds if any(one.verb == "bearer" for one in game.abilities(kind)))


def _ring(game: Game, power: Power, options: Options) -> list[str]:
    """Return the sentences about the bearer."""
    return [
        *_the_way(game, power, options),
        *_fights(game, options),
        *_arrival(game, power, options),
        *_capture(game, power),
    ]


def _doors(game: Game, power: Power, options: Options, last: Literal["and", "or"]) -> str:
    square = parse_cell(str(setting(power, "square", options)))
    return listed((cell_name(cell) for cell in entries(game, square)), last)


def _the_way(game: Game, power: Power, options: Options) -> list[str]:
    text = say(
        "powers.ring.way",
        place=game.edition.words["reserved"],
        square=setting(power, "square", options),
        bearer=kind_names(game, bearer_of(game)),
        doors=_doors(game, power, options, "or"),
    )
    return [capitalised(text)]


def _fights(game: Game, options: Options) -> list[str]:
    bearer, fights = bearer_of(game), Outcomes(game, options)
    name = kind_names(game, bearer)
    side = next(side for side in SIDES if game.rosters[side][game.kind_index(bearer.id)])
    enemies = [kind for index, kind in enumerate(game.kinds) if game.rosters[side.other][index]]
    attacks = {kind.id: fights.in_attack(bearer, kind, START) for kind in enemies}
    prey, safe, lost = (
        [group_names(game, kind) for kind in enemies if attacks[kind.id] in outcomes]
        for outcomes in ((ATTACKER_WINS,), (NOTHING,), (BOTH_LOST, DEFENDER_WINS))
    )
    if lost:
        lines = [say("powers.ring.captors", bearer=name, pieces=listed(lost, "or"))]
    else:
        lines = [say("powers.ring.no-captors", bearer=name)]
    lines.append(say("powers.ring.prey", bearer=name, pieces=listed(prey)))
    if safe:
        lines.append(say("powers.ring.invisible", bearer=name, pieces=listed(safe, "or")))
    return lines


def _arrival(game: Game, power: Power, options: Options) -> list[str]:
    name = kind_names(game, bearer_of(game))
    lines = [say("powers.ring.arrives", bearer=name, ring=game.edition.words["ring"])]
    if gone := _spoken_list(game, power, "purges"):
        lines.append(say("powers.ring.purges", pieces=gone))
    if setting(power, "immune_there", options):
        lines.append(say("powers.ring.immune", bearer=name))
    else:
        doors = _doors(game, power, options, "and")
        lines.append(say("powers.ring.attacked", bearer=name, doors=doors))
    lines.append(say("powers.ring.leaves", bearer=name))
    visible = setting(power, "visible_after", options)
    lines.append(say("powers.ring.visible" if visible else "powers.ring.still-invisible", bearer=name))
    return lines


def _capture(game: Game, power: Power) -> list[str]:
    name, raised = kind_names(game, bearer_of(game)), _spoken_list(game, power, "raises")
    return [say("powers.ring.raises", bearer=name, pieces=raised)] if raised else []


def _spoken_list(game: Game, power: Power, key: str) -> str:
    names = power.parameters[key]
    assert isinstance(names, tuple)
    kinds = [kind for kind in game.kinds if kind.id in names]
    if key == "raises" and all(kind.label == str(kind.rank) for kind in kinds):
        return listed(
            say("powers.ring.raised", piece=group_names(game, kind), rank=str(kind.rank + 1))
            for kind in kinds
        )
    return listed(group_names(game, kind) for kind in kinds)


FACTS: Mapping[str, Callable[[Game, Power, Options], list[str]]] = {
    "leap": _leap,
    "teleport": _teleport,
    "two-step": _two_step,
    "strike": _strike,
    "area": _area,
    "advance": _advance,
    "detect": _detect,
    "convert": _convert,
    "chain": _chain,
    "bearer": _ring,
}
