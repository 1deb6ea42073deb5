"""Small words about pieces and options, shared by the rules page and the cards."""

from __future__ import annotations

from collections.abc import Iterable

from flagfall.edition.option_table import find_option
from flagfall.edition.options import Options
from flagfall.edition.schema import Game, Kind, Power
from flagfall.sides import SIDES


def listed(words: Iterable[str], last: str = "and") -> str:
    """A list as people say it.

    >>> listed(["Scout", "Spy", "Flag"])
    'Scout, Spy and Flag'
    """
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def kind_names(game: Game, kind: Kind) -> str:
    """What a kind is called when both armies are meant: one name, or both with a stroke between."""
    index = game.kind_index(kind.id)
    names = [game.kind_name(index, side) for side in SIDES if game.rosters[side][index]]
    return " / ".join(dict.fromkeys(names))


def owners(game: Game, power: Power) -> list[str]:
    """What the kinds are called that have a power in this game."""
    return [kind_names(game, kind) for kind in game.kinds if power in game.abilities(kind)]


def zone_word(game: Game) -> str:
    """What the box calls its zones; empty if the board has none."""
    return game.edition.words["zones"] if game.board.zones else ""


def option_sentence(game: Game, name: str, options: Options) -> str:
    """Return what the chosen value of an option means, in one sentence."""
    value, option = options[name], find_option(game, name)
    assert option is not None
    number = options.number(name) if option.number_sentence else None
    if number is not None:
        return option.number_sentence.format(number=number, next=number + 1)
    if name == "clock" and value != "none":
        return _clock_sentence(options)
    return option.sentences[value]


def _clock_sentence(options: Options) -> str:
    clock = options.clock
    limit = _time(clock.limit_s)
    if clock.style == "total":
        gained = f", and gets {_time(clock.increment_s)} more after each move" if clock.increment_s else ""
        return f"Each player has {limit} for the whole game{gained}; a player whose time runs out loses."
    return f"Each player has {limit} for every move; a player whose time runs out loses."


def _time(seconds: int) -> str:
    parts = []
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        number, seconds = divmod(seconds, length)
        if number:
            parts.append(f"{number} {unit}" + "s" * (number > 1))
    return listed(parts)
