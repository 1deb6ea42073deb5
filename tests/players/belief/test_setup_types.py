"""How armies are likely to stand: what is known of it, in every game."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from flagfall.board import cell_name
from flagfall.edition import game_ids, load_game, resolve
from flagfall.players.belief import Belief, setup_types
from flagfall.players.roles import ArmyKind, army_kinds, kind_translation, role_of
from flagfall.setups import mirrored, random_setup, read_setup
from flagfall.setups.setup import Setup
from flagfall.sides import Side
from flagfall.tuning.prior import fit_types
from flagfall.view.view import SeenPiece, View

LIKE_PEOPLE = (
    "8BFB7988B9/79B86S7B98/564B372654/6953919549",
    "FB98768B8B/B87B9S7698/754B362549/9359169459",
    "987BFB8987/8B69B7S8B9/65B4375264/9491569359",
)
"""made for this test: flags at the back behind bombs, scouts in front, the spy by a high piece"""


def first_view(setup: Setup, seat: str = "south") -> View:
    """What the other seat sees of a setup: that it stands there."""
    pieces = tuple(SeenPiece(cell_name(cell), cell_name(cell), Side.NORTH) for cell in setup.kinds)
    return View(setup.game.id, seat, 0, "south", pieces, (), ())  # type: ignore[arg-type]


def nats(setup: Setup) -> float:
    """Mean −log chance of the true kinds, before the first move."""
    belief = Belief(setup.game, resolve(setup.game, {}), Side.SOUTH)
    belief.update(first_view(setup), ())
    true = {cell_name(cell): kind for cell, kind in setup.kinds.items()}
    chances = belief.marginals()
    return float(np.mean([-np.log(chances[i, true[name]]) for i, name in enumerate(belief.names)]))


def counting(setup: Setup) -> float:
    roster = np.array([count for count in setup.game.rosters[1] if count]) / len(setup.kinds)
    return float(-(roster * np.log(roster)).sum())


@pytest.mark.parametrize("text", LIKE_PEOPLE)
@pytest.mark.parametrize("game_id", ["onyx/classic", "duel-masters/classic"])
def test_setups_as_people_make_them_are_guessed_better_than_by_counting(game_id: str, text: str) -> None:
    game = load_game(game_id)
    letters = {kind.code for kind in game.kinds}
    if not set(text) - {"/"} <= letters:
        text = translated(text, game_id)
    assert nats(read_setup(game, 1, text)) < counting(read_setup(game, 1, text)) - 0.1


def translated(text: str, game_id: str) -> str:
    """The same setup with the letters of another box of the same army."""
    here, there = load_game("onyx/classic"), load_game(game_id)
    assert here.rosters[1] == there.rosters[1]
    return text.translate({ord(a.code): b.code for a, b in zip(here.kinds, there.kinds, strict=True)})


def test_a_random_setup_is_not_much_worse_than_counting() -> None:
    game = load_game("onyx/classic")
    setups = [random_setup(game, 1, Random(seed)) for seed in range(6)]
    assert np.mean([nats(setup) for setup in setups]) < counting(setups[0]) + 0.35


@pytest.mark.parametrize("game_id", game_ids())
def test_types_of_every_game_are_chances_and_look_the_same_in_a_mirror(game_id: str) -> None:
    game = load_game(game_id)
    for side in (0, 1):
        types = setup_types.setup_types(game, side)
        assert types.share.sum() == pytest.approx(1.0)
        assert np.allclose(types.table.sum(axis=2), 1.0)
        assert (types.table[:, :, np.array(game.rosters[side]) > 0] > 0).all()
        assert (types.table[:, :, np.array(game.rosters[side]) == 0] == 0).all()
        average = np.tensordot(types.share, types.table, 1)
        setup = random_setup(game, side, Random(1))
        other = mirrored(setup)
        for (cell, kind), (turned, same) in zip(
            sorted(setup.kinds.items()), sorted(other.kinds.items(), key=_from_the_right), strict=True
        ):
            assert kind == same
            here, there = average[types.squares[cell]], average[types.squares[turned]]
            assert np.allclose(here, there)


def _from_the_right(item: tuple[int, int]) -> tuple[int, int]:
    cell, _ = item
    return cell // 12, -(cell % 12)


def test_the_shipped_types_are_a_small_file_without_names() -> None:
    file = Path(setup_types.__file__).with_name(setup_types.FILE)
    assert file.stat().st_size < 200_000
    data = json.loads(file.read_text(encoding="utf-8"))
    assert sum(place["count"] for place in data["army"]) == data["rows"] * data["columns"] == 40
    assert (
        setup_types.read(setup_types.default_types().to_json()).to_json()
        == setup_types.default_types().to_json()
    )


def test_people_hide_the_flag_at_the_back_next_to_bombs() -> None:
    game = load_game("onyx/classic")
    belief = Belief(game, resolve(game, {}), Side.SOUTH)
    belief.update(first_view(random_setup(game, 1, Random(2))), ())
    flags = belief.flag_chances()
    back = sum(chance for name, chance in flags.items() if name.endswith("10"))
    assert back > 0.7
    drawn = belief.sample(400, 1)
    flag, bomb = (
        next(i for i, kind in enumerate(game.kinds) if kind.role == role) for role in ("flag", "bomb")
    )
    place = {name: i for i, name in enumerate(belief.names)}
    neighbours, elsewhere = [], []
    for army in drawn:
        name = belief.names[int(np.flatnonzero(army == flag)[0])]
        near = f"{name[0]}{int(name[1:]) - 1}"
        if near in place:
            neighbours.append(army[place[near]] == bomb)
            elsewhere.append((army == bomb).mean())
    assert np.mean(neighbours) > np.mean(elsewhere) + 0.1


class TestParts:
    """Kinds of different boxes are compared by what they can do."""

    def test_parts_are_read_from_roles_and_powers(self) -> None:
        game = load_game("onyx/classic")
        found = {kind.id: role_of(game, i) for i, kind in enumerate(game.kinds)}
        assert [found[name] for name in ("flag", "bomb", "miner", "scout", "spy", "marshal")] == [
            "flag",
            "bomb",
            "remover",
            "runner",
            "spy",
            "soldier",
        ]

    def test_an_army_stands_for_itself(self) -> None:
        army = army_kinds(load_game("onyx/classic"), 0)
        assert np.allclose(kind_translation(army, army), np.eye(len(army)))

    @pytest.mark.parametrize("game_id", game_ids())
    def test_every_piece_of_the_fitted_army_stands_for_some_kind(self, game_id: str) -> None:
        for side in (0, 1):
            shares = kind_translation(setup_types.default_types().army, army_kinds(load_game(game_id), side))
            assert np.allclose(shares.sum(axis=1), 1.0)

    def test_what_is_left_over_goes_by_strength(self) -> None:
        one = [ArmyKind("soldier", 5, 2), ArmyKind("bomb", 0, 2)]
        other = [ArmyKind("soldier", 9, 2), ArmyKind("soldier", 1, 2)]
        assert np.allclose(kind_translation(one, other), [[0.75, 0.25], [0.25, 0.75]]) or np.allclose(
            kind_translation(one, other), [[0.5, 0.5], [0.5, 0.5]]
        )


def test_two_sorts_of_setups_are_told_apart_by_fitting() -> None:
    """Half of them have kind 1 on both outer squares, half on both inner ones."""
    setups = np.array([[1, 0, 0, 1], [0, 1, 1, 0]] * 50, dtype=np.int8)
    share, table = fit_types(setups, np.array([3, 2, 1, 0]), 2, 4, 30, 3, lambda done, total, what: None, 0.1)
    outer = table[:, 0, 1]
    assert set(np.round(outer, 1)) == {0.0, 1.0}
    assert share[outer > 0.5].sum() == pytest.approx(0.5, abs=0.01)
