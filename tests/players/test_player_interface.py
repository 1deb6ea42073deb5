"""The players' interface: Views and the history of one seat, a budget, names from one mapping."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from flagfall.edition import load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine.action import Action
from flagfall.match import Match, Seating
from flagfall.players import BUILT_IN, Budget, UnknownPlayerError, make_player
from flagfall.setups import random_setup
from flagfall.sides import Side
from flagfall.view.knowledge import Facts, Knowledge

SEATS: tuple[Side, Side] = (Side.SOUTH, Side.NORTH)


def _played(game_id: str, seed: int, turns: int, **pairs: str) -> Match:
    """A match between two greedy players, as far as that many turns."""
    game = load_game(game_id)
    options = resolve(game, pairs)
    rng = Random(seed)
    match = Match.created(game, options, Seating("Anna", "Ben"), 0)
    for index, side in enumerate(SEATS):
        match.seal(side, random_setup(game, index, rng), 0)
    seats = {side: make_player("greedy", game, options, rng) for side in SEATS}
    while match.to_move and match.turn < turns:
        side = match.to_move
        match.act(side, None, seats[side].choose(match.view(side, forgets=False), match.history(side)), 0)
    return match


def _cells(match: Match, side: Side) -> list[str]:
    from flagfall.board import cell_name
    from flagfall.setups import read_setup

    setup = read_setup(match.game, SEATS.index(side), match.setup_text(side))
    return [cell_name(cell) for cell in sorted(setup.kinds)]


@pytest.mark.parametrize("memory", ["assisted", "notes", "strict"])
def test_the_history_is_complete_whatever_people_are_shown(memory: str) -> None:
    match = _played("spin-master/standard", 3, 30, memory=memory)
    facts = Facts(match.game, compile_game(match.game, match.options))
    view = match.view("south", forgets=False)
    own = dict.fromkeys(_cells(match, Side.SOUTH), "")
    knowledge = Knowledge(facts, Side.SOUTH, (_cells(match, Side.SOUTH), _cells(match, Side.NORTH)), own)
    knowledge.fold(match.history("south"))
    enemies = [piece for piece in view.pieces if piece.side == "north"]
    assert knowledge.turn == view.turn == 30
    assert any(piece.kind for piece in enemies)
    for piece in enemies:
        assert knowledge.kind_of(piece.name, 1) == piece.kind
        if not piece.kind:
            assert facts.names(knowledge.possible(piece.name)) == piece.possible


def test_the_history_has_events_of_the_board_only() -> None:
    match = _played("mini/3x3", 1, 2)
    match.offer_draw("south", 5)
    told = {event.what for event in match.history("north")}
    assert told
    assert not told & {"seated", "sealed", "draw offered"}


def test_a_budget_travels_as_json() -> None:
    for budget in (Budget(), Budget(50), Budget(nodes=400)):
        assert msgspec.json.decode(msgspec.json.encode(budget), type=Budget) == budget


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_every_player_is_made_by_name_and_limited_by_nodes_repeats_itself(name: str) -> None:
    game = load_game("barrage/classic")
    options = resolve(game, {})
    match = _played("barrage/classic", 2, 4)
    view, history = match.view("south", forgets=False), match.history("south")

    def answer() -> tuple[object, Action]:
        player = make_player(name, game, options, Random("7"), Budget(nodes=50))
        return player.set_up(0), player.choose(view, history)

    assert answer() == answer()
    assert answer()[1] in view.legal


def test_an_unknown_player_is_refused_with_the_nearest_name() -> None:
    game = load_game("barrage/classic")
    with pytest.raises(UnknownPlayerError, match="did you mean “greedy”"):
        make_player("greedi", game, resolve(game, {}), Random(1))
