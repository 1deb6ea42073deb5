"""Whole games, over plain HTTP and over sockets."""

from __future__ import annotations

from random import Random

import pytest

from tests.server.served import Guest, Json, Served, friends, pick, seal_both

GAME, SMALL = "spin-master/duel", "mini/3x3"
MOST = 3000


def test_two_friends_over_http(served: Served) -> None:
    anna, ben, match = friends(served, SMALL)
    with anna, ben:
        seal_both(anna, ben, match, SMALL)
        rng = Random(1)
        players = {"south": anna, "north": ben}
        state = anna.state(match)
        for _ in range(MOST):
            if state["phase"] == "over":
                break
            mover = players[state["to_move"]]
            mine = mover.state(match, since=state["number"])
            choice = pick(mine, rng)
            state = mover.post(f"/api/matches/{match}/act", number=mine["number"], action=choice["action"])
        check_finished(anna, match, state)


def check_finished(guest: Guest, match: str, state: Json) -> None:
    """The result, the record, and the replay through everybody's eyes."""
    assert state["phase"] == "over"
    assert state["result"]["reason"]
    assert state["verdict"]
    record = guest.http.get(f"/api/matches/{match}/record")
    assert record.status_code == 200
    assert record.headers["content-type"].startswith("text/plain")
    turns = guest.get(f"/api/matches/{match}/record.json")["turns"]
    with Guest(guest.served) as stranger:
        for viewer in ("south", "north", "watcher", "truth"):
            replay = stranger.get(f"/api/matches/{match}/replay", as_=viewer)
            assert replay["turns"] == len(turns)
            assert len(replay["steps"]) == min(50, len(turns) + 1)
        last = stranger.get(f"/api/matches/{match}/replay", as_="truth", first=len(turns))["steps"][0]
        assert all(piece["kind"] for piece in last["view"]["pieces"])
        assert all(piece["kind"] for piece in stranger.state(match, as_="truth")["view"]["pieces"])
        assert stranger.state(match, as_="south")["viewer"] == "south"


def test_two_friends_over_sockets(served: Served) -> None:
    anna, ben, match = friends(served, GAME)
    with anna, ben, anna.socket(match) as south, ben.socket(match) as north:
        sockets = {"south": south, "north": north}
        for side, guest in (("south", anna), ("north", ben)):
            sockets[side].until("state")
            sockets[side].send(do="seal", code=guest.code(GAME, side), id="s")
        for socket in sockets.values():
            socket.until("state", phase="playing")
        rng = Random(2)
        watched = 0
        for _ in range(MOST):
            state = sockets["south"].state
            if state["phase"] == "over":
                break
            mover = sockets[state["to_move"]]
            number = mover.state["number"]
            mover.send(do="act", number=number, text=pick(mover.state, rng)["text"], id="a")
            for socket in sockets.values():
                while socket.state["number"] <= number and socket.hear()["what"] != "refused":
                    watched += 1
        assert watched > 10
        check_finished(anna, match, sockets["south"].state)
        assert sockets["north"].state["phase"] == "over"


@pytest.mark.parametrize(("level", "game"), [("random", SMALL), ("greedy", GAME)])
def test_the_computer_over_http(served: Served, level: str, game: str) -> None:
    with Guest(served, "Anna") as anna:
        state = anna.post("/api/matches", game=game, opponent="computer", level=level, side="north")
        match = state["match"]
        anna.post(f"/api/matches/{match}/setup", code=anna.code(game, "north"))
        rng = Random(3)
        state = anna.state(match)
        for _ in range(MOST):
            if state["phase"] == "over":
                break
            if state["to_move"] == "north" and state["choices"]:
                state = anna.post(
                    f"/api/matches/{match}/act", number=state["number"], text=pick(state, rng)["text"]
                )
            else:
                state = anna.state(match, since=state["number"], wait_s=20)
        check_finished(anna, match, state)
        again = anna.post(f"/api/matches/{match}/rematch")["rematch"]["match"]
        assert anna.state(again)["yours"] == ["south"]


def test_the_computer_over_a_socket(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        match = anna.post("/api/matches", game=GAME, side="south")["match"]
        with anna.socket(match) as socket:
            socket.send(do="seal", code=anna.code(GAME, "south"))
            socket.until("state", phase="playing")
            rng = Random(4)
            acted = -1
            for _ in range(MOST):
                state = socket.state
                if state["phase"] == "over":
                    break
                if state["to_move"] == "south" and state["number"] > acted:
                    acted = state["number"]
                    socket.send(do="act", number=acted, action=pick(state, rng)["action"])
                assert socket.hear()["what"] in ("state", "done")
            check_finished(anna, match, socket.state)


def test_hot_seat_names_a_seat_and_sees_only_that_one(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        state = anna.post("/api/matches", game=GAME, opponent="hot-seat", second_name="Ben", side="south")
        match = state["match"]
        assert (state["viewer"], state["yours"]) == ("watcher", ["south", "north"])
        assert anna.state(match, status=400)["code"] == "name-a-seat"
        assert anna.post(f"/api/matches/{match}/setup", 400, code="F")["code"] == "name-a-seat"
        for side in ("south", "north"):
            anna.post(f"/api/matches/{match}/setup", seat=side, code=anna.code(GAME, side))
        with anna.socket(match, as_="watcher") as socket:
            socket.until("state")
            rng = Random(5)
            for _ in range(MOST):
                side = socket.state["to_move"]
                if side is None:
                    break
                socket.send(do="look", viewer=side, since=socket.state["number"])
                state = socket.until("state", viewer=side)
                enemies = [piece for piece in state["view"]["pieces"] if piece["side"] != side]
                assert all(piece.get("is_told") for piece in enemies if piece.get("kind"))
                choice = pick(state, rng)
                socket.send(do="act", seat=side, number=state["number"], action=choice["action"], id="x")
                socket.until("done", reply_to="x")
                socket.send(do="look", viewer="watcher", since=state["number"])
                socket.until("state", viewer="watcher")
            check_finished(anna, match, socket.state)
