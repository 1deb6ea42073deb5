"""Readers give every row once, in order or shuffled, to one process or to several."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flagfall.dataset import Batch, Dataset, DatasetError, encoding, torch_dataset
from flagfall.dataset import reader as reader_module
from flagfall.extras import MissingExtraError
from tests.dataset.making import self_play


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine games with row groups of five positions."""
    made = tmp_path_factory.mktemp("games")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding, "ROWS_PER_GROUP", 5)
        self_play(made, games=9)
    return made


def rows(batches: Iterable[Batch]) -> list[tuple[int, int]]:
    """Game and ply of every position."""
    each = (zip(batch["game"].tolist(), batch["ply"].tolist(), strict=True) for batch in batches)
    return [pair for pairs in each for pair in pairs]


def test_every_position_comes_once_and_in_order(folder: Path) -> None:
    dataset = Dataset(folder)
    found = rows(dataset.batches(7))
    assert found == sorted(set(found))
    assert len(found) == len(dataset) > 20
    assert rows(dataset) == found
    sizes = [len(batch["game"]) for batch in dataset.batches(7)]
    assert set(sizes[:-1]) == {7}
    assert sizes[-1] == len(dataset) % 7 or 7
    assert len(rows(dataset.batches(7, drop_last=True))) == len(dataset) // 7 * 7


def test_a_seed_shuffles_and_repeats(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "GROUPS_AT_ONCE", 3)
    dataset = Dataset(folder)
    plain, one, two = (rows(dataset.batches(7, seed=seed)) for seed in (None, 1, 2))
    assert sorted(one) == sorted(two) == plain
    assert one == rows(dataset.batches(7, seed=1))
    assert one != two != plain
    first = {game for game, _ in one[:15]}
    assert len(first) > 2, "positions of several games come together"


def test_a_shuffled_row_stays_whole(folder: Path) -> None:
    names = ["game", "ply", "planes", "legal", "action", "reason", "mask", "search_value"]
    plain: dict[tuple[int, int], list[Any]] = {}
    for seed in (None, 3):
        for batch in Dataset(folder, names).batches(4, seed=seed):
            for at, key in enumerate(zip(batch["game"].tolist(), batch["ply"].tolist(), strict=True)):
                row = [batch[name][at].tolist() for name in (*names[2:-1], "count")]
                assert plain.setdefault(key, row) == row
                assert batch["mask"][at, batch["action"][at]]
                assert np.isnan(batch["search_value"][at])


def test_parts_share_the_rows(folder: Path) -> None:
    dataset = Dataset(folder)
    for seed in (None, 5):
        parts = [rows(dataset.batches(6, seed=seed, part=(at, 3))) for at in range(3)]
        assert all(parts)
        assert sorted(row for part in parts for row in part) == rows(dataset.batches())


def test_only_a_few_groups_are_held_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "GROUPS_AT_ONCE", 2)
    read: list[object] = []
    original = Dataset._read

    def noted(self: Dataset, group: tuple[int, int], columns: list[str]) -> object:
        read.append(group)
        return original(self, group, columns)

    monkeypatch.setattr(Dataset, "_read", noted)
    batches = Dataset(folder).batches(4, seed=1)
    next(batches)
    assert len(read) == 2


def test_what_is_hidden_is_given_only_to_those_who_ask(folder: Path) -> None:
    usual = Dataset(folder).columns
    assert not [name for name in usual if name.startswith(("truth", "other"))]
    [batch] = Dataset(folder, ["truth_planes", "planes"]).batches(10_000)
    assert list(batch) == ["truth_planes", "planes"]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (["plane"], "There is no column “plane”; did you mean “planes”?"),
        ([], "Name the columns as a list"),
        ("game", "Name the columns as a list"),
    ],
)
def test_a_wrong_column_is_named(folder: Path, columns: list[str], said: str) -> None:
    with pytest.raises(DatasetError) as refused:
        Dataset(folder, columns)
    assert said in str(refused.value)


def test_a_column_that_was_not_written_is_named(tmp_path: Path) -> None:
    self_play(tmp_path, games=1, truth=False)
    with pytest.raises(DatasetError, match="was made without “truth_planes”"):
        Dataset(tmp_path, ["truth_planes"])


def test_wrong_sizes_are_refused(folder: Path) -> None:
    for wrong in ({"size": 0}, {"part": (2, 2)}, {"part": (0, 0)}):
        with pytest.raises(DatasetError):
            Dataset(folder).batches(**wrong)


def test_without_pyarrow_a_sentence_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match=r'install them with: pip install "flagfall\[data\]"'):
        Dataset(folder)


def test_without_torch_a_sentence_says_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "flagfall.dataset.torch_reader", raising=False)
    with pytest.raises(DatasetError, match="torch_dataset needs PyTorch; install it with: pip install torch"):
        torch_dataset(folder)


def test_a_reader_imports_no_engine() -> None:
    """A training process that only reads chooses no kernels and loads no rules."""
    program = "import sys, flagfall.dataset; print([name for name in sys.modules if 'engine' in name])"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[]"


def test_torch_workers_read_every_row_once(folder: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from torch.utils.data import DataLoader

    data = torch_dataset(folder, 4, seed=1)
    for workers in (0, 2):
        loader: Any = DataLoader(data, batch_size=None, num_workers=workers)
        found = [
            pair
            for batch in loader
            for pair in zip(batch["game"].tolist(), batch["ply"].tolist(), strict=True)
        ]
        assert sorted(found) == rows(Dataset(folder))
    assert all(isinstance(value, torch.Tensor) for value in next(iter(data)).values())
    with pytest.raises(DatasetError, match="“reason” is text, which no tensor can hold"):
        torch_dataset(folder, columns=["reason"])
