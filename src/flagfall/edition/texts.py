"""Names of pieces, times and option sentences, for rules pages and messages."""

from __future__ import annotations

from flagfall.edition.option_table import find_option
from flagfall.edition.options import Options
from flagfall.edition.schema import Game, Kind, Power
from flagfall.languages import listed, say
from flagfall.sides import SIDES, Side

__all__ = [
    "capitalised",
    "duration_words",
    "group_names",
    "kind_names",
    "listed",
    "option_sentence",
    "owners",
    "side_name",
    "zone_word",
]


def capitalised(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def side_name(side: Side) -> str:
    """Return the name of a side: ``South``."""
    return say(f"sides.{side}")


def kind_names(game: Game, kind: Kind) -> str:
    """Return the name of a kind, or its names in both armies: ``Elf / Orc``."""
    index = game.kind_index(kind.id)
    names = [game.kind_name(index, side) for side in SIDES if game.rosters[side][index]]
    return " / ".join(dict.fromkeys(names))


def group_names(game: Game, kind: Kind) -> str:
    """Return the name of a kind in both armies, in the plural where an army has several: ``Elves / Orcs``."""
    index = game.kind_index(kind.id)
    counts = [(side, game.rosters[side][index]) for side in SIDES]
    return " / ".join(dict.fromkeys(game.kind_names(index, side, count) for side, count in counts if count))


def owners(game: Game, power: Power) -> list[str]:
    """Return the names of the kinds that have a power in this game."""
    return [group_names(game, kind) for kind in game.kinds if power in game.abilities(kind)]


def zone_word(game: Game) -> str:
    """Return what the box calls its zones; empty if the board has none."""
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
    limit = duration_words(clock.limit_s)
    if clock.style != "total":
        return say("options.clock-sentence.move", limit=limit)
    if not clock.increment_s:
        return say("options.clock-sentence.total", limit=limit)
    increment = duration_words(clock.increment_s)
    return say("options.clock-sentence.total-increment", limit=limit, increment=increment)


def duration_words(seconds: int) -> str:
    """Return a time in words: ``3 days``, ``1 minute and 30 seconds``."""
    parts = []
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        number, seconds = divmod(seconds, length)
        if number:
            parts.append(say(f"duration.{unit}", number=number))
    return listed(parts)
