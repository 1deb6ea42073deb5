"""Players of an earlier version, played from the repository's own history.

The sources of a commit are unpacked once into the user's cache folder, and the player speaks the engine
protocol in a process of its own: the same interpreter and packages, but the earlier `flagfall`. It is given
the same time for an action as the others; what the way there and back costs is not counted against it.
"""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

from flagfall.errors import UserError
from flagfall.players.zoo.panel import EARLIER

CHECKOUT = Path(__file__).resolve().parents[1]
PROGRAM = "from flagfall.cli import main; main()"
_DONE = "complete"


@dataclass(frozen=True)
class Frozen:
    """A player of an earlier version."""

    name: str
    commit: str
    player: str
    """its name in that version"""

    @property
    def folder(self) -> Path:
        """Where its sources are unpacked."""
        return user_cache_path("flagfall") / "versions" / self.commit[:12]

    @property
    def source(self) -> Path:
        """The folder that Python has to import from."""
        return self.folder / "src"

    @property
    def is_unpacked(self) -> bool:
        """Whether its sources are there, complete."""
        return (self.folder / _DONE).exists()

    def contestant(self, game: str) -> str:
        """Return it as the arena names it: a program that speaks the engine protocol."""
        words = ["env", f"PYTHONPATH={self.source}", sys.executable, "-c", PROGRAM]
        return f"cmd:{shlex.join([*words, 'engine', game, '--player', self.player])}"

    def prepare(self) -> None:
        """Unpack its sources and compile them, unless that was done before."""
        if not self.is_unpacked:
            unpack(self.commit, self.folder, self.name)
        environment = {**os.environ, "PYTHONPATH": str(self.source), "FLAGFALL_KERNELS": "compiled"}
        warmed = subprocess.run(
            [sys.executable, "-c", PROGRAM, "warm"], env=environment, capture_output=True, check=False
        )
        if warmed.returncode:
            said = warmed.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no reason given"]
            raise UserError(
                f"{self.name} does not start: {said[0]}. Delete {self.folder} to unpack it again."
            )


FROZEN: Mapping[str, Frozen] = {
    EARLIER: Frozen(EARLIER, "128fc2e7d919d697990eef7f6a6b0805ae250ad3", "marshal"),
}
"""by the name that trials use"""


def unpack(commit: str, folder: Path, name: str, checkout: Path = CHECKOUT) -> None:
    """Unpack the sources of a commit; `UserError` if the checkout's history does not have it."""
    try:
        packed = subprocess.run(
            ["git", "-C", str(checkout), "archive", "--format=tar", commit, "src"],
            capture_output=True,
            check=False,
        )
    except OSError:
        raise UserError(f"{name} is unpacked with git, which is not installed here.") from None
    if packed.returncode:
        raise UserError(
            f"{name} is the player of commit {commit[:7]}, which the history of this checkout does not have; "
            "a shallow clone gets it by: git fetch --unshallow."
        )
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    (folder / _DONE).touch()
