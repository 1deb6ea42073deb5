"""What a node of a cluster must have so that the same seeds give the same games there.

Files that tasks name are sent. The program itself and modules with players must be installed on every node;
their digests are compared, and a node that differs is refused.
"""

from __future__ import annotations

import hashlib
import importlib.util
import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path

from flagfall.errors import UserError, quoted

PACKAGE = Path(__file__).resolve().parents[2]
MAX_FILES_BYTES = 256 * 1024 * 1024
"""maximum size of all files that are sent to a cluster"""
_NOT_OF_GAMES = ("server", "terminal", "cli")
"""packages that no game depends on"""
_DIGEST_BYTES = 8


@dataclass(frozen=True)
class Needs:
    """What tasks refer to: files by path with their contents, modules by name with their digests.

    Packages by name with their versions are those that only some tasks compute with.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)


def needs_of(
    games: Iterable[str],
    players: Iterable[str],
    files: Iterable[str] = (),
    packages: Iterable[str] = (),
) -> Needs:
    """Return what these games, players, files and packages need; `UserError` if something cannot be sent."""
    from flagfall.edition.load import box_files

    found = Needs()
    for address in games:
        found.files.update(box_files(address))
    for name in files:
        found.files[name] = Path(name).read_bytes()
    size = sum(map(len, found.files.values()))
    if size > MAX_FILES_BYTES:
        raise UserError(
            f"The files of this run have {size // 2**20} MB; at most {MAX_FILES_BYTES // 2**20} MB are sent "
            "to a cluster. Use smaller files, or --on local."
        )
    for player in players:
        if module := module_of(player):
            found.modules[module] = module_digest(module)
    found.packages.update({name: package_version(name) for name in packages})
    return found


def package_version(name: str) -> str:
    """Return the version of an installed package; empty if there is none."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def module_of(player: str) -> str:
    """Return the module of a player that is not part of this program; empty for the others."""
    from flagfall.arena.contestants import read_contestant
    from flagfall.players.registry import BUILT_IN, ENTRY_POINTS, MIXTURE

    contestant = read_contestant(player, allows_cheater=True)
    if contestant.command:
        raise UserError(
            f"{quoted('cmd:' + contestant.command)} is a program of this machine and is not sent to a "
            "cluster; use --on local."
        )
    name = contestant.name
    if name in BUILT_IN or name.startswith(MIXTURE):
        return ""
    installed = entry_points(group=ENTRY_POINTS)
    if name in installed.names:
        name = installed[name].value
    module = name.partition(":")[0] if ":" in name else ""
    return "" if module.partition(".")[0] == "flagfall" else module


def module_digest(module: str) -> str:
    """Return a digest of a module's source, of a package all of it; empty if there is no such module."""
    try:
        spec = importlib.util.find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        return ""
    if spec is None:
        return ""
    folders = [Path(folder) for folder in spec.submodule_search_locations or ()]
    sources = [(folder, file) for folder in folders for file in sorted(folder.rglob("*.py"))]
    if not folders and spec.origin:
        sources = [(Path(spec.origin).parent, Path(spec.origin))]
    return _digest((file.relative_to(folder).as_posix(), file.read_bytes()) for folder, file in sources)


@cache
def fingerprint() -> dict[str, str]:
    """Return what decides how games of one seed go, by name: the program and the libraries it counts with."""
    return {
        "Flagfall": version("flagfall"),
        "the program": program_digest(),
        "NumPy": version("numpy"),
        "Numba": version("numba"),
        "Python": ".".join(platform.python_version_tuple()[:2]),
    }


def program_digest(package: Path = PACKAGE) -> str:
    """Return a digest of all files of this program that games can depend on."""

    def files() -> Iterator[tuple[str, bytes]]:
        for file in sorted(package.rglob("*")):
            place = file.relative_to(package)
            if place.parts[0] in _NOT_OF_GAMES or "__pycache__" in place.parts or not file.is_file():
                continue
            yield place.as_posix(), file.read_bytes()

    return _digest(files())


def _digest(files: Iterable[tuple[str, bytes]]) -> str:
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for name, data in files:
        digest.update(f"{name}\n{len(data)}\n".encode() + data)
    return digest.hexdigest()


def difference(here: dict[str, str], there: dict[str, str]) -> str:
    """Return the first difference of two fingerprints as words; empty if they are equal.

    >>> difference({"Flagfall": "0.2.0"}, {"Flagfall": "0.1.0"})
    'it has Flagfall 0.1.0, this machine 0.2.0'
    """
    for name, ours in here.items():
        theirs = there.get(name, "unknown")
        if theirs == ours:
            continue
        if name == "the program":
            return "its copy of Flagfall has other source files"
        return f"it has {name} {theirs}, this machine {ours}"
    return ""
