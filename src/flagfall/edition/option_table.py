"""Every option there is: its values, its default, the games it concerns, and a line of help.

Which games an option concerns is read from what a game has (powers, Spotters), never from its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flagfall.edition.clock import LOOKS, parse_clock
from flagfall.edition.schema import Game
from flagfall.errors import FlagfallError, quoted

MAX_OPTION_CHARS = 80
"""characters of an option's value; the longest values are clocks such as 1h30m + 30s"""


class OptionError(FlagfallError):
    """An option that cannot be chosen so; the message is one sentence that says why and what to do."""


@dataclass(frozen=True)
class Option:
    """One option, for all games it concerns."""

    name: str
    default: str
    help: str
    rules: tuple[str, ...]
    values: tuple[str, ...] = ("off", "on")
    most: int = 0
    """numbers from 1 to this are values as well"""
    concerns: Callable[[Game], bool] = lambda game: True
    concerns_words: str = "every game"
    needs: str = ""
    """the main option of a sub-option"""
    parse: Callable[[str], str] | None = None
    """turns other values into their one spelling; `ValueError` says what is wrong"""
    range: str = ""
    """what else is possible besides `values`, in words"""

    @property
    def possible(self) -> str:
        """All values in words, for messages."""
        listed = ", ".join(self.values)
        return f"{listed}, or {self.range}" if self.range else listed

    def canonical(self, text: str) -> str:
        """The one spelling of a value, or `OptionError`."""
        if len(text) > MAX_OPTION_CHARS:
            raise OptionError(
                f"“{self.name}” cannot have {len(text)} characters, only up to {MAX_OPTION_CHARS}; choose "
                f"{self.possible}"
            )
        value = text.strip().lower()
        if value in self.values:
            return value
        if self.most and value.isascii() and value.isdecimal() and len(value) < 9:
            if 1 <= int(value) <= self.most:
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


def _left_to(option: str) -> Callable[[Game], bool]:
    """Whether some power of the game leaves a parameter to that option."""
    return lambda game: any(option in power.options.values() for power in game.powers())


_PLAIN_WORDS = "games without powers and without Spotters"
_SPOT_WORDS = "games with Spotters"

_SWITCH = ("off", "on")
_PLACES = ("lines", "square")
_ORDERS = ("chosen", "front_first")
POWER_OPTIONS: tuple[tuple[str, tuple[str, ...], str, tuple[str, ...]], ...] = (
    ("blast_range", _PLACES, "where a blast can hit: along lines, or anywhere near", ("DM-X-05", "DM-X-26")),
    ("longbow_range", _PLACES, "where a bow can hit: along lines, or anywhere near", ("LR-X-07",)),
    ("advance_subset", _SWITCH, "whether some may stay behind in an advance", ("DM-X-13", "DM-X-27")),
    ("advance_order", _ORDERS, "who goes first in an advance", ("DM-X-14", "DM-X-27")),
    ("two_step_may_return", _SWITCH, "whether it may end where it began", ("DM-X-19", "LR-X-29", "FI-X-06")),
    ("detect_known", ("on", "off"), "whether known pieces may be named", ("DM-X-10", "LR-X-31", "FI-X-25")),
    ("mount_doom", ("c5", "d5", "g5", "h5"), "which square is Mount Doom", ("LR-X-01",)),
    ("doom_immune", _SWITCH, "whether the bearer is safe on Mount Doom", ("LR-X-03", "LR-X-36")),
    ("ring_gone_visible", _SWITCH, "whether invisibility ends with the Ring", ("LR-X-06",)),
    ("frodo_tie_kills", _SWITCH, "whether the bearer captures an equal", ("LR-X-12", "LR-X-36")),
    ("dragon_over_zones", _SWITCH, "whether a flight may cross zones", ("FI-X-01",)),
    ("arrow_takes_flag", _SWITCH, "whether an arrow captures a flag", ("FI-X-23",)),
    ("enchant_cap", ("off",), "how many enchantments each player has", ("FI-X-26", "FI-X-30")),
    ("enchant_probe", ("on", "off"), "whether a bomb or flag must show itself", ("FI-X-20",)),
)
MOST = {"enchant_cap": 99}

_ALL = (
    Option(
        "captured_pieces",
        "open",
        "who may look at captured pieces: both, the capturer, the loser, or nobody",
        ("CM-07", "DM-C-01", "DM-C-02", "DM-C-03", "DM-C-04", "DM-C-05", "LR-C-01", "FI-C-01"),
        ("open", "prisoner", "secret", "stealth"),
    ),
    Option(
        "memory",
        "assisted",
        "whether shown pieces stay marked, may be noted by hand, or must be remembered",
        ("CM-08",),
        ("assisted", "notes", "strict"),
    ),
    Option(
        "two_square_limit",
        "2",
        "how many moves in a row one piece may make between the same two squares",
        ("CM-02",),
        ("off",),
        most=9,
        range="a number from 1 to 9",
    ),
    Option(
        "two_square_counts_attacks",
        "off",
        "whether attacks count for the two-square limit too",
        ("CM-03",),
        needs="two_square_limit",
    ),
    Option(
        "chase_rule",
        "off",
        "a chaser may not bring back a position that was already there",
        ("CM-09",),
        concerns=_plain,
        concerns_words=_PLAIN_WORDS,
    ),
    Option(
        "no_progress_draw",
        "200",
        "the game is drawn after this many turns in which no piece was lost or won back",
        ("CM-09", "CM-16", "CM-20"),
        ("off",),
        most=10_000,
        range="a number from 1 to 10000",
    ),
    Option(
        "both_stuck",
        "side_to_move_loses",
        "what happens when neither side can do anything any more",
        ("CM-10", "CM-21"),
        ("side_to_move_loses", "draw"),
    ),
    Option(
        "clock",
        "none",
        "how much time there is to think",
        ("CM-13",),
        ("none",),
        parse=lambda text: parse_clock(text).text,
        range=LOOKS.removeprefix("none, "),
    ),
    Option(
        "aggressor_advantage",
        "off",
        "between equal ranks the attacker wins",
        ("ON-O-01",),
        concerns=_plain,
        concerns_words=_PLAIN_WORDS,
    ),
    Option(
        "silent_defense",
        "off",
        "only the attacker says its rank; the attacked piece stays secret",
        ("ON-O-02", "ON-O-03", "ON-O-04"),
        concerns=_plain,
        concerns_words=_PLAIN_WORDS,
    ),
    Option(
        "rescue",
        "off",
        "a piece that reaches the enemy’s back row may bring a lost piece back",
        ("ON-O-05", "ON-O-06", "ON-O-07", "ON-O-08"),
        concerns=_plain,
        concerns_words=_PLAIN_WORDS,
    ),
    Option(
        "rescue_zone",
        "home_rows",
        "where a rescued piece may come back",
        ("ON-X-10", "CM-25"),
        ("home_rows", "half"),
        concerns=_plain,
        concerns_words=_PLAIN_WORDS,
        needs="rescue",
    ),
    Option(
        "rescue_on_strike",
        "off",
        "whether winning a fight on the enemy’s back row allows a rescue too",
        ("ON-X-11",),
        concerns=_plain,
        concerns_words=_PLAIN_WORDS,
        needs="rescue",
    ),
    Option(
        "defender_advances",
        "off",
        "a defender that wins moves to the square from which it was attacked",
        ("ON-X-01", "CM-15"),
        concerns=_plain,
        concerns_words=_PLAIN_WORDS,
    ),
    Option(
        "spot_any_side",
        "off",
        "whether a Spotter may spot to the sides and backwards too",
        ("SM-X-01",),
        concerns=_spotting,
        concerns_words=_SPOT_WORDS,
    ),
    Option(
        "spot_move_then_attack",
        "off",
        "whether a Spotter may step and then attack in the ordinary way",
        ("SM-X-03",),
        concerns=_spotting,
        concerns_words=_SPOT_WORDS,
    ),
    Option(
        "spot_silent_miss",
        "off",
        "whether a wrongly guessed piece stays secret",
        ("SM-X-05",),
        concerns=_spotting,
        concerns_words=_SPOT_WORDS,
    ),
    *(
        Option(
            name,
            values[0],
            help_text,
            rules,
            values,
            most=MOST.get(name, 0),
            range=f"a number from 1 to {MOST[name]}" if name in MOST else "",
            concerns=_left_to(name),
            concerns_words="games with a power that leaves it open",
        )
        for name, values, help_text, rules in POWER_OPTIONS
    ),
)

OPTIONS: Mapping[str, Option] = {option.name: option for option in _ALL}
