"""Builds the web client into the package: when a wheel is built, and for `make play`.

``python hatch_build.py`` builds it if anything it is made from is newer than the last build. What
`npm ci` installs is kept until ``package-lock.json`` changes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand, before anything is installed
    BuildHookInterface = object  # type: ignore[assignment,misc]

ROOT = Path(__file__).resolve().parent
PACKAGE = ROOT / "src" / "flagfall"
WEB, SITE = ROOT / "web", PACKAGE / "server" / "site"
SOURCES = (WEB, ROOT / "docs" / "openapi.json", PACKAGE / "edition" / "data", PACKAGE / "languages" / "data")
"""the client itself, the types of the API, the boxes that say which icons are needed, and names of levels"""
MADE = frozenset({"node_modules", "schema.ts", ".vite", "test-results"})
"""what lies beside the sources and is made from them"""
NO_NPM = (
    "The web client needs Node.js 20 or newer with npm, and npm was not found. Install it from nodejs.org or "
    "with your system's package manager (Debian: apt install nodejs npm; macOS: brew install node) and try "
    "again. Without it, “flagfall play” plays in the terminal."
)


class BuildError(Exception):
    """The client cannot be built; the message says what to do."""


def build() -> str:
    """Build the client if it is not up to date; what was done, in a sentence."""
    page = SITE / "index.html"
    if page.is_file() and page.stat().st_mtime >= max(file.stat().st_mtime for file in _sources()):
        return "The web client is built already and up to date."
    install("--omit=dev")
    _npm("run", "--silent", "build")
    page.touch()
    return "The web client has been built."


def install(*flags: str) -> None:
    """Install what the build needs, or without flags also what checks need, unless that is done already."""
    lock, modules = WEB / "package-lock.json", WEB / "node_modules"
    done = [modules / ".for-checks"] if not flags else [modules / ".for-checks", modules / ".for-building"]
    if not any(file.is_file() and file.stat().st_mtime >= lock.stat().st_mtime for file in done):
        _npm("ci", *flags, "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
        done[-1].touch()


def _sources() -> Iterator[Path]:
    for source in SOURCES:
        for file in [source] if source.is_file() else sorted(source.rglob("*")):
            if file.is_file() and MADE.isdisjoint(file.relative_to(ROOT).parts):
                yield file


def _npm(*words: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise BuildError(NO_NPM)
    if subprocess.run([npm, *words], cwd=WEB, stdout=sys.stderr, check=False).returncode:
        raise BuildError(f"“npm {words[0]}” failed in the folder web; what it said stands above.")


class CustomBuildHook(BuildHookInterface):
    """Hatchling calls this before it packs a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client, unless the package is only linked to its sources."""
        if version == "editable":
            return
        try:
            self.app.display_info(build())
        except BuildError as error:
            self.app.abort(str(error))


def main() -> int:
    """Build, or only install with the word ``install``."""
    try:
        if sys.argv[1:] == ["install"]:
            install()
        else:
            sys.stderr.write(f"{build()}\n")
    except BuildError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
