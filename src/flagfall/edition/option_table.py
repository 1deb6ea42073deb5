"""The general options: their values and defaults, and the games they concern; texts are in ``options.toml``.

Which games an option concerns depends on what a game has (powers, Spotters), never on its name. A box
declares its own options in its file (``[option.…]``); programs and installed packages add others with
`register_option` or an entry point of the group ``flagfall.options``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import entry_points
from typing import Any, TypeVar

from flagfall.edition.clock import parse_clock
from flagfall.edition.schema import Game
from flagfall.errors import FlagfallError, quoted
from flagfall.languages import say, translated
from flagfall.languages.messages import has_message

T = TypeVar("T")

OPTION_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
MAX_OPTION_CHARS = 80
"""maximum length of a value; the longest values are clocks such as 1h30m + 30s"""


class OptionError(FlagfallError):
    """An option cannot have that value, or does not exist; the message says what to choose instead."""

    code = "option"


class _Text:
    """A text of an option in the language in use: a message of ours, or what its box says."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, option: Option | None, owner: type | None = None) -> Any:
        if option is None:
            return self
        return TEXTS[self._name](option, option.__dict__[self._name])

    def __set__(self, option: Option, value: object) -> None:
        option.__dict__[self._name] = value


def _texts_in_use(owner: type[T]) -> type[T]:
    for name in TEXTS:
        setattr(owner, name, _Text(name))
    return owner


def _one_text(name: str, option: Option, text: str) -> str:
    return _message(option, name) if option.is_general else translated(text)


def _text_by_value(name: str, option: Option, texts: Mapping[str, str]) -> Mapping[str, str]:
    if not option.is_general:
        return {value: translated(text) for value, text in texts.items()}
    found = {value: _message(option, f"{name}.{value}") for value in option.values}
    return {value: text for value, text in found.items() if text}


def _number_sentence(option: Option, text: str) -> str:
    return (
        _message(option, "number", number="{number}", next="{next}")
        if option.is_general
        else translated(text)
    )


def _range(option: Option, text: str) -> str:
    if option.max and not text:
        return say("options.number-range", high=str(option.max))
    return _message(option, "range") if option.is_general else translated(text)


def _concerns_words(option: Option, text: str) -> str:
    key = f"options.concerns.{text}"
    return say(key) if has_message(key) else translated(text)


def _message(option: Option, name: str, **arguments: str) -> str:
    """Return a message about a general option; empty if there is none."""
    key = f"options.{option.name}.{name}"
    return say(key, **arguments) if has_message(key) else ""


TEXTS: Mapping[str, Callable[[Option, Any], str | Mapping[str, str]]] = {
    "help": partial(_one_text, "help"),
    "title": partial(_one_text, "title"),
    "sentences": partial(_text_by_value, "sentences"),
    "labels": partial(_text_by_value, "labels"),
    "number_sentence": _number_sentence,
    "range": _range,
    "concerns_words": _concerns_words,
}
"""how each text of an option is read, from the option and what is stored in the field"""


@_texts_in_use
@dataclass(frozen=True)
class Option:
    """One option, for all games it concerns.

    Its texts read in the language in use. Those of a general option are in ``options.toml`` by its name;
    others are stored in English.
    """

    name: str
    default: str
    help: str = ""
    rules: tuple[str, ...] = ()
    """ids of the rules it is about (``docs/rules``)"""
    values: tuple[str, ...] = ("off", "on")
    sentences: Mapping[str, str] = field(default_factory=dict)
    """what each value means, in one sentence"""
    number_sentence: str = ""
    """the sentence for a number: ``{number}``, and ``{next}`` for the one after it"""
    max: int = 0
    """numbers from 1 to this are values as well"""
    concerns: Callable[[Game], bool] = lambda game: True
    concerns_words: str = "every"
    """the games it concerns: a message of ``options.concerns``, or a text"""
    needs: str = ""
    """the main option of a sub-option"""
    parse: Callable[[str], str] | None = None
    """returns the canonical spelling of other values; raises `ValueError`"""
    range: str = ""
    """what is possible apart from `values`, in words; numbers up to `max` go without saying"""
    is_for_powers: bool = False
    """a power may leave a parameter to it"""
    title: str = ""
    """its name for people; empty if `name` will do"""
    labels: Mapping[str, str] = field(default_factory=dict)
    """short names of values, for menus"""
    is_general: bool = False
    """its texts are messages of ours"""

    @property
    def shown_title(self) -> str:
        """The name for people."""
        return self.title or self.name.replace("_", " ").capitalize()

    @property
    def possible(self) -> str:
        """All values in words, for messages."""
        values = ", ".join(self.values)
        return say("options.possible", values=values, range=self.range) if self.range else values

    def with_default(self, default: str) -> Option:
        """Return the same option with another default; its texts stay as they are stored."""
        changed = copy(self)
        object.__setattr__(changed, "default", default)
        return changed

    def canonical(self, text: str) -> str:
        """Return the canonical spelling of a value; `OptionError` if there is no such value."""
        if len(text) > MAX_OPTION_CHARS:
            raise self._refused("too-many-characters", number=len(text), most=MAX_OPTION_CHARS)
        value = text.strip().lower()
        if value in self.values:
            return value
        if self.max and value.isascii() and value.isdecimal() and len(value) < 9:
            if 1 <= int(value) <= self.max:
                return str(int(value))
        elif self.parse is not None:
            try:
                return self.parse(value)
            except ValueError as error:
                raise self._refused("clock", reason=error) from None
        raise self._refused("value", text=quoted(text.strip()))

    def _refused(self, why: str, **facts: object) -> OptionError:
        return OptionError(say(f"options.refusal.{why}", option=self.name, possible=self.possible, **facts))


def _plain(game: Game) -> bool:
    return not game.has_powers and all(power.verb == "run" for power in game.powers())


def _spotting(game: Game) -> bool:
    return game.has_verb("spot")


@dataclass(frozen=True)
class LeftTo:
    """Tests whether some power of a game leaves a parameter to an option."""

    option: str

    def __call__(self, game: Game) -> bool:
        """Return whether the game has such a power."""
        return any(self.option in power.options.values() for power in game.powers())


_general = partial(Option, is_general=True)
_plain_option = partial(_general, concerns=_plain, concerns_words="plain")
_spot_option = partial(_general, concerns=_spotting, concerns_words="spotting")


def _power_option(name: str, default: str, rules: tuple[str, ...]) -> Option:
    values = (default, "off" if default == "on" else "on")
    return _general(
        name,
        default,
        rules=rules,
        values=values,
        concerns=LeftTo(name),
        concerns_words="power",
        is_for_powers=True,
    )


_ALL = (
    _general(
        "captured_pieces",
        "open",
        rules=("CM-07", "DM-C-01", "DM-C-02", "DM-C-03", "DM-C-04", "DM-C-05", "LR-C-01", "FI-C-01"),
        values=("open", "prisoner", "secret", "stealth"),
    ),
    _general("memory", "assisted", rules=("CM-08",), values=("assisted", "notes", "strict")),
    _general("two_square_limit", "2", rules=("CM-02",), values=("off",), max=9),
    _general("two_square_counts_attacks", "off", rules=("CM-03",), needs="two_square_limit"),
    _plain_option("chase_rule", "off", rules=("CM-09",)),
    _general("no_progress_draw", "200", rules=("CM-09", "CM-16", "CM-20"), values=("off",), max=10000),
    _general(
        "both_stuck", "side_to_move_loses", rules=("CM-10", "CM-21"), values=("side_to_move_loses", "draw")
    ),
    _general(
        "clock",
        "none",
        rules=("CM-13",),
        values=("none",),
        parse=lambda text: parse_clock(text).text,
    ),
    _plain_option("aggressor_advantage", "off", rules=("ON-O-01",)),
    _plain_option("silent_defense", "off", rules=("ON-O-02", "ON-O-03", "ON-O-04")),
    _plain_option("rescue", "off", rules=("ON-O-05", "ON-O-06", "ON-O-07", "ON-O-08")),
    _plain_option(
        "rescue_zone", "home_rows", rules=("ON-X-10", "CM-25"), values=("home_rows", "half"), needs="rescue"
    ),
    _plain_option("rescue_on_strike", "off", rules=("ON-X-11",), needs="rescue"),
    _plain_option("defender_advances", "off", rules=("ON-X-01", "CM-15")),
    _spot_option("spot_any_side", "off", rules=("SM-X-01",)),
    _spot_option("spot_move_then_attack", "off", rules=("SM-X-03",)),
    _spot_option("spot_silent_miss", "off", rules=("SM-X-05",)),
    _power_option("two_step_may_return", "off", rules=("DM-X-19", "LR-X-29", "FI-X-06")),
    _power_option("detect_known", "on", rules=("DM-X-10", "LR-X-31", "FI-X-25")),
)

OPTIONS: dict[str, Option] = {option.name: option for option in _ALL}
"""the options that any box can have; `register_option` adds to them, and a box may declare more"""


def register_option(option: Option) -> None:
    """Add an option for all games it concerns; `OptionError` if it is incomplete or its name is taken.

    An option takes effect where it is read: by a power that leaves a parameter to it, or by a program.
    """
    if option.name in OPTIONS:
        raise OptionError(f"there is already an option “{option.name}”; choose another name")
    if not OPTION_NAME.fullmatch(option.name):
        raise OptionError(
            f"{quoted(option.name)} is not the name of an option; names are like two_square_limit"
        )
    unexplained = [value for value in option.values if value not in option.sentences]
    if unexplained or (option.max and not option.number_sentence):
        raise OptionError(f"“{option.name}” needs a sentence for {', '.join(unexplained) or 'its numbers'}")
    if option.default not in option.values:
        option.canonical(option.default)
    OPTIONS[option.name] = option


@cache
def load_installed_options() -> None:
    """Register the options of installed packages, once: entry points of the group ``flagfall.options``."""
    for entry in entry_points(group="flagfall.options"):
        register_option(entry.load())


def options_of(game: Game) -> list[Option]:
    """Return the options that concern a game: the general ones, then those of its box."""
    load_installed_options()
    return [one for one in (*OPTIONS.values(), *game.edition.options.values()) if one.concerns(game)]


def find_option(game: Game, name: str) -> Option | None:
    """Return an option by name, whether it concerns the game or not; None if there is none."""
    load_installed_options()
    return OPTIONS.get(name) or game.edition.options.get(name)
