"""`@kernel`: the same function as plain Python or as machine code, chosen once per process.

Rule tests and small commands run **interpreted**: no compile wait, a debugger steps through, and Numba
is never imported. Simulation, search and benchmarks run **compiled**. The choice is made before the first
engine module is imported, by `mode.choose` or by ``FLAGFALL_KERNELS=compiled``.

Kernels take flat buffers of integers, or of real numbers for players that weigh chances. Interpreted, a
buffer is a `memoryview`: indexing gives plain ints (no 16-bit arithmetic by accident) and storing a value
that does not fit raises. Compiled, it is the NumPy array itself.

Numba does not notice an edit in a jitted helper of another file, so the cache directory is named by a
digest of all kernel sources. Inside it, files are named relative to the package: every checkout with the same
sources uses the same machine code.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast, overload

from flagfall.engine.mode import is_compiled

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).resolve().parent.parent
_SOURCES = ("board.py", "engine", "players", "arena", "rl")
_MARKS = (b"flagfall.engine.kernel", b": Final")
"""marks of files outside the engine that hold kernels or constants which kernels are compiled with"""


class Ints(Protocol):
    """A flat buffer of integers: a memoryview or a NumPy array."""

    @overload
    def __getitem__(self, index: int, /) -> int:
        """The number at a place."""

    @overload
    def __getitem__(self, index: slice, /) -> Ints:
        """A part of the buffer, which shares its numbers."""

    def __setitem__(self, index: int, value: int, /) -> None:
        """Store a number."""


class Reals(Protocol):
    """A flat buffer of real numbers: a memoryview or a NumPy array."""

    def __getitem__(self, index: int, /) -> float:
        """The number at a place."""

    def __setitem__(self, index: int, value: float, /) -> None:
        """Store a number."""


def source_digest() -> str:
    """Return a digest of every file that may hold a kernel."""
    digest = hashlib.blake2b(digest_size=8)
    for name in _SOURCES:
        place = _PACKAGE / name
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place] if place.exists() else []:
            text = file.read_bytes()
            if name in ("board.py", "engine") or any(mark in text for mark in _MARKS):
                digest.update(text)
    return digest.hexdigest()


def cache_folder() -> Path:
    """Return the folder for the machine code of these sources."""
    from platformdirs import user_cache_path

    checked = "-checked" if os.environ.get("FLAGFALL_BOUNDSCHECK") else ""
    return user_cache_path("flagfall") / f"kernels-{source_digest()}{checked}"


def _numba() -> Any:
    import numba
    from numba.core import caching

    if os.environ.get("NUMBA_CACHE_DIR"):
        return numba
    folder = cache_folder()

    class KernelLocator(caching.UserProvidedCacheLocator):
        """Numba asks this class where the machine code of a function is kept."""

        def __init__(self, function: Callable[..., Any], file: str) -> None:
            self._py_file, self._lineno = file, function.__code__.co_firstlineno
            self._cache_path = str(folder / Path(file).resolve().parent.relative_to(_PACKAGE))

        @classmethod
        def from_function(cls, function: Callable[..., Any], file: str) -> Any:
            """Return a locator for a function of this package, None for any other."""
            if not Path(file).resolve().is_relative_to(_PACKAGE):
                return None
            return super().from_function(function, file)  # type: ignore[no-untyped-call]

    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    caching.CacheImpl._locator_classes.insert(0, KernelLocator)
    return numba


if is_compiled():
    _nb = _numba()
    from flagfall.engine.compiled import KernelDispatcher

    _checked = bool(os.environ.get("FLAGFALL_BOUNDSCHECK"))

    # Kernels never allocate: without Numba's runtime there is no reference counting in the loops (3.5 times
    # faster), and an allocation by mistake does not compile.
    _settings = {
        "nopython": True,
        "nogil": True,
        "boundscheck": _checked,
        "error_model": "numpy",
        "_nrt": False,
    }

    def kernel(function: Function) -> Function:
        """Compile the function on first use and keep the machine code on disk."""
        return cast(Function, KernelDispatcher(function, _settings))

    def inlined(function: Function) -> Function:
        """Compile a small function that is always inlined into its callers."""
        return cast(Function, KernelDispatcher(function, {**_settings, "forceinline": True}))

    @_nb.extending.intrinsic  # type: ignore[untyped-decorator]
    def _count_trailing_zeros(context: Any, value: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], context.get_constant(_nb.types.boolean, 1))

        return _nb.int64(_nb.int64), emit

    @inlined
    def lowest_bit(bits: int) -> int:
        """Return the index of the lowest bit set; ``bits`` is not 0."""
        result: int = _count_trailing_zeros(bits)
        return result

else:

    def kernel(function: Function) -> Function:
        """Return the function unchanged."""
        return function

    inlined = kernel

    @inlined
    def lowest_bit(bits: int) -> int:
        """Return the index of the lowest bit set; ``bits`` is not 0."""
        return (bits & -bits).bit_length() - 1


def buffer(array: Any) -> Ints:
    """Return an array in the form that the kernels of this process take."""
    view: Ints = array if is_compiled() else memoryview(array)
    return view


def reals(array: Any) -> Reals:
    """Return an array of real numbers, flattened, in the form that the kernels of this process take."""
    flat = array.reshape(-1)
    view: Reals = flat if is_compiled() else memoryview(flat)
    return view
