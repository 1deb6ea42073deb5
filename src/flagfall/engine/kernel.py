"""`@kernel`: the same function as plain Python or as machine code, chosen once per process.

Rule tests and small commands run **interpreted**: no compile wait, a debugger steps through, and Numba
is never imported. Simulation, search and benchmarks run **compiled**. The choice is made before the first
engine module is imported, by `mode.choose` or by ``FLAGFALL_KERNELS=compiled``.

Kernels take flat buffers of integers, or of real numbers for players that weigh chances. Interpreted, a
buffer is a `memoryview`: indexing gives plain ints (no 16-bit arithmetic by accident) and storing a value
that does not fit raises. Compiled, it is the NumPy array itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar, cast, overload

from flagfall.engine.mode import is_checked, is_compiled

Function = TypeVar("Function", bound=Callable[..., Any])

CHECKED: Final = is_checked() or not is_compiled()
"""kernels check what they are given: interpreted ones, and those compiled with every index checked"""


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


if is_compiled():
    import numba

    from flagfall.engine.compiled import KernelDispatcher

    _nb: Any = numba

    # Kernels never allocate: without Numba's runtime there is no reference counting in the loops (3.5 times
    # faster), and an allocation by mistake does not compile.
    _settings = {
        "nopython": True,
        "nogil": True,
        "boundscheck": is_checked(),
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
