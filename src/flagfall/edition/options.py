"""The options of one game: choose some and get all, or an error that says what is wrong.

>>> from flagfall.edition.load import load_game
>>> options = resolve(load_game("onyx/classic"), {"silent_defense": "on"})
>>> options["captured_pieces"], options["memory"], options.number("two_square_limit")
('secret', 'notes', 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from flagfall.edition.clock import Clock, parse_clock
from flagfall.edition.option_table import OPTIONS, Option, OptionError, find_option, options_of
from flagfall.edition.schema import Game
from flagfall.errors import quoted, suggestion
from flagfall.languages import say

__all__ = ["OptionError", "Options", "concerning", "parse_pairs", "resolve"]


@dataclass(frozen=True)
class Options:
    """A value for every option that concerns a game."""

    pairs: tuple[tuple[str, str], ...]

    def __getitem__(self, name: str) -> str:
        for key, value in self.pairs:
            if key == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.pairs)

    def __contains__(self, name: object) -> bool:
        return any(key == name for key, _ in self.pairs)

    def items(self) -> tuple[tuple[str, str], ...]:
        """Return every option with its value, in the order of the table."""
        return self.pairs

    def get(self, name: str, default: str) -> str:
        """Return the value, or the default if the option does not concern the game."""
        if name not in self and name not in OPTIONS:
            raise KeyError(name)
        return next((value for key, value in self.pairs if key == name), default)

    def is_on(self, name: str) -> bool:
        """Return whether an option is on; one that does not concern the game is not."""
        return self.get(name, "off") == "on"

    def number(self, name: str) -> int | None:
        """Return the number, or None if the option is off or does not concern the game."""
        value = self.get(name, "off")
        return None if value == "off" else int(value)

    @property
    def clock(self) -> Clock:
        """The clock as numbers."""
        return parse_clock(self["clock"])

    def changed(self, game: Game) -> dict[str, str]:
        """Return the fewest options from which ``resolve`` makes these again."""
        usual = resolve(game, {})
        changed = {name: value for name, value in self.pairs if usual[name] != value}
        again = resolve(game, changed)
        return {name: value for name, value in self.pairs if name in changed or again[name] != value}


def parse_pairs(pairs: Iterable[str]) -> dict[str, str]:
    """Return options that people typed, ``["rescue=on", "clock=10m+5s"]``, by name."""
    chosen: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not (name and equals and value):
            raise OptionError(f"{quoted(pair)} is not an option; write name=value, such as rescue=on")
        if name in chosen:
            raise OptionError(f"{quoted(name)} is given twice; give it once")
        chosen[name] = value
    return chosen


def concerning(game: Game) -> tuple[Option, ...]:
    """Return the options that concern a game, with its own defaults."""
    usual = resolve(game, {})
    return tuple(option.with_default(usual[option.name]) for option in options_of(game))


def resolve(game: Game, chosen: Mapping[str, str]) -> Options:
    """Return all options of a game after some were chosen; `OptionError` if they do not fit together."""
    count = len(OPTIONS) + len(game.edition.options)
    if len(chosen) > count:
        raise OptionError(say("options.refusal.too-many", number=str(len(chosen)), count=count))
    wanted = {name: _option(game, name).canonical(str(value)) for name, value in chosen.items()}
    known = options_of(game)
    values = {one.name: one.canonical(game.defaults.get(one.name, one.default)) for one in known} | wanted
    if values.get("silent_defense") == "on":
        _check_silent_defense(wanted)
        values["captured_pieces"] = "secret"
    if values["captured_pieces"] != "open":
        _check_hidden_captures(values, wanted)
        if values["memory"] == "assisted":
            values["memory"] = "notes"
    if values.get("detect_known") == "off" and values["memory"] == "strict":
        raise OptionError(say("options.refusal.detect-known"))
    for name in wanted:
        main = _option(game, name).needs
        if main and values[main] == "off":
            raise OptionError(say("options.refusal.needs", option=name, main=main))
    return Options(tuple(values.items()))


def _option(game: Game, name: str) -> Option:
    option = find_option(game, name) or _of_another_box(name)
    if option is None:
        known = [one.name for one in options_of(game)]
        guess = suggestion(name, known)
        raise OptionError(say("options.refusal.unknown", text=quoted(name), guess=guess))
    if not option.concerns(game):
        games = option.concerns_words
        raise OptionError(say("options.refusal.other-game", option=name, game=game.id, games=games))
    return option


def _of_another_box(name: str) -> Option | None:
    from flagfall.edition.load import bundled_options  # loading a box resolves its defaults

    return bundled_options().get(name)


def _check_silent_defense(wanted: Mapping[str, str]) -> None:
    captured = wanted.get("captured_pieces", "secret")
    if captured != "secret":
        raise OptionError(say("options.refusal.silent-defense", captured=captured))


def _check_hidden_captures(values: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    captured = values["captured_pieces"]
    if wanted.get("memory") == "assisted":
        raise OptionError(say("options.refusal.assisted", captured=captured))
    if values.get("rescue") == "on" and captured != "secret":
        raise OptionError(say("options.refusal.rescue", captured=captured))
