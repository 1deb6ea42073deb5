"""Small networks with random weights, for tests without torch."""

from pathlib import Path

import numpy as np

from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.rl.layout import Layout
from flagfall.rl.network import shape_for
from flagfall.rl.network_file import NetworkFile, header_for, write_network


def random_network(
    game_id: str, options: dict[str, str] | None = None, *, places: bool = True
) -> NetworkFile:
    game = load_game(game_id)
    chosen = resolve(game, options or {})
    layout = Layout(game, chosen, compile_game(game, chosen), places=places)
    shape, rng = shape_for(layout, 4, 1), np.random.default_rng(7)
    weights = {name: rng.normal(0, 0.3, sizes).astype(np.float32) for name, sizes in shape.arrays().items()}
    return NetworkFile(header_for(layout, shape, trained="not at all"), weights)


def written(folder: Path, name: str, network: NetworkFile) -> Path:
    file = folder / name
    write_network(file, network)
    return file
