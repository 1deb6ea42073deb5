"""Watchers know a kind exactly when both seats know it and memory would still show it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flagfall.edition import game_ids
from tests.laws.sitting import Record, every_case, record


@pytest.mark.parametrize("game_id", game_ids())
def test_a_watcher_sees_a_kind_exactly_when_both_seats_see_it(game_id: str) -> None:
    seen = 0
    for case in every_case():
        if case.game.id == game_id:
            seen += _compare(record(replace(case)))
    assert seen > 0


def _compare(kept: Record) -> int:
    sitting = kept.sit()
    seen = 0
    for act in kept.actions:
        sitting.play(act)
        south, north, watcher = (
            sitting.eyes.view(sitting.state, viewer) for viewer in ("south", "north", "watcher")
        )
        for one, two, third in zip(south.pieces, north.pieces, watcher.pieces, strict=True):
            assert one.name == two.name == third.name
            both = one.kind if one.kind == two.kind else ""
            assert third.kind == both
            seen += bool(third.kind)
        is_open = kept.case.options["captured_pieces"] == "open"
        assert all(bool(piece.kind) == is_open for piece in watcher.tray)
        assert watcher.legal == ()
        assert watcher.prompt is None
        assert watcher.barred == ()
    return seen
