"""The guide to a box of one's own names everything there is; its examples and the sample box work."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from flagfall.edition import Game, editions, load_file, load_text, power_table, resolve, rules_page
from flagfall.edition.compile import compile_game
from flagfall.edition.keys import keys_of
from flagfall.edition.schema import DEFAULT_WORDS
from flagfall.edition.verbs import PRIMITIVES
from flagfall.engine.play import deal, legal_actions, play
from flagfall.setups import random_setup

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/make-your-own-box.md").read_text(encoding="utf-8")
SAMPLE = ROOT / "examples/harbour.toml"
GAMES = ("classic", "high-tide", "short-night")


def sample(name: str) -> Game:
    return load_file(SAMPLE).games[name]


def usual(default: object) -> str:
    """A usual value as the guide writes it."""
    if isinstance(default, bool):
        return "`true`" if default else "`false`"
    if isinstance(default, str):
        return f'`"{default}"`' if default else "–"
    return "`[]`" if default == () else f"`{default}`"


def chapter(verb: str) -> str:
    return GUIDE.split(f"\n### {verb}\n")[1].split("\n#")[0]


@pytest.mark.parametrize("verb", PRIMITIVES)
def test_the_guide_names_every_verb_with_all_its_parameters(verb: str) -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", chapter(verb), re.MULTILINE))
    parameters = PRIMITIVES[verb].parameters
    assert list(rows) == list(parameters)
    assert list(rows.values()) == [usual(about.default) for about in parameters.values()]


@pytest.mark.parametrize("verb", PRIMITIVES)
def test_the_guide_has_an_example_for_every_verb_that_works(verb: str) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", chapter(verb), re.DOTALL)
    box = load_text(SAMPLE.read_text(encoding="utf-8") + "\n" + example)
    assert list(box.powers.values())[-1].verb == verb


def test_every_example_of_the_guide_is_a_part_of_a_box() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    for example in re.findall(r"```toml\n(\[power\..*?)```", GUIDE, re.DOTALL):
        text += "\n" + example
    assert len(load_text(text).powers) > len(PRIMITIVES)


def test_the_guide_names_every_key_word_and_option() -> None:
    for name in (
        *keys_of(""),
        *keys_of("kind.*"),
        *keys_of("game.*"),
        *DEFAULT_WORDS,
        *(name for box in editions() for name in box.options),
    ):
        assert re.search(rf"(`|\[|^|\s){name}(`|\.|\]| =|\s)", GUIDE, re.MULTILINE), name


def test_the_sample_box_combines_powers_of_several_verbs() -> None:
    verbs = {power.verb for power in sample("high-tide").powers()}
    assert verbs == {"run", "leap", "area", "strike", "two-step", "convert", "spot"}
    assert {power.verb for power in sample("classic").powers()} == {"run"}


@pytest.mark.parametrize("name", GAMES)
def test_the_sample_box_is_explained(name: str) -> None:
    game = sample(name)
    text = rules_page(game, resolve(game, {}))
    assert ("## Powers" in text) == (name != "classic")
    assert bool(power_table(game)) == (name != "classic")
    if name != "classic":
        assert "at most 2 pieces in a game." in text
        assert re.search(r"Shown, but not harmed: Smugglers?, Powder Kegs? and Lantern\.", text)
        assert "**One big bang.**" in text


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_the_sample_box_can_be_played(name: str, seed: int) -> None:
    game = sample(name)
    rng, options = Random(seed), resolve(game, {})
    tables = compile_game(game, options)
    state, _ = deal(tables, *(dict(random_setup(game, side, rng).kinds) for side in (0, 1)))
    played = 0
    while played < 300 and (actions := legal_actions(tables, state)):
        play(tables, state, rng.choice(actions))
        played += 1
    assert played > 5
