"""Two at one keyboard: between two curtains stands nothing that the player at the keyboard may not know."""

from __future__ import annotations

import re
from itertools import combinations
from random import Random

import pytest

from flagfall.edition import load_game
from flagfall.match import Acted
from flagfall.setups import Setup, random_setup, swapped, write_setup
from flagfall.sides import Side
from tests.terminal.script import Script
from tests.terminal.table import CuriousPuppet, Puppet, play, said, seated

GAMES = [
    ("barrage/classic", (), 40),
    ("spin-master/duel", (), 40),
    ("barrage/classic", ("memory=strict", "captured_pieces=stealth"), 30),
    ("onyx/classic", ("rescue=on", "silent_defense=on", "memory=notes"), 16),
    ("lotr/classic", ("captured_pieces=prisoner",), 12),
]
NAMES = {"south": "Player 1 (South)", "north": "Player 2 (North)"}


def told_to(text: str, side: Side) -> str:
    """Everything said while one player sat at the keyboard."""
    parts = text.split("=== curtain: ")[1:]
    return "".join(part for part in parts if part.startswith(NAMES[side]))


def course(game: str, options: tuple[str, ...], setups: tuple[str, str], turns: int, seed: int) -> Puppet:
    puppet = CuriousPuppet(seed, turns, asks=True)
    table = seated(puppet, game, "human", *options, setups=setups)
    puppet.table = table
    play(table)
    return puppet


def never_touched(puppet: Puppet, side: Side) -> list[str]:
    """Squares whose pieces have stood still all game, and were neither attacked nor shown."""
    assert puppet.table is not None
    match = puppet.table.match
    texts = [entry.text for entry in match.log if isinstance(entry, Acted)]
    touched = set(re.findall(r"[a-j]\d+", " ".join(texts)))
    pieces = match.view(side, forgets=False).pieces
    return [p.cell for p in pieces if p.side == side and p.name == p.cell and p.cell not in touched]


@pytest.mark.parametrize(("game_id", "options", "turns"), GAMES)
@pytest.mark.parametrize("viewer", ["south", "north"])
def test_exchanging_two_unseen_enemies_changes_no_word(
    game_id: str, options: tuple[str, ...], turns: int, viewer: Side
) -> None:
    game, rng = load_game(game_id), Random(11)
    other: Side = Side.NORTH if viewer == Side.SOUTH else Side.SOUTH
    index = 1 if other == "north" else 0
    setups = [random_setup(game, 0, rng), random_setup(game, 1, rng)]
    first = course(game_id, options, (write_setup(setups[0]), write_setup(setups[1])), turns, seed=3)
    assert first.table is not None
    assert not first.table.match.is_over, "choose a seed whose game goes on"
    one, two = _pair(setups[index], never_touched(first, other))
    setups[index] = swapped(setups[index], one, two)
    script = Script(first.typed)
    twin = play(
        seated(script, game_id, "human", *options, setups=(write_setup(setups[0]), write_setup(setups[1])))
    )
    heard = told_to(first.text, viewer).rpartition("Saved.")[0] or told_to(first.text, viewer)
    assert heard
    assert heard == (told_to(twin, viewer).rpartition("Saved.")[0] or told_to(twin, viewer))


def _pair(setup: Setup, names: list[str]) -> tuple[int, int]:
    """Two of those squares with different kinds."""
    cells = dict(zip(setup.game.board.names(setup.kinds), setup.kinds, strict=True))
    for one, two in combinations((cells[name] for name in names), 2):
        if setup.kinds[one] != setup.kinds[two]:
            return one, two
    pytest.fail("no two pieces stayed untouched")


def test_the_curtain_falls_before_each_player_and_only_then() -> None:
    text = said("a1-a2", "c3-c2", "a2-a1")
    assert [part.split(" ===")[0] for part in text.split("=== curtain: ")[1:]] == [
        "Player 1 (South)",
        "Player 2 (North)",
        "Player 1 (South)",
        "Player 2 (North)",
    ]


def test_a_setup_desk_is_behind_the_curtain() -> None:
    terminal = Script(["show", "ready", "show", "ready"])
    text = play(seated(terminal, setups=()))
    south, north = text.split("=== curtain: ")[1:3]
    assert "Player 1 (South) setup> " in south
    assert "Player 2 (North) setup> " in north
    assert "[F]" in south.split("Player 1 (South) setup> ")[0]
    assert "  1 [" not in north


def test_against_the_computer_no_curtain_falls() -> None:
    assert "curtain" not in said("a1-a2", against="random")


def test_the_mover_learns_how_a_fight_went_before_the_curtain() -> None:
    text = said("a1-a2", "c3-c2", "b1-b2", "b3xb2", options=("memory=strict",))
    north = [part for part in text.split("=== curtain: ") if part.startswith("Player 2")][-1]
    assert "Spy" in north.split("Player 2 (North)> ")[-1]
