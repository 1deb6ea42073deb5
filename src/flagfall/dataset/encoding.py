"""Turn games into rows: every position as `flagfall.rl` shows it, as the bytes of a Parquet file.

The actions of some games are played again in the kernels of a `VectorEnv`, which keeps the State after each;
then another `VectorEnv` shows those States, many at once, to both sides.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from flagfall.arena.simulate import prepared
from flagfall.dataset.arrow import arrow, parquet
from flagfall.dataset.columns import columns_of, schema
from flagfall.dataset.description import Description, Plan
from flagfall.dataset.played import PlayedGame
from flagfall.dataset.shards import METADATA_KEY, ShardFacts
from flagfall.engine import play as engine
from flagfall.rl import EnvState, VectorEnv
from flagfall.rl.memory import TURNS
from flagfall.setups import read_setup

GAMES_AT_ONCE: Final = 16
POSITIONS_AT_ONCE: Final = 256
MAX_POSITIONS: Final = 20_000
"""of games that are turned into rows together; a longer game is alone"""
ROWS_PER_GROUP: Final = 2048
"""of a row group, which readers read at once"""
COMPRESSION_LEVEL: Final = 3


def encode(described: Description, facts: ShardFacts, games: Sequence[PlayedGame]) -> bytes:
    """Return a shard as the bytes of a Parquet file; the same games give the same bytes."""
    pa, pq = arrow(), parquet()
    results = Counter(f"{game.winner or 'draw'}, {game.reason}" for game in games)
    facts = msgspec.structs.replace(facts, results=dict(sorted(results.items())))
    form = schema(described, {METADATA_KEY: json.dumps(msgspec.to_builtins(facts), sort_keys=True)})
    sink = pa.BufferOutputStream()
    plain = [column.name for column in columns_of(described) if column.sort in ("planes", "scalars")]
    options: dict[str, Any] = {
        "compression": "zstd",
        "compression_level": COMPRESSION_LEVEL,
        "write_page_checksum": True,
        "use_dictionary": [column.name for column in columns_of(described) if column.name not in plain],
    }
    with pq.ParquetWriter(sink, form, **options) as writer:
        for table in _tables(described, games, form):
            writer.write_table(table, row_group_size=ROWS_PER_GROUP)
    return bytes(sink.getvalue())


def _tables(described: Description, games: Sequence[PlayedGame], form: Any) -> Iterator[Any]:
    replayer = replayer_of(described.plan)
    for some in _together([game for game in games if game.actions]):
        yield replayer.table(some, form)


def _together(games: Sequence[PlayedGame]) -> Iterator[list[PlayedGame]]:
    """Yield the games in parts that fit into memory."""
    part: list[PlayedGame] = []
    size = 0
    for game in games:
        if part and (len(part) == GAMES_AT_ONCE or size + len(game.actions) > MAX_POSITIONS):
            yield part
            part, size = [], 0
        part.append(game)
        size += len(game.actions)
    if part:
        yield part


@lru_cache(maxsize=2)
def _replayer(address: str, pairs: tuple[tuple[str, str], ...], other: bool, truth: bool) -> Replayer:
    return Replayer(address, pairs, other=other, truth=truth)


def replayer_of(plan: Plan) -> Replayer:
    """Return what makes the rows of a plan; its buffers are kept for the next shard."""
    return _replayer(plan.address, tuple(plan.options.items()), plan.other, plan.truth)


def forget_buffers() -> None:
    """Forget the buffers that were kept."""
    _replayer.cache_clear()


class Replayer:
    """Plays games again and shows every position."""

    def __init__(self, address: str, pairs: tuple[tuple[str, str], ...], *, other: bool, truth: bool) -> None:
        self.game, options, self.tables = prepared(address, pairs)
        self.other, self.truth = other, truth
        self.walker = VectorEnv(
            self.game, GAMES_AT_ONCE, options=options, masks=False, planes=False, autoreset=False
        )
        self.walker.reset()
        self.fresh = self.walker.state()
        self.shower = VectorEnv(
            self.game, POSITIONS_AT_ONCE, options=options, masks=False, truth=truth, autoreset=False
        )
        self.shower.reset()

    def table(self, games: Sequence[PlayedGame], form: Any) -> Any:
        """Return the rows of some games as an Arrow table."""
        pa = arrow()
        states, memory = self._positions(games)
        parts = [
            self._shown(states[first : first + POSITIONS_AT_ONCE], memory[first : first + POSITIONS_AT_ONCE])
            for first in range(0, len(states), POSITIONS_AT_ONCE)
        ]
        shown = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        told = _told(games, shown["mover"])
        counts = shown.pop("count")
        columns: dict[str, Any] = {}
        for field in form:
            values = told.get(field.name, shown.get(field.name))
            if field.name == "legal":
                columns["legal"] = _lists(pa, counts, shown["legal"], field.type)
            elif field.name == "action_values":
                columns["action_values"] = pa.array(values, type=field.type)
            elif pa.types.is_fixed_size_binary(field.type):
                columns[field.name] = _binary(pa, shown[field.name], field.type)
            elif pa.types.is_fixed_size_list(field.type):
                flat = pa.array(shown[field.name].reshape(-1), type=field.type.value_type)
                columns[field.name] = pa.FixedSizeListArray.from_arrays(flat, type=field.type)
            elif pa.types.is_dictionary(field.type):
                columns[field.name] = pa.array(values, type=pa.string()).dictionary_encode()
            else:
                columns[field.name] = pa.array(values, type=field.type)
        return pa.table(columns, schema=form)

    def _positions(self, games: Sequence[PlayedGame]) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """Return the State and the memory before every action, game after game."""
        env, fresh = self.walker, self.fresh
        states, memory, *rest = (array.copy() for array in fresh.arrays)
        for i, game in enumerate(games):
            south, north = (read_setup(self.game, side, text) for side, text in enumerate(game.setups))
            state, _ = engine.deal(self.tables, south.kinds, north.kinds)
            states[i] = state.row
        env.set_state(EnvState(fresh.game, (states, memory, *rest)))
        lengths = np.array([len(game.actions) for game in games])
        first = np.cumsum(lengths) - lengths
        found = [np.zeros((int(lengths.sum()), array.shape[1]), dtype=np.int16) for array in (states, memory)]
        for ply in range(int(lengths.max())):
            games_on = np.flatnonzero(lengths > ply)
            for rows, now in zip(found, env.state().arrays, strict=False):
                rows[first[games_on] + ply] = now[games_on]
            actions = env.legal[:, 0].copy()  # games without a next action play on, unseen
            for i in games_on.tolist():
                actions[i] = games[i].actions[ply]
            env.step(actions)
        return found[0], found[1]

    def _shown(self, states: NDArray[np.int16], memory: NDArray[np.int16]) -> dict[str, NDArray[Any]]:
        """Return what both sides may know in some positions, and the truth."""
        env, n = self.shower, len(states)
        filled = np.resize(states, (env.n, states.shape[1])), np.resize(memory, (env.n, memory.shape[1]))
        env.set_state(EnvState(self.game.id, (*filled, *env.state().arrays[2:])))
        found: dict[str, NDArray[Any]] = {
            "turn": memory[:, TURNS].astype(np.int32),
            "mover": env.to_play[:n].copy(),
            "planes": _packed(env.planes[:n]),
            "scalars": env.scalars[:n].copy(),
            "count": env.count[:n].copy(),
            "legal": _sorted(env.legal[:n], env.count[:n]),
        }
        if self.other:
            seen = env.observe(1 - env.to_play)
            found["other_planes"], found["other_scalars"] = _packed(seen.planes[:n]), seen.scalars[:n]
        if self.truth:
            found["truth_planes"] = _packed(env.truth()[:n])
        return found


def _packed(planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return planes as bits, eight to a byte, the first one highest."""
    return np.packbits(planes.reshape(len(planes), -1), axis=1)


_LAST: Final = np.iinfo(np.int32).max


def _sorted(legal: NDArray[np.int32], count: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the legal actions in order; what follows them in a row means nothing."""
    rows = np.where(np.arange(legal.shape[1]) < count[:, None], legal, _LAST)
    rows.sort(axis=1)
    return rows


def _told(games: Sequence[PlayedGame], mover: NDArray[np.int8]) -> dict[str, Any]:
    """Return the columns that the games themselves tell."""
    lengths = [len(game.actions) for game in games]
    plies = np.concatenate([np.arange(length, dtype=np.int32) for length in lengths])
    sign: dict[Literal["south", "north", ""], int] = {"south": 1, "north": -1, "": 0}
    for_south = np.repeat([sign[game.winner] for game in games], lengths)

    def each(values: Sequence[Any]) -> list[Any]:
        return [value for value, length in zip(values, lengths, strict=True) for _ in range(length)]

    def thoughts(values: Sequence[Sequence[Any]]) -> list[Any]:
        return [
            value for own, length in zip(values, lengths, strict=True) for value in (own or [None] * length)
        ]

    return {
        "game": np.repeat(np.array([game.number for game in games], dtype=np.int32), lengths),
        "ply": plies,
        "action": np.concatenate([np.array(game.actions, dtype=np.int32) for game in games]),
        "search_value": thoughts([game.values for game in games]),
        "action_values": thoughts([game.action_values for game in games]),
        "outcome": np.where(mover == 0, for_south, -for_south).astype(np.int8),
        "is_finished": np.repeat([game.is_finished for game in games], lengths),
        "plies_left": np.repeat(np.array(lengths, dtype=np.int32), lengths) - 1 - plies,
        "reason": each([game.reason for game in games]),
        "south_player": each([game.players[0] for game in games]),
        "north_player": each([game.players[1] for game in games]),
    }


def _lists(pa: Any, counts: NDArray[np.int32], rows: NDArray[np.int32], kind: Any) -> Any:
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    flat = rows[np.arange(rows.shape[1]) < counts[:, None]]
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat), type=kind)


def _binary(pa: Any, rows: NDArray[np.uint8], kind: Any) -> Any:
    return pa.FixedSizeBinaryArray.from_buffers(
        kind, len(rows), [None, pa.py_buffer(np.ascontiguousarray(rows))]
    )
