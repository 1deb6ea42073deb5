"""Notes, saved setups and presence, and the texts around the board."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from random import Random
from typing import Any
from unittest.mock import ANY

import pytest

from flagfall.edition import load_game, resolve
from flagfall.engine.action import ATTACK, MOVE
from flagfall.match import Match, Seating
from flagfall.server.api.requests import MAX_SAVED_SETUPS
from flagfall.server.sessions import texts
from flagfall.setups import random_setup, write_setup
from flagfall.view.view import VIEWERS, View
from tests.match.games import BARRAGE_NORTH, BARRAGE_SOUTH
from tests.server.served import Guest, Served, friends, pick, seal_both, serving

GAME, SMALL = "spin-master/duel", "mini/3x3"
POWERS = ("lotr/special-powers", "duel-masters/elemental-powers", "fire-and-ice/special-powers", GAME)


def test_notes_are_kept_across_a_restart(tmp_path_factory: pytest.TempPathFactory) -> None:
    with serving(tmp_path_factory.mktemp("notes")) as served:
        anna, ben, match = friends(served, SMALL)
        path = f"/api/matches/{match}/notes"
        assert anna.put(path, 409, piece="a3", text="flag?")["code"] == "not-started"
        seal_both(anna, ben, match, SMALL)
        assert anna.put(path, piece="a3", text=" flag? ")["notes"] == {"a3": "flag?"}
        anna.put(path, piece="a1", text="bait")
        assert anna.put(path, piece="a1", text="")["notes"] == {"a3": "flag?"}
        assert ben.put(path, piece="a3", text="mine")["notes"] == {"a3": "mine"}
        assert anna.put(path, 422, piece="a2", text="nobody")["code"] == "unknown-piece"
        assert anna.put(path, 400, piece="a3", text="x" * 13)["code"] == "malformed"
        assert anna.put(path, 400, piece="a3", text="a\nb")["code"] == "malformed"
        assert "flag?" not in served.log()
        assert served.stop() == 0
        served.start()
        assert anna.state(match)["notes"] == {"a3": "flag?"}
        assert "note" in anna.state(match)["can"]
        anna.post(f"/api/matches/{match}/resign")
        assert anna.put(path, piece="a3", text="it was")["notes"] == {"a3": "it was"}
        with Guest(served) as watcher:
            assert watcher.state(match)["notes"] == {}


def test_hot_seat_players_have_separate_notes(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        match = anna.post("/api/matches", game=SMALL, opponent="hot-seat")["match"]
        for side in ("south", "north"):
            anna.post(f"/api/matches/{match}/setup", seat=side, code=anna.code(SMALL, side))
        anna.put(f"/api/matches/{match}/notes", seat="south", piece="a3", text="flag?")
        assert anna.state(match, as_="south")["notes"] == {"a3": "flag?"}
        assert anna.state(match, as_="north")["notes"] == anna.state(match, as_="watcher")["notes"] == {}


def test_strict_memory_allows_no_notes(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Neither new notes nor any that were stored before they were refused."""
    sentence = "There are no notes in this game; remember it yourself."
    with serving(tmp_path_factory.mktemp("strict")) as served:
        anna, ben, match = friends(served, SMALL, options={"memory": "strict"})
        seal_both(anna, ben, match, SMALL)
        note = {"piece": "a3", "text": "flag?"}
        said = anna.put(f"/api/matches/{match}/notes", 409, **note)
        assert (said["code"], said["sentence"]) == ("no-notes", sentence)
        with ben.socket(match) as socket:
            socket.until("state")
            socket.send(do="note", id="1", **note)
            said = socket.hear()
            assert (said["what"], said["code"], said["reply_to"]) == ("refused", "no-notes", "1")
        assert served.stop() == 0
        with sqlite3.connect(served.folder / "flagfall.sqlite3") as old:
            assert old.execute("select count(*) from notes").fetchone() == (0,)
            old.execute(
                "insert into notes (match_id, seat, piece, text) values (?, 'south', 'a3', 'x')", (match,)
            )
        old.close()
        served.start()
        assert (anna.state(match)["notes"], ben.state(match)["notes"]) == ({}, {})
        assert "note" not in anna.state(match)["can"]
        anna.post(f"/api/matches/{match}/resign")
        assert anna.put(f"/api/matches/{match}/notes", 409, **note)["code"] == "no-notes"
        assert anna.state(match)["notes"] == {}
        assert "note" not in anna.state(match)["can"]


def test_limited_memory_hides_where_a_piece_came_from(served: Served) -> None:
    """Neither the View nor any page of news shows it."""
    anna, ben, match = friends(served, "barrage/classic", options={"memory": "strict"})
    squares = (BARRAGE_SOUTH, BARRAGE_NORTH)
    with anna, ben, Guest(served) as watcher:
        for guest, stand in zip((anna, ben), squares, strict=True):
            guest.post(f"/api/matches/{match}/setup", squares=stand)
        for text in ("e4-e5", "b7-b6", "e5-e6", "b6-b5"):
            mover = anna if anna.state(match)["to_move"] == "south" else ben
            mover.post(f"/api/matches/{match}/act", number=mover.state(match)["number"], text=text)
        for guest in (ben, watcher):
            state = guest.state(match, since=0)
            sent = json.dumps([state["view"], state["news"], state["steps"], state["notes"]])
            assert "e4" not in sent
            assert "b7" not in sent
            assert "b6" in sent, "the last turn is told"
            names = {piece["cell"]: piece["name"] for piece in state["view"]["pieces"]}
            assert (names["e6"], names["b5"]) == ("e6", "b6")


def test_saved_setups(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        one, two = (anna.post(f"/api/games/{GAME}/setup", side="south", shuffle=True)["code"] for _ in "ab")
        kept = anna.put("/api/me/setups", game=GAME, side="south", name=" Wall ", code=one)
        assert (kept["name"], kept["code"], kept["side"], kept["game"]) == ("Wall", one, "south", GAME)
        again = anna.put("/api/me/setups", game=GAME, side="south", name="Wall", code=two)
        assert (again["id"], again["code"]) == (kept["id"], two)
        small = anna.put("/api/me/setups", game=SMALL, side="north", name="Wall", code="FsX")
        assert [line["id"] for line in anna.get("/api/me/setups")["setups"]] == [kept["id"], small["id"]]
        assert anna.get("/api/me/setups", game=SMALL)["setups"] == [small]
        assert (
            anna.put("/api/me/setups", 422, game=GAME, side="south", name="Bad", code="F")["code"] == "setup"
        )
        assert anna.put("/api/me/setups", 404, game="no/game", side="south", name="x", code="F")["code"]
        assert anna.put("/api/me/setups", 400, game=SMALL, side="south", name=" ", code="XsF")["code"]
        assert anna.delete(f"/api/me/setups/{kept['id']}")["setups"] == [small]
        for number in range(MAX_SAVED_SETUPS - 1):
            anna.put("/api/me/setups", game=SMALL, side="south", name=f"No. {number}", code="XsF")
        full = anna.put("/api/me/setups", 409, game=SMALL, side="south", name="One more", code="XsF")
        assert full["code"] == "full"
        anna.put("/api/me/setups", game=SMALL, side="south", name="No. 0", code="sXF")


def test_saved_setups_have_tags_of_the_guest(served: Served) -> None:
    with Guest(served, "Anna") as anna, Guest(served, "Ben") as ben:
        where: dict[str, Any] = {"game": SMALL, "side": "south", "name": "Wall"}
        saved = anna.put("/api/me/setups", **where, code="XsF", own_tags=[" quick ", "Quick, for  Ben"])
        assert saved["own_tags"] == ["quick", "for Ben"]
        assert anna.put("/api/me/setups", **where, code="sXF")["own_tags"] == ["quick", "for Ben"]
        assert anna.get("/api/me/setups", game=SMALL)["setups"] == [saved | {"code": "sXF", "tags": ANY}]
        for tags, wrong in (
            ([f"no. {number}" for number in range(7)], "A saved setup has at most 6 tags"),
            (["x" * 25], "A tag has at most 24 characters"),
            (["a\nb"], "A tag has an invisible or unassigned character (U+000A)"),
        ):
            refused = anna.put("/api/me/setups", 400, **where, code="sXF", own_tags=tags)
            assert refused["sentence"].startswith(wrong)
        assert anna.put("/api/me/setups", **where, code="sXF", own_tags=[])["own_tags"] == []
        assert ben.get("/api/me/setups")["setups"] == []


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("hasty"), grace_s="0.3") as served:
        yield served


def test_presence(hasty: Served) -> None:
    anna, ben, match = friends(hasty, SMALL)
    with anna, ben, anna.socket(match) as socket:
        seats = socket.until("state")["seats"]
        assert (seats["south"]["is_here"], seats["north"]["is_here"]) == (True, False)
        with ben.socket(match):
            assert _north_is_here(socket, expected=True)
        with ben.socket(match) as again:
            again.until("state")
            seal_both(anna, ben, match, SMALL)
            playing = socket.until("state", phase="playing")
            assert playing["seats"]["north"]["is_here"], "a reload is no leaving"
        assert _north_is_here(socket, expected=False)
        with Guest(hasty) as watcher, watcher.socket(match) as watching:
            seats = watching.until("state")["seats"]
            assert (seats["south"]["is_here"], seats["north"]["is_here"]) == (True, False)


def _north_is_here(socket: object, *, expected: bool) -> bool:
    """Wait until a message fulfils the condition."""
    while True:
        message = socket.hear()  # type: ignore[attr-defined]
        if message["what"] == "state" and message["seats"]["north"]["is_here"] == expected:
            return True


def test_computers_and_hot_seats_are_always_present(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        alone = anna.post("/api/matches", game=SMALL, side="south")["seats"]
        assert (alone["south"]["is_here"], alone["north"]["is_here"]) == (False, True)
        both = anna.post("/api/matches", game=SMALL, opponent="hot-seat")["seats"]
        assert both["south"]["is_here"]
        assert both["north"]["is_here"]


def test_a_computer_seat_is_named_by_its_level(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        for level, name in (("marshal", "Computer (Marshal)"), ("greedy", "Computer (greedy)")):
            made = anna.post("/api/matches", game=SMALL, opponent="computer", level=level, side="south")
            assert made["seats"]["north"]["name"] == name


def test_chips_and_the_name_of_the_game(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        options = {"rescue": "on", "clock": "10m+5s"}
        made = anna.post("/api/matches", game="onyx/classic", opponent="friend", options=options)
        assert made["chips"] == ["10m+5s", "Rescue"]
        assert made["game_name"] == load_game("onyx/classic").name
        assert anna.post("/api/matches", game=SMALL, opponent="friend")["chips"] == []


def test_a_whole_turn_in_words(served: Served) -> None:
    anna, ben, match = friends(served, GAME)
    rng = Random(3)
    south, north = (write_setup(random_setup(load_game(GAME), side, rng)) for side in (0, 1))
    with anna, ben:
        assert anna.state(match)["prompt_words"] == "Set up your army."
        anna.post(f"/api/matches/{match}/setup", code=south)
        assert anna.state(match)["prompt_words"] == "Your army is ready. Ben is still setting up."
        ben.post(f"/api/matches/{match}/setup", code=north)
        for _ in range(200):
            mover, other = (anna, ben) if anna.state(match)["to_move"] == "south" else (ben, anna)
            mine, theirs = mover.state(match), other.state(match)
            assert theirs["prompt_words"] == f"{'Anna' if mover is anna else 'Ben'} is thinking."
            assert theirs["steps"] == []
            if mine["steps"]:
                break
            assert mine["prompt_words"] == "Your turn."
            spots = [choice for choice in mine["choices"] if choice["verb"] == "spot"]
            quiet = [choice for choice in mine["choices"] if not choice["is_attack"]]
            choice = rng.choice(spots) if spots else pick(mine | {"choices": quiet or mine["choices"]}, rng)
            mover.post(f"/api/matches/{match}/act", number=mine["number"], action=choice["action"])
        assert mine["steps"] == [f"Spot {choice['target']}"]
        assert mine["prompt_words"] == f"What stands on {choice['target']}? Name it."
        again = mover.state(match)
        assert (again["steps"], again["prompt_words"]) == (mine["steps"], mine["prompt_words"])


@pytest.mark.parametrize("game_id", POWERS)
def test_every_step_of_a_turn_has_words_for_the_mover_only(game_id: str) -> None:
    game = load_game(game_id)
    rng, asked = Random(7), set()
    for _ in range(2):
        match = Match.created(game, resolve(game, {}), Seating("Anna", "Ben"), 0)
        match.seal("south", random_setup(game, 0, rng), 0)
        match.seal("north", random_setup(game, 1, rng), 0)
        for _ in range(120):
            if match.to_move is None:
                break
            _said_to_each(match)
            view = match.view(match.to_move)
            if view.prompt:
                asked.add(texts.prompt_words(match, view))
            special = [action for action in view.legal if action.verb not in (MOVE, ATTACK)]
            match.act(match.to_move, None, rng.choice(special or view.legal), 0)
    assert asked
    assert "Your turn goes on." not in asked


def _said_to_each(match: Match) -> None:
    for viewer in VIEWERS:
        view: View = match.view(viewer)
        done = texts.steps(match, viewer)
        assert bool(done) == (match.is_turn_open and viewer == match.to_move)
        assert all(step and "{" not in step for step in done)
        said = texts.prompt_words(match, view)
        assert (viewer == match.to_move) != said.endswith("is thinking."), said
