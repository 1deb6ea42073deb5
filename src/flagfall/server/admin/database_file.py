"""Open the database file while a server may be running, and replace it by a new one."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from flagfall.edition.versions import VERSIONS
from flagfall.errors import FlagfallError
from flagfall.files import unused_name
from flagfall.server.clock import KEY as CLOCK_KEY
from flagfall.server.clock import continue_clock
from flagfall.server.store.box_store import versions_in
from flagfall.server.store.database import BUSY_MS, decode_text
from flagfall.server.store.folder_lock import FILE_NAME as LOCK_NAME
from flagfall.server.store.folder_lock import FolderInUseError, folder_lock
from flagfall.server.store.match_store import FILE_NAME
from flagfall.server.store.migrate import HEAD, check_schema, version

ProgressCallback = Callable[[int, int, str], None]
"""called with the number done, the total, and what comes next"""
OWNER_ONLY = 0o600
"""mode of files with setups and hashes of cookies"""
JOURNALS = ("-wal", "-shm", "-journal")
"""suffixes of the files that SQLite keeps next to a database"""
DAMAGED_FILE = (
    "The file {file} is damaged ({kind}); stop the server and run flagfall admin repair, or restore a backup"
)


class AdminError(FlagfallError):
    """A command of an operator cannot be done; the message says why and what to do."""

    code = "admin"


class DamagedFileError(AdminError):
    """The database file itself is damaged."""

    code = "damaged-file"


def ignore_progress(done: int, total: int, what: str) -> None:
    """Report nothing."""


def database_file(folder: Path) -> Path:
    """Return the database of a data folder, which must exist."""
    file = folder / FILE_NAME
    if not file.is_file():
        raise AdminError(f"There is no database in {folder}; name the server's data folder with --data")
    return file


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Lock the data folder; refused while a server uses it."""
    try:
        with folder_lock(folder):
            match_folder_owner(folder / LOCK_NAME)
            yield
    except FolderInUseError as error:
        raise AdminError(str(error)) from None


@contextmanager
def open_database(folder: Path, *, writes: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the database of a data folder without disturbing a running server.

    Text that is not UTF-8 is read anyway, so that damage can be examined. Errors of SQLite become an
    `AdminError` without any values.
    """
    file = database_file(folder)
    with admin_errors(file):
        found = version(file)
        check_schema(file)
        if found != HEAD:
            raise AdminError(
                f"{file} has schema {found or 'none'}, this program needs {HEAD}; start flagfall serve once"
            )
        with closing(connect(file)) as connection, VERSIONS.source(versions_in(file)):
            if not writes:
                connection.execute("PRAGMA query_only=ON")
            yield connection


def connect(file: Path) -> sqlite3.Connection:
    """Connect to a file that exists."""
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
    connection.text_factory = decode_text
    for pragma in (f"busy_timeout={BUSY_MS}", "foreign_keys=ON", "synchronous=FULL", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


@contextmanager
def admin_errors(file: Path) -> Iterator[None]:
    """Turn errors of SQLite into an `AdminError` with one sentence."""
    try:
        yield
    except sqlite3.Error as error:
        kind = str(error)
        if "locked" in kind or "busy" in kind:
            raise AdminError(f"{file} is busy; try again in a moment") from None
        if "full" in kind:
            raise AdminError(f"The disk of {file} is full; make room and try again") from None
        if "malformed" in kind or "not a database" in kind or "corrupt" in kind:
            raise DamagedFileError(DAMAGED_FILE.format(file=file, kind=kind)) from None
        raise AdminError(f"{file} cannot be used: {kind}") from None


@contextmanager
def transaction(connection: sqlite3.Connection, *, writes: bool = True) -> Iterator[None]:
    """Run the block in a transaction; a reader sees one snapshot."""
    connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def server_now_ms(connection: sqlite3.Connection) -> int:
    """Return the time of the server of this database, from its stored clock."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (CLOCK_KEY,)).fetchone()
    return continue_clock(row[0] if row else None).now_ms()


# ---------------------------------------------------------------------- files


def stamp() -> str:
    """Return the date and time for a file name."""
    return time.strftime("%Y%m%d-%H%M%S")


def copy_database(source: sqlite3.Connection, part: Path, pages: int, advance: ProgressCallback) -> None:
    """Copy a snapshot of a database into a single file, and sync it to the disk.

    The copy is made inside a read transaction: with a write-ahead log it neither waits for writers nor makes
    them wait, and it need not start again after a write.
    """

    def report(_: int, left: int, total: int) -> None:
        advance(total - left, total, "pages")

    with closing(sqlite3.connect(part, isolation_level=None)) as copy:
        with transaction(source, writes=False):
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(copy, pages=pages, progress=report, sleep=0)
        leave_wal_mode(copy)
    sync(part)


def leave_wal_mode(connection: sqlite3.Connection) -> None:
    """Keep everything in one file, without a write-ahead log next to it."""
    connection.execute("PRAGMA journal_mode=DELETE").fetchall()


def sync(path: Path) -> None:
    """Sync a file or a folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_database(part: Path, file: Path, label: str) -> Path | None:
    """Replace the database by a new file; keep the old one next to it and return its name.

    Call it with the folder lock held. Whatever interrupts it, either the old or the new file is in place.
    """
    kept = None
    match_folder_owner(part)
    if file.exists():
        _empty_journal(file)
        kept = unused_name(file.with_name(f"{file.name}.{label}-{stamp()}"))
        _link(file, kept)
        log = file.with_name(f"{file.name}-wal")
        if log.exists() and log.stat().st_size:
            _link(log, kept.with_name(f"{kept.name}-wal"))
    for suffix in JOURNALS:
        with suppress(FileNotFoundError):
            file.with_name(file.name + suffix).unlink()
    part.replace(file)
    sync(file.parent)
    return kept


def _empty_journal(file: Path) -> None:
    """Write the old journal into the old file, so that the file is complete without it."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def match_folder_owner(file: Path) -> None:
    """Give a file that root has made to the owner of its folder."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        folder = file.absolute().parent.stat()
        os.chown(file, folder.st_uid, folder.st_gid)


def _link(source: Path, target: Path) -> None:
    """Give a file a second name; where the file system has no links, copy it."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
        sync(target)
