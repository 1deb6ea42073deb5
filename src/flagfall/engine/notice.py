"""Tell a programmer why a call takes long: kernels are compiled, once on this machine.

Only processes that came in by `flagfall.library` or `flagfall.rl` say so, once; commands and servers show
their own progress.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

AFTER_S = 1.0
"""a kernel that compiles for longer than this is explained"""

_sentence = ""
_is_quiet = False


def explain_with(sentence: str) -> None:
    """Say this, once, as soon as compiling takes long."""
    global _sentence
    _sentence = sentence


@contextmanager
def quiet() -> Iterator[None]:
    """Say nothing meanwhile: a command shows the progress."""
    global _is_quiet
    before, _is_quiet = _is_quiet, True
    try:
        yield
    finally:
        _is_quiet = before


def begin() -> threading.Timer | None:
    """Begin to compile a kernel, whose machine code was not on disk."""
    if not _sentence or _is_quiet:
        return None
    timer = threading.Timer(AFTER_S, _tell)
    timer.daemon = True
    timer.start()
    return timer


def end(timer: threading.Timer | None) -> None:
    """Note that the kernel is compiled."""
    if timer is not None:
        timer.cancel()


def _tell() -> None:
    global _sentence
    said, _sentence = _sentence, ""
    if said:
        sys.stderr.write(said + "\n")
