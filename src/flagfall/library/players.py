"""Computer players for Python programs, and whole games between players (`docs/library.md`)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from flagfall.engine.mode import prefer_compiled
from flagfall.errors import UserError
from flagfall.library.positions import Game, Position, game, game_of, read_side
from flagfall.sides import SIDES, BySide, Side, SideName

if TYPE_CHECKING:
    from flagfall.edition import Game as Rules
    from flagfall.engine.action import Action
    from flagfall.library.positions import SetupLike
    from flagfall.match.play import Chooser
    from flagfall.match.referee import Referee
    from flagfall.players import Budget, Player
    from flagfall.setups import Setup
    from flagfall.view.view import SeenEvent

MAX_TURNS = 2000
"""turns after which `play` leaves a game unfinished"""
LONGEST_MS = 1900
"""milliseconds after which built-in players answer, however many they are given"""
MAX_SEATS = 8
"""games and sides that one `ComputerPlayer` can play at the same time"""


def player_names() -> tuple[str, ...]:
    """Return the names of the computer players that come with Flagfall, weakest level first."""
    from flagfall.players.levels import LEVELS
    from flagfall.players.registry import BUILT_IN

    levels = [level.id for level in LEVELS]
    return (*levels, *(name for name in BUILT_IN if name not in levels))


@dataclass
class _Seat:
    """A computer player in one game, and what it has seen of it."""

    start: Referee
    side: Side
    player: Player
    seen: tuple[SeenEvent, ...] = ()

    def fits(self, position: Position, history: tuple[SeenEvent, ...]) -> bool:
        """Return whether a position continues this game."""
        is_same = self.start is position._start and self.side is position.turn
        return is_same and self.seen == history[: len(self.seen)]


class ComputerPlayer:
    """A computer player for any game: name, budget and seed. Make one with `player`."""

    def __init__(self, name: str, budget: Budget, seed: int | None) -> None:
        self.name, self.budget = name, budget
        self._rng = Random(seed)
        self._seats: list[_Seat] = []

    def __repr__(self) -> str:
        return f"flagfall.player({self.name!r})"

    def set_up(self, of: Game | str, side: Side | SideName) -> Setup:
        """Return the setup it would choose."""
        return self._make(game_of(of)).set_up(int(read_side(side)))

    def choose_action(self, position: Position) -> Action:
        """Return its action for the side to move; it is given that side's View and history, nothing else."""
        if not isinstance(position, Position):
            raise UserError(f"A computer player chooses in a Position, not in {type(position).__name__}.")
        if position.is_over:
            raise UserError("The game is over; there is nothing to choose.")
        history = position.history(position.turn)
        seat = next((seat for seat in self._seats if seat.fits(position, history)), None)
        if seat is None:
            seat = _Seat(position._start, position.turn, self._make(position.game, position._start.game))
            self._seats = [seat, *self._seats[: MAX_SEATS - 1]]
        seat.seen = history
        return seat.player.choose(position.view(position.turn), history)

    def _make(self, of: Game, rules: Rules | None = None) -> Player:
        """Return the player; ``rules`` have the armies of a position set up by hand."""
        from flagfall.players import make_player

        rng = Random(self._rng.getrandbits(63))
        return make_player(self.name, rules or of.rules, of.options, rng, self.budget)


def player(
    name: str, *, nodes: int | None = None, time_ms: int | None = None, seed: int | None = None
) -> ComputerPlayer:
    """Return a computer player: a level from "recruit" to "marshal", "greedy", "random" …

    ``nodes`` or ``time_ms`` limit each action (a second if neither is given); with ``nodes`` alone and a seed
    it plays the same game again. No built-in player thinks for longer than 1.9 s. Levels need compiled
    code: make them before the first position, so that the program is compiled when it is loaded.
    """
    from flagfall.players import Budget
    from flagfall.players.registry import BUILT_IN, NETWORK, check_player, needs_compiled

    for limit in (nodes, time_ms):
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise UserError(f"A limit of nodes or milliseconds is a number from 1, not {limit!r}.")
    if time_ms is not None and time_ms > LONGEST_MS:
        warnings.warn(
            f"Players that come with Flagfall think for {LONGEST_MS} ms at most, not {time_ms}; "
            "for longer thinking give nodes= instead.",
            RuntimeWarning,
            stacklevel=2,
        )
    made = ComputerPlayer(name, Budget(nodes=nodes) if time_ms is None else Budget(time_ms, nodes), seed)
    if name.startswith(NETWORK):
        check_player(name)  # a network plays one game, which may be another one than this:
    elif name in BUILT_IN and not needs_compiled(name):
        made._rng.getrandbits(63)  # as making it would: the same seed gives the same games
    else:
        made._make(game("mini/3x3"))
    return made


def play(
    south: ComputerPlayer | Chooser | str,
    north: ComputerPlayer | Chooser | str,
    of: Game | str,
    *,
    setups: Iterable[SetupLike | None] = (None, None),
    seed: int | None = None,
    max_turns: int = MAX_TURNS,
    on_action: Callable[[Position, Action], Any] = lambda position, action: None,
) -> Position:
    """Let two players play a game; return its last position.

    A player is a name, a `player`, or an object of your own with ``choose(view, history)`` and, unless its
    setup is given or may be random, ``set_up(side)`` (0 South, 1 North). ``on_action`` is called before each
    action.
    """
    from flagfall.players.registry import needs_compiled

    if any(isinstance(seat, str) and needs_compiled(seat) for seat in (south, north)):
        prefer_compiled()  # before anything below imports the engine
    from flagfall.match.errors import RefusedError

    rng, rules = Random(seed), game_of(of)
    seats = BySide(south, north).map(
        lambda seat: player(seat, seed=rng.getrandbits(63)) if isinstance(seat, str) else seat
    )
    for side, seat in seats.items():
        if not isinstance(seat, ComputerPlayer) and not callable(getattr(seat, "choose", None)):
            raise UserError(f"{side.title}'s player has no method choose(view, history): {seat!r}.")
    given = tuple(setups)
    if len(given) != 2:
        raise UserError(f"A game needs two setups, South's and North's, not {len(given)}.")
    chosen = [
        _set_up(seats[side], rules, side) if setup is None else setup
        for side, setup in zip(SIDES, given, strict=True)
    ]
    position = rules.new(*chosen, seed=rng.getrandbits(63))
    while not position.is_over and position.turns < max_turns:
        side = position.turn
        seat = seats[side]
        if isinstance(seat, ComputerPlayer):
            action = seat.choose_action(position)
        else:
            action = seat.choose(position.view(side), position.history(side))
        on_action(position, action)
        try:
            position.push(action)
        except RefusedError as error:
            message = f"{side.title}'s player in turn {position.turns + 1}: {error.sentence}"
            raise RefusedError("illegal", message) from None
    return position


def _set_up(seat: ComputerPlayer | Chooser, of: Game, side: Side) -> Setup | None:
    if isinstance(seat, ComputerPlayer):
        return seat.set_up(of, side)
    set_up = getattr(seat, "set_up", None)
    return None if set_up is None else set_up(int(side))
