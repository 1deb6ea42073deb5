"""A lock that allows one server for each data folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from flagfall.errors import FlagfallError

FILE_NAME = "flagfall.lock"


class FolderInUseError(FlagfallError):
    """Another server uses the data folder; the message names its process."""

    code = "folder-in-use"


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Lock the folder; the system unlocks it when the process ends, however it ends."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = os.open(folder / FILE_NAME, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            _lock(file)
        except OSError:
            holder = os.pread(file, 20, 0).decode("ascii", "replace").strip() if hasattr(os, "pread") else ""
            process = f" (process {holder})" if holder.isdecimal() else ""
            raise FolderInUseError(
                f"Another server{process} uses the data folder {folder}; stop it, or choose another --data"
            ) from None
        with suppress(OSError):
            os.ftruncate(file, 0)
            os.write(file, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(file)


def _lock(file: int) -> None:
    """Take the lock or raise `OSError` at once."""
    try:
        import fcntl
    except ImportError:
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
