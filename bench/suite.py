"""A suite of 300 positions with known good answers: `flagfall bench suite`.

The positions are in ``suite/positions.jsonl``, made and proved by `bench.suite_make`: wins to be finished, a
Flag to be defended with a lead, diggers to be met, raids to be stopped, and top pieces that are tempted to
capture where a hidden piece waits. A player is given one side's View and nothing else, as in a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from flagfall.arena.contestants import Contestant, read_contestant, seated
from flagfall.arena.tally import wilson
from flagfall.cli.matches import weights_of
from flagfall.edition import Game as Rules
from flagfall.errors import UserError
from flagfall.library.players import ComputerPlayer
from flagfall.library.positions import Game, Position, game
from flagfall.players import Budget, Player, check_player

FILE = Path(__file__).with_name("suite") / "positions.jsonl"
CLASSIC = "lotr/classic"
OPTIONS: dict[str, str] = {"two_square_limit": "3"}
THEMES = ("finish", "defend", "digger", "raid", "retake")
ASKED = 0.85


class SuitePosition(Struct, frozen=True):
    """A position and what is good in it."""

    id: str
    theme: str
    turn: str
    south: dict[str, str]
    """kind by square"""
    north: dict[str, str]
    known: list[str]
    """squares of the pieces whose kind the opponent has been shown"""
    good: list[str]
    """the good actions in notation"""

    def position(self, of: Game) -> Position:
        """Set the position up."""
        return of.position(self.south, self.north, turn=self.turn, known=self.known)  # type: ignore[arg-type]


class Solved(Struct, frozen=True):
    """A player's answer to one position."""

    id: str
    theme: str
    played: str
    is_good: bool


def suite(themes: Iterable[str] = THEMES) -> list[SuitePosition]:
    """Return the positions of these themes."""
    lines = FILE.read_bytes().splitlines()
    every = [msgspec.json.decode(line, type=SuitePosition) for line in lines]
    return [one for one in every if one.theme in set(themes)]


class _Asked(ComputerPlayer):
    """A player as the arena names it: a level with weights or a network of its own, too."""

    def __init__(self, contestant: Contestant, of: Game, budget: Budget, seed: int) -> None:
        super().__init__(contestant.name, contestant.budget(budget), seed)
        self.contestant = contestant
        self.weights = weights_of([contestant], of.rules, of.options)

    def _make(self, of: Game, rules: Rules | None = None) -> Player:
        rng = Random(self._rng.getrandbits(63))
        return seated(self.contestant, rules or of.rules, of.options, rng, self.budget, self.weights)


def solve(
    name: str,
    chosen: Sequence[SuitePosition],
    nodes: int | None = None,
    time_ms: int | None = None,
    seed: int = 1,
    report: Callable[[int, int, str], None] = lambda done, of, what: None,
) -> list[Solved]:
    """Return what a player plays in each position; with a new player for each."""
    contestant, of, solved = read_contestant(name), game(CLASSIC, **OPTIONS), []
    if contestant.command:
        raise UserError("A program cannot be asked: positions are set up by hand. Name a player instead.")
    check_player(contestant.name)
    budget = Budget(nodes=nodes) if time_ms is None else Budget(time_ms, nodes)
    for number, one in enumerate(chosen):
        position = one.position(of)
        played = position.text(_Asked(contestant, of, budget, seed).choose_action(position))
        solved.append(Solved(one.id, one.theme, played, played in one.good))
        report(number + 1, len(chosen), one.id)
    return solved


def rows(solved: Sequence[Solved]) -> list[tuple[str, ...]]:
    """Return a row for each theme and one for all: positions, solved, share and its interval.

    >>> rows([Solved("raid-1", "raid", "d4-d5", True), Solved("raid-2", "raid", "a1-a2", False)])[0]
    ('raid', '2', '1', '50.0', '9.5–90.5')
    """
    found: list[tuple[str, ...]] = []
    for theme in (*THEMES, "all"):
        those = [one.is_good for one in solved if theme in (one.theme, "all")]
        if those:
            low, high = (100 * bound for bound in wilson(sum(those), len(those)))
            share = 100 * sum(those) / len(those)
            found.append((theme, str(len(those)), str(sum(those)), f"{share:.1f}", f"{low:.1f}–{high:.1f}"))
    return found
