"""Migrate the database to the current schema, at start."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flagfall.errors import FlagfallError

if TYPE_CHECKING:
    from sqlalchemy import Connection

HEAD = "0013"
"""the newest migration"""
_VERSIONS = Path(__file__).parent / "migrations" / "versions"


class SchemaError(FlagfallError):
    """The database cannot be used by this program; the message says what to do."""

    code = "schema"


def migrate(file: Path) -> None:
    """Run the migrations that the database lacks; all or nothing, even if interrupted."""
    if version(file) == HEAD:
        return
    check_schema(file)
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine, event

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    engine = create_engine(f"sqlite:///{file}", hide_parameters=True)
    event.listen(engine, "connect", _set_up_connection)
    event.listen(engine, "begin", _begin)
    try:
        with engine.connect() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    finally:
        engine.dispose()


def version(file: Path) -> str:
    """Return the last migration of the database; empty if there is none."""
    if not file.exists():
        return ""
    with closing(sqlite3.connect(file, timeout=10)) as connection:
        try:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        except sqlite3.OperationalError:
            return ""
    return str(row[0]) if row else ""


def check_schema(file: Path) -> None:
    """Raise `SchemaError` if the file is not a readable database or was written by a newer version."""
    try:
        found = version(file)
    except sqlite3.DatabaseError as error:
        raise SchemaError(
            f"The database {file} cannot be read ({error}); see flagfall admin repair, or restore a backup"
        ) from None
    if found and not any(_VERSIONS.glob(f"v{found}_*.py")):
        raise SchemaError(
            f"The database {file} was written by a newer version of Flagfall (schema {found}, this program "
            f"knows {HEAD}); install that version again, or restore a backup made before the upgrade"
        )


def _set_up_connection(connection: Any, _: Any) -> None:
    """Control transactions by hand: the driver would create tables outside of them."""
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA busy_timeout=10000")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
