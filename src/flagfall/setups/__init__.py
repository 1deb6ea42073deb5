"""Setups: read and written as text, random, in named styles, mirrored, swapped, checked.

>>> from random import Random
>>> from flagfall.edition import load_game
>>> setup = styled_setup(load_game("onyx/classic"), 0, "fortress", Random(3))
>>> warnings(setup)
()
"""

from flagfall.setups.advice import Weakness, can_step, shut_in, tags, warnings, weaknesses
from flagfall.setups.setup import (
    Setup,
    SetupError,
    mirrored,
    random_setup,
    setup_from_squares,
    swapped,
    turned,
)
from flagfall.setups.styles import STYLES, any_style, style_names, style_text, style_title, styled_setup
from flagfall.setups.text import read_setup, write_setup

__all__ = [
    "STYLES",
    "Setup",
    "SetupError",
    "Weakness",
    "any_style",
    "can_step",
    "mirrored",
    "random_setup",
    "read_setup",
    "setup_from_squares",
    "shut_in",
    "style_names",
    "style_text",
    "style_title",
    "styled_setup",
    "swapped",
    "tags",
    "turned",
    "warnings",
    "weaknesses",
    "write_setup",
]
