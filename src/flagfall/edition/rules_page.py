"""The rules of a game in words: rules page, army sheets and piece cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import SupportsIndex

from flagfall.board import Board, cell_at, row_of
from flagfall.edition.options import Options, concerning
from flagfall.edition.power_texts import bearer_of, entries, power_section_powers, powers, reserved_square
from flagfall.edition.schema import Game, Kind
from flagfall.edition.texts import group_names, kind_names, option_sentence, owners, side_name, zone_word
from flagfall.languages import listed, say
from flagfall.sides import SIDES, Side


def rules_page(game: Game, options: Options) -> str:
    """Return the rules of a game under these options, in Markdown."""
    edition = game.edition
    parts = [
        f"# {say('rules.title', box=edition.name, game=game.name)}",
        f"*{edition.tagline}*",
        edition.story,
        game.text,
    ]
    parts += [_heading("board"), f"```text\n{draw_board(game, options)}\n```"]
    parts += [_heading("armies"), army_sheet(game)]
    for section, write in SECTIONS.items():
        if text := write(game, options):
            parts += [_heading(section), text]
    if hints := game.all_hints():
        parts.append(_heading("hints"))
        parts += [f"**{heading}.** {text}" for heading, text in hints.items()]
    return "\n\n".join(parts) + "\n"


def _heading(section: str) -> str:
    return f"## {say(f'rules.heading.{section}')}"


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
    lines.append(say("rules.drawing.homes", south=south.name, north=north.name))
    if zones := zone_word(game):
        lines.append(say("rules.drawing.zones", zones=zones))
    else:
        lines.append(say("rules.drawing.empty"))
    if square is not None:
        place, bearer = game.edition.words["reserved"], kind_names(game, bearer_of(game))
        lines.append(say("rules.drawing.reserved", place=place, bearer=bearer))
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
    heading = say("rules.army.heading", army=army.name, side=side_name(side))
    lines = [f"### {heading}", "", army.text, "", say("rules.army.columns"), "|---|---|---|---|"]
    for index, kind in enumerate(game.kinds):
        if count := game.rosters[side][index]:
            special = _special_words(game, kind, side)
            lines.append(f"| {kind.label} | {_cell(kind.name(army.id))} | {count} | {_cell(special)} |")
    lines.append(f"| | **{say('rules.army.total')}** | **{game.army_size(side)}** | |")
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
        words.append(say("rules.army.takes", pieces=listed(enemies)))
    if not kind.is_mobile:
        words.append(say("rules.army.still"))
    return ", ".join(words)


def piece_card(game: Game, kind_id: str, side: SupportsIndex) -> str:
    """Return the card of a kind in one army; `KeyError` if that army does not have the kind."""
    index = game.kind_index(kind_id)
    if not game.rosters[side][index]:
        raise KeyError(kind_id)
    return _card(game, index, side, both=False)


def piece_cards(game: Game, kind_id: str) -> list[str]:
    """Return the cards of a kind: one for both armies if it is the same in both, else one for each."""
    index = game.kind_index(kind_id)
    south, north = (game.kinds[index].name(army.id) for army in game.armies)
    if south == north and len({roster[index] for roster in game.rosters}) == 1:
        return [_card(game, index, 0, both=True)]
    return [piece_card(game, kind_id, side) for side in SIDES if game.rosters[side][index]]


def _card(game: Game, index: int, side: SupportsIndex, *, both: bool) -> str:
    kind, army = game.kinds[index], game.armies[side]
    facts = {"label": kind.label, "count": game.rosters[side][index]}
    if both:
        line = say("rules.card.both", armies=listed(army.name for army in game.armies), **facts)
    else:
        line = say("rules.card.one", army=army.name, **facts)
    lines = [f"### {kind.name(army.id)}", line, kind.text]
    lines += [f"**{power.name}.** {power.text}" for power in game.abilities(kind)]
    return "\n\n".join(lines) + "\n"


def set_up(game: Game, options: Options) -> str:
    """Return how the armies are placed and who begins."""
    south, north = (army.name for army in game.armies)
    facts = {"rows": game.board.home_rows, "size": game.army_size(0), "squares": len(game.board.home(0))}
    sentences = [
        say("rules.setup.random" if game.sides == "lot" else "rules.setup.agreed"),
        say("rules.setup.all" if game.fills_home else "rules.setup.some", **facts),
        say("rules.setup.secret"),
        say("rules.setup.sides", south=south, north=north),
    ]
    return " ".join(sentences)


def turn(game: Game, options: Options) -> str:
    """Return the rules for a turn."""
    key = "rules.turn.powers" if power_section_powers(game) else "rules.turn.plain"
    text = say(key, attack=game.edition.words["attack"])
    if game.has_verb("spot"):
        text += " " + say("rules.turn.spot", pieces=listed(_with_verb(game, "spot")))
    return text


def moving(game: Game, options: Options) -> str:
    """Return how pieces move."""
    still = [kind for kind in game.kinds if not kind.is_mobile]
    stay = dict.fromkeys(group_names(game, kind) for kind in still)
    is_alone = len(stay) == 1 and game.rosters[0][game.kind_index(still[0].id)] == 1
    has_powers = bool(power_section_powers(game))
    lines = [
        say("rules.moving.step"),
        say("rules.moving.crowd-powers" if has_powers else "rules.moving.crowd"),
        say("rules.moving.still", number=1 if is_alone else 2, pieces=listed(stay)),
    ]
    if zones := zone_word(game):
        lines.append(say("rules.moving.zones-powers" if has_powers else "rules.moving.zones", zones=zones))
    lines.append(option_sentence(game, "two_square_limit", options))
    if options.number("two_square_limit") is not None:
        lines.append(option_sentence(game, "two_square_counts_attacks", options))
    if options.is_on("chase_rule"):
        lines.append(option_sentence(game, "chase_rule", options))
    return _bullets(lines)


def attacking(game: Game, options: Options) -> str:
    """Return the rules for attacking."""
    words, silent = game.edition.words, options.is_on("silent_defense")
    lines = [say("rules.attacking.where", attack=words["attack"])]
    lines.append(option_sentence(game, "silent_defense", options) if silent else say("rules.attacking.shown"))
    lines.append(say("rules.attacking.smaller" if game.edition.low_is_strong else "rules.attacking.higher"))
    if options.is_on("aggressor_advantage"):
        lines.append(option_sentence(game, "aggressor_advantage", options))
    else:
        lines.append(say("rules.attacking.equal"))
    lines.append(say("rules.attacking.moves-up"))
    if "defender_advances" in options:
        lines.append(option_sentence(game, "defender_advances", options))
    else:
        lines.append(say("rules.attacking.stays"))
    if silent and options.is_on("defender_advances"):
        lines.append(say("rules.attacking.silent-bomb", bomb=words["bomb"]))
    lines.append(option_sentence(game, "captured_pieces", options))
    return _bullets(lines)


def special_pieces(game: Game, options: Options) -> str:
    """Return what special pieces can do."""
    lines = [line for kind in game.kinds for line in _specials(game, kind)]
    told = power_section_powers(game)
    for power in game.powers():
        if power not in told:
            pieces = listed(owners(game, power))
            lines.append(say("rules.special.power", power=power.name, pieces=pieces, text=power.text))
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
        key = "rules.options.changed" if info.name in changed else "rules.options.usual"
        text = option_sentence(game, info.name, options)
        lines.append(say(key, option=info.name, value=options[info.name], text=text))
    return _bullets(lines)


def ending(game: Game, options: Options) -> str:
    """Return how a game ends."""
    lines = [
        say("rules.ending.capture", flags=listed(_flags(game), "or")),
        *_own_flag(game),
        say("rules.ending.stuck"),
        option_sentence(game, "both_stuck", options),
        option_sentence(game, "no_progress_draw", options),
        say("rules.ending.agreed"),
        option_sentence(game, "clock", options),
    ]
    return _bullets(lines)


def _specials(game: Game, kind: Kind) -> list[str]:
    facts = {"piece": f"**{kind_names(game, kind)}**", "attack": game.edition.words["attack"]}
    if kind.role == "flag":
        return [say("rules.special.flag", **facts)]
    if kind.role == "bomb":
        takers = listed(f"**{group_names(game, other)}**" for other in game.kinds if kind.id in other.takes)
        text = say("rules.special.bomb", **facts)
        return [f"{text} {say('rules.special.bomb-takers', takers=takers)}" if takers else text]
    prey = [other for other in game.kinds if other.id in kind.takes and other.role == "soldier"]
    if not prey:
        return []
    names = listed(f"**{kind_names(game, other)}**" for other in prey)
    text = say("rules.special.beats", pieces=names, **facts)
    return [f"{text} {say('rules.special.weakest')}" if kind.rank == 0 else text]


def _own_flag(game: Game) -> list[str]:
    """Return the warning for games where an advance may capture the player's own flag."""
    names = [power.name for power in game.powers() if power.verb == "advance"]
    return [say("rules.ending.own-flag", power=name) for name in names]


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


SECTIONS: Mapping[str, Callable[[Game, Options], str]] = {
    "setup": set_up,
    "turn": turn,
    "moving": moving,
    "attacking": attacking,
    "special": special_pieces,
    "powers": powers,
    "ending": ending,
    "options": in_force,
}
"""the sections after the board and the armies, by their headings in ``rules.toml``"""
