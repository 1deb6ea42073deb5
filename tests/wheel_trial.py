"""Try an installed Flagfall without extras: ``make wheel-trial`` runs this in a new environment."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import flagfall

SERVER = ("starlette", "uvicorn", "sqlalchemy", "alembic", "structlog", "websockets")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command."""
    command = Path(sys.executable).with_name("flagfall")
    return subprocess.run([command, *words], capture_output=True, text=True, check=False)


GAMES_AT_ONCE = """
from flagfall.rl import VectorEnv
env = VectorEnv("barrage/classic", 40, seed=1, threads=2)
env.reset()
for _ in range(30):
    env.step(env.sample())
print(env.count.tolist(), int(env.planes.sum()), int(env.scalars.sum()))
"""


def many_games(kernels: str) -> str:
    """Play some games at once, as plain Python or as machine code; return what they look like."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", GAMES_AT_ONCE],
        env=os.environ | {"FLAGFALL_KERNELS": kernels},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def main() -> None:
    """Check what works without extras, and what says that it needs one."""
    assert "site-packages" in flagfall.__file__, flagfall.__file__
    assert [name for name in SERVER if find_spec(name)] == []
    final = flagfall.play("greedy", "random", "barrage/classic", seed=1)
    assert final.is_over
    assert flagfall.Position.from_record(flagfall.write_record(final.record())).pieces == final.pieces
    assert run("--help").returncode == 0
    assert "onyx/classic" in run("games").stdout
    assert run("rules", "lotr/classic").returncode == 0
    assert many_games("compiled") == many_games("interpreted")
    for words in (("serve",), ("admin", "verify")):
        ran = run(*words)
        assert ran.returncode == 2, ran
        assert ran.stderr.endswith('pip install "flagfall[server]".\n'), ran.stderr
        assert len(ran.stderr.splitlines()) == 1, ran.stderr
    sys.stdout.write(
        f"flagfall {flagfall.__version__} works on Python {sys.version.split()[0]}: {final.outcome}\n"
    )


if __name__ == "__main__":
    main()
