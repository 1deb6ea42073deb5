"""Arrays in a file of the safetensors format: a header in JSON and plain numbers, never code.

::

    length of the JSON, 8 bytes │ JSON: our own header, then type, sizes and place of each array │ numbers

Every size is checked before anything is read into an array, so that a broken or hostile file is refused with
a sentence and costs no memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

MAX_HEADER_BYTES: Final = 256 * 1024
_LENGTH: Final = 8
_OWNER: Final = "flagfall"
_MAX_NAME: Final = 300

Sizes = Mapping[str, tuple[int, ...]]
"""the sizes of each array by its name, in the order in which they are stored"""
H = TypeVar("H")


class BrokenFileError(Exception):
    """What is wrong with a file, as the second half of a sentence."""


@dataclass(frozen=True)
class NumberType:
    """How the numbers of a file are stored."""

    name: str
    """in the file"""
    stored: str
    """for NumPy"""


FLOATS: Final = NumberType("F32", "<f4")
INTEGERS: Final = NumberType("I16", "<i2")


class _Entry(Struct, frozen=True):
    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


def encode(header: Struct, arrays: Mapping[str, NDArray[Any]], sizes: Sizes, numbers: NumberType) -> bytes:
    """Return a file; `BrokenFileError` if an array has another size or a number is not finite."""
    entries: dict[str, Any] = {"__metadata__": {_OWNER: msgspec.json.encode(header).decode()}}
    start, parts = 0, []
    for name, size in sizes.items():
        array = np.ascontiguousarray(arrays[name], dtype=numbers.stored)
        if array.shape != size:
            raise BrokenFileError(f"{name} is {list(array.shape)}, not {list(size)}")
        if not np.isfinite(array).all():
            raise BrokenFileError(f"{name} has numbers that are not finite")
        data = array.tobytes()
        entries[name] = {"dtype": numbers.name, "shape": size, "data_offsets": (start, start + len(data))}
        parts.append(data)
        start += len(data)
    head = msgspec.json.encode(entries)
    head += b" " * (-len(head) % 8)
    return len(head).to_bytes(_LENGTH, "little") + head + b"".join(parts)


def decode(
    data: bytes, header_type: type[H], check: Callable[[H], Sizes], numbers: NumberType
) -> tuple[H, dict[str, NDArray[Any]]]:
    """Return the header and the arrays of a file; ``check`` returns the sizes that a header asks for."""
    length = int.from_bytes(data[:_LENGTH], "little")
    if len(data) < _LENGTH or not 2 <= length <= min(MAX_HEADER_BYTES, len(data) - _LENGTH):
        raise BrokenFileError("its header does not fit into it")
    try:
        entries = msgspec.json.decode(data[_LENGTH : _LENGTH + length], type=dict[str, Any])
        about = msgspec.convert(entries.pop("__metadata__", None), dict[str, str])
        header = msgspec.json.decode(about.get(_OWNER, ""), type=header_type)
        stored = msgspec.convert(entries, dict[str, _Entry])
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as problem:
        raise BrokenFileError(f"its header cannot be read ({problem})") from None
    return header, _arrays(stored, check(header), memoryview(data)[_LENGTH + length :], numbers)


def _arrays(
    stored: Mapping[str, _Entry], sizes: Sizes, data: memoryview, numbers: NumberType
) -> dict[str, NDArray[Any]]:
    if set(stored) != set(sizes):
        odd = sorted(set(stored) ^ set(sizes))[0][:_MAX_NAME]
        what = "lacks" if odd in sizes else "has an unknown array"
        raise BrokenFileError(f"it {what} {odd}")
    arrays: dict[str, NDArray[Any]] = {}
    at, width = 0, np.dtype(numbers.stored).itemsize
    for name, shape in sizes.items():
        entry, size = stored[name], width * math.prod(shape)
        if entry.dtype != numbers.name or entry.shape != shape:
            wanted = f"{numbers.name} of {list(shape)}"
            raise BrokenFileError(f"{name} is {entry.dtype} of {list(entry.shape)}, not {wanted}")
        if entry.data_offsets != (at, at + size) or at + size > len(data):
            raise BrokenFileError(f"the numbers of {name} are not where they belong")
        array = np.frombuffer(data[at : at + size], dtype=numbers.stored).reshape(shape)
        if not np.isfinite(array).all():
            raise BrokenFileError(f"{name} has numbers that are not finite")
        arrays[name] = array
        at += size
    if at != len(data):
        raise BrokenFileError(f"{len(data) - at} bytes follow the last array")
    return arrays
