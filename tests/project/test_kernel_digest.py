"""Kernels are compiled again when their code changes, and only then; unused machine code is removed."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from flagfall.engine import kernel_cache
from flagfall.engine.kernel_cache import (
    MAX_UNUSED_S,
    PACKAGE,
    cache_folder,
    code_digest,
    complete_marker,
    kernel_sources,
    remembered_digest,
    use_cache_folder,
)
from flagfall.engine.mode import is_checked

ENGINE = '''"""Moves."""

from flagfall.engine.kernel import kernel

LIMIT = 3
"""steps"""


@kernel
def step(cell: int, way: int = 1) -> int:
    """Go on."""
    # one step
    if cell > LIMIT:
        return cell
    else:
        "nowhere"
        return cell + way
'''
PLAYER = '''"""Values."""

from typing import Final

WORTH: Final = 7
NAME = "marshal"
'''
OTHER = '''"""Nothing that is compiled."""

RATE = 1
'''


def package(folder: Path, **changes: str) -> Path:
    """A small package with one kernel, one constant of players and one other file."""
    files = {
        "engine/moves.py": ENGINE,
        "players/values.py": PLAYER,
        "players/other.py": OTHER,
        "board.py": "A = 1\n",
    }
    for name, text in (files | changes).items():
        if text:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
    return folder


def digest_after(tmp_path: Path, file: str, old: str, new: str) -> tuple[str, str]:
    """The digest before and after a change of one file."""
    text = {"engine/moves.py": ENGINE, "players/values.py": PLAYER, "players/other.py": OTHER}[file]
    assert old in text
    changed = package(tmp_path / "changed", **{file: text.replace(old, new)})
    return code_digest(package(tmp_path / "before")), code_digest(changed)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("engine/moves.py", '"""Moves."""', '"""Moves of pieces,\n\nin two lines."""'),
        ("engine/moves.py", '"""Go on."""', '"""Go one step further."""'),
        ("engine/moves.py", '    """Go on."""\n', ""),
        ("engine/moves.py", '"""steps"""\n', ""),
        ("engine/moves.py", '        "nowhere"\n', ""),
        ("engine/moves.py", "# one step", "# a step\n    # or none"),
        ("engine/moves.py", "LIMIT = 3", "\n\nLIMIT = 3  # at most"),
        ("engine/moves.py", "(cell: int, way: int = 1)", "(\n    cell: int,\n    way: int = 1,\n)"),
        ("players/values.py", '"""Values."""', '"""What a piece is worth."""'),
        ("players/other.py", "RATE = 1", "RATE = 2"),
    ],
)
def test_words_and_lines_do_not_matter(tmp_path: Path, file: str, old: str, new: str) -> None:
    before, after = digest_after(tmp_path, file, old, new)
    assert before == after


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("engine/moves.py", "LIMIT = 3", "LIMIT = 4"),
        ("engine/moves.py", "cell + way", "cell - way"),
        ("engine/moves.py", "cell > LIMIT", "cell >= LIMIT"),
        ("engine/moves.py", "way: int = 1", "way: int = 2"),
        ("engine/moves.py", "@kernel\n", ""),
        ("engine/moves.py", '        "nowhere"\n', '        print("nowhere")\n'),
        ("players/values.py", "= 7", "= 7.0"),
        ("players/values.py", '"marshal"', '"general"'),
        ("players/other.py", "RATE = 1", "RATE: Final = 1"),
    ],
)
def test_code_and_constants_matter(tmp_path: Path, file: str, old: str, new: str) -> None:
    before, after = digest_after(tmp_path, file, old, new)
    assert before != after


def test_a_file_that_is_moved_or_new_matters(tmp_path: Path) -> None:
    moved = package(tmp_path / "moved", **{"engine/moves.py": "", "engine/steps.py": ENGINE})
    more = package(tmp_path / "more", **{"engine/new.py": "B = 1\n"})
    assert len({code_digest(package(tmp_path / "before")), code_digest(moved), code_digest(more)}) == 3


def test_a_digest_is_remembered_for_the_names_and_texts_of_the_sources(tmp_path: Path) -> None:
    digests, before = tmp_path / "digests", package(tmp_path / "before")
    moved = package(tmp_path / "moved", **{"engine/moves.py": "", "engine/steps.py": ENGINE})
    assert remembered_digest(digests, before) == code_digest(before)
    assert remembered_digest(digests, moved) == code_digest(moved)
    for file in digests.iterdir():
        file.write_text("0123456789abcdef")
    assert remembered_digest(digests, before) == "0123456789abcdef", "it is not computed again"


@pytest.mark.parametrize("damaged", ["", "01234567", "0123456789abcdef01", "not a number"])
def test_a_damaged_digest_is_not_believed(tmp_path: Path, damaged: str) -> None:
    digests, source = tmp_path / "digests", package(tmp_path / "source")
    digest = remembered_digest(digests, source)
    (file,) = digests.iterdir()
    file.write_text(damaged)
    assert remembered_digest(digests, source) == digest == file.read_text()


# ------------------------------------------------------------------- constants that kernels are made with


class Names:
    """The names at the top of a module: what it imports from this package, and what defines the others."""

    def __init__(self, file: Path) -> None:
        self.imported: dict[str, tuple[str, str]] = {}
        self.defined: dict[str, list[ast.stmt]] = {}
        self._read(ast.parse(file.read_bytes()).body)

    def _read(self, lines: list[ast.stmt]) -> None:
        for line in lines:
            if isinstance(line, ast.ImportFrom) and line.module and line.module.startswith("flagfall"):
                for alias in line.names:
                    self.imported[alias.asname or alias.name] = (line.module, alias.name)
            elif isinstance(line, ast.FunctionDef | ast.ClassDef):
                self.defined.setdefault(line.name, []).append(line)
            elif isinstance(line, ast.If | ast.For | ast.With):
                self._read([*line.body, *getattr(line, "orelse", [])])
            else:
                for node in ast.walk(line):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                        self.defined.setdefault(node.id, []).append(line)

    def kernels(self) -> Iterator[str]:
        """Yield the names of the kernels."""
        for name, lines in self.defined.items():
            marks = {ast.unparse(mark) for line in lines for mark in getattr(line, "decorator_list", [])}
            if marks & {"kernel", "inlined"}:
                yield name

    def used_by(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the names that a definition uses, each with an attribute if it is of a module."""
        for line in self.defined[name]:
            parts = line.body if isinstance(line, ast.FunctionDef | ast.ClassDef) else [line.value]  # type: ignore[attr-defined]
            nodes = [node for part in parts if part is not None for node in ast.walk(part)]
            stored = {node.id for node in nodes if isinstance(node, ast.Name) and not _is_read(node)}
            for node in nodes:
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    yield node.value.id, node.attr
                elif isinstance(node, ast.Name) and node.id not in stored:
                    yield node.id, ""


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def module_file(module: str) -> Path | None:
    """Return the file of a module of this package."""
    place = PACKAGE.joinpath(*module.split(".")[1:])
    return next((file for file in (place.with_suffix(".py"), place / "__init__.py") if file.exists()), None)


def files_of_kernels() -> set[str]:
    """Return the files of all kernels, and of everything that their code uses, however indirectly."""
    modules = {file: Names(file) for file in PACKAGE.rglob("*.py")}
    waiting = {(file, name) for file, names in modules.items() for name in names.kernels()}
    seen = set[tuple[Path, str]]()
    while waiting:
        file, name = definition = waiting.pop()
        if definition in seen or name not in modules[file].defined | modules[file].imported:
            continue
        seen.add(definition)
        names = modules[file]
        if name in names.imported:
            module, original = names.imported[name]
            origin = module_file(module)
            assert origin is not None
            waiting.add((origin, original))
            continue
        for used, attribute in names.used_by(name):
            module = ".".join(names.imported.get(used, ()))
            if attribute and module and (whole := module_file(module)) is not None:
                waiting.add((whole, attribute))
            else:
                waiting.add((file, used))
    return {file.relative_to(PACKAGE).as_posix() for file, name in seen if name in modules[file].defined}


def test_every_file_that_a_kernel_takes_code_or_constants_from_is_in_the_digest() -> None:
    used = files_of_kernels()
    assert {"board.py", "engine/action.py", "players/search/alpha_beta.py"} <= used
    assert used <= {name for name, _ in kernel_sources()}


# -------------------------------------------------------------------------------------- folders on disk


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test keeps machine code."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "flagfall"


@pytest.fixture
def digest(monkeypatch: pytest.MonkeyPatch) -> str:
    """The digest of the code, for tests that need not compute it."""
    monkeypatch.setattr(kernel_cache, "remembered_digest", lambda folder: "0123456789abcdef")
    return "0123456789abcdef"


@pytest.mark.parametrize("value", ["1", "true", "True"])
def test_checked_machine_code_has_a_folder_of_its_own(
    caches: Path, digest: str, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("FLAGFALL_BOUNDSCHECK", value)
    assert is_checked()
    assert cache_folder() == caches / f"kernels-{digest}-checked"


@pytest.mark.parametrize("value", ["", "0", "false", "False", None])
def test_machine_code_is_unchecked_unless_the_variable_is_true(
    caches: Path, digest: str, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("FLAGFALL_BOUNDSCHECK")
    if value is not None:
        monkeypatch.setenv("FLAGFALL_BOUNDSCHECK", value)
    assert not is_checked()
    assert cache_folder() == caches / f"kernels-{digest}"


def test_another_python_numba_or_processor_has_not_compiled_everything(
    caches: Path, digest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = complete_marker()
    assert here == complete_marker()
    markers = {here}
    with monkeypatch.context() as python:
        other = SimpleNamespace(implementation=SimpleNamespace(cache_tag="cpython-399"))
        python.setattr(kernel_cache, "sys", other)
        markers.add(complete_marker())
    with monkeypatch.context() as numba:
        numba.setattr(kernel_cache, "version", {"numba": "0.99.0"}.__getitem__)
        markers.add(complete_marker())
    with monkeypatch.context() as machine:
        machine.setattr("platform.machine", lambda: "another")
        markers.add(complete_marker())
    with monkeypatch.context() as processor:
        processor.setenv("NUMBA_CPU_NAME", "generic")
        markers.add(complete_marker())
    assert len(markers) == 5
    assert {marker.parent for marker in markers} == {cache_folder()}


def unused_for(place: Path, seconds: float) -> Path:
    """Make a folder with one file, last used so long ago."""
    (place / "engine").mkdir(parents=True)
    (place / "engine" / "rules.legal.nbi").touch()
    used = time.time() - seconds
    os.utime(place, (used, used))
    return place


def test_machine_code_not_used_for_a_month_is_removed_when_a_new_folder_is_made(caches: Path) -> None:
    hour = 3600
    old = [unused_for(caches / name, MAX_UNUSED_S + hour) for name in ("kernels-1", "kernels-1-checked")]
    left = unused_for(caches / "removed-1-kernels-0", MAX_UNUSED_S + hour)
    young = unused_for(caches / "kernels-2", MAX_UNUSED_S - hour)
    other = unused_for(caches / "something", MAX_UNUSED_S + hour)
    digests = caches / "digests"
    digests.mkdir()
    for folder in (old[0], young):
        (digests / folder.name).touch()
        os.utime(digests / folder.name, (folder.stat().st_mtime,) * 2)
    mine = use_cache_folder()
    assert {place.name for place in caches.iterdir()} == {mine.name, young.name, other.name, "digests"}
    assert not any(place.exists() for place in (*old, left))
    assert {place.name for place in digests.iterdir()} >= {young.name}
    assert not (digests / old[0].name).exists()


def test_a_folder_in_use_is_never_removed_and_counts_as_used(caches: Path) -> None:
    mine = use_cache_folder()
    (digest,) = (caches / "digests").iterdir()
    long_ago = time.time() - 2 * MAX_UNUSED_S
    for place in (mine, digest):
        os.utime(place, (long_ago, long_ago))
    unused = unused_for(caches / "kernels-1", 2 * MAX_UNUSED_S)
    assert use_cache_folder() == mine
    assert unused.exists(), "nothing is removed while no folder is new"
    shutil.move(mine, mine.with_name("kernels-used"))
    use_cache_folder()
    assert mine.with_name("kernels-used").exists()
    assert digest.exists()
    assert not unused.exists()


def test_several_processes_may_remove_unused_machine_code_at_once(caches: Path) -> None:
    for number in range(50):
        unused_for(caches / f"kernels-{number}", 2 * MAX_UNUSED_S)
    with ThreadPoolExecutor(4) as threads:
        for removing in [threads.submit(kernel_cache._remove_unused, caches) for _ in range(4)]:
            removing.result()
    assert list(caches.iterdir()) == []


RUN = """
import json, resource, sys
import numpy
from flagfall.engine.kernel import lowest_bit
from flagfall.engine.kernel_cache import cache_folder, is_saved
if len(sys.argv) > 1:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
found = [lowest_bit(8), lowest_bit(numpy.int16(4))]
stats = lowest_bit.stats
counts = [sum(counted.values()) for counted in (stats.cache_hits, stats.cache_misses)]
print(json.dumps([found, *counts, is_saved(), lowest_bit.targetoptions["boundscheck"], cache_folder().name]))
"""


def compiled(source: Path, cache: Path, *limit: str, checks: str = "1") -> tuple[list[object], str]:
    """The results of a compiled kernel, how often its machine code was found and missed, whether it is saved
    and checked, and its folder; and what was said."""
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment |= {"PYTHONPATH": str(source), "XDG_CACHE_HOME": str(cache), "FLAGFALL_KERNELS": "compiled"}
    environment |= {"FLAGFALL_BOUNDSCHECK": checks}
    ran = subprocess.run(
        [sys.executable, "-c", RUN, *limit], env=environment, capture_output=True, text=True, check=True
    )
    found: list[object] = json.loads(ran.stdout)
    return found, ran.stderr


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of the package that a test may edit."""
    shutil.copytree(PACKAGE, tmp_path / "source" / "flagfall", ignore=shutil.ignore_patterns("site"))
    return tmp_path / "source"


@pytest.mark.xdist_group("compiled")
def test_machine_code_is_found_again_after_an_edit_of_words_and_made_again_after_one_of_code(
    source: Path, tmp_path: Path
) -> None:
    cache, file = tmp_path / "cache", source / "flagfall" / "engine" / "kernel.py"
    text = file.read_text()
    (*first, folder), _ = compiled(source, cache)
    assert first == [[3, 2], 0, 2, True, True]
    file.write_text('"""Other words."""\n# and a line more\n\n' + text.partition('"""\n\n')[2])
    again = [[3, 2], 2, 0, True, True, folder], ""
    assert compiled(source, cache) == again
    assert compiled(source, cache) == again
    (*unchecked, other), _ = compiled(source, cache, checks="0")
    assert unchecked == [[3, 2], 0, 2, True, False]
    assert folder == f"{other}-checked"
    file.write_text(text.replace("CHECKED: Final = is_checked() or", "CHECKED: Final = is_compiled() or"))
    (*third, other), _ = compiled(source, cache)
    assert third == first
    assert other != folder


@pytest.mark.xdist_group("compiled")
def test_machine_code_is_kept_nowhere_else_if_its_folder_cannot_be_used(source: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.write_text("a file, not a folder")
    (*found, folder), said = compiled(source, cache)
    assert found == [[3, 2], 0, 2, False, True]
    assert said == f"Machine code cannot be kept in {cache / 'flagfall'}/{folder}: Not a directory.\n"
    assert not [*tmp_path.rglob("*.nbi"), *tmp_path.rglob("*.nbc")]


@pytest.mark.xdist_group("compiled")
def test_a_full_disk_stops_no_kernel(source: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    (*found, folder), said = compiled(source, cache, "1500")
    assert found == [[3, 2], 0, 2, False, True]
    assert said == f"Machine code cannot be kept in {cache / 'flagfall'}/{folder}: File too large.\n"
    assert not [*tmp_path.rglob("*.nbc"), *tmp_path.rglob("*.tmp.*")]
    (*then, _), said = compiled(source, cache)
    assert (then, said) == ([[3, 2], 0, 2, True, True], ""), "saved as soon as there is space"
