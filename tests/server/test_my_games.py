"""My games: the list and its filters, statistics, the download, deletion; and what others cannot do there."""

from __future__ import annotations

import asyncio
import io
import json
import re
import sqlite3
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from flagfall.edition import Game, load_game, resolve
from flagfall.edition.versions import MAX_VERSIONS, version_id_of
from flagfall.match import Match, Seating
from flagfall.match.facts import GameFacts, SideFacts, game_facts
from flagfall.notation import from_json, read_record
from flagfall.server.admin.verify import verify
from flagfall.server.api.routes.my_games import MAX_NAMED_VERSIONS, exported, games_named
from flagfall.server.sessions import guest_data
from flagfall.server.sessions import statistics as statistics_module
from flagfall.server.sessions.statistics import StatisticsFilter, statistics
from flagfall.server.store.rows import GuestRow, MatchRow
from flagfall.sides import Side
from tests.e2e.position import lay
from tests.server.served import Guest, Json, Served, friends, seal_both, serving
from tests.server.test_match_store import ANNA, _registry
from tests.server.test_nothing_leaked import twins

GAME = "mini/3x3"


def flag_game() -> Match:
    """A game in which South captures the Flag with its second turn."""
    game = load_game(GAME)
    match = Match.created(game, resolve(game, {}), Seating("Anna", "Ben"), 0)
    match.seal("south", "XsF", 0)
    match.seal("north", "FsX", 0)
    for turn, text in enumerate(("a1-a2", "b3-b2", "a2xa3"), start=1):
        match.act(match.to_move or "", None, text, turn * 1_000)
    return match


def resigned(guest: Guest, by: str = "south", game: str = GAME, **wanted: object) -> str:
    """A game that the guest has played on one screen or against a computer, resigned by a side."""
    made = guest.post("/api/matches", 200, game=game, side="south", **wanted)["match"]
    sides = ("south", "north") if wanted["opponent"] == "hot-seat" else ("south",)
    for side in sides:
        guest.post(f"/api/matches/{made}/setup", seat=side, code=guest.code(game, side))
    state = guest.state(made, as_="south")
    while state["phase"] == "setup":
        state = guest.state(made, as_="south", since=state["number"], wait_s=20)
    guest.post(f"/api/matches/{made}/resign", seat=by)
    return str(made)


def listed(guest: Guest, **wanted: object) -> list[str]:
    return [game["line"]["match"] for game in guest.get("/api/me/games", 200, **wanted)["games"]]


def awaited(ask: Callable[[], Json], is_done: Callable[[Json], bool]) -> Json:
    """Ask until the answer is complete."""
    until = time.monotonic() + 30
    while not is_done(found := ask()):
        assert time.monotonic() < until, found
        time.sleep(0.02)
    return found


def counted(guest: Guest, games: int) -> Json:
    return awaited(lambda: guest.get("/api/me/statistics"), lambda found: found["games"] == games)


# ---------------------------------------------------------------------- the list


def test_games_are_listed_by_game_opponent_and_result(served: Served) -> None:
    anna, ben, shared = friends(served, GAME)
    seal_both(anna, ben, shared, GAME)
    ben.post(f"/api/matches/{shared}/resign")
    lost = resigned(anna, opponent="computer", level="random")
    screen = resigned(anna, opponent="hot-seat", game="mini/3x4")
    running = str(anna.post("/api/matches", game=GAME, opponent="hot-seat")["match"])
    waiting = str(anna.post("/api/matches", game=GAME, opponent="friend")["match"])
    cancelled = str(anna.post("/api/matches", game=GAME, opponent="lobby")["match"])
    anna.post(f"/api/matches/{cancelled}/abort")
    assert set(listed(anna)) == {shared, lost, screen, running, waiting, cancelled}
    assert listed(anna, opponent="random") == [lost]
    assert set(listed(anna, opponent="people")) == {shared, waiting, cancelled}
    assert set(listed(anna, opponent="same-screen")) == {screen, running}
    assert listed(anna, result="won") == [shared]
    assert listed(anna, result="lost") == [lost]
    assert listed(ben, result="lost") == [shared]
    assert listed(anna, result="drawn") == []
    assert listed(anna, result="cancelled") == [cancelled]
    assert set(listed(anna, result="running")) == {running, waiting}
    assert listed(anna, game="mini/3x4") == [screen]
    assert len(listed(anna, game="mini")) == 6
    assert listed(anna, game="min") == listed(anna, game="%") == []
    page = awaited(
        lambda: anna.get("/api/me/games", result="won"), lambda page: page["games"][0]["turns"] is not None
    )
    (game,) = page["games"]
    assert (game["sentence"], game["turns"], game["has_replay"]) == ("You won: Ben resigned.", 0, True)
    assert page["played"] == ["mini/3x3", "mini/3x4"]
    assert [one["id"] for one in page["opponents"]] == ["people", "same-screen", "random"]
    assert ben.get("/api/me/games")["games"][0]["sentence"] == "You lost: you resigned."


def test_pages(served: Served) -> None:
    anna = Guest(served, "Anna")
    made = [str(anna.post("/api/matches", game=GAME, opponent="hot-seat")["match"]) for _ in range(23)]
    first, second = anna.get("/api/me/games"), anna.get("/api/me/games", page=2)
    assert (first["total"], first["pages"], len(first["games"]), len(second["games"])) == (23, 2, 20, 3)
    found = [game["line"]["match"] for page in (first, second) for game in page["games"]]
    assert sorted(found) == sorted(made)
    assert anna.get("/api/me/games", page=3)["games"] == []
    for wrong in ({"page": 0}, {"page": "x"}, {"result": "y"}, {"game": "x" * 81}):
        assert anna.get("/api/me/games", 400, **wrong)["code"] == "malformed"


def test_the_list_of_a_running_game_does_not_depend_on_hidden_pieces(served: Served) -> None:
    game = "spin-master/duel"
    south, twin, north, texts = twins(game, {})
    heard = []
    for setup in (south, twin):
        anna, ben, match = friends(served, game)
        anna.post(f"/api/matches/{match}/setup", code=setup)
        ben.post(f"/api/matches/{match}/setup", code=north)
        said = []
        for text in texts:
            state = anna.state(match)
            mover = anna if state["to_move"] == "south" else ben
            mover.post(f"/api/matches/{match}/act", number=mover.state(match)["number"], text=text)
            for path in ("/api/me/games", "/api/me/statistics"):
                answer = ben.http.get(path).text.replace(match, "MATCH")
                said.append(re.sub(r'"created_ms":\d+', "", answer))
        heard.append(said)
        (line,) = ben.get("/api/me/games")["games"]
        assert (line["turns"], line["sentence"], line["result"]) == (None, "", "running")
    assert heard[0] == heard[1]


# ---------------------------------------------------------------------- statistics


def test_facts_of_a_game() -> None:
    match = flag_game()
    assert match.is_open
    facts = game_facts(match)
    assert (facts.turns, facts.flag_by) == (3, "marshal")
    assert (facts.south.captures, facts.north.captures) == ({"marshal": 1}, {})
    assert (facts.south.time_ms, facts.north.time_ms) == (2_000, 1_000)


def row(winner: str, reason: str, level: str = "recruit", **more: object) -> MatchRow:
    values: dict[str, object] = {
        "id": f"{winner}-{reason}-{level}",
        "game": "onyx/classic",
        "options": {},
        "opponent": "computer" if level else "friend",
        "status": "over",
        "host": "anna",
        "host_side": "south",
        "south": "anna",
        "north": None if level else "ben",
        "south_name": "Anna",
        "north_name": f"Computer ({level.title()})" if level else "Ben",
        "north_level": level,
        "seed": "",
        "created_ms": 0,
        "winner": winner,
        "reason": reason,
    }
    return MatchRow(**(values | more))  # type: ignore[arg-type]


def test_statistics_count_results_captures_and_endings() -> None:
    mine, theirs = SideFacts({"scout": 3, "miner": 1}, 60_000), SideFacts({"marshal": 5}, 1_000)
    games = [
        (row("south", "flag captured"), GameFacts(40, mine, theirs, "scout")),
        (row("south", "flag captured", "marshal"), GameFacts(90, mine, theirs, "scout")),
        (row("north", "no move left", ""), GameFacts(70, mine, theirs)),
        (row("", "agreed"), GameFacts(10, mine, theirs)),
        (row("south", "time", "", north="anna", opponent="hot-seat"), GameFacts(5, mine, theirs)),
    ]
    found = statistics(games, "anna", 3)
    assert (found.games, found.won, found.lost, found.drawn, found.uncounted) == (4, 2, 1, 1, 3)
    assert [(one.name, one.won, one.lost, one.drawn) for one in found.by_level] == [
        ("Recruit", 1, 0, 1),
        ("Marshal", 1, 0, 0),
        ("People", 0, 1, 0),
    ]
    assert [(one.id, one.won, one.lost, one.drawn) for one in found.by_game] == [("onyx/classic", 2, 1, 1)]
    assert [(one.name, one.count) for one in found.wins] == [("Flag captured by your Scout", 2)]
    assert [(one.name, one.count) for one in found.losses] == [("You had no moves left", 1)]
    assert [(one.name, one.count) for one in found.captures] == [("Scout", 12), ("Miner", 4)]
    assert found.shortest_win is not None
    assert found.longest_win is not None
    assert (found.shortest_win.turns, found.longest_win.turns) == (40, 90)
    assert (found.turns, found.time_ms) == (210, 240_000)


HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
MONDAY_MS = 20_409 * DAY_MS
"""16 November 2025 is a Sunday; this is the midnight after it, in Greenwich"""


def begun(at_ms: int, winner: str = "south", **more: object) -> tuple[MatchRow, GameFacts]:
    """A game that began at a time, won by South if nothing else is said."""
    nothing = SideFacts({}, 0)
    return row(winner, "flag captured", created_ms=at_ms, **more), GameFacts(9, nothing, nothing)  # type: ignore[arg-type]


def test_results_by_date_have_no_gaps_and_keep_to_the_time_zone_of_the_reader() -> None:
    late, early = MONDAY_MS - HOUR_MS, MONDAY_MS + 2 * DAY_MS
    games = [begun(late), begun(late, "north"), begun(early, "")]
    found = statistics(games, "anna", 0)
    assert found.period == "day"
    assert [(one.start, one.won, one.lost, one.drawn) for one in found.by_date] == [
        ("2025-11-16", 1, 1, 0),
        ("2025-11-17", 0, 0, 0),
        ("2025-11-18", 0, 0, 0),
        ("2025-11-19", 0, 0, 1),
    ]
    east = statistics(games, "anna", 0, zone_minutes=60)
    assert [one.start for one in east.by_date] == ["2025-11-17", "2025-11-18", "2025-11-19"]
    assert statistics([], "anna", 0).by_date == ()


@pytest.mark.parametrize(
    ("days", "period", "first", "last"),
    [
        (20, "day", "2025-11-17", "2025-12-07"),
        (21, "week", "2025-11-17", "2025-12-08"),
        (26 * 7, "week", "2025-11-17", "2026-05-18"),
        (190, "month", "2025-11-01", "2026-05-01"),
        (800, "year", "2025-01-01", "2028-01-01"),
        (10**9, "year", "2025-01-01", "2100-01-01"),
    ],
)
def test_a_long_time_is_told_in_weeks_months_or_years(days: int, period: str, first: str, last: str) -> None:
    found = statistics([begun(MONDAY_MS), begun(MONDAY_MS + days * DAY_MS)], "anna", 0)
    assert (found.period, found.by_date[0].start, found.by_date[-1].start) == (period, first, last)
    assert len(found.by_date) <= 76
    assert sum(one.won for one in found.by_date) == 2


def test_only_the_games_of_a_filter_are_counted() -> None:
    games = [
        begun(100, "south", level="recruit"),
        begun(200, "north", level="marshal"),
        begun(300, "north", level="", game="onyx/other"),
        begun(400, "", level="recruit", game="barrage/classic"),
    ]

    def counted_by(**wanted: object) -> tuple[int, int, int]:
        found = statistics(games, "anna", 0, StatisticsFilter(**wanted))  # type: ignore[arg-type]
        return found.won, found.lost, found.drawn

    assert counted_by() == (1, 2, 1)
    assert counted_by(game="onyx") == (1, 2, 0)
    assert counted_by(game="onyx/classic") == (1, 1, 0)
    assert counted_by(opponent="recruit") == (1, 0, 1)
    assert counted_by(opponent="people") == (0, 1, 0)
    assert counted_by(result="lost") == (0, 2, 0)
    assert counted_by(since_ms=200, until_ms=400) == (0, 2, 0)
    assert counted_by(game="onyx", opponent="recruit", result="lost") == (0, 0, 0)


def test_statistics_of_a_filter_are_asked_for_and_kept_apart(served: Served) -> None:
    anna = Guest(served, "Anna")
    resigned(anna, opponent="computer", level="random")
    assert counted(anna, 1)["lost"] == 1
    assert anna.get("/api/me/statistics", result="won")["games"] == 0
    assert anna.get("/api/me/statistics", game="mini", opponent="random", zone=-60)["lost"] == 1
    (day,) = anna.get("/api/me/statistics")["by_date"]
    assert (day["won"], day["lost"]) == (0, 1)
    assert anna.get("/api/me/statistics", until_ms=1_000)["by_date"] == []
    for wrong in ({"result": "running"}, {"zone": 900}, {"since_ms": -1}, {"opponent": "x" * 41}):
        assert anna.get("/api/me/statistics", 400, **wrong)["code"] == "malformed"


def test_old_games_are_counted_when_statistics_are_asked_for(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        anna = Guest(served, "Anna")
        me = anna.get("/api/me")
        guest = GuestRow(me["id"], me["name"])
        lay(tmp_path, flag_game(), {Side.SOUTH: guest}, level="recruit")
        broken = lay(tmp_path, flag_game(), {Side.SOUTH: guest}, level="recruit")
        with sqlite3.connect(tmp_path / "flagfall.sqlite3") as database:
            database.execute("UPDATE matches SET winner = 'south', reason = 'flag captured'")
            database.execute("UPDATE log SET entry = '{}' WHERE match_id = ? AND number = 1", (broken,))
        first = anna.get("/api/me/statistics")
        assert (first["games"], first["uncounted"]) == (0, 2)
        found = awaited(lambda: anna.get("/api/me/statistics"), lambda one: one["uncounted"] == 0)
        assert (found["games"], found["won"]) == (1, 1)
        assert found["wins"][0]["name"].startswith("Flag captured by your ")
        games = {game["line"]["match"]: game for game in anna.get("/api/me/games")["games"]}
        assert games[broken]["result"] == "damaged"
        served.stop()
        assert "Traceback" not in served.log()


# ---------------------------------------------------------------------- the download


def unzipped(guest: Guest) -> dict[str, str]:
    answer = guest.http.get("/api/me/export")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["cache-control"] == "no-store"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_the_download_has_finished_games_notes_and_setups_and_nothing_hidden(served: Served) -> None:
    game = "spin-master/duel"
    anna, ben, running = friends(served, game)
    seal_both(anna, ben, running, game)
    piece = anna.state(running)["view"]["pieces"][0]["name"]
    anna.put(f"/api/matches/{running}/notes", piece=piece, text="mine")
    ben.put(f"/api/matches/{running}/notes", piece=piece, text="theirs")
    cancelled = anna.post("/api/matches", game=game, opponent="hot-seat")["match"]
    for side in ("south", "north"):
        anna.post(f"/api/matches/{cancelled}/setup", seat=side, code=anna.code(game, side))
    anna.post(f"/api/matches/{cancelled}/abort", seat="south")
    over = resigned(anna, opponent="hot-seat")
    anna.put("/api/me/setups", game=GAME, side="south", name="My wall", code=anna.code(GAME, "south"))
    files = unzipped(anna)
    records = [name for name in files if name.startswith("games/")]
    assert len(records) == 2
    assert all(over in name for name in records)
    text, twin = (files[name] for name in sorted(records, reverse=True))
    assert read_record(text) == from_json(twin)
    assert [one["name"] for one in json.loads(files["setups.json"])] == ["My wall"]
    assert json.loads(files["notes.json"]) == [{"match": running, "piece": piece, "text": "mine"}]
    assert {one["match"] for one in json.loads(files["games.json"])} == {running, cancelled, over}
    setup = anna.post(f"/api/games/{game}/setup", side="north")["code"]
    assert not any(setup in content for content in files.values())
    assert not any("theirs" in content for content in files.values())
    assert set(unzipped(Guest(served, "Eve"))) == {
        "README.txt",
        "devices.json",
        "games.json",
        "notes.json",
        "setups.json",
        "puzzles.json",
        "runs.json",
    }


def test_of_very_many_boxes_only_some_are_read_for_a_list() -> None:
    many = {f"{version_id_of(str(at))}/classic" for at in range(500)}
    shown = set(sorted(many)[-20:])
    named = games_named(shown, many | {GAME, *shown})
    assert named >= {GAME, *shown}
    assert len(named) == 1 + 20 + MAX_NAMED_VERSIONS
    assert 20 + MAX_NAMED_VERSIONS < MAX_VERSIONS, "what is read once stays in memory"


def test_of_very_many_boxes_only_some_are_read_for_statistics(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(game: str) -> Game:
        read.append(game)
        return load_game(GAME)

    monkeypatch.setattr(statistics_module, "find_game", noted)
    counted, found = game_facts(flag_game()), []
    for at in range(100):
        row = MatchRow(
            id=str(at), game=f"{version_id_of(str(at))}/classic", options={}, opponent="computer", seed="",
            status="over", host="anna", host_side="south", created_ms=0, updated_ms=0, south="anna",
            winner="south", reason="flag captured",
        )  # fmt: skip
        found.append((row, counted))
    assert statistics(found, "anna", 0).won == 100
    assert len(read) == statistics_module.MAX_READ_VERSIONS


def test_a_download_reads_one_box_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(game: str) -> str:
        read.append(game)
        return "a box"

    async def history() -> None:
        registry = await _registry(tmp_path)
        rows = [
            registry.new_matches.new_row(f"box-{at}/classic", {}, "computer", ANNA.id, "south")
            for at in range(5)
        ]

        async def over(*_: object) -> list[MatchRow]:
            return [msgspec.structs.replace(row, status="over") for row in rows]

        monkeypatch.setattr(registry.store, "matches_of", over)
        monkeypatch.setattr(guest_data, "text_of_game", noted)
        counts = [len(read) async for _ in guest_data.export(registry, ANNA)]
        assert counts[:6] == [0, 1, 2, 3, 4, 5]
        await registry.close()

    asyncio.run(history())


def test_downloads_are_limited(tmp_path: Path) -> None:
    with serving(tmp_path, exports_per_hour="2") as served:
        anna = Guest(served, "Anna")
        assert anna.http.head("/api/me/export").status_code == 200
        unzipped(anna)
        assert anna.get("/api/me/export", 429)["code"] == "too-many"
        assert Guest(served).get("/api/me/export", 401)["code"] == "no-guest"


def test_a_guest_gets_one_download_at_a_time_and_another_after_breaking_one_off(served: Served) -> None:
    anna = Guest(served, "Anna")
    for _ in range(3):
        resigned(anna, opponent="hot-seat")
    with ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(anna.http.get, "/api/me/export") for _ in range(6)]
    codes = {one.result().status_code for one in asked}
    assert 200 in codes
    assert codes <= {200, 503}
    with anna.http.stream("GET", "/api/me/export") as answer:
        next(answer.iter_raw(64))
    found = awaited(
        lambda: {"status": anna.http.get("/api/me/export").status_code}, lambda one: one["status"] == 200
    )
    assert found


def test_a_download_counts_until_it_is_complete_or_broken_off(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        for is_complete in (True, False):
            parts = exported(registry, ANNA)
            await anext(parts)
            assert registry.exporting == {ANNA.id}
            if is_complete:
                assert [part async for part in parts]
            else:
                await parts.aclose()
            assert registry.exporting == set()
        await registry.close()

    asyncio.run(history())


# ---------------------------------------------------------------------- deletion


def test_a_game_alone_is_deleted_and_one_with_a_friend_leaves_only_the_list(served: Served) -> None:
    anna, ben, shared = friends(served, GAME)
    eve = Guest(served, "Eve")
    alone = resigned(anna, opponent="hot-seat")
    path = "/api/me/matches/"
    assert anna.delete(path + shared, 409)["code"] == "not-over"
    for other in (eve, ben):
        assert other.delete(path + alone, 404)["code"] == "not-found"
    assert eve.delete(path + shared, 404)["code"] == "not-found"
    assert Guest(served).delete(path + alone, 401)["code"] == "no-guest"
    assert anna.delete(path + "nothing", 404)["code"] == "not-found"
    seal_both(anna, ben, shared, GAME)
    ben.post(f"/api/matches/{shared}/resign")
    anna.delete(path + shared)
    assert listed(anna) == [alone]
    assert [one["match"] for one in anna.get("/api/me/matches")["matches"]] == [alone]
    assert listed(ben) == [shared]
    assert ben.state(shared)["phase"] == "over"
    anna.delete(path + shared)
    anna.delete(path + alone)
    assert anna.get(f"/api/matches/{alone}/state", 404, as_="watcher")["code"] == "not-found"
    assert anna.delete(path + alone, 404)["code"] == "not-found"
    assert listed(anna) == []


def test_everything_of_a_guest_is_deleted(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        anna, ben, over = friends(served, GAME)
        seal_both(anna, ben, over, GAME)
        ben.post(f"/api/matches/{over}/resign")
        assert "Anna" in ben.http.get(f"/api/matches/{over}/record").text
        piece = anna.state(over)["view"]["pieces"][0]["name"]
        invited = anna.post("/api/matches", game=GAME, opponent="friend", side="south")
        running = invited["match"]
        ben.post(f"/api/invitations/{invited['invitation']}")
        seal_both(anna, ben, running, GAME)
        state = anna.state(running)
        anna.post(f"/api/matches/{running}/act", number=state["number"], action=state["choices"][0]["action"])
        anna.put(f"/api/matches/{running}/notes", piece=piece, text="a note")
        invited = anna.post("/api/matches", game=GAME, opponent="friend", side="south")
        fresh = invited["match"]
        ben.post(f"/api/invitations/{invited['invitation']}")
        alone = resigned(anna, opponent="hot-seat")
        thinking = anna.post("/api/matches", game=GAME, opponent="computer", level="random")["match"]
        waiting = anna.post("/api/matches", game=GAME, opponent="friend")
        anna.put("/api/me/setups", game=GAME, side="south", name="Wall", code=anna.code(GAME, "south"))
        me = anna.get("/api/me")["id"]
        cookie = anna.http.cookies["flagfall_guest"]
        ask = anna.http.request
        assert ask("DELETE", "/api/me", json={"guest": ben.get("/api/me")["id"]}).status_code == 409
        assert ask("DELETE", "/api/me").status_code == 400
        cross = ask("DELETE", "/api/me", json={"guest": me}, headers={"origin": "https://evil.example"})
        assert (cross.status_code, cross.json()["code"]) == (403, "cross-site")
        assert anna.get("/api/me")["name"] == "Anna"
        answer = ask("DELETE", "/api/me", json={"guest": me})
        assert answer.json() == {"guest": None}
        assert "Max-Age=0" in answer.headers["set-cookie"]
        assert "flagfall_guest" not in anna.http.cookies
        again = Guest(served)
        again.http.cookies.set("flagfall_guest", cookie)
        assert again.get("/api/me", 401)["code"] == "no-guest"
        for match in (alone, thinking, waiting["match"]):
            assert ben.get(f"/api/matches/{match}/state", 404, as_="watcher")["code"] == "not-found"
        ended = ben.state(running)
        assert (ended["result"]["winner"], ended["result"]["reason"]) == ("north", "resigned")
        assert ben.state(fresh)["result"]["reason"] == "aborted"
        for match in (over, running):
            assert ben.state(match)["seats"]["south"]["name"] == "Guest"
            record = ben.http.get(f"/api/matches/{match}/record").text
            assert "Anna" not in record
            assert "Guest" in record
        assert set(listed(ben)) == {over, running, fresh}
        served.stop()
        served.start()
        with Guest(served) as anybody:
            assert anybody.state(over)["seats"]["south"]["name"] == "Guest"
        served.stop()
        assert "Traceback" not in served.log()
        assert verify(tmp_path).problems == ()
        kept = _rows(tmp_path)
        assert not any(text in kept for text in ("a note", "Anna", "Wall"))
        assert "Guest" in kept


def _rows(folder: Path) -> str:
    """Every row of the database as text."""
    with sqlite3.connect(folder / "flagfall.sqlite3") as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return repr([database.execute(f"SELECT * FROM {table}").fetchall() for table in tables])
