"""The Powers section of a rules page: who has a power, what it does under the options, how to type it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from flagfall.board import DIRECTIONS, cell_at, cell_name, column_of, parse_cell, row_of
from flagfall.edition.combat import ATTACKER_WINS, BOTH_LOST, DEFENDER_WINS, NOTHING, START, Outcomes, setting
from flagfall.edition.options import Options
from flagfall.edition.schema import Game, Kind, Power
from flagfall.edition.texts import group_names, kind_names, listed, owners, zone_word
from flagfall.edition.verbs import PRIMITIVES, power_verb
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
    intro = (
        "On your turn a piece may use one power instead of a move or an attack. Before a power is used, the "
        "piece that uses it is shown to both players. In the drawings P is that piece."
    )
    return "\n\n".join([intro + _weakest(game), *(_power(game, power, options) for power in told)])


def _weakest(game: Game) -> str:
    """Return the sentence about pieces without a number."""
    names = [group_names(game, kind) for kind in game.kinds if kind.is_mobile and kind.rank == 0]
    return f" A piece without a number counts as the weakest of all ({listed(names)})." if names else ""


def _power(game: Game, power: Power, options: Options) -> str:
    lines = [*FACTS[power.verb](game, power, options), f"Type it like this: {_typed(game, power, options)}."]
    parts = [f"### {power.name}", f"*{listed(owners(game, power))}*", power.text]
    if drawing := _drawing(game, power, options):
        parts.append(f"```text\n{drawing}\n```")
    return "\n\n".join([*parts, "\n".join(f"- {line}" for line in lines)])


def _typed(game: Game, power: Power, options: Options) -> str:
    """Return how a power is typed, with an example on squares of this board."""
    if power.verb == "bearer":
        return f"`{_step_in(game, options)}`, like any other step"
    text = PRIMITIVES[power.verb].typed or f"`{power_verb(power).example}`"
    if power.verb == "leap" and setting(power, "attack_after", options):
        text = "`c4^c7`, and then `c7xc8` or `done`"
    if power.verb == "advance" and setting(power, "order", options) == "front_first":
        text = "`advance north`"
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
    if setting(power, "reach", options) == "lines":
        return "It reaches one or two squares along a row, a column or a diagonal: all squares marked x."
    return "It reaches everything up to two squares away, in any direction: all squares marked x."


def _leap(game: Game, power: Power, options: Options) -> list[str]:
    lines = [
        "It flies in a straight line, never diagonally, over a row of pieces of either side without a gap, "
        "and lands on the first empty square behind them: from P to x.",
        "There must be something to fly over; otherwise it is just a step.",
    ]
    if zones := zone_word(game):
        over = setting(power, "over_zones", options)
        lines.append(f"It may fly over {zones}, too." if over else f"It may not fly over {zones}.")
    if setting(power, "attack_after", options):
        lines.append(
            "If an enemy stands next to it after landing, the turn stays open: it may attack in the ordinary "
            "way, or stop with `done`."
        )
    else:
        lines.append("It cannot attack in the same turn.")
    return lines


def _teleport(game: Game, power: Power, options: Options) -> list[str]:
    return [
        _reach(power, options),
        "The square must be empty, and it does not matter what lies in between.",
        "It cannot attack in the same turn.",
    ]


def _two_step(game: Game, power: Power, options: Options) -> list[str]:
    back = setting(power, "may_return", options)
    return [
        "It makes two steps, straight on or round a corner: from P to a square marked x. The square between "
        "must be empty.",
        "The second step may be an attack, and then both pieces are shown.",
        "An enemy on the first square can only be attacked in the ordinary way, and that ends the turn.",
        "It may come straight back to where it began." if back else "It may not end where it began.",
    ]


def _strike(game: Game, power: Power, options: Options) -> list[str]:
    is_blocked, takes_flag = setting(power, "blocked", options), setting(power, "takes_flag", options)
    between = (
        "A piece in between blocks it; a zone does not."
        if is_blocked
        else "It goes over everything in between."
    )
    lines = [_reach(power, options), between]
    if is_blocked and setting(power, "reach", options) == "square":
        lines.append("Round a corner the way is closed only if both squares between are taken.")
    lines += [
        "The enemy piece is shown to both players. If it is weaker, it is captured; if not, nothing happens "
        "to either.",
        "The piece that uses the power stays where it is.",
        *_spared(game, power, ("bomb",) if takes_flag else ("bomb", "flag")),
    ]
    if takes_flag:
        lines.append("It can even capture the flag, and that wins the game.")
    return lines


def _spared_names(game: Game, power: Power, roles: tuple[str, ...]) -> str:
    spares = power.parameters["spares"]
    assert isinstance(spares, tuple)
    return listed(group_names(game, kind) for kind in game.kinds if kind.role in roles or kind.id in spares)


def _spared(game: Game, power: Power, roles: tuple[str, ...]) -> list[str]:
    names = _spared_names(game, power, roles)
    return [f"Shown, but not harmed: {names}."] if names else []


def _area(game: Game, power: Power, options: Options) -> list[str]:
    most, friends = power.parameters["choose"], setting(power, "friends", options)
    if most:
        who = "pieces" if friends else "enemies"
        lines = [
            f"It steps onto an empty square, and then it strikes one to {most} {who} on the squares marked "
            f"x, all at the same moment.",
            f"Name them one by one; the turn stays open until there are {most} or you say `done`. They are "
            f"shown together, and only then.",
        ]
    else:
        who = "every piece, friend or enemy," if friends else "every enemy"
        lines = [
            f"It steps onto an empty square, and then it strikes {who} on the squares marked x, all at the "
            f"same moment. They are all shown.",
            "A piece must stand there; otherwise it is just a step.",
        ]
    both = setting(power, "equal_kills", options)
    strong = "the striker is captured" if setting(power, "higher_kills", options) else "nothing happens to it"
    lines += [
        "Weaker pieces are captured.",
        "An equal is captured, and the striker with it." if both else "Equals are captured, too.",
        f"A stronger piece stays, and {strong}.",
        *_bombs(game, power, options),
    ]
    if setting(power, "removed_after", options):
        lines.append("Whatever happens, the striker leaves the board afterwards.")
    return lines


def _bombs(game: Game, power: Power, options: Options) -> list[str]:
    bombs = game.edition.words["bombs"]
    if not any(kind.role == "bomb" for kind in game.kinds):
        return _spared(game, power, ("flag",))
    if setting(power, "takes_bombs", options):
        return [f"{bombs} are captured as well.", *_spared(game, power, ("flag",))]
    if setting(power, "bombs_kill", options):
        lost = f"{bombs} that are struck stay, and the striker is captured."
        return [lost, *_spared(game, power, ("flag",))]
    return _spared(game, power, ("bomb", "flag"))


def _advance(game: Game, power: Power, options: Options) -> list[str]:
    zones = zone_word(game)
    lines = [
        f"All your pieces with this power ({listed(owners(game, power))}) go one square in one direction, "
        f"one after another. Each is shown before it goes.",
        "A piece that comes to an occupied square must attack, even a friend.",
        f"A piece that goes over the edge{f' or into the {zones}' if zones else ''} is captured.",
    ]
    if setting(power, "order", options) == "front_first":
        lines.append("The piece in front goes first, then the next; say only the direction.")
        return lines
    lines.append("You choose who goes next; the turn stays open until all have gone.")
    if setting(power, "subset", options):
        lines.append("Not all of them need to go: you may stop with `done` after the first.")
    return lines


def _detect(game: Game, power: Power, options: Options) -> list[str]:
    known = setting(power, "known", options)
    return [
        _reach(power, options),
        "Name one enemy piece there, and it is shown to both players. Nothing else happens to it.",
        "It does not matter what lies in between.",
        f"You may {'even name a piece that you know already' if known else 'only name an unknown piece'}.",
    ]


def _convert(game: Game, power: Power, options: Options) -> list[str]:
    lines = [
        _reach(power, options),
        "It does not matter what lies in between. The enemy piece is shown to both players.",
        "If it is weaker, it changes sides on its square and is yours for good, with all it can do. If not, "
        "nothing happens.",
        "A piece that has changed sides once cannot change sides again.",
    ]
    if setting(power, "probe", options):
        lines += _spared(game, power, ("bomb", "flag"))
    else:
        names = _spared_names(game, power, ("bomb", "flag"))
        lines.append(f"Nothing happens to these, and what never moves is not even shown: {names}.")
    if cap := setting(power, "cap", options):
        lines.append(f"Each player can do this to at most {cap} pieces in a game.")
    return lines


def _chain(game: Game, power: Power, options: Options) -> list[str]:
    return [
        "After a won attack it stands on the square of the loser. If an enemy is next to it there, the turn "
        "stays open: it may attack again, or stop with `done`.",
        "It may do so again and again, but it makes no steps in between. A fight that it does not win ends "
        "the turn.",
    ]


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


def _doors(game: Game, power: Power, options: Options, last: str) -> str:
    square = parse_cell(str(setting(power, "square", options)))
    return listed((cell_name(cell) for cell in entries(game, square)), last)


def _the_way(game: Game, power: Power, options: Options) -> list[str]:
    name, place = kind_names(game, bearer_of(game)), game.edition.words["reserved"]
    square = str(setting(power, "square", options))
    return [
        f"{place[:1].upper() + place[1:]} is the square {square}. Only {name} may ever enter it, once in the "
        f"game, by an ordinary step from {_doors(game, power, options, 'or')}. Then everyone sees who it "
        f"is."
    ]


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
    only = f"{name} can be captured only by {listed(lost, 'or')} (as attacker or defender)."
    lines = [only if lost else f"Nobody can capture {name}."]
    lines.append(f"When {name} attacks, these are captured: {listed(prey)}.")
    if safe:
        lines.append(
            f"Against {listed(safe, 'or')} {name} turns invisible: both pieces are shown, nothing is "
            f"captured, and both stay where they are. No power of theirs can harm {name} either."
        )
    return lines


def _arrival(game: Game, power: Power, options: Options) -> list[str]:
    name, ring = kind_names(game, bearer_of(game)), game.edition.words["ring"]
    lines = [f"When {name} gets there, {ring} is destroyed, and the game goes on until a flag falls."]
    if gone := _spoken_list(game, power, "purges"):
        lines.append(
            f"At that moment all these enemy pieces leave the board: {gone}. Everyone sees the empty "
            f"squares; only players who may look at captured pieces see what stood there."
        )
    if setting(power, "immune_there", options):
        lines.append(f"Nobody may attack {name} on that square.")
    else:
        doors = _doors(game, power, options, "and")
        lines.append(f"{name} can be attacked there from {doors}; a winner captures, but does not step in.")
    lines.append(f"{name} may leave the square later, but never come back.")
    if setting(power, "visible_after", options):
        lines.append(f"After that {name} cannot turn invisible any more.")
    else:
        lines.append(f"Even after that {name} can turn invisible.")
    return lines


def _capture(game: Game, power: Power) -> list[str]:
    name, raised = kind_names(game, bearer_of(game)), _spoken_list(game, power, "raises")
    if not raised:
        return []
    return [
        f"If {name} is captured before that, these grow by one rank for the rest of the game: {raised}. What "
        f"they can do stays the same."
    ]


def _spoken_list(game: Game, power: Power, key: str) -> str:
    names = power.parameters[key]
    assert isinstance(names, tuple)
    kinds = [kind for kind in game.kinds if kind.id in names]
    if key == "raises" and all(kind.label == str(kind.rank) for kind in kinds):
        return listed(f"{group_names(game, kind)} (now {kind.rank + 1})" for kind in kinds)
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
