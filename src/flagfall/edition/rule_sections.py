"""The sections of a rules page that tell how a game goes, written from its data and its options."""

from __future__ import annotations

from flagfall.edition.options import Options, concerning
from flagfall.edition.power_section import power_section_powers
from flagfall.edition.schema import NORTH, SOUTH, Game, Kind
from flagfall.edition.texts import listed, option_sentence, owners, spoken, zone_word


def set_up(game: Game, options: Options) -> str:
    """How the armies are placed and who begins."""
    south, north = (army.name for army in game.armies)
    rows = game.board.home_rows
    near = f"the {rows} rows nearest to you" if rows > 1 else "the row nearest to you"
    size = game.army_size(SOUTH)
    if game.fills_home:
        place = f"Put your {size} pieces on {near}, one on each square, so that every square is filled."
    else:
        room = len(game.board.home(SOUTH))
        place = f"Put your {size} pieces on any of the {room} squares of {near}; the others stay empty."
    who = "A lot decides who plays which army." if game.sides == "lot" else "Agree who plays which army."
    return (
        f"{who} {place} Both players do this in secret, and you only ever see the backs of the enemy’s "
        f"pieces. {south} sits South and moves first; {north} sits North."
    )


def turn(game: Game, options: Options) -> str:
    """What a turn is."""
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
    """How pieces move."""
    stay = listed(dict.fromkeys(spoken(game, kind) for kind in game.kinds if not kind.is_mobile))
    unless = " unless a power says so" if power_section_powers(game) else ""
    lines = [
        "A piece moves one square forwards, backwards or sideways to an empty square, never diagonally.",
        f"Two pieces never stand on one square, and nobody jumps over another piece{unless}.",
        f"These never move: {stay}.",
    ]
    if zones := zone_word(game):
        lines.append(f"The {zones} in the middle cannot be entered or crossed{unless}; walk round them.")
    lines.append(option_sentence("two_square_limit", options))
    if options.number("two_square_limit") is not None:
        lines.append(option_sentence("two_square_counts_attacks", options))
    if options.is_on("chase_rule"):
        lines.append(option_sentence("chase_rule", options))
    return _bullets(lines)


def attacking(game: Game, options: Options) -> str:
    """How fights go."""
    attack = game.edition.words["attack"]
    order = "the smaller number" if game.edition.low_is_strong else "the higher number"
    silent = options.is_on("silent_defense")
    lines = [f"You may {attack} an enemy piece right in front of, behind or beside yours, never diagonally."]
    lines.append(option_sentence("silent_defense", options) if silent else "Both pieces are shown.")
    lines.append(f"Then {order} wins, and the loser leaves the board.")
    if options.is_on("aggressor_advantage"):
        lines.append(option_sentence("aggressor_advantage", options))
    else:
        lines.append("If both are equal, both leave the board.")
    lines.append("If the attacker wins, it moves onto the square of the loser.")
    advances = options.is_on("defender_advances")
    if "defender_advances" in options:
        lines.append(option_sentence("defender_advances", options))
    else:
        lines.append("A defender that wins stays where it is.")
    if silent and advances:
        bomb = game.edition.words["bomb"]
        lines.append(f"Mind: a winner that does not move up must be a {bomb}, even if nobody says so.")
    lines.append(option_sentence("captured_pieces", options))
    return _bullets(lines)


def special_pieces(game: Game, options: Options) -> str:
    """The pieces that can do something others cannot."""
    lines = [line for kind in game.kinds for line in _specials(game, kind)]
    told = power_section_powers(game)
    for power in game.powers():
        if power not in told:
            lines.append(f"**{power.name}** ({listed(owners(game, power))}): {power.text}")
    lines += [option_sentence(name, options) for name in options if name.startswith("spot_")]
    if options.is_on("rescue"):
        names = ("rescue", "rescue_zone", "rescue_on_strike")
        lines += [option_sentence(name, options) for name in names]
    return _bullets(lines)


def in_force(game: Game, options: Options) -> str:
    """Every option with its value, and what it means; those that were changed come first."""
    changed = options.changed(game)
    lines = []
    for info in sorted(concerning(game), key=lambda info: info.name not in changed):
        if info.needs and options[info.needs] == "off":
            continue
        mark = " *(changed)*" if info.name in changed else ""
        sentence = option_sentence(info.name, options)
        lines.append(f"`{info.name} = {options[info.name]}`{mark}: {sentence}")
    return _bullets(lines)


def ending(game: Game, options: Options) -> str:
    """How a game ends."""
    lines = [
        f"Capture the enemy {listed(_flags(game), 'or')} and you win at once.",
        *_own_flag(game),
        "A player who cannot do anything on their turn has lost.",
        option_sentence("both_stuck", options),
        option_sentence("no_progress_draw", options),
        "You may give up, and both players may agree on a draw.",
        option_sentence("clock", options),
    ]
    return _bullets(lines)


def _specials(game: Game, kind: Kind) -> list[str]:
    name = f"**{spoken(game, kind)}**"
    attack = game.edition.words["attack"]
    if kind.role == "flag":
        return [f"{name}: every piece that {attack}s it captures it, and that wins the game."]
    if kind.role == "bomb":
        takers = listed(f"**{spoken(game, other)}**" for other in game.kinds if kind.id in other.takes)
        only = f" Only these remove it by attacking, and then they move in: {takers}." if takers else ""
        return [f"{name}: every piece that {attack}s it is lost, and it stays where it is.{only}"]
    prey = [other for other in game.kinds if other.id in kind.takes and other.role == "soldier"]
    if not prey:
        return []
    names = listed(f"**{spoken(game, other)}**" for other in prey)
    weak = " In all other fights it is the weakest piece of all." if kind.rank == 0 else ""
    return [f"{name} beats {names} if it {attack}s first, whatever the numbers.{weak}"]


def _own_flag(game: Game) -> list[str]:
    """Where friends may be attacked in an advance, the own flag is in danger."""
    names = [power.name for power in game.powers() if power.verb == "advance"]
    return [f"A player who captures their own flag with {name} has lost." for name in names]


def _with_verb(game: Game, verb: str) -> list[str]:
    kinds = [kind for kind in game.kinds if any(power.verb == verb for power in game.abilities(kind))]
    return [spoken(game, kind) for kind in kinds]


def _flags(game: Game) -> list[str]:
    names = [
        game.kind_name(index, side)
        for side in (SOUTH, NORTH)
        for index, kind in enumerate(game.kinds)
        if kind.role == "flag" and game.rosters[side][index]
    ]
    return list(dict.fromkeys(names))


def _bullets(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
