"""A client can build every State from the first one and the changes; older news comes in pages."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from flagfall.server.sessions import presenter
from tests.match.games import barrage
from tests.server.served import Guest, Json, Served, essential, friends, merged, pick, seal_both


def _bare(state: Json) -> Json:
    """Return a State without times."""
    clocks = state["clocks"] | {"at_ms": 0, "south_ms": 0, "north_ms": 0}
    return state | {"view": essential(state["view"]), "clocks": clocks, "news": [], "since": 0}


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("onyx/classic", {"rescue": "on"}),
        ("spin-master/duel", {"memory": "strict"}),
        ("lotr/special-powers", {"clock": "10m"}),
    ],
)
def test_changes_give_the_same_states(served: Served, game: str, options: dict[str, str]) -> None:
    anna, ben, match = friends(served, game, options=options)
    rng, actions, changes = Random(7), 0, 0
    with anna, ben, Guest(served) as watcher:
        seal_both(anna, ben, match, game)
        sockets = []
        for guest in (anna, ben, watcher):
            opened = guest.socket(match, changes="1")
            sockets.append((guest, opened.__enter__(), opened))
        built: dict[Guest, Json] = {guest: socket.until("state") for guest, socket, _ in sockets}
        for _ in range(40):
            mover = {"south": anna, "north": ben}.get(built[anna]["to_move"] or "")
            if mover is None:
                break
            choice = pick(built[mover], rng)
            number = built[mover]["number"]
            mover.post(f"/api/matches/{match}/act", number=number, action=choice["action"])
            actions += 1
            for guest, socket, _ in sockets:
                wanted = guest.state(match)
                while _bare(built[guest]) != _bare(wanted):
                    message = socket.hear()
                    assert message["what"] in ("state", "change"), message
                    if message["what"] == "change":
                        changes += 1
                        assert "options" not in message["state"], "what stays the same is not sent again"
                        built[guest] = merged(built[guest], message)
                    else:
                        built[guest] = message
        for _, _, opened in sockets:
            opened.__exit__(None, None, None)
    assert changes > 1.5 * actions > 0


def test_news_come_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presenter, "MAX_NEWS", 7)
    match, rng = barrage(), Random(1)
    while match.to_move and match.number < 40:
        match.act(match.to_move, None, rng.choice(match.view(match.to_move).legal), 0)
    view, number = match.view("north"), match.number_for("north")
    newest, since = presenter.news_for(match, view, 0, number)
    assert len(newest) == 7
    assert since == newest[0].number
    pages: list[Any] = list(newest)
    while since:
        page, since = presenter.news_for(match, view, 0, number, since)
        assert len(page) <= 7
        pages = [*page, *pages]
    whole = {message.number: message.text for message in match.messages("north")}
    assert [one.number for one in pages] == [entry for entry, _ in match.seen("north")]
    assert {one.number: one.text for one in pages if one.text} == whole
    assert presenter.news_for(match, view, number - 3, number)[1] == number - 3


def test_older_news_over_http(served: Served) -> None:
    anna, ben, match = friends(served, "spin-master/duel")
    with anna, ben:
        seal_both(anna, ben, match, "spin-master/duel")
        state = anna.state(match)
        assert state["since"] == 0
        page = anna.get(f"/api/matches/{match}/news", before=2)
        assert page["news"] == [one for one in state["news"] if one["number"] < 2]
        assert page["since"] == 0
        assert ben.get(f"/api/matches/{match}/news", 403, as_="south", before=2)["code"] == "not-your-seat"
        assert json.dumps(page).count("kind") == 0
