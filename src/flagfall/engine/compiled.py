"""How kernels become machine code: each is optimised once for every function that Python calls, not more.

Numba as it comes makes every function ready to be called from Python: it links in everything the function
calls, optimises all of it and emits machine code. In a deep tree of calls the leaves are then compiled again
at every level. Here a kernel that is called by another kernel is only translated to LLVM code, once, with all
integers 64 bits wide; optimising and emitting wait until Python calls the kernel at the root. That halves the
compile time of the engine and the search, and the code is as fast.

This uses parts of Numba that are not public; `requirements.lock` and `pyproject.toml` hold its version.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba import int64, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.compiler import Compiler
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.registry import CPUDispatcher

from flagfall.engine import notice
from flagfall.engine.kernel_cache import PACKAGE, tell_unsaved, use_cache_folder

_FOLDER = use_cache_folder()


class _LinkedCompiler(_FunctionCompiler):  # type: ignore[misc]
    """Translates a kernel to LLVM code that its callers link in; makes nothing that Python could call."""

    def _customize_flags(self, flags: Any) -> Any:
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return flags

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        result = super()._compile_core(args, return_type)
        library = result.library
        for callee in dict.fromkeys(library._linking_libraries):
            library._final_module.link_in(callee._get_module_for_linking(), preserve=True)
        library._finalized = True
        key = object()
        result.target_context.insert_user_function(key, result.fndesc, [library])
        return result._replace(entry_point=key)


class _LinkedDispatcher(CPUDispatcher):
    """What other kernels call: one translation for each kind of arguments."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options)
        self._compiler = _LinkedCompiler(function, self.targetdescr, options, {}, Compiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template(tuple(map(_widened, args)), kws)

    def add_overload(self, result: Any) -> None:
        self.overloads[tuple(result.signature.args)] = result


class _KernelLocator(UserProvidedCacheLocator):
    """Says where the machine code of a kernel is kept, and for which version of the sources."""

    def __init__(self, file: str) -> None:
        self._py_file = file
        self._cache_path = str(_FOLDER / Path(file).resolve().parent.relative_to(PACKAGE))

    def get_source_stamp(self) -> str:
        """Return the same for every version: the folder is named by the code."""
        return _FOLDER.name

    def get_disambiguator(self) -> str:
        """Return nothing: a module has one kernel of a name, on whatever line it stands."""
        return ""


class _KernelCacheImpl(CompileResultCacheImpl):
    """Uses the folder of these sources only: in its own folders, Numba notices edits of one file only."""

    def __init__(self, function: Callable[..., Any]) -> None:
        file = inspect.getfile(function)
        self._lineno = function.__code__.co_firstlineno
        self._locator = _KernelLocator(file)
        name = f"{Path(file).stem}.{function.__qualname__}"
        self._filename_base = self.get_filename_base(name, sys.abiflags)  # type: ignore[no-untyped-call]


class _KernelCache(FunctionCache):
    """The machine code of a kernel on disk; where it cannot be read or written, it is compiled again."""

    _impl_class = _KernelCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = None
        with suppress(OSError):
            found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if found is None:
            self._timer = notice.begin()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        notice.end(self._timer)
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            tell_unsaved(_FOLDER, error)


class KernelDispatcher(CPUDispatcher):
    """A compiled kernel: Python calls its machine code, which is kept on disk; other kernels link it in."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options)
        self._linked = _LinkedDispatcher(function, dict(options))
        if Path(inspect.getfile(function)).resolve().is_relative_to(PACKAGE):
            self._cache = _KernelCache(function)  # type: ignore[no-untyped-call]

    @property
    def _numba_type_(self) -> Any:
        """The type that other kernels see: calls go to the linked dispatcher."""
        return self._linked._numba_type_


def _widened(argument: Any) -> Any:
    """Return the type of an argument, with integers 64 bits wide and without the values of constants."""
    plain = types.unliteral(argument)  # type: ignore[no-untyped-call]
    return int64 if isinstance(plain, types.Integer) else plain
