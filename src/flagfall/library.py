"""The front door for Python programs: games, positions, players, whole games.

Everything here is also a name of `flagfall` itself; `docs/library.md` leads through it.

>>> import flagfall
>>> game = flagfall.game("mini/3x3")
>>> position = game.new("XsF", "FsX")
>>> position.push("a1-a2")
>>> position.turn, position.view("north").at("a2").kind
(<Side.NORTH: 'north'>, '')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from flagfall.board import cell_name, parse_cell
from flagfall.edition import Game as Rules
from flagfall.edition import Options, load_game, resolve
from flagfall.edition import game_ids as games
from flagfall.errors import UserError
from flagfall.sides import SIDES, BySide, Side, SideName

if TYPE_CHECKING:
    from flagfall.engine.action import Action
    from flagfall.match.referee import Referee
    from flagfall.notation import Record
    from flagfall.players import Player
    from flagfall.setups import Setup
    from flagfall.view.view import Result, SeenEvent, SeenPiece, View, Viewer

__all__ = ["ComputerPlayer", "Game", "Position", "game", "games", "play", "player", "random_setup"]

MAX_TURNS = 2000
"""turns after which `play` leaves a game unfinished"""


def game(name: str, **options: str | int | bool) -> Game:
    """Return a game by its id, or by the file of a box of your own, with options.

    >>> game("onyx/classic", rescue=True).options["rescue"]
    'on'
    """
    rules = load_game(name)
    return Game(rules, resolve(rules, {key: _option_text(value) for key, value in options.items()}))


def random_setup(of: Game | str, side: Side | SideName, seed: int | None = None) -> Setup:
    """Return a random setup of one side; the same one for the same seed."""
    return _game(of).random_setup(side, seed)


class Game:
    """A game of a box under chosen options."""

    def __init__(self, rules: Rules, options: Options) -> None:
        self.rules, self.options = rules, options

    def __repr__(self) -> str:
        changed = "".join(f", {name}={value!r}" for name, value in self.options.changed(self.rules).items())
        return f"flagfall.game({self.id!r}{changed})"

    @property
    def id(self) -> str:
        """Its id: ``onyx/classic``."""
        return self.rules.id

    @property
    def name(self) -> str:
        """Its name for people."""
        return self.rules.name

    @property
    def kinds(self) -> tuple[str, ...]:
        """The ids of the kinds that play in it."""
        return tuple(kind.id for kind in self.rules.kinds)

    def setup(self, side: Side | SideName, setup: Setup | str | Mapping[str, str]) -> Setup:
        """Return a checked setup from a compact text, a style's name or a mapping of squares to kinds."""
        from flagfall.setups import Setup, read_setup, setup_from_squares, style_names, styled_setup

        index = int(Side(side))
        if isinstance(setup, Setup):
            return setup
        if isinstance(setup, Mapping):
            return setup_from_squares(self.rules, index, setup)
        if setup in style_names(self.rules):
            return styled_setup(self.rules, index, setup, Random(0))
        return read_setup(self.rules, index, setup)

    def random_setup(self, side: Side | SideName, seed: int | None = None) -> Setup:
        """Return a random setup; the same one for the same seed."""
        from flagfall.setups import random_setup

        return random_setup(self.rules, int(Side(side)), Random(seed))

    def new(
        self,
        south: Setup | str | Mapping[str, str] | None = None,
        north: Setup | str | Mapping[str, str] | None = None,
        *,
        seed: int | None = None,
    ) -> Position:
        """Start a game from two setups; a missing one is random, by the seed."""
        from flagfall.match.referee import Referee

        rng, chosen = Random(seed), []
        for side, setup in BySide(south, north).items():
            random = self.random_setup(side, rng.getrandbits(63))
            chosen.append(random if setup is None else self.setup(side, setup))
        setups = BySide(chosen[0], chosen[1])
        return Position(self, Referee(self.rules, self.options, *setups), setups)

    def position(
        self,
        south: Mapping[str, str],
        north: Mapping[str, str],
        *,
        turn: Side | SideName = "south",
        known: Iterable[str] = (),
    ) -> Position:
        """Set up any position: squares and kinds of the pieces on the board, for puzzles and tests.

        Pieces that are missing have been captured, and both sides know which. ``known`` are the squares of
        pieces whose kind the opponent has been shown.
        """
        placed = BySide(south, north).map(self._cells)
        for cell in placed.south:
            if cell in placed.north:
                raise UserError("Two pieces stand on one square; each square holds one piece.")
        rosters = tuple(
            tuple(list(cells.values()).count(kind) for kind in range(len(self.rules.kinds)))
            for cells in placed
        )
        rules = replace(self.rules, rosters=(rosters[0], rosters[1]), fills_home=False)
        return _placed(Game(rules, self.options), placed, Side(turn), {parse_cell(name) for name in known})

    def _cells(self, pieces: Mapping[str, str]) -> dict[int, int]:
        cells = {}
        for square, kind in pieces.items():
            cell = parse_cell(square)
            if cell not in self.rules.board or cell in self.rules.board.zones:
                raise UserError(f"No piece can stand on {square} in {self.id}.")
            if kind not in self.kinds:
                raise UserError(f"{self.id} has no kind “{kind}”; it has {', '.join(self.kinds)}.")
            cells[cell] = self.rules.kind_index(kind)
        return cells


class Position:
    """A game in progress, as its referee sees it.

    `push` changes it, `apply` returns a new one. `view` gives what one side may know: give players that.
    """

    def __init__(self, game: Game, referee: Referee, setups: BySide[Setup] | None) -> None:
        self.game = game
        self.setups = setups
        """the setups it began from; None if it was set up by hand"""
        self._referee = referee
        self._actions: list[Action] = []
        self._history: dict[Viewer, list[SeenEvent]] = {
            viewer: list(events) for viewer, events in referee.seen_at_once.items()
        }
        self._start = referee.copy()

    def __repr__(self) -> str:
        state = f"{self.turn} to move" if self.outcome is None else f"{self.outcome.winner or 'draw'}"
        return f"<Position {self.game.id}, {self.turns} turns, {state}>"

    def __str__(self) -> str:
        from flagfall.notation import draw

        return draw(self.game.rules, self.view("truth"))

    @property
    def turn(self) -> Side:
        """The side to move."""
        return Side(self._referee.mover)

    @property
    def turns(self) -> int:
        """How many turns have been begun."""
        return len(self._referee.turns)

    @property
    def outcome(self) -> Result | None:
        """Who won and why, or None while the game goes on; the winner of a draw is empty."""
        return self._referee.result

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """What the side to move may do now."""
        return () if self.is_over else self._referee.eyes.legal(self._referee.state)

    @property
    def pieces(self) -> dict[str, SeenPiece]:
        """Every piece by its square, with its true kind."""
        return {piece.cell: piece for piece in self.view("truth").pieces}

    def view(self, viewer: Viewer | Side = "watcher", *, forgets: bool = False) -> View:
        """Return what a viewer may know: "south", "north", "watcher", or everything for "truth".

        With ``forgets`` the View shows only what the memory option shows to people.
        """
        return self._referee.view(_viewer(viewer), forgets=forgets)

    def history(self, viewer: Viewer | Side) -> Sequence[SeenEvent]:
        """Return everything a side or a watcher has seen happen, oldest first."""
        return self._history[_viewer(viewer)]

    def push(self, action: Action | str) -> None:
        """Play an action, or a turn as people write it: ``d4-d5``, ``d4xd5``, ``d9-d10 rescue general b2``.

        `RefusedError` says in a sentence why it is not legal; then nothing has changed.
        """
        from flagfall.match import explain_illegal
        from flagfall.match.errors import RefusedError
        from flagfall.match.turn import read_actions

        if self.is_over:
            raise RefusedError("finished", "The game is over.")
        actions = read_actions(self._referee, action)
        referee = self._referee if len(actions) == 1 else self._referee.copy()
        seen = []
        for i, each in enumerate(actions):
            if i and referee.is_fresh:
                raise RefusedError("illegal", f"The turn ends after {i} of these {len(actions)} actions.")
            if not referee.is_legal(each):
                view = referee.view(referee.mover)
                raise RefusedError("illegal", explain_illegal(self.game.rules, view, each, self.game.options))
            seen.append(referee.play(each))
        self._referee = referee
        self._note(actions, seen)

    def apply(self, action: Action | str) -> Position:
        """Return the position after an action; this one stays as it is."""
        after = self.copy()
        after.push(action)
        return after

    def pop(self) -> Action:
        """Take back the last action and return it."""
        if not self._actions:
            raise UserError("There is no action to take back; this is the first position.")
        *before, last = self._actions
        self.__init__(self.game, self._start, self.setups)  # type: ignore[misc]
        for action in before:
            self.push(action)
        return last

    def copy(self) -> Position:
        """Return an independent copy."""
        other = object.__new__(Position)
        other.__dict__.update(self.__dict__)
        other._referee = self._referee.copy()
        other._actions = list(self._actions)
        other._history = {viewer: list(events) for viewer, events in self._history.items()}
        return other

    def parse(self, text: str) -> Action:
        """Return the single action that a text means here."""
        from flagfall.match.turn import read_actions

        first, *rest = read_actions(self._referee, text)
        if rest:
            raise UserError(f"“{text}” is more than one action; give `push` the whole turn.")
        return first

    def text(self, action: Action) -> str:
        """Return an action as people write it: ``d4-d5``."""
        from flagfall.notation import action_text

        return action_text(self.game.rules, self.view(self.turn), action)

    def describe(self, action: Action) -> str:
        """Return an action in words for the side to move."""
        from flagfall.notation import describe_action

        return describe_action(self.game.rules, action, self.view(self.turn))

    def record(self, south: str = "South", north: str = "North") -> Record:
        """Return the game so far as a record, with the players' names."""
        from flagfall.notation import Record, Turn, write_turn
        from flagfall.setups import write_setup

        if self.setups is None:
            raise UserError("A position that was set up by hand has no record; start it with Game.new.")
        played = self._referee.turns
        turns = [
            Turn(
                write_turn(self.game.rules, turn.actions, is_attack=turn.is_attack),
                is_open=i == len(played) - 1 and not self._referee.is_fresh and not self.is_over,
            )
            for i, turn in enumerate(played)
        ]
        return Record(
            game=self.game.id,
            players=(south, north),
            setups=(write_setup(self.setups.south), write_setup(self.setups.north)),
            turns=tuple(turns),
            result=self.outcome,
            options=self.game.options.changed(self.game.rules),
        )

    @classmethod
    def from_record(cls, record: Record | str) -> Position:
        """Return the last position of a record, given as a value or as text."""
        from flagfall.notation import read_record

        record = read_record(record) if isinstance(record, str) else record
        position = game(record.game, **record.options).new(*record.setups)
        for turn in record.turns:
            position.push(turn.text)
        return position

    def _note(self, actions: Iterable[Action], seen: Iterable[Mapping[Viewer, Sequence[SeenEvent]]]) -> None:
        self._actions += actions
        for told in seen:
            for viewer, events in self._history.items():
                events += told[viewer]


@dataclass
class _Seat:
    """A computer player in one game, and how much of its history it has seen."""

    player: Player
    seen: list[SeenEvent]


class ComputerPlayer:
    """A computer player for any game: name, budget and seed. Make one with `player`."""

    def __init__(self, name: str, *, nodes: int | None, time_ms: int | None, seed: int | None) -> None:
        self.name, self.nodes, self.time_ms = name, nodes, time_ms
        self._rng = Random(seed)
        self._seats: dict[tuple[int, Side], _Seat] = {}

    def __repr__(self) -> str:
        return f"flagfall.player({self.name!r})"

    def set_up(self, of: Game | str, side: Side | SideName) -> Setup:
        """Return the setup it would choose."""
        return self._made(_game(of)).set_up(int(Side(side)))

    def choose(self, position: Position) -> Action:
        """Return its action for the side to move; it is given that side's View and nothing else."""
        side, history = position.turn, position.history(position.turn)
        seat = self._seats.get((id(position.game), side))
        if seat is None or seat.seen != history[: len(seat.seen)]:
            seat = _Seat(self._made(position.game), [])
            self._seats[id(position.game), side] = seat
        seat.seen = list(history)
        return seat.player.choose(position.view(side), history)

    def _made(self, of: Game) -> Player:
        from flagfall.players import Budget, make_player

        budget = Budget() if self.nodes is None and self.time_ms is None else Budget(self.time_ms, self.nodes)
        return make_player(self.name, of.rules, of.options, Random(self._rng.getrandbits(63)), budget)


def player(
    name: str, *, nodes: int | None = None, time_ms: int | None = None, seed: int | None = None
) -> ComputerPlayer:
    """Return a computer player: a level from "recruit" to "marshal", "greedy", "random" …

    ``nodes`` or ``time_ms`` limit each action (a second if neither is given); with ``nodes`` alone and a seed
    it plays the same game again. Levels need compiled code: make them before the first position, so that the
    program is compiled when it is loaded.
    """
    made = ComputerPlayer(name, nodes=nodes, time_ms=time_ms, seed=seed)
    made._made(game("mini/3x3"))
    return made


def play(
    south: ComputerPlayer | Player | str,
    north: ComputerPlayer | Player | str,
    of: Game | str,
    *,
    setups: Sequence[Setup | str | Mapping[str, str] | None] = (None, None),
    seed: int | None = None,
    max_turns: int = MAX_TURNS,
    on_action: Callable[[Position, Action], Any] = lambda position, action: None,
) -> Position:
    """Let two players play a game; return its last position.

    A player is a name, a `player`, or an object of your own with ``choose(view, history)`` and, unless its
    setup is given or may be random, ``set_up(side)``. ``on_action`` is called before each action.
    """
    rng, rules = Random(seed), _game(of)
    seats = BySide(south, north).map(
        lambda seat: player(seat, seed=rng.getrandbits(63)) if isinstance(seat, str) else seat
    )
    chosen = [
        _set_up(seats[side], rules, side) if setup is None else setup
        for side, setup in zip(SIDES, setups, strict=True)
    ]
    position = rules.new(*chosen, seed=rng.getrandbits(63))
    while not position.is_over and position.turns < max_turns:
        seat = seats[position.turn]
        if isinstance(seat, ComputerPlayer):
            action = seat.choose(position)
        else:
            action = seat.choose(position.view(position.turn), position.history(position.turn))
        on_action(position, action)
        position.push(action)
    return position


def _set_up(seat: ComputerPlayer | Player, of: Game, side: Side) -> Setup | None:
    if isinstance(seat, ComputerPlayer):
        return seat.set_up(of, side)
    return seat.set_up(int(side)) if hasattr(seat, "set_up") else None


def _game(of: Game | str) -> Game:
    return game(of) if isinstance(of, str) else of


def _option_text(value: str | int | bool) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _viewer(viewer: Viewer | Side) -> Viewer:
    names: dict[str, Viewer] = {"south": "south", "north": "north", "watcher": "watcher", "truth": "truth"}
    if viewer not in names:
        raise UserError(f"There is no viewer “{viewer}”; viewers are {', '.join(names)}.")
    return names[viewer]


@dataclass(frozen=True)
class _Pieces:
    """Pieces on any squares: cell → kind."""

    kinds: Mapping[int, int]


def _placed(of: Game, pieces: BySide[dict[int, int]], turn: Side, known: set[int]) -> Position:
    """Put pieces on the board, show those that are known, and give one side the move."""
    from flagfall.engine import events as E
    from flagfall.engine import state as S
    from flagfall.engine.play import Event
    from flagfall.match.referee import Referee

    for cell in known - {*pieces.south, *pieces.north}:
        raise UserError(f"No piece stands on {cell_name(cell)}, so none can be known there.")
    south, north = pieces.map(_Pieces)
    referee = Referee(of.rules, of.options, south, north, to_move=int(turn))
    s = referee.state.buffer
    shown = []
    for cell in sorted(known):
        piece = S.piece_on(s, cell)
        s[S.PIECE_INFO + piece] |= S.TOLD_ALL
        shown.append(Event(E.SHOWN, piece, cell, 0, S.kind_of(s, piece), E.TO_ALL))
    seen = referee.eyes.see(referee.state, shown)
    referee.seen_at_once = {
        viewer: (*events, *seen[viewer]) for viewer, events in referee.seen_at_once.items()
    }
    return Position(of, referee, None)
