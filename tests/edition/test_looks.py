"""How the pieces of every box look: the figures of an army differ, and its colour is what it is called."""

from __future__ import annotations

import colorsys
import re
from collections import defaultdict

import pytest

from flagfall.edition import Edition, Game, editions
from flagfall.edition.schema import Army

HUES = {
    "red": (340, 15),
    "orange": (15, 42),
    "brown": (15, 45),
    "beige": (25, 50),
    "gold": (30, 55),
    "yellow": (42, 70),
    "green": (80, 165),
    "blue": (190, 250),
    "purple": (255, 315),
    "pink": (315, 350),
}
"""the first and the last degree of the hues that are called so"""
GREYS = {
    "black": (0.0, 0.16),
    "grey": (0.25, 0.75),
    "gray": (0.25, 0.75),
    "silver": (0.6, 0.9),
    "white": (0.85, 1.0),
}
"""the lightness of colours without a hue"""
MAX_GREY = 0.2
"""the greatest difference between the channels of a grey"""

GAMES = [game for edition in editions() for game in edition.games.values()]
ARMIES = [(edition, army) for edition in editions() for army in edition.armies]


def has_colour(colour: str, word: str) -> bool:
    """Return whether a colour, such as ``#d9363e``, is what the word says; True for other words."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    if word in GREYS:
        low, high = GREYS[word]
        return low <= lightness <= high and max(red, green, blue) - min(red, green, blue) <= MAX_GREY
    if word not in HUES:
        return True
    first, last = HUES[word]
    degrees = hue * 360
    is_between = first <= degrees <= last if first < last else degrees >= first or degrees <= last
    return is_between and saturation > MAX_GREY


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("side", [0, 1])
def test_no_two_kinds_of_an_army_have_the_same_figure(game: Game, side: int) -> None:
    army = game.armies[side]
    kinds: dict[str, list[str]] = defaultdict(list)
    for kind, count in zip(game.kinds, game.rosters[side], strict=True):
        if count:
            kinds[kind.picture(army.id)].append(kind.id)
    assert "" not in kinds
    assert [names for names in kinds.values() if len(names) > 1] == []


@pytest.mark.parametrize(("edition", "army"), ARMIES, ids=lambda one: one.id)
def test_an_army_named_after_a_colour_has_it(edition: Edition, army: Army) -> None:
    words = re.findall(r"[a-z]+", f"{army.id} {army.name}".lower())
    assert [word for word in words if not has_colour(army.colour, word)] == [], edition.name


@pytest.mark.parametrize(
    ("colour", "word", "is_it"),
    [
        ("#d9363e", "red", True),
        ("#d55e00", "red", False),
        ("#2876c9", "blue", True),
        ("#17101d", "black", True),
        ("#4a3b52", "black", False),
        ("#e6d0ac", "beige", True),
        ("#777777", "red", False),
        ("#777777", "volcandria", True),
    ],
)
def test_colours_by_their_names(colour: str, word: str, is_it: bool) -> None:
    assert has_colour(colour, word) is is_it
