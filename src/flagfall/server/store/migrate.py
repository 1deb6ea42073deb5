"""Bring the database to today's schema, at start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, event


def migrate(file: Path) -> None:
    """Run every migration the database has not seen yet; all of it or nothing, whatever interrupts it."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    engine = create_engine(f"sqlite:///{file}")
    event.listen(engine, "connect", _by_hand)
    event.listen(engine, "begin", _begin)
    try:
        with engine.connect() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    finally:
        engine.dispose()


def _by_hand(connection: Any, _: Any) -> None:
    """SQLite's driver would leave the making of tables outside of transactions."""
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA busy_timeout=10000")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
