"""Weights in a file: read as they were written, refused with a word about the number that is wrong."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import msgspec
import pytest

from flagfall.arena.plan import Plan
from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.players.evaluation.piece_values import standard_weights
from flagfall.players.evaluation.weights_file import (
    WeightsError,
    check_for,
    read_weights,
    rounded,
    weight_names,
    written,
)
from flagfall.tuning.spsa import SpsaPlan

IN_USE = standard_weights()
FIRST = weight_names()[0]


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text(written(IN_USE), encoding="utf-8")
    assert asdict(read_weights(file)) == {name: rounded(value) for name, value in asdict(IN_USE).items()}


OLD_FILE = Path(__file__).parents[1] / "compatibility" / "v0_1_0" / "weights.json"


def test_a_file_of_an_older_version_has_the_same_weights_by_their_old_names() -> None:
    """They were in the same order; since then names changed, and weights came that change nothing."""
    old = json.loads(OLD_FILE.read_text(encoding="utf-8"))
    weights = read_weights(OLD_FILE)
    assert {"alarm", "hope", "dread"} <= old.keys()
    assert list(asdict(weights).values())[: len(old)] == list(old.values())
    assert (weights.raid, weights.lead_at_risk, weights.secrecy) == (0.0, 1.0, 0.0)
    assert (weights.flag_threat, weights.gain_cap) == (old["alarm"], old["hope"])


def test_a_run_of_an_older_version_is_resumed() -> None:
    old = json.loads(OLD_FILE.read_text(encoding="utf-8"))
    now = asdict(read_weights(OLD_FILE))
    match = Plan(game="mini/3x3", options={}, players=("marshal", "random"), weights={"new.json": now})
    stored = msgspec.to_builtins(match) | {"weights": {"new.json": old}}
    assert msgspec.convert(stored, Plan) == match
    tuned = SpsaPlan(
        games=("mini/3x3",), player="marshal", names=("pull", "bold"), start=old, nodes=40, pairs=1,
        rate=0.5, size=0.1, seed=1, setups="own", max_turns=20, options={},
    )  # fmt: skip
    assert tuned.names == ("pull", "certain_gain")
    assert tuned.start == now
    assert tuned.space().names == tuned.names


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({FIRST: "ten"}, f'“{FIRST}” is "ten", which is no number'),
        ({FIRST: True}, "which is no number"),
        ({FIRST: float("nan")}, "must lie within"),
        ({FIRST: 10_001}, "must lie within"),
        ({FIRST: -1}, "must not be below 0"),
        ({f"{FIRST}s": 1}, f"did you mean “{FIRST}”"),
        ({"colour": 1}, "there is no weight “colour”"),
        ({next(name for name in weight_names() if name.endswith("fade")): 1.5}, "from 0 to 1"),
    ],
)
def test_a_wrong_number_is_named(tmp_path: Path, change: dict[str, object], words: str) -> None:
    file = tmp_path / "weights.json"
    file.write_text(json.dumps(asdict(IN_USE) | change), encoding="utf-8")
    with pytest.raises(WeightsError) as refused:
        read_weights(file)
    assert words in str(refused.value)
    assert str(refused.value).startswith(f"{file}: ")


@pytest.mark.parametrize(
    ("text", "words"), [("{", "line 1: this is no JSON"), ("[1]", "no JSON object"), ("{}", "missing")]
)
def test_a_file_that_holds_no_weights(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "weights.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(WeightsError, match=words):
        read_weights(file)


def test_an_army_must_not_be_worth_a_won_game() -> None:
    game = load_game("onyx/classic")
    tables = compile_game(game, resolve(game, {}))
    check_for(game, tables, IN_USE, "weights")
    with pytest.raises(WeightsError, match="onyx/classic"):
        check_for(game, tables, replace(IN_USE, **{FIRST: 5000.0}), "weights")
