"""Reviews of finished games: one request starts them, they are kept, and a running game has none."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from flagfall.notation import to_json
from flagfall.server.workers import ReviewJob, Workers
from tests.analysis.test_analysis import SHORT
from tests.server.served import Guest, Json, Served, friends, seal_both, serving
from tests.server.test_nothing_leaked import twins
from tests.server.test_workers import ask, job, run

GAME = "mini/3x4"
REVIEWS = "flagfall.server.sessions.reviews"
QUICK = {f"{REVIEWS}.INTERPRETED_NODES": 60}
LIVENESS_S = 120.0


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("reviews"), QUICK, compiles="false") as running:
        yield running


def played(served: Served, turns: int = 4, game: str = GAME) -> tuple[Guest, Guest, str]:
    """Two friends in a game after some turns without a fight; where there are none, they play another."""
    while True:
        anna, ben, match = friends(served, game)
        seal_both(anna, ben, match, game)
        for turn in range(turns):
            mover = (anna, ben)[turn % 2]
            state = mover.state(match)
            quiet = [choice["action"] for choice in state["choices"] if not choice["is_attack"]]
            if not quiet:
                break
            mover.post(f"/api/matches/{match}/act", number=state["number"], action=quiet[0])
        else:
            return anna, ben, match


def finished(served: Served, turns: int = 4, game: str = GAME) -> tuple[Guest, str]:
    """A game that North has resigned after some turns."""
    anna, ben, match = played(served, turns, game)
    ben.post(f"/api/matches/{match}/resign")
    return anna, match


def until(guest: Guest, match: str, is_reached: Callable[[Json], bool]) -> Json:
    """Ask for a review until it has come so far."""
    end = time.monotonic() + LIVENESS_S
    while not is_reached(found := guest.get(f"/api/matches/{match}/review")):
        assert time.monotonic() < end, found
        time.sleep(0.02)
    return found


def is_done(found: Json) -> bool:
    return bool(found["status"] == "done")


# ---------------------------------------------------------------------- from one click to the findings


def test_a_review_is_worked_out_once_and_kept(tmp_path: Path) -> None:
    with serving(tmp_path, QUICK, compiles="false") as served:
        anna, match = finished(served)
        path = f"/api/matches/{match}/review"
        assert anna.get(path)["status"] == "none"
        assert anna.post(path)["status"] in ("running", "done")
        found = until(anna, match, is_done)
        assert (found["done"], found["turns"]) == (4, 4)
        findings = found["findings"]
        assert [turn["side"] for turn in findings["turns"]] == ["south", "north"] * 2
        assert all(turn["known"] and turn["truth"] for turn in findings["turns"])
        assert findings["summary"]
        served.kill()
        served.start()
        anna.http.base_url = served.url
        assert anna.post(path)["status"] == "done"
        assert anna.get(path)["findings"] == findings
        assert Guest(served).get(path)["findings"] == findings


def test_eyes_show_only_what_that_player_could_know(served: Served) -> None:
    anna, match = finished(served)
    anna.post(f"/api/matches/{match}/review")
    until(anna, match, is_done)
    south = anna.get(f"/api/matches/{match}/review", as_="south")["findings"]
    for turn in south["turns"]:
        assert turn["truth"] is None
        assert (turn["known"] is None) == (turn["side"] == "north")
    assert [side["side"] for side in south["sides"]] == ["south"]
    assert all(point["side"] == "south" for point in south["turning_points"])
    beliefs = anna.get(f"/api/matches/{match}/review/beliefs", as_="south", turn=2)
    assert beliefs["south"]
    assert beliefs["north"] == []
    both = anna.get(f"/api/matches/{match}/review/beliefs", turn=2)
    assert both["south"] == beliefs["south"]
    assert both["north"]


def test_two_games_that_look_alike_have_the_same_review_through_those_eyes(served: Served) -> None:
    first, second, north, texts = twins("barrage/classic", {})
    bodies = []
    for south in (first, second):
        anna, ben, match = friends(served, "barrage/classic")
        anna.post(f"/api/matches/{match}/setup", code=south)
        ben.post(f"/api/matches/{match}/setup", code=north)
        for text in texts[:6]:
            state = anna.state(match)
            mover = anna if state["to_move"] == "south" else ben
            mover.post(f"/api/matches/{match}/act", number=mover.state(match)["number"], text=text)
        if anna.state(match)["phase"] == "playing":
            anna.post(f"/api/matches/{match}/resign")
        anna.post(f"/api/matches/{match}/review")
        until(anna, match, is_done)
        seen = [ben.get(f"/api/matches/{match}/review", as_="north")["findings"]]
        seen += [
            ben.get(f"/api/matches/{match}/review/beliefs", as_="north", turn=turn)["north"]
            for turn in range(6)
        ]
        bodies.append(seen)
    assert bodies[0] == bodies[1]


def test_a_review_that_is_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    constants = {f"{REVIEWS}.INTERPRETED_NODES": 1500, f"{REVIEWS}.CHUNK": 1}
    with serving(tmp_path, constants, compiles="false") as served:
        anna, match = finished(served, 12, "barrage/classic")
        path = f"/api/matches/{match}/review"
        anna.post(path)
        until(anna, match, lambda found: found["done"] > 0)
        anna.delete(path)
        stopped = until(anna, match, lambda found: found["status"] == "stopped")
        assert 0 < stopped["done"] < stopped["turns"]
        assert anna.post(path)["done"] >= stopped["done"]


def test_a_review_that_nobody_asks_for_ends(tmp_path: Path) -> None:
    constants = {f"{REVIEWS}.INTERPRETED_NODES": 1500, f"{REVIEWS}.WANTED_S": 0.0}
    with serving(tmp_path, constants, compiles="false") as served:
        anna, match = finished(served, 12, "barrage/classic")
        anna.post(f"/api/matches/{match}/review")
        stranger = Guest(served)
        found = until(stranger, match, lambda found: found["status"] in ("none", "stopped"))
        assert found["done"] < found["turns"]


def test_a_guest_waits_for_one_review_and_others_wait_for_their_turn(tmp_path: Path) -> None:
    constants = {f"{REVIEWS}.INTERPRETED_NODES": 1500, f"{REVIEWS}.MAX_WAITING": 2}
    with serving(tmp_path, constants, compiles="false") as served:
        anna, long = finished(served, 12, "barrage/classic")
        _, second = finished(served)
        _, third = finished(served)
        anna.post(f"/api/matches/{long}/review")
        ben = Guest(served, "Ben")
        assert ben.post(f"/api/matches/{second}/review")["status"] == "waiting"
        assert ben.get(f"/api/matches/{second}/review")["ahead"] == 1
        assert ben.post(f"/api/matches/{third}/review")["status"] == "waiting"
        assert ben.get(f"/api/matches/{second}/review")["status"] == "none"
        carl = Guest(served, "Carl")
        assert carl.post(f"/api/matches/{second}/review", 503)["code"] == "too-busy"


# ---------------------------------------------------------------------- where there is none


def test_a_running_game_and_a_cancelled_one_cannot_be_reviewed(served: Served) -> None:
    anna, ben, match = played(served)
    stranger = Guest(served, "Carl")
    for guest in (anna, ben, stranger):
        for path in (f"/api/matches/{match}/review", f"/api/matches/{match}/review/beliefs"):
            assert guest.get(path, 403)["code"] == "hidden"
        assert guest.post(f"/api/matches/{match}/review", 403)["code"] == "hidden"
        assert guest.delete(f"/api/matches/{match}/review", 403)["code"] == "hidden"
    anna, ben, match = friends(served, GAME)
    anna.post(f"/api/matches/{match}/abort")
    for guest in (anna, ben):
        assert guest.get(f"/api/matches/{match}/review", 403)["code"] == "hidden"
        assert guest.post(f"/api/matches/{match}/review", 403)["code"] == "hidden"


def test_what_a_request_for_a_review_must_be(served: Served) -> None:
    anna, match = finished(served)
    anna.get("/api/matches/nothing/review", 404)
    anna.get(f"/api/matches/{match}/review", 400, as_="watcher")
    anna.get(f"/api/matches/{match}/review/beliefs", 400, turn=-1)
    assert anna.get(f"/api/matches/{match}/review/beliefs", 409)["code"] == "not-reviewed"
    with Guest(served) as nobody:
        nobody.http.cookies.clear()
        nobody.post(f"/api/matches/{match}/review", 401)
        nobody.delete(f"/api/matches/{match}/review", 401)
        nobody.http.cookies.set("flagfall", "forged")
        nobody.post(f"/api/matches/{match}/review", 401)
    anna, match = finished(served, 0)
    assert anna.post(f"/api/matches/{match}/review", 409)["code"] == "too-short"


def test_a_guest_starts_only_so_many_reviews(tmp_path: Path) -> None:
    with serving(tmp_path, QUICK, compiles="false", reviews_per_hour="2") as served:
        anna, match = finished(served)
        for _ in range(2):
            anna.post(f"/api/matches/{match}/review")
        assert anna.post(f"/api/matches/{match}/review", 429)["code"] == "too-many"


# ---------------------------------------------------------------------- the worker


def test_a_worker_that_reviews_yields_to_players() -> None:
    """It has the lowest priority and a place of its own; one that begins in the middle replays what was."""

    async def scenario() -> None:
        workers = Workers(1, compiles=False)
        try:
            await ask(workers, "anna", job())
            (player,) = workers.pids()
            asked = ReviewJob("m", to_json(SHORT), 0, "marshal", 60)
            for turn in range(3):
                step = msgspec.json.decode(await workers.review(msgspec.structs.replace(asked, turn=turn)))
                assert step["number"] == turn
            (reviewer,) = set(workers.pids()) - {player}
            assert os.getpriority(os.PRIO_PROCESS, reviewer) == 19
            assert os.getpriority(os.PRIO_PROCESS, player) < 19
            workers.end_review()
            assert workers.pids() == (player,)
            step = msgspec.json.decode(await workers.review(msgspec.structs.replace(asked, turn=4)))
            assert (step["number"], step["text"]) == (4, "c2xc3")
        finally:
            workers.close()

    run(scenario)
