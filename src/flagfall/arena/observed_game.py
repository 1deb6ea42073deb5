"""One game between two computer players, seen by both seats: for measuring and fitting what they believe.

The truth stands beside what a seat sees; it is for comparing, and never goes into a belief.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from flagfall.arena.sitting import Sitting
from flagfall.board import cell_name
from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.players import make_player
from flagfall.players.budget import Budget
from flagfall.setups import Setup
from flagfall.view.view import SeenEvent, View

BUDGET = Budget(time_ms=None, nodes=3000)
"""little enough for many games, and the same games every time"""


@dataclass(frozen=True)
class Moment:
    """Somebody is to choose: what that seat sees and was told, and the truth about the setups."""

    turn: int
    seat: int
    view: View
    history: Sequence[SeenEvent]
    truth: dict[str, int]
    """starting square → kind, of both armies"""


def watch(
    game: Game,
    options: Options,
    players: tuple[str, str],
    seed: str,
    most_turns: int = 600,
    setups: tuple[Setup, Setup] | None = None,
) -> Iterator[Moment]:
    """Play one game; yields before every choice, the mover's side of it.

    Without ``setups`` the players make their own.
    """
    seats = [
        make_player(name, game, options, Random(f"{seed}/{seat}"), BUDGET)
        for seat, name in enumerate(players)
    ]
    setups = setups or (seats[0].set_up(0), seats[1].set_up(1))
    sitting = Sitting(game, options, compile_game(game, options), setups)
    truth = {cell_name(cell): kind for setup in setups for cell, kind in setup.kinds.items()}
    while not sitting.is_over:
        seat = sitting.mover
        view, history = sitting.view(seat), sitting.history(seat)
        if view.turn >= most_turns:
            return
        yield Moment(view.turn, seat, view, history, truth)
        sitting.play(seats[seat].choose(view, history))
