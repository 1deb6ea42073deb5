"""Write files atomically: whole or not at all, and never over another file; lock them.

On a cluster, files that tasks name are sent with them: `sent_file` returns their contents.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from platformdirs import user_data_path

from flagfall.errors import UserError

_sent: dict[str, bytes] = {}
"""contents of files of another machine, by the path they have there"""


def use_sent_files(contents: Mapping[str, bytes]) -> None:
    """Have `sent_file` return these contents, by path; for workers on other machines."""
    _sent.update(contents)


def sent_file(path: str) -> bytes | None:
    """Return the contents of a file that was sent to this worker; None if it was not sent."""
    return _sent.get(path)


def read_bytes(path: Path) -> bytes:
    """Return the contents of a file, on this machine or as it was sent with the task."""
    data = sent_file(str(path))
    return path.read_bytes() if data is None else data


def free_name(game_id: str, folder: str, suffix: str) -> Path:
    """Return a free file name in the user's data folder, by game and time."""
    stem = f"{game_id.replace('/', '-')}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    return unused_name(user_data_path("flagfall") / folder / f"{stem}{suffix}")


def unused_name(name: Path) -> Path:
    """Return a name that no file has, by adding a number to it if necessary."""
    number, unused = 1, name
    while unused.exists():
        number += 1
        unused = name.with_name(f"{name.stem}-{number}{name.suffix}")
    return unused


@contextlib.contextmanager
def part_file(file: Path, mode: int = 0o666) -> Iterator[Path]:
    """Yield a new file in the same folder, to be written and then moved to its name.

    If it was not moved it is removed afterwards, with the journals that SQLite has made for it.
    """
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
    try:
        yield part
    finally:
        for left in (part, *part.parent.glob(f"{part.name}-*")):
            with contextlib.suppress(OSError):
                left.unlink()


def write_atomically(file: Path, data: bytes) -> None:
    """Write a file atomically: if it fails, the old file is still there."""
    try:
        with part_file(file) as part:
            part.write_bytes(data)
            part.replace(file)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from None


def write_new(name: str, data: bytes, own: Path | None) -> Path:
    """Write to a file that does not exist yet, or to the game's ``own`` file."""
    file = Path(name).expanduser()
    if file.exists() and (own is None or file.resolve() != own.resolve()):
        raise UserError(f"{file} exists; choose another name. Nothing was written.")
    write_atomically(file, data)
    return file


def write_with_fallback(file: Path, data: bytes) -> Path:
    """Write to a file, or else to the working folder, or else to the temporary folder."""
    places = (file, Path.cwd() / file.name, Path(tempfile.gettempdir()) / file.name)
    for place in places[:-1]:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(place, data)
        except OSError:
            continue
        return place
    write_atomically(places[-1], data)
    return places[-1]


@contextlib.contextmanager
def locked(file: Path, refusal: Callable[[str], Exception]) -> Iterator[None]:
    """Hold the lock of a file, which is made if necessary; the system unlocks it when the process ends.

    If another process holds it, raise ``refusal`` of its number, or of an empty text.
    """
    opened = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            _lock(opened)
        except OSError:
            holder = (
                os.pread(opened, 20, 0).decode("ascii", "replace").strip() if hasattr(os, "pread") else ""
            )
            raise refusal(holder if holder.isdecimal() else "") from None
        with contextlib.suppress(OSError):
            os.ftruncate(opened, 0)
            os.write(opened, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(opened)


def _lock(opened: int) -> None:
    """Take the lock or raise `OSError` at once."""
    try:
        import fcntl
    except ImportError:
        import msvcrt

        msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
