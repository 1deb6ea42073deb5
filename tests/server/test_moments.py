"""Playing on from a moment of a finished game, and its record up to there."""

from __future__ import annotations

from pathlib import Path

from flagfall.match import from_record, to_record
from flagfall.notation import read_record
from tests.server.served import Guest, Json, Served, serving
from tests.server.test_reviews import finished, played

DUEL = "spin-master/duel"


def play_on(guest: Guest, match: str, **wanted: object) -> Json:
    body: Json = {"turn": 4, "side": "south", "level": "random", **wanted}
    return guest.post(f"/api/matches/{match}/continue", **body)


def seen(guest: Guest, match: str, viewer: str) -> Json:
    """The View of a viewer after turn 4 of the replay."""
    query: Json = {"as": viewer, "first": 4, "count": 1}
    page = guest.get(f"/api/matches/{match}/replay", **query)
    view: Json = page["steps"][0]["view"]
    return view


def known(view: Json) -> list[tuple[str, str]]:
    """What a viewer knows of the pieces on the board."""
    return [(piece["cell"], piece.get("kind", "")) for piece in view["pieces"]]


def refused(guest: Guest, match: str, status: int, **wanted: object) -> str:
    body = {"turn": 4, "side": "south", "level": "random", **wanted}
    answer = guest.http.post(f"/api/matches/{match}/continue", json=body)
    assert answer.status_code == status, answer.text
    return str(answer.json()["code"])


def test_the_new_match_shows_its_player_the_moment_and_says_where_it_comes_from(served: Served) -> None:
    anna, match = finished(served, 4, DUEL)
    before = seen(anna, match, "south")
    state = play_on(anna, match)
    assert state["phase"] == "playing"
    assert (state["turn"], state["to_move"], state["yours"]) == (4, "south", ["south"])
    assert known(state["view"]) == known(before)
    assert state["clocks"]["style"] == "none"
    assert state["continued"]["match"] == match
    assert "turn 4" in state["continued"]["sentence"]
    assert "North were dealt again" in state["continued"]["sentence"]
    assert state["seats"]["north"]["level"] == "random"


def test_the_true_armies_stay_as_they_were(served: Served) -> None:
    anna, match = finished(served, 4, DUEL)
    new = play_on(anna, match, side="north", deal="true", training=True)["match"]
    state = anna.post(f"/api/matches/{new}/resign", seat="north")
    assert state["training"]
    assert (
        anna.get(f"/api/matches/{new}/openings")["north"]["setup"]
        == (anna.get(f"/api/matches/{match}/openings")["north"]["setup"])
    )


def test_a_watcher_is_not_told_which_game_would_show_the_armies(served: Served) -> None:
    anna, match = finished(served, 4, DUEL)
    new = play_on(anna, match, deal="true")["match"]
    stranger = Guest(served, "Zoe")
    state = stranger.state(new, as_="watcher")
    assert match not in str(state)
    assert state["continued"]["turn"] == 4
    assert known(state["view"]) == known(seen(stranger, match, "watcher"))
    assert stranger.http.get(f"/api/matches/{new}/record").status_code == 403
    anna.post(f"/api/matches/{new}/resign")
    assert stranger.state(new, as_="watcher")["continued"]["match"] == match


def test_a_continued_game_survives_a_restart_and_its_record_reads_back(tmp_path: Path) -> None:
    with serving(tmp_path, compiles="false") as served:
        anna, match = finished(served, 4)
        cookies = dict(anna.http.cookies)
        state = play_on(anna, match, training=True)
        new = state["match"]
    with serving(tmp_path, compiles="false") as served:
        anna = Guest(served, "Anna")
        anna.http.cookies.clear()
        anna.http.cookies.update(cookies)
        again = anna.state(new)
        for name in ("view", "continued", "training", "yours"):
            assert again[name] == state[name]
        anna.post(f"/api/matches/{new}/resign")
        record = read_record(anna.http.get(f"/api/matches/{new}/record").text)
        assert record.comments[0].startswith(f"Continued from turn 4 of the replay of match {match}")
        assert to_record(from_record(record)).comments == record.comments
        assert anna.get("/api/me/statistics")["games"] == 1, "only the first game counts"


def test_only_open_games_and_moments_that_exist_can_be_continued(served: Served) -> None:
    anna, ben, running = played(served)
    assert refused(anna, running, 403) == "hidden"
    ben.post(f"/api/matches/{running}/resign")
    assert refused(anna, "nothing", 404) == "not-found"
    assert refused(anna, running, 400, turn=5) == "malformed"
    assert refused(anna, running, 400, turn=-1) == "malformed"
    assert refused(anna, running, 400, turn=10**30) == "malformed"
    assert refused(anna, running, 404, level="os:system") == "not-found"
    assert refused(anna, running, 400, clock="yesterday") == "option"
    assert refused(anna, running, 400, clock="fischer 5+3", training=True) == "option"
    assert refused(anna, running, 400, side="watcher") == "malformed"
    stranger = Guest(served, "Zoe")
    assert play_on(stranger, running)["yours"] == ["south"], "everyone who may see the replay may play on"
    stranger.http.cookies.clear()
    assert refused(stranger, running, 401) == "no-guest"


def test_a_cancelled_game_cannot_be_continued(served: Served) -> None:
    anna, _, match = played(served, 0)
    anna.post(f"/api/matches/{match}/abort")
    assert refused(anna, match, 403, turn=0) == "hidden"


def test_continued_games_are_counted_as_new_computer_games(tmp_path: Path) -> None:
    with serving(tmp_path, compiles="false", computer_games_per_hour="1") as served:
        anna, match = finished(served)
        play_on(anna, match)
        assert refused(anna, match, 429) == "too-many"


def test_a_record_up_to_a_turn_reads_back_as_an_unfinished_game(served: Served) -> None:
    anna, match = finished(served, 4)
    text = anna.http.get(f"/api/matches/{match}/record?turns=3").text
    record = read_record(text)
    assert len(record.turns) == 3
    assert record.result is None
    assert from_record(record).to_move == "north"
    assert anna.http.get(f"/api/matches/{match}/record?turns=5").status_code == 400
