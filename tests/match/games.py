"""Small matches for the tests: barrage and duel positions from a few named squares, and random play."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from flagfall.edition import Game, load_game, resolve
from flagfall.match import Match, Seating
from flagfall.setups import random_setup, setup_from_squares, write_setup
from flagfall.sides import Side
from flagfall.view.view import VIEWERS

BARRAGE = load_game("barrage/classic")
DUEL = load_game("spin-master/duel")
MINI = load_game("mini/3x3")
MINI_4 = load_game("mini/3x4")
ONYX = load_game("onyx/classic")
SALT = "0123456789abcdef"
ANNA_AND_BEN = Seating("Anna", "Ben")
SEATS: tuple[Side, Side] = (Side.SOUTH, Side.NORTH)

BARRAGE_SOUTH = {
    "a1": "flag",
    "b1": "bomb",
    "d4": "scout",
    "e4": "marshal",
    "f4": "miner",
    "h1": "scout",
    "i4": "spy",
    "j4": "general",
}
BARRAGE_NORTH = {
    "j10": "flag",
    "i10": "bomb",
    "e7": "miner",
    "f7": "scout",
    "h10": "scout",
    "i7": "general",
    "b7": "marshal",
    "a7": "spy",
}
DUEL_SOUTH = {
    "a1": "flag",
    "b1": "bomb",
    "c1": "bomb",
    "e3": "spotter",
    "f3": "scout",
    "g3": "miner",
    "h3": "miner",
    "i3": "general",
    "j3": "marshal",
    "a3": "spy",
}
DUEL_NORTH = {
    "a8": "flag",
    "b8": "bomb",
    "c8": "bomb",
    "e6": "marshal",
    "f6": "scout",
    "g6": "miner",
    "h6": "miner",
    "i6": "general",
    "j6": "spotter",
    "a6": "spy",
}


def opened(game: Game, options: Mapping[str, str] | None = None, at_ms: int = 0) -> Match:
    """A match before the setups."""
    return Match.created(game, resolve(game, options or {}), ANNA_AND_BEN, at_ms)


def started(
    game: Game,
    south: Mapping[str, str],
    north: Mapping[str, str],
    options: Mapping[str, str] | None = None,
    at_ms: int = 0,
) -> Match:
    """A match with both setups sealed."""
    match = opened(game, options, at_ms)
    for side, squares in enumerate((south, north)):
        match.seal(SEATS[side], setup_from_squares(game, side, squares), at_ms, SALT)
    return match


def barrage(**options: str) -> Match:
    """The usual barrage position."""
    return started(BARRAGE, BARRAGE_SOUTH, BARRAGE_NORTH, options)


def duel(**options: str) -> Match:
    """The usual duel position."""
    return started(DUEL, DUEL_SOUTH, DUEL_NORTH, options)


def onyx(rows_south: str, rows_north: str, **options: str) -> Match:
    """A full game of forty pieces a side from setup texts."""
    match = opened(ONYX, options)
    match.seal("south", rows_south, 0)
    match.seal("north", rows_north, 0)
    return match


def mini(south: str = "XsF", north: str = "FsX", **options: str) -> Match:
    """The smallest game."""
    match = opened(MINI, options)
    match.seal("south", south, 0)
    match.seal("north", north, 0)
    return match


def play(match: Match, *texts: str, at_ms: int = 0) -> Match:
    """Play texts one after the other, each by the side to move."""
    for text in texts:
        seat = match.to_move
        assert seat is not None, f"the game is over before {text}"
        match.act(seat, match.number, text, at_ms)
    return match


def rescue_ready(*, by_strike: bool = False, **options: str) -> Match:
    """A small game in which South has lost its Spy and its Marshal may call it back."""
    match = opened(MINI_4, {"rescue": "on"} | options)
    match.seal("south", "FsX2", 0)
    match.seal("north", "F2sX", 0)
    play(match, "b1-b2", "d3-d2", "b2xb3", "d2-d3", "c1-c2", "b3-b2")
    return match if by_strike else play(match, "c2xc3", "d3-d2")


def random_match(game: Game, seed: int, actions: int, options: Mapping[str, str] | None = None) -> Match:
    """A match in which both sides play at random, a second apart, and now and then offers a draw."""
    rng = Random(seed)
    match = opened(game, options)
    for side, seat in enumerate(SEATS):
        match.seal(seat, write_setup(random_setup(game, side, rng)), 500, SALT)
    for at_ms in range(1000, 1000 * (actions + 1), 1000):
        mover = match.to_move
        if mover is None:
            break
        if rng.random() < 0.05 and match.offer is None:
            try:
                match.offer_draw(mover, at_ms)
            except ValueError:
                continue
        match.act(mover, match.number, rng.choice(match.view(mover).legal), at_ms)
    return match


def sight(match: Match) -> list[object]:
    """Everything that anybody is shown of a match, for comparison."""
    shown: list[object] = [match.phase, match.result, match.to_move, match.offer, match.turn, match.clocks]
    for viewer in VIEWERS:
        shown += [match.view(viewer), match.seen(viewer), match.messages(viewer)]
    return shown
