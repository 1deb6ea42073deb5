"""Broken and hostile boxes: the workshop's check always answers with problems, or with a box that plays.

``FLAGFALL_SOAK=1`` checks 10,000 mutated boxes instead of 300.
"""

from __future__ import annotations

import os
from importlib.resources import files
from random import Random

import pytest

from flagfall.edition import load_game, resolve
from flagfall.edition.load import MAX_BOX_CHARS
from flagfall.match.play import GameRunner, play_game
from flagfall.players import Budget, make_player
from flagfall.players.setup_generator import generated_setup
from flagfall.server.api.messages.workshop import BoxCheck
from flagfall.server.workers.box_check import MAX_GAMES, check_text
from flagfall.sides import BySide
from tests.fuzz.mutate import mutated

BOXES = 10_000 if os.environ.get("FLAGFALL_SOAK") else 300
PARTS = 10
TURNS = 6
DATA = files("flagfall.edition") / "data"
TEMPLATE = (DATA / "new-box.template").read_text(encoding="utf-8")
HARBOUR = (files("flagfall") / "../../examples/harbour.toml").read_text(encoding="utf-8")
CORPUS = (TEMPLATE, HARBOUR)


def examine(text: str, rng: Random) -> BoxCheck:
    """Check a text; places are inside it, and a box without problems is played for some turns."""
    checked = check_text(text, "")
    lines = text.split("\n")
    for problem in checked.problems:
        assert 1 <= problem.line <= len(lines), problem
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1, problem
        assert problem.message
    assert (checked.box is None) == bool(checked.problems)
    if checked.game is not None:
        game = load_game(checked.game.id, allow_files=False)
        options = resolve(game, {})
        players = BySide.of(lambda side: make_player("random", game, options, rng, Budget()))
        setups = BySide.of(lambda side: generated_setup(game, int(side), rng))
        play_game(GameRunner(game, options, setups), players, max_turns=TURNS)
    return checked


@pytest.mark.parametrize("part", range(PARTS))
def test_a_mutated_box_gives_problems_or_plays(part: int) -> None:
    rng = Random(f"boxes/{part}")
    valid = 0
    for _ in range(BOXES // PARTS):
        text = mutated(rng.choice(CORPUS), CORPUS, rng)
        valid += not examine(text, rng).problems
    assert valid > 0


def _kinds(number: int) -> str:
    kind = '[kind.k{}]\nname = "K"\ncode = "A"\nrank = 1\ncount = 1\ntext = "x"\n'
    return TEMPLATE + "".join(kind.format(at) for at in range(number))


GAME = '[game.g{}]\nextends = "classic"\nname = "G"\ntext = "x"\n'
HOSTILE = {
    "huge board": (TEMPLATE.replace("[6, 6]", "[100000, 100000]"), "from 2 to 10 columns"),
    "thousands of kinds": (_kinds(1_500), "at most 130 are possible"),
    "thousands of pieces": (TEMPLATE.replace("count = 3", "count = 100000"), "must be from 0 to 40"),
    "many games": (
        TEMPLATE
        + "".join(f'[game.g{at}]\nextends = "classic"\nname = "G"\ntext = "x"\n' for at in range(60)),
        f"at most {MAX_GAMES} are possible here",
    ),
    "deep lists": (TEMPLATE + "x = " + "[" * 20_000 + "]" * 20_000, "nested too deeply"),
    "long key": (TEMPLATE + ".".join("a" * 30_000) + " = 1", "more than 100 dots"),
    "long text": ("#" * (MAX_BOX_CHARS + 1), "more than 100000 characters"),
    "a file of lessons": (TEMPLATE.replace('id = "my-box"', 'id = "x"\nlessons = "x.toml"'), "names a file"),
    "a path of lessons": (
        TEMPLATE.replace('id = "my-box"', 'id = "x"\nlessons = "../../etc/passwd"'),
        "must name a file next to this one",
    ),
    "a bundled id": (TEMPLATE.replace('id = "my-box"', 'id = "onyx"'), "already a box with the id"),
    "id of a version": (
        TEMPLATE.replace('id = "my-box"', f'id = "box-{"a" * 26}"'),
        "already a box with the id",
    ),
    "thousands of unknown keys": ("".join(f"key{at} = 1\n" for at in range(6_000)), "unknown key"),
    "a circle": (
        TEMPLATE.replace("[game.classic]", '[game.classic]\nextends = "classic"'),
        "runs in a circle",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_box_is_refused_with_a_sentence(case: str) -> None:
    text, sentence = HOSTILE[case]
    checked = examine(text, Random(1))
    assert any(sentence in problem.message for problem in checked.problems), checked.problems[:3]
    assert len(checked.problems) <= 50
