"""Following a game from one chair: the View is the referee's, and nonsense is refused without harm."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from flagfall.edition import Game, Options, game_ids, load_game, resolve
from flagfall.match.play import GameRunner
from flagfall.players import make_player
from flagfall.protocol.follower import Follower, FollowError
from flagfall.protocol.resync import from_position
from flagfall.protocol.shorthand import played
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenEvent, View

CASES: list[tuple[str, dict[str, str]]] = [(game, {}) for game in game_ids()] + [
    ("onyx/classic", {"rescue": "on"}),
    ("onyx/classic", {"rescue": "on", "silent_defense": "on", "captured_pieces": "secret"}),
    ("onyx/classic", {"defender_advances": "on", "aggressor_advantage": "on"}),
    ("lotr/classic", {"two_square_limit": "3"}),
    ("lotr/classic", {"chase_rule": "on", "memory": "strict", "two_square_counts_attacks": "on"}),
    ("mini/3x4", {"rescue": "on", "chase_rule": "on"}),
]


def dealt(game: Game, options: Options, name: str, seed: int) -> tuple[GameRunner, list[Follower]]:
    """Return a game and a follower of each side."""
    rng = Random(seed)
    seats = [make_player(name, game, options, rng) for _ in (0, 1)]
    setups = seats[0].set_up(0), seats[1].set_up(1)
    running = GameRunner(game, options, setups)
    followers = [Follower(game, options, setups[side], sorted(setups[1 - side].kinds)) for side in (0, 1)]
    return running, followers


@pytest.mark.parametrize(("address", "pairs"), CASES, ids=str)
@pytest.mark.parametrize("name", ["random", "greedy"])
def test_the_view_from_a_chair_is_the_one_the_referee_gives(
    address: str, pairs: dict[str, str], name: str
) -> None:
    game = load_game(address)
    options = resolve(game, pairs)
    for seed in range(2):
        running, followers = dealt(game, options, name, seed)
        seats = [make_player(name, game, options, Random(f"{seed}/{side}")) for side in (0, 1)]
        while not running.is_over and running.turns < 120:
            side = running.mover
            follower, history = followers[side], running.history(side)
            for event in history[len(follower.history) :]:
                follower.tell(event)
            view = running.view(side)
            assert follower.view() == view
            action = seats[side].choose(view, history)
            follower.acted(action)
            running.play(action)
        assert not any(follower.doubt for follower in followers)


def lotr(seed: int = 3) -> tuple[GameRunner, list[Follower]]:
    game = load_game("lotr/classic")
    return dealt(game, resolve(game, {"two_square_limit": "3"}), "greedy", seed)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (SeenEvent("move", 0, side=Side.SOUTH, piece="d5", origin="d5", target="d6"), "no piece d5"),
        (
            SeenEvent("move", 0, side=Side.SOUTH, piece="a4", origin="a3", target="a5"),
            "stands on a4, not on a3",
        ),
        (SeenEvent("move", 0, side=Side.NORTH, piece="a4", origin="a4", target="a5"), "is south's"),
        (SeenEvent("move", 0, side=Side.SOUTH, piece="a4", origin="a4", target="a3"), "stands there"),
        (SeenEvent("move", 0, side=Side.SOUTH, piece="a4", origin="a4", target="c5"), "No piece may stand"),
        (SeenEvent("attack", 0, side=Side.SOUTH, piece="a4", origin="a4", target="a5"), "no enemy to attack"),
        (SeenEvent("attack", 0, side=Side.SOUTH, piece="a4", origin="a4", target="a3"), "no enemy to attack"),
        (
            SeenEvent("shown", 0, side=Side.NORTH, piece="a7", origin="a7", kind="dragon"),
            "not a piece of this game",
        ),
        (SeenEvent("shown", 0, side=Side.NORTH, piece="z9", origin="z9", kind="gandalf"), "not"),
        (SeenEvent("miss", 0, side=Side.NORTH, target="a5", kind="gandalf"), "does not fit"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_is_refused_and_nothing_has_changed(event: SeenEvent, words: str) -> None:
    running, (south, _) = lotr()
    with pytest.raises((FollowError, ValueError), match=words):
        south.tell(event)
    assert south.view() == running.view("south")


def test_a_piece_that_moved_cannot_be_shown_as_a_bomb() -> None:
    running, (south, _) = lotr()
    kind = next(kind.id for kind in running.game.kinds if kind.role == "flag")
    for event in (
        SeenEvent("turn", 0, side=Side.NORTH),
        SeenEvent("move", 1, side=Side.NORTH, piece="a7", origin="a7", target="a6", detail="step"),
    ):
        south.tell(event)
    with pytest.raises(FollowError, match="a7 cannot be"):
        south.tell(SeenEvent("shown", 1, side=Side.NORTH, piece="a7", origin="a6", kind=kind))


def test_games_told_in_short_lead_to_the_same_views() -> None:
    for seed in range(2):
        running, followers = lotr(seed)
        seats = [make_player("greedy", running.game, running.options, Random(seed)) for _ in (0, 1)]
        while not running.is_over and running.turns < 100:
            side = running.mover
            assert followers[side].view() == running.view(side)
            before = len(running.history(side))
            action = seats[side].choose(running.view(side), running.history(side))
            running.play(action)
            line = _in_short(running.history(side)[before:])
            for follower in followers:
                events = played(follower, line.split())
                if not running.is_over:
                    assert events == list(running.history(SIDES[follower.side])[before:])
                for event in events:
                    follower.tell(event)


def _in_short(events: Sequence[SeenEvent]) -> str:
    """What a plain referee would say of a turn."""
    act = next(event for event in events if event.what in ("move", "attack"))
    mark = "x" if act.what == "attack" else "-"
    shown = [f"{event.origin}={event.kind}" for event in events if event.what == "shown" and mark == "x"]
    return " ".join([str(act.side), f"{act.origin}{mark}{act.target}", *shown])


def test_a_game_is_taken_up_from_the_visible_board() -> None:
    running, _ = lotr(5)
    seats = [make_player("greedy", running.game, running.options, Random(side)) for side in (0, 1)]
    while not running.is_over and running.turns < 150:
        side = running.mover
        view = running.view(side)
        running.play(seats[side].choose(view, running.history(side)))
        if running.turns % 7:
            continue
        follower = from_position(running.game, running.options, int(side), _position(view).split())
        again = follower.view()
        assert set(again.legal) >= set(view.legal)
        assert len(set(again.legal) - set(view.legal)) <= len(view.barred)
        assert {(p.cell, p.side, p.kind, p.moved) for p in again.pieces} == {
            (p.cell, p.side, p.kind, p.moved) for p in view.pieces
        }
        assert again.turn == view.turn
        assert again.to_move == view.to_move
        assert make_player("greedy", running.game, running.options, Random(1)).choose(again, follower.history)
    assert running.turns > 30


def _position(view: View) -> str:
    words = [f"turn={view.turn}"]
    for piece in view.pieces:
        marks = (",moved" if piece.moved else "") + (",shown" if piece.is_told else "")
        words.append(f"{piece.side}:{piece.cell}={piece.kind or '?'}{marks}")
    words += [f"lost={piece.side}:{piece.kind or '?'}" for piece in view.tray]
    return " ".join(words)
