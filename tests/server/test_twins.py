"""Twins at the table: two pieces of South that nobody has seen are exchanged, and nobody else can tell.

Besides the plain game of `test_nothing_leaked`: two at one screen, a draw that is offered and declined, a
rematch, what is refused before the end, and the words of every refusal. Each course is run twice, with
South's setup as it is and with two pieces exchanged; what others are sent and what is logged must be alike.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pytest

from flagfall.board import CELLS, parse_cell
from flagfall.engine.action import VERB_NAMES, Action
from tests.server.served import Guest, Json, Served, friends, http_client
from tests.server.test_nothing_leaked import twins, without_summary

GAME, POWERS = "spin-master/duel", "fire-and-ice/special-powers"
MATCH_ID = re.compile(r"^[A-Za-z0-9_-]{12}$")


@dataclass(frozen=True)
class Play:
    """A game that twins can play: its options, the setups in one of two worlds, the turns."""

    game: str
    options: dict[str, str]
    south: str
    north: str
    texts: list[str]


class Heard:
    """What was sent to those who may not know South's setup, without ids and times."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._ids: dict[str, str] = {}

    def know(self, match: str) -> str:
        """A match whose id is replaced from now on."""
        assert MATCH_ID.match(match)
        self._ids.setdefault(match, f"MATCH{len(self._ids)}")
        return match

    def plain(self, text: str) -> str:
        """A text without what chance and time have put into it."""
        for match, name in self._ids.items():
            text = text.replace(match, name)
        text = re.sub(r'"(at_ms|created_ms)":\d+', r'"\1":0', text)
        text = without_summary(text)
        text = re.sub(r'"is_here":(true|false)', '"is_here":null', text)
        return re.sub(r'"commitments":\{[^}]*\}', '"commitments":{}', text)

    def add(self, text: str) -> None:
        """One more message."""
        self.texts.append(self.plain(text))

    def ask(self, guest: Guest, method: str, path: str, body: object = None, **query: object) -> Json:
        """Send a request, keep the status and the whole body."""
        params = {name.rstrip("_"): str(value) for name, value in query.items()}
        answer = guest.http.request(method, path, json=body, params=params)
        self.add(f"{answer.status_code} {answer.text}")
        is_json = answer.headers["content-type"].startswith("application/json")
        found: Json = answer.json() if is_json else {}
        return found


MARK = "route=/health"


def whole_log(served: Served) -> str:
    """The server's log with everything so far: a request is logged after it has been answered, one by one."""
    marks, until = served.log().count(MARK), time.monotonic() + 30
    with http_client(served.url) as http:
        http.get("/health")
    while (log := served.log()).count(MARK) == marks or not log.endswith("\n"):
        assert time.monotonic() < until, "a request is not logged"
        time.sleep(0.005)
    return log


Course = Callable[[Served, Play, Heard], None]


def alike(served: Served, course: Course, game: str, options: dict[str, str] | None = None) -> list[str]:
    """Run a course in both worlds; what was sent, the same in both."""
    south, twin, north, texts = twins(game, options or {})
    assert south != twin
    worlds = []
    for setup in (south, twin):
        heard, before = Heard(), len(whole_log(served))
        course(served, Play(game, options or {}, setup, north, texts), heard)
        lines = whole_log(served)[before:].splitlines()
        log = sorted(heard.plain(re.sub(r"^\S+ |took_ms=\S+", "", line)) for line in lines)
        worlds.append((heard.texts, log))
    (first, first_log), (second, second_log) = worlds
    assert len(first) == len(second)
    for one, other in zip(first, second, strict=True):
        assert one == other
    assert first_log == second_log
    return first


def begun(served: Served, play: Play, heard: Heard) -> tuple[Guest, Guest, str]:
    """Two guests at a table, both setups sealed."""
    anna, ben, match = friends(served, play.game, options=play.options)
    heard.know(match)
    anna.post(f"/api/matches/{match}/setup", code=play.south)
    ben.post(f"/api/matches/{match}/setup", code=play.north)
    return anna, ben, match


def play_turn(anna: Guest, ben: Guest, match: str, text: str) -> None:
    """The next turn, by the side to move."""
    mover = anna if anna.state(match)["to_move"] == "south" else ben
    mover.post(f"/api/matches/{match}/act", number=mover.state(match)["number"], text=text)


@pytest.mark.parametrize(
    ("game", "options"),
    [(GAME, {}), (GAME, {"memory": "strict"}), ("onyx/classic", {"silent_defense": "on"})],
)
def test_two_at_one_screen(served: Served, game: str, options: dict[str, str]) -> None:
    """The curtain, North's page and a stranger, over HTTP and over a socket that changes its eyes."""

    def course(served: Served, play: Play, heard: Heard) -> None:
        with Guest(served, "Anna") as anna, Guest(served) as stranger:
            made = anna.post(
                "/api/matches", game=play.game, opponent="hot-seat", side="south", options=play.options
            )
            match = heard.know(made["match"])
            path = f"/api/matches/{match}"
            with anna.socket(match, as_="watcher") as curtain:
                curtain.until("state")
                for side, code in (("south", play.south), ("north", play.north)):
                    anna.post(f"{path}/setup", seat=side, code=code)
                for text in play.texts:
                    seat = anna.state(match, as_="watcher")["to_move"]
                    state = anna.state(match, as_=seat)
                    anna.post(f"{path}/act", seat=seat, number=state["number"], text=text)
                    heard.ask(anna, "GET", f"{path}/state", as_="watcher")
                    heard.ask(anna, "GET", f"{path}/state", as_="north")
                    number = heard.ask(stranger, "GET", f"{path}/state")["number"]
                    heard.ask(anna, "GET", f"{path}/state")
                    while curtain.state["number"] < number:
                        curtain.hear()
                    heard.add(curtain.heard[-1])
                    curtain.send(do="look", viewer="north", since=0)
                    curtain.until("state", viewer="north")
                    heard.add(curtain.heard[-1])
                    curtain.send(do="look", viewer="watcher", since=0)
                    curtain.until("state", viewer="watcher")
                    heard.add(curtain.heard[-1])

    sent = alike(served, course, game, options)
    assert len(sent) >= 7 * 8


@pytest.mark.parametrize("game", [GAME, POWERS])
def test_a_draw_is_offered_declined_and_lapses(served: Served, game: str) -> None:
    def course(served: Served, play: Play, heard: Heard) -> None:
        anna, ben, match = begun(served, play, heard)
        path = f"/api/matches/{match}"
        with anna, ben, Guest(served) as watcher:

            def look() -> None:
                for guest in (ben, watcher):
                    heard.ask(guest, "GET", f"{path}/state")
                    with guest.socket(match) as socket:
                        socket.until("state")
                        heard.add(socket.heard[-1])

            for text in play.texts[:2]:
                play_turn(anna, ben, match, text)
            anna.post(f"{path}/draw")
            look()
            heard.ask(ben, "POST", f"{path}/draw", {})
            heard.ask(ben, "POST", f"{path}/draw/answer", {"accepts": False})
            look()
            heard.ask(ben, "POST", f"{path}/draw/answer", {"accepts": False})
            heard.ask(ben, "POST", f"{path}/draw", {})
            heard.ask(ben, "POST", f"{path}/draw", {})
            look()
            for text in play.texts[2:4]:
                play_turn(anna, ben, match, text)
                look()

    sent = "\n".join(alike(served, course, game))
    for said in ("draw offered", "draw declined", "draw lapsed", "offer-pending", "no-offer"):
        assert said in sent


def test_a_rematch_is_offered_and_begins(served: Served) -> None:
    """The old match for North and watchers while a rematch is asked for, and the new one from its start."""

    def course(served: Served, play: Play, heard: Heard) -> None:
        anna, ben, match = begun(served, play, heard)
        path = f"/api/matches/{match}"
        with anna, ben, Guest(served) as watcher:
            for text in play.texts:
                play_turn(anna, ben, match, text)
            ben.post(f"{path}/resign")
            with ben.socket(match, as_="north") as socket, watcher.socket(match) as seen:
                socket.until("state")
                seen.until("state")
                for guest in (ben, watcher):
                    heard.ask(guest, "GET", f"{path}/state")
                anna.post(f"{path}/rematch")
                for other in (socket, seen):
                    other.until("state", rematch={"asked": ["south"], "match": ""})
                    heard.add(other.heard[-1])
                new = heard.know(ben.post(f"{path}/rematch")["rematch"]["match"])
                for guest in (ben, watcher):
                    heard.ask(guest, "GET", f"{path}/state")
                socket.until("state", rematch={"asked": ["south", "north"], "match": new})
                heard.add(socket.heard[-1])
            for guest in (ben, watcher):
                heard.ask(guest, "GET", f"/api/matches/{new}/state")
                with guest.socket(new) as first:
                    first.until("state")
                    heard.add(first.heard[-1])
            heard.ask(watcher, "GET", f"/api/matches/{new}/replay")
            heard.ask(ben, "GET", "/api/me/matches")
            anna.post(f"/api/matches/{new}/setup", code=anna.code(play.game, "north"))
            for guest in (ben, watcher):
                heard.ask(guest, "GET", f"/api/matches/{new}/state")

    sent = alike(served, course, GAME)
    assert any('"phase":"setup"' in text and "MATCH1" in text for text in sent)


@pytest.mark.parametrize("moves", [0, 1])
def test_a_called_off_game_stays_closed(served: Served, moves: int) -> None:
    """North calls the game off before its first turn; nobody learns what South had, by any way in."""

    def course(served: Served, play: Play, heard: Heard) -> None:
        anna, ben, match = begun(served, play, heard)
        path = f"/api/matches/{match}"
        with anna, ben, Guest(served) as watcher:
            for text in play.texts[:moves]:
                play_turn(anna, ben, match, text)
            with ben.socket(match) as socket, watcher.socket(match, changes="1") as seen:
                socket.until("state")
                seen.until("state")
                ben.post(f"{path}/abort")
                socket.until("state", phase="over")
                heard.add(socket.heard[-1])
                seen.until("change")
                heard.add(seen.heard[-1])
            anna.post(f"{path}/rematch")
            for guest in (ben, watcher):
                for viewer in ("south", "north", "watcher", "truth", ""):
                    heard.ask(guest, "GET", f"{path}/state?as={viewer}")
                    heard.ask(guest, "GET", f"{path}/news?as={viewer}&before=99")
                    heard.ask(guest, "GET", f"{path}/replay?as={viewer or 'truth'}")
                for opened in ("record", "record.json", "openings"):
                    heard.ask(guest, "GET", f"{path}/{opened}")
            heard.ask(ben, "GET", "/api/me/matches")

    sent = alike(served, course, GAME)
    assert any('"is_open":false' in text for text in sent)
    assert not any('"summary":{' in text for text in sent)


def test_the_summary_comes_with_the_end_and_not_before(served: Served) -> None:
    """North hears the same of both worlds until South resigns; then everything is shown at once."""
    ends: list[Json] = []

    def course(served: Served, play: Play, heard: Heard) -> None:
        anna, ben, match = begun(served, play, heard)
        path = f"/api/matches/{match}"
        with anna, ben, Guest(served) as watcher:
            for text in play.texts:
                play_turn(anna, ben, match, text)
                for guest in (ben, watcher):
                    state = heard.ask(guest, "GET", f"{path}/state")
                    assert (state["summary"], state["verdict"]) == (None, "")
            anna.post(f"{path}/resign")
            ends.append(ben.state(match)["summary"])
            assert watcher.state(match)["summary"] == ends[-1]

    alike(served, course, GAME)
    first, second = ends
    assert first["pieces"] != second["pieces"], "two pieces of South were exchanged"
    assert sorted(first["pieces"].values()) == sorted(second["pieces"].values())


def test_nothing_of_a_running_game_can_be_replayed(served: Served) -> None:
    def course(served: Served, play: Play, heard: Heard) -> None:
        anna, ben, match = begun(served, play, heard)
        path = f"/api/matches/{match}"
        with anna, ben, Guest(served, "Eve") as eve, Guest(served) as stranger:
            for at, text in enumerate(play.texts):
                play_turn(anna, ben, match, text)
                if at not in (0, 9):
                    continue
                for guest in (ben, eve, stranger):
                    for viewer in ("south", "north", "watcher", "truth", "nobody"):
                        for first in (0, 100_000):
                            heard.ask(guest, "GET", f"{path}/replay", as_=viewer, first=first, count=100)
                    for page in ("record", "record.json", "openings"):
                        heard.ask(guest, "GET", f"{path}/{page}")
                    for viewer in ("south", "truth"):
                        heard.ask(guest, "GET", f"{path}/state", as_=viewer)

    sent = alike(served, course, GAME)
    assert not [text for text in sent if text.startswith("200")]
    assert {text[:3] for text in sent} <= {"400", "403"}


def wrong_requests(path: str, play: Play) -> list[tuple[str, str, object]]:
    """What can be sent to a match and is refused, against both twins."""
    bodies: dict[str, list[object]] = {
        "setup": [{"code": play.north}, {"code": "?"}, {}, {"squares": {"a1": "flag"}}, {"code": 1}],
        "act": [
            {"number": 3},
            {"number": 3, "text": "a1-a2", "action": 1},
            {"number": -1, "text": "a1-a2"},
            {"number": 2**31 - 1, "text": "a1-a2"},
            {"number": 0, "action": 1},
            {"number": 0, "text": "x" * 401},
        ],
        "draw/answer": [{"accepts": True}, {"accepts": "yes"}, {}],
        "chat": [{"phrase": "psst"}, {}],
        "rematch": [{}],
        "join": [None],
        "abort": [{"seat": "south"}],
        "resign": [{"seat": "south"}, {"seat": "nobody"}],
        "draw": [{"seat": "south"}],
        "nothing": [{}],
    }
    asked: list[tuple[str, str, object]] = [
        ("POST", f"{path}/{what}", body) for what, each in bodies.items() for body in each
    ]
    notes: list[object] = [
        {"piece": "e9", "text": "?"},
        {"piece": "a1", "text": "x" * 13},
        {"piece": "a1", "text": "a\nb"},
        {"piece": "a1", "text": "?", "seat": "south"},
        [],
    ]
    asked += [("PUT", f"{path}/notes", body) for body in notes]
    asked += [(method, f"{path}/act", {}) for method in ("GET", "PUT", "DELETE")]
    return asked


@pytest.mark.parametrize(
    ("game", "options"), [(GAME, {}), (POWERS, {}), ("lotr/special-powers", {"memory": "strict"})]
)
def test_no_refusal_tells_twins_apart(served: Served, game: str, options: dict[str, str]) -> None:
    """What a request says that is wrong, and what actions say that are not possible, hundreds of them."""

    def course(served: Served, play: Play, heard: Heard) -> None:
        anna, ben, match = begun(served, play, heard)
        path, rng = f"/api/matches/{match}", Random("refusals")
        with anna, ben, Guest(served) as stranger:
            for at, text in enumerate(play.texts):
                state = ben.state(match)
                if at in (2, 3):
                    for method, where, body in wrong_requests(path, play):
                        heard.ask(ben, method, where, body)
                    heard.ask(stranger, "POST", f"{path}/act", {"number": state["number"], "text": text})
                if at in (2, 3, len(play.texts) - 1):
                    impossible(ben, match, state, rng, heard)
                play_turn(anna, ben, match, text)

    sent = alike(served, course, game, options)
    refused = [text for text in sent if '"what":"refused"' in text]
    assert len(refused) == len(sent)
    sentences = {json.loads(text[4:])["sentence"] for text in refused}
    assert len(sentences) > 40
    assert len({json.loads(text[4:])["code"] for text in refused}) >= 9


def impossible(ben: Guest, match: str, state: Json, rng: Random, heard: Heard) -> None:
    """North tries actions that are not legal, by number and by text; also while it is South's turn."""
    legal = {choice["action"] for choice in state["choices"]}
    squares = [piece["cell"] for piece in state["view"]["pieces"]]
    cells = [parse_cell(square) for square in squares]
    ways = {(choice["origin"], choice["target"]) for choice in state["choices"]}
    for _ in range(25):
        origin = rng.choice(cells)
        target = rng.choice([*cells, origin + 1, origin - 12, rng.randrange(CELLS)])
        act = Action(rng.randrange(len(VERB_NAMES)), origin, target, rng.randrange(12)).pack()
        if act not in legal:
            heard.ask(ben, "POST", f"/api/matches/{match}/act", {"number": state["number"], "action": act})
        one, other = rng.choice(squares), rng.choice(squares)
        text = f"{one}{rng.choice(('-', 'x', ' spot ', ' shoot ', ' '))}{other}"
        if (one, other) not in ways:
            heard.ask(ben, "POST", f"/api/matches/{match}/act", {"number": state["number"], "text": text})
