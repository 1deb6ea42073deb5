"""Making small datasets in tests, in this process."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from flagfall.dataset.description import SelfPlay
from flagfall.dataset.folder import DatasetFolder
from flagfall.dataset.making import Making
from flagfall.dataset.planning import describe, planned
from flagfall.dataset.records import examined

NO_OPTIONS: Mapping[str, str] = {}


def self_play(
    folder: Path,
    game: str = "mini/3x3",
    games: int = 6,
    options: Mapping[str, str] = NO_OPTIONS,
    *,
    stops_after: int | None = None,
    jobs: int = 1,
    games_per_shard: int = 4,
    other: bool = True,
    truth: bool = True,
    **play: Any,
) -> DatasetFolder:
    """Play games into a folder; ``stops_after`` so many steps of the run, like a process that is stopped."""
    settings: dict[str, Any] = {"south": "random", "north": "random", "max_turns": 12}
    chosen = SelfPlay(**(settings | play))
    form: dict[str, Any] = {"games_per_shard": games_per_shard, "other": other, "truth": truth}
    plan = planned(game, options, self_play=chosen, **form)
    with DatasetFolder(folder, describe(plan, games)).opened() as opened:
        with closing(Making(opened).run(jobs)) as running:
            for step, _ in enumerate(running, start=1):
                if step == stops_after:
                    break
        return opened


def from_files(folder: Path, game: str, files: list[Path], options: Mapping[str, str] = NO_OPTIONS) -> Making:
    """Read games from files into a folder."""
    found = tuple(examined(file) for file in files)
    plan = planned(game, options, files=found, games_per_shard=4)
    with DatasetFolder(folder, describe(plan, sum(file.games for file in found))).opened() as opened:
        making = Making(opened, files)
        for _ in making.run(1):
            pass
        return making


def contents(folder: Path) -> dict[str, bytes]:
    """The shards of a folder, by name."""
    return {file.name: file.read_bytes() for file in sorted(folder.glob("part-*"))}
