"""How kernels run in this process, interpreted or compiled: decided once, before the first kernel exists."""

from __future__ import annotations

import os
import sys
from typing import Literal

Mode = Literal["interpreted", "compiled"]
VARIABLE = "FLAGFALL_KERNELS"


def mode() -> Mode:
    """How kernels run here, and in processes started from here."""
    return "compiled" if os.environ.get(VARIABLE) == "compiled" else "interpreted"


def is_compiled() -> bool:
    """Whether kernels run as machine code."""
    return mode() == "compiled"


def choose(wanted: Mode) -> None:
    """Say how kernels run; too late once one exists in the other mode."""
    if wanted != mode() and "flagfall.engine.kernel" in sys.modules:
        raise RuntimeError(
            f"kernels are already {mode()} in this process; choose before importing the engine"
        )
    os.environ[VARIABLE] = wanted
