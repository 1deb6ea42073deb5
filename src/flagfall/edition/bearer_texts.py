"""The game with a bearer in words: its square, who can capture it, and what follows."""

from __future__ import annotations

from flagfall.board import DIRECTIONS, cell_name, parse_cell
from flagfall.edition.combat_facts import ATTACKER_WINS, BOTH_LOST, DEFENDER_WINS, NOTHING
from flagfall.edition.options import Options
from flagfall.edition.outcomes import START, Outcomes, setting
from flagfall.edition.schema import Game, Kind, Power
from flagfall.edition.texts import listed, spoken


def reserved_square(game: Game, options: Options) -> int | None:
    """The square that only the bearer may enter; None where nobody is one."""
    for power in game.powers():
        if power.verb == "bearer":
            return parse_cell(str(setting(power, "square", options)))
    return None


def entries(game: Game, square: int) -> list[int]:
    """The squares from which the reserved one is entered: its neighbours outside the zones."""
    board = game.board
    near = [square + way for way in DIRECTIONS]
    return [cell for cell in near if cell in board and cell not in board.zones]


def step_in(game: Game, options: Options) -> str:
    """The step onto the reserved square as it is typed, from one of its doors."""
    square = reserved_square(game, options)
    assert square is not None
    doors = entries(game, square)
    return f"{cell_name(doors[-1] if doors else square)}-{cell_name(square)}"


def bearer_of(game: Game) -> Kind:
    """The kind that carries the ring."""
    return next(kind for kind in game.kinds if any(one.verb == "bearer" for one in game.abilities(kind)))


def ring_facts(game: Game, power: Power, options: Options) -> list[str]:
    """Everything a player must know about the bearer."""
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
    name, place = spoken(game, bearer_of(game)), game.edition.words["reserved"]
    square = str(setting(power, "square", options))
    return [
        f"{place[:1].upper() + place[1:]} is the square {square}. Only {name} may ever enter it, once in the "
        f"game, by an ordinary step from {_doors(game, power, options, 'or')}. Then everybody sees who that "
        f"is.",
    ]


def _fights(game: Game, options: Options) -> list[str]:
    bearer, judge = bearer_of(game), Outcomes(game, options)
    name = spoken(game, bearer)
    side = 0 if game.rosters[0][game.kind_index(bearer.id)] else 1
    enemies = [kind for index, kind in enumerate(game.kinds) if game.rosters[1 - side][index]]
    attacks = {kind.id: judge.in_attack(bearer, kind, START) for kind in enemies}
    prey, safe, lost = (
        [spoken(game, kind) for kind in enemies if attacks[kind.id] in outcomes]
        for outcomes in ((ATTACKER_WINS,), (NOTHING,), (BOTH_LOST, DEFENDER_WINS))
    )
    only = f"{name} can be captured only by {listed(lost, 'or')}, whoever attacks."
    lines = [only if lost else f"Nobody can capture {name}."]
    lines.append(f"When {name} attacks, these are captured: {listed(prey)}.")
    if safe:
        lines.append(
            f"Against {listed(safe, 'or')} {name} turns invisible: both pieces are shown, nothing is "
            f"captured, and everybody stays where they are. No power of theirs can harm {name} either."
        )
    return lines


def _arrival(game: Game, power: Power, options: Options) -> list[str]:
    name, ring = spoken(game, bearer_of(game)), game.edition.words["ring"]
    lines = [f"When {name} gets there, {ring} is no more, and the game goes on for the flag."]
    if gone := _spoken_list(game, power, "purges"):
        lines.append(
            f"At that moment all these enemy pieces leave the board: {gone}. Everybody sees the empty "
            f"squares; what stood there only those see who may look at captured pieces."
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
    name, raised = spoken(game, bearer_of(game)), _spoken_list(game, power, "raises")
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
        return listed(f"{spoken(game, kind)} (now {kind.rank + 1})" for kind in kinds)
    return listed(spoken(game, kind) for kind in kinds)
