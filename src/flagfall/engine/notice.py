"""Tell a programmer why a call takes long: kernels are compiled, once on this machine."""

from __future__ import annotations

import sys
import threading
from types import TracebackType

from flagfall.engine import mode

AFTER_S = 1.0
"""a call that compiles for longer than this is explained"""


class Notice:
    """Says on the error stream that kernels are being compiled, if a call takes long because of that.

    >>> with Notice("flagfall: compiling …"):
    ...     pass
    """

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence

    def __enter__(self) -> None:
        self._timer = threading.Timer(AFTER_S, self._tell)
        self._timer.daemon = True
        if mode.is_compiled():
            self._timer.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def _tell(self) -> None:
        from flagfall.engine.compiled import is_compiling

        if is_compiling():
            sys.stderr.write(self._sentence + "\n")
