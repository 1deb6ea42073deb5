"""The files of a dataset's shards: their names, and what each says of itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import msgspec

from flagfall.dataset.arrow import DatasetError, parquet
from flagfall.dataset.description import Description

METADATA_KEY: Final = "flagfall_dataset"
_SHARD = re.compile(r"part-(\d{5,})\.parquet")


class ShardFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a shard says of itself in the metadata of its file."""

    plan: str
    """the digest of the plan"""
    number: int
    games: int
    """how many numbers of games it covers, those that were left out included"""
    left_out: int = 0
    results: dict[str, int] = {}
    """by winner and reason: “south, flag captured”"""


def shard_files(folder: Path) -> list[Path]:
    """Return the files of the shards, in order."""
    found = [file for file in folder.iterdir() if _SHARD.fullmatch(file.name)]
    return sorted(found, key=lambda file: int(file.stem.partition("-")[2]))


def shard_file(folder: Path, number: int) -> Path:
    """Return the file of a shard."""
    return folder / f"part-{number:05}.parquet"


def open_shard(file: Path) -> Any:
    """Return a shard as a ``pyarrow.parquet.ParquetFile``; `DatasetError` if it is damaged."""
    pq = parquet()
    try:
        return pq.ParquetFile(file, page_checksum_verification=True)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:  # Arrow's errors derive from them
        raise damaged(file, error) from None


def damaged(file: Path, error: Exception) -> DatasetError:
    """Return the error for a shard that cannot be read."""
    return DatasetError(
        f"{file} is damaged ({' '.join(str(error).split())[:100]}); remove it, and the command that made the "
        "dataset makes it again."
    )


def shard_facts(file: Path, described: Description) -> ShardFacts:
    """Return what a shard says of itself; `DatasetError` if it belongs to another dataset."""
    opened = open_shard(file)
    text = (opened.schema_arrow.metadata or {}).get(METADATA_KEY.encode())
    try:
        facts = msgspec.json.decode(text or b"", type=ShardFacts)
    except msgspec.DecodeError:
        raise DatasetError(f"{file} is not a shard of a dataset; move it away.") from None
    if facts.plan != described.plan.digest() or shard_file(file.parent, facts.number).name != file.name:
        raise DatasetError(f"{file} belongs to another dataset; move it away.")
    return facts
