"""Endgames: who wins is known to the end, by the rules, and from no more than the seat was shown."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from flagfall.edition import Game, game_ids, load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine.action import Action
from flagfall.engine.state import NORTH_WINS, RESULT, SOUTH_WINS
from flagfall.engine.tables import KIND_FLAGS, MOBILE, Tables
from flagfall.players import Budget
from flagfall.players.explain import explain
from flagfall.players.searcher import SearchingPlayer
from flagfall.sides import Side
from tests.laws.seen_game import Case, start_game
from tests.players.ending import SEATS, Ending, act_name, brute_force

LIMITS = ("off", "1", "2", "3")


def _hunt(limit: str = "2", **pairs: str) -> Ending:
    """A captain after a sergeant; both have moved, so both know who it is."""
    return Ending(
        3,
        4,
        {"a1": "flag", "b1": "captain"},
        {"c4": "flag", "b4": "sergeant"},
        two_square_limit=limit,
        **pairs,
    ).play("b1-b2", "b4-a4")


def _walled_hunt(limit: str) -> Ending:
    """The same with both flags behind bombs that nobody can remove: only the hunt decides."""
    return Ending(
        4,
        4,
        {"a1": "flag", "a2": "bomb", "b1": "bomb", "c2": "captain"},
        {"d4": "flag", "d3": "bomb", "c4": "bomb", "b3": "sergeant"},
        two_square_limit=limit,
    ).play("c2-d2", "b3-b4")


def _race(reply: str, limit: str = "off") -> Ending:
    """A sergeant has found the bomb before the flag; now a miner runs for it, and a captain for the other."""
    return Ending(
        3,
        6,
        {"a1": "flag", "c2": "miner", "c3": "sergeant"},
        {"c6": "flag", "c5": "bomb", "a6": "captain"},
        zones="b4 b5 b6",
        two_square_limit=limit,
    ).play("c3-c4", "a6-a5", "c4-c5", reply)


@pytest.mark.parametrize("limit", LIMITS)
def test_a_hunt_ends_as_brute_force_says(limit: str) -> None:
    ending = _hunt(limit)
    assert ending.solution() == brute_force(ending.tables, ending.state)


def test_the_two_square_limit_decides_a_hunt() -> None:
    """Stepping back to b1 is the second move back and forth, the last: then the captain has to give way."""
    assert (_hunt("2").solution() or {})["b2-b1"] == -6
    assert (_hunt("3").solution() or {})["b2-b1"] == 7
    assert "b2-b1" not in (_hunt("1").solution() or {})


@pytest.mark.parametrize("limit", ["off", "2"])
def test_a_hunt_among_walls_ends_as_brute_force_says(limit: str) -> None:
    ending = _walled_hunt(limit)
    told, true = ending.solution(), brute_force(ending.tables, ending.state)
    assert told is not None
    for action, turns in told.items():
        assert turns in (0, true[action])


@pytest.mark.parametrize("seed", range(6))
def test_random_endings_end_as_brute_force_says(seed: int) -> None:
    """Two captures at most are left, with attacks that count or not, and defenders who advance or stay."""
    rng = Random(seed)
    kinds = ["captain", "sergeant", "miner", "spy", "marshal", "scout"]
    ending = Ending(
        3,
        4,
        {"a1": "flag", "b1": "bomb", "b2": rng.choice(kinds)},
        {"c4": "flag", "b3": rng.choice(kinds)},
        two_square_limit="2",
        two_square_counts_attacks=rng.choice(("on", "off")),
        defender_advances=rng.choice(("on", "off")),
        both_stuck=rng.choice(("draw", "side_to_move_loses")),
    )
    for _ in range(2):
        ending.act(rng.choice([act for act in ending.seen_game.legal() if act >> 24 == 1]))
    told = ending.solution()
    assert told == brute_force(ending.tables, ending.state)


def test_a_digger_wins_the_race_to_a_flag_behind_a_wall_or_is_too_late() -> None:
    """From c2 it takes four turns; the captain needs three from a4, and five from a6."""
    late, early = _race("a5-a4"), _race("a5-a6")
    assert (late.solution() or {})["c2-c3"] == -6
    assert (early.solution() or {})["c2-c3"] == 7
    for ending in (late, early):
        assert ending.solution() == brute_force(ending.tables, ending.state)


def test_a_side_that_may_only_go_back_and_must_not_has_lost() -> None:
    """The captain has gone to a5 and back; it may not go there again, and has no other square."""
    assert (_race("a5-a6", "2").solution() or {})["c2-c3"] == 1


def test_a_guess_does_not_count_as_a_win() -> None:
    """One of two hidden pieces is a bomb and one the flag: an attack on either ends open."""
    ending = Ending(
        3,
        4,
        {"a1": "flag", "b1": "captain"},
        {"c4": "flag", "b4": "bomb", "a4": "sergeant"},
        two_square_limit="2",
    ).play("b1-b2", "a4-a3", "b2-b3", "a3-a2")
    told = ending.solution()
    assert told is not None
    assert told["b3-b4"] == 0
    assert told["b3-c3"] < 0


def test_hidden_pieces_that_may_move_are_left_to_the_search() -> None:
    ending = Ending(3, 4, {"a1": "flag", "b1": "captain"}, {"c4": "flag", "b4": "sergeant"})
    assert ending.solution() is None


def test_kinds_that_fight_the_same_may_stay_hidden() -> None:
    """Both strangers lose to the marshal and pass no wall: which is which need not be known."""
    ending = Ending(
        3,
        4,
        {"a1": "flag", "b1": "marshal"},
        {"c4": "flag", "b4": "sergeant", "a4": "captain"},
        two_square_limit="off",
    ).play("b1-b2", "a4-a3", "b2-b1", "b4-a4")
    assert ending.view().at("a3").kind == ""  # type: ignore[union-attr]
    assert ending.solution() == brute_force(ending.tables, ending.state)


def _pack() -> Ending:
    """Three after one: a captain and a lieutenant are nearest and hunt, a major stands by."""
    return Ending(
        4,
        4,
        {"a1": "flag", "b1": "lieutenant", "b2": "captain", "c2": "major"},
        {"d4": "flag", "d3": "bomb", "c4": "bomb", "b4": "sergeant"},
        two_square_limit="3",
    ).play("c2-d2", "b4-a4")


def test_two_hunters_are_enough_and_the_others_stand_still() -> None:
    told = _pack().solution()
    assert told is not None
    assert max(told.values()) > 0
    assert {told[action] for action in told if action.startswith("d2")} == {0}


def test_two_hunters_catch_what_they_hunt_in_time() -> None:
    ending = _pack()
    turns = min(value for value in (ending.solution() or {}).values() if value > 0)
    hunter, prey = ending.player(1, 20_000), ending.player(2, 500)
    played = 0
    while not ending.state.is_over:
        ending.act(ending.choose(hunter if ending.seat == "south" else prey).pack())
        played += 1
    assert ending.state.buffer[RESULT] == SOUTH_WINS
    assert played <= turns


def test_a_drawn_game_is_not_lost_and_losing_actions_are_left_alone() -> None:
    ending = _hunt("2")
    player = ending.player()
    told = ending.solution()
    assert told is not None
    for _ in range(40):
        if ending.state.is_over:
            break
        told = ending.solution()
        act = ending.choose(player) if ending.seat == "south" else Action.unpack(ending.seen_game.legal()[0])
        if ending.seat == "south" and told is not None and max(told.values()) >= 0:
            assert told[act_name(act)] >= 0
        ending.act(act.pack())
    assert ending.state.buffer[RESULT] != NORTH_WINS


def test_a_win_that_the_count_without_progress_would_cut_off_is_none() -> None:
    soon, late = _hunt("3"), _hunt("3", no_progress_draw="4")
    assert max((soon.solution() or {}).values()) > 0
    assert max((late.solution() or {}).values()) == 0


def test_the_same_seed_and_nodes_give_the_same_ending() -> None:
    games = []
    for _ in range(2):
        ending = _walled_hunt("3")
        players = [ending.player(5, 400), ending.player(6, 400)]
        done: list[int] = []
        while not ending.state.is_over and len(done) < 12:
            done.append(ending.choose(players[ending.state.side]).pack())
            ending.act(done[-1])
        games.append(done)
    assert games[0] == games[1]


def test_a_table_grows_between_moves_while_the_search_plays_on() -> None:
    ending = _hunt("3")
    player = ending.player(1, 40)
    sizes = []
    for _ in range(4):
        assert ending.choose(player) in ending.view().legal
        assert player.nodes <= 40
        sizes.append(sum(table.positions for table in player.endgame.tables))
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_weak_levels_do_not_solve() -> None:
    ending = _hunt("3")
    player = ending.player(1, 500, "captain")
    ending.choose(player)
    assert player.endgame.tables == []


def test_a_solved_position_is_explained_like_any_other() -> None:
    ending = _hunt("3")
    view = ending.view()
    told = explain(ending.player(1, 20_000), view, ending.stories[Side.SOUTH], nodes=60)
    assert {candidate.action for candidate in told.candidates} == set(view.legal)
    assert act_name(told.candidates[0].action) == "b2-b3"
    assert told.estimate > 0.99
    assert told.nodes > 0


def test_what_is_hidden_changes_nothing() -> None:
    """The flag and the bomb change places behind the enemy's lines: same verdict, same action."""
    told, acts = [], []
    for hidden in ({"c4": "flag", "b4": "bomb"}, {"c4": "bomb", "b4": "flag"}):
        ending = Ending(3, 4, {"a1": "flag", "b1": "captain"}, {**hidden, "a4": "sergeant"})
        ending.play("b1-b2", "a4-a3")
        told.append(ending.solution())
        acts.append(ending.choose(ending.player()))
    assert told[0] == told[1]
    assert acts[0] == acts[1]


@pytest.mark.parametrize("game_id", game_ids())
def test_plays_by_the_rules_in_the_endings_of_every_game(game_id: str) -> None:
    """One or two pieces a side and their flags: powers, rescues and other numbers come up or not."""
    rng = Random(game_id)
    full = load_game(game_id)
    tables = compile_game(full, resolve(full, {}))
    rosters = [_few(full, tables, side, rng) for side in (0, 1)]
    game = replace(full, rosters=tuple(rosters), fills_home=False)  # type: ignore[arg-type]
    seen_game, _ = start_game(Case(game, resolve(game, {}), 1))
    stories = {seat: list(seen_game.greeting[seat]) for seat in SEATS}
    players = [SearchingPlayer(game, seen_game.options, Random(3), Budget(nodes=60)) for _ in SEATS]
    for turn in range(60):
        if seen_game.state.is_over:
            break
        view = seen_game.observers.view(seen_game.state, SEATS[seen_game.state.side], forgets=False)
        act = rng.choice(seen_game.legal())
        if turn % 3 == 0:
            act = players[seen_game.state.side].choose(view, stories[SEATS[seen_game.state.side]]).pack()
        assert Action.unpack(act) in view.legal
        seen = seen_game.play(act)
        for seat in SEATS:
            stories[seat] += seen[seat]


def _few(game: Game, tables: Tables, side: int, rng: Random) -> tuple[int, ...]:
    """A flag, perhaps something else that never moves, and one or two pieces that do."""
    there = [kind for kind, count in enumerate(game.rosters[side]) if count]
    moves = [kind for kind in there if tables.row[KIND_FLAGS + kind] & MOBILE]
    stays = [kind for kind in there if kind not in moves]
    kept = [rng.choice(moves) for _ in range(rng.choice((1, 2)))] + stays
    return tuple(min(kept.count(kind), count) for kind, count in enumerate(game.rosters[side]))


def test_a_win_is_played_to_the_end_as_fast_as_was_said() -> None:
    ending = _hunt("3")
    turns = min(value for value in (ending.solution() or {}).values() if value > 0)
    players = [ending.player(1), ending.player(2)]
    played = 0
    while not ending.state.is_over:
        ending.act(ending.choose(players[ending.state.side]).pack())
        played += 1
    assert ending.state.buffer[RESULT] == SOUTH_WINS
    assert played <= turns
