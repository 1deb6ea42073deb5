"""One game between two computer players, seen by both seats: for measuring and fitting what they believe.

Here, and only here beside the players, the truth is known; it never goes into a belief.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from flagfall.board import cell_name
from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.engine import play
from flagfall.players import make_player
from flagfall.view.project import Eyes
from flagfall.view.view import SeenEvent, Side, View

SEATS: tuple[Side, Side] = ("south", "north")


@dataclass(frozen=True)
class Moment:
    """Somebody is to choose: what that seat sees and was told, and the truth about the setups."""

    turn: int
    seat: int
    view: View
    story: list[SeenEvent]
    truth: dict[str, int]
    """starting square → kind, of both armies"""


def watch(
    game: Game, options: Options, players: tuple[str, str], seed: str, most_turns: int = 600
) -> Iterator[Moment]:
    """Play one game; yields before every choice, the mover's side of it."""
    tables = compile_game(game, options)
    seats = [make_player(name, game, options, Random(f"{seed}/{seat}")) for seat, name in enumerate(players)]
    setups = seats[0].set_up(0).kinds, seats[1].set_up(1).kinds
    state, happened = play.deal(tables, setups[0], setups[1])
    eyes = Eyes(game, options, tables, setups)
    eyes.meet(state)
    stories: dict[str, list[SeenEvent]] = {seat: [] for seat in SEATS}
    truth = {cell_name(cell): kind for setup in setups for cell, kind in setup.items()}
    seen = eyes.see(state, happened)
    while True:
        for seat in SEATS:
            stories[seat] += seen[seat]
        seat = SEATS[state.side]
        view = eyes.view(state, seat, forgets=False)
        if state.is_over or view.turn >= most_turns:
            return
        yield Moment(view.turn, state.side, view, stories[seat], truth)
        act = seats[state.side].choose(view, stories[seat])
        seen = eyes.see(state, play.play(tables, state, act.pack()))
