"""`flagfall games`, `rules` and `edition`: list games, explain them, check and create boxes."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import NoReturn

from rich.markdown import Markdown

from flagfall.cli.output import console, print_json, print_table, say
from flagfall.edition import (
    Edition,
    EditionError,
    Game,
    Kind,
    combat_table,
    concerning,
    editions,
    load_file,
    load_game,
    parse_pairs,
    piece_cards,
    power_table,
    resolve,
    rules_page,
)
from flagfall.edition.guides import guide_book
from flagfall.edition.lessons import lesson_book
from flagfall.edition.load import problems_of
from flagfall.errors import UserError, printable
from flagfall.match.guides import check_guide
from flagfall.match.lessons import check_lesson
from flagfall.notation import kinds_called
from flagfall.sides import SIDES, Side


def _facts(game: Game) -> dict[str, object]:
    return {
        "id": game.id,
        "box": game.edition.name,
        "name": game.name,
        "text": game.text,
        "columns": game.board.columns,
        "rows": game.board.rows,
        "pieces": game.army_size(0),
        "moves_first": game.armies[0].name,
        "moves_second": game.armies[1].name,
        "sides": game.sides,
        "options": {
            info.name: {
                "default": info.default,
                "values": list(info.values),
                "range": info.range,
                "help": info.help,
            }
            for info in concerning(game)
        },
    }


def print_games(*, as_json: bool) -> None:
    """Print every game, by box."""
    every = [game for edition in editions() for game in edition.games.values()]
    if as_json:
        print_json([_facts(game) for game in every])
        return
    rows = [
        (
            game.id,
            f"{game.edition.name}: {game.name}",
            f"{game.board.columns}×{game.board.rows}",
            game.army_size(0),
            game.armies[0].name,
        )
        for game in every
    ]
    print_table("Games", ("id", "game", "board", "pieces", "moves first"), rows, right=(3,))
    say("Rules of one: flagfall rules GAME.  Play it: flagfall play GAME.")


def print_rules(game_id: str, pairs: list[str], *, piece: str, as_json: bool) -> None:
    """Print the rules page of a game, or the card of one piece."""
    game = load_game(game_id)
    options = resolve(game, parse_pairs(pairs))
    if piece:
        page = "\n\n".join(_cards(game, piece))
    else:
        page = rules_page(game, options)
    page = printable(page)
    if as_json:
        print_json({**_facts(game), "options_in_force": dict(options.items()), "page": page})
    elif console.is_terminal:
        console.print(Markdown(page))
    else:
        console.file.write(page if page.endswith("\n") else page + "\n")


def _cards(game: Game, piece: str) -> list[str]:
    """Return the cards of a piece by name, in either army."""
    found = kinds_called(game, piece)
    if len(found) != 1:
        names = sorted({name for kind in game.kinds for name in kind.names.values()})
        raise UserError(f"“{piece}” is not one piece of {game.id}; name one of {', '.join(names)}.")
    return piece_cards(game, game.kinds[found[0]].id)


def print_check(file: Path, *, as_json: bool) -> None:
    """Check a box and print its contents."""
    try:
        edition = load_file(file)
        for lesson in lesson_book(edition).values():
            check_lesson(lesson)
        for guide in guide_book(edition).values():
            check_guide(guide)
    except EditionError as error:
        _refuse(file, error, as_json=as_json)
    if as_json:
        print_json({"box": edition.id, "games": [_check_facts(game) for game in edition.games.values()]})
        return
    say(f"{edition.name}: {len(edition.games)} game(s), {len(edition.kinds)} kinds. No problems found.")
    for game in edition.games.values():
        _print_game(edition, game)


def _refuse(file: Path, error: EditionError, *, as_json: bool) -> NoReturn:
    """Tell every problem of a box with its line, and end with an error."""
    try:
        found = problems_of(file.read_text(encoding="utf-8"), error)
    except (OSError, UnicodeError):
        raise error from None
    own = [one for one in found if one[2].file == file.name]
    if as_json:
        facts = [
            {"line": line, "column": column, "table": problem.table, "message": problem.sentence}
            for line, column, problem in own
        ]
        print_json({"problems": facts})
    if len(own) != len(found) or not own:  # in the file of the lessons, or not in the text
        raise error
    lines = [
        f"{file.name}, line {line}{f', [{problem.table}]' if problem.table else ''}: {problem.sentence}"
        for line, _, problem in own
    ]
    raise UserError("\n".join(lines))


def _check_facts(game: Game) -> dict[str, object]:
    rosters = {
        side: {kind.id: count for kind, count in zip(game.kinds, game.rosters[side], strict=True) if count}
        for side in SIDES
    }
    combat = [
        {
            "side": row.side,
            "attacker": row.attacker.id,
            **_ids(row, ("beats", "ties", "loses_to", "in_vain")),
        }
        for row in combat_table(game)
    ]
    powers = [
        {
            "side": strike.side,
            "power": strike.power.id,
            "user": strike.user.id,
            **_ids(strike, ("captures", "falls_with", "falls_to", "spares")),
        }
        for strike in power_table(game)
    ]
    return {"id": game.id, "rosters": rosters, "combat": combat, "powers": powers}


def _ids(row: object, names: tuple[str, ...]) -> dict[str, list[str]]:
    return {name: [kind.id for kind in getattr(row, name)] for name in names}


def _print_game(edition: Edition, game: Game) -> None:
    rows = []
    for kind, south, north in zip(game.kinds, *game.rosters, strict=True):
        powers = ", ".join(power.name for power in game.abilities(kind)) or "–"
        names = " / ".join(
            dict.fromkeys(kind.name(army.id) for army in edition.armies if army.id in kind.names)
        )
        rows.append((kind.label, kind.code, names, south, north, powers))
    print_table(
        f"{game.id}: the armies",
        ("rank", "code", "piece", game.armies[0].name, game.armies[1].name, "powers"),
        rows,
        right=(0, 3, 4),
    )
    fights = [
        (
            _who(game, row.attacker, row.side),
            *(_labels(kinds) for kinds in (row.beats, row.ties, row.loses_to, row.in_vain)),
        )
        for row in combat_table(game)
    ]
    heads = ("captures", "falls with", "falls to", "nothing happens")
    print_table(f"{game.id}: who beats whom", ("attacker", *heads), fights)
    strikes = power_table(game)
    for power in dict.fromkeys(row.power.id for row in strikes):
        print_table(
            f"{game.id}: {edition.powers[power].name}",
            ("user", *heads),
            [
                (
                    _who(game, row.user, row.side),
                    *(_labels(kinds) for kinds in (row.captures, row.falls_with, row.falls_to, row.spares)),
                )
                for row in strikes
                if row.power.id == power
            ],
        )


def _who(game: Game, kind: Kind, side: Side) -> str:
    return f"{kind.name(game.armies[side].id)} ({side})"


def _labels(kinds: tuple[Kind, ...]) -> str:
    return " ".join(kind.label for kind in kinds) or "–"


def write_new_box(file: Path) -> None:
    """Write a small box that works, to start from."""
    if file.exists():
        raise UserError(f"{file} exists; choose another name. Nothing was written.")
    if file.suffix != ".toml":
        raise UserError(f"{file} must end in .toml. Nothing was written.")
    words = re.findall(r"[a-z0-9]+", file.stem.lower())
    name = "-".join(words)
    template = (files("flagfall.edition") / "data" / "new-box.template").read_text(encoding="utf-8")
    file.write_text(template.replace("my-box", name or "my-box"), encoding="utf-8")
    load_file(file)
    say(f"Wrote {file}. Check it: flagfall edition check {file}.  Play it: flagfall play {file}")
