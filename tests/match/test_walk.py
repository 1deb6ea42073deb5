"""A recorded game from any turn on: every page shows what the whole walk shows."""

from __future__ import annotations

from random import Random

import pytest

from flagfall.match import Walk, records, to_record, walk
from tests.match.games import barrage


@pytest.mark.parametrize("viewer", ["south", "north", "watcher", "truth"])
def test_pages_agree_with_the_whole_walk(viewer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "KEPT_EVERY", 5)
    match, rng = barrage(), Random(3)
    while match.to_move and len(match.turns) < 23:
        match.act(match.to_move, None, rng.choice(match.view(match.to_move).legal), 0)
    record = to_record(match)
    whole = list(walk(record, viewer))  # type: ignore[arg-type]
    assert len(whole) == len(record.turns) + 1
    pages = Walk(record)
    for first in (20, 0, 7, 23, 10, 5, 22, 4, 30):
        assert list(pages.views(viewer, first, 6)) == whole[first : first + 6]  # type: ignore[arg-type]


def test_the_log_takes_back_what_was_not_stored() -> None:
    """A snapshot brings back position, clocks, numbers and everything viewers have seen."""
    match, rng = barrage(), Random(4)
    for _ in range(30):
        if match.to_move is None:
            break
        before, digest = match.snapshot(), match.digest()
        seen = {viewer: match.seen(viewer) for viewer in ("south", "north", "watcher")}
        views = {viewer: match.view(viewer) for viewer in seen}  # type: ignore[arg-type]
        mover, action = match.to_move, rng.choice(match.view(match.to_move).legal)
        match.offer_draw(mover, 1)
        match.act(mover, None, action, 1)
        match.abort(None, 2)
        match.restore(before)
        assert match.digest() == digest
        assert not match.is_over
        assert match.offer is None
        for viewer, events in seen.items():
            assert match.seen(viewer) == events  # type: ignore[arg-type]
            assert match.view(viewer) == views[viewer]  # type: ignore[arg-type]
        match.act(mover, None, action, 3)
