"""Small buffers for the interpreted kernels of tests, so that several of them are filled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from flagfall.dataset import encoding


@pytest.fixture(autouse=True, scope="package")
def _small_buffers() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding, "POSITIONS_AT_ONCE", 8)
        encoding.forget_buffers()
        yield
        encoding.forget_buffers()
