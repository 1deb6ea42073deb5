"""Datasets: the positions of many games as Parquet files, and readers for them (`docs/dataset.md`).

Reading needs pyarrow only: ``pip install "flagfall[data]"``. Importing this package imports neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flagfall.dataset.arrow import DatasetError
from flagfall.dataset.description import Description, Plan
from flagfall.dataset.reader import Batch, Dataset

if TYPE_CHECKING:
    from flagfall.dataset.torch_reader import TorchDataset

__all__ = ["Batch", "Dataset", "DatasetError", "Description", "Plan", "torch_dataset"]


def torch_dataset(
    folder: Path | str, size: int = 256, *, columns: Sequence[str] | None = None, seed: int | None = None
) -> TorchDataset:
    """Return a torch IterableDataset that yields batches as dicts of tensors.

    Give it to a ``DataLoader`` with ``batch_size=None``; with ``num_workers`` each worker reads other rows.
    """
    try:
        from flagfall.dataset.torch_reader import TorchDataset
    except ModuleNotFoundError as missing:
        if missing.name != "torch":
            raise
        raise DatasetError("torch_dataset needs PyTorch; install it with: pip install torch") from None
    return TorchDataset(folder, size, columns=columns, seed=seed)
