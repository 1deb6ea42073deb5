"""The boxes: what they contain, how they are read from their files, and which options they offer.

>>> game = load_game("spin-master/duel")
>>> game.army_size(0), game.has_verb("spot")
(10, True)
"""

from flagfall.edition.clock import Clock, parse_clock
from flagfall.edition.combat import combat_table, melee, power_table
from flagfall.edition.load import (
    add_box,
    all_editions,
    editions,
    game_ids,
    load_edition,
    load_file,
    load_game,
    load_text,
)
from flagfall.edition.option_table import Option, register_option
from flagfall.edition.options import OptionError, Options, concerning, parse_pairs, resolve
from flagfall.edition.rules_page import army_sheet, draw_board, piece_card, piece_cards, rules_page
from flagfall.edition.schema import Edition, EditionError, Game, Kind, UnknownGameError

__all__ = [
    "Clock",
    "Edition",
    "EditionError",
    "Game",
    "Kind",
    "Option",
    "OptionError",
    "Options",
    "UnknownGameError",
    "add_box",
    "all_editions",
    "army_sheet",
    "combat_table",
    "concerning",
    "draw_board",
    "editions",
    "game_ids",
    "load_edition",
    "load_file",
    "load_game",
    "load_text",
    "melee",
    "parse_clock",
    "parse_pairs",
    "piece_card",
    "piece_cards",
    "power_table",
    "register_option",
    "resolve",
    "rules_page",
]
