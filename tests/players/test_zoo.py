"""The zoo: every player plays whole legal games of every game, with the habit it is named for."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from flagfall.arena.contest import play_all
from flagfall.arena.plan import GameResult, Plan, rounds
from flagfall.board import column_of, parse_cell, row_of
from flagfall.edition import game_ids, load_game, resolve
from flagfall.match import Match, Seating
from flagfall.notation import from_json, write_action
from flagfall.players import BUILT_IN, Budget, make_player
from flagfall.players.chances import CountingBelief
from flagfall.setups import setup_from_squares
from flagfall.sides import Side

ZOO = ("rusher", "turtle", "bluffer", "chaser")
SEATS: tuple[Side, Side] = (Side.SOUTH, Side.NORTH)
SOUTH = {
    "a1": "flag",
    "b1": "bomb",
    "d4": "scout",
    "e4": "marshal",
    "f4": "miner",
    "h1": "scout",
    "i4": "spy",
    "j4": "general",
}
NORTH = {
    "j10": "flag",
    "i10": "bomb",
    "e7": "miner",
    "f7": "scout",
    "h10": "scout",
    "i7": "general",
    "b7": "marshal",
    "a7": "spy",
}


def played(game: str, players: tuple[str, str], games: int = 2, **changes: object) -> list[GameResult]:
    facts = {"game": game, "options": {}, "players": players, "setups": "own", "most_turns": 400}
    plan = msgspec.convert(facts | changes, Plan)
    return list(play_all(plan, rounds(2, games), 1))


def table(south: dict[str, str], north: dict[str, str], *turns: str) -> Match:
    """A barrage position after some turns."""
    game = load_game("barrage/classic")
    match = Match.created(game, resolve(game, {}), Seating("Anna", "Ben"), 0)
    match.seal("south", setup_from_squares(game, 0, south), 0)
    match.seal("north", setup_from_squares(game, 1, north), 0)
    for text in turns:
        match.act(str(match.to_move), None, text, 0)
    return match


def answers(name: str, match: Match, tries: int = 12) -> set[str]:
    """What a player does in a position, with several seeds."""
    side = match.to_move
    assert side is not None
    view, history = match.view(side, forgets=False), match.history(side)
    found = set()
    for seed in range(tries):
        player = make_player(name, match.game, match.options, Random(seed), Budget(nodes=50))
        found.add(write_action(match.game, player.choose(view, history)))
    return found


@pytest.mark.parametrize("name", ZOO)
@pytest.mark.parametrize("game", game_ids())
def test_the_zoo_plays_legal_games_of_every_game(game: str, name: str) -> None:
    for each in played(game, (name, "greedy")):
        assert each.trouble == ""
        assert each.reason
        assert each.turns > 0


@pytest.mark.parametrize("game", game_ids())
def test_the_tree_over_chances_plays_legal_games_of_every_game(game: str) -> None:
    for each in played(game, ("expectimax", "greedy"), nodes=30, time_ms=None, most_turns=20):
        assert each.trouble == ""


@pytest.mark.parametrize("game", game_ids())
def test_the_tree_search_plays_legal_games_of_every_game(game: str) -> None:
    for each in played(game, ("ismcts", "greedy"), nodes=5, time_ms=None, most_turns=40):
        assert each.trouble == ""
        own = each.spent(0).nodes
        assert own
        assert set(own) <= {0, 5}


@pytest.mark.parametrize("name", ["ismcts", "expectimax"])
def test_the_tree_search_takes_a_flag_it_can_see(name: str) -> None:
    game = load_game("mini/3x3")
    match = Match.created(game, resolve(game, {}), Seating("Anna", "Ben"), 0)
    match.seal("south", "XsF", 0)
    match.seal("north", "FsX", 0)
    for text in ("a1 a2", "c3 c2"):
        match.act(str(match.to_move), None, text, 0)
    view, history = match.view("south", forgets=False), match.history("south")
    player = make_player(name, game, match.options, Random(1), Budget(nodes=200))
    assert write_action(game, player.choose(view, history)) == "a2xa3"


def test_sampled_hidden_armies_are_possible_ones() -> None:
    match = table(SOUTH, NORTH, "e4-e5", "b7-b6", "e5-e6", "b6-b7")
    view = match.view("south", forgets=False)
    hidden = [piece for piece in view.pieces if piece.side == "north"]
    belief = CountingBelief(match.game, match.options, "south")
    belief.update(view, match.history("south"))
    armies = belief.sample(50, 2)
    roster = sorted(kind for kind, count in enumerate(match.game.rosters[1]) for _ in range(count))
    ids = [kind.id for kind in match.game.kinds]
    for army in armies:
        assert sorted(army) == roster
        assert all(ids[kind] in piece.possible for kind, piece in zip(army, hidden, strict=True))
    assert len({tuple(army) for army in armies}) > 30


def test_the_zoo_is_on_the_list() -> None:
    assert {*ZOO, "ismcts", "expectimax"} <= set(BUILT_IN)


def test_the_rusher_attacks_the_unknown_piece_in_front_of_it() -> None:
    match = table(SOUTH, NORTH, "e4-e5", "a7-a6", "e5-e6", "a6-a7")
    assert answers("rusher", match) == {"e6xe7"}


def test_the_turtle_stays_in_its_rows() -> None:
    match = table(SOUTH, NORTH)
    for action in answers("turtle", match):
        assert row_of(parse_cell(action.split("-")[1])) <= 4


def test_the_turtle_takes_back() -> None:
    south = dict(zip(("a1", "b1", "f4", "a4", "c4", "b4", "f3", "j1"), SOUTH.values(), strict=True))
    south |= {"f3": "spy", "c4": "miner", "b4": "scout", "a4": "marshal"}
    north = dict(zip(("j10", "i10", "a7", "b7", "h10", "i7", "f7", "e9"), NORTH.values(), strict=True))
    match = table(south, north, "b4-b5", "f7-f6", "b5-b4", "f6-f5", "c4-c3", "f5xf4")
    assert match.view("south").at("f4").kind == "marshal"  # type: ignore[union-attr]
    assert answers("turtle", match) == {"f3xf4"}


def test_the_chaser_goes_after_a_piece_it_knows_and_takes() -> None:
    south = dict(zip(("a1", "b1", "e4", "a4", "c4", "g4", "j3", "j4"), SOUTH.values(), strict=True))
    match = table(south, NORTH, "e4xe7", "i7-i6")
    assert match.view("south").at("e7").kind == "miner"  # type: ignore[union-attr]
    for action in answers("chaser", match):
        start, end = (parse_cell(square) for square in action.split("-"))
        assert match.view("south").at(action[:2]).kind in ("marshal", "general")  # type: ignore[union-attr]
        assert row_of(end) > row_of(start) or column_of(end) != column_of(start)


def test_the_bluffer_leaves_its_strongest_piece_at_home() -> None:
    match = table(SOUTH, NORTH)
    assert not any(action.startswith(("e4", "j4")) for action in answers("bluffer", match))


def test_the_bluffer_sets_up_a_decoy() -> None:
    record = from_json(bytes(played("onyx/classic", ("bluffer", "random"))[0].record))
    assert record.setups[0].count("B") == 6
