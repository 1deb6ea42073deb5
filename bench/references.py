"""The two C reference kernels in `bench/`: built with gcc, measured in the same run as ours."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

SOURCES = Path(__file__).resolve().parent
NAMES = ("mailbox", "bitboard")


class Reference:
    """One compiled reference kernel."""

    def __init__(self, name: str, folder: Path) -> None:
        target = folder / f"{name}.so"
        command = [
            "gcc",
            "-O3",
            "-march=native",
            "-shared",
            "-fPIC",
            str(SOURCES / f"{name}.c"),
            "-o",
            str(target),
        ]
        subprocess.run(command, check=True, capture_output=True)
        self._library = ctypes.CDLL(str(target))
        self._library.play_games.restype = ctypes.c_long
        self._library.play_games.argtypes = [ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p]

    def plies_per_second(self, games: int, seed: int) -> float:
        """Return random plies per second of CPU time."""
        cpu, branching = ctypes.c_double(), ctypes.c_double()
        plies = self._library.play_games(games, seed, ctypes.byref(cpu), ctypes.byref(branching))
        return float(plies / cpu.value)


def why_missing() -> str:
    """Return why the references cannot run here, or an empty text."""
    if not (SOURCES / "mailbox.c").exists():
        return "the reference kernels are in the source tree’s bench/ folder, which is not here"
    if shutil.which("gcc") is None:
        return "the reference kernels need gcc, which is not installed"
    return ""
