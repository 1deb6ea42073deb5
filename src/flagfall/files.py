"""Write files atomically: whole or not at all, and never over another file."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from pathlib import Path

from platformdirs import user_data_path

from flagfall.errors import UserError


def free_name(game_id: str, folder: str, suffix: str) -> Path:
    """Return a free file name in the user's data folder, by game and time."""
    stem = f"{game_id.replace('/', '-')}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    home = user_data_path("flagfall") / folder
    name, number = home / f"{stem}{suffix}", 1
    while name.exists():
        number += 1
        name = home / f"{stem}-{number}{suffix}"
    return name


def write_atomically(file: Path, data: bytes) -> None:
    """Write a file atomically: if it fails, the old file is still there."""
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(file)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
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
