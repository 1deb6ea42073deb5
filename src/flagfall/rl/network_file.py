"""Networks as files: weights without pickle, and a header that says which game they play.

The file is in the safetensors format: eight bytes with the length of a header in JSON, the header, then the
numbers of all arrays one after the other. Every size is checked before anything is read into an array, so
that a broken or hostile file is refused with a sentence and costs no memory.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from flagfall.errors import UserError
from flagfall.files import write_atomically
from flagfall.rl.layout import Layout
from flagfall.rl.network import Floats, NetworkShape

MAX_BYTES = 8 * 1024 * 1024
"""no network file is larger"""
MAX_TEMPERATURE = 10
_MAX_HEADER = 256 * 1024
_LENGTH = 8
_VERSION = 1
_MAX_TEXT = 300
_MAX_FIGURES = 20
_LARGEST = NetworkShape(
    planes=200, rows=10, columns=12, scalars=300, slots=400, rest=300, channels=256, layers=20
)


class NetworkFileError(UserError):
    """A file is not a network that can play; the message says why."""

    code = "network-file"


class NetworkHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """What a network plays, and how it came about."""

    version: int
    game: str
    options: dict[str, str]
    """options it was trained with that are not the usual ones"""
    places: bool
    """whether it places its pieces; otherwise they are dealt at random"""
    shape: NetworkShape
    planes: tuple[str, ...]
    """the names of what South sees, so that another version of the layout is noticed"""
    scalars: tuple[str, ...]
    trained: str = ""
    """how much it has learned, in words"""
    figures: tuple[str, ...] = ()
    """results of its last evaluation, in words"""
    temperature: float = 1.0
    """it plays each action with the chance that it gives to the power of 1 / temperature; 0: the likeliest"""


class NetworkFile(Struct, frozen=True):
    """A header and the weights."""

    header: NetworkHeader
    weights: dict[str, Floats]


def header_for(
    layout: Layout, shape: NetworkShape, *, trained: str = "", figures: tuple[str, ...] = ()
) -> NetworkHeader:
    """Return the header of a network for the observations of a layout."""
    return NetworkHeader(
        version=_VERSION,
        game=layout.game.id,
        options=layout.options.changed(layout.game),
        places=layout.places,
        shape=shape,
        planes=layout.plane_names(),
        scalars=layout.scalar_names(),
        trained=trained,
        figures=figures,
    )


def write_network(file: Path, network: NetworkFile) -> None:
    """Write a network atomically."""
    write_atomically(file, network_bytes(network))


def network_bytes(network: NetworkFile) -> bytes:
    """Return a network as the bytes of a file."""
    about = msgspec.json.encode(network.header).decode()
    entries: dict[str, Any] = {"__metadata__": {"flagfall": about}}
    start, parts = 0, []
    for name, sizes in network.header.shape.arrays().items():
        array = np.ascontiguousarray(network.weights[name], dtype="<f4")
        if array.shape != sizes or not np.isfinite(array).all():
            raise NetworkFileError(f"{name} cannot be written: a size is wrong, or a number is not finite.")
        data = array.tobytes()
        entries[name] = {"dtype": "F32", "shape": sizes, "data_offsets": (start, start + len(data))}
        parts.append(data)
        start += len(data)
    head = msgspec.json.encode(entries)
    head += b" " * (-len(head) % 8)
    return len(head).to_bytes(_LENGTH, "little") + head + b"".join(parts)


def read_network(file: Path) -> NetworkFile:
    """Return the network of a file; `NetworkFileError` if it is none."""
    try:
        if not file.is_file():
            raise NetworkFileError(f"There is no network file {file}.")
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as problem:
        raise NetworkFileError(f"{file} cannot be read: {problem.strerror}.") from None
    if len(data) > MAX_BYTES:
        raise NetworkFileError(f"{file} has more than {MAX_BYTES >> 20} MB, too much for a network.")
    try:
        return _decoded(data)
    except _BrokenError as problem:
        raise NetworkFileError(f"{file} is not a network of Flagfall: {problem}.") from None


class _BrokenError(Exception):
    """What is wrong with a file."""


class _Entry(Struct, frozen=True):
    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


def _decoded(data: bytes) -> NetworkFile:
    size = int.from_bytes(data[:_LENGTH], "little")
    if len(data) < _LENGTH or not 2 <= size <= min(_MAX_HEADER, len(data) - _LENGTH):
        raise _BrokenError("its header does not fit into it")
    try:
        entries = msgspec.json.decode(data[_LENGTH : _LENGTH + size], type=dict[str, Any])
        about = msgspec.convert(entries.pop("__metadata__", None), dict[str, str])
        header = msgspec.json.decode(about.get("flagfall", ""), type=NetworkHeader)
        arrays = msgspec.convert(entries, dict[str, _Entry])
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as problem:
        raise _BrokenError(f"its header cannot be read ({problem})") from None
    _check_header(header)
    return NetworkFile(header, _weights(header.shape, arrays, memoryview(data)[_LENGTH + size :]))


def _check_header(header: NetworkHeader) -> None:
    if header.version != _VERSION:
        raise _BrokenError(f"it is of version {header.version}, and this Flagfall reads version {_VERSION}")
    for name in NetworkShape.__struct_fields__:
        least = 0 if name in ("rest", "layers") else 1
        most = getattr(_LARGEST, name)
        if not least <= getattr(header.shape, name) <= most:
            raise _BrokenError(f"its {name} are {getattr(header.shape, name)}, not {least} to {most}")
    texts = (header.game, header.trained, *header.figures, *header.options, *header.options.values())
    if len(header.figures) > _MAX_FIGURES or any(len(text) > _MAX_TEXT for text in texts):
        raise _BrokenError("its texts are too long")
    if not 0 <= header.temperature <= MAX_TEMPERATURE:
        raise _BrokenError(f"its temperature is {header.temperature}, not 0 to {MAX_TEMPERATURE}")


def _weights(shape: NetworkShape, entries: dict[str, _Entry], data: memoryview) -> dict[str, Floats]:
    wanted = shape.arrays()
    if set(entries) != set(wanted):
        odd = sorted(set(entries) ^ set(wanted))[0][:_MAX_TEXT]
        what = "lacks" if odd in wanted else "has an unknown array"
        raise _BrokenError(f"it {what} {odd}")
    weights, at = {}, 0
    for name, sizes in wanted.items():
        entry, size = entries[name], 4 * math.prod(sizes)
        if entry.dtype != "F32" or entry.shape != sizes:
            raise _BrokenError(f"{name} is {entry.dtype} of {list(entry.shape)}, not F32 of {list(sizes)}")
        if entry.data_offsets != (at, at + size) or at + size > len(data):
            raise _BrokenError(f"the numbers of {name} are not where they belong")
        array = np.frombuffer(data[at : at + size], dtype="<f4").reshape(sizes)
        if not np.isfinite(array).all():
            raise _BrokenError(f"{name} has numbers that are not finite")
        weights[name] = array
        at += size
    if at != len(data):
        raise _BrokenError(f"{len(data) - at} bytes follow the last array")
    return weights


def check_fits(network: NetworkFile, layout: Layout) -> None:
    """Refuse a game, or a version of the layout, that the network was not made for."""
    header = network.header
    if header.game != layout.game.id:
        raise NetworkFileError(f"This network plays {header.game}, not {layout.game.id}.")
    if (header.planes, header.scalars) != (layout.plane_names(), layout.scalar_names()):
        raise NetworkFileError(
            f"This network was trained with another version of {header.game}, or of what players are shown; "
            "train it again."
        )
    shape, space = header.shape, layout.space
    sizes = (layout.plane_count, space.rows, space.columns, layout.scalar_count, space.slots, space.size)
    if (shape.planes, shape.rows, shape.columns, shape.scalars, shape.slots, shape.actions) != sizes:
        raise NetworkFileError(
            f"This network was trained with other options of {header.game}, under which other actions are "
            f"possible: {_options_in_words(header)}. Choose the same."
        )


def _options_in_words(header: NetworkHeader) -> str:
    return ", ".join(f"{name}={value}" for name, value in header.options.items()) or "the usual ones"
