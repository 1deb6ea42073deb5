"""Guided games through the API: who is told what, and that twins are told the same."""

from __future__ import annotations

import pytest

from flagfall.edition import load_game, resolve
from flagfall.edition.guides import guide_book
from flagfall.match import Match, Seating
from flagfall.match.guides import guide_words
from tests.server.served import Guest, Json, Served
from tests.server.test_coach import acted, training
from tests.server.test_nothing_leaked import twins

GAME = "spin-master/duel"


def guide_info(guest: Guest) -> Json:
    course: Json = guest.get("/api/lessons")["courses"][0]
    (guide,) = course["guides"]
    return dict(guide)


def test_the_first_course_leads_to_a_guided_game_whose_setup_is_accepted(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        guide = guide_info(anna)
        assert (guide["game"], guide["side"]) == (GAME, "south")
        assert all(set(step["squares"]) <= set(guide["setup"]) for step in guide["steps"])
        made = anna.post(
            "/api/matches", game=guide["game"], side=guide["side"], level="greedy", training=True
        )
        assert made["guide"] == []
        state = anna.post(f"/api/matches/{made['match']}/setup", squares=guide["setup"])
        assert "south" in [side for side, seat in state["seats"].items() if seat["is_sealed"]]


def test_the_player_is_told_and_nobody_else(served: Served) -> None:
    anna, match = training(served, GAME)
    state = anna.state(match)
    assert state["guide"][0]["event"] == "begin"
    assert Guest(served).state(match)["guide"] == []
    assert anna.state(match, as_="watcher")["guide"] == []
    later = acted(anna, match)
    assert "begin" not in [line["event"] for line in later["guide"]]
    back = anna.post(f"/api/matches/{match}/take-back", number=later["number"])
    assert back["guide"] == state["guide"]
    anna.post(f"/api/matches/{match}/resign")
    assert [line["event"] for line in anna.state(match)["guide"]] == ["lost"]


@pytest.mark.parametrize(
    ("game", "wanted"), [(GAME, {"options": {"memory": "strict"}}), ("barrage/classic", {})]
)
def test_without_a_guide_or_from_memory_nothing_is_said(
    served: Served, game: str, wanted: dict[str, object]
) -> None:
    anna, match = training(served, game, **wanted)
    assert anna.state(match)["guide"] == []


def test_an_ordinary_game_has_no_guide(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        made = anna.post("/api/matches", game=GAME, level="greedy", side="south")
        anna.post(f"/api/matches/{made['match']}/setup", code=anna.code(GAME, "south"))
        state = made
        while state["phase"] != "playing":
            state = anna.state(made["match"], since=state["number"], wait_s=20)
        assert state["guide"] == []


def test_twins_are_told_the_same() -> None:
    south, twin, north, texts = twins(GAME, {})
    game, told = load_game(GAME), []
    guide = guide_book(game.edition)[GAME]
    for setup in (south, twin):
        match = Match.created(game, resolve(game, {}), Seating("Anna", "Computer"), 0, is_training=True)
        match.seal("south", setup, 0)
        match.seal("north", north, 0)
        said = []
        for text in texts:
            assert match.to_move is not None
            match.act(match.to_move, None, text, 0)
            said.append(guide_words(guide, match.view("north")))
        told.append(said)
    assert told[0] == told[1]
    assert len({one.event for lines in told[0] for one in lines}) > 1
