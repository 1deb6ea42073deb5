"""Build the values of `schema` from the tables of a box file; `check` examines games as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from typing import TypeVar, cast

from flagfall.board import MAX_COLUMNS, MAX_ROWS, Board, cell_name, parse_cell, row_of
from flagfall.edition.check import (
    check_codes,
    check_defaults,
    check_game,
    check_option,
    check_owner,
    check_powers,
    concerned,
)
from flagfall.edition.keys import ROLES, SIDES_VALUES, keys_of
from flagfall.edition.option_table import (
    OPTION_NAME,
    OPTIONS,
    LeftTo,
    Option,
    OptionError,
    load_installed_options,
)
from flagfall.edition.reader import ID, MAX_TABLES, Problems, Section, kind_of_value
from flagfall.edition.schema import DEFAULT_WORDS, Army, Edition, Game, Kind, Power, Role
from flagfall.edition.verbs import PRIMITIVES, Parameter
from flagfall.errors import quoted, suggestion

MAX_RANK = 99
MAX_OPTION_NUMBER = 10_000
MAX_COUNT = 40
MIN_SIZE = 2

Built = TypeVar("Built")
_ICONS = files("flagfall.edition") / "data" / "icons.txt"
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_SHOWN_GAMES = 6
_NUMBER_WORDS = {0: "none", 1: "one"}


def build_edition(
    box: Section,
    bundled: Callable[[], Mapping[str, Option]],
    lesson_tables: Callable[[], Section] | None = None,
    box_id: str = "",
) -> Edition:
    """Return the edition of a box file, checked.

    ``bundled`` gives the options of the bundled boxes, ``lesson_tables`` the tables of the lessons,
    ``box_id`` an id instead of the one in the file.
    """
    problems = Problems()
    with problems.collected():
        box.only(keys_of(""))
    with problems.collected():
        edition_id = _id(box)
    with problems.collected():
        board_table = box.table("board", required=True)
        board = board_table.read_by(lambda: read_board(board_table))
    texts: dict[str, str] = {}
    for key in ("name", "tagline", "story"):
        with problems.collected():
            texts[key] = box.text(key, long=key != "name")
    with problems.collected():
        armies = _armies(box)
        options = _PowerOptions(_options(box), bundled)
        powers = _each(box.tables("power"), problems, lambda name, table: _power(name, table, options))
        tables = box.tables("kind", required=True)
        kinds = _each(tables, problems, lambda name, table: _kind(name, table, armies, powers))
    with problems.collected():
        hints, words = box.strings("hints", long=True), _words(box.table("words"))
        is_low = box.flag("low_is_strong", False)
    problems.refuse()
    for name, kind in kinds.items():
        for taken in kind.takes:
            if taken not in kinds:
                with problems.collected():
                    tables[name].fail(
                        f"“takes” names the unknown kind {quoted(taken)}; {suggestion(taken, kinds)}"
                    )
    with problems.collected():
        check_codes(box, tables, kinds, armies)
    with problems.collected():
        check_powers(box.tables("power"), powers, kinds)
    edition = Edition(
        id=box_id or edition_id,
        name=texts["name"],
        tagline=texts["tagline"],
        story=texts["story"],
        low_is_strong=is_low,
        board=board,
        armies=armies,
        kinds=kinds,
        powers=powers,
        hints=hints,
        words=words,
        options=options.used,
        lesson_tables=lesson_tables,
    )
    _games(edition, box, tables, problems)
    problems.refuse()
    return edition


def _each(
    tables: Mapping[str, Section], problems: Problems, build: Callable[[str, Section], Built]
) -> dict[str, Built]:
    """Return what is built of each table; the problems of all are collected."""
    built = {}
    for name, table in tables.items():
        with problems.collected():
            built[name] = table.read_by(partial(build, name, table))
    return built


@cache
def icon_names() -> tuple[str, ...]:
    """Return the names of the game-icons set; ``python -m tests.project.icon_names`` writes them."""
    return tuple(_ICONS.read_text(encoding="utf-8").split())


def _id(box: Section) -> str:
    name = box.text("id", such_as='id = "my-box"')
    if not ID.fullmatch(name):
        box.fail(f"“id” cannot be {quoted(name)}; use small letters, digits and single hyphens")
    return name


def _words(table: Section) -> dict[str, str]:
    table.only(keys_of("words"))
    own = {key: table.text(key) for key in table.data}
    for one, many in (("zone", "zones"), ("bomb", "bombs")):
        if one in own:
            own.setdefault(many, own[one] + "s")
    return {**DEFAULT_WORDS, **own}


def _armies(box: Section) -> tuple[Army, Army]:
    tables = box.tables("army", required=True)
    if len(tables) != 2:
        count = _NUMBER_WORDS.get(len(tables), str(len(tables)))
        box.fail(f"a box has exactly two tables [army.…], South’s first, but here there are {count}")
    problems = Problems()
    armies = _each(tables, problems, _army)
    problems.refuse()
    first, second = armies.values()
    return first, second


def _army(name: str, table: Section) -> Army:
    table.only(keys_of("army.*"))
    colour = table.text("colour", such_as='colour = "#D55E00"')
    if not _COLOUR.fullmatch(colour):
        table.note(f"“colour” must look like #D55E00, not {quoted(colour)}")
    return Army(id=name, name=table.text("name"), colour=colour, text=table.text("text", long=True))


def read_board(table: Section) -> Board:
    """Return the board that a table describes."""
    table.only(keys_of("board"))
    size = table.data.get("size")
    if not isinstance(size, list) or len(size) != 2 or any(type(number) is not int for number in size):
        table.fail("“size” must give columns and rows, such as size = [10, 10]")
    columns, rows = cast("list[int]", size)
    if not (MIN_SIZE <= columns <= MAX_COLUMNS and MIN_SIZE <= rows <= MAX_ROWS):
        table.fail(
            f"“size” must be from {MIN_SIZE} to {MAX_COLUMNS} columns and from {MIN_SIZE} to {MAX_ROWS} "
            f"rows, not {quoted(size)}"
        )
    home_rows = table.number("home_rows", 1, MAX_ROWS)
    if 2 * home_rows > rows:
        table.fail(f"“home_rows” can be at most {rows // 2} on {rows} rows, or the two armies overlap")
    board = Board(columns, rows, home_rows)
    return Board(
        columns, rows, home_rows, frozenset(_zone(table, board, name) for name in table.texts("zones"))
    )


def _zone(table: Section, board: Board, name: str) -> int:
    try:
        cell = parse_cell(name)
    except ValueError:
        table.fail(f"“zones” names {quoted(name)}, which is not a square such as c5")
    if cell not in board:
        table.fail(
            f"“zones” names {cell_name(cell)}, which is off the board of {board.columns} columns "
            f"and {board.rows} rows"
        )
    if not board.home_rows < row_of(cell) <= board.rows - board.home_rows:
        table.fail(f"“zones” names {cell_name(cell)}, which is in the home rows; zones lie between them")
    return cell


class _PowerOptions:
    """The options that may set parameters of powers: general ones, those of the box and of bundled boxes."""

    def __init__(self, own: Mapping[str, Option], bundled: Callable[[], Mapping[str, Option]]) -> None:
        self.used, self._bundled = dict(own), bundled

    def find(self, table: Section, key: str, name: str) -> Option:
        """Return an option by name; one of a bundled box becomes an option of this box."""
        load_installed_options()
        general = {one.name: one for one in OPTIONS.values() if one.is_for_powers}
        if name in general:
            return general[name]
        if name not in self.used:
            known = self._bundled()
            if name not in known:
                table.fail(
                    f"“options” leaves {quoted(key)} to {quoted(name)}, which is not an option for powers; "
                    f"{suggestion(name, {**known, **general, **self.used})}"
                )
            self.used[name] = known[name]
        return self.used[name]


def _options(box: Section) -> dict[str, Option]:
    """Return the options that a box declares; the first value of each is its default."""
    outer = box.table("option")
    if len(outer.data) > MAX_TABLES:
        box.fail(f"there are {len(outer.data)} tables [option.…]; at most {MAX_TABLES} are possible")
    tables, problems = {name: outer.table(name, required=True) for name in outer.data}, Problems()
    options = _each(tables, problems, _option)
    problems.refuse()
    return options


def _option(name: str, table: Section) -> Option:
    if not OPTION_NAME.fullmatch(name) or name in OPTIONS:
        table.fail(f"{quoted(name)} cannot be the name of an option; use a new name such as bow_range")
    table.only(keys_of("option.*"))
    help_text, title, rules = table.text("help", long=True), table.text("title", ""), table.texts("rules")
    limit = table.number("max", 1, MAX_OPTION_NUMBER, 0)
    number = table.text("number", long=True) if limit else ""
    sentences = table.strings("values", long=True)
    if not sentences or any(value != value.strip().lower() for value in sentences):
        table.fail('“values” must give a sentence for each value in small letters, such as on = "…"')
    option = Option(
        name,
        next(iter(sentences)),
        help_text,
        rules,
        tuple(sentences),
        sentences,
        number,
        limit,
        LeftTo(name),
        "power",
        is_for_powers=True,
        title=title,
    )
    return option.with_default(_option_default(table, option))


def _option_default(table: Section, option: Option) -> str:
    """Return the value that an option starts with: the one that the box says, or the first."""
    if "default" not in table.data:
        return option.default
    try:
        return option.canonical(_option_value(table, "default"))
    except OptionError as error:
        table.fail(f"“default” is not a value: {error}")


def _power(name: str, table: Section, known_options: _PowerOptions) -> Power:
    verb_name = table.text("verb", such_as='verb = "run"')
    if verb_name not in PRIMITIVES:
        table.fail(f"“verb” names the unknown verb {quoted(verb_name)}; {suggestion(verb_name, PRIMITIVES)}")
    known = PRIMITIVES[verb_name].parameters
    table.only((*keys_of("power.*"), *known))
    options = table.strings("options")
    for key, option in options.items():
        if key not in known:
            table.fail(f"“options” names the unknown parameter {quoted(key)}; {suggestion(key, known)}")
        check_option(table, key, known[key], known_options.find(table, key, option))
    return Power(
        id=name,
        name=table.text("name"),
        verb=verb_name,
        text=table.text("text", long=True),
        parameters={key: _parameter(table, key, about) for key, about in known.items()},
        options=options,
    )


def _parameter(table: Section, key: str, about: Parameter) -> bool | int | str | tuple[str, ...]:
    if isinstance(about.default, bool):
        return table.flag(key, about.default)
    if isinstance(about.default, int):
        return table.number(key, about.min, about.max, about.default)
    if isinstance(about.default, tuple):
        return table.texts(key)
    if not about.values:
        return table.text(key, about.default)
    return table.choice(key, about.values, about.default)


def _kind(name: str, table: Section, armies: tuple[Army, Army], powers: Mapping[str, Power]) -> Kind:
    table.only(keys_of("kind.*"))
    code = table.text("code", such_as='code = "7"')
    if len(code) != 1 or not (code.isascii() and code.isalnum()):
        table.note(f"“code” must be one letter or digit, not {quoted(code)}")
    role = cast(Role, table.choice("role", ROLES, "soldier"))
    rank = table.number("rank", 0, MAX_RANK)
    if role != "soldier" and rank:
        table.note(f"“rank” must be 0, because a {role} does not fight with a number")
    count = table.number("count", 0, MAX_COUNT)
    owner = _owner(table, armies)
    for key in ("privileges", "powers"):
        check_owner(table, key, role, table.texts(key))
    return Kind(
        id=name,
        names=(names := _names(table, armies)),
        plurals=_plurals(table, armies, names),
        code=code,
        label=table.text("label", code),
        rank=rank,
        role=role,
        text=table.text("text", long=True),
        takes=table.texts("takes"),
        privileges=_known_powers(table, "privileges", powers),
        powers=_known_powers(table, "powers", powers),
        counts=(count if owner != 1 else 0, count if owner != 0 else 0),
        icon=_icon(table, "icon") if "icon" in table.data else "",
        icons=_icons(table, armies) if "icons" in table.data else {},
    )


def _icons(table: Section, armies: tuple[Army, Army]) -> dict[str, str]:
    inner = table.table("icons")
    _per_army(table, "icons", armies)
    return {army.id: _icon(inner, army.id) for army in armies}


def _icon(table: Section, key: str) -> str:
    """Return the name of an icon; refuse one that the game-icons set does not have."""
    name, known = table.text(key), icon_names()
    if name not in known:
        table.note(f"“{key}” names the unknown icon {quoted(name)}; {_icon_suggestion(name)}")
    return name


def _icon_suggestion(name: str) -> str:
    guess = suggestion(name, icon_names())
    return guess if guess.startswith("did") else "the names are those of game-icons.net"


def _owner(table: Section, armies: tuple[Army, Army]) -> int | None:
    army = table.text("army", "")
    ids = [one.id for one in armies]
    if army and army not in ids:
        table.note(f"“army” names the unknown army {quoted(army)}; {suggestion(army, ids)}")
    return ids.index(army) if army in ids else None


def _names(table: Section, armies: tuple[Army, Army]) -> dict[str, str]:
    if "names" not in table.data:
        name = table.text("name")
        return {army.id: name for army in armies}
    if "name" in table.data:
        table.fail("give either “name” or “names”, not both")
    return _per_army(table, "names", armies)


def _plurals(table: Section, armies: tuple[Army, Army], names: Mapping[str, str]) -> dict[str, str]:
    if "plurals" in table.data:
        return _per_army(table, "plurals", armies)
    if "plural" in table.data:
        return dict.fromkeys(names, table.text("plural"))
    return {army: _plural(name) for army, name in names.items()}


def _plural(name: str) -> str:
    """Return the regular English plural of a name.

    >>> _plural("Scout"), _plural("Spy"), _plural("Sorceress")
    ('Scouts', 'Spies', 'Sorceresses')
    """
    if name.endswith("y") and name[-2:-1] not in set("aeiou"):
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"


def _per_army(table: Section, key: str, armies: tuple[Army, Army]) -> dict[str, str]:
    inner = table.table(key)
    inner.only([army.id for army in armies])
    return {army.id: inner.text(army.id) for army in armies}


def _known_powers(table: Section, key: str, powers: Mapping[str, Power]) -> tuple[str, ...]:
    for power in table.texts(key):
        if power not in powers:
            table.note(f"“{key}” names the unknown power {quoted(power)}; {suggestion(power, powers)}")
    return table.texts(key)


def _games(edition: Edition, box: Section, kind_tables: Mapping[str, Section], problems: Problems) -> None:
    tables = box.tables("game", required=True)
    if not tables:
        box.fail("there is no game; write a table [game.classic]")
    owners = {name: _owner(table, edition.armies) for name, table in kind_tables.items()}

    def build(name: str, table: Section) -> Game:
        table.only(keys_of("game.*"))
        game = _game(edition, name, _extended(name, tables), owners)
        if "defaults" not in table.data:
            game = replace(game, defaults=concerned(game, game.defaults))
        check_defaults(table.table("defaults"), game)
        return game

    edition.games.update(_each(tables, problems, build))


def _extended(name: str, tables: Mapping[str, Section]) -> Section:
    """Return the table of a game with everything it inherits from the game it extends."""
    seen, table = [name], tables[name]
    merged = dict(table.data)
    while "extends" in table.data:
        parent = table.text("extends")
        if parent not in tables:
            table.fail(f"“extends” names the unknown game {quoted(parent)}; {suggestion(parent, tables)}")
        if parent in seen:
            names = [*seen, parent] if len(seen) < _SHOWN_GAMES else [*seen[: _SHOWN_GAMES - 1], "…", parent]
            table.fail(f"“extends” runs in a circle: {' → '.join(names)}")
        seen.append(parent)
        table = tables[parent]
        inherited = {key: value for key, value in table.data.items() if key not in ("name", "text")}
        merged = {**inherited, **merged, "hints": _hints(inherited, merged)}
    return Section(table.file, tables[name].path, merged, tables[name].found)


def _hints(parent: Mapping[str, object], own: Mapping[str, object]) -> object:
    """Return the hints of both games; the reader refuses what is not a table."""
    first, second = parent.get("hints", {}), own.get("hints", {})
    return {**first, **second} if isinstance(first, dict) and isinstance(second, dict) else second


def _game(edition: Edition, name: str, table: Section, owners: Mapping[str, int | None]) -> Game:
    counts = _counts(table, edition, owners)
    kinds = tuple(kind for kind in edition.kinds.values() if any(counts[kind.id]))
    game = Game(
        id=f"{edition.id}/{name}",
        name=table.text("name"),
        text=table.text("text", long=True),
        edition=edition,
        board=read_board(table.table("board")) if "board" in table.data else edition.board,
        kinds=kinds,
        rosters=(tuple(counts[kind.id][0] for kind in kinds), tuple(counts[kind.id][1] for kind in kinds)),
        has_powers=table.flag("powers", False),
        fills_home=table.flag("fills_home", True),
        sides="lot" if table.choice("sides", SIDES_VALUES, "chosen") == "lot" else "chosen",
        defaults=_defaults(table.table("defaults")),
        grants=_grants(table, edition),
        hints=table.strings("hints", long=True),
    )
    table.stop_if_wrong()
    check_game(table, game)
    return game


def _counts(table: Section, edition: Edition, owners: Mapping[str, int | None]) -> dict[str, tuple[int, int]]:
    if "counts" not in table.data:
        return {kind.id: kind.counts for kind in edition.kinds.values()}
    counts = table.table("counts")
    counts.only(tuple(edition.kinds))
    numbers = {name: counts.number(name, 0, MAX_COUNT, 0) for name in edition.kinds}
    return {
        name: (number if owners[name] != 1 else 0, number if owners[name] != 0 else 0)
        for name, number in numbers.items()
    }


def _grants(table: Section, edition: Edition) -> dict[str, tuple[str, ...]]:
    grants = table.table("grants")
    grants.only(tuple(edition.kinds))
    grants.stop_if_wrong()
    if grants.data and not table.flag("powers", False):
        table.fail("“grants” gives powers to pieces, but this game plays without them; write powers = true")
    granted = {kind: _known_powers(grants, kind, edition.powers) for kind in grants.data}
    for kind, powers in granted.items():
        check_owner(grants, kind, edition.kinds[kind].role, powers)
    return granted


def _defaults(table: Section) -> dict[str, str]:
    return {key: _option_value(table, key) for key in table.data}


def _option_value(table: Section, key: str) -> str:
    """Return the value of an option: a text, a number, or true and false for on and off."""
    value = table.data[key]
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, str | int) or (isinstance(value, int) and abs(value) > MAX_OPTION_NUMBER):
        table.fail(
            f'{quoted(key)} must be true, false, a number or a text such as "open", '
            f"but it is {kind_of_value(value)}"
        )
    return str(value)
