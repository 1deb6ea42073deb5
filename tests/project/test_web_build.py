"""The web client is built when it must be, installed when its lock has changed, and never without a word."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NPM = """#!/bin/sh
echo "$@" >> "{calls}"
case "$1" in
  ci) rm -rf node_modules && mkdir node_modules ;;
  run) mkdir -p ../src/flagfall/server/site && echo page > ../src/flagfall/server/site/index.html ;;
esac
"""


class Checkout:
    """A copy of the sources with an npm that only writes down what it is told."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.calls, self.path = folder, folder / "calls", folder / "bin"
        shutil.copy(ROOT / "hatch_build.py", folder)
        for name in ("web/src/main.ts", "web/package-lock.json", "docs/openapi.json"):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("{}", encoding="utf-8")
        self.path.mkdir()
        npm = self.path / "npm"
        npm.write_text(NPM.format(calls=self.calls), encoding="utf-8")
        npm.chmod(0o755)

    def change(self, name: str) -> None:
        """A file becomes newer than all that was made."""
        soon = (self.folder / "src/flagfall/server/site/index.html").stat().st_mtime + 10
        os.utime(self.folder / name, (soon, soon))

    def build(self, *words: str, path: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(self.folder / "hatch_build.py"), *words],
            env=os.environ | {"PATH": path or f"{self.path}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )

    def called(self) -> list[str]:
        """What npm was told since the last look."""
        said = self.calls.read_text(encoding="utf-8").splitlines() if self.calls.exists() else []
        self.calls.write_text("", encoding="utf-8")
        return [line.split()[0] + (" for building" if "--omit=dev" in line else "") for line in said]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_built_once_and_again_when_something_changes(checkout: Checkout) -> None:
    assert "has been built" in checkout.build().stderr
    assert checkout.called() == ["ci for building", "run"]
    assert "built already" in checkout.build().stderr
    assert checkout.called() == []
    checkout.change("web/src/main.ts")
    checkout.build()
    assert checkout.called() == ["run"], "what was installed is still right"
    checkout.change("web/package-lock.json")
    checkout.build("install")
    assert checkout.called() == ["ci"]


def test_tools_for_checks_are_installed_only_for_checks(checkout: Checkout) -> None:
    checkout.build()
    checkout.build("install")
    checkout.build("install")
    assert checkout.called() == ["ci for building", "run", "ci"]
    checkout.change("web/src/main.ts")
    checkout.build()
    assert checkout.called() == ["run"], "the tools for checks include those for building"


def test_without_npm_a_sentence_says_what_to_do(checkout: Checkout, tmp_path: Path) -> None:
    refused = checkout.build(path=str(tmp_path / "nowhere"))
    assert refused.returncode == 2
    assert "Node.js 20" in refused.stderr
    assert "flagfall play" in refused.stderr
    assert "Traceback" not in refused.stderr
    checkout.build()
    fine = checkout.build(path=str(tmp_path / "nowhere"))
    assert fine.returncode == 0, "a client that is built needs no npm"


def test_a_build_that_fails_says_so(checkout: Checkout) -> None:
    (checkout.path / "npm").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    failed = checkout.build()
    assert failed.returncode == 2
    assert "npm ci" in failed.stderr
