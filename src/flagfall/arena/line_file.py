"""A file of lines that a long run adds to: what is whole is kept, a last line that was cut off is dropped."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec


class LineFile(ABC):
    """The lines of one run, in memory and, if there is a file, in it.

    Opened with ``reads_only`` the file is not changed, even while another process writes it.
    """

    def __init__(self, file: Path | None, *, anew: bool = False, reads_only: bool = False) -> None:
        self.file = file
        self._stream: IO[bytes] | None = None
        if file is not None and file.exists() and not anew:
            self._read(file, reads_only=reads_only)
        if file is not None and not reads_only:
            self._stream = file.open("wb" if anew else "ab")

    def _read(self, file: Path, *, reads_only: bool) -> None:
        data = file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if not whole and data.strip():
            raise self._stranger(str(file))
        for number, text in enumerate(whole.splitlines(), start=1):
            self._take(f"{file}, line {number}", text)
        if whole != data and not reads_only:  # what was cut off is done again
            file.write_bytes(whole)

    @abstractmethod
    def _stranger(self, file: str) -> Exception:
        """What is wrong with a file that has no line at all."""

    @abstractmethod
    def _take(self, where: str, text: bytes) -> None:
        """Take in a line that was written before, or refuse the file."""

    def _write(self, line: object) -> None:
        """Add a line; it is in the file when this returns."""
        if self._stream is not None:
            self._stream.write(msgspec.json.encode(line) + b"\n")
            self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()
