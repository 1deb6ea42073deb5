"""Another guest's cookie opens nothing, and twins cannot be told apart by anything that is sent."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from flagfall.edition import load_game, resolve
from flagfall.match import Match, Seating
from flagfall.setups import random_setup, swapped, write_setup
from tests.server.served import Guest, Json, Served, Socket, friends, seal_both

GAME = "spin-master/duel"
ACTIONS = 16
SUMMARY = '"summary":'


def test_another_guests_cookie_opens_nothing(served: Served) -> None:
    anna, ben, match = friends(served, GAME)
    with anna, ben, Guest(served, "Eve") as eve, Guest(served) as stranger:
        seal_both(anna, ben, match, GAME)
        for other in (eve, stranger):
            for side in ("south", "north"):
                assert other.state(match, as_=side, status=403)["code"] == "not-your-seat"
            assert other.state(match, as_="truth", status=403)["code"] == "hidden"
            watched = other.state(match)
            assert watched["viewer"] == "watcher"
            assert watched["yours"] == watched["choices"] == watched["can"] == []
            assert not any(
                piece.get("kind") or piece.get("possible") == [] for piece in watched["view"]["pieces"]
            )
            with other.socket(match, as_="south") as socket:
                assert socket.hear()["code"] == "not-your-seat"
            for path in ("record", "record.json", "replay"):
                assert other.get(f"/api/matches/{match}/{path}", 403)["code"] == "hidden"
        assert ben.state(match, as_="south", status=403)["code"] == "not-your-seat"
        commands: dict[str, Json] = {
            "setup": {"code": "F"},
            "act": {"number": 3, "text": "a1-a2"},
            "draw/answer": {"accepts": True},
            "chat": {"phrase": "hello"},
        }
        for command in (*commands, "resign", "draw", "abort", "rematch"):
            body, path = commands.get(command, {}), f"/api/matches/{match}/{command}"
            assert eve.post(path, 403, **body)["code"] == "not-your-seat"
            assert ben.post(path, 403, seat="south", **body)["code"] == "not-your-seat"
            assert stranger.post(path, 401, **body)["code"] == "no-guest"
        piece = anna.state(match)["view"]["pieces"][0]["name"]
        notes, note = f"/api/matches/{match}/notes", Json(piece=piece, text="flag")
        anna.put(notes, **note)
        assert eve.put(notes, 403, **note)["code"] == "not-your-seat"
        assert ben.put(notes, 403, seat="south", **note)["code"] == "not-your-seat"
        assert stranger.put(notes, 401, **note)["code"] == "no-guest"
        code = anna.code(GAME, "south")
        kept = anna.put("/api/me/setups", game=GAME, side="south", name="Mine", code=code)
        for other in (ben, eve):
            assert other.get("/api/me/setups")["setups"] == []
            assert other.delete(f"/api/me/setups/{kept['id']}", 404)["code"] == "not-found"
        assert stranger.get("/api/me/setups", 401)["code"] == "no-guest"
        assert stranger.delete(f"/api/me/setups/{kept['id']}", 401)["code"] == "no-guest"
        assert anna.get("/api/me/setups")["setups"] == [kept]
        anna.post(f"/api/matches/{match}/resign")
        assert anna.state(match)["notes"] == {piece: "flag"}
        for other, viewer in ((ben, "south"), (eve, "south"), (stranger, "truth"), (anna, "truth")):
            assert other.state(match, as_=viewer)["notes"] == {}, "notes are their owner's for ever"
        assert match not in json.dumps(eve.get("/api/me/matches"))
        assert stranger.get("/api/me", 401)["code"] == "no-guest"


def test_an_invitation_is_shown_to_its_host_only(served: Served) -> None:
    with Guest(served, "Anna") as anna, Guest(served, "Eve") as eve:
        made = anna.post("/api/matches", game=GAME, opponent="friend")
        assert anna.state(made["match"])["invitation"] == made["invitation"]
        assert eve.state(made["match"])["invitation"] == ""
        assert eve.post(f"/api/matches/{made['match']}/join", 403)["code"] == "not-your-seat"
        assert made["invitation"] not in served.log()
        assert made["match"] not in json.dumps(eve.get("/api/lobby"))
        cookie = anna.http.cookies["flagfall_guest"]
        assert cookie not in served.log()
        assert cookie.encode() not in (served.folder / "flagfall.sqlite3").read_bytes()


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (GAME, {}),
        (GAME, {"memory": "strict"}),
        ("onyx/classic", {"silent_defense": "on"}),
        ("barrage/classic", {"memory": "notes"}),
        ("fire-and-ice/special-powers", {}),
        ("lotr/special-powers", {}),
    ],
)
def test_twins(served: Served, game: str, options: dict[str, str]) -> None:
    """Two pieces of South that nobody has seen are exchanged, and South's notes say so.

    North and watchers are sent the same bytes, and the log of the server has the same lines.
    """
    south, twin, north, texts = twins(game, options)
    assert south != twin
    first, first_log = _told(served, game, options, south, north, texts, "as it is")
    second, second_log = _told(served, game, options, twin, north, texts, "exchanged")
    assert len(first) == len(second) > 2 * len(texts)
    for one, other in zip(first, second, strict=True):
        assert one == other
    assert len(first_log) > len(texts)
    assert first_log == second_log


def _told(
    served: Served, game: str, options: dict[str, str], south: str, north: str, texts: list[str], note: str
) -> tuple[list[str], list[str]]:
    """What is sent, and what the server writes down meanwhile, without times."""
    before = len(served.log())
    sent = _sent(served, game, options, south, north, texts, note)
    lines = served.log()[before:].splitlines()
    return sent, sorted(re.sub(r"^\S+ |took_ms=\S+", "", line) for line in lines)


def twins(game_id: str, options: dict[str, str]) -> tuple[str, str, str, list[str]]:
    """South's setup, the same with two unseen pieces exchanged, North's, and turns that both can play."""
    game = load_game(game_id)
    for seed in range(50):
        rng = Random(seed)
        setups = random_setup(game, 0, rng), random_setup(game, 1, rng)
        match = Match.created(game, resolve(game, options), Seating("Anna", "Ben"), 0)
        match.seal("south", setups[0], 0)
        match.seal("north", setups[1], 0)
        texts: list[str] = []
        while match.to_move and len(texts) < ACTIONS:
            texts.append(match.act(match.to_move, None, rng.choice(match.view(match.to_move).legal), 0).text)
        told = {
            event.piece
            for _, events in match.seen("north")
            for event in events
            if event.kind or event.what != "move"
        }
        moved = {event.piece for _, events in match.seen("north") for event in events if event.what == "move"}
        cells = [cell for cell in setups[0].kinds if game.board.names([cell])[0] not in told]
        cells.sort(key=lambda cell: game.board.names([cell])[0] not in moved)
        for one in cells:
            for other in cells:
                exchanged = swapped(setups[0], one, other)
                if exchanged != setups[0] and _plays(game_id, options, exchanged, setups[1], texts, match):
                    return write_setup(setups[0]), write_setup(exchanged), write_setup(setups[1]), texts
    raise AssertionError("no twins found")


def _plays(game_id: str, options: dict[str, str], south, north, texts, match: Match) -> bool:  # type: ignore[no-untyped-def]
    """Whether the twin can play the same turns and is seen alike."""
    game = load_game(game_id)
    twin = Match.created(game, resolve(game, options), Seating("Anna", "Ben"), 0)
    twin.seal("south", south, 0)
    twin.seal("north", north, 0)
    try:
        for text in texts:
            twin.act(twin.to_move or "", None, text, 0)
    except ValueError:
        return False
    return all(twin.seen(viewer) == match.seen(viewer) for viewer in ("north", "watcher"))


def _sent(
    served: Served, game: str, options: dict[str, str], south: str, north: str, texts: list[str], note: str
) -> list[str]:
    """Everything that North and a watcher are sent over HTTP and sockets, without ids and times."""
    anna, ben, match = friends(served, game, options=options)
    sent: list[str] = []
    with (
        anna,
        ben,
        Guest(served) as carla,
        anna.socket(match) as own,
        ben.socket(match) as one,
        carla.socket(match) as two,
    ):
        own.until("state")
        observers: list[tuple[Guest, Socket]] = [(ben, one), (carla, two)]
        for _, socket in observers:
            socket.until("state")
        anna.post(f"/api/matches/{match}/setup", code=south)
        _gather(sent, match, observers)
        ben.post(f"/api/matches/{match}/setup", code=north)
        _gather(sent, match, observers)
        piece = ben.state(match)["view"]["pieces"][0]["name"]
        if options.get("memory") != "strict":
            own.send(do="note", piece=piece, text=note)
            own.until("done")
            ben.put(f"/api/matches/{match}/notes", piece=piece, text="a scout?")
            one.until("state", notes={piece: "a scout?"})
            assert anna.state(match)["notes"] == {piece: note}
        for text in texts:
            state = anna.state(match)
            mover = anna if state["to_move"] == "south" else ben
            assert (mover is anna) == ("is thinking" in ben.state(match)["prompt_words"])
            if mover is anna:
                for wrong in ("a1-a1", "zzz", "a10-a9", text):
                    answer = ben.http.post(
                        f"/api/matches/{match}/act", json={"number": state["number"], "text": wrong}
                    )
                    sent.append(_plain(answer.text, match))
            number = mover.state(match)["number"]
            mover.post(f"/api/matches/{match}/act", number=number, text=text)
            _gather(sent, match, observers)
    return sent


def _gather(sent: list[str], match: str, observers: list[tuple[Guest, Socket]]) -> None:
    for guest, socket in observers:
        answer = guest.http.get(f"/api/matches/{match}/state")
        sent.append(_plain(answer.text, match))
        number = answer.json()["number"]
        while socket.state["number"] < number:
            socket.hear()
        sent.append(_plain(socket.heard[-1], match))


def _plain(text: str, match: str) -> str:
    text = text.replace(match, "MATCH")
    text = without_summary(re.sub(r'"at_ms":\d+', '"at_ms":0', text))
    return re.sub(r'"commitments":\{[^}]*\}', '"commitments":{}', text)


def without_summary(text: str) -> str:
    """Return a State without its summary, if the game is open: everything is shown then, and only then."""
    at = text.find(SUMMARY) + len(SUMMARY)
    if '"is_open":true' not in text or at < len(SUMMARY):
        return text
    _, end = json.JSONDecoder().raw_decode(text, at)
    return f"{text[:at]}{{}}{text[end:]}"
