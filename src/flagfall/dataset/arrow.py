"""The library behind datasets, imported when it is needed, and what is said if it is missing."""

from __future__ import annotations

from typing import Any

from flagfall.errors import FlagfallError


class DatasetError(FlagfallError):
    """A dataset cannot be made or read; the message says why and what to do."""

    code = "bad-dataset"


def parquet() -> Any:
    """Return the module ``pyarrow.parquet``."""
    try:
        import pyarrow.parquet
    except ModuleNotFoundError as missing:
        if missing.name is None or not missing.name.startswith("pyarrow"):
            raise
        raise DatasetError('Datasets need pyarrow; install it with: pip install "flagfall[data]"') from None
    return pyarrow.parquet


def arrow() -> Any:
    """Return the module ``pyarrow``."""
    parquet()
    import pyarrow

    return pyarrow
