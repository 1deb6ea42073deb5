"""Versions of boxes: texts that never change, each found by an id made from the text itself.

A match of a box that does not come with the program names the version, ``box-…/classic``, so it can be read
again whatever becomes of the box. A process finds the text of a version where it was added, or asks a source,
such as the server's database.
"""

from __future__ import annotations

import re
from base64 import b32encode
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from threading import Lock

VERSION_ID = re.compile(r"box-[a-z2-7]{26}")
MAX_VERSIONS = 64
"""texts, and editions, that a process remembers; others are read again"""

Source = Callable[[str], str | None]
"""returns the text of a version, or None"""


def version_id_of(text: str) -> str:
    """Return the id of a text; 130 bits of its hash.

    >>> version_id_of("a box")
    'box-gk3kkjwflfthryxvge2adwwqq5'
    """
    return f"box-{b32encode(sha256(text.encode(errors='surrogatepass')).digest()).decode().lower()[:26]}"


def is_version(box_id: str) -> bool:
    """Return whether the box of a game id is a version."""
    return VERSION_ID.fullmatch(box_id) is not None


class Versions:
    """The texts that this process knows, and where it asks for others; used by several threads."""

    def __init__(self) -> None:
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._kept: dict[str, str] = {}
        self._sources: list[Source] = []
        self._lock = Lock()

    def add(self, text: str, *, is_kept: bool = False) -> str:
        """Remember a text and return its id; ``is_kept``: for as long as the process lives."""
        version_id = version_id_of(text)
        with self._lock:
            if is_kept:
                self._kept[version_id] = text
            self._remember(version_id, text)
        return version_id

    def text(self, version_id: str) -> str | None:
        """Return the text of a version; None if nobody knows it."""
        with self._lock:
            known = self._kept.get(version_id) or self._texts.get(version_id)
            if known is not None:
                return known
            sources = tuple(self._sources)
        for source in sources:
            text = source(version_id)
            if text is not None and version_id_of(text) == version_id:
                with self._lock:
                    self._remember(version_id, text)
                return text
        return None

    def kept(self) -> dict[str, str]:
        """Return the texts that are kept, by id."""
        return dict(self._kept)

    @contextmanager
    def source(self, source: Source) -> Iterator[None]:
        """Within the block, ask this source for texts."""
        self._sources.append(source)
        try:
            yield
        finally:
            self._sources.remove(source)

    def _remember(self, version_id: str, text: str) -> None:
        self._texts[version_id] = text
        self._texts.move_to_end(version_id)
        if len(self._texts) > MAX_VERSIONS:
            self._texts.popitem(last=False)


VERSIONS = Versions()
"""those of this process"""


def text_of_game(game_id: str) -> str:
    """Return the text of the box that a game belongs to, if it is a version; else empty."""
    box = game_id.partition("/")[0]
    return (VERSIONS.text(box) or "") if is_version(box) else ""
