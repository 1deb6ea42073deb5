"""The store: what is not committed has not happened; of two one is first; workers get Views."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from flagfall.engine.action import Action
from flagfall.match import Match
from flagfall.server.api.requests import NewMatch
from flagfall.server.errors import RequestError
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.sessions.session import MatchSession
from flagfall.server.settings import Settings
from flagfall.server.store import migrate as migrations
from flagfall.server.store.match_store import MatchStore, NotStoredError
from flagfall.server.store.migrate import HEAD, migrate, version
from flagfall.server.store.rows import GuestRow
from flagfall.server.workers import Job, LivePlayers, Workers
from flagfall.setups import styled_setup, write_setup
from flagfall.view.view import View

ANNA = GuestRow("anna", "Anna")


async def _registry(folder: Path) -> MatchRegistry:
    migrate(folder / "box.sqlite3")
    registry = MatchRegistry(Settings(), MatchStore.open(folder / "box.sqlite3"), Workers(1))
    await registry.store.add_guest(ANNA, "hash", 0)
    return registry


async def _playing(registry: MatchRegistry) -> MatchSession:
    session = await registry.new_matches.create(
        ANNA, NewMatch(game="mini/3x3", opponent="hot-seat", side="south")
    )
    for side, at in (("south", 0), ("north", 1)):
        code = write_setup(styled_setup(session.game, at, "open", registry.rng))
        await session.execute(lambda match, now, side=side, code=code: match.seal(side, code, now))  # type: ignore[misc]
    return session


def _first(match: Match) -> Action:
    return match.view("south").legal[0]


def test_a_failed_commit_did_not_happen(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        before = session.require_started().digest()
        keep = registry.store.append

        async def fails(*_: Any) -> None:
            raise NotStoredError(is_race=False)

        registry.store.append = fails  # type: ignore[method-assign, assignment]
        with pytest.raises(RequestError) as refused:
            await session.execute(lambda match, now: match.act("south", None, _first(match), now))
        assert (refused.value.code, refused.value.status) == ("not-stored", 503)
        assert session.require_started().digest() == before
        registry.store.append = keep  # type: ignore[method-assign]
        await session.execute(lambda match, now: match.act("south", None, _first(match), now))
        stored = await registry.store.log(session.row.id)
        assert stored == session.require_started().log
        await registry.close()

    asyncio.run(history())


def test_what_is_not_stored_is_not_told(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        number, gate, keep = session.require_started().number, asyncio.Event(), registry.store.append

        async def slow(*some: Any) -> None:
            await gate.wait()
            await keep(*some)

        registry.store.append = slow  # type: ignore[method-assign, assignment]
        acting = asyncio.create_task(
            session.execute(lambda match, now: match.act("south", None, _first(match), now))
        )
        await asyncio.sleep(0)
        looking = asyncio.create_task(registry.session(session.row.id))
        await asyncio.sleep(0.05)
        assert not looking.done()
        assert not acting.done()
        gate.set()
        await acting
        assert (await looking).require_started().number == number + 1
        await registry.close()

    asyncio.run(history())


def test_two_servers_on_one_match_one_is_first(tmp_path: Path) -> None:
    async def history() -> None:
        one = await _registry(tmp_path)
        session = await _playing(one)
        two = MatchRegistry(Settings(), MatchStore.open(tmp_path / "box.sqlite3"), Workers(1))
        other = await two.session(session.row.id)
        await session.execute(lambda match, now: match.act("south", None, _first(match), now))
        with pytest.raises(RequestError, match="could not be stored"):
            await other.execute(lambda match, now: match.act("south", None, _first(match), now))
        assert (
            other.require_started().log
            == session.require_started().log
            == await one.store.log(session.row.id)
        )
        await one.close()
        await two.close()

    asyncio.run(history())


def test_migrations(tmp_path: Path) -> None:
    scripts = Config()
    scripts.set_main_option("script_location", str(Path(migrations.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(scripts).get_current_head() == HEAD
    file = tmp_path / "box.sqlite3"
    assert version(file) == ""
    migrate(file)
    migrate(file)
    assert version(file) == HEAD


def test_the_tables_are_what_the_migrations_make(tmp_path: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from sqlalchemy import create_engine

    from flagfall.server.store.tables import metadata

    migrate(tmp_path / "box.sqlite3")
    engine = create_engine(f"sqlite:///{tmp_path / 'box.sqlite3'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


def test_a_worker_is_given_a_view_and_nothing_else(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        session = await _playing(registry)
        view = msgspec.json.encode(session.require_started().view("south", forgets=False))
        history = msgspec.json.encode(session.require_started().history("south"))
        job = Job(game="mini/3x3", options={}, player="greedy", seed="1", view=view, history=history)
        assert all(
            isinstance(value, str | bytes | dict | int | None) for value in msgspec.structs.astuple(job)
        )
        packed = LivePlayers().think(job).action
        assert packed is not None
        assert Action.unpack(packed) in msgspec.json.decode(view, type=View).legal
        await registry.close()

    asyncio.run(history())


def test_lists_say_whose_turn_it_is_in_matches_of_an_older_version(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        match_id = (await _playing(registry)).row.id
        await registry.store.database.write(
            lambda connection: connection.exec_driver_sql("UPDATE matches SET to_move = NULL")
        )
        restarted = MatchRegistry(Settings(), registry.store, registry.workers)
        rows = await restarted.store.matches_of("anna", 10)
        assert [row.to_move for row in rows] == [None]
        assert [row.to_move for row in await restarted.with_turns(rows)] == ["south"]
        stored = await restarted.store.match(match_id)
        assert stored is not None
        assert stored.to_move == "south"
        await restarted.close()

    asyncio.run(history())
