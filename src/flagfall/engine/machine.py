"""What kernels tell the processor: fetch memory early, and count what several threads share.

Interpreted kernels run in one thread, so there the same functions are plain Python.
"""

from __future__ import annotations

from typing import Any, Final

from flagfall.engine.kernel import Ints, kernel
from flagfall.engine.mode import is_compiled

LINE: Final = 64
"""bytes that memory hands over at a time"""

if is_compiled():
    import platform

    import numba
    from llvmlite import ir

    _nb: Any = numba
    _BYTE: Final = ir.IntType(8)
    _HALF: Final = ir.IntType(32)
    _HAS_PAUSE: Final = platform.machine().lower() in ("x86_64", "amd64")

    def _place(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
        """Return the address of one number of an array."""
        data = context.make_array(kind)(context, builder, array).data
        return builder.gep(data, [at])

    @_nb.extending.intrinsic  # type: ignore[untyped-decorator]
    def fetch(context: Any, row: Any, at: Any) -> Any:
        """Ask for the line of a number that will be read and written soon."""

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            there = _place(context, builder, signature.args[0], *arguments)
            kind = ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), _HALF, _HALF, _HALF])
            ask = builder.module.declare_intrinsic("llvm.prefetch", [_BYTE.as_pointer()], kind)
            place = builder.bitcast(there, _BYTE.as_pointer())
            builder.call(ask, [place, _HALF(1), _HALF(3), _HALF(1)])
            return context.get_dummy_value()

        return _nb.void(row, _nb.int64), emit

    @_nb.extending.intrinsic  # type: ignore[untyped-decorator]
    def load(context: Any, row: Any, at: Any) -> Any:
        """Read a number that other threads write."""

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load_atomic(_place(context, builder, signature.args[0], *arguments), "seq_cst", 8)

        return _nb.int64(row, _nb.int64), emit

    @_nb.extending.intrinsic  # type: ignore[untyped-decorator]
    def store(context: Any, row: Any, at: Any, value: Any) -> Any:
        """Write a number that other threads read, after all that was written before."""

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            there = _place(context, builder, signature.args[0], *arguments[:2])
            builder.store_atomic(arguments[2], there, "seq_cst", 8)
            return context.get_dummy_value()

        return _nb.void(row, _nb.int64, _nb.int64), emit

    @_nb.extending.intrinsic  # type: ignore[untyped-decorator]
    def add(context: Any, row: Any, at: Any, value: Any) -> Any:
        """Add to a number that other threads add to, too."""

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            there = _place(context, builder, signature.args[0], *arguments[:2])
            builder.atomic_rmw("add", there, arguments[2], "seq_cst")
            return context.get_dummy_value()

        return _nb.void(row, _nb.int64, _nb.int64), emit

    @_nb.extending.intrinsic  # type: ignore[untyped-decorator]
    def keep_least(context: Any, row: Any, at: Any, value: Any) -> Any:
        """Replace a number that other threads replace, too, if the new one is less."""

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            there = _place(context, builder, signature.args[0], *arguments[:2])
            builder.atomic_rmw("min", there, arguments[2], "seq_cst")
            return context.get_dummy_value()

        return _nb.void(row, _nb.int64, _nb.int64), emit

    @_nb.extending.intrinsic  # type: ignore[untyped-decorator]
    def swap(context: Any, row: Any, at: Any, old: Any, new: Any) -> Any:
        """Replace a number if it is still ``old``; return whether it was."""

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            there = _place(context, builder, signature.args[0], *arguments[:2])
            found = builder.cmpxchg(there, arguments[2], arguments[3], "seq_cst", "seq_cst")
            return builder.extract_value(found, 1)

        return _nb.boolean(row, _nb.int64, _nb.int64, _nb.int64), emit

    @_nb.extending.intrinsic  # type: ignore[untyped-decorator]
    def pause(context: Any) -> Any:
        """Wait for some nanoseconds, kindly to what else runs on the core."""

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if _HAS_PAUSE:
                kind = ir.FunctionType(ir.VoidType(), [])
                builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), kind), [])
            return context.get_dummy_value()

        return _nb.void(), emit

else:

    @kernel
    def fetch(row: Ints, at: int) -> None:
        """Do nothing."""

    @kernel
    def load(row: Ints, at: int) -> int:
        """Read a number."""
        return row[at]

    @kernel
    def store(row: Ints, at: int, value: int) -> None:
        """Write a number."""
        row[at] = value

    @kernel
    def add(row: Ints, at: int, value: int) -> None:
        """Add to a number."""
        row[at] += value

    @kernel
    def keep_least(row: Ints, at: int, value: int) -> None:
        """Replace a number by a smaller one."""
        row[at] = min(row[at], value)

    @kernel
    def swap(row: Ints, at: int, old: int, new: int) -> bool:
        """Replace a number if it is still ``old``."""
        if row[at] != old:
            return False
        row[at] = new
        return True

    @kernel
    def pause() -> None:
        """Do nothing."""
