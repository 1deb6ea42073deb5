"""Try an installed Flagfall without extras: ``make wheel-trial`` runs this in a new environment."""

from __future__ import annotations

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
