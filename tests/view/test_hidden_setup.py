"""At the start everybody sees where pieces stand; only their owner sees what they are."""

from __future__ import annotations

from random import Random

import pytest

from flagfall.edition import load_game, resolve
from flagfall.view.view import VIEWERS
from tests.laws.seen_game import SeenGame, random_setup

BOXES = [
    "onyx/classic",
    "duel-masters/classic",
    "spin-master/standard",
    "spin-master/duel",
    "lotr/classic",
    "fire-and-ice/classic",
]


@pytest.mark.rule("ON-B-03", "DM-B-03", "SM-B-05", "LR-B-02", "FI-B-02")
@pytest.mark.parametrize("game_id", BOXES)
def test_pieces_face_their_owner(game_id: str) -> None:
    game = load_game(game_id)
    rng = Random(game_id)
    setups = (random_setup(game, 0, rng), random_setup(game, 1, rng))
    table = SeenGame(game, resolve(game, {}), *setups)
    for viewer in VIEWERS:
        view = table.observers.view(table.state, viewer)
        assert len(view.pieces) == game.army_size(0) + game.army_size(1)
        assert view.tray == ()
        for piece in view.pieces:
            side = VIEWERS.index(piece.side)
            roster = {kind.id for kind, count in zip(game.kinds, game.rosters[side], strict=True) if count}
            if piece.side == viewer:
                assert piece.kind in roster
                assert set(piece.looks_like) == roster
            else:
                assert piece.kind == ""
                assert set(piece.possible) == roster
            assert not piece.moved
            assert not piece.is_told
            assert piece.name == piece.cell
    by_cell = {piece.cell: piece.kind for piece in table.observers.view(table.state, "south").pieces}
    assert [kind for kind in by_cell.values() if kind].count("flag") == 1
