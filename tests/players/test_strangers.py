"""Strangers: searching players with a habit, mixtures from a number, and the half that is held out."""

from __future__ import annotations

from dataclasses import asdict
from random import Random

import pytest

import flagfall
from flagfall.board import DIRECTIONS, parse_cell, row_of
from flagfall.edition import game_ids, load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.errors import FlagfallError
from flagfall.library.positions import Position
from flagfall.match.play import GameRunner
from flagfall.players import BUILT_IN, Budget, PlayerError, check_player, make_player
from flagfall.players.evaluation.piece_values import Weights
from flagfall.players.evaluation.weights_file import check_for, checked
from flagfall.players.roles import roles_of
from flagfall.players.zoo.mixture import mixture
from flagfall.players.zoo.panel import EARLIER, HELD_OUT, PANEL, TO_FIT, is_held_out, require_fit_half
from tests.players.test_every_game import in_turn

HABITS = ("raider", "hoarder", "walker", "stepper", "escort")
MIXED = ("mix:1", "mix:2")
CLASSIC = "lotr/classic"


def answer(name: str, position: Position, seed: int = 1, nodes: int = 300) -> str:
    """What a player does in a position made by hand."""
    return position.text(flagfall.player(name, nodes=nodes, seed=seed).choose_action(position))


@pytest.mark.parametrize("address", game_ids())
def test_strangers_play_legal_actions_in_every_game(address: str) -> None:
    names = [*HABITS, *MIXED]
    turns = in_turn(address, names, len(names) + 1)
    if address.startswith("mini"):
        turns += sum(in_turn(address, names[i:] + names[:i], 4, seed=i) for i in range(1, 4))
    assert turns > len(names)


@pytest.mark.parametrize("pair", [("raider", "walker"), ("hoarder", "mix:17"), ("stepper", "escort")])
def test_the_same_seed_gives_the_same_game(pair: tuple[str, str]) -> None:
    def actions(seed: int) -> list[str]:
        game = load_game("barrage/classic")
        options = resolve(game, {})
        hosts = [make_player(name, game, options, Random(seed), Budget(nodes=30)) for name in pair]
        running = GameRunner(game, options, (hosts[0].set_up(0), hosts[1].set_up(1)))
        while not running.is_over and running.turns < 10:
            side = running.mover
            running.play(hosts[int(side)].choose(running.view(side), running.history(side)))
        return [*map(str, running.setups), *map(str, running.record(("S", "N")).turns)]

    assert actions(5) == actions(5)
    assert actions(5) != actions(6)


# ---------------------------------------------------------------- habits


SOUTH = {"a1": "flag", "b1": "bomb", "a2": "bomb", "d3": "marshal", "e4": "captain", "g4": "sergeant"}
NORTH = {"a10": "flag", "b10": "bomb", "a9": "bomb", "j9": "marshal", "i10": "spy", "g8": "captain"}


def classic(south: dict[str, str], north: dict[str, str], *known: str) -> Position:
    return flagfall.game("onyx/classic").position(south, north, known=known)


def nearer(text: str, goal: str) -> int:
    """By how many steps a plain move comes nearer to a square."""
    origin, target = (parse_cell(square) for square in text.split("-"))
    there = parse_cell(goal)

    def far(cell: int) -> int:
        return abs(row_of(cell) - row_of(there)) + abs(cell % 12 - there % 12)

    return far(origin) - far(target)


def test_the_raider_hunts_with_its_known_general() -> None:
    position = classic(SOUTH, NORTH, "d3", "g8")
    moves = [answer("raider", position, seed) for seed in range(4)]
    assert all(text.startswith("d3") and nearer(text, "g8") > 0 for text in moves), moves


def test_the_hoarder_does_not_move_a_hidden_top_piece() -> None:
    hidden = [answer("hoarder", classic(FULL_SOUTH, FULL_NORTH, "g7"), seed) for seed in range(4)]
    assert not any(text.startswith("e4") for text in hidden), hidden
    plain = [answer("general", classic(FULL_SOUTH, FULL_NORTH, "g7"), seed) for seed in range(4)]
    assert any(text.startswith("e4") for text in plain), "another player would"


def test_the_walker_brings_pieces_that_lose_to_a_known_one_too() -> None:
    position = classic(SOUTH, NORTH | {"e7": "general"}, "e7")
    moved = {answer("walker", position, seed) for seed in range(12)}
    assert any(text[:2] in ("e4", "g4") and "-" in text and nearer(text, "e7") > 0 for text in moved), moved


def test_the_stepper_moves_its_runners_one_step() -> None:
    south = {"a1": "flag", "b1": "bomb", "a2": "bomb", "a4": "scout", "f4": "scout", "j4": "scout"}
    position = classic(south | {"j1": "miner"}, NORTH)
    for seed in range(4):
        origin, target = answer("stepper", position, seed).replace("x", "-").split("-")
        assert abs(int(origin[1:]) - int(target[1:])) + abs(ord(origin[0]) - ord(target[0])) == 1


def test_the_escort_sets_up_its_spy_next_to_the_piece_it_guards() -> None:
    """It guards the second strongest soldier: the spy takes the strongest, which beats that one."""
    game = load_game(CLASSIC)
    roles = roles_of(game, 0)
    guarded = sorted(roles.strength, key=lambda kind: roles.strength[kind])[-2]
    player = make_player("escort", game, resolve(game, {}), Random(1), Budget(nodes=10))
    for _ in range(3):
        kinds = dict(player.set_up(0).kinds)
        spies = [cell for cell, kind in kinds.items() if kind in roles.assassins]
        assert guarded in {kinds.get(spy + way, -1) for spy in spies for way in DIRECTIONS}


def test_the_escort_stays_at_home() -> None:
    far = [answer("escort", classic(FULL_SOUTH, FULL_NORTH), seed).replace("x", "-") for seed in range(4)]
    assert all(row_of(parse_cell(text.split("-")[1])) <= 5 for text in far), far


# ---------------------------------------------------------------- mixtures


def test_mixtures_differ_and_their_weights_are_usable_in_every_game() -> None:
    found = [mixture(number) for number in range(1, 41)]
    assert len({tuple(one.weights.values()) for one in found}) == len(found)
    assert len({(one.max_depth, one.memory, one.infers) for one in found}) > 15
    for one in found:
        weights = checked(one.weights, one.name)
        assert asdict(weights) == one.weights
        for address in game_ids():
            game = load_game(address)
            check_for(game, compile_game(game, resolve(game, {})), Weights(**one.weights), one.name)


@pytest.mark.parametrize("name", ["mix:", "mix:x", "mix:-1", "mix:1000001", "mix:1.5", "mix:١"])
def test_what_names_no_mixture_is_said(name: str) -> None:
    with pytest.raises(PlayerError, match="names no mixture; write mix:17"):
        check_player(name)


# ---------------------------------------------------------------- the panel


def test_half_of_the_panel_is_held_out() -> None:
    assert len(TO_FIT) == len(HELD_OUT)
    assert len({*PANEL}) == len(PANEL)
    assert {*HABITS} <= {*PANEL}
    assert {*PANEL} - {EARLIER} <= {*BUILT_IN} | {name for name in PANEL if name.startswith("mix:")}
    assert [name for name in PANEL if is_held_out(name)] == list(HELD_OUT)


def test_nothing_is_fitted_on_the_held_out_half() -> None:
    require_fit_half(["greedy", *TO_FIT, "mix:101"])
    for name in (*HELD_OUT, "mix:202", "walker@nodes=400"):
        with pytest.raises(FlagfallError, match="held-out half"):
            require_fit_half(["greedy", name])


def _army(kinds: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in kinds.split())
    return {square: kind for square, _, kind in pairs}


FULL_SOUTH = _army(
    "a1=flag b1=bomb a2=bomb c1=bomb d4=miner e4=marshal f4=miner g4=scout h4=captain i4=lieutenant j4=scout "
    "d3=sergeant e3=captain f3=sergeant g3=major h3=lieutenant i3=miner j3=major d2=colonel",
)
FULL_NORTH = _army(
    "a10=flag b10=bomb a9=bomb c10=bomb d7=miner e7=captain f7=miner g7=major h7=captain i7=lieutenant "
    "j7=scout d8=sergeant e8=scout f8=sergeant g8=marshal h8=lieutenant i8=miner j8=spy d9=colonel",
)
