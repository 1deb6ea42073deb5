"""What is wrong with a box as a whole: armies that do not fit, codes that clash, impossible defaults."""

from __future__ import annotations

from collections.abc import Mapping

from flagfall.edition.option_table import OPTIONS
from flagfall.edition.options import OptionError, resolve
from flagfall.edition.power_check import check_game_powers
from flagfall.edition.reader import Table
from flagfall.edition.schema import NORTH, SIDE_NAMES, SOUTH, Army, Game, Kind

MAX_KINDS = 40
MAX_PIECES = 40


def check_codes(
    box: Table, tables: Mapping[str, Table], kinds: Mapping[str, Kind], armies: tuple[Army, Army]
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


def check_game(table: Table, game: Game) -> None:
    """Refuse a game that cannot be set up or played."""
    if len(game.kinds) > MAX_KINDS:
        table.fail(f"the game has {len(game.kinds)} kinds of pieces; at most {MAX_KINDS} are possible")
    for side in (SOUTH, NORTH):
        _check_army(table, game, side)
    check_game_powers(table, game)


def _check_army(table: Table, game: Game, side: int) -> None:
    army = game.armies[side].id
    has = [(kind, count) for kind, count in zip(game.kinds, game.rosters[side], strict=True) if count]
    flags = sum(count for kind, count in has if kind.role == "flag")
    size = game.army_size(side)
    room = len(game.board.home(side))
    if flags != 1:
        table.fail(f'the army “{army}” has {flags} flags; it needs exactly one piece with role = "flag"')
    if not any(kind.is_mobile for kind, _ in has):
        table.fail(f"the army “{army}” has no piece that can move; give it at least one soldier")
    if size > MAX_PIECES:
        table.fail(f"the army “{army}” has {size} pieces; at most {MAX_PIECES} are possible")
    if game.fills_home and size != room:
        table.fail(
            f"the counts of the army “{army}” add up to {size}, but {SIDE_NAMES[side].title()} has {room} "
            f"home squares; make them equal, or write fills_home = false"
        )
    if size > room:
        table.fail(
            f"the counts of the army “{army}” add up to {size}, but only {room} home squares are there"
        )


def concerned(game: Game, defaults: Mapping[str, str]) -> dict[str, str]:
    """Of the defaults taken over from another game, those whose options this game has."""
    return {
        name: value for name, value in defaults.items() if name not in OPTIONS or OPTIONS[name].concerns(game)
    }


def check_defaults(table: Table, game: Game) -> None:
    """Refuse defaults that are no options of this game or contradict each other."""
    try:
        resolve(game, game.defaults)
    except OptionError as error:
        table.fail(str(error))
