"""`flagfall dataset make`: progress on standard error, and what was written at the end."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from flagfall.arena.executor import LOCAL, check_place
from flagfall.cli.dataset_info import print_info
from flagfall.cli.matches import weights_of
from flagfall.cli.output import progress, resumable, say, warm_up_for, warn
from flagfall.dataset.arrow import DatasetError, parquet
from flagfall.dataset.description import Plan, SelfPlay
from flagfall.dataset.folder import DatasetFolder
from flagfall.dataset.making import Making, searches
from flagfall.dataset.planning import contestant_of, describe, planned
from flagfall.dataset.records import examined, game_and_options
from flagfall.edition import load_game, parse_pairs, resolve

_MAX_SENTENCES = 10


class Form(NamedTuple):
    """How a dataset is written."""

    games_per_shard: int
    other: bool
    truth: bool


def make(
    address: str,
    games: int,
    play: SelfPlay,
    pairs: list[str],
    form: Form,
    out: Path,
    jobs: int | None,
    *,
    on: str = LOCAL,
    as_json: bool,
) -> None:
    """Play games and write their positions."""
    if not address:
        raise DatasetError(
            "Name a game to play, such as barrage/classic, or recorded games with --from FILE."
        )
    parquet()
    check_place(on)
    chosen = parse_pairs(pairs)
    game = load_game(address)
    contestants = [contestant_of(name) for name in (play.south, play.north)]
    play = replace(play, weights=weights_of(contestants, game, resolve(game, chosen)))
    plan = planned(address, chosen, self_play=play, **form._asdict())
    _write(plan, games, out, jobs, [], on=on, as_json=as_json)


def make_from(
    address: str,
    files: list[Path],
    pairs: list[str],
    form: Form,
    out: Path,
    jobs: int | None,
    *,
    on: str = LOCAL,
    as_json: bool,
) -> None:
    """Read games from files and write their positions."""
    parquet()
    check_place(on)
    chosen = parse_pairs(pairs)
    if not address:
        if pairs:
            raise DatasetError("--option belongs to a game; name the game too, or leave the option out.")
        address, chosen = game_and_options(files)
    found = tuple(examined(file) for file in files)
    plan = planned(address, chosen, files=found, **form._asdict())
    games = sum(file.games for file in found)
    if not games:
        raise DatasetError("The files hold no games.")
    _write(plan, games, out, jobs, files, on=on, as_json=as_json)


def _write(
    plan: Plan, games: int, out: Path, jobs: int | None, files: list[Path], *, on: str, as_json: bool
) -> None:
    with DatasetFolder(out, describe(plan, games)).opened() as folder:
        for note in folder.notes:
            warn(note)
        making = Making(folder, files)
        if folder.missing_shards():
            warm_up_for(on, searches=searches(plan))
        with (
            closing(making.run(jobs, on, warn)) as running,
            resumable(making, games, "games", out),
            progress(plan.game) as advance,
        ):
            advance(len(making), games, "")
            for done in running:
                advance(done, games, "")
    _tell_problems(making)
    print_info(out, as_json=as_json)
    if not as_json:
        say(f"Written to {out}. docs/dataset.md describes the columns and how to read them.")


def _tell_problems(making: Making) -> None:
    """Say which games were left out."""
    for text in making.problems[:_MAX_SENTENCES]:
        warn(f"Left out: {text}")
    if (more := len(making.problems) - _MAX_SENTENCES) > 0:
        warn(f"Left out: {more} more damaged games.")
    if making.others:
        warn(
            f"Left out: {making.others} games of another kind or with other options; make a dataset of each."
        )
