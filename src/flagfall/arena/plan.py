"""The plan of a match or a league, and the result of each of its games.

A *pair* is two games from the same two setups and the same seed with the sides exchanged, so that luck of
setups and unequal armies favour neither player. No game depends on an earlier one, so a stopped run resumes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Literal, get_args

from msgspec import Raw, Struct, field
from msgspec.structs import force_setattr

from flagfall.arena.contestants import Contestant, read_contestant
from flagfall.errors import UserError
from flagfall.players import Budget
from flagfall.players.evaluation.weights_file import with_defaults

SetupRule = Literal["shared", "own"]
TURN_LIMIT = "turn limit"


FILE_NAMES = {"max_turns": "most_turns"}
"""names of fields in files, where they differ"""


def read_setup_rule(text: str) -> SetupRule:
    """Return the rule for setups that a text names."""
    for rule in get_args(SetupRule):
        if rule == text:
            return rule  # type: ignore[no-any-return]
    raise UserError(f"“{text}” is not a rule for setups; write {' or '.join(get_args(SetupRule))}.")


class Plan(Struct, frozen=True, kw_only=True, rename=FILE_NAMES):
    """Everything that determines the games; plain values only, so that it can be sent to other processes."""

    game: str
    """an id, or the address of a box file"""
    options: dict[str, str]
    """the options that differ from the defaults"""
    players: tuple[str, ...]
    """as `contestants` reads them; the first sits South in the first game of each pair"""
    seed: int = 1
    time_ms: int | None = 1000
    nodes: int | None = None
    setups: SetupRule = "shared"
    """shared: random sound setups, played by both; own: each player makes its own"""
    max_turns: int = 2000
    """a longer game is drawn"""
    allows_cheater: bool = False
    weights: dict[str, dict[str, float]] = {}
    """the contents of the weights files that players name"""
    nets: dict[str, str] = {}
    """digests of the networks that players name, so that another one is another plan"""

    def __post_init__(self) -> None:
        named = {file: with_defaults(weights) for file, weights in self.weights.items()}
        force_setattr(self, "weights", named)

    @property
    def budget(self) -> Budget:
        """The common budget of an action."""
        return Budget(self.time_ms, self.nodes)

    def contestants(self) -> list[Contestant]:
        """Return the players."""
        return [read_contestant(text, allows_cheater=self.allows_cheater) for text in self.players]


class GameSlot(Struct, frozen=True):
    """One game of a plan: which two players, which pair of theirs, and which of its two games."""

    first: int
    second: int
    pair: int
    leg: int

    @property
    def south(self) -> int:
        """The player who sits South."""
        return self.second if self.leg else self.first

    @property
    def north(self) -> int:
        """The player who sits North."""
        return self.first if self.leg else self.second


def rounds(players: int, games: int) -> Iterator[GameSlot]:
    """Yield all games in order: ``games`` per pairing, rounded up to whole pairs."""
    for pair in range((games + 1) // 2):
        for first, second in combinations(range(players), 2):
            for leg in (0, 1):
                yield GameSlot(first, second, pair, leg)


class Spent(Struct, frozen=True, omit_defaults=True):
    """What one side spent on its actions, one number per action."""

    us: list[int] = field(default_factory=list)
    """microseconds"""
    nodes: list[int] = field(default_factory=list)
    """empty if the player does not count them"""


class GameResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One game: one line of the results file."""

    plan: Plan
    round: GameSlot
    winner: Literal["south", "north", ""]
    reason: str
    trouble: str = ""
    """the reason of a forfeit, as a sentence"""
    turns: int
    south: Spent
    north: Spent
    record: Raw
    """the game itself, as `flagfall replay` reads it"""

    @property
    def score(self) -> float:
        """The points of the first player of the round: 1, ½ or 0."""
        if not self.winner:
            return 0.5
        return float((self.winner == "south") == (self.round.leg == 0))

    def spent(self, player: int) -> Spent:
        """Return what a player of this game spent."""
        return self.south if self.round.south == player else self.north
