"""A game explained: rules page, army sheets and piece cards, all from the data of the box."""

from __future__ import annotations

from flagfall.board import Board, cell_at, row_of
from flagfall.edition import rule_sections as sections
from flagfall.edition.bearer_texts import bearer_of, entries, reserved_square
from flagfall.edition.options import Options
from flagfall.edition.power_section import powers
from flagfall.edition.schema import NORTH, SIDE_NAMES, SOUTH, Game, Kind
from flagfall.edition.texts import listed, spoken, zone_word

SECTIONS = (
    ("Setting up", sections.set_up),
    ("Your turn", sections.turn),
    ("Moving", sections.moving),
    ("Attacking", sections.attacking),
    ("Special pieces", sections.special_pieces),
    ("Powers", powers),
    ("How the game ends", sections.ending),
    ("Options in force", sections.in_force),
)


def rules_page(game: Game, options: Options) -> str:
    """The whole rules of a game under these options, in Markdown."""
    edition = game.edition
    parts = [f"# {edition.name}: {game.name}", f"*{edition.tagline}*", edition.story, game.text]
    parts += ["## The board", f"```text\n{draw_board(game, options)}\n```"]
    parts += ["## The armies", army_sheet(game)]
    for heading, write in SECTIONS:
        if text := write(game, options):
            parts += [f"## {heading}", text]
    if hints := {**edition.hints, **game.hints}:
        parts.append("## Hints")
        parts += [f"**{heading}.** {text}" for heading, text in hints.items()]
    return "\n\n".join(parts) + "\n"


def draw_board(game: Game, options: Options | None = None) -> str:
    """The board as text: home rows, zones and the names of columns and rows; with options also the square
    that is reserved for a bearer, and its doors."""
    board = game.board
    square = reserved_square(game, options) if options is not None else None
    doors = [] if square is None else entries(game, square)
    letters = "   " + "".join(f" {letter}" for letter in "abcdefghij"[: board.columns])
    lines = [letters]
    for row in range(board.rows, 0, -1):
        cells = [cell_at(column, row) for column in range(1, board.columns + 1)]
        marks = "".join(f" {_mark(board, cell, square, doors)}" for cell in cells)
        lines.append(f"{row:>3}{marks}  {row}")
    lines += [letters, ""]
    lines.append(
        f"s  home of {game.armies[SOUTH].name} (South)    n  home of {game.armies[NORTH].name} (North)"
    )
    if zones := zone_word(game):
        lines.append(f"#  {zones}: nobody may enter    .  empty square")
    else:
        lines.append(".  empty square")
    if square is not None:
        name = spoken(game, bearer_of(game))
        lines.append(f"@  {game.edition.words['reserved']}: only {name} may enter, from a square marked +")
    return "\n".join(lines)


def _mark(board: Board, cell: int, reserved: int | None, doors: list[int]) -> str:
    if cell == reserved or cell in doors:
        return "@" if cell == reserved else "+"
    if cell in board.zones:
        return "#"
    row = row_of(cell)
    if row <= board.home_rows:
        return "s"
    return "n" if row > board.rows - board.home_rows else "."


def army_sheet(game: Game) -> str:
    """Both armies as Markdown tables."""
    return "\n\n".join(_side_sheet(game, side) for side in (SOUTH, NORTH))


def _side_sheet(game: Game, side: int) -> str:
    army = game.armies[side]
    lines = [f"### {army.name} ({SIDE_NAMES[side].title()})", "", army.text, ""]
    lines += ["| Label | Piece | Count | Special |", "|---|---|---|---|"]
    for index, kind in enumerate(game.kinds):
        if count := game.rosters[side][index]:
            begin_power = _special_words(game, kind, side)
            lines.append(f"| {kind.label} | {_cell(kind.name(army.id))} | {count} | {_cell(begin_power)} |")
    lines.append(f"| | **Together** | **{game.army_size(side)}** | |")
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _special_words(game: Game, kind: Kind, side: int) -> str:
    enemies = [
        game.kind_name(index, 1 - side)
        for index, other in enumerate(game.kinds)
        if other.id in kind.takes and game.rosters[1 - side][index]
    ]
    words = [power.name for power in game.abilities(kind)]
    if enemies:
        words.append(f"takes {listed(enemies)}")
    if not kind.is_mobile:
        words.append("never moves")
    return ", ".join(words)


def piece_card(game: Game, kind_id: str, side: int) -> str:
    """The card of one kind in one army: name, number, how many, its text and its powers. `KeyError` if that
    army has none in this game."""
    index = game.kind_index(kind_id)
    if not game.rosters[side][index]:
        raise KeyError(kind_id)
    kind, army = game.kinds[index], game.armies[side]
    lines = [
        f"### {kind.name(army.id)}",
        f"{army.name} · label {kind.label} · {game.rosters[side][index]} in the army",
    ]
    lines.append(kind.text)
    lines += [f"**{power.name}.** {power.text}" for power in game.abilities(kind)]
    return "\n\n".join(lines) + "\n"
