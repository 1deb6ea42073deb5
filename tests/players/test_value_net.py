"""Files of networks that correct the evaluation: written, read, refused with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from flagfall.arena.contestants import ContestantError, read_contestant, seated
from flagfall.edition import load_game, resolve
from flagfall.players import Budget, PlayerError, make_player
from flagfall.players.evaluation.value_net import (
    MAX_BYTES,
    ValueNet,
    ValueNetError,
    digest_of,
    value_net_of,
    write_value_net,
    zero_net,
)
from flagfall.players.search import buffers as B
from flagfall.players.searcher import SearchingPlayer
from flagfall.rl.network_file import write_network
from tests.players.nets import random_net
from tests.training.networks import random_network

GAME = load_game("barrage/classic")
USUAL = resolve(GAME, {})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_value_net(tmp_path / "net.safetensors", random_net(GAME))
    return tmp_path / "net.safetensors"


def test_a_network_is_read_as_it_was_written(file: Path) -> None:
    written, read = random_net(GAME), value_net_of(str(file))
    assert read.header == written.header
    assert all(np.array_equal(read.arrays[name], array) for name, array in written.arrays.items())


def test_another_network_in_the_same_file_is_read_again(file: Path) -> None:
    before = digest_of(str(file)), value_net_of(str(file))
    write_value_net(file, random_net(GAME, seed=2))
    assert digest_of(str(file)) != before[0]
    assert not np.array_equal(value_net_of(str(file)).arrays["out"], before[1].arrays["out"])


def with_header(data: bytes, change: Callable[[dict[str, dict[str, object]]], object]) -> bytes:
    size = int.from_bytes(data[:8], "little")
    entries = json.loads(data[8 : 8 + size])
    change(entries)
    head = json.dumps(entries).encode()
    return len(head).to_bytes(8, "little") + head + data[8 + size :]


def about(**changes: object) -> Callable[[bytes], bytes]:
    def change(entries: dict[str, dict[str, object]]) -> None:
        header = json.loads(str(entries["__metadata__"]["flagfall"])) | changes
        entries["__metadata__"]["flagfall"] = json.dumps(header)

    return lambda data: with_header(data, change)


BROKEN: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda data: b"", "header does not fit"),
    "text": (lambda data: b"this is no network at all, only words", "header does not fit"),
    "a pickle": (lambda data: b"\x80\x04\x95\x10\x00\x00\x00\x00" + b"x" * 40, "header does not fit"),
    "deep brackets": (lambda data: (60_000).to_bytes(8, "little") + b"[" * 60_000 + data, "cannot be read"),
    "the end is missing": (lambda data: data[:-3], "numbers of out are not where they belong"),
    "bytes after the end": (lambda data: data + b"1234", "4 bytes follow"),
    "a later version": (about(version=99), "of version 99"),
    "too wide": (about(hidden=33), "its hidden are 33, not 0 to 32"),
    "too many columns": (about(columns=1000), "its columns are 1000"),
    "no kinds": (about(kinds=[]), "kinds or squares are none of a game"),
    "only zones": (about(zones=list(range(100))), "kinds or squares are none of a game"),
    "unknown facts": (about(extra=1), "header cannot be read"),
    "a long text": (about(trained="x" * 1000), "texts are too long"),
    "other sizes": (about(hidden=4), "not I16 of"),
    "an array is missing": (
        lambda data: with_header(data, lambda entries: entries.pop("bias")),
        "it lacks bias",
    ),
    "real numbers": (
        lambda data: with_header(data, lambda entries: entries["out"].update(dtype="F32")),
        "out is F32",
    ),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_damaged_file_is_refused_with_a_sentence(how: str, file: Path) -> None:
    change, words = BROKEN[how]
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(ValueNetError, match=words):
        value_net_of(str(file))


def test_a_network_that_plays_is_another_thing(tmp_path: Path) -> None:
    write_network(tmp_path / "policy.safetensors", random_network("mini/3x4"))
    with pytest.raises(ValueNetError, match="is not a network that values positions"):
        value_net_of(str(tmp_path / "policy.safetensors"))


def test_a_large_or_missing_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * (MAX_BYTES + 1))
    with pytest.raises(ValueNetError, match="more than 1 MB"):
        value_net_of(str(tmp_path / "large"))
    with pytest.raises(ValueNetError, match="There is no network file"):
        value_net_of(str(tmp_path / "none"))
    with pytest.raises(ValueNetError, match="cannot be read"):
        value_net_of(str(tmp_path))


def test_a_network_of_another_game_or_version_of_it_is_refused() -> None:
    with pytest.raises(ValueNetError, match="positions of barrage/classic, not of onyx/classic"):
        random_net(GAME).check_fits(load_game("onyx/classic"))
    net = zero_net(load_game("mini/3x3"), 2)
    older = ValueNet(replace(net.header, kinds=("a", "b")), net.arrays)
    with pytest.raises(ValueNetError, match="another version of mini/3x3"):
        older.check_fits(load_game("mini/3x3"))


def test_a_contestant_has_the_network_of_its_file(file: Path) -> None:
    text = f"marshal@net={file}@nodes=40"
    contestant = read_contestant(text)
    assert (contestant.name, contestant.net, contestant.nodes) == ("marshal", str(file), 40)
    player = seated(contestant, GAME, USUAL, Random(1), Budget())
    assert isinstance(player, SearchingPlayer)
    assert list(player.buffers.values[B.NET_WIDTH :]) == list(random_net(GAME).numbers(GAME))


def test_only_levels_take_a_network() -> None:
    with pytest.raises(ContestantError, match="“greedy” has no weights"):
        read_contestant("greedy@net=x")
    with pytest.raises(ContestantError, match="leave out @net="):
        read_contestant("cmd:./bot@net=x")
    with pytest.raises(PlayerError, match="“greedy” has no weights"):
        make_player("greedy", GAME, USUAL, Random(1), net=random_net(GAME))
