"""The panel: opponents that do not play like the levels, and which of them numbers may be fitted on.

Half of the panel is *held out*: its games are never used to fit weights, habits, setup types or networks, so
that a result against it says something about strangers. Held out are those who conceal (the hoarder shows its
top pieces to nobody, the walker lets anything walk up), because beliefs that were fitted on players who do
not conceal fail exactly there; the player of an earlier version, because it is what every later one is
compared with; and the mixtures with an even number. Fitted on may be those who show what they have (raider,
stepper, escort) and the mixtures with an odd number.
"""

from __future__ import annotations

from flagfall.errors import FlagfallError
from flagfall.players.registry import MIXTURE

EARLIER = "marshal-1"
"""the strongest level of an earlier version, which only a checkout with its history can play"""
TO_FIT = ("raider", "stepper", "escort", "mix:1", "mix:3", "mix:5")
HELD_OUT = ("hoarder", "walker", EARLIER, "mix:2", "mix:4", "mix:6")
PANEL = (*TO_FIT, *HELD_OUT)


class HeldOutError(FlagfallError):
    """A player of the held-out half was named for fitting; the message says which."""

    code = "held-out"


def is_held_out(name: str) -> bool:
    """Return whether numbers must not be fitted on games of this player.

    >>> is_held_out("hoarder"), is_held_out("raider"), is_held_out("mix:18"), is_held_out("mix:17")
    (True, False, True, False)
    """
    who = name.partition("@")[0]
    number = who.removeprefix(MIXTURE)
    if number != who and number.isdecimal():
        return int(number) % 2 == 0
    return who in HELD_OUT


def require_fit_half(names: tuple[str, ...] | list[str]) -> None:
    """Raise `HeldOutError` if one of these players is held out."""
    for name in names:
        if is_held_out(name):
            raise HeldOutError(
                f"“{name}” is of the held-out half of the panel, on which nothing is fitted; "
                f"use {', '.join(TO_FIT)} or another mixture with an odd number."
            )
