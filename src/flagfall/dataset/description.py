"""What a dataset is: the plan that determines its rows, and the file ``dataset.json`` that describes it."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

from flagfall.dataset.arrow import DatasetError
from flagfall.errors import quoted_error
from flagfall.files import write_atomically

FORMAT = 1
FILE = "dataset.json"


class RecordsFile(Struct, frozen=True):
    """A file from which games were read."""

    name: str
    games: int
    """how many games it holds, damaged ones included"""
    sha256: str


class SelfPlay(Struct, frozen=True, kw_only=True):
    """Games that are played for the dataset."""

    south: str
    """as `arena.contestants` reads it"""
    north: str
    seed: int = 1
    setups: str = "own"
    """own, random, sound, or the name of a style"""
    time_ms: int | None = None
    nodes: int | None = None
    max_turns: int = 2000
    weights: dict[str, dict[str, float]] = {}
    """the contents of the weights files that players name"""
    exchanges: bool | msgspec.UnsetType = msgspec.UNSET
    """whether the players change sides after every game; unset if not, as in older plans"""


class Plan(Struct, frozen=True, kw_only=True):
    """Everything that determines the rows of a dataset, but for the number of games."""

    game: str
    """its id"""
    address: str
    """the same, or the box file of a game of your own"""
    options: dict[str, str]
    """the options that differ from the defaults"""
    rules: str
    """a digest of the game, its options, the observation and the numbers of actions"""
    games_per_shard: int = 64
    other: bool = True
    """whether it has what the side that waits may know"""
    truth: bool = True
    """whether it has what the mover may not know"""
    self_play: SelfPlay | None = None
    files: tuple[RecordsFile, ...] = ()

    def digest(self) -> str:
        """Return a short hash of the plan, which every shard repeats."""
        return blake2b(msgspec.json.encode(self), digest_size=12).hexdigest()


class Names(Struct, frozen=True):
    """A name for every number of something, as each side counts."""

    south: tuple[str, ...]
    north: tuple[str, ...]


class Description(Struct, frozen=True, kw_only=True):
    """The file ``dataset.json``: all that a reader needs besides the shards."""

    flagfall_dataset: int = FORMAT
    version: str
    """the version of Flagfall that began it"""
    plan: Plan
    games: int
    """how many games there are when it is complete"""
    rows: int
    columns: int
    kinds: int
    actions: int
    """the size of the action space"""
    max_legal: int
    planes: Names
    scalars: Names


def read_description(folder: Path) -> Description:
    """Return the description of the dataset in a folder."""
    file = folder / FILE
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise DatasetError(f"{folder} is not a dataset: there is no {FILE}; check the name.") from None
    try:
        number = msgspec.json.decode(data, type=_Format).flagfall_dataset
        if number > FORMAT:
            raise DatasetError(f"{file} has format {number}, which this Flagfall cannot read; update it.")
        return msgspec.json.decode(data, type=Description)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DatasetError(f"{file} is not the description of a dataset: {quoted_error(error)}.") from None


class _Format(Struct):
    flagfall_dataset: int


def write_description(folder: Path, described: Description) -> None:
    """Write the description of a dataset into its folder."""
    text = msgspec.json.format(msgspec.json.encode(described), indent=1)
    write_atomically(folder / FILE, text + b"\n")


def difference(there: Plan, here: Plan) -> str:
    """Return the first thing in which two plans differ, as a sentence; empty if they are the same."""
    if there == here:
        return ""
    old, new = _flat(there), _flat(here)
    for name in dict.fromkeys((*old, *new)):
        if name != "rules" and old.get(name) != new.get(name):
            return f"there “{name.replace('_', ' ')}” is {_text(old.get(name))}, here {_text(new.get(name))}"
    return f"the rules of {here.game} or its observation have changed since it was begun"


def _flat(plan: Plan) -> dict[str, object]:
    found: dict[str, object] = msgspec.to_builtins(plan)
    play = found.pop("self_play")
    return {**found, **play} if isinstance(play, dict) else found


def _text(value: object) -> str:
    """Return a value of a plan as people write it.

    >>> _text({"rescue": "on"}), _text([]), _text(None), _text([{"name": "a.jsonl", "games": 3}])
    ('rescue=on', 'none', 'none', 'a.jsonl (3 games)')
    """
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={chosen}" for name, chosen in sorted(value.items())) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(f"{file['name']} ({file['games']} games)" for file in value) or "none"
    return "none" if value is None else str(value)
