"""A lock that allows one server for each data folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flagfall.errors import FlagfallError
from flagfall.files import locked

FILE_NAME = "flagfall.lock"


class FolderInUseError(FlagfallError):
    """Another server uses the data folder; the message names its process."""

    code = "folder-in-use"


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Lock the folder; the system unlocks it when the process ends, however it ends."""

    def refusal(process: str) -> FolderInUseError:
        which = f" (process {process})" if process else ""
        return FolderInUseError(
            f"Another server{which} uses the data folder {folder}; stop it, or choose another --data"
        )

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(folder / FILE_NAME, refusal):
        yield
