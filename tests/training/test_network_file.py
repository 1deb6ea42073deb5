import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest

from flagfall.edition import load_game, resolve
from flagfall.match.play import GameRunner
from flagfall.players import Budget, make_player
from flagfall.rl.network import evaluate
from flagfall.rl.network_file import MAX_BYTES, NetworkFile, NetworkFileError, read_network, write_network
from flagfall.rl.observer import Observer
from flagfall.setups import Setup, random_setup
from flagfall.sides import SIDES
from tests.training.networks import random_network, written

GAME = load_game("mini/3x4")
USUAL = resolve(GAME, {})


def test_a_network_is_read_as_it_was_written(tmp_path: Path) -> None:
    network = random_network("mini/3x4")
    read = read_network(written(tmp_path, "small.safetensors", network))
    assert read.header == network.header
    assert all(np.array_equal(read.weights[name], array) for name, array in network.weights.items())


def with_header(data: bytes, change: object) -> bytes:
    size = int.from_bytes(data[:8], "little")
    entries = json.loads(data[8 : 8 + size])
    change(entries)  # type: ignore[operator]
    head = json.dumps(entries).encode()
    return len(head).to_bytes(8, "little") + head + data[8 + size :]


def about(**changes: object) -> object:
    def change(entries: dict[str, dict[str, str]]) -> None:
        header = json.loads(entries["__metadata__"]["flagfall"]) | changes
        entries["__metadata__"]["flagfall"] = json.dumps(header)

    return change


def sized(**sizes: int) -> object:
    def change(entries: dict[str, dict[str, str]]) -> None:
        header = json.loads(entries["__metadata__"]["flagfall"])
        header["shape"] |= sizes
        entries["__metadata__"]["flagfall"] = json.dumps(header)

    return change


def entry(name: str, **changes: object) -> object:
    return lambda entries: entries[name].update(changes)


def without(name: str) -> object:
    return lambda entries: entries.pop(name)


BROKEN: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda data: b"", "header does not fit"),
    "text": (lambda data: b"this is no network at all, only words", "header does not fit"),
    "a pickle": (lambda data: b"\x80\x04\x95\x10\x00\x00\x00\x00" + b"x" * 40, "header does not fit"),
    "a huge header": (lambda data: (1 << 62).to_bytes(8, "little") + data[8:], "header does not fit"),
    "deep brackets": (
        lambda data: (90_000).to_bytes(8, "little") + b"[" * 90_000 + data,
        "header cannot be read",
    ),
    "the end is missing": (lambda data: data[:-3], "numbers of value.bias are not where they belong"),
    "bytes after the end": (lambda data: data + b"1234", "4 bytes follow"),
    "a number that is none": (lambda data: data[:-4] + np.float32("nan").tobytes(), "not finite"),
    "an endless number": (lambda data: data[:-4] + np.float32("inf").tobytes(), "not finite"),
    "a later version": (lambda data: with_header(data, about(version=99)), "of version 99"),
    "a long text": (lambda data: with_header(data, about(trained="x" * 1000)), "texts are too long"),
    "a temperature below zero": (lambda data: with_header(data, about(temperature=-1)), "temperature is -1"),
    "unknown facts": (lambda data: with_header(data, about(extra=1)), "header cannot be read"),
    "a giant": (lambda data: with_header(data, sized(channels=10**9)), "channels are 1000000000"),
    "other sizes": (lambda data: with_header(data, sized(channels=5)), "not F32 of"),
    "whole numbers": (lambda data: with_header(data, entry("value.bias", dtype="I64")), "value.bias is I64"),
    "overlap": (
        lambda data: with_header(data, entry("value.bias", data_offsets=[0, 4])),
        "not where they belong",
    ),
    "a missing array": (
        lambda data: with_header(data, without("rest.bias")),
        "lacks rest.bias",
    ),
    "no header of ours": (
        lambda data: with_header(data, without("__metadata__")),
        "cannot be read",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_refused_with_a_sentence(what: str, tmp_path: Path) -> None:
    change, sentence = BROKEN[what]
    file = written(tmp_path, "small.safetensors", random_network("mini/3x4"))
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(NetworkFileError, match=sentence):
        read_network(file)


def test_a_file_that_is_too_large_or_not_there_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.safetensors"
    with large.open("wb") as opened:
        opened.truncate(MAX_BYTES + 1)
    with pytest.raises(NetworkFileError, match="more than 8 MB"):
        read_network(large)
    with pytest.raises(NetworkFileError, match="There is no network file"):
        read_network(tmp_path / "nowhere.safetensors")
    with pytest.raises(NetworkFileError, match="There is no network file"):
        read_network(tmp_path)


def test_a_failed_write_leaves_the_old_network(tmp_path: Path) -> None:
    file = written(tmp_path, "small.safetensors", random_network("mini/3x4"))
    before = file.read_bytes()
    network = random_network("mini/3x4")
    broken = NetworkFile(network.header, {**network.weights, "value.bias": None})  # type: ignore[dict-item]
    with pytest.raises(NetworkFileError, match="cannot be written"):
        write_network(file, broken)
    assert file.read_bytes() == before


def test_a_network_plays_a_whole_game_by_the_name_of_its_file(tmp_path: Path) -> None:
    name = f"net:{written(tmp_path, 'small.safetensors', random_network('mini/3x4'))}"
    ended = 0
    for seed in range(6):
        seats = [make_player(name, GAME, USUAL, Random(seed + side), Budget(nodes=1)) for side in (0, 1)]
        running = GameRunner(GAME, USUAL, [seat.set_up(side) for side, seat in enumerate(seats)])
        while not running.is_over and running.turns < 300:
            mover = running.mover
            running.play(seats[int(mover)].choose(running.view(mover), running.history(mover)))
        ended += running.is_over
    assert ended >= 5


@pytest.mark.parametrize("temperature", [0.0, 0.25, 1.0])
def test_the_temperature_of_a_file_says_how_much_chance_there_is(temperature: float, tmp_path: Path) -> None:
    network = random_network("mini/3x4")
    header = msgspec.structs.replace(network.header, temperature=temperature)
    name = f"net:{written(tmp_path, 'small.safetensors', NetworkFile(header, network.weights))}"
    rng = Random(2)
    running = GameRunner(GAME, USUAL, tuple(random_setup(GAME, side, rng) for side in (0, 1)))
    view, history = running.view(running.mover), running.history(running.mover)
    observer = Observer(GAME, USUAL, 0, places=True)
    seen = observer.observe(view, history)
    numbers, _ = evaluate(network.weights, 1, seen.planes[None], seen.scalars[None])
    likeliest = int(np.where(seen.mask, numbers[0], -np.inf).argmax())

    chosen = [
        make_player(name, GAME, USUAL, Random(seed), Budget(nodes=1)).choose(view, history)
        for seed in range(120)
    ]

    share = np.mean([observer.layout.space.encode(action, 0) == likeliest for action in chosen])
    kept = numbers[0, seen.mask].astype(np.float64) / max(temperature, 1e-3)
    weights = np.exp(kept - kept.max())
    assert share == pytest.approx(weights.max() / weights.sum(), abs=0.13)


def test_a_network_refuses_another_game_and_options_with_other_actions(tmp_path: Path) -> None:
    name = f"net:{written(tmp_path, 'small.safetensors', random_network('mini/3x4'))}"
    other = load_game("mini/3x3")
    with pytest.raises(NetworkFileError, match="plays mini/3x4, not mini/3x3"):
        make_player(name, other, resolve(other, {}), Random(1), Budget(nodes=1))
    with pytest.raises(NetworkFileError, match="the usual ones"):
        make_player(name, GAME, resolve(GAME, {"rescue": "on"}), Random(1), Budget(nodes=1))


def test_exchanged_hidden_pieces_change_nothing_for_a_network(tmp_path: Path) -> None:
    name = f"net:{written(tmp_path, 'small.safetensors', random_network('mini/3x4'))}"
    rng = Random(4)
    mine, theirs = random_setup(GAME, 0, rng), random_setup(GAME, 1, rng)
    home = list(theirs.kinds)
    answers = []
    for turned in range(len(home)):
        kinds = [theirs.kinds[home[(at + turned) % len(home)]] for at in range(len(home))]
        twin = Setup(GAME, SIDES[1], dict(zip(home, kinds, strict=True)))
        running = GameRunner(GAME, USUAL, (mine, twin))
        told = running.view(running.mover), running.history(running.mover)
        player = make_player(name, GAME, USUAL, Random(11), Budget(nodes=1))
        answers.append((msgspec.json.encode(told), player.choose(*told)))
    assert len(home) == 4
    assert len(set(answers)) == 1
