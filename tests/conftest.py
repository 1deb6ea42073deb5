"""What holds for all tests: processes end with their test, and machine code checks every index."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests import children

os.environ.setdefault("FLAGFALL_BOUNDSCHECK", "1")  # `make kernels` compiles the same kernels before


@pytest.fixture(autouse=True)
def _no_process_left() -> Iterator[None]:
    yield
    children.end_all()
