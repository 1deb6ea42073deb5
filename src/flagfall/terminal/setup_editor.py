"""The setup editor of the terminal game. It starts with a good setup, so `ready` is enough."""

from __future__ import annotations

from random import Random

from flagfall.board import parse_cell
from flagfall.edition import Game
from flagfall.errors import sentence
from flagfall.languages import say
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
from flagfall.sides import Side
from flagfall.terminal.commands import square
from flagfall.terminal.console import Quit, Terminal
from flagfall.view.view import SeenPiece, View


class SetupEditor:
    """Lets one player change a setup until it is ready."""

    def __init__(self, game: Game, side: int, rng: Random, terminal: Terminal) -> None:
        self.game, self.side, self.rng, self.terminal = game, side, rng, terminal
        self.setup = styled_setup(game, side, style_names(game)[0], rng)
        self._before: list[Setup] = []

    def run(self, prompt: str) -> Setup:
        """Read commands until the setup is ready, and return it."""
        self.show()
        self.terminal.say(say("terminal.editor.begin"))
        while True:
            line = self.terminal.ask(prompt)
            word, _, rest = line.partition(" ")
            if word.lower() in ("ready", "ok", "done"):
                return self.setup
            try:
                self._execute(word.lower(), rest.strip())
            except ValueError as error:
                self.terminal.say(sentence(error))

    def _execute(self, word: str, rest: str) -> None:
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
                raise SetupError(say("terminal.editor.nothing-to-undo"))
            self.setup = self._before.pop()
            self.show()
        elif word == "code":
            self.terminal.say(write_setup(self.setup))
        elif word == "show":
            self.show()
        elif word in ("help", "?", ""):
            styles = "\n".join(
                f"    {name:<13}{style_text(self.game, name)}" for name in style_names(self.game)
            )
            self.terminal.say(say("terminal.editor.help", styles=styles))
        elif word in ("quit", "exit"):
            raise Quit
        else:
            raise SetupError(say("terminal.editor.no-command", word=word[:20]))

    def _swapped(self, rest: str) -> Setup:
        names = rest.replace("-", " ").split()
        if len(names) != 2:
            raise SetupError(say("terminal.editor.two-squares"))
        one, other = (parse_cell(square(self.game, name, "swap a1 b2")) for name in names)
        return swapped(self.setup, one, other)

    def _styled(self, name: str) -> Setup:
        if name not in style_names(self.game):
            styles = ", ".join(style_names(self.game))
            raise SetupError(say("terminal.editor.no-style", name=name[:20], styles=styles))
        return styled_setup(self.game, self.side, name, self.rng)

    def show(self) -> None:
        """Draw the player's half of the board."""
        side = Side.at(self.side)
        pieces = tuple(
            SeenPiece(name=cell, cell=cell, side=side, kind=self.game.kinds[kind].id)
            for cell, kind in zip(
                self.game.board.names(self.setup.kinds), self.setup.kinds.values(), strict=True
            )
        )
        view = View(self.game.id, side.value, 0, Side.SOUTH, pieces, (), ())
        self.terminal.say(draw(self.game, view))
        for warning in warnings(self.setup):
            self.terminal.say(say("terminal.editor.note", warning=warning))
