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
from flagfall.languages import ENGLISH, say, use_language
from flagfall.match import Clocks
from flagfall.notation import describe_piece, describe_turn, draw, kinds_called, write_action
from flagfall.sides import SIDES
from flagfall.view.view import View


def help_text(game: Game, options: Options) -> str:
    """Return what can be typed in this game."""
    powers = "".join(
        "\n  {:<25} {}".format(*primitive.terminal)
        for name, primitive in PRIMITIVES.items()
        if primitive.terminal[0] and game.has_verb(name)
    )
    rescue = "\n" + say("terminal.help.rescue") if options.is_on("rescue") else ""
    notes = "" if options["memory"] == "strict" else say("terminal.help.notes") + "\n"
    advice = say("terminal.help.explain") + "\n" if options["memory"] == "assisted" else ""
    return say("terminal.help.all", powers=rescue + powers, notes=notes, advice=advice)


def square(game: Game, text: str, example: str) -> str:
    """Return the name of a square of this board; `UserError` says what a valid name looks like."""
    name = text.strip().lower()
    if not name:
        raise UserError(say("terminal.square.missing", example=example))
    cells = sorted(cell for cell in range(CELLS) if cell in game.board)
    if name not in (cell_name(cell) for cell in cells):
        first, last = cell_name(cells[0]), cell_name(cells[-1])
        raise UserError(say("terminal.square.wrong", name=name[:20], first=first, last=last))
    return name


def who(game: Game, options: Options, view: View, notes: Mapping[str, str], text: str) -> str:
    """Return what the player knows about the piece on a square."""
    cell = square(game, text, "who d6")
    piece = view.at(cell)
    if piece is None:
        if parse_cell(cell) not in game.board.zones:
            return say("terminal.who.empty", square=cell)
        zone = game.edition.words.get("zone") or say("terminal.who.no-entry")
        return say("terminal.who.zone", square=cell, zone=zone)
    told = describe_piece(game, piece, view.viewer, knows_moves=options["memory"] != "strict")
    note = notes.get(piece.name)
    return f"{told} {say('terminal.who.note', note=note)}" if note is not None else told


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
            parts.append(say("terminal.tray.hidden", number=hidden))
        lost = ", ".join(parts) or say("terminal.tray.none")
        lines.append(say(f"terminal.tray.{side}", army=game.armies[index].name, pieces=lost))
    return "\n".join(lines)


def last(game: Game, view: View) -> str:
    """Return what happened in the last turn and in the open one."""
    if not view.last_turn:
        return say("terminal.nothing-happened")
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
        return say("terminal.no-action", square=cell_name(wanted))
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
    lines = [
        say("terminal.opponent.seen", pieces=", ".join(told)) if told else say("terminal.opponent.nothing")
    ]
    if sure:
        lines.append(say("terminal.opponent.sure", pieces=", ".join(sure)))
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
        return say("terminal.which-piece", pieces=", ".join(names))
    kind = found[0]
    owner = side if game.rosters[side][kind] else 1 - side
    return piece_card(game, game.kinds[kind].id, owner)


def rules(game: Game, options: Options, part: str = "") -> str:
    """Return the rules page, or parts with a word in their titles, in English or as the reader sees them."""
    page = rules_page(game, options)
    if not part:
        return page
    with use_language(ENGLISH):
        english = _titles(rules_page(game, options))
    titles, texts = _titles(page), page.split("\n## ")[1:]
    found = [
        text
        for text, title, other in zip(texts, titles, english, strict=True)
        if part.lower() in title.lower() or part.lower() in other.lower()
    ]
    if found:
        return "\n".join(f"## {text}" for text in found)
    known = ", ".join(title[:1].lower() + title[1:] for title in titles)
    raise UserError(say("terminal.no-part", name=part[:20], parts=known))


def _titles(page: str) -> list[str]:
    return [text.split("\n", 1)[0] for text in page.split("\n## ")[1:]]


def clock(clocks: Clocks, at_ms: int) -> str:
    """Return the time each side has left."""
    left = [(side, clocks.left_ms(side, at_ms)) for side in SIDES]
    times = [f"{side.title} {_time(ms)}" for side, ms in left if ms is not None]
    return say("terminal.clock.left", times=", ".join(times)) if times else say("terminal.clock.none")


def _time(ms: int) -> str:
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    time = f"{hours}:{minutes:02}:{seconds:02}" if days or hours else f"{minutes}:{seconds:02}"
    return say("terminal.clock.days", number=days, time=time) if days else time


def notes_text(view: View, notes: Mapping[str, str]) -> str:
    """Return all notes on pieces that are still on the board."""
    lines = [f"{piece.cell}: {notes[piece.name]}" for piece in view.pieces if piece.name in notes]
    return "\n".join(lines) or say("terminal.note.none")


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
    if view.prompt.ask in _ASKS:
        return say(f"terminal.prompt.{view.prompt.ask.replace(' ', '-')}", square=view.prompt.cell)
    verbs = sorted({VERB_NAMES[act.verb] for act in view.legal})
    return say("terminal.prompt.continues", verbs=", ".join(verbs))


_ASKS = frozenset(
    {"guess", "rescue kind", "rescue square", "attack again", "attack after landing", "target", "next"}
)
"""what an open turn may ask for"""
