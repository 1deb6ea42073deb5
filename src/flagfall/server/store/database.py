"""One SQLite file behind two kinds of threads: one writes, a few read.

::

    write(work) ─► queue ─► writer thread: BEGIN IMMEDIATE, every waiting job in a savepoint, one COMMIT
    read(work)  ─► reader threads, each on a snapshot of its own

Jobs that wait at the same time are committed together, so that a busy server syncs the disk once for many
moves. A reader never waits for a writer, and the event loop waits for neither. A job is done as a
whole or not at all; a cancelled caller does not stop its job.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import structlog
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from flagfall.errors import FlagfallError

BUSY_MS = 5_000
"""how long a transaction waits for the write lock of another process, such as a backup"""
READERS = 2
MAX_BATCH = 64
"""jobs committed together"""

Answer = TypeVar("Answer")
logger = structlog.get_logger("flagfall.store")


class StoreError(FlagfallError):
    """A read or a write of the database failed."""

    code = "store"


class NotStoredError(StoreError):
    """The commit failed, so it did not happen; ``is_race``: because another request was first."""

    code = "not-stored"

    def __init__(self, *, is_race: bool) -> None:
        super().__init__("another request was first" if is_race else "the database refused the transaction")
        self.is_race = is_race


class NotReadError(StoreError):
    """The database could not be read."""

    code = "not-readable"


@dataclass
class _Job(Generic[Answer]):
    work: Callable[[Connection], Answer]
    future: Future[Answer]

    def settle(self, answer: Any, error: Exception | None) -> None:
        """Give the outcome to the caller, unless it was cancelled."""
        if not self.future.set_running_or_notify_cancel():
            return
        if error is not None:
            self.future.set_exception(error)
        else:
            self.future.set_result(answer)


class Database:
    """The file, its writer thread and its readers."""

    def __init__(self, file: Path) -> None:
        self._writing = _engine(file, is_writer=True)
        self._reading = _engine(file, is_writer=False)
        self._jobs: queue.SimpleQueue[_Job[Any] | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="flagfall-read")
        self._data_version: int | None = None
        self.is_closed = False

    async def write(self, work: Callable[[Connection], Answer]) -> Answer:
        """Run work in a transaction; it is committed when this returns, and undone if it raises.

        After `NotStoredError` that is no race the disk may, in rare cases, still hold the commit.
        """
        if self.is_closed:
            raise NotStoredError(is_race=False)
        if self._writer is None:
            self._writer = threading.Thread(target=self._write_jobs, name="flagfall-write", daemon=True)
            self._writer.start()
        future: Future[Answer] = Future()
        self._jobs.put(_Job(work, future))
        return await asyncio.wrap_future(future)

    async def read(self, work: Callable[[Connection], Answer]) -> Answer:
        """Run work that reads from one snapshot."""
        if self.is_closed:
            raise NotReadError("the database is closed")
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def was_changed_elsewhere(self) -> bool:
        """Return whether another process has committed something since the last call."""

        def version(connection: Connection) -> int:
            return int(connection.exec_driver_sql("PRAGMA data_version").scalar_one())

        found = await self.write(version)
        before, self._data_version = self._data_version, found
        return before is not None and before != found

    async def close(self) -> None:
        """Finish what is queued, then close the file."""
        self.is_closed = True
        if self._writer is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._readers.shutdown)
        self._writing.dispose()
        self._reading.dispose()

    # ------------------------------------------------------------------ in the threads

    def _read(self, work: Callable[[Connection], Answer]) -> Answer:
        try:
            with self._reading.connect() as connection:
                return work(connection)
        except SQLAlchemyError as error:
            logger.error("the database cannot be read", kind=_kind(error))
            raise NotReadError(_kind(error)) from None

    def _write_jobs(self) -> None:
        while True:
            jobs = [self._jobs.get()]
            with suppress(queue.Empty):
                while len(jobs) < MAX_BATCH:
                    jobs.append(self._jobs.get_nowait())
            self._commit_safely([job for job in jobs if job is not None])
            if None in jobs:
                return

    def _commit_safely(self, jobs: list[_Job[Any]]) -> None:
        """Commit, and on any error give every caller an answer, so that the thread goes on."""
        try:
            self._commit(jobs)
        except Exception:
            for job in jobs:
                job.settle(None, NotStoredError(is_race=False))

    def _commit(self, jobs: list[_Job[Any]]) -> None:
        """Run all jobs in one transaction; a job that fails undoes its own part only.

        After some errors, such as a full disk, SQLite rolls back the whole transaction by itself, and a
        commit then does nothing and reports success; so the transaction is checked before the commit.
        """
        outcomes: list[tuple[_Job[Any], Any, Exception | None]] = []
        try:
            with self._writing.begin() as connection:
                for job in jobs:
                    outcomes.append((job, *_attempt(connection, job)))
                if not _is_in_transaction(connection):
                    raise OperationalError("COMMIT", {}, sqlite3.OperationalError("no transaction is active"))
        except Exception as error:
            refused = _refused(error)
            outcomes = [(job, None, refused) for job in jobs]
        for job, answer, failure in outcomes:
            job.settle(answer, failure)


def _attempt(connection: Connection, job: _Job[Any]) -> tuple[Any, Exception | None]:
    """Return the job's answer, or why its savepoint was rolled back."""
    try:
        with connection.begin_nested():
            return job.work(connection), None
    except Exception as error:
        if not _is_in_transaction(connection):
            raise
        return None, _refused(error)


def _is_in_transaction(connection: Connection) -> bool:
    """Return whether SQLite itself has a transaction open; SQLAlchemy does not notice when SQLite ends it."""
    driver: Any = connection.connection.dbapi_connection
    return connection.in_transaction() and bool(driver.in_transaction)


def _refused(error: Exception) -> Exception:
    """Return the error for the caller, without the values of the statement."""
    if not isinstance(error, SQLAlchemyError):
        return error
    logger.error("the database refused a transaction", kind=_kind(error))
    return NotStoredError(is_race=isinstance(error, IntegrityError))


def _kind(error: SQLAlchemyError) -> str:
    """Return what went wrong without the statement and its values: “OperationalError: disk I/O error”.

    Rolling back after an error may fail too; then the first error is returned.
    """
    first: sqlite3.Error | None = None
    at: BaseException | None = error
    while at is not None:
        first = at if isinstance(at, sqlite3.Error) else first
        at = at.__context__
    return f"{type(error).__name__}: {first}" if first is not None else type(error).__name__


def _engine(file: Path, *, is_writer: bool) -> Engine:
    engine = create_engine(
        f"sqlite:///{file}",
        hide_parameters=True,
        poolclass=QueuePool,
        pool_size=1 if is_writer else READERS,
        max_overflow=0,
        connect_args={"check_same_thread": False},
    )
    event.listen(engine, "connect", _prepare)
    begin = "BEGIN IMMEDIATE" if is_writer else "BEGIN"
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _prepare(connection: Any, _: Any) -> None:
    """Set up a connection: readers never wait, an acknowledged commit is on the disk."""
    connection.isolation_level = None
    connection.text_factory = decode_text
    cursor: sqlite3.Cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_MS}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def decode_text(data: bytes) -> str:
    """Decode a stored text; bytes that are not UTF-8 become lone surrogates."""
    return data.decode("utf-8", "surrogateescape")
