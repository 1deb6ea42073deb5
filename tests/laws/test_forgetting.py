"""With ``memory = strict`` a View tells of the present and the last turn, and nothing of what was before.

The names of pieces are worked out here a second time from squares alone: the position before the last turn is
found by taking back what was seen, and from there the pieces are followed by hand. If the names in a View are
those, they tell nothing that its squares do not tell.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import msgspec
import pytest

from flagfall.edition import game_ids, load_game, resolve
from flagfall.match import Match, Seating
from flagfall.setups import random_setup
from flagfall.view.view import VIEWERS, SeenEvent, View, Viewer
from tests.laws import MORE
from tests.laws.cover import accepted, values
from tests.laws.seen_game import Case, record
from tests.view.table import Table

HAPPENS = {
    "onyx/classic": {("move", "defender"), ("rescued", "")},
    "mini/3x4": {("rescued", ""), ("removed", "")},
    "duel-masters/elemental-powers": {("move", "leap"), ("move", "teleport"), ("move", "advance")},
    "lotr/special-powers": {("swing", ""), ("no-effect", "")},
    "lotr/destroy-the-ring": {("regime", "bearer lost")},
    "fire-and-ice/special-powers": {("converted", ""), ("sweep", "")},
    "spin-master/duel": {("miss", ""), ("guess", "")},
}
"""what must happen in the games that are tried, by game: ``what`` and ``detail`` of events"""


def strict_cases(game_id: str) -> list[Case]:
    """The game from memory, alone and with what brings pieces back and hides those lost."""
    game = load_game(game_id)
    tried = values(game)
    wanted = [
        {"memory": "strict", "captured_pieces": captured, "rescue": rescue, "silent_defense": silent}
        for captured, rescue, silent in product(("open", "secret"), ("off", "on"), ("off", "on"))
    ]
    found = [accepted(game, {name: value for name, value in one.items() if name in tried}) for one in wanted]
    return [Case(game, options, seed) for seed, options in enumerate(dict.fromkeys(found)) if options]


def names_by_squares(view: View) -> tuple[dict[str, str], list[str]]:
    """By square what each piece is called, and what the pieces of the last turn's events are called."""
    cells = {piece.cell for piece in view.pieces}
    for event in reversed(view.last_turn):
        if event.what == "move":
            cells = cells - {event.target} | {event.origin}
        elif event.what == "removed":
            cells |= {event.origin}
        elif event.what == "rescued":
            cells -= {event.target}
    standing = {cell: cell for cell in cells}
    gone: dict[str, str] = {}
    returns: Counter[str] = Counter()
    called = []
    for event in view.last_turn:
        if event.what == "rescued":
            returns[str(event.side)] += 1
            standing[event.target] = f"{event.side}+{returns[str(event.side)]}"
        cell = event.target if event.what == "rescued" else event.origin
        called.append(standing.get(cell) or gone.get(cell, ""))
        if event.what == "move":
            standing[event.target] = standing.pop(event.origin)
        elif event.what == "removed":
            gone[event.origin] = standing.pop(event.origin)
    return standing, called


def squares_of(event: SeenEvent) -> set[str]:
    """Where it happened."""
    return {cell for cell in (event.origin, event.target) if cell}


def check(view: View, case: Case) -> None:
    """Everything in the View follows from its squares and its last turn."""
    standing, called = names_by_squares(view)
    assert {piece.cell: piece.name for piece in view.pieces} == standing, f"{case}, {view.viewer}"
    for event, name in zip(view.last_turn, called, strict=True):
        assert not event.piece or not squares_of(event) or event.piece == name, f"{case}: {event}"
        assert not event.piece or event.piece in {*called, *standing.values()}, f"{case}: {event}"
    movers = {event.piece for event in view.last_turn if event.what == "move"}
    shown = {event.piece for event in view.last_turn if event.what == "shown"}
    for piece in view.pieces:
        assert piece.moved == (piece.name in movers)
        assert not piece.is_told or piece.name in shown or piece.is_converted
        assert not piece.kind or piece.side == view.viewer or piece.is_told
        assert (piece.possible, piece.looks_like) == ((), ())
    assert [piece.cell for piece in view.pieces] == sorted(piece.cell for piece in view.pieces)


@pytest.mark.parametrize("game_id", game_ids())
def test_names_follow_from_the_squares_of_the_present_and_the_last_turn(game_id: str) -> None:
    happened: set[tuple[str, str]] = set()
    for case in strict_cases(game_id):
        for again in range(MORE * (40 if game_id.startswith("mini") else 3)):
            kept = record(replace(case, seed=case.seed + 1000 * again))
            happened |= {(event.what, event.detail) for event in kept.events("watcher")}
            seen_game = kept.replayed()
            for act in kept.actions:
                seen_game.play(act)
                if seen_game.state.is_over:
                    break
                for viewer in VIEWERS:
                    check(seen_game.observers.view(seen_game.state, viewer), case)
    assert HAPPENS.get(game_id, set()) <= happened, "the law was kept for want of trying"


@pytest.mark.parametrize("game_id", ["spin-master/duel", "mini/3x4", "fire-and-ice/special-powers"])
def test_events_sent_again_carry_the_names_of_the_view(game_id: str) -> None:
    for case in strict_cases(game_id):
        match = _random_match(case, Random(f"{case}"))
        while match.to_move and match.turn < 40:
            rng = Random(f"{case} {match.number}")
            match.act(match.to_move, None, rng.choice(match.view(match.to_move).legal), 0)
            if match.is_over:
                break
            for viewer in VIEWERS:
                again = [
                    event
                    for _, events in match.seen(viewer)
                    for event in events
                    if event.what not in ("turn", "seated", "sealed")
                ]
                assert tuple(again) == match.view(viewer).last_turn


def _random_match(case: Case, rng: Random) -> Match:
    game = case.game
    match = Match.created(game, case.options, Seating("Anna", "Ben"), 0)
    match.seal("south", random_setup(game, 0, rng), 0)
    match.seal("north", random_setup(game, 1, rng), 0)
    return match


def table(memory: str) -> Table:
    """Both sides have two pieces of a kind that can change places."""
    return Table(
        "spin-master/standard",
        south="a1 captain, b1 captain, d1 flag, c1 miner",
        north="d4 flag, a4 general, c4 sergeant",
        memory=memory,
    )


BACK_AND_FORTH = ("a1-a2", "c4-c3", "a2-a1", "c3-b3", "b1-b2", "b3-b4", "b2-b1", "b4-c4")
CHANGED_PLACES = ("a1-a2", "c4-c3", "b1-a1", "c3-b3", "a2-b2", "b3-b4", "b2-b1", "b4-c4")
THEN = ("c1-c2", "a4-a3")


@pytest.mark.parametrize("viewer", VIEWERS)
def test_two_ways_to_one_position_are_sent_alike_once_the_last_turn_is_the_same(viewer: Viewer) -> None:
    """The Captains on a1 and b1 have changed places, or only walked back and forth."""
    one, other = (table("strict").plays(*way, *THEN).seen_game for way in (BACK_AND_FORTH, CHANGED_PLACES))
    assert one.sent(viewer) == other.sent(viewer)
    kept, told = (table("notes").plays(*way, *THEN).seen_game for way in (BACK_AND_FORTH, CHANGED_PLACES))
    assert kept.sent(viewer) != told.sent(viewer), "the two are told apart where past moves are kept"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_where_a_piece_came_from_is_forgotten(viewer: Viewer) -> None:
    one = table("strict").plays("a1-a2", "c4-c3", "a2-a3", "c3-c2")
    view = one.view(viewer)
    assert '"a1"' not in msgspec.json.encode((view.pieces, view.last_turn)).decode()
    assert '"c4"' not in msgspec.json.encode((view.pieces, view.last_turn)).decode()
    piece = one.piece(viewer, "a3")
    assert (piece.name, piece.moved) == ("a3", False)
    moved = one.piece(viewer, "c2")
    assert (moved.name, moved.moved) == ("c3", True), "so the last move can be followed by its name"
    assert [(event.piece, event.origin, event.target) for event in view.last_turn] == [("c3", "c3", "c2")]


def test_a_computer_player_gets_the_names_that_last() -> None:
    seen_game = table("strict").plays("a1-a2", "c4-c3", "a2-a3", "c3-c2").seen_game
    view = seen_game.observers.view(seen_game.state, "north", forgets=False)
    assert {piece.cell: piece.name for piece in view.pieces if piece.name != piece.cell} == {
        "a3": "a1",
        "c2": "c4",
    }


def test_when_the_game_is_over_names_last_too() -> None:
    """Then the events of the whole game are open again and name pieces by where they started."""
    game = load_game("mini/3x3")
    match = Match.created(game, resolve(game, {"memory": "strict"}), Seating("Anna", "Ben"), 0)
    match.seal("south", "XsF", 0)
    match.seal("north", "FsX", 0)
    for text in ("a1-a2", "c3-c2"):
        match.act(match.to_move or "", None, text, 0)
    match.act("south", None, "b1-b2", 0)
    piece = match.view("north").at("a2")
    assert piece is not None
    assert piece.name == "a2"
    match.resign("north", 0)
    for viewer in (*VIEWERS, "truth"):
        piece = match.view(viewer).at("a2")
        assert piece is not None
        assert piece.name == "a1"
    assert ("a1", "a2") in {
        (event.piece, event.target) for _, events in match.seen("north") for event in events
    }


def test_a_game_that_is_called_off_stays_forgotten() -> None:
    game = load_game("mini/3x3")
    match = Match.created(game, resolve(game, {"memory": "strict"}), Seating("Anna", "Ben"), 0)
    match.seal("south", "XsF", 0)
    match.seal("north", "FsX", 0)
    for text in ("a1-a2", "c3-c2", "b1-b2"):
        match.act(match.to_move or "", None, text, 0)
    match.abort(None, 0)
    for viewer in VIEWERS:
        assert {piece.name for piece in match.view(viewer).pieces if piece.side == "south"} == {
            "a2",
            "b1",
            "c1",
        }
        assert {event.piece for _, events in match.seen(viewer) for event in events} == {"", "b1"}
