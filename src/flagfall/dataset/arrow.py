"""The library behind datasets, imported when it is needed, and what is said if it is missing."""

from __future__ import annotations

from typing import Any

from flagfall.errors import FlagfallError
from flagfall.extras import require


class DatasetError(FlagfallError):
    """A dataset cannot be made or read; the message says why and what to do."""

    code = "bad-dataset"


def parquet() -> Any:
    """Return the module ``pyarrow.parquet``."""
    require("data", "A dataset")
    import pyarrow.parquet

    return pyarrow.parquet


def arrow() -> Any:
    """Return the module ``pyarrow``."""
    parquet()
    import pyarrow

    return pyarrow
