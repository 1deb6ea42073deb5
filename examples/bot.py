"""A whole program that plays Flagfall over the engine protocol: any legal action. Standard library only.

    flagfall match --south "cmd:python examples/bot.py" --north greedy --game lotr/classic --games 10

It says ``wants legal``, so the referee sends all legal actions before each ``go``. The rest of what it hears
(its side, its setup, every event at the table) is kept in `Game`, for a better idea than chance.
"""

import random
import sys


class Game:
    """What this program knows of the game it is in."""

    def __init__(self, facts: dict[str, str]) -> None:
        self.facts = facts
        self.side = facts.get("side", "south")
        self.rng = random.Random(facts.get("seed"))
        self.setup = ""
        self.enemy: list[str] = []
        self.events: list[str] = []
        self.legal: list[str] = []

    def choose(self) -> str:
        """One of the legal actions."""
        return self.rng.choice(self.legal) if self.legal else "none"


def say(line: str) -> None:
    """Answer the referee; nothing may wait in a buffer."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Listen and answer, line by line."""
    game = Game({})
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "flagfall":
            say("id name random example")
            say("wants legal")
            say("flagfallok")
        elif command == "isready":
            say("readyok")
        elif command == "newgame":
            game = Game(dict(word.split("=", 1) for word in rest.split()))
        elif command == "setup" and rest:
            game.setup = rest
        elif command == "setup":
            say("error this program plays the setup it is given; use --setups shared")
            say("setup none")
        elif command == "enemy":
            game.enemy = rest.split(",")
        elif command == "event":
            game.events.append(rest)
        elif command == "legal":
            game.legal = rest.split(", ")
        elif command == "go":
            say(f"bestaction {game.choose()}")
        elif command == "quit":
            return


if __name__ == "__main__":
    main()
