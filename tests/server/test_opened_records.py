"""Records that a guest opens: read with bounds, seen by nobody else, reviewed, exported, deleted."""

from __future__ import annotations

import asyncio
import io
import sqlite3
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flagfall.match import Match
from flagfall.notation import Record, Turn, from_json, to_json, write_record
from flagfall.server.api.requests import ContinueRequest
from flagfall.server.errors import RequestError
from flagfall.server.sessions import moments, records
from flagfall.server.store import opened_records
from flagfall.sides import Side
from flagfall.view.view import Result
from tests.analysis.test_analysis import SHORT
from tests.server.served import Guest, Served, friends, serving
from tests.server.test_match_store import ANNA, _registry
from tests.server.test_reviews import QUICK, is_done, until

FINISHED = replace(SHORT, players=("Anna", "Ben"), result=Result.of(Side.SOUTH, "resigned"))
TEXT = write_record(FINISHED)
LONG = tuple(map(Turn, ("a1-a2", "d3-d2", "a2-b2", "d2-c2", "b2-a2", "c2-d2", "a2-a1", "d2-d3")))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    limits = QUICK | {"flagfall.server.sessions.records.MAX_RECORDS": 3}
    folder = tmp_path_factory.mktemp("records")
    with serving(folder, limits, compiles="false", records_per_hour="12") as running:
        yield running


def guest(served: Served) -> Guest:
    return Guest(served, "Anna")


def test_a_record_as_text_or_json_is_replayed_and_reviewed(served: Served) -> None:
    anna = guest(served)
    opened = anna.post("/api/records", text=TEXT)
    assert (opened["game"], opened["turns"]) == (SHORT.game, len(SHORT.turns))
    assert opened["verdict"]
    assert anna.post("/api/records", text=to_json(FINISHED))["id"] == opened["id"], (
        "the same record is kept once"
    )
    assert anna.get(f"/api/records/{opened['id']}") == opened
    assert opened["created_ms"] > 0
    path = f"/api/matches/{opened['id']}"
    last = anna.get(f"{path}/replay", first=len(SHORT.turns), count=1)["steps"][0]
    assert last["view"]["viewer"] == "truth"
    assert anna.http.get(f"{path}/record").text == TEXT
    anna.post(f"{path}/review")
    found = until(anna, opened["id"], is_done)["findings"]
    assert len(found["turns"]) == len(SHORT.turns)
    assert anna.get(f"{path}/review/beliefs", turn=1)["turn"] == 1


def test_only_the_guest_who_opened_a_record_sees_it(served: Served) -> None:
    anna, ben = guest(served), Guest(served, "Ben")
    id = anna.post("/api/records", text=TEXT)["id"]
    stranger = Guest(served)
    for path in (f"matches/{id}/replay", f"matches/{id}/record", f"matches/{id}/record.json"):
        assert [who.http.get(f"/api/{path}").status_code for who in (ben, stranger)] == [404, 404]
    for path in (f"matches/{id}/review", f"matches/{id}/review/beliefs"):
        assert [who.http.get(f"/api/{path}").status_code for who in (ben, stranger)] == [404, 404]
    assert ben.http.get(f"/api/records/{id}").status_code == 404
    assert ben.http.delete(f"/api/records/{id}").status_code == 404
    assert ben.http.post(f"/api/matches/{id}/review").status_code == 404
    assert stranger.http.get(f"/api/records/{id}").status_code == 401
    assert ben.get("/api/records")["records"] == []
    for path in (f"/api/matches/{id}/state", f"/api/matches/{id}/openings"):
        assert anna.http.get(path).status_code == 404, "it is no match"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Dear diary", "This is not a record of a game: a record begins with “flagfall record 1”."),
        (TEXT.replace(f"game: {SHORT.game}", "game: attic/chess"), "does not have the game “attic/chess”"),
        (TEXT.replace("south:", "sooth:"), "Line 3"),
        (TEXT.replace("\n1s ", "\n1s a9-a8 ; "), "Turn 1s"),
        ("{}", "record"),
    ],
)
def test_a_record_that_cannot_be_read_says_where(served: Served, text: str, sentence: str) -> None:
    response = guest(served).http.post("/api/records", json={"text": text})
    assert response.status_code == 422
    assert sentence in response.json()["sentence"]


def test_large_and_long_records_are_refused_before_they_are_played(served: Served) -> None:
    anna = guest(served)
    assert anna.http.post("/api/records", json={"text": "x" * 270_000}).status_code == 413
    assert anna.http.post("/api/guests", json={"name": "x" * 20_000}).status_code == 413
    endless = replace(SHORT, turns=SHORT.turns[:1] * (records.MAX_OPENED_TURNS + 1))
    long = anna.http.post("/api/records", json={"text": write_record(endless)})
    assert long.status_code == 413
    assert f"{records.MAX_OPENED_TURNS:,}" in long.json()["sentence"]


def test_the_newest_stay_and_can_be_deleted(served: Served) -> None:
    anna = guest(served)
    for name in ("One", "Two", "Three", "Four"):
        anna.post("/api/records", text=write_record(replace(FINISHED, players=(name, "Ben"))))
    kept = anna.get("/api/records")
    assert [one["south"] for one in kept["records"]] == ["Four", "Three", "Two"]
    first = kept["records"][0]["id"]
    assert anna.http.delete(f"/api/records/{first}").status_code == 200
    assert anna.http.get(f"/api/matches/{first}/replay").status_code == 404
    assert len(anna.get("/api/records")["records"]) == 2


def test_records_are_in_the_download_and_go_with_the_guest(served: Served) -> None:
    anna = guest(served)
    id = anna.post("/api/records", text=TEXT)["id"]
    anna.post(f"/api/matches/{id}/review")
    until(anna, id, is_done)
    archive = zipfile.ZipFile(io.BytesIO(anna.http.get("/api/me/export").content))
    (name,) = [name for name in archive.namelist() if name.startswith("opened/")]
    assert archive.read(name).decode() == TEXT
    me = anna.get("/api/me")["id"]
    assert anna.http.request("DELETE", "/api/me", json={"guest": me}).status_code == 200
    with sqlite3.connect(served.folder / "flagfall.sqlite3") as database:
        for query in ("records WHERE id = ?", "record_reviews WHERE record_id = ?"):
            assert database.execute(f"SELECT count(*) FROM {query}", (id,)).fetchone() == (0,)


def test_an_unfinished_record_is_replayed(served: Served) -> None:
    unfinished = replace(SHORT, turns=SHORT.turns[:2], result=None)
    opened = guest(served).post("/api/records", text=write_record(unfinished))
    assert opened["verdict"] == "This game was not finished."
    assert opened["result"] is None


def test_a_record_is_not_stored_for_a_guest_who_was_deleted_meanwhile(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        registry.deleted_guests.add(ANNA.id)
        with pytest.raises(RequestError) as refused:
            await registry.records.open(ANNA, TEXT)
        assert refused.value.code == "no-guest"
        assert await registry.store.records.of_guest(ANNA.id) == []
        await registry.close()

    asyncio.run(history())


def test_stored_records_are_read_away_from_the_loop_and_not_for_every_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers: list[threading.Thread] = []

    def noted(data: str | bytes) -> Record:
        readers.append(threading.current_thread())
        return from_json(data)

    async def history() -> None:
        registry = await _registry(tmp_path)
        id = (await registry.records.open(ANNA, TEXT)).id
        monkeypatch.setattr(opened_records, "from_json", noted)
        assert [one.id for one in await registry.records.of_guest(ANNA.id)] == [id]
        await registry.records.opened(ANNA.id, id)
        await registry.records.replay(ANNA.id, id)
        assert len(readers) == 3
        assert threading.main_thread() not in readers
        await registry.records.replay(ANNA.id, id)
        assert len(readers) == 3
        await registry.close()

    asyncio.run(history())


def test_beyond_the_limit_the_oldest_reviews_of_records_go(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        ids = []
        for at, name in enumerate(("One", "Two", "Three")):
            text = write_record(replace(FINISHED, players=(name, "Ben")))
            ids.append((await registry.records.open(ANNA, text)).id)
            await registry.store.add_review_steps(ids[-1], "analyst", 0, [b"{}"], at, max_matches=2)
        assert [await registry.store.review_length(id, "analyst") for id in ids] == [0, 1, 1]
        await registry.close()

    asyncio.run(history())


def test_long_games_are_continued_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        id = (await registry.records.open(ANNA, TEXT)).id
        replay = await registry.records.replay(ANNA.id, id)
        wanted = ContinueRequest(turn=1, side=Side.SOUTH, level="random", deal="true")
        made, locked = moments._made, []

        def noted(*arguments: Any) -> Match:
            locked.append(registry.records.reading.locked())
            return made(*arguments)

        monkeypatch.setattr(moments, "_made", noted)
        session = await moments.continue_match(registry, id, replay, ANNA, wanted)
        assert session.require_started().continued
        assert locked == [True]
        await registry.close()

    asyncio.run(history())


def test_a_game_that_is_still_played_is_not_opened_with_an_army_made_up_for_the_enemy(
    served: Served,
) -> None:
    anna, ben, id = friends(served, SHORT.game)
    anna.post(f"/api/matches/{id}/setup", code="XFs2")
    ben.post(f"/api/matches/{id}/setup", code="s2FX")
    moves = [turn.text for turn in LONG]
    for at, text in enumerate(moves):
        mover = (anna, ben)[at % 2]
        mover.post(f"/api/matches/{id}/act", number=mover.state(id)["number"], text=text)

    def written(*turns: str) -> str:
        made_up = replace(SHORT, setups=("XFs2", "FXs2"), turns=tuple(map(Turn, turns)))
        return write_record(made_up)

    for text in (written(*moves), written(*moves, "c1-c2")):
        refused = anna.post("/api/records", 403, text=text)
        assert refused["code"] == "hidden"
        assert "still being played" in refused["sentence"]
    assert anna.post("/api/records", text=written(*moves[:4]))["turns"] == 4, "too few to know the game by"
    others = written(*moves[:6], "c1-c2", "d2-d3")
    assert anna.post("/api/records", text=others)["turns"] == 8, "another game that began alike"
    ben.post(f"/api/matches/{id}/resign")
    assert anna.post("/api/records", text=written(*moves))["turns"] == 8


def test_a_game_can_be_opened_while_one_goes_on_from_it(served: Served) -> None:
    anna = guest(served)
    text = write_record(replace(SHORT, setups=("XFs2", "s2FX"), turns=LONG))
    id = anna.post("/api/records", text=text)["id"]
    wanted: dict[str, Any] = {"turn": len(LONG), "side": "south", "level": "random", "deal": "true"}
    assert anna.post(f"/api/matches/{id}/continue", **wanted)["phase"] == "playing"
    assert anna.post("/api/records", text=text)["id"] == id
