"""Games and positions for Python programs (`docs/library.md`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from flagfall.board import cell_name, parse_cell
from flagfall.edition import Game as Rules
from flagfall.edition import Options, load_game, resolve
from flagfall.errors import UserError
from flagfall.languages import ENGLISH, use_language
from flagfall.sides import SIDES, BySide, Side, SideName

if TYPE_CHECKING:
    from flagfall.engine.action import Action
    from flagfall.match.referee import Referee
    from flagfall.notation import Record
    from flagfall.setups import Setup
    from flagfall.view.view import Result, SeenEvent, SeenPiece, View, Viewer

    SetupLike = Setup | str | Mapping[str, str]

VIEWER_NAMES: tuple[Viewer, ...] = ("south", "north", "watcher", "truth")


def game(name: str, **options: str | int | bool) -> Game:
    """Return a game by its id, or by the file of a box of your own, with options.

    >>> game("onyx/classic", rescue=True).options["rescue"]
    'on'
    """
    if not isinstance(name, str):
        raise UserError(f"A game is named by a text such as onyx/classic, not by {name!r}.")
    rules = load_game(name)
    return Game(rules, resolve(rules, {key: _option_text(value) for key, value in options.items()}), name)


def random_setup(of: Game | str, side: Side | SideName, seed: int | None = None) -> Setup:
    """Return a random setup of one side; the same one for the same seed."""
    return game_of(of).random_setup(side, seed)


class Game:
    """A game of a box under chosen options. Make one with `game`."""

    def __init__(self, rules: Rules, options: Options, name: str = "") -> None:
        self.rules, self.options, self._name = rules, options, name or rules.id

    def __repr__(self) -> str:
        changed = "".join(f", {name}={value!r}" for name, value in self.options.changed(self.rules).items())
        return f"flagfall.game({self._name!r}{changed})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self._name, self.options) == (other._name, other.options)

    def __hash__(self) -> int:
        return hash((self._name, self.options))

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[str, dict[str, str]]]:
        return _load_game, (self._name, dict(self.options.changed(self.rules)))

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

    @property
    def styles(self) -> tuple[str, ...]:
        """The names of the setup styles."""
        from flagfall.setups import style_names

        return style_names(self.rules)

    def setup(self, side: Side | SideName, setup: SetupLike, seed: int | None = 0) -> Setup:
        """Return a checked setup from a compact text, a style's name or a mapping of squares to kinds."""
        from flagfall.setups import Setup, SetupError, read_setup, setup_from_squares, styled_setup

        chosen = read_side(side)
        if isinstance(setup, Setup):
            if setup.game is not self.rules or setup.side != chosen:
                owner = f"{setup.side.title}'s setup of {setup.game.id}"
                raise SetupError(f"This is {owner}, not {chosen.title}'s of {self.id}.")
            return setup
        if isinstance(setup, Mapping):
            return setup_from_squares(self.rules, int(chosen), setup)
        if not isinstance(setup, str):
            raise SetupError(f"A setup is a text, a mapping of squares to kinds or a Setup, not {setup!r}.")
        if setup in self.styles:
            return styled_setup(self.rules, int(chosen), setup, Random(seed))
        try:
            return read_setup(self.rules, int(chosen), setup)
        except SetupError as error:
            hint = f" The styles are {', '.join(self.styles)}." if setup.isalpha() else ""
            raise SetupError(f"{error}{hint}", square=error.square) from None

    def random_setup(self, side: Side | SideName, seed: int | None = None) -> Setup:
        """Return a random setup; the same one for the same seed."""
        from flagfall.setups import random_setup

        return random_setup(self.rules, int(read_side(side)), Random(seed))

    def new(
        self, south: SetupLike | None = None, north: SetupLike | None = None, *, seed: int | None = None
    ) -> Position:
        """Start a game from two setups; a missing one is random, by the seed."""
        from flagfall.match.referee import Referee

        rng, chosen = Random(seed), []
        for side, setup in BySide(south, north).items():
            number = rng.getrandbits(63)
            chosen.append(
                self.random_setup(side, number) if setup is None else self.setup(side, setup, number)
            )
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

        The armies are these pieces: both sides know which kinds the other has, but not where. ``known`` are
        the squares of pieces whose kind the opponent has been shown.
        """
        placed = BySide.of(lambda side: self._cells(side, (south, north)[side]))
        if both := set(placed.south) & set(placed.north):
            raise UserError(f"Two pieces stand on {cell_name(min(both))}; each square holds one piece.")
        rosters = tuple(
            tuple(list(cells.values()).count(kind) for kind in range(len(self.rules.kinds)))
            for cells in placed
        )
        with use_language(ENGLISH):
            rules = replace(self.rules, rosters=(rosters[0], rosters[1]), fills_home=False)
        squares = [known] if isinstance(known, str) else known
        return _placed(self, rules, placed, read_side(turn), {_cell(square) for square in squares})

    def _cells(self, side: Side, pieces: Mapping[str, str]) -> dict[int, int]:
        cells: dict[int, int] = {}
        for square, kind in pieces.items():
            cell = _cell(square)
            if cell not in self.rules.board or cell in self.rules.board.zones:
                raise UserError(f"No piece can stand on {square} in {self.id}.")
            if kind not in self.kinds:
                raise UserError(f"{self.id} has no kind “{kind}”; its kinds are {', '.join(self.kinds)}.")
            cells[cell] = self.rules.kind_index(kind)
        for number, sort in enumerate(self.rules.kinds):
            placed, roster = list(cells.values()).count(number), self.rules.rosters[side][number]
            if placed > roster:
                raise UserError(f"{side.title} has {placed} of {sort.id}; the army has {roster}.")
            if sort.role == "flag" and roster and not placed:
                raise UserError(f"{side.title} has no {sort.id}; without it the game would be over.")
        return cells


class Position:
    """A game in progress, as its referee sees it.

    `push` changes it, `apply` returns a new one. `view` gives what one side may know: give players that.
    Two positions are equal if the same game came to them by the same actions from the same start.
    """

    def __init__(self, game: Game, referee: Referee, setups: BySide[Setup] | None) -> None:
        self.game = game
        self.setups = setups
        """the setups it began from; None if it was set up by hand"""
        self._start, self._referee = referee, referee.copy()
        self._ended: Result | None = None
        self._actions: list[Action] = []
        self._history = {viewer: list(events) for viewer, events in referee.opening_events.items()}

    def __repr__(self) -> str:
        result = self.outcome
        state = f"{self.turn} to move" if result is None else result.winner or "draw"
        return f"<Position {self.game.id}, {self.turns} turns, {state}>"

    def __str__(self) -> str:
        from flagfall.notation import draw

        return draw(self._referee.game, self.view("truth"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._identity() == other._identity()

    __hash__ = None  # type: ignore[assignment]

    def _identity(self) -> tuple[object, ...]:
        return self.game, self._start.state.digest(), self._actions, self.outcome

    def __copy__(self) -> Position:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., Position], tuple[object, ...]]:
        from flagfall.setups import write_setup

        if self.setups is None:
            raise UserError("A position that was set up by hand cannot be pickled; start it with Game.new.")
        texts = tuple(write_setup(setup) for setup in self.setups)
        return _replayed, (self.game, texts, [action.pack() for action in self._actions])

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self._referee.mover

    @property
    def turns(self) -> int:
        """How many turns have been begun."""
        return len(self._referee.turns)

    @property
    def is_turn_open(self) -> bool:
        """Whether the side to move must finish its turn with another action."""
        return not self._referee.is_fresh

    @property
    def outcome(self) -> Result | None:
        """Who won and why, or None while the game goes on; the winner of a draw is empty."""
        return self._referee.result or self._ended

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """What the side to move may do now."""
        return () if self.is_over else self._referee.observers.legal(self._referee.state)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions played so far."""
        return tuple(self._actions)

    @property
    def pieces(self) -> dict[str, SeenPiece]:
        """Every piece by its square, with its true kind."""
        return {piece.cell: piece for piece in self.view("truth").pieces}

    def piece_at(self, square: str) -> SeenPiece | None:
        """Return the piece on a square with its true kind, or None."""
        return self.pieces.get(cell_name(_cell(square)))

    def is_legal(self, action: Action | str) -> bool:
        """Return whether the side to move may play an action or a whole turn."""
        from flagfall.match.errors import RefusedError

        try:
            self.apply(action)
        except RefusedError:
            return False
        return True

    def view(self, viewer: Viewer | Side = "watcher", *, forgets: bool = False) -> View:
        """Return what a viewer may know: "south", "north", "watcher", or everything for "truth".

        A computer player remembers everything it was shown; with ``forgets`` the View shows only what the
        memory option shows to people.
        """
        return self._referee.view(_viewer(viewer, VIEWER_NAMES), forgets=forgets)

    def history(self, viewer: Viewer | Side) -> tuple[SeenEvent, ...]:
        """Return everything a side or a watcher has seen happen, oldest first."""
        return tuple(self._history[_viewer(viewer, VIEWER_NAMES[:3])])

    def push(self, action: Action | str) -> None:
        """Play an action, or a turn as people write it: ``d4-d5``, ``d4xd5``, ``d9-d10 rescue general b2``.

        `RefusedError` says in a sentence why it is not legal; then nothing has changed.
        """
        from flagfall.match.errors import RefusedError

        actions = self._read(action)
        referee = self._referee if len(actions) == 1 else self._referee.copy()
        seen = []
        for i, each in enumerate(actions):
            if i and referee.is_fresh:
                raise RefusedError("illegal", f"The turn ends after {i} of these {len(actions)} actions.")
            self._check(referee, each)
            seen.append(referee.play(each))
        self._referee = referee
        self._actions += actions
        for told in seen:
            for viewer, events in self._history.items():
                events += told[viewer]

    def apply(self, action: Action | str) -> Position:
        """Return the position after an action; this one stays as it is."""
        after = self.copy()
        after.push(action)
        return after

    def pop(self) -> Action:
        """Take back the last action and return it. It replays the game, so it takes time in a long one."""
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
        """Return the legal action that a text means here."""
        first, *rest = self._read(text)
        if rest:
            raise UserError(f"“{text}” is more than one action; give `push` the whole turn.")
        self._check(self._referee, first)
        return first

    def text(self, action: Action) -> str:
        """Return a legal action as people write it: ``d4-d5``."""
        from flagfall.notation import action_text

        self._check(self._referee, action)
        return action_text(self._referee.game, self.view(self.turn), action)

    def describe(self, action: Action) -> str:
        """Return a legal action in words for the side to move."""
        from flagfall.notation import describe_action

        self._check(self._referee, action)
        return describe_action(self._referee.game, action, self.view(self.turn))

    def record(self, south: str = "South", north: str = "North") -> Record:
        """Return the game so far as a record, with the players' names."""
        from flagfall.match.play import game_record
        from flagfall.setups import write_setup

        if self.setups is None:
            raise UserError("A position that was set up by hand has no record; start it with Game.new.")
        try:
            return game_record(
                self.game.rules,
                self.game.options,
                self.setups.map(write_setup),
                self._referee.turns,
                self.outcome,
                (south, north),
                is_open=self.is_turn_open and not self.is_over,
            )
        except ValueError as error:
            raise UserError(f"{error}.") from None

    @classmethod
    def from_record(cls, record: Record | str | bytes, of: Game | None = None) -> Position:
        """Return the last position of a record, given as a value or as text.

        A record of a box of your own needs its game, ``of``.
        """
        from flagfall.notation import Record, read_record, read_turn, result_text

        if not isinstance(record, Record):
            record = read_record(record)
        if of is not None and of.id != record.game:
            raise UserError(f"This is a record of {record.game}, not of {of.id}.")
        played = game(record.game, **record.options) if of is None else of
        position = played.new(*record.setups)
        for turn in record.turns:
            for action in read_turn(played.rules, turn.text):
                position.push(action)
        on_board = position.outcome
        if on_board != record.result and (on_board is not None or _is_on_board(record.result)):
            said, found = result_text(record.result), result_text(on_board)
            raise UserError(f"The record says “{said}”, but on the board it is “{found}”.")
        position._ended = record.result
        return position

    def _read(self, action: Action | str) -> tuple[Action, ...]:
        from flagfall.match.referee import read_actions

        if isinstance(action, str):
            return read_actions(self._referee, action)
        self._check(self._referee, action)
        return (action,)

    def _check(self, referee: Referee, action: Action) -> None:
        """Refuse an action that is not legal, and anything that is not an action."""
        from flagfall.engine.action import Action
        from flagfall.match import RefusedError, explain_illegal

        if not isinstance(action, Action):
            raise RefusedError("unreadable", f"An action is an Action or a text like d4-d5, not {action!r}.")
        if self.is_over:
            raise RefusedError("finished", "The game is over.")
        if not referee.is_legal(action):
            view = referee.view(referee.mover)
            raise RefusedError("illegal", explain_illegal(referee.game, view, action, self.game.options))


def game_of(of: Game | str) -> Game:
    """Return a game that is given as itself or by name."""
    return of if isinstance(of, Game) else game(of)


def _load_game(name: str, options: Mapping[str, str]) -> Game:
    """Make a pickled game again."""
    return game(name, **options)


def _replayed(of: Game, setups: tuple[str, str], actions: Iterable[int]) -> Position:
    """Make a pickled position again."""
    from flagfall.engine.action import Action

    position = of.new(*setups)
    for packed in actions:
        position.push(Action.unpack(packed))
    return position


def _option_text(value: str | int | bool) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def read_side(side: Side | SideName) -> Side:
    """Return a side by name; `UserError` if there is none."""
    if side not in SIDES:
        raise UserError(f"There is no side {side!r}; sides are south and north.")
    return Side(side)


def _cell(square: str) -> int:
    try:
        return parse_cell(square)
    except (ValueError, AttributeError, TypeError):
        raise UserError(f"{square!r} is not a square; squares are written like d4.") from None


def _viewer(viewer: Viewer | Side, known: Sequence[Viewer]) -> Viewer:
    found = next((name for name in known if name == viewer), None)
    if found is None:
        raise UserError(f"There is no viewer {str(viewer)!r} here; viewers are {', '.join(known)}.")
    return found


def _is_on_board(result: Result | None) -> bool:
    """Return whether a result can only come about on the board."""
    from flagfall.match.texts import AGREED, RESIGNED, TIME

    return result is not None and result.reason not in (AGREED, RESIGNED, TIME)


def _placed(of: Game, rules: Rules, pieces: BySide[dict[int, int]], turn: Side, known: set[int]) -> Position:
    """Put pieces on the board, show those that are known, and give one side the move."""
    from flagfall.match.referee import Pieces, Referee

    for cell in known - {*pieces.south, *pieces.north}:
        raise UserError(f"No piece stands on {cell_name(cell)}, so none can be known there.")
    south, north = pieces.map(Pieces)
    referee = Referee(rules, of.options, south, north, to_move=int(turn))
    referee.show(known)
    return Position(of, referee, None)
