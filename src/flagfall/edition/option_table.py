"""The general options: their values and defaults, the games they concern, and a sentence for each value.

Which games an option concerns depends on what a game has (powers, Spotters), never on its name. A box
declares its own options in its file (``[option.…]``); programs and installed packages add others with
`register_option` or an entry point of the group ``flagfall.options``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import entry_points

from flagfall.edition.clock import LOOKS, parse_clock
from flagfall.edition.schema import Game
from flagfall.errors import FlagfallError, quoted

OPTION_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
MAX_OPTION_CHARS = 80
"""maximum length of a value; the longest values are clocks such as 1h30m + 30s"""


class OptionError(FlagfallError):
    """An option cannot have that value, or does not exist; the message says what to choose instead."""

    code = "option"


@dataclass(frozen=True)
class Option:
    """One option, for all games it concerns."""

    name: str
    default: str
    help: str
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
    concerns_words: str = "every game"
    needs: str = ""
    """the main option of a sub-option"""
    parse: Callable[[str], str] | None = None
    """returns the canonical spelling of other values; raises `ValueError`"""
    range: str = ""
    """what is possible apart from `values`, in words"""
    is_for_powers: bool = False
    """a power may leave a parameter to it"""
    title: str = ""
    """its name for people; empty if `name` will do"""
    labels: Mapping[str, str] = field(default_factory=dict)
    """short names of values, for menus"""

    @property
    def shown_title(self) -> str:
        """The name for people."""
        return self.title or self.name.replace("_", " ").capitalize()

    @property
    def possible(self) -> str:
        """All values in words, for messages."""
        listed = ", ".join(self.values)
        return f"{listed}, or {self.range}" if self.range else listed

    def canonical(self, text: str) -> str:
        """Return the canonical spelling of a value; `OptionError` if there is no such value."""
        if len(text) > MAX_OPTION_CHARS:
            raise OptionError(
                f"“{self.name}” cannot have {len(text)} characters, only up to {MAX_OPTION_CHARS}; choose "
                f"{self.possible}"
            )
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
                raise OptionError(f"“{self.name}” is not right: {error}") from None
        raise OptionError(f"“{self.name}” cannot be {quoted(text.strip())}; choose {self.possible}")


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


POWER_WORDS = "games with a power that leaves it open"
_plain_option = partial(Option, concerns=_plain, concerns_words="games without powers and without Spotters")
_spot_option = partial(Option, concerns=_spotting, concerns_words="games with Spotters")

_ALL = (
    Option(
        "captured_pieces",
        "open",
        "who may look at the pieces that have been captured",
        ("CM-07", "DM-C-01", "DM-C-02", "DM-C-03", "DM-C-04", "DM-C-05", "LR-C-01", "FI-C-01"),
        ("open", "prisoner", "secret", "stealth"),
        title="Captured pieces",
        labels={
            "open": "Both may look",
            "prisoner": "Only the capturer",
            "secret": "Only the owner",
            "stealth": "Nobody",
        },
        sentences={
            "open": "Captured pieces lie open: both players may look at them.",
            "prisoner": "Captured pieces are prisoners: only the player who captured them may look.",
            "secret": "Captured pieces go back to their owner, and only the owner may look.",
            "stealth": "Captured pieces lie face down, and nobody may look.",
        },
    ),
    Option(
        "memory",
        "assisted",
        "whether pieces you have seen stay marked, or you have to remember them",
        ("CM-08",),
        ("assisted", "notes", "strict"),
        title="Memory",
        labels={
            "assisted": "Pieces stay marked",
            "notes": "Make your own notes",
            "strict": "Remember them yourself",
        },
        sentences={
            "assisted": "A piece that was shown stays marked, so nobody has to remember it.",
            "notes": "A piece that was shown is hidden again after the turn, but you can write notes on it.",
            "strict": "A piece that was shown is hidden again after the turn, and you must remember it.",
        },
    ),
    Option(
        "two_square_limit",
        "2",
        "how many turns in a row one piece may go back and forth between two squares",
        ("CM-02",),
        ("off",),
        title="Back and forth",
        sentences={"off": "A piece may move back and forth between two squares as often as you like."},
        number_sentence="A piece may not move between the same two squares {next} turns in a row.",
        max=9,
        range="a number from 1 to 9",
    ),
    Option(
        "two_square_counts_attacks",
        "off",
        "an attack counts as going back and forth, too",
        ("CM-03",),
        title="Attacks count too",
        sentences={
            "off": "An attack between the two squares does not count, and the count starts again.",
            "on": "An attack between the two squares counts as well.",
        },
        needs="two_square_limit",
    ),
    _plain_option(
        "chase_rule",
        "off",
        "you may not chase the same piece round and round",
        ("CM-09",),
        title="No endless chases",
        sentences={
            "off": "You may chase the same piece round and round.",
            "on": (
                "If you keep chasing the same pieces, you may not repeat an earlier position, except by "
                "stepping straight back."
            ),
        },
    ),
    Option(
        "no_progress_draw",
        "200",
        "the game is a draw after this many turns in which no piece is lost or comes back",
        ("CM-09", "CM-16", "CM-20"),
        ("off",),
        title="Draw when nothing happens",
        sentences={"off": "The game goes on, however long nothing is captured."},
        number_sentence="After {number} turns in a row without a piece lost or won back, the game is a draw.",
        max=10000,
        range="a number from 1 to 10000",
    ),
    Option(
        "both_stuck",
        "side_to_move_loses",
        "what happens when neither player can do anything",
        ("CM-10", "CM-21"),
        ("side_to_move_loses", "draw"),
        title="When nobody can move",
        labels={
            "side_to_move_loses": "The player to move loses",
            "draw": "It is a draw",
        },
        sentences={
            "side_to_move_loses": "If neither side can do anything, the one whose turn it is loses.",
            "draw": "If neither side can do anything, the game is a draw.",
        },
    ),
    Option(
        "clock",
        "none",
        "how long each player may think",
        ("CM-13",),
        ("none",),
        title="Clock",
        sentences={"none": "There is no clock: take your time."},
        range=LOOKS.removeprefix("none, "),
        parse=lambda text: parse_clock(text).text,
    ),
    _plain_option(
        "aggressor_advantage",
        "off",
        "when two equal pieces fight, the attacker wins",
        ("ON-O-01",),
        title="Attacker wins ties",
        sentences={
            "off": "When equal pieces meet, both are lost.",
            "on": "When equal pieces meet, the one that attacks wins.",
        },
    ),
    _plain_option(
        "silent_defense",
        "off",
        "in a fight only the attacker is shown; the defender stays secret",
        ("ON-O-02", "ON-O-03", "ON-O-04"),
        title="Secret defender",
        sentences={
            "off": "In a fight both pieces are shown.",
            "on": (
                "In a fight only the attacker is shown; the other player just says who is lost. If a "
                "runner attacks, the attacked piece must be named after all."
            ),
        },
    ),
    _plain_option(
        "rescue",
        "off",
        "reach the enemy’s back row and you may bring back one of your lost pieces",
        ("ON-O-05", "ON-O-06", "ON-O-07", "ON-O-08"),
        title="Rescue",
        sentences={
            "off": "Lost pieces stay lost.",
            "on": (
                "When you move a piece onto the enemy’s back row, you may bring one of your lost "
                "pieces back at once. Runners cannot do it and bombs cannot be brought back; each "
                "player may do it twice in a game, with two different pieces."
            ),
        },
    ),
    _plain_option(
        "rescue_zone",
        "home_rows",
        "where a rescued piece comes back onto the board",
        ("ON-X-10", "CM-25"),
        ("home_rows", "half"),
        title="Where rescued pieces return",
        labels={
            "home_rows": "Your home rows",
            "half": "Your half of the board",
        },
        sentences={
            "home_rows": "A rescued piece comes back on an empty square of your home rows.",
            "half": "A rescued piece comes back on an empty square of your half of the board.",
        },
        needs="rescue",
    ),
    _plain_option(
        "rescue_on_strike",
        "off",
        "winning a fight on the enemy’s back row lets you rescue a piece, too",
        ("ON-X-11",),
        title="Rescue after a fight",
        sentences={
            "off": "Only a move onto the back row allows a rescue, not a won fight.",
            "on": "A fight won on the back row allows a rescue as well.",
        },
        needs="rescue",
    ),
    _plain_option(
        "defender_advances",
        "off",
        "a defender that wins moves to the square it was attacked from",
        ("ON-X-01", "CM-15"),
        title="Winning defender steps forward",
        sentences={
            "off": "A defender that wins stays where it is.",
            "on": "A defender that wins moves to the square from which it was attacked; bombs stay.",
        },
    ),
    _spot_option(
        "spot_any_side",
        "off",
        "a Spotter may also spot to the sides and backwards",
        ("SM-X-01",),
        title="Spot all round",
        sentences={
            "off": "Spotting works straight ahead only.",
            "on": "Spotting works ahead, to both sides and backwards.",
        },
    ),
    _spot_option(
        "spot_move_then_attack",
        "off",
        "a Spotter may take a step and then attack in the same turn",
        ("SM-X-03",),
        title="Step, then attack",
        sentences={
            "off": "A piece that spots may step and then spot, but not step and then attack.",
            "on": "A piece that spots may also step and then attack in the ordinary way.",
        },
    ),
    _spot_option(
        "spot_silent_miss",
        "off",
        "after a wrong guess, the enemy piece is not shown",
        ("SM-X-05",),
        title="Wrong guesses stay secret",
        sentences={
            "off": "After a wrong guess the enemy piece is shown all the same.",
            "on": "After a wrong guess the enemy piece stays secret.",
        },
    ),
    Option(
        "two_step_may_return",
        "off",
        "a piece that takes two steps may end where it started",
        ("DM-X-19", "LR-X-29", "FI-X-06"),
        title="Step out and back",
        sentences={
            "off": "A piece that makes two steps may not end where it began.",
            "on": "A piece that makes two steps may come straight back to where it began.",
        },
        concerns=LeftTo("two_step_may_return"),
        concerns_words=POWER_WORDS,
        is_for_powers=True,
    ),
    Option(
        "detect_known",
        "on",
        "you may also look at pieces that you already know",
        ("DM-X-10", "LR-X-31", "FI-X-25"),
        ("on", "off"),
        title="Look again",
        sentences={
            "on": "You may look even at a piece that you know already.",
            "off": "You may look only at pieces that you do not know yet.",
        },
        concerns=LeftTo("detect_known"),
        concerns_words=POWER_WORDS,
        is_for_powers=True,
    ),
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
