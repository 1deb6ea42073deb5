"""A terminal game for the tests: scripted lines, a clock that is set by hand, and a scripted player."""

from __future__ import annotations

from random import Random

from flagfall.board import cell_name
from flagfall.notation import write_action
from flagfall.terminal.console import Quit
from flagfall.terminal.game import GameClock, TerminalGame
from flagfall.terminal.start import StartOptions, new_game
from tests.terminal.script import Script

QUESTIONS = (
    "tray",
    "last",
    "opponent",
    "legal",
    "who a1",
    "who d7",
    "notes",
    "a1-a9",
    "zz",
    "clock",
    "board",
)


class Time:
    """A clock that advances when the test says so."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms

    def clock(self) -> GameClock:
        return GameClock(system=self)


def seated(
    terminal: Script,
    game: str = "mini/3x3",
    against: str = "human",
    *options: str,
    side: str = "south",
    setups: tuple[str, ...] = ("XsF", "FsX"),
    time: Time | None = None,
    seed: int = 1,
) -> TerminalGame:
    given = StartOptions(game, against, side, list(setups), list(options), [])
    return new_game(given, terminal, Random(seed), (time or Time()).clock())


def play(table: TerminalGame) -> str:
    """Run until the game or the script ends; everything that was said."""
    try:
        table.run()
    except Quit:
        table.leave()
    terminal = table.terminal
    assert isinstance(terminal, Script)
    return terminal.text


def said(*lines: str, game: str = "mini/3x3", against: str = "human", options: tuple[str, ...] = ()) -> str:
    """What a short script brings about in the small game."""
    setups = ("XsF", "FsX") if against == "human" else ("XsF",)
    return play(seated(Script(lines), game, against, *options, setups=setups))


class Puppet(Script):
    """Plays at random what is legal, asks questions in between, and notes down every line it typed."""

    def __init__(self, seed: int, turns: int, *, asks: bool = False) -> None:
        super().__init__([])
        self.rng, self.left, self.asks = Random(seed), turns, asks
        self.table: TerminalGame | None = None
        self.typed: list[str] = []
        self._questions: list[str] = []

    def ask(self, prompt: str) -> str:
        self.said.append(prompt)
        line = self._line()
        self.typed.append(line)
        return line

    def _line(self) -> str:
        assert self.table is not None
        match = self.table.match
        mover = match.to_move
        if mover is None:
            return "ready"
        if self._questions:
            return self._questions.pop()
        if self.left <= 0:
            raise Quit
        self.left -= 1
        view = match.view(mover)
        action = self.rng.choice(view.legal)
        enemies = {piece.cell for piece in view.pieces if piece.side != mover}
        is_attack = bool(action.target) and cell_name(action.target) in enemies
        if self.asks:
            self._questions = list(QUESTIONS)
            self.left += 1
            self.asks = False
            return "help"
        self.asks = bool(self._asks_again)
        return write_action(match.game, action, is_attack=is_attack)

    _asks_again = False


class CuriousPuppet(Puppet):
    """The same, with all the questions before every action."""

    _asks_again = True
