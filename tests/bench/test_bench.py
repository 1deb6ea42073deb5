"""The bench of the server measures every game it is asked for."""

from __future__ import annotations

from bench.server_clicks import measure


def test_clicks_are_measured() -> None:
    told: list[str] = []
    figures = measure(["mini/3x3"], 12, 1, lambda done, of, what: told.append(what))
    assert set(figures) == {"mini/3x3", "new match"}
    clicks = figures["mini/3x3"]
    assert 0 < clicks["own_ms"] <= clicks["own_p95_ms"]
    assert 0 < clicks["other_ms"] <= clicks["other_p95_ms"]
    assert clicks["bytes"] > 1000
    assert told == ["mini/3x3", "new matches", ""]
