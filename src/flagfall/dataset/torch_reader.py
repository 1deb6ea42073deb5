"""A dataset for torch: batches as dicts of tensors, from any number of DataLoader workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from torch.utils.data import IterableDataset, get_worker_info

from flagfall.dataset.arrow import DatasetError
from flagfall.dataset.columns import BY_NAME
from flagfall.dataset.reader import Dataset

Tensors = dict[str, torch.Tensor]


class TorchDataset(IterableDataset[Tensors]):
    """Batches of a `Dataset` as tensors; each worker of a DataLoader reads other row groups.

    Change ``seed`` for every epoch to shuffle anew.
    """

    def __init__(
        self,
        folder: Path | str,
        size: int = 256,
        *,
        columns: Sequence[str] | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__()
        self.dataset, self.size, self.seed = Dataset(folder, columns), size, seed
        for name in self.dataset.columns:
            if name in BY_NAME and BY_NAME[name].sort == "text":
                raise DatasetError(f"“{name}” is text, which no tensor can hold; read it with Dataset.")

    def __iter__(self) -> Iterator[Tensors]:
        worker = get_worker_info()
        part = (0, 1) if worker is None else (worker.id, worker.num_workers)
        for batch in self.dataset.batches(self.size, seed=self.seed, part=part):
            yield {name: torch.from_numpy(array) for name, array in batch.items()}
