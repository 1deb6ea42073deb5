"""The networks in `examples/networks` fit the games of today and win against the greedy player."""

from pathlib import Path

import pytest

import flagfall
from flagfall.rl.network_file import read_network

FILES = sorted((Path(__file__).parents[2] / "examples" / "networks").glob("*.safetensors"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_network_that_comes_with_flagfall_beats_the_greedy_player(file: Path) -> None:
    game = read_network(file).header.game
    assert file.stem == game.replace("/", "-")
    won = 0
    for seed in range(12):
        side = ("south", "north")[seed % 2]
        network = flagfall.player(f"net:{file}", seed=seed)
        greedy = flagfall.player("greedy", seed=seed)
        south, north = (network, greedy) if side == "south" else (greedy, network)
        last = flagfall.play(south, north, game, seed=seed, max_turns=200)
        won += last.outcome is not None and last.outcome.winner == side
    assert won >= 8


def test_there_are_networks_and_they_are_small() -> None:
    assert [file.stem for file in FILES] == ["barrage-classic", "spin-master-duel"]
    assert sum(file.stat().st_size for file in FILES) < 2**20
