"""The rules of a game in words: rules page, army sheets and piece cards."""

from __future__ import annotations

from typing import SupportsIndex

from flagfall.board import Board, cell_at, row_of
from flagfall.edition.options import Options, concerning
from flagfall.edition.power_texts import bearer_of, entries, power_section_powers, powers, reserved_square
from flagfall.edition.schema import Game, Kind
from flagfall.edition.texts import group_names, kind_names, listed, option_sentence, owners, zone_word
from flagfall.sides import SIDES, Side


def rules_page(game: Game, options: Options) -> str:
    """Return the rules of a game under these options, in Markdown."""
    edition = game.edition
    parts = [f"# {edition.name}: {game.name}", f"*{edition.tagline}*", edition.story, game.text]
    parts += ["## The board", f"```text\n{draw_board(game, options)}\n```"]
    parts += ["## The armies", army_sheet(game)]
    for heading, write in SECTIONS:
        if text := write(game, options):
            parts += [f"## {heading}", text]
    if hints := game.all_hints():
        parts.append("## Hints")
        parts += [f"**{heading}.** {text}" for heading, text in hints.items()]
    return "\n\n".join(parts) + "\n"


def draw_board(game: Game, options: Options | None = None) -> str:
    """Return the board as text; with options also the square reserved for a bearer, and its doors."""
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
    south, north = game.armies
    lines.append(f"s  home of {south.name} (South)    n  home of {north.name} (North)")
    if zones := zone_word(game):
        lines.append(f"#  {zones}: no piece may enter    .  empty square")
    else:
        lines.append(".  empty square")
    if square is not None:
        name = kind_names(game, bearer_of(game))
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
    """Return both armies as Markdown tables."""
    return "\n\n".join(_side_sheet(game, side) for side in SIDES)


def _side_sheet(game: Game, side: Side) -> str:
    army = game.armies[side]
    lines = [f"### {army.name} ({side.title})", "", army.text, ""]
    lines += ["| Label | Piece | Count | Special |", "|---|---|---|---|"]
    for index, kind in enumerate(game.kinds):
        if count := game.rosters[side][index]:
            special = _special_words(game, kind, side)
            lines.append(f"| {kind.label} | {_cell(kind.name(army.id))} | {count} | {_cell(special)} |")
    lines.append(f"| | **Total** | **{game.army_size(side)}** | |")
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _special_words(game: Game, kind: Kind, side: Side) -> str:
    enemies = [
        game.kind_names(index, side.other, count)
        for index, other in enumerate(game.kinds)
        if other.id in kind.takes and (count := game.rosters[side.other][index])
    ]
    words = [power.name for power in game.abilities(kind)]
    if enemies:
        words.append(f"takes {listed(enemies)}")
    if not kind.is_mobile:
        words.append("never moves")
    return ", ".join(words)


def piece_card(game: Game, kind_id: str, side: SupportsIndex) -> str:
    """Return the card of a kind in one army; `KeyError` if that army does not have the kind."""
    index = game.kind_index(kind_id)
    if not game.rosters[side][index]:
        raise KeyError(kind_id)
    return _card(game, index, side, game.armies[side].name, "the")


def piece_cards(game: Game, kind_id: str) -> list[str]:
    """Return the cards of a kind: one for both armies if it is the same in both, else one for each."""
    index = game.kind_index(kind_id)
    south, north = (game.kinds[index].name(army.id) for army in game.armies)
    if south == north and len({roster[index] for roster in game.rosters}) == 1:
        return [_card(game, index, 0, " and ".join(army.name for army in game.armies), "each")]
    return [piece_card(game, kind_id, side) for side in SIDES if game.rosters[side][index]]


def _card(game: Game, index: int, side: SupportsIndex, armies: str, which: str) -> str:
    kind, count = game.kinds[index], game.rosters[side][index]
    lines = [
        f"### {kind.name(game.armies[side].id)}",
        f"{armies} · label {kind.label} · {count} in {which} army",
        kind.text,
    ]
    lines += [f"**{power.name}.** {power.text}" for power in game.abilities(kind)]
    return "\n\n".join(lines) + "\n"


def set_up(game: Game, options: Options) -> str:
    """Return how the armies are placed and who begins."""
    south, north = (army.name for army in game.armies)
    rows = game.board.home_rows
    near = f"the {rows} rows nearest to you" if rows > 1 else "the row nearest to you"
    size = game.army_size(0)
    if game.fills_home:
        place = f"Put your {size} pieces on {near}, one on each square, so that every square is filled."
    else:
        squares = len(game.board.home(0))
        place = f"Put your {size} pieces on any of the {squares} squares of {near}; the others stay empty."
    who = "Your army is chosen at random." if game.sides == "lot" else "Agree who plays which army."
    return (
        f"{who} {place} Both players do this in secret, and you only ever see the backs of the enemy’s "
        f"pieces. {south} sits South and moves first; {north} sits North."
    )


def turn(game: Game, options: Options) -> str:
    """Return the rules for a turn."""
    attack = game.edition.words["attack"]
    has_powers = bool(power_section_powers(game))
    things = f"it moves, {attack}s, or uses one power" if has_powers else f"it moves, or it {attack}s"
    instead = "do something else" if has_powers else "move"
    text = f"Take turns. On your turn one of your pieces does one thing: {things}. "
    text += f"You never have to {attack} if you can {instead}, but you may not skip your turn."
    if game.has_verb("spot"):
        names = listed(_with_verb(game, "spot"))
        text += f" One piece can do more: the {names} may step and then spot in the same turn."
    return text


def moving(game: Game, options: Options) -> str:
    """Return how pieces move."""
    still = [kind for kind in game.kinds if not kind.is_mobile]
    stay = dict.fromkeys(group_names(game, kind) for kind in still)
    is_alone = len(stay) == 1 and game.rosters[0][game.kind_index(still[0].id)] == 1
    unless = " unless a power says so" if power_section_powers(game) else ""
    lines = [
        "A piece moves one square forwards, backwards or sideways to an empty square, never diagonally.",
        f"Two pieces never stand on one square, and nobody jumps over another piece{unless}.",
        f"Your {listed(stay)} never move{'s' if is_alone else ''}.",
    ]
    if zones := zone_word(game):
        lines.append(f"The {zones} in the middle cannot be entered or crossed{unless}; walk round them.")
    lines.append(option_sentence(game, "two_square_limit", options))
    if options.number("two_square_limit") is not None:
        lines.append(option_sentence(game, "two_square_counts_attacks", options))
    if options.is_on("chase_rule"):
        lines.append(option_sentence(game, "chase_rule", options))
    return _bullets(lines)


def attacking(game: Game, options: Options) -> str:
    """Return the rules for attacking."""
    attack = game.edition.words["attack"]
    order = "the smaller number" if game.edition.low_is_strong else "the higher number"
    silent = options.is_on("silent_defense")
    lines = [f"You may {attack} an enemy piece right in front of, behind or next to yours, never diagonally."]
    lines.append(option_sentence(game, "silent_defense", options) if silent else "Both pieces are shown.")
    lines.append(f"Then {order} wins, and the loser leaves the board.")
    if options.is_on("aggressor_advantage"):
        lines.append(option_sentence(game, "aggressor_advantage", options))
    else:
        lines.append("If both are equal, both leave the board.")
    lines.append("If the attacker wins, it moves onto the square of the loser.")
    advances = options.is_on("defender_advances")
    if "defender_advances" in options:
        lines.append(option_sentence(game, "defender_advances", options))
    else:
        lines.append("A defender that wins stays where it is.")
    if silent and advances:
        bomb = game.edition.words["bomb"]
        lines.append(f"Careful: a winner that does not move up must be a {bomb}, even if nobody says so.")
    lines.append(option_sentence(game, "captured_pieces", options))
    return _bullets(lines)


def special_pieces(game: Game, options: Options) -> str:
    """Return what special pieces can do."""
    lines = [line for kind in game.kinds for line in _specials(game, kind)]
    told = power_section_powers(game)
    for power in game.powers():
        if power not in told:
            lines.append(f"**{power.name}** ({listed(owners(game, power))}): {power.text}")
    lines += [option_sentence(game, name, options) for name in options if name.startswith("spot_")]
    if options.is_on("rescue"):
        names = ("rescue", "rescue_zone", "rescue_on_strike")
        lines += [option_sentence(game, name, options) for name in names]
    return _bullets(lines)


def in_force(game: Game, options: Options) -> str:
    """Return every option with its value and meaning, changed ones first."""
    changed = options.changed(game)
    lines = []
    for info in sorted(concerning(game), key=lambda info: info.name not in changed):
        if info.needs and options[info.needs] == "off":
            continue
        mark = " *(changed)*" if info.name in changed else ""
        sentence = option_sentence(game, info.name, options)
        lines.append(f"`{info.name} = {options[info.name]}`{mark}: {sentence}")
    return _bullets(lines)


def ending(game: Game, options: Options) -> str:
    """Return how a game ends."""
    lines = [
        f"Capture the enemy {listed(_flags(game), 'or')} and you win at once.",
        *_own_flag(game),
        "A player who cannot do anything on their turn has lost.",
        option_sentence(game, "both_stuck", options),
        option_sentence(game, "no_progress_draw", options),
        "You may give up, and both players may agree on a draw.",
        option_sentence(game, "clock", options),
    ]
    return _bullets(lines)


def _specials(game: Game, kind: Kind) -> list[str]:
    name = f"**{kind_names(game, kind)}**"
    attack = game.edition.words["attack"]
    if kind.role == "flag":
        return [f"{name}: every piece that {attack}s it captures it, and that wins the game."]
    if kind.role == "bomb":
        takers = listed(f"**{group_names(game, other)}**" for other in game.kinds if kind.id in other.takes)
        only = f" Only {takers} can attack it and win; they move onto its square." if takers else ""
        return [f"{name}: every piece that {attack}s it is lost, and it stays where it is.{only}"]
    prey = [other for other in game.kinds if other.id in kind.takes and other.role == "soldier"]
    if not prey:
        return []
    names = listed(f"**{kind_names(game, other)}**" for other in prey)
    weak = " In all other fights it is the weakest piece of all." if kind.rank == 0 else ""
    return [f"{name} beats {names} if it {attack}s first, whatever the numbers.{weak}"]


def _own_flag(game: Game) -> list[str]:
    """Return the warning for games where an advance may capture the player's own flag."""
    names = [power.name for power in game.powers() if power.verb == "advance"]
    return [f"A player who captures their own flag with {name} has lost." for name in names]


def _with_verb(game: Game, verb: str) -> list[str]:
    kinds = [kind for kind in game.kinds if any(power.verb == verb for power in game.abilities(kind))]
    return [kind_names(game, kind) for kind in kinds]


def _flags(game: Game) -> list[str]:
    names = [
        game.kind_name(index, side)
        for side in SIDES
        for index, kind in enumerate(game.kinds)
        if kind.role == "flag" and game.rosters[side][index]
    ]
    return list(dict.fromkeys(names))


def _bullets(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


SECTIONS = (
    ("Setting up", set_up),
    ("Your turn", turn),
    ("Moving", moving),
    ("Attacking", attacking),
    ("Special pieces", special_pieces),
    ("Powers", powers),
    ("How the game ends", ending),
    ("Options in force", in_force),
)
