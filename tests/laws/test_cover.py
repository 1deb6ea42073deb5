"""The option sets the laws are tried on contain every pair of values that can go together."""

from __future__ import annotations

import pytest

from flagfall.edition import OptionError, game_ids, load_game, resolve
from tests.laws import cover

# What `resolve` refuses, or sets by itself, whatever else is chosen.
_TOGETHER = {
    (("captured_pieces", "hidden"), ("memory", "assisted")),
    (("captured_pieces", "not secret"), ("silent_defense", "on")),
    (("captured_pieces", "nobody's"), ("rescue", "on")),
    (("captured_pieces", "nobody's"), ("rescue_zone", "half")),
    (("captured_pieces", "nobody's"), ("rescue_on_strike", "on")),
    (("memory", "assisted"), ("silent_defense", "on")),
    (("two_square_limit", "off"), ("two_square_counts_attacks", "on")),
    (("rescue", "off"), ("rescue_zone", "half")),
    (("rescue", "off"), ("rescue_on_strike", "on")),
    (("memory", "strict"), ("detect_known", "off")),
}
_WORDS = {
    "hidden": ("prisoner", "secret", "stealth"),
    "not secret": ("open", "prisoner", "stealth"),
    "nobody's": ("prisoner", "stealth"),
}
NEVER_TOGETHER = {
    ((first, value), second) for (first, word), second in _TOGETHER for value in _WORDS.get(word, (word,))
}


@pytest.mark.parametrize("game_id", game_ids())
def test_every_pair_of_values_that_can_go_together_is_covered(game_id: str) -> None:
    game = load_game(game_id)
    covered = set().union(*(cover.pairs_of(options) for options in cover.pairwise(game)))
    left_out = set(cover.wanted_pairs(game)) - covered
    assert left_out == NEVER_TOGETHER & set(cover.wanted_pairs(game))


@pytest.mark.parametrize("game_id", game_ids())
def test_every_value_of_every_option_is_tried_and_the_defaults_come_first(game_id: str) -> None:
    game = load_game(game_id)
    sets = cover.pairwise(game)
    assert sets[0] == resolve(game, {})
    for name, values in cover.values(game).items():
        assert {options[name] for options in sets} == set(values)


def test_the_cover_is_the_same_every_time() -> None:
    game = load_game("onyx/classic")
    first = cover.pairwise(game)
    cover.pairwise.cache_clear()
    assert cover.pairwise(game) == first


def test_a_refused_choice_is_no_set() -> None:
    game = load_game("onyx/classic")
    wanted = {"silent_defense": "on", "captured_pieces": "stealth"}
    assert cover.accepted(game, wanted) is None
    with pytest.raises(OptionError):
        resolve(game, wanted)
