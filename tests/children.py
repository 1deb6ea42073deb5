"""Python programs that tests start: each ends with its test, and with pytest even if that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress

ENDS_WITH_PARENT = (
    "import ctypes, signal, sys; "
    "sys.platform == 'linux' and ctypes.CDLL(None).prctl(1, signal.SIGKILL); "  # PR_SET_PDEATHSIG
)
"""the beginning of a program whose process the kernel kills when its parent has ended"""

_started: list[subprocess.Popen[str]] = []


def start(program: str, *arguments: str, **settings: object) -> subprocess.Popen[str]:
    """Start a program in a process group of its own; `end_all` kills the group."""
    process: subprocess.Popen[str] = subprocess.Popen(
        [sys.executable, "-c", ENDS_WITH_PARENT + program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **settings,  # type: ignore[call-overload]
    )
    _started.append(process)
    return process


def end_all() -> None:
    """Kill every process group that was started and is not gone yet."""
    while _started:
        process = _started.pop()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
