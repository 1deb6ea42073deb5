"""Backup of a database that is in use, and its restoration."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from flagfall.files import part_file
from flagfall.server.admin.database_file import (
    OWNER_ONLY,
    AdminError,
    ProgressCallback,
    admin_errors,
    connect,
    copy_database,
    database_file,
    ignore_progress,
    locked_folder,
    replace_database,
    sync,
)
from flagfall.server.store.match_store import FILE_NAME
from flagfall.server.store.migrate import check_schema, version

PAGES_PER_STEP = 512
TABLES = ("matches", "guests")


class Backup(Struct, frozen=True):
    """A copy that was made and checked."""

    file: str
    bytes: int
    schema: str
    matches: int
    guests: int


class Restored(Struct, frozen=True):
    """A backup that was put in place."""

    file: str
    kept: str | None
    """where the old database is now; None if there was none"""
    matches: int
    guests: int


def back_up(
    folder: Path, target: Path, *, overwrites: bool = False, advance: ProgressCallback = ignore_progress
) -> Backup:
    """Copy the database of a data folder into a single file; the server may be running.

    The target appears under its name only when it is complete, on the disk and checked.
    """
    source_file = database_file(folder)
    _check_target(source_file, target, overwrites=overwrites)
    with part_file(target, OWNER_ONLY) as part:
        with admin_errors(source_file), closing(connect(source_file)) as source:
            copy_database(source, part, PAGES_PER_STEP, advance)
        copy = _checked(part, target)
        _check_target(source_file, target, overwrites=overwrites)
        part.replace(target)
        sync(target.absolute().parent)
    return copy


def restore(folder: Path, backup: Path, *, advance: ProgressCallback = ignore_progress) -> Restored:
    """Put a backup in place of the database; refused while a server uses the folder.

    The backup itself is only read, and the old database is kept next to the new one.
    """
    if not backup.is_file():
        raise AdminError(f"There is no file {backup}; name a backup")
    file = folder / FILE_NAME
    if file.exists() and file.samefile(backup):
        raise AdminError(f"{backup} is the database itself; name a backup")
    with locked_folder(folder):
        with admin_errors(backup):
            check_schema(backup)
        with part_file(file, OWNER_ONLY) as part:
            with admin_errors(backup), closing(connect(backup)) as source:
                source.execute("PRAGMA query_only=ON")
                copy_database(source, part, PAGES_PER_STEP, advance)
            copy = _checked(part, file)
            kept = replace_database(part, file, "before-restore")
    return Restored(str(file), str(kept) if kept else None, copy.matches, copy.guests)


def _check_target(source: Path, target: Path, *, overwrites: bool) -> None:
    if target.is_dir():
        raise AdminError(f"{target} is a folder; name a file")
    if not target.absolute().parent.is_dir():
        raise AdminError(f"There is no folder {target.absolute().parent}; make it first")
    if target.exists():
        if target.samefile(source):
            raise AdminError(f"{target} is the database itself; choose another name")
        if not overwrites:
            raise AdminError(f"{target} exists already; choose another name, or write over it with --force")


def _checked(part: Path, target: Path) -> Backup:
    """Check every page of a copy; refuse one that is damaged or not a Flagfall database."""
    with admin_errors(target), closing(connect(part)) as copy:
        copy.execute("PRAGMA query_only=ON")
        found = str(copy.execute("PRAGMA quick_check(1)").fetchone()[0])
        if found != "ok":
            raise AdminError(
                f"The copy is damaged like its source and was not kept ({found}); run flagfall admin verify"
            )
        try:
            counts = [int(copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0]) for table in TABLES]
        except sqlite3.OperationalError:
            raise AdminError("This is a database, but not one of a Flagfall server; name another") from None
    return Backup(str(target), part.stat().st_size, version(part), *counts)
