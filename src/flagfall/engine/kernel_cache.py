"""Where the machine code of kernels is kept, so that it is compiled once per machine.

Numba does not notice an edit in a jitted helper of another file, so the folder is named by a digest of all
kernel sources. The digest is that of the code, without comments, docstrings and line numbers. Inside the
folder, files are named relative to the package: every checkout with the same code uses the same machine code.

Folders and remembered digests that no process has used for a month are removed when a new folder is made.
"""

from __future__ import annotations

import ast
import hashlib
import logging
import os
import platform
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from flagfall.engine.mode import is_checked

PACKAGE = Path(__file__).resolve().parent.parent
MAX_UNUSED_S = 30 * 24 * 3600
_SOURCES = ("board.py", "engine", "players", "arena", "rl")
_MARKS = (b"flagfall.engine.kernel", b": Final")
"""marks of files outside the engine that hold kernels or constants which kernels are compiled with"""
_DIGEST_BYTES = 8
_CPU_FIELDS = ("vendor_id", "cpu family", "model", "model name", "flags")
_CPU_VARIABLES = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")

logger = logging.getLogger("flagfall.kernels")
_unsaved: list[OSError] = []
"""why machine code of this process is not on disk"""


def kernel_sources(package: Path = PACKAGE) -> Iterator[tuple[str, bytes]]:
    """Yield the name and text of every file that may hold a kernel or a constant of one."""
    for name in _SOURCES:
        place = package / name
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place] if place.exists() else []:
            text = file.read_bytes()
            if name in ("board.py", "engine") or any(mark in text for mark in _MARKS):
                yield file.relative_to(package).as_posix(), text


def code_digest(package: Path = PACKAGE) -> str:
    """Return a digest of the code that kernels are made of: what it does, not how it is laid out."""
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for name, text in kernel_sources(package):
        tree = ast.parse(text)
        for node in ast.walk(tree):
            for block in ("body", "orelse", "finalbody"):
                if isinstance(lines := getattr(node, block, None), list):
                    setattr(node, block, [line for line in lines if not _is_text(line)])
        digest.update(f"{name}\n{ast.dump(tree)}\n".encode())
    return digest.hexdigest()


def _is_text(line: ast.AST) -> bool:
    """Return whether a statement is only a string, such as a docstring."""
    return (
        isinstance(line, ast.Expr)
        and isinstance(line.value, ast.Constant)
        and isinstance(line.value.value, str)
    )


def remembered_digest(folder: Path, package: Path = PACKAGE) -> str:
    """Return the digest of the code; it is kept for each version of the sources, as parsing takes time."""
    sources = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for name, text in kernel_sources(package):
        sources.update(f"{name}\n{len(text)}\n".encode() + text)
    file = folder / sources.hexdigest()
    with suppress(OSError, ValueError):
        known = file.read_text()
        if len(bytes.fromhex(known)) == _DIGEST_BYTES:
            with suppress(OSError):
                os.utime(file)
            return known
    digest = code_digest(package)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(digest)
    return digest


def cache_folder() -> Path:
    """Return the folder for the machine code of these sources."""
    checked = "-checked" if is_checked() else ""
    folder = _all_caches()
    return folder / f"kernels-{remembered_digest(folder / 'digests')}{checked}"


def _all_caches() -> Path:
    """Return the folder for the machine code of all versions; ``NUMBA_CACHE_DIR`` can name another."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen, "flagfall")
    from platformdirs import user_cache_path

    return user_cache_path("flagfall")


def complete_marker() -> Path:
    """Return the file that exists when this Python and Numba have compiled all kernels for this processor."""
    cpu = hashlib.blake2b(_cpu().encode(), digest_size=_DIGEST_BYTES).hexdigest()
    return cache_folder() / f"complete-{sys.implementation.cache_tag}-numba{version('numba')}-{cpu}"


def _cpu() -> str:
    """Return a description of the processor, without loading LLVM (50 MB), which knows its exact name."""
    try:
        first, _, _ = Path("/proc/cpuinfo").read_text().partition("\n\n")
        fields = [line for line in first.splitlines() if line.partition(":")[0].strip() in _CPU_FIELDS]
    except OSError:
        fields = []
    chosen = [os.environ.get(name, "") for name in _CPU_VARIABLES]
    return "\n".join([platform.machine(), platform.processor(), *fields, *chosen])


def use_cache_folder() -> Path:
    """Return the folder of these sources and mark it as used; if it is new, remove what is no longer used."""
    folder = cache_folder()
    with suppress(OSError):
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            os.utime(folder)
        else:
            _remove_unused(folder.parent)
    return folder


def _remove_unused(caches: Path) -> None:
    """Remove machine code and digests not used for long; another process may do so at the same time."""
    oldest = time.time() - MAX_UNUSED_S
    for file in caches.glob("digests/*"):
        with suppress(OSError):
            if file.stat().st_mtime < oldest:
                file.unlink()
    for folder in [*caches.glob("kernels-*"), *caches.glob("removed-*")]:
        with suppress(OSError):
            if folder.stat().st_mtime < oldest:
                # Renamed first: no process finds a marker of complete code in a folder that is half empty.
                removed = folder.rename(caches / f"removed-{os.getpid()}-{folder.name}")
                shutil.rmtree(removed, ignore_errors=True)


def tell_unsaved(folder: Path, error: OSError) -> None:
    """Note that machine code could not be written; say so the first time."""
    if not _unsaved:
        logger.warning("Machine code cannot be kept in %s: %s.", folder, error.strerror or error)
    _unsaved.append(error)


def is_saved() -> bool:
    """Return whether all machine code of this process is on disk."""
    return not _unsaved
