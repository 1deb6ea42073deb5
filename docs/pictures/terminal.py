"""Draw the picture of the terminal for the README."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from random import Random

from rich.console import Console
from rich.text import Text
from tests.terminal.script import Script

from flagfall.terminal.console import Quit
from flagfall.terminal.start import StartOptions, new_game

HERE = Path(__file__).resolve().parent
LINES = ["ready", "e1-e2", "i2-i3", "b3-b4", "i3-i4", "who c7", "tray"]


class Echo(Script):
    """A script whose lines are on the screen, as if typed."""

    def ask(self, prompt: str) -> str:
        """Return the next line and write it after its prompt."""
        line = super().ask(prompt)
        self.said[-1] += line
        return line


def main() -> None:
    """Play a few turns of a small game and keep the last screen."""
    terminal = Echo(LINES)
    options = StartOptions("spin-master/duel", "greedy", "south", [], [])
    table = new_game(options, terminal, Random(3))
    with contextlib.suppress(Quit):
        table.run()
    console = Console(record=True, width=92, file=io.StringIO())
    console.print(Text("\n".join(terminal.text.splitlines()[-34:])))
    drawing = re.sub(r"@font-face \{.*?\}\s*", "", console.export_svg(title="flagfall play"), flags=re.DOTALL)
    drawing = re.sub(r"<!--.*?-->\s*", "", drawing, flags=re.DOTALL)
    (HERE / "plain.svg").write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
