"""Check a box as a whole: the sizes of armies, clashing codes, impossible powers and defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flagfall.board import Board, cell_name, parse_cell
from flagfall.edition.option_table import Option, find_option
from flagfall.edition.options import OptionError, resolve
from flagfall.edition.reader import Section
from flagfall.edition.schema import Army, Game, Kind, Power
from flagfall.edition.verbs import PRIMITIVES, ROW_PRIMITIVES, STRIKING_PRIMITIVES, Parameter
from flagfall.errors import quoted, suggestion
from flagfall.sides import SIDES, Side

MAX_KINDS = 40
MAX_PIECES = 40


def check_codes(
    box: Section, tables: Mapping[str, Section], kinds: Mapping[str, Kind], armies: tuple[Army, Army]
) -> None:
    """Refuse two kinds of one army that share a code."""
    for army in armies:
        taken: dict[str, str] = {}
        for kind in kinds.values():
            if tables[kind.id].text("army", army.id) != army.id:
                continue
            other = taken.setdefault(kind.code, kind.id)
            if other != kind.id:
                tables[kind.id].fail(f"“code” {kind.code} already belongs to [kind.{other}]; choose another")


def check_game(table: Section, game: Game) -> None:
    """Refuse a game that cannot be set up or played."""
    if len(game.kinds) > MAX_KINDS:
        table.fail(f"the game has {len(game.kinds)} kinds of pieces; at most {MAX_KINDS} are possible")
    for side in SIDES:
        _check_army(table, game, side)
    check_game_powers(table, game)


def _check_army(table: Section, game: Game, side: Side) -> None:
    army = game.armies[side].id
    has = [(kind, count) for kind, count in zip(game.kinds, game.rosters[side], strict=True) if count]
    flags = sum(count for kind, count in has if kind.role == "flag")
    size = game.army_size(side)
    squares = len(game.board.home(side))
    if flags != 1:
        table.fail(f'the army “{army}” has {flags} flags; it needs exactly one piece with role = "flag"')
    if not any(kind.is_mobile for kind, _ in has):
        table.fail(f"the army “{army}” has no piece that can move; give it at least one soldier")
    if size > MAX_PIECES:
        table.fail(f"the army “{army}” has {size} pieces; at most {MAX_PIECES} are possible")
    if game.fills_home and size != squares:
        table.fail(
            f"the counts of the army “{army}” add up to {size}, but {side.title} has {squares} "
            f"home squares; make them equal, or write fills_home = false"
        )
    if size > squares:
        table.fail(
            f"the counts of the army “{army}” add up to {size}, but there are only {squares} home squares"
        )


def concerned(game: Game, defaults: Mapping[str, str]) -> dict[str, str]:
    """Return the inherited defaults whose options this game has."""
    return {
        name: value
        for name, value in defaults.items()
        if (option := find_option(game, name)) is None or option.concerns(game)
    }


def check_defaults(table: Section, game: Game) -> None:
    """Refuse defaults that are not options of this game or contradict each other."""
    try:
        resolve(game, game.defaults)
    except OptionError as error:
        table.fail(str(error))


MAX_ROWS = 8
MAX_STRIKING = 7


def check_option(table: Section, key: str, about: Parameter, option: Option) -> None:
    """Refuse to leave a parameter to an option that has other values."""
    if not _fits(about, option):
        table.fail(
            f"“options” leaves {quoted(key)} to “{option.name}”, which can be {option.possible}, "
            f"but {quoted(key)} needs {_needs(about)}"
        )


def _fits(about: Parameter, info: Option) -> bool:
    if isinstance(about.default, bool):
        return set(info.values) == {"off", "on"} and not info.max
    if isinstance(about.default, int):
        return info.values == ("off",) and 0 < info.max <= about.max
    if isinstance(about.default, tuple) or info.max:
        return False
    if about.values:
        return set(info.values) <= set(about.values)
    return all(_square(value) is not None for value in info.values)


def _needs(about: Parameter) -> str:
    if isinstance(about.default, bool):
        return "off and on"
    if isinstance(about.default, int):
        return f"off and numbers up to {about.max}"
    if isinstance(about.default, tuple):
        return "a list, which no option can give"
    return "squares" if not about.values else "the words " + ", ".join(about.values)


def check_owner(table: Section, key: str, role: str, powers: tuple[str, ...]) -> None:
    """Refuse powers of pieces that never move."""
    if powers and role != "soldier":
        table.fail(f"{quoted(key)} gives {quoted(powers[0])} to a {role}; only soldiers can have powers")


def check_powers(
    tables: Mapping[str, Section], powers: Mapping[str, Power], kinds: Mapping[str, Kind]
) -> None:
    """Refuse parameters that name kinds the box does not have."""
    for power in powers.values():
        for key, names in power.parameters.items():
            for name in names if isinstance(names, tuple) else ():
                if name not in kinds:
                    tables[power.id].fail(
                        f"“{key}” names the unknown kind {quoted(name)}; {suggestion(name, kinds)}"
                    )


def check_game_powers(table: Section, game: Game) -> None:
    """Refuse powers that cannot be played together, or not on this board."""
    _check_numbers(table, game.powers())
    for kind in game.kinds:
        _check_kind(table, game, kind)
    for power in game.powers():
        if power.verb == "bearer":
            _check_bearer(table, game, power)


def _check_numbers(table: Section, powers: tuple[Power, ...]) -> None:
    rows = [power for power in powers if power.verb in ROW_PRIMITIVES]
    striking = [power for power in powers if power.verb in STRIKING_PRIMITIVES]
    if len(rows) > MAX_ROWS:
        table.fail(
            f"the game has {len(rows)} powers of the verbs {', '.join(ROW_PRIMITIVES)}; "
            f"at most {MAX_ROWS} are possible"
        )
    if len(striking) > MAX_STRIKING:
        table.fail(
            f"the game has {len(striking)} powers of the verbs {', '.join(STRIKING_PRIMITIVES)}; "
            f"at most {MAX_STRIKING} are possible"
        )
    for primitive in PRIMITIVES.values():
        ids = [power.id for power in powers if power.verb == primitive.name]
        if primitive.once and len(ids) > 1:
            table.fail(
                f"the powers {' and '.join(ids)} both have the verb “{primitive.name}” ({primitive.once}); "
                f"a game can have only one such power"
            )


def _check_kind(table: Section, game: Game, kind: Kind) -> None:
    first: dict[str, str] = {}
    for power in game.abilities(kind):
        other = first.setdefault(power.verb, power.id)
        if other != power.id:
            table.fail(
                f"the kind “{kind.id}” has two powers of the verb “{power.verb}”, {other} and {power.id}; "
                f"it can have only one"
            )


def _check_bearer(table: Section, game: Game, power: Power) -> None:
    bearers = sum(
        sum(counts)
        for kind, *counts in zip(game.kinds, *game.rosters, strict=True)
        if power in game.abilities(kind)
    )
    if bearers != 1:
        table.fail(
            f"{bearers} pieces have the power “{power.id}” (bearer); exactly one piece of both armies "
            f"together can carry it"
        )
    for square in _squares(game, power):
        if not _is_zone(game.board, square):
            table.fail(
                f"the power “{power.id}” reserves the square {quoted(square)}, which is not in a zone of "
                f"this board; choose one of {_zones(game.board)}"
            )


def _squares(game: Game, power: Power) -> Iterator[str]:
    """Yield every square that a bearer's power may reserve, by the box or by an option."""
    if "square" in power.options:
        option = find_option(game, power.options["square"])
        yield from option.values if option else ()
    else:
        yield str(power.parameters["square"])


def _is_zone(board: Board, square: str) -> bool:
    return _square(square) in board.zones


def _square(name: str) -> int | None:
    try:
        return parse_cell(name)
    except ValueError:
        return None


def _zones(board: Board) -> str:
    return ", ".join(cell_name(cell) for cell in sorted(board.zones)) or "its zones, of which it has none"
