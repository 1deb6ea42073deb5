"""`flagfall dataset info`: what is in a dataset."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from flagfall.cli.output import print_json, print_table, progress, say
from flagfall.dataset.columns import columns_of, plane_bits
from flagfall.dataset.reader import Dataset
from flagfall.dataset.shards import open_shard


def print_info(folder: Path, *, checks: bool = False, as_json: bool) -> None:
    """Print what is in a dataset; with ``checks``, read all of it first."""
    dataset = Dataset(folder)
    if checks:
        _read_all(folder, dataset)
    facts = _facts(dataset)
    if as_json:
        print_json(facts)
        return
    plan = dataset.description.plan
    options = "".join(f", {name}={value}" for name, value in plan.options.items())
    say(f"{plan.game}{options}: {facts['games']} games, {facts['positions']} positions, {_who(dataset)}")
    if facts["games"] + facts["left_out"] < dataset.description.games:
        say(f"It is not complete: {dataset.description.games} games were asked for.")
    if facts["left_out"]:
        say(f"{facts['left_out']} games were left out because they are damaged or of another kind.")
    size = facts["bytes"]
    each = f", {size / len(dataset):.0f} bytes a position" if len(dataset) else ""
    say(f"{facts['shards']} shards, {size / 1e6:.1f} MB{each}; {dataset.description.actions} actions")
    rows = [(column["name"], column["type"], f"{column['bytes'] / 1e3:.1f}") for column in facts["columns"]]
    print_table("Columns", ("name", "type", "kB"), rows, right=(2,))
    results = [(name, count) for name, count in sorted(facts["results"].items(), key=lambda item: -item[1])]
    print_table("Results", ("winner, reason", "games"), results, right=(1,))
    if checks:
        say("Every row can be read.")


def _who(dataset: Dataset) -> str:
    play = dataset.description.plan.self_play
    if play is None:
        files = dataset.description.plan.files
        return f"from {files[0].name}" if len(files) == 1 else f"from {len(files)} files"
    return f"{play.south} (South) against {play.north} (North), seed {play.seed}"


def _facts(dataset: Dataset) -> dict[str, Any]:
    described = dataset.description
    sizes: Counter[str] = Counter()
    results: Counter[str] = Counter()
    for file, shard in zip(dataset.files, dataset.shards, strict=True):
        results.update(shard.results)
        metadata = open_shard(file).metadata
        for group in range(metadata.num_row_groups):
            for at in range(metadata.num_columns):
                column = metadata.row_group(group).column(at)
                sizes[column.path_in_schema.partition(".")[0]] += column.total_compressed_size
    columns = []
    for column in columns_of(described):
        kind = column.type
        if column.sort == "planes":
            kind = f"{plane_bits(described, column.name)} bits"
        elif column.sort == "scalars":
            kind = f"{column.type}[{len(described.scalars.south)}]"
        elif column.sort == "list":
            kind = f"list of {column.type}"
        columns.append({"name": column.name, "type": kind, "bytes": sizes[column.name]})
    return {
        "game": described.plan.game,
        "plan": msgspec.to_builtins(described.plan),
        "games": dataset.games,
        "left_out": sum(shard.left_out for shard in dataset.shards),
        "positions": len(dataset),
        "shards": len(dataset.files),
        "bytes": sum(file.stat().st_size for file in dataset.files),
        "actions": described.actions,
        "columns": columns,
        "results": dict(results),
    }


def _read_all(folder: Path, dataset: Dataset) -> None:
    everything = Dataset(folder, [column.name for column in columns_of(dataset.description)])
    done = 0
    with progress("Reading") as advance:
        for batch in everything.batches(4096):
            done += len(batch["game"])
            advance(done, len(everything), "")
