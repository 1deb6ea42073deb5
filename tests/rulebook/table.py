"""A table to show rules on: draw a position, play turns as people write them, look at what happened.

::

    table = Table(
        "onyx/classic",
        '''
        10  -F  .  .  .  .  .  .  .  .  .
         6   .  .  ~  ~ -4  .  ~  ~  .  .
         5   .  .  ~  ~ +3  .  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  .  .
        ''',
        silent_defense="on",
    )
    table.plays("e5xe6")

Rows that are not drawn are empty. Nothing is ever added: both Flags must be drawn, and a piece that can move,
or the game ends there and then, as it would on a real table.

Turns are ``d4-d5``, ``d4xd5``, ``e5-e6xe7`` (step, then attack), ``d5 spot d6 marshal``,
``d4-d5 spot d6 marshal``, ``d9-d10 rescue general b2``; by powers ``c4^c7``, ``d4~e6``, ``d4 shoot d6``,
``d4 detect d6``, ``d4 enchant d6``, ``d4-d5-e5``, ``d4-d5xe5``, ``d4-d5 rampage``,
``d4-d5 swing d6 e6 done``, ``advance north d4 e4``, ``d4xd5 d5xe5 done``. Without its last
words a turn stays open.
"""

from __future__ import annotations

import re

from flagfall.board import DIRECTION_NAMES, cell_name, parse_cell
from flagfall.edition import Game, load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine import events
from flagfall.engine.action import Action
from flagfall.engine.play import Event, deal, legal_actions, play
from flagfall.engine.state import (
    OWNER_SHIFT,
    PIECE_INFO,
    REASON,
    RESULT,
    SIDE,
    TOLD_ALL,
    TOLD_SOUTH,
    State,
    first_piece,
    is_piece,
    kind_of,
    owner_of,
    piece_on,
)
from flagfall.sides import SIDES
from tests.rulebook import drawing as drawings
from tests.rulebook import words

AT_SQUARE = ("spot", *words.AT_RANGE.values())
AFTER_STEP = tuple(words.AFTER_STEP.values())


class Table:
    """A position of a game under its options, with a side to move."""

    def __init__(
        self,
        game: str,
        drawing: str,
        *,
        to_move: str = "south",
        lost_south: str = "",
        lost_north: str = "",
        **options: str,
    ) -> None:
        self.game: Game = load_game(game)
        self.tables = compile_game(self.game, resolve(self.game, options))
        self.start = drawings.empty(self.game.board) | drawings.read(self.game.board, drawing)
        setups = [drawings.setup(self.game, side, self.start) for side in (0, 1)]
        lost = [self._kinds(0, lost_south), self._kinds(1, lost_north)]
        for side in (0, 1):
            self._check_army(side, [*setups[side].values(), *lost[side]])
        self.state, _ = deal(self.tables, *setups)
        for side in (0, 1):
            for piece, kind in enumerate(lost[side], first_piece(side) + len(setups[side])):
                self.state.buffer[PIECE_INFO + piece] = kind | side << OWNER_SHIFT | TOLD_ALL
        if to_move == "north":  # whatever dealing said about South does not count
            self.state.buffer[SIDE] = 1
            self.state.buffer[RESULT] = self.state.buffer[REASON] = 0
        self.rows: list[Event] = []
        """what the last turn did, as the engine wrote it"""

    # --- playing

    def plays(self, *turns: str) -> Table:
        """Play one turn after another; each must be legal. `events` are those of the last one."""
        for turn in turns:
            self.rows = []
            for part in self._parts(turn):
                choices = self._choices(self.state)
                assert part in choices, f"“{part}” of “{turn}” is not legal: {self._situation()}"
                self.rows += play(self.tables, self.state, choices[part])
        return self

    def allows(self, turn: str) -> bool:
        """Whether a turn is legal from beginning to end."""
        return self._first_refused(turn) is None

    def refuses(self, turn: str) -> bool:
        """Whether the last part of a turn is illegal; what leads up to it must be legal."""
        self._check_own(turn)
        parts, refused = self._parts(turn), self._first_refused(turn)
        assert refused in (None, len(parts) - 1), f"already “{parts[refused or 0]}” is illegal in “{turn}”"
        return refused is not None

    def choices(self, origin: str = "") -> set[str]:
        """Every action that is legal now, or those of the piece on a square."""
        every = self._choices(self.state)
        return {text for text in every if not origin or re.match(rf"{origin}[-x^~ ]", text)}

    # --- looking

    @property
    def events(self) -> list[str]:
        """What the last turn did, in words."""
        return [words.of_event(self.game, row) for row in self.rows]

    @property
    def to_move(self) -> str:
        """Whose turn it is."""
        return SIDES[self.state.side]

    @property
    def result(self) -> str:
        """“south flag”, “draw no progress”, … or nothing while the game goes on."""
        s = self.state.buffer
        return words.of_result(s[RESULT], s[REASON]) if self.state.is_over else ""

    def board(self) -> str:
        """The whole position, drawn."""
        return drawings.draw(drawings.rows_of(self.game, self.state))

    def becomes(self, drawing: str) -> bool:
        """Whether the board is as drawn; rows that are not drawn must be as at the start."""
        expected = drawings.draw(self.start | drawings.read(self.game.board, drawing))
        assert self.board() == expected, f"the board is\n{self.board()}\nand not\n{expected}"
        return True

    def shown_to(self, viewer: str) -> list[str]:
        """What the last turn told a viewer about pieces that are not their own: ``["d5 scout"]``."""
        bit = words.VIEWERS.index(viewer)
        told = [row for row in self.rows if row.what == events.SHOWN and row.audience >> bit & 1]
        others = [row for row in told if owner_of(self.state.buffer, row.piece) != bit]
        return [f"{cell_name(row.origin)} {self.game.kinds[row.value].id}" for row in others]

    def known_to(self, viewer: str) -> dict[str, str]:
        """The pieces on the board, not their own, whose kind a viewer has been told."""
        bit, s = words.VIEWERS.index(viewer), self.state.buffer
        cells = [cell for cell in self.game.board.cells() if is_piece(s, cell)]
        return {
            cell_name(cell): self.game.kinds[kind_of(s, piece_on(s, cell))].id
            for cell in cells
            if owner_of(s, piece_on(s, cell)) != bit and s[PIECE_INFO + piece_on(s, cell)] & TOLD_SOUTH << bit
        }

    # --- inside

    def _kinds(self, side: int, codes: str) -> list[int]:
        return [drawings.kind_of_code(self.game, side, code) for code in codes.split()]

    def _check_army(self, side: int, kinds: list[int]) -> None:
        for index, kind in enumerate(self.game.kinds):
            most, drawn = self.game.rosters[side][index], kinds.count(index)
            if drawn > most or (kind.role == "flag" and not drawn):
                raise ValueError(f"{SIDES[side]} has {drawn} of {kind.id}; it should have {most}")

    def _check_own(self, turn: str) -> None:
        if not self.state.is_turn_open and not turn.startswith("advance"):
            origin = re.split("[-x^~ ]", turn)[0]
            own = drawings.setup(self.game, self.state.side, drawings.rows_of(self.game, self.state))
            assert parse_cell(origin) in own, f"{self.to_move} has nothing on {origin} to play “{turn}”"

    def _parts(self, turn: str) -> list[str]:
        """A turn as its small actions: ``["d9-d10 rescue", "general", "b2"]``."""
        todo, parts = turn.split(), []
        while todo:
            second = todo[1] if todo[1:] else ""
            length = 2 if todo[0] == "advance" or second in AFTER_STEP else 3 if second in AT_SQUARE else 1
            parts.append(" ".join(todo[:length]))
            self._check_words(todo[:length])
            todo = todo[length:]
        return parts

    def _check_words(self, words_: list[str]) -> None:
        """A slip of the pen must not pass for a refusal."""
        for word in words_:
            known = {"advance", "done", *DIRECTION_NAMES, *AFTER_STEP, *AT_SQUARE}
            if word not in known | {kind.id for kind in self.game.kinds}:
                for cell in re.split("[-x^~]", word):
                    parse_cell(cell)

    def _choices(self, state: State) -> dict[str, int]:
        packed = legal_actions(self.tables, state)
        named = {words.of_action(self.game, state, Action.unpack(one)): one for one in packed}
        assert len(named) == len(packed), "an action is listed twice"
        return named

    def _first_refused(self, turn: str) -> int | None:
        state = self.state.copy()
        for at, part in enumerate(self._parts(turn)):
            choices = self._choices(state)
            if part not in choices:
                return at
            play(self.tables, state, choices[part])
        return None

    def _situation(self) -> str:
        if self.state.is_over:
            return f"the game is over, {self.result}\n{self.board()}"
        return f"{self.to_move} may play {', '.join(sorted(self.choices()))}\n{self.board()}"
