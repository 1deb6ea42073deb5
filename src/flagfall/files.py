"""Files of the plain game: saved games and records. Whole or not at all, and never over a stranger's file."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from pathlib import Path

from platformdirs import user_data_path

from flagfall.errors import UserError


def new_name(game_id: str, folder: str, suffix: str) -> Path:
    """A free file name in the user's own folder, by game and moment."""
    stem = f"{game_id.replace('/', '-')}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    home = user_data_path("flagfall") / folder
    name, number = home / f"{stem}{suffix}", 1
    while name.exists():
        number += 1
        name = home / f"{stem}-{number}{suffix}"
    return name


def write_whole(file: Path, data: bytes) -> None:
    """Write a file in one stroke: if it fails, what was there before is still there."""
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(file)
    except OSError as problem:
        with contextlib.suppress(OSError):
            part.unlink()
        raise OSError(problem.errno, problem.strerror, str(file)) from None


def write_named(name: str, data: bytes, own: Path | None) -> Path:
    """Write where the player said; only the file of this very game is written over."""
    file = Path(name).expanduser()
    if file.exists() and (own is None or file.resolve() != own.resolve()):
        raise UserError(f"{file} exists already; choose another name, nothing was written.")
    write_whole(file, data)
    return file


def write_somewhere(file: Path, data: bytes) -> Path:
    """Write there; if that cannot be, beside the work at hand or in the folder for temporary files."""
    places = (file, Path.cwd() / file.name, Path(tempfile.gettempdir()) / file.name)
    for place in places[:-1]:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            write_whole(place, data)
        except OSError:
            continue
        return place
    write_whole(places[-1], data)
    return places[-1]
