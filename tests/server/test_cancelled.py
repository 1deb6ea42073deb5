"""What a cancelled game hid stays hidden for good, from everybody but its owner."""

from __future__ import annotations

import json

import pytest

from tests.server.served import Guest, Json, Served, friends, seal_both

GAME = "spin-master/duel"
OPENED = ("record", "record.json", "replay", "openings")


def _kinds(state: Json, side: str) -> set[str]:
    """The kinds of one side's pieces that a State shows."""
    return {piece["kind"] for piece in state["view"]["pieces"] if piece["side"] == side and piece.get("kind")}


def _assert_hidden(anna: Guest, ben: Guest, match: str, shown: dict[str, set[str]]) -> None:
    """Nobody sees more than before the end, by any way in; ``shown`` is what the owners see of themselves."""
    owners = {"south": anna, "north": ben}
    with Guest(anna.served, "Eve") as eve, Guest(anna.served) as stranger:
        for side, owner in owners.items():
            for other in {anna, ben, eve, stranger} - {owner}:
                assert other.state(match, as_=side, status=403)["code"] == "not-your-seat"
                with other.socket(match, as_=side) as socket:
                    assert socket.hear()["code"] == "not-your-seat"
                with other.socket(match, as_="watcher") as socket:
                    socket.until("state")
                    socket.send(do="look", viewer=side, since=0)
                    assert socket.hear()["code"] == "not-your-seat"
            assert _kinds(owner.state(match, as_=side), side) == shown[side]
        for guest in (anna, ben, eve, stranger):
            assert guest.state(match, as_="truth", status=403)["code"] == "hidden"
            with guest.socket(match, as_="truth") as socket:
                assert socket.hear()["code"] == "hidden"
            for path in OPENED:
                assert guest.get(f"/api/matches/{match}/{path}", 403)["code"] == "hidden"
            for viewer in ("south", "north", "truth"):
                assert guest.get(f"/api/matches/{match}/replay", 403, as_=viewer)["code"] == "hidden"
            watched = guest.state(match, as_="watcher")
            assert watched["is_open"] is False
            assert not _kinds(watched, "south") | _kinds(watched, "north")
        assert not _kinds(anna.state(match), "north")
        assert not _kinds(ben.state(match), "south")


@pytest.mark.parametrize("caller", ["south", "north"])
def test_one_setup_is_in(served: Served, caller: str) -> None:
    anna, ben, match = friends(served, GAME)
    with anna, ben:
        anna.post(f"/api/matches/{match}/setup", code=anna.code(GAME, "south"))
        own = _kinds(anna.state(match), "south")
        assert own
        (anna if caller == "south" else ben).post(f"/api/matches/{match}/abort")
        _assert_hidden(anna, ben, match, {"south": own, "north": set()})


def test_both_setups_are_in_and_nobody_has_moved(served: Served) -> None:
    anna, ben, match = friends(served, GAME)
    with anna, ben:
        seal_both(anna, ben, match, GAME)
        own = {"south": _kinds(anna.state(match), "south"), "north": _kinds(ben.state(match), "north")}
        ben.post(f"/api/matches/{match}/abort")
        _assert_hidden(anna, ben, match, own)


def test_north_calls_off_after_souths_first_move_and_a_rematch_is_offered(served: Served) -> None:
    anna, ben, match = friends(served, GAME)
    with anna, ben:
        seal_both(anna, ben, match, GAME)
        state = anna.state(match)
        move = next(choice for choice in state["choices"] if not choice["is_attack"])
        anna.post(f"/api/matches/{match}/act", number=state["number"], action=move["action"])
        own = {"south": _kinds(anna.state(match), "south"), "north": _kinds(ben.state(match), "north")}
        ben.post(f"/api/matches/{match}/abort")
        _assert_hidden(anna, ben, match, own)
        anna.post(f"/api/matches/{match}/rematch")
        _assert_hidden(anna, ben, match, own)
        ben.post(f"/api/matches/{match}/rematch")
        _assert_hidden(anna, ben, match, own)
        assert "kind" not in json.dumps(anna.get("/api/me/matches"))


def test_it_stays_hidden_after_a_restart_of_the_match(served: Served) -> None:
    """A computer's setup is nobody's business either once its game was cancelled."""
    with Guest(served, "Anna") as anna:
        made = anna.post("/api/matches", game=GAME, level="random", side="south")
        match = made["match"]
        with anna.socket(match) as socket:
            socket.until("state")
            while not socket.state["seats"]["north"]["is_sealed"]:
                socket.hear()
        anna.post(f"/api/matches/{match}/abort")
        assert anna.state(match, as_="north", status=403)["code"] == "not-your-seat"
        assert anna.state(match, as_="truth", status=403)["code"] == "hidden"


def test_a_game_that_was_played_opens_to_everybody(served: Served) -> None:
    anna, ben, match = friends(served, GAME)
    with anna, ben, Guest(served) as stranger:
        seal_both(anna, ben, match, GAME)
        state = anna.state(match)
        move = next(choice for choice in state["choices"] if not choice["is_attack"])
        anna.post(f"/api/matches/{match}/act", number=state["number"], action=move["action"])
        ben.post(f"/api/matches/{match}/resign")
        truth = stranger.state(match, as_="truth")
        assert truth["is_open"]
        assert _kinds(truth, "south")
        assert _kinds(truth, "north")
        for path in OPENED[1:]:
            stranger.get(f"/api/matches/{match}/{path}")
