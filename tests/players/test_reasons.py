"""What the coach says of a quiet move is true on the player's own View."""

from __future__ import annotations

import pytest

import flagfall
from flagfall.edition.compile import compile_game
from flagfall.edition.verbs import VERBS
from flagfall.engine.action import Action
from flagfall.players.reasons import POWER_REASONS, WALKS, quiet_reason
from flagfall.sides import Side
from tests.view.table import WideTable

Pieces = dict[str, str]


def reason(
    south: Pieces,
    north: Pieces,
    known: str,
    move: str,
    side: Side = Side.SOUTH,
    game: str = "onyx/classic",
    **options: str,
) -> str:
    """The reason for a move of one side in a position; ``known`` are the squares of known pieces."""
    table = flagfall.game(game, **options)
    position = table.position({"a1": "flag"} | south, {"j10": "flag"} | north, turn=side, known=known.split())
    origin, target = move.split()
    action = Action.of("move", origin, target)
    assert action in position.legal_actions
    fights = compile_game(table.rules, table.options).fights(len(table.rules.kinds))
    return quiet_reason(table.rules, table.options, position.view(side), action, fights)


ESCAPE = "It takes your Colonel away from their Marshal."
THREAT = "From there your Major threatens their Captain."
GUARD = "It brings your Major closer to your Flag, to guard it."
BOMB = "It brings your Miner towards e8, a piece that has never moved: perhaps a Bomb."
SCOUTING = "From there your Major can attack e8 and find out what it is."
LANE = "It opens a lane for your Scout on e1."
FORWARD = "It brings your Major forward."
ROOM = "It gives your Major more room."


@pytest.mark.parametrize(
    ("south", "north", "known", "move", "said"),
    [
        ({"e4": "colonel"}, {"e5": "marshal"}, "e5", "e4 e3", ESCAPE),
        ({"e4": "major"}, {"e7": "captain"}, "e7", "e4 e5", FORWARD),
        ({"e5": "major"}, {"e7": "captain"}, "e7", "e5 e6", THREAT),
        ({"a4": "major"}, {"e8": "scout"}, "", "a4 a3", GUARD),
        ({"e5": "miner"}, {"e8": "bomb"}, "", "e5 e6", BOMB),
        ({"e6": "major"}, {"e8": "scout"}, "", "e6 e7", SCOUTING),
        ({"e1": "scout", "e3": "major"}, {"j9": "spy"}, "", "e3 f3", LANE),
        ({"e3": "major"}, {"j9": "spy"}, "", "e3 e4", FORWARD),
        ({"a8": "major"}, {"j9": "spy"}, "", "a8 b8", ROOM),
        ({"e8": "major"}, {"j9": "spy"}, "", "e8 e7", "It is a quiet move, and the best one I can see."),
    ],
)
def test_a_quiet_move_has_a_reason(south: Pieces, north: Pieces, known: str, move: str, said: str) -> None:
    assert reason(south, north, known, move) == said


@pytest.mark.parametrize(
    ("south", "north", "known", "move", "not_said"),
    [
        ({"e4": "colonel"}, {"e5": "marshal"}, "", "e4 e3", ESCAPE),
        ({"e4": "colonel"}, {"e5": "major"}, "e5", "e4 e3", "away from"),
        ({"e4": "colonel"}, {"e5": "marshal", "d3": "general"}, "e5 d3", "e4 e3", "away from"),
        ({"e5": "major"}, {"e7": "captain"}, "", "e5 e6", "threatens"),
        ({"e5": "major"}, {"e7": "colonel"}, "e7", "e5 e6", "threatens"),
        ({"e5": "miner"}, {"e8": "scout"}, "e8", "e5 e6", "towards"),
        ({"e5": "miner"}, {"e8": "scout"}, "", "e5 e6", "perhaps a Bomb"),
        ({"e5": "major"}, {"e8": "bomb"}, "", "e5 e6", "towards"),
        ({"e1": "scout", "e3": "major"}, {"e4": "spy"}, "e4", "e3 f3", "lane"),
        ({"e1": "scout", "e3": "major"}, {"j9": "spy"}, "", "e3 e4", "lane"),
        ({"e1": "sergeant", "e3": "major"}, {"j9": "spy"}, "", "e3 f3", "lane"),
        ({"a3": "major"}, {"e8": "scout"}, "", "a3 a4", "guard"),
        ({"a5": "major"}, {"e8": "scout"}, "", "a5 a4", "guard"),
        ({"c3": "scout", "c4": "major"}, {"j9": "spy"}, "", "c4 b4", "lane"),
        ({"e4": "colonel"}, {"e5": "bomb"}, "e5", "e4 e3", "away from"),
    ],
)
def test_a_reason_that_is_not_true_is_not_given(
    south: Pieces, north: Pieces, known: str, move: str, not_said: str
) -> None:
    assert not_said not in reason(south, north, known, move)


@pytest.mark.parametrize(("game", "is_said"), [("barrage/classic", True), ("onyx/classic", False)])
def test_a_scout_that_may_run_and_attack_is_fled_from_afar(game: str, is_said: bool) -> None:
    said = reason({"b3": "spy"}, {"b8": "scout"}, "b8", "b3 c3", game=game)
    assert (said == "It takes your Spy away from their Scout.") == is_said


def test_a_secret_defender_is_shown_to_a_runner_only() -> None:
    north = {"e8": "scout"}
    said = reason({"e6": "major"}, north, "", "e6 e7", silent_defense="on")
    assert said == "From there your Major can attack e8."
    said = reason({"e6": "scout"}, north, "", "e6 e7", silent_defense="on")
    assert said == "From there your Scout can attack e8 and find out what it is."


def test_a_piece_that_has_moved_is_no_bomb() -> None:
    table = WideTable("onyx/classic", south="a1 flag, e5 miner", north="j10 flag, e9 scout, b9 bomb")
    table.plays("e5-e4", "e9-e8")
    game, options = table.game, table.seen_game.options
    fights = compile_game(game, options).fights(len(game.kinds))
    said = quiet_reason(game, options, table.view("south"), Action.of("move", "e4", "e5"), fights)
    assert "e8" not in said
    assert "b9" in said


@pytest.mark.parametrize(
    ("south", "said"),
    [
        ({"b4": "swarm", "f4": "swarm"}, "It moves several of your pieces in one turn."),
        ({"b4": "swarm"}, "It moves your Rothus, the Traveler one square."),
    ],
)
def test_an_advance_of_one_piece_is_not_several(south: Pieces, said: str) -> None:
    table = flagfall.game("duel-masters/elemental-powers")
    position = table.position({"a1": "flag"} | south, {"j10": "flag", "j9": "scout", "i9": "swarm"})
    action = next(act for act in position.legal_actions if act.verb_name == "advance")
    assert quiet_reason(table.rules, table.options, position.view(Side.SOUTH), action, []) == said


def test_north_goes_forward_towards_south() -> None:
    assert reason({}, {"e6": "major"}, "", "e6 e5", Side.NORTH) == FORWARD
    assert reason({}, {"e6": "major"}, "", "e6 e7", Side.NORTH) != FORWARD


def test_every_verb_has_a_reason() -> None:
    attacks = {"attack"}
    for verb in VERBS:
        assert verb.is_answer or verb.name in attacks or verb.code in WALKS or verb.code in POWER_REASONS
