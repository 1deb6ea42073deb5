"""`pip install flagfall` alone is enough to play and to use the library; what needs more says so.

The packages that it does not bring are hidden from a process of its own. `make wheel-trial` does the same
with the wheel in a new environment.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import flagfall.extras
from flagfall.extras import MODULES, MissingExtraError, require

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
ADAPTERS = ("flagfall.rl.gymnasium_envs", "flagfall.rl.pettingzoo_env", "flagfall.rl.open_spiel_game")
LEARNING = ("flagfall.dataset.torch_reader", "flagfall.training.")
"""what computes with torch; readers and commands say so before they import it"""


def brought(requirements: list[str]) -> set[str]:
    """Return the distributions that requirements bring, with all that those need."""
    found: set[str] = set()
    waiting = [(Requirement(text), "") for text in requirements]
    while waiting:
        requirement, extra = waiting.pop()
        if not _applies(requirement.marker, extra):
            continue
        name = canonicalize_name(requirement.name)
        if name in found and not requirement.extras:
            continue
        found.add(name)
        needed = [Requirement(text) for text in distribution(name).requires or ()]
        waiting += [(each, "") for each in needed]
        waiting += [(each, wanted) for each in needed for wanted in requirement.extras]
    return found


def _applies(marker: Marker | None, extra: str) -> bool:
    return marker is None or marker.evaluate({"extra": extra})


@cache
def hidden_modules() -> list[str]:
    """Return the modules that are installed here and that `pip install flagfall` does not bring."""
    base = {*brought(PROJECT["dependencies"]), "flagfall"}
    return sorted(
        module
        for module, owners in packages_distributions().items()
        if not base & {canonicalize_name(owner) for owner in owners}
    )


def run_without_extras(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program in which only the packages of `pip install flagfall` can be imported."""
    hide = f"import sys; sys.modules.update(dict.fromkeys({hidden_modules()!r}))\n"
    return subprocess.run(
        [sys.executable, "-c", hide + code, *arguments], capture_output=True, text=True, cwd=ROOT, check=False
    )


def test_the_packages_of_extras_are_hidden_in_these_tests() -> None:
    hidden = set(hidden_modules())
    assert hidden >= {*MODULES["server"], *MODULES["rl"], "httpx", "pytest"}
    assert not hidden & {"numpy", "numba", "llvmlite", "msgspec", "typer", "rich", "babel", "flagfall"}


def test_everything_but_the_server_is_imported_without_extras() -> None:
    code = """
from importlib import import_module
from pkgutil import walk_packages
import flagfall
count = 0
for module in walk_packages(flagfall.__path__, "flagfall.", onerror=lambda name: None):
    if not module.name.startswith(("flagfall.server", *sys.argv[1:])):
        import_module(module.name)
        count += 1
print(count)
"""
    ran = run_without_extras(code, *ADAPTERS, *LEARNING)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert int(ran.stdout) > 150


def test_the_program_of_the_readme_runs_without_extras() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    program = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)[0]
    ran = run_without_extras(program.replace("barrage/classic", "mini/3x4"))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Result(winner=")


def test_commands_work_or_say_what_to_install() -> None:
    code = """
from flagfall.cli import main
for words in (["--help"], ["games"], ["serve", "--help"], ["serve"], ["admin", "verify"]):
    print("$", *words, flush=True)
    try:
        main(words)
    except SystemExit as end:
        print("exit", end.code, flush=True)
"""
    ran = run_without_extras(code)
    told = dict(part.split("\n", 1) for part in ran.stdout.split("$ ")[1:])
    assert {words: text.splitlines()[-1] for words, text in told.items()} == {
        "--help": "exit 0",
        "games": "exit 0",
        "serve --help": "exit 0",
        "serve": "exit 2",
        "admin verify": "exit 2",
    }
    assert "onyx/classic" in told["games"]
    sentences = ran.stderr.splitlines()
    assert len(sentences) == 2
    for line in sentences:
        assert line.startswith("flagfall: The server needs packages that are not installed (alembic, ")
        assert line.endswith('install them with: pip install "flagfall[server]".')


def test_adapters_say_what_to_install() -> None:
    code = """
from importlib import import_module
for name in sys.argv[1:]:
    try:
        import_module(name)
    except ImportError as error:
        print(error)
"""
    sentences = run_without_extras(code, *ADAPTERS).stdout.splitlines()
    assert [line.split(" needs packages")[0] for line in sentences] == [
        "The Gymnasium environment",
        "The PettingZoo environment",
        "The OpenSpiel game",
    ]
    assert [line.rsplit("pip install ")[-1] for line in sentences] == [
        '"flagfall[rl]".',
        '"flagfall[rl]".',
        '"flagfall[openspiel]".',
    ]


def test_a_missing_extra_is_an_import_error_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="Training needs packages") as told:
        require("train", "Training")
    assert isinstance(told.value, MissingExtraError)
    assert isinstance(told.value, flagfall.FlagfallError)


def test_every_extra_has_its_modules_and_its_place_in_the_lock() -> None:
    assert set(MODULES) == set(EXTRAS)
    assert [len(modules) for modules in MODULES.values()] == [len(EXTRAS[extra]) for extra in MODULES]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    locked = re.search(r"^LOCKED_EXTRAS := (.+)$", makefile, re.M)
    assert locked is not None
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    names = set(re.findall(r"^([a-z0-9-]+)", lock.lower(), re.M))
    for extra, requirements in EXTRAS.items():
        wanted = {canonicalize_name(Requirement(text).name) for text in requirements}
        assert (wanted <= names) == (extra in locked.group(1).split()), extra
    assert not [name for name in names if name.startswith(("torch", "nvidia"))]


def test_playing_installs_the_server() -> None:
    lock = (ROOT / "requirements-play.lock").read_text(encoding="utf-8").lower()
    for text in (*PROJECT["dependencies"], *EXTRAS["server"]):
        assert f"\n{Requirement(text).name.lower()}==" in f"\n{lock}"
