"""Every level plays every game, and every player plays a home-made box."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from flagfall.edition import game_ids, load_file, load_game, resolve
from flagfall.match.play import GameRunner
from flagfall.players import BUILT_IN, Budget, make_player
from flagfall.players.levels import LEVELS

BOX = Path(__file__).resolve().parents[2] / "examples" / "harbour.toml"
HOME = [f"{BOX}#{name}" for name in load_file(BOX).games]
NODES = 10


def in_turn(address: str, names: list[str], turns: int, seed: int = 3) -> int:
    """A game in which another player chooses at every turn; how many turns were played."""
    game = load_game(address)
    options = resolve(game, {})
    rng = Random(f"{address}/{seed}")
    hosts = [make_player(names[i - 1], game, options, rng, Budget(nodes=NODES)) for i in (0, 1)]
    running = GameRunner(game, options, (hosts[0].set_up(0), hosts[1].set_up(1)))
    while not running.is_over and running.turns < turns:
        side = running.mover
        player = make_player(names[running.turns % len(names)], game, options, rng, Budget(nodes=NODES))
        view = running.view(side)
        act = player.choose(view, running.history(side))
        assert act in view.legal
        running.play(act)
    return running.turns


@pytest.mark.parametrize("address", game_ids())
def test_every_level_plays_every_game(address: str) -> None:
    names = [level.id for level in LEVELS]
    turns = in_turn(address, names, len(names) + 1)
    if address.startswith("mini"):
        turns += sum(in_turn(address, names[i:] + names[:i], 4, seed=i) for i in range(1, 8))
    assert turns > len(names)


@pytest.mark.parametrize("address", HOME, ids=lambda address: address.rpartition("#")[2])
def test_every_player_plays_a_home_made_box(address: str) -> None:
    names = sorted(BUILT_IN)
    played = [in_turn(address, names[i:] + names[:i], len(names) + 1, seed=i) for i in (0, 5, 10)]
    assert sum(played) > 2 * len(names), "every player has had a turn"
