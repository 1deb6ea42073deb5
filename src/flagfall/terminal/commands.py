"""The commands of the terminal game besides actions: who, tray, last, legal, rules, save …

Every answer comes from the player's own View, so it cannot say more than the player may know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from flagfall.board import CELLS, cell_name, parse_cell
from flagfall.edition import Game, Options, piece_card, rules_page
from flagfall.edition.verbs import PRIMITIVES
from flagfall.engine.action import VERB_NAMES
from flagfall.errors import UserError
from flagfall.match import Clocks
from flagfall.notation import describe_piece, describe_turn, draw, kinds_called, write_action
from flagfall.sides import SIDES
from flagfall.view.view import View

HELP = """Your turn. Type an action:
  e4-e5                     go from e4 to e5 (also: e4 e5)
  e4xe5                     attack e5 from e4{powers}
or a question:
  board        draw the board            who d6     what is known of a piece
  last         what happened last        tray       captured pieces
  legal        everything you may do     legal d4   what the piece on d4 may do
  opponent     what they know of yours   piece NAME the card of a piece
  rules        the rules of this game    options    the options in force
  clock        the time left             rules PART a part of the rules, such as rules moving
{notes}{advice}or:
  save FILE    save the game             quit       save and leave
  draw         offer a draw; accept or decline one
  resign       lose the game now"""
NOTES_HELP = """  note d6 spy? your own note on d6         notes      all your notes
"""
ADVICE_HELP = """  explain      what the computer thinks  explain d6 what d6 may be
"""
RESCUE_HELP = """
  d9-d10 rescue general b2  rescue: bring a General back to b2"""


def help_text(game: Game, options: Options) -> str:
    """Return what can be typed in this game."""
    powers = "".join(
        "\n  {:<25} {}".format(*primitive.terminal)
        for name, primitive in PRIMITIVES.items()
        if primitive.terminal[0] and game.has_verb(name)
    )
    rescue = RESCUE_HELP if options.is_on("rescue") else ""
    notes = "" if options["memory"] == "strict" else NOTES_HELP
    advice = ADVICE_HELP if options["memory"] == "assisted" else ""
    return HELP.format(powers=rescue + powers, notes=notes, advice=advice)


def square(game: Game, text: str, example: str) -> str:
    """Return the name of a square of this board; `UserError` says what a valid name looks like."""
    name = text.strip().lower()
    if not name:
        raise UserError(f"Name a square, such as {example}.")
    cells = sorted(cell for cell in range(CELLS) if cell in game.board)
    if name not in (cell_name(cell) for cell in cells):
        first, last = cell_name(cells[0]), cell_name(cells[-1])
        raise UserError(f"“{name[:20]}” is not a square of this board; squares go from {first} to {last}.")
    return name


def who(game: Game, options: Options, view: View, notes: Mapping[str, str], text: str) -> str:
    """Return what the player knows about the piece on a square."""
    cell = square(game, text, "who d6")
    piece = view.at(cell)
    if piece is None:
        is_zone = parse_cell(cell) in game.board.zones
        zone = f" ({game.edition.words.get('zone', 'no entry')})" if is_zone else ""
        return f"{cell}: no piece stands there{zone}."
    told = describe_piece(game, piece, view.viewer, knows_moves=options["memory"] != "strict")
    return f"{told} Your note: {notes[piece.name]}" if piece.name in notes else told


def tray(game: Game, view: View) -> str:
    """Return the captured pieces of both sides."""
    lines = []
    for index, side in enumerate(SIDES):
        kinds = [piece.kind for piece in view.tray if piece.side == side]
        hidden = kinds.count("")
        named = Counter(kind for kind in kinds if kind)
        parts = [
            f"{count} {game.kind_names(number, index, count)}"
            for number, kind in enumerate(game.kinds)
            if (count := named.get(kind.id, 0))
        ]
        if hidden:
            parts.append(f"{hidden} face down")
        lines.append(f"Lost by {game.armies[index].name} ({side}): {', '.join(parts) or 'none yet'}.")
    return "\n".join(lines)


def last(game: Game, view: View) -> str:
    """Return what happened in the last turn and in the open one."""
    if not view.last_turn:
        return "Nothing has happened yet."
    return describe_turn(game, view.last_turn, view.viewer, view)


def legal(game: Game, view: View, text: str) -> str:
    """Return the legal actions, all or those of one piece."""
    wanted = parse_cell(square(game, text, "legal d4")) if text else 0
    enemies = {piece.cell for piece in view.pieces if piece.side != view.viewer}
    texts = [
        write_action(game, act, is_attack=bool(act.target) and cell_name(act.target) in enemies)
        for act in view.legal
        if not wanted or act.origin == wanted
    ]
    if not texts:
        return f"No action is possible from {cell_name(wanted)} now."
    return "  ".join(texts)


def opponent(game: Game, view: View) -> str:
    """Return what the opponent has been shown, or can work out, of the player's pieces."""
    own = [piece for piece in view.pieces if piece.side == view.viewer]
    told = [f"{piece.cell} {_name(game, piece.kind, view)}" for piece in own if piece.is_told]
    sure = [
        f"{piece.cell} {_name(game, piece.kind, view)}"
        for piece in own
        if not piece.is_told and len(piece.looks_like) == 1
    ]
    lines = [f"They have seen: {', '.join(told) or 'no piece'}."]
    if sure:
        lines.append(f"They can work out: {', '.join(sure)}.")
    return "\n".join(lines)


def _name(game: Game, kind: str, view: View) -> str:
    army = game.armies[0 if view.viewer == "south" else 1].id
    return next(known.names[army] for known in game.kinds if known.id == kind)


def card(game: Game, name: str, side: int) -> str:
    """Return the card of a piece."""
    found = kinds_called(game, name)
    if len(found) != 1:
        army = game.armies[side].id
        names = [kind.names[army] for kind, n in zip(game.kinds, game.rosters[side], strict=True) if n]
        return f"Which piece? Your army has {', '.join(names)}."
    kind = found[0]
    owner = side if game.rosters[side][kind] else 1 - side
    return piece_card(game, game.kinds[kind].id, owner)


def rules(game: Game, options: Options, part: str = "") -> str:
    """Return the rules page, or the parts whose titles contain a word."""
    page = rules_page(game, options)
    if not part:
        return page
    parts = page.split("\n## ")[1:]
    found = [text for text in parts if part.lower() in text.split("\n", 1)[0].lower()]
    if found:
        return "\n".join(f"## {text}" for text in found)
    titles = ", ".join(text.split("\n", 1)[0].lower() for text in parts)
    raise UserError(f"The rules have no part “{part[:20]}”; the parts are {titles}.")


def clock(clocks: Clocks, at_ms: int) -> str:
    """Return the time each side has left."""
    left = [(side, clocks.left_ms(side, at_ms)) for side in SIDES]
    times = [f"{side.title} {_time(ms)}" for side, ms in left if ms is not None]
    return f"Time left: {', '.join(times)}." if times else "There is no clock."


def _time(ms: int) -> str:
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    start = f"{days} d " if days else ""
    return f"{start}{hours}:{minutes:02}:{seconds:02}" if days or hours else f"{minutes}:{seconds:02}"


def notes_text(view: View, notes: Mapping[str, str]) -> str:
    """Return all notes on pieces that are still on the board."""
    lines = [f"{piece.cell}: {notes[piece.name]}" for piece in view.pieces if piece.name in notes]
    return "\n".join(lines) or "You have no notes; write one with note d6 and your text."


def options_text(options: Options) -> str:
    """Return the options in force, one per line."""
    return "\n".join(f"{name} = {value}" for name, value in options.items())


def board(game: Game, view: View) -> str:
    """Return the board, and what an open turn asks for."""
    lines = [draw(game, view)]
    if view.prompt is not None:
        lines.append(prompt(game, view))
    return "\n".join(lines)


def prompt(game: Game, view: View) -> str:
    """Return what an open turn asks for."""
    if view.prompt is None:
        return ""
    asks = {
        "guess": f"What stands on {view.prompt.cell}? Type a piece.",
        "rescue kind": "Which captured piece comes back? Type a piece.",
        "rescue square": "Where does it come back? Type a square.",
        "attack again": "Attack another neighbour with it, or type done.",
        "attack after landing": "Attack a neighbour of the landing square, or type done.",
        "target": "Which square do you strike? Type done when you have chosen all.",
        "next": "Which piece moves next? Type its square.",
    }
    verbs = sorted({VERB_NAMES[act.verb] for act in view.legal})
    return asks.get(view.prompt.ask, f"Your turn continues: {', '.join(verbs)}.")
