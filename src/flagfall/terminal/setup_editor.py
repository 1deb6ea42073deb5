"""Setting up in the plain game: it starts with a good setup, so `ready` is enough."""

from __future__ import annotations

from random import Random

from flagfall.board import parse_cell
from flagfall.edition import Game
from flagfall.errors import sentence
from flagfall.notation import draw
from flagfall.setups import (
    Setup,
    SetupError,
    mirrored,
    random_setup,
    read_setup,
    style_names,
    style_text,
    styled_setup,
    swapped,
    warnings,
    write_setup,
)
from flagfall.terminal.commands import square
from flagfall.terminal.console import Quit, Terminal
from flagfall.view.view import SeenPiece, Side, View

HELP = """Setting up. Type one of:
  ready            this setup is fine
  swap a1 b2       exchange two squares (one may be empty where the game allows it)
  style NAME       another setup of a style:
{styles}
  shuffle          any setup at all
  mirror           left becomes right
  code             print the setup as one line of text
  use CODE         use a setup written as text
  undo             one change back
  show             draw it again
  quit             leave"""


class SetupDesk:
    """One player arranging an army."""

    def __init__(self, game: Game, side: int, rng: Random, terminal: Terminal) -> None:
        self.game, self.side, self.rng, self.terminal = game, side, rng, terminal
        self.setup = styled_setup(game, side, style_names(game)[0], rng)
        self._before: list[Setup] = []

    def run(self, prompt: str) -> Setup:
        """Let the player change it until it is ready."""
        self.show()
        self.terminal.say("Type ready to begin with this setup, or help for ways to change it.")
        while True:
            line = self.terminal.ask(prompt)
            word, _, rest = line.partition(" ")
            if word.lower() in ("ready", "ok", "done"):
                return self.setup
            try:
                self._obey(word.lower(), rest.strip())
            except ValueError as problem:
                self.terminal.say(sentence(problem))

    def _obey(self, word: str, rest: str) -> None:
        changes = {
            "swap": lambda: self._swapped(rest),
            "style": lambda: self._styled(rest),
            "shuffle": lambda: random_setup(self.game, self.side, self.rng),
            "mirror": lambda: mirrored(self.setup),
            "use": lambda: read_setup(self.game, self.side, rest),
        }
        if word in changes:
            changed = changes[word]()
            self._before.append(self.setup)
            self.setup = changed
            self.show()
        elif word == "undo":
            if not self._before:
                raise SetupError("There is nothing to undo.")
            self.setup = self._before.pop()
            self.show()
        elif word == "code":
            self.terminal.say(write_setup(self.setup))
        elif word == "show":
            self.show()
        elif word in ("help", "?", ""):
            styles = "\n".join(f"    {name:<13}{style_text(name)}" for name in style_names(self.game))
            self.terminal.say(HELP.format(styles=styles))
        elif word in ("quit", "exit"):
            raise Quit
        else:
            raise SetupError(f"“{word[:20]}” is not a word I know here; type ready, or help.")

    def _swapped(self, rest: str) -> Setup:
        names = rest.replace("-", " ").split()
        if len(names) != 2:
            raise SetupError("Name two squares, such as swap a1 b2.")
        one, other = (parse_cell(square(self.game, name, "swap a1 b2")) for name in names)
        return swapped(self.setup, one, other)

    def _styled(self, name: str) -> Setup:
        if name not in style_names(self.game):
            raise SetupError(
                f"There is no style “{name[:20]}”; styles are {', '.join(style_names(self.game))}."
            )
        return styled_setup(self.game, self.side, name, self.rng)

    def show(self) -> None:
        """Draw the own half."""
        side: Side = "north" if self.side else "south"
        pieces = tuple(
            SeenPiece(name=cell, cell=cell, side=side, kind=self.game.kinds[kind].id)
            for cell, kind in zip(
                self.game.board.names(self.setup.kinds), self.setup.kinds.values(), strict=True
            )
        )
        view = View(self.game.id, side, 0, "south", pieces, (), ())
        self.terminal.say(draw(self.game, view))
        for warning in warnings(self.setup):
            self.terminal.say(f"Note: {warning}")
