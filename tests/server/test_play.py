"""Matches over the API: joining, offers, resigning, aborting, rematches, chat, clocks, resuming, watching."""

from __future__ import annotations

import time
from hashlib import sha256
from pathlib import Path

from tests.server.served import Guest, Served, friends, pick, seal_both, serving

GAME, SMALL = "spin-master/duel", "mini/3x3"


def test_the_lobby(served: Served) -> None:
    with Guest(served, "Anna") as anna, Guest(served, "Ben") as ben, Guest(served, "Carla") as carla:
        made = anna.post(
            "/api/matches", game=GAME, opponent="lobby", side="north", options={"clock": "10m+5s"}
        )
        match = made["match"]
        (line,) = [one for one in ben.get("/api/lobby")["invitations"] if one["match"] == match]
        assert (line["host"], line["side"], line["clock"], line["is_yours"]) == (
            "Anna",
            "south",
            "10m+5s",
            False,
        )
        assert anna.post(f"/api/matches/{match}/join", 409)["code"] == "own-invitation"
        assert ben.post(f"/api/matches/{match}/join")["yours"] == ["south"]
        assert ben.post(f"/api/matches/{match}/join")["yours"] == ["south"]
        assert carla.post(f"/api/matches/{match}/join", 409)["code"] == "taken"
        assert anna.state(match)["seats"]["north"]["name"] == "Anna"
        assert match in {one["match"] for one in carla.get("/api/lobby")["running"]}
        assert [one["match"] for one in anna.get("/api/me/matches")["matches"]] == [match]


def test_the_host_takes_a_seat_when_the_friend_joins(served: Served) -> None:
    with Guest(served, "Anna") as anna, Guest(served, "Ben") as ben, Guest(served, "Eve") as eve:
        made = anna.post("/api/matches", game=GAME, opponent="friend", side="north")
        with anna.socket(made["match"]) as host, eve.socket(made["match"]) as stranger:
            assert host.until("state")["viewer"] == "watcher"
            assert stranger.until("state")["viewer"] == "watcher"
            ben.post(f"/api/invitations/{made['invitation']}")
            seated = host.until("state", phase="setup")
            assert (seated["viewer"], seated["yours"], "seal" in seated["can"]) == ("north", ["north"], True)
            assert stranger.until("state", phase="setup")["viewer"] == "watcher"


def test_an_invitation_is_withdrawn(served: Served) -> None:
    with Guest(served, "Anna") as anna, Guest(served, "Ben") as ben:
        made = anna.post("/api/matches", game=GAME, opponent="friend")
        assert ben.get(f"/api/invitations/{made['invitation']}")["host"] == "Anna"
        assert ben.post(f"/api/matches/{made['match']}/abort", 403)["code"] == "not-your-seat"
        assert anna.post(f"/api/matches/{made['match']}/abort")["phase"] == "over"
        assert ben.post(f"/api/invitations/{made['invitation']}", 409)["code"] == "taken"


def test_draw_resign_abort_rematch_chat(served: Served) -> None:
    anna, ben, match = friends(served, SMALL)
    with anna, ben:
        seal_both(anna, ben, match, SMALL)
        assert anna.post(f"/api/matches/{match}/draw")["offer"] == "south"
        assert "answer-draw" in ben.state(match)["can"]
        assert ben.post(f"/api/matches/{match}/draw/answer", accepts=False)["offer"] is None
        said = ben.post(f"/api/matches/{match}/chat", phrase="good-luck")["chat"]
        assert [(line["seat"], line["text"]) for line in said] == [("north", "Good luck, have fun!")]
        assert anna.get(f"/api/matches/{match}/openings", 403)["code"] == "hidden"
        over = anna.post(f"/api/matches/{match}/resign")
        for side, one in anna.get(f"/api/matches/{match}/openings").items():
            assert over["commitments"][side] == one["commitment"]
            assert sha256((one["salt"] + one["setup"]).encode()).hexdigest() == one["commitment"]
        assert over["result"] == {"winner": "north", "reason": "resigned"}
        assert over["verdict"] == "You lose: you resigned."
        assert ben.post(f"/api/matches/{match}/resign", 409)["code"] == "finished"
        assert anna.post(f"/api/matches/{match}/rematch")["rematch"] == {"asked": ["south"], "match": ""}
        again = ben.post(f"/api/matches/{match}/rematch")["rematch"]["match"]
        assert anna.state(match)["rematch"]["match"] == again
        assert anna.state(again)["yours"] == ["north"]
        assert ben.post(f"/api/matches/{again}/abort")["result"]["reason"] == "aborted"
        assert ben.get(f"/api/matches/{again}/record", 403)["code"] == "hidden"


def test_resume_from_a_number(served: Served) -> None:
    anna, ben, match = friends(served, GAME)
    with anna, ben:
        seal_both(anna, ben, match, GAME)
        state = anna.state(match)
        from random import Random

        rng = Random(1)
        heard: list[dict[str, object]] = []
        with ben.socket(match) as socket:
            heard += socket.until("state")["news"]
            for _ in range(6):
                mover = {"south": anna, "north": ben}.get(state["to_move"])
                if mover is None:
                    break
                mine = mover.state(match)
                state = mover.post(
                    f"/api/matches/{match}/act", number=mine["number"], text=pick(mine, rng)["text"]
                )
                while socket.state["number"] < ben.state(match)["number"]:
                    heard += socket.until("state")["news"]
        whole = ben.state(match)["news"]
        assert [one["number"] for one in heard] == [one["number"] for one in whole]
        for since in range(ben.state(match)["number"] + 1):
            wanted = [one for one in whole if one["number"] >= since]
            assert ben.state(match, since=since)["news"] == wanted
            with ben.socket(match, since=since) as socket:
                assert socket.until("state")["news"] == wanted


def test_waiting_for_news_and_watching(served: Served) -> None:
    anna, ben, match = friends(served, SMALL)
    with anna, ben, Guest(served) as watcher, watcher.socket(match) as socket:
        seal_both(anna, ben, match, SMALL)
        state = anna.state(match)
        assert ben.state(match, since=state["number"], wait_s=0.3)["number"] == state["number"]
        socket.until("state", phase="playing")
        anna.post(f"/api/matches/{match}/act", number=state["number"], action=state["choices"][0]["action"])
        seen = socket.until("state", number=state["number"] + 1)
        assert seen["viewer"] == "watcher"
        assert seen["choices"] == []
        assert seen["news"][0]["text"]


def test_the_flag_falls_by_itself_also_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        anna, ben, match = friends(served, SMALL, options={"clock": "1s/move"})
        _, _, second = friends(served, SMALL, options={"clock": "4s/move"})
        with anna, ben:
            seal_both(anna, ben, match, SMALL)
            with ben.socket(match) as socket:
                over = socket.until("state", phase="over")
            assert over["result"] == {"winner": "north", "reason": "time"}
            assert over["clocks"]["south_ms"] == 0
            late = anna.post(f"/api/matches/{match}/act", 409, number=3, text="a1-a2")
            assert late["code"] == "finished"
        other = friends(served, SMALL, options={"clock": "1s/move"})
        seal_both(other[0], other[1], other[2], SMALL)
        assert served.stop() == 0
        time.sleep(1)
        served.start()
        with other[0], other[1], Guest(served) as watcher:
            for _ in range(100):
                if watcher.state(other[2])["phase"] == "over":
                    break
                time.sleep(0.05)
            assert watcher.state(other[2])["result"]["reason"] == "time"
            assert watcher.state(second)["phase"] == "setup"
