"""Read a dataset as batches of NumPy arrays, in order or shuffled, without holding all of it in memory.

::

    dataset = Dataset("duel")
    for batch in dataset.batches(256, seed=1):
        batch["planes"], batch["action"], batch["outcome"]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flagfall.dataset.arrow import DatasetError, arrow
from flagfall.dataset.columns import BY_NAME, Column, columns_of, plane_bits
from flagfall.dataset.columns import TRUTH as TRUTH_COLUMNS
from flagfall.dataset.description import Description, read_description
from flagfall.dataset.shards import ShardFacts, damaged, open_shard, shard_facts, shard_files
from flagfall.errors import suggestion

Batch = dict[str, NDArray[Any]]
"""an array for every column, with a first axis for the positions"""
MASK: Final = "mask"
COUNT: Final = "count"
GROUPS_AT_ONCE: Final = 16
"""row groups that are shuffled together: some 32,000 positions"""
NO_ACTION: Final = -1
"""what follows the legal actions of a position in an array"""


class Dataset:
    """A dataset in a folder; it may still be growing, and has the shards that are there now."""

    def __init__(self, folder: Path | str, columns: Sequence[str] | None = None) -> None:
        """``columns`` are those of batches; without them, all that a policy may see and learn from.

        ``mask`` is one more: the legal actions as truth values. ``legal`` brings ``count``.
        """
        self.folder = Path(folder)
        self.description: Description = read_description(self.folder)
        """what the dataset is: game, options, names of planes and scalars"""
        self.columns = self._chosen(columns)
        """the columns of a batch"""
        self.files = shard_files(self.folder)
        self.shards: list[ShardFacts] = []
        self._groups: list[tuple[int, int]] = []
        self._rows = 0
        for number, file in enumerate(self.files):
            self.shards.append(shard_facts(file, self.description))
            metadata = open_shard(file).metadata
            self._rows += metadata.num_rows
            self._groups += [(number, group) for group in range(metadata.num_row_groups)]

    def __repr__(self) -> str:
        return f"<Dataset {self.description.plan.game}, {len(self)} positions>"

    def __len__(self) -> int:
        """Return the number of positions."""
        return self._rows

    @property
    def games(self) -> int:
        """How many games there are, without those that were left out."""
        return sum(shard.games - shard.left_out for shard in self.shards)

    def __iter__(self) -> Iterator[Batch]:
        return self.batches()

    def _chosen(self, wanted: Sequence[str] | None) -> tuple[str, ...]:
        there = columns_of(self.description)
        if isinstance(wanted, str) or (wanted is not None and not wanted):
            raise DatasetError("Name the columns as a list, such as ['planes', 'action'].")
        if wanted is None:
            return tuple(column.name for column in there if column.is_usual)
        known = [*(column.name for column in there), MASK]
        for name in wanted:
            if name in BY_NAME and name not in known:
                raise DatasetError(f"{self.folder} was made without “{name}”.")
            if name not in known:
                raise DatasetError(f"There is no column “{name}”; {suggestion(name, known)}.")
        return tuple(dict.fromkeys(wanted))

    def batches(
        self,
        size: int = 1024,
        *,
        seed: int | None = None,
        part: tuple[int, int] = (0, 1),
        drop_last: bool = False,
    ) -> Iterator[Batch]:
        """Yield batches of ``size`` positions; the last one may be smaller.

        With a seed they are shuffled: row groups of all shards, then positions among sixteen groups at a
        time. ``part`` (i, n) gives the i-th of n parts, for workers that share the reading.
        """
        if size < 1:
            raise DatasetError(f"A batch has at least one position, not {size}.")
        which, parts = part
        if not 0 <= which < parts:
            raise DatasetError(f"There is no part {which} of {parts}.")
        groups = list(self._groups)
        rng = None if seed is None else np.random.default_rng(seed)
        if rng is not None:
            groups = [groups[at] for at in rng.permutation(len(groups))]
        return self._batches(groups[which::parts], size, rng, drop_last)

    def _batches(
        self, groups: Sequence[tuple[int, int]], size: int, rng: np.random.Generator | None, drop_last: bool
    ) -> Iterator[Batch]:
        pa = arrow()
        stored = list(dict.fromkeys("legal" if name == MASK else name for name in self.columns))
        rest: Any = None
        at_once = GROUPS_AT_ONCE if rng is not None else 1
        for first in range(0, len(groups), at_once):
            tables = [
                self._read(group, list(dict.fromkeys(stored))) for group in groups[first : first + at_once]
            ]
            if rest is not None:
                tables.insert(0, rest)
            table = pa.concat_tables(tables, promote_options="none").combine_chunks()
            if rng is not None:
                table = table.take(pa.array(rng.permutation(len(table))))
            whole = len(table) - len(table) % size
            for start in range(0, whole, size):
                yield self._batch(table.slice(start, size))
            rest = table.slice(whole) if whole < len(table) else None
        if rest is not None and not drop_last:
            yield self._batch(rest)

    def _read(self, group: tuple[int, int], columns: list[str]) -> Any:
        file = self.files[group[0]]
        try:
            table = open_shard(file).read_row_group(group[1], columns=columns, use_threads=False)
        except (OSError, ValueError) as error:
            if isinstance(error, DatasetError | FileNotFoundError):
                raise
            raise damaged(file, error) from None
        pa = arrow()
        texts = [name for name in columns if BY_NAME[name].sort == "text"]
        for name in texts:
            at = table.schema.get_field_index(name)
            table = table.set_column(at, name, table.column(name).cast(pa.string()))
        return table

    def _batch(self, table: Any) -> Batch:
        """Return rows as arrays."""
        batch: Batch = {}
        for name in self.columns:
            column = BY_NAME["legal" if name == MASK else name]
            chunks = table.column(column.name).combine_chunks()
            if name == MASK:
                batch[MASK] = self._mask(chunks)
            else:
                batch[name] = self._array(column, chunks)
            if name == "legal":
                batch[COUNT] = _counts(chunks)
        return batch

    def _array(self, column: Column, values: Any) -> NDArray[Any]:
        n, described = len(values), self.description
        if column.sort == "planes":
            bits = plane_bits(described, column.name)
            width = (bits + 7) // 8
            data = np.frombuffer(
                values.buffers()[1], dtype=np.uint8, count=n * width, offset=values.offset * width
            )
            count = described.kinds if column.name in TRUTH_COLUMNS else len(described.planes.south)
            planes = np.unpackbits(data.reshape(n, width), axis=1, count=bits)
            return planes.reshape(n, count, described.rows, described.columns)
        if column.sort == "scalars":
            flat: NDArray[Any] = values.flatten().to_numpy()
            return flat.reshape(n, -1).copy()
        if column.sort == "list":
            return self._padded(column, values)
        if column.sort == "text":
            return np.array(values.to_pylist(), dtype=np.str_)
        array: NDArray[Any] = values.to_numpy(zero_copy_only=False).astype(column.type, copy=True)
        return array

    def _padded(self, column: Column, values: Any) -> NDArray[Any]:
        """Return lists as rows of one length: with -1 after the legal actions, or NaN after their values."""
        counts = _counts(values)
        is_legal = column.name == "legal"
        shape = (len(values), self.description.max_legal)
        rows: NDArray[Any] = np.zeros(shape, dtype=np.int32 if is_legal else np.float32)
        rows[:] = NO_ACTION if is_legal else np.nan
        rows[np.arange(rows.shape[1]) < counts[:, None]] = values.flatten().to_numpy()
        return rows

    def _mask(self, values: Any) -> NDArray[np.bool_]:
        counts = _counts(values)
        mask = np.zeros((len(values), self.description.actions), dtype=np.bool_)
        mask[np.repeat(np.arange(len(values)), counts), values.flatten().to_numpy()] = True
        return mask


def _counts(values: Any) -> NDArray[np.int32]:
    """Return the lengths of lists; 0 where there is none."""
    lengths: NDArray[np.int32] = values.value_lengths().fill_null(0).to_numpy().astype(np.int32)
    return lengths
