"""Matches are listed and closed, also while they are played."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from random import Random

from tests.cli.run import one_sentence
from tests.server.admin.data_folder import DataFolder, until_message
from tests.server.admin.operator import Operator
from tests.server.served import pick, serving


def test_matches_are_listed(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    every = {one["match"]: one for one in admin.facts(kept.folder, "matches")}
    assert set(every) == {kept.running, kept.over, kept.waiting, kept.timed, kept.hot_seat}
    over = every[kept.over]
    assert (over["winner"], over["reason"], over["south"], over["north"]) == (
        "south",
        "resigned",
        "Anna",
        "Ben",
    )
    assert over["entries"] == 8
    for arguments, wanted in (
        (("--status", "over"), {kept.over}),
        (("--status", "waiting"), {kept.waiting}),
        (("--game", "mini/3x3"), {kept.hot_seat}),
        (("--guest", over["south_guest"]), {kept.running, kept.over, kept.timed, kept.waiting}),
    ):
        found = admin.facts(kept.folder, "matches", *arguments)
        assert {one["match"] for one in found} == wanted
    assert len(admin.facts(kept.folder, "matches", "--limit", 2)) == 2
    assert "no status" in one_sentence(admin(kept.folder, "matches", "--status", "lost"))


def test_a_closed_match_is_told_to_both_players(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    with serving(kept.folder) as served:
        anna, ben = kept.guests(served)
        with anna.socket(kept.timed) as south, ben.socket(kept.timed) as north:
            south.until("state")
            north.until("state")
            closed = admin.facts(kept.folder, "close", kept.timed, "--reason", "a player cheated")
            assert (closed["status"], closed["reason"]) == ("over", "aborted")
            for socket in (south, north):
                state = until_message(socket, "state", phase="over")
                assert state["result"]["reason"] == "aborted"
                assert "cheated" not in "".join(socket.heard)
        assert ben.post(f"/api/matches/{kept.timed}/resign", 409)["code"] == "finished"
        with anna.socket(kept.waiting) as host:
            assert host.until("state")["phase"] == "waiting"
            admin(kept.folder, "close", kept.waiting)
            assert until_message(host, "state", phase="over")
        assert ben.post(f"/api/matches/{kept.waiting}/join", 403)
        assert "over already" in one_sentence(admin(kept.folder, "close", kept.over))
        assert "no match" in one_sentence(admin(kept.folder, "close", "nothing"))
        listed = {one["match"]: one for one in admin.facts(kept.folder, "matches")}
        assert listed[kept.timed]["closed_because"] == "a player cheated"
        assert admin.facts(kept.folder, "verify")["problems"] == []
        served.stop()
        served.start()
        assert anna.state(kept.timed)["phase"] == "over"


def test_a_match_is_closed_while_it_is_being_played(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    kept = made.copy(tmp_path)
    with serving(kept.folder) as served:
        anna, ben = kept.guests(served)
        codes: list[int] = []

        def play() -> None:
            rng = Random(1)
            while True:
                state = anna.state(kept.running)
                if state["phase"] == "over":
                    return
                mover = anna if state["to_move"] == "south" else ben
                state = mover.state(kept.running)
                if not state["choices"]:
                    continue
                body = {"number": state["number"], "action": pick(state, rng)["action"]}
                codes.append(mover.http.post(f"/api/matches/{kept.running}/act", json=body).status_code)

        player = threading.Thread(target=play)
        player.start()
        time.sleep(0.3)
        ran = admin(kept.folder, "close", kept.running)
        player.join(timeout=60)
        assert not player.is_alive()
        assert ran.code == 0 or "over already" in ran.err
        assert set(codes) <= {200, 409, 503}
        assert admin.facts(kept.folder, "verify")["problems"] == []
