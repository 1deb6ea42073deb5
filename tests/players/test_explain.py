"""What a player tells of its thoughts: an estimate, a line, chances; never more than its seat can know."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import msgspec
import pytest

from flagfall.board import parse_cell
from flagfall.edition import Game, load_game, resolve
from flagfall.engine.action import ATTACK, MOVE, Action
from flagfall.players import Budget
from flagfall.players.chances import duel
from flagfall.players.explain import Explanation, estimate_of, explain
from flagfall.players.levels import level_of
from flagfall.players.searcher import SearchingPlayer
from flagfall.view.view import SeenEvent, View
from tests.laws.seen_game import Case, SeenGame, choose, start_game

BARRAGE = load_game("barrage/classic")
MINI = load_game("mini/3x4")


def _seen(seen_game: SeenGame, seat: str) -> View:
    return seen_game.observers.view(seen_game.state, seat, forgets=False)  # type: ignore[arg-type]


def _player(
    game: Game, seed: int = 1, nodes: int = 300, level: str = "marshal", **pairs: str
) -> SearchingPlayer:
    return SearchingPlayer(game, resolve(game, pairs), Random(seed), Budget(nodes=nodes), level_of(level))


def _after(game: Game, seed: int, actions: int) -> tuple[View, list[SeenEvent]]:
    """What the mover sees after so many random actions."""
    seen_game, rng = start_game(Case(game, resolve(game, {}), seed))
    history = {seat: list(seen_game.greeting[seat]) for seat in ("south", "north")}
    for _ in range(actions):
        seen = seen_game.play(choose(seen_game.legal(), seen_game.state.side, rng))
        for seat in history:
            history[seat] += seen[seat]  # type: ignore[index]
    assert not seen_game.state.is_over
    seat = ("south", "north")[seen_game.state.side]
    return _seen(seen_game, seat), history[seat]


def _explained(game: Game = BARRAGE, seed: int = 3, actions: int = 12) -> tuple[View, Explanation]:
    view, history = _after(game, seed, actions)
    return view, explain(_player(game), view, history, nodes=60)


def test_every_legal_action_is_a_candidate_and_the_best_comes_first() -> None:
    view, told = _explained()
    assert {candidate.action for candidate in told.candidates} == set(view.legal)
    deep = [candidate.estimate for candidate in told.candidates if candidate.is_deep]
    assert told.estimate == deep[0] == max(deep)
    assert all(0 <= candidate.estimate <= 1 for candidate in told.candidates)


def test_the_line_begins_with_the_best_action_and_the_sides_take_turns() -> None:
    view, told = _explained()
    assert told.line[0].text == told.candidates[0].text
    assert 1 <= len(told.line) <= 5
    sides = [turn.side for turn in told.line]
    assert sides[0] == view.viewer
    assert all(one != other for one, other in pairwise(sides))
    assert all(turn.words.endswith(".") for turn in told.line)


def test_every_hidden_piece_has_chances_that_fit_what_it_can_be() -> None:
    view, told = _explained()
    hidden = {piece.name: piece for piece in view.pieces if piece.side != view.viewer and not piece.kind}
    assert {piece.name for piece in told.hidden} == set(hidden)
    for piece in told.hidden:
        assert piece.cell == hidden[piece.name].cell
        assert {kind for kind, _ in piece.kinds} <= set(hidden[piece.name].possible)
        chances = [chance for _, chance in piece.kinds]
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) == pytest.approx(1.0)
        assert told.at(piece.cell) == piece


def test_no_line_names_a_hidden_piece() -> None:
    """Kinds the viewer was not told never come up in a line about the enemy."""
    names = {kind.names[army.id] for kind in BARRAGE.kinds for army in BARRAGE.armies}
    for seed in range(6):
        view, told = _explained(seed=seed, actions=6)
        known = {piece.kind for piece in view.pieces if piece.side != view.viewer and piece.kind}
        allowed = {
            kind.names[army.id] for kind in BARRAGE.kinds if kind.id in known for army in BARRAGE.armies
        }
        for turn in told.line:
            for name in names - allowed:
                assert f"enemy {name}" not in turn.words


def test_two_worlds_that_look_alike_are_explained_alike() -> None:
    """Exchanging two hidden pieces of the opponent changes nothing in what is told."""
    rng = Random(4)
    armies = []
    for side in (0, 1):
        kinds = [kind for kind, count in enumerate(BARRAGE.rosters[side]) for _ in range(count)]
        armies.append(dict(zip(rng.sample(BARRAGE.board.home(side), 8), kinds, strict=True)))
    south, north = armies
    cells = sorted(north)
    twin = dict(north)
    twin[cells[0]], twin[cells[5]] = north[cells[5]], north[cells[0]]
    assert twin != north
    told, inboxes = [], []
    for army in (north, twin):
        seen_game = SeenGame(BARRAGE, resolve(BARRAGE, {}), south, army)
        view, history = _seen(seen_game, "south"), list(seen_game.greeting["south"])
        inboxes.append(msgspec.json.encode((view, history)))
        told.append(explain(_player(BARRAGE, 9), view, history, nodes=60))
    assert inboxes[0] == inboxes[1]
    assert told[0] == told[1]


def test_the_same_question_gets_the_same_answer() -> None:
    assert _explained() == _explained()


def test_a_player_with_one_action_still_has_an_estimate() -> None:
    """South has one mobile piece in a corner and one way to go."""
    seen_game = _mini("X2Fs", "FX2s")
    view = _seen(seen_game, "south")
    only = msgspec.structs.replace(view, legal=view.legal[:1])
    told = explain(_player(MINI), only, list(seen_game.greeting["south"]), nodes=30)
    assert [candidate.action for candidate in told.candidates] == [view.legal[0]]
    assert told.line


def test_a_side_not_to_move_is_not_asked() -> None:
    seen_game = _mini("X2Fs", "FX2s")
    with pytest.raises(ValueError, match="side to move"):
        explain(_player(MINI), _seen(seen_game, "north"), list(seen_game.greeting["north"]))


def _mini(south: str, north: str) -> SeenGame:
    from flagfall.setups import read_setup

    setups = read_setup(MINI, 0, south).kinds, read_setup(MINI, 1, north).kinds
    return SeenGame(MINI, resolve(MINI, {}), *setups)


def test_the_odds_of_an_attack_add_up_and_know_the_ladder() -> None:
    """A Scout runs at a hidden piece of four: Flag, Marshal, Scout or Spy; only the Marshal beats it."""
    seen_game = _mini("FX2s", "FX2s")
    player = _player(MINI)
    view, history = _seen(seen_game, "south"), list(seen_game.greeting["south"])
    told = explain(player, view, history, nodes=30)
    attack = Action(ATTACK, parse_cell("c1"), parse_cell("c3"))
    assert attack in view.legal
    assert player.result is not None
    fight = duel(MINI, player.sampler.tables, player.result, attack)
    assert fight is not None
    odds = fight.odds
    assert odds.wins + odds.both_fall + odds.loses + odds.in_vain == pytest.approx(1.0)
    struck = told.at("c3")
    assert struck is not None
    assert odds.loses == pytest.approx(struck.chance("marshal"))
    assert odds.both_fall == pytest.approx(struck.chance("scout"))
    step = Action(MOVE, parse_cell("c1"), parse_cell("c2"))
    assert duel(MINI, player.sampler.tables, player.result, step) is None


def test_no_action_is_rated_above_the_best() -> None:
    view, history = _after(BARRAGE, 3, 12)
    player = _player(BARRAGE)
    told = explain(player, view, history, turns=0)
    assert told.line == ()
    assert player.result is not None
    for action in view.legal[::5]:
        assert 0 <= estimate_of(player, player.result, action) <= told.estimate


def test_an_attack_on_a_hidden_piece_is_described_with_its_odds() -> None:
    """The Marshal next to a hidden piece is the only one that may go."""
    seen_game = _mini("FsX2", "FX2s")
    view, history = _seen(seen_game, "south"), list(seen_game.greeting["south"])
    attack = next(act for act in view.legal if act.verb == ATTACK)
    only = msgspec.structs.replace(view, legal=(attack,))
    told = explain(_player(MINI), only, history, nodes=30)
    assert "It reckons it wins" in told.line[0].words
    assert "an enemy piece" in told.line[0].words


@pytest.mark.parametrize(
    "game_id", ["spin-master/duel", "fire-and-ice/special-powers", "duel-masters/elemental-powers"]
)
def test_open_turns_and_powers_are_explained(game_id: str) -> None:
    game = load_game(game_id)
    seen_game, rng = start_game(Case(game, resolve(game, {}), 2))
    stories = {seat: list(seen_game.greeting[seat]) for seat in ("south", "north")}
    asked = 0
    for i in range(60):
        if seen_game.state.is_over:
            break
        seat = ("south", "north")[seen_game.state.side]
        if (seen_game.state.is_turn_open or i % 20 == 0) and asked < 5:
            asked += 1
            view = _seen(seen_game, seat)
            told = explain(_player(game, nodes=40, level="captain"), view, stories[seat], turns=3, nodes=20)
            assert told.candidates[0].action in view.legal
            assert told.line[0].side == seat
        seen = seen_game.play(choose(seen_game.legal(), seen_game.state.side, rng))
        for one in stories:
            stories[one] += seen[one]  # type: ignore[index]
    assert asked
