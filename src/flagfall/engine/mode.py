"""Whether kernels run interpreted or compiled in this process: decided once, before the first is imported."""

from __future__ import annotations

import os
import sys
from typing import Literal

Mode = Literal["interpreted", "compiled"]
VARIABLE = "FLAGFALL_KERNELS"
CHECK_VARIABLE = "FLAGFALL_BOUNDSCHECK"


def mode() -> Mode:
    """Return how kernels run in this process and in its children."""
    return "compiled" if os.environ.get(VARIABLE) == "compiled" else "interpreted"


def is_compiled() -> bool:
    """Return whether kernels run as machine code."""
    return mode() == "compiled"


def is_checked() -> bool:
    """Return whether compiled kernels check every index: not if the variable is empty, 0 or false."""
    return os.environ.get(CHECK_VARIABLE, "").lower() not in ("", "0", "false")


def prefer_compiled() -> bool:
    """Choose compiled kernels unless a mode was chosen; return False if it is too late for that."""
    if VARIABLE not in os.environ and "flagfall.engine.kernel" not in sys.modules:
        choose("compiled")
    return VARIABLE in os.environ


def choose(wanted: Mode) -> None:
    """Choose how kernels run; `RuntimeError` if the other mode is already in use."""
    if wanted != mode() and "flagfall.engine.kernel" in sys.modules:
        raise RuntimeError(
            f"kernels are already {mode()} in this process; choose before importing the engine"
        )
    os.environ[VARIABLE] = wanted
