"""What a seat believes of hidden pieces never contradicts what it was told, in any game under any options."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from flagfall.edition import game_ids, load_game, resolve
from flagfall.players.belief import Belief, public_belief
from flagfall.sides import Side
from tests.laws import MORE
from tests.laws.cover import pairwise
from tests.players.belief.told_game import SEATS, Told, impossible

FEW = ("onyx/classic", "fire-and-ice/special-powers", "spin-master/duel", "mini/3x4")


@pytest.mark.parametrize("game_id", game_ids())
def test_no_sampled_army_is_impossible(game_id: str) -> None:
    game = load_game(game_id)
    options = resolve(game, {})
    told = Told(game, options, f"{game_id}/lots")
    beliefs = {seat: Belief(game, options, seat) for seat in SEATS}
    for stop in told.moments(every=24, most=4):
        for seat, belief in beliefs.items():
            belief.update(told.view(seat), told.stories[seat])
            assert impossible(belief, told.view(seat), 100, stop) == []


@pytest.mark.parametrize("game_id", FEW if MORE == 1 else game_ids())
def test_no_sampled_army_is_impossible_under_other_options(game_id: str) -> None:
    game = load_game(game_id)
    for number, options in enumerate(pairwise(game)[: 6 * MORE]):
        told = Told(game, options, f"{game_id}/{number}")
        told.go_on(70)
        for seat in SEATS:
            for belief in (Belief(game, options, seat), public_belief(game, options, seat)):
                belief.update(told.view(seat), told.stories[seat])
                assert impossible(belief, told.view(seat), 60, number) == [], dict(options.changed(game))


def test_every_kind_that_is_possible_has_a_chance() -> None:
    game = load_game("barrage/classic")
    options = resolve(game, {})
    told = Told(game, options, "chance")
    told.go_on(12)
    view = told.view(Side.SOUTH)
    belief = Belief(game, options, Side.SOUTH)
    belief.update(view, told.stories["south"])
    hidden = {piece.name: piece for piece in view.pieces if piece.side == "north" and not piece.kind}
    assert hidden
    for name, chances in zip(belief.names, belief.marginals(), strict=True):
        assert {game.kinds[kind].id for kind in np.flatnonzero(chances)} == set(hidden[name].possible)


def test_a_history_read_at_once_gives_the_same_belief_as_one_read_in_parts() -> None:
    game = load_game("spin-master/duel")
    options = resolve(game, {})
    told = Told(game, options, "lived")
    lived = Belief(game, options, Side.NORTH)
    for _ in told.moments(every=3, most=10):
        lived.update(told.view(Side.NORTH), told.stories[Side.NORTH])
    late = Belief(game, options, Side.NORTH)
    late.update(told.view(Side.NORTH), told.stories[Side.NORTH])
    assert late.names == lived.names
    assert np.allclose(late.marginals(), lived.marginals())
    assert (late.sample(40, 3) == lived.sample(40, 3)).all()


def test_nothing_new_changes_nothing() -> None:
    game = load_game("barrage/classic")
    options = resolve(game, {})
    told = Told(game, options, "still")
    belief = Belief(game, options, Side.SOUTH)
    belief.update(told.view(Side.SOUTH), told.stories[Side.SOUTH])
    before = belief.marginals()
    belief.update(told.view(Side.SOUTH), told.stories[Side.SOUTH])
    assert belief.marginals() is before


def test_the_flag_stands_somewhere() -> None:
    game = load_game("mini/3x4")
    options = resolve(game, {})
    belief = Belief(game, options, Side.SOUTH)
    told = Told(game, options, "flag")
    belief.update(told.view(Side.SOUTH), told.stories[Side.SOUTH])
    assert sum(belief.flag_chances().values()) == pytest.approx(1.0)


def test_what_the_opponent_may_think_of_us_does_not_depend_on_what_we_know() -> None:
    """Our own kinds are in our View; the public belief looks at what was shown, and at nothing else."""
    game = load_game("barrage/classic")
    options = resolve(game, {})
    told = Told(game, options, "public")
    view = told.view(Side.SOUTH)
    plain = public_belief(game, options, Side.SOUTH)
    plain.update(view, told.stories["south"])
    own = [piece for piece in view.pieces if piece.side == "south"]
    swapped = dict(zip((piece.name for piece in own), reversed([piece.kind for piece in own]), strict=True))
    pieces = tuple(
        msgspec.structs.replace(piece, kind=swapped.get(piece.name, piece.kind)) for piece in view.pieces
    )
    other = public_belief(game, options, Side.SOUTH)
    other.update(msgspec.structs.replace(view, pieces=pieces), told.stories["south"])
    assert plain.names == other.names
    assert len(plain.names) == 8
    assert (plain.marginals() == other.marginals()).all()
