"""Random games to try laws on: a game with its three viewers, and the record of one that was played."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random

import msgspec

from flagfall.board import row_of
from flagfall.edition import Game, Options, game_ids, load_game
from flagfall.edition.compile import compile_game
from flagfall.engine import action as A
from flagfall.engine.play import Event, deal, legal_actions, play
from flagfall.match.previews import previews
from flagfall.view.project import Observers
from flagfall.view.view import VIEWERS, SeenEvent, View, Viewer
from tests.laws import MORE
from tests.laws.cover import pairwise

MAX_ACTIONS = 160 if MORE > 1 else 110
MAX_RECORDS = 300
Setup = Mapping[int, int]
Seen = dict[Viewer, tuple[SeenEvent, ...]]


@dataclass(frozen=True)
class Case:
    """A game under options, and a seed."""

    game: Game
    options: Options
    seed: int = 0

    def __str__(self) -> str:
        said = " ".join(f"{name}={value}" for name, value in self.options.changed(self.game).items())
        return f"{self.game.id} {said} #{self.seed}".replace("  ", " ")


def cases_of(game_id: str, times: int = MORE) -> list[Case]:
    """The game with every option set of its cover, each as often as that with another seed."""
    game = load_game(game_id)
    cases = [Case(game, options, seed) for seed, options in enumerate(pairwise(game))]
    return [replace(case, seed=case.seed + 1000 * again) for case in cases for again in range(times)]


@lru_cache
def every_case() -> tuple[Case, ...]:
    """Every game with every option set of its cover."""
    return tuple(case for game_id in game_ids() for case in cases_of(game_id, 1))


class SeenGame:
    """A game that is being played before its three viewers."""

    def __init__(self, game: Game, options: Options, south: Setup, north: Setup) -> None:
        self.game, self.options = game, options
        self.setups = (south, north)
        self.tables = compile_game(game, options)
        self.state, happened = deal(self.tables, south, north)
        self.observers = Observers(game, options, self.tables, self.setups)
        self.observers.assign_names(self.state)
        self.start: list[Event] = happened
        self.greeting: Seen = self.observers.see(self.state, happened)

    def legal(self) -> list[int]:
        """What the mover may do."""
        return legal_actions(self.tables, self.state)

    def play(self, act: int) -> Seen:
        """Carry out an action; what each viewer saw."""
        return self.observers.see(self.state, play(self.tables, self.state, act))

    def sent(self, viewer: Viewer) -> bytes:
        """The viewer's View and the previews of its powers, as they go over the wire."""
        return self.encoded(self.observers.view(self.state, viewer))

    def encoded(self, view: View) -> bytes:
        """What the owner of a View is sent."""
        return msgspec.json.encode((view, list(previews(self.game, view, self.options).values())))


def short(sent: bytes) -> bytes:
    """A hash that stands for what was sent: the Views of a long game are many megabytes."""
    return hashlib.blake2b(sent, digest_size=12).digest()


def random_setup(game: Game, side: int, rng: Random) -> dict[int, int]:
    """An army on random home squares."""
    kinds = [kind for kind, count in enumerate(game.rosters[side]) for _ in range(count)]
    return dict(zip(rng.sample(game.board.home(side), len(kinds)), kinds, strict=True))


def choose(legal: list[int], side: int, rng: Random) -> int:
    """A random action, rather forward than back and rather a fight than a walk: something happens."""
    taste = rng.random()
    if taste < 0.45:
        bold = [act for act in legal if act >> 24 != A.MOVE]
        if bold:
            return rng.choice(bold)
    if taste < 0.75:
        ahead = [act for act in legal if act >> 24 == A.MOVE and _is_forward(act, side)]
        if ahead:
            return rng.choice(ahead)
    return rng.choice(legal)


def _is_forward(act: int, side: int) -> bool:
    rows = row_of(act & 255) - row_of(act >> 8 & 255)
    return rows > 0 if side == 0 else rows < 0


@dataclass
class Record:
    """A game that was played: what was done and what everybody was sent."""

    case: Case
    setups: tuple[dict[int, int], dict[int, int]]
    actions: list[int] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    """the greeting, then what each action showed"""
    sent: list[dict[Viewer, bytes]] = field(default_factory=list)
    """hashes of the Views at the start, then after each action"""
    digests: list[str] = field(default_factory=list)

    def events(self, viewer: Viewer) -> list[SeenEvent]:
        """Everything that viewer saw."""
        return [event for seen in self.seen for event in seen[viewer]]

    def replayed(self, after: int = 0) -> SeenGame:
        """The same game before its first action, or after some."""
        seen_game = SeenGame(self.case.game, self.case.options, *self.setups)
        for act in self.actions[:after]:
            seen_game.play(act)
        return seen_game


def start_game(case: Case) -> tuple[SeenGame, Random]:
    """A game with random setups, and the dice to go on with."""
    rng = Random(f"{case}")
    setups = (random_setup(case.game, 0, rng), random_setup(case.game, 1, rng))
    return SeenGame(case.game, case.options, *setups), rng


@dataclass
class Step:
    """A moment of a random game: before its first action, or after one."""

    record: Record
    """the game up to this moment"""
    seen_game: SeenGame
    legal: list[int]
    views: dict[Viewer, View]
    seen: dict[Viewer, list[SeenEvent]]
    """everything each viewer has seen so far"""

    def __str__(self) -> str:
        return f"{self.record.case}, after {self.at} actions"

    @property
    def at(self) -> int:
        """How many actions have been played."""
        return len(self.record.actions)

    @property
    def is_last(self) -> bool:
        """Whether no action follows."""
        return self.seen_game.state.is_over or self.at == MAX_ACTIONS


def steps(case: Case) -> Iterator[Step]:
    """Play a random game; yield every moment of it."""
    seen_game, rng = start_game(case)
    kept = Record(case, (dict(seen_game.setups[0]), dict(seen_game.setups[1])))
    so_far: dict[Viewer, list[SeenEvent]] = {viewer: [] for viewer in VIEWERS}
    seen = seen_game.greeting
    while True:
        kept.seen.append(seen)
        for viewer in VIEWERS:
            so_far[viewer] += seen[viewer]
        views = {viewer: seen_game.observers.view(seen_game.state, viewer) for viewer in VIEWERS}
        kept.sent.append({viewer: short(seen_game.encoded(view)) for viewer, view in views.items()})
        kept.digests.append(seen_game.state.digest())
        step = Step(kept, seen_game, seen_game.legal(), views, so_far)
        yield step
        if step.is_last:
            break
        act = choose(step.legal, seen_game.state.side, rng)
        kept.actions.append(act)
        seen = seen_game.play(act)
    if len(_records) >= MAX_RECORDS:
        _records.pop(next(iter(_records)))
    _records[case] = kept


_records: dict[Case, Record] = {}


def record(case: Case) -> Record:
    """A random game; the last few hundred that were played are kept."""
    if case not in _records:
        for _ in steps(case):
            pass
    return _records[case]
