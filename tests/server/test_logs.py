"""The log contains no secrets, in any situation and at any level."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import structlog

from flagfall.server.app import create_app
from flagfall.server.logs import set_up_logs, trace_of
from flagfall.server.settings import Settings
from flagfall.server.store.match_store import FILE_NAME, MatchStore
from tests.server.admin.operator import secrets_in
from tests.server.served import Guest, Served, seal_both, serving

GAME = "spin-master/duel"
NAMES = ("Wilhelmina", "Balthasar")
SECRET = "a-very-secret-text"


def _everything(served: Served) -> set[str]:
    """Send every kind of valid and invalid request; return what must not be logged."""
    secrets: set[str] = {*NAMES, "my hidden spy", "Fortress", "Zebedee"}
    anna, ben = (Guest(served, name) for name in NAMES)
    made = anna.post("/api/matches", game=GAME, opponent="friend", side="south")
    match = made["match"]
    secrets.add(made["invitation"])
    ben.get(f"/api/invitations/{made['invitation']}")
    ben.post(f"/api/invitations/{made['invitation']}")
    ben.get("/api/invitations/none-such-token-at-all", 404)
    seal_both(anna, ben, match, GAME)
    code = anna.code(GAME, "south")
    secrets.add(code)
    anna.put("/api/me/setups", game=GAME, side="south", name="Fortress", code=code)
    piece = anna.state(match)["view"]["pieces"][0]["name"]
    anna.put(f"/api/matches/{match}/notes", piece=piece, text="hidden spy")
    rng = Random(1)
    with anna.socket(match) as socket:
        socket.until("state")
        for _ in range(6):
            state = anna.state(match)
            mover = anna if state["to_move"] == "south" else ben
            state = mover.state(match)
            quiet = [one for one in state["choices"] if one["verb"] == "move" and not one["is_attack"]]
            action = rng.choice(quiet)["action"]
            mover.post(f"/api/matches/{match}/act", number=state["number"], action=action)
        socket.send(do="act", number=1, text=f"{code} no turn at all")
        socket.raw.send(f"no message {code}")
        socket.raw.send(b"\xff\xfe")
    anna.post(f"/api/matches/{match}/act", 400, number="x", text=code)
    anna.post(f"/api/matches/{match}/setup", 409, code=code)
    ben.put(f"/api/matches/{match}/notes", 422, piece="zz", text="hidden spy")
    for body in (b"{", b"\xff", json.dumps({"name": "Zebedee", "cookie": code}).encode()):
        anna.http.post("/api/guests", content=body, headers={"content-type": "application/json"})
    anna.http.get(f"/api/{code}?as={code}")
    forged = Guest(served)
    forged.http.cookies.set("flagfall_guest", "forged-cookie-of-somebody")
    secrets.add("forged-cookie-of-somebody")
    forged.get("/api/me", 401)
    with closing(sqlite3.connect(served.folder / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        anna.post(f"/api/matches/{match}/chat", 503, phrase="hello")
        other.execute("ROLLBACK")
    broken = anna.post("/api/matches", game=GAME, opponent="hot-seat", side="south", second_name="Zebedee")
    for side in ("south", "north"):
        anna.post(f"/api/matches/{broken['match']}/setup", seat=side, code=anna.code(GAME, side))
    secrets |= secrets_in(served.folder)
    served.stop()
    with closing(sqlite3.connect(served.folder / FILE_NAME, isolation_level=None)) as other:
        other.execute(
            "UPDATE log SET entry = substr(entry, 1, length(entry) - 4) WHERE match_id = ? AND number = 1",
            (broken["match"],),
        )
    served.start()
    anna.state(broken["match"], as_="south", status=409)
    anna.post(f"/api/matches/{match}/resign")
    anna.get(f"/api/matches/{match}/replay")
    secrets |= {value for guest in (anna, ben) for value in guest.http.cookies.values()}
    return secrets | secrets_in(served.folder)


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_a_server_logs_no_secrets(tmp_path: Path, log_format: str) -> None:
    with serving(tmp_path, log_level="debug", log_format=log_format) as served:
        secrets = _everything(served)
        served.stop()
        log = served.log()
    assert len(log.splitlines()) > 40
    assert "marked as damaged" in log
    assert "refused a transaction" in log
    for secret in secrets:
        assert len(secret) < 4 or secret not in log, f"{secret} is in the log"
    if log_format == "json":
        assert all(json.loads(line)["event"] for line in log.splitlines())


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_an_exception_is_logged_without_its_message(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, log_format: str
) -> None:
    """The message of an exception may contain anything; the log has its type and traceback."""

    async def fails(*_: Any) -> None:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            raise RuntimeError(f"cannot store {SECRET}") from error

    monkeypatch.setattr(MatchStore, "matches_of", fails)
    settings = Settings(data=str(tmp_path), log_level="debug", log_format=log_format, workers=1)
    set_up_logs(settings)

    async def history() -> None:
        app = create_app(settings)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            await client.post("/api/guests", json={"name": "Wilhelmina"})
            answer = await client.get("/api/me/matches")
            assert answer.status_code == 500
            assert SECRET not in answer.text

    try:
        asyncio.run(history())
    finally:
        structlog.reset_defaults()
    said = capfd.readouterr()
    log = said.out + said.err
    assert "request failed" in log
    assert "RuntimeError" in log
    assert "KeyError" in log
    assert "in fails" in log, "where it was"
    assert SECRET not in log
    assert "Wilhelmina" not in log


def test_libraries_log_no_values(capfd: pytest.CaptureFixture[str]) -> None:
    set_up_logs(Settings(log_level="debug"))
    try:
        error = ValueError(SECRET)
        logging.getLogger("websockets.server").debug("< Cookie: %s", SECRET)
        logging.getLogger("uvicorn.error").error("Exception in ASGI application\n", exc_info=error)
        loop = asyncio.new_event_loop()

        async def fails() -> None:
            raise error

        task = loop.create_task(fails())
        loop.run_until_complete(asyncio.wait([task]))
        loop.call_exception_handler({"message": "Task failed", "exception": error, "task": task})
        loop.call_exception_handler({"message": f"Exception in callback work({SECRET!r})"})
        assert task.exception() is error
        loop.close()
    finally:
        structlog.reset_defaults()
    said = capfd.readouterr()
    log = said.out + said.err
    assert "Exception in ASGI application" in log
    assert "Task failed" in log
    assert "Exception in callback work" in log
    assert SECRET not in log


def test_a_full_disk_is_named_in_the_log() -> None:
    assert trace_of(OSError(28, "No space left on device", SECRET)) == "OSError: No space left on device"
