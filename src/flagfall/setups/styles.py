"""Named styles: sound setups for any box, made from roles and ranks, never from a piece's name.

A style says where the flag hides, what the bombs guard, and how far forward each sort of piece stands
(0 is the back row, 1 the front row). The rest is random, so a style gives a new setup each time.

>>> from random import Random
>>> from flagfall.edition import load_game
>>> game = load_game("onyx/classic")
>>> style_names(game)
('fortress', 'open', 'decoy', 'blitz')
>>> styled_setup(game, 0, "fortress", Random(3)).side.title
'South'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, SupportsIndex

from flagfall.board import DIRECTIONS, column_of
from flagfall.edition.schema import Game
from flagfall.languages import listed, say
from flagfall.setups.advice import can_step, shut_in, warnings
from flagfall.setups.setup import Setup, SetupError, random_setup
from flagfall.setups.text import home_rows
from flagfall.sides import SIDES

_TRIES = 60


@dataclass(frozen=True)
class Style:
    """How an army is placed; depths run from 0 (back row) to 1 (front row)."""

    name: str
    flag: Literal["corner", "wing", "anywhere"]
    wall: int
    """maximum number of bombs next to the flag"""
    strong: float
    weak: float
    runner: float
    remover: float
    spy: float
    is_decoy: bool = False
    """bombs also wall in an ordinary piece on the other wing"""


STYLES = (
    Style(
        "fortress",
        flag="corner",
        wall=4,
        strong=0.7,
        weak=0.45,
        runner=0.6,
        remover=0.15,
        spy=0.4,
    ),
    Style(
        "open",
        flag="anywhere",
        wall=1,
        strong=0.6,
        weak=0.6,
        runner=0.5,
        remover=0.2,
        spy=0.45,
    ),
    Style(
        "decoy",
        flag="wing",
        wall=1,
        strong=0.65,
        weak=0.5,
        runner=0.6,
        remover=0.2,
        spy=0.45,
        is_decoy=True,
    ),
    Style(
        "blitz",
        flag="wing",
        wall=3,
        strong=0.95,
        weak=0.35,
        runner=0.85,
        remover=0.15,
        spy=0.55,
    ),
)


def style_names(game: Game) -> tuple[str, ...]:
    """Return the styles that make a difference in this game; a decoy or a fortress needs bombs."""
    bombs = sum(
        max(roster[kind] for roster in game.rosters)
        for kind, sort in enumerate(game.kinds)
        if sort.role == "bomb"
    )
    needed = {"fortress": 1, "decoy": 2}
    return tuple(style.name for style in STYLES if bombs >= needed.get(style.name, 0))


def any_style(game: Game, side: SupportsIndex, rng: Random) -> Setup:
    """Return a setup in a random style."""
    return styled_setup(game, side, rng.choice(style_names(game)), rng)


def style_title(name: str) -> str:
    """Return the name of a style for people: ``Fortress``."""
    return say(f"setups.title.{_style(name).name}")


def style_text(game: Game, name: str) -> str:
    """Return one sentence about a style in the words of a game, for a menu."""
    words = {role: say(f"setups.role.{role}") for role in ("flag", "bomb", "bombs")}
    for index, kind in enumerate(game.kinds):
        sides = [side for side in SIDES if game.rosters[side][index]]
        if kind.role != "soldier" and sides:
            one, several = (
                listed(dict.fromkeys(game.kind_names(index, side, number) for side in sides), "or")
                for number in (1, 2)
            )
            words |= {kind.role: one, f"{kind.role}s": several}
    return say(f"setups.style.{_style(name).name}", **words)


def styled_setup(game: Game, side: SupportsIndex, style: str, rng: Random) -> Setup:
    """Return a setup in that style, in which no piece is walled in but the bait of a decoy.

    If a small box has too few squares for a style, the setup is random.
    """
    chosen = _style(style)
    for _ in range(_TRIES):
        attempt = _Placement(game, side, chosen, rng)
        setup = attempt.setup()
        if can_step(setup) and set(shut_in(setup)) <= {attempt.decoy}:
            return setup
    for _ in range(_TRIES):
        setup = random_setup(game, side, rng)
        if not warnings(setup):
            return setup
    return setup


def _style(name: str) -> Style:
    styles = {style.name: style for style in STYLES}
    if name not in styles:
        raise SetupError(say("setups.error.style", name=name, styles=", ".join(styles)))
    return styles[name]


class _Placement:
    """One attempt: flag, then bombs, then soldiers from the front backwards."""

    def __init__(self, game: Game, side: SupportsIndex, style: Style, rng: Random) -> None:
        self.game, self.side, self.style, self.rng = game, SIDES[side], style, rng
        self.rows = home_rows(game, side)
        self.free = set(game.board.home(side))
        self.placed: dict[int, int] = {}
        self.decoy: int | None = None
        """the square of an ordinary piece that bombs pretend to guard"""
        deepest = max(len(self.rows) - 1, 1)
        self.depth = {cell: at / deepest for at, row in enumerate(self.rows) for cell in row}

    def setup(self) -> Setup:
        """Place all pieces."""
        flags, bombs = self._pieces("flag"), self._pieces("bomb")
        self.rng.shuffle(bombs)
        for flag in flags:
            self._put(self._flag_cell(), flag)
        self._place_bombs(bombs)
        self._place_soldiers(self._pieces("soldier"))
        return Setup(self.game, self.side, self.placed)

    def _pieces(self, role: str) -> list[int]:
        roster = self.game.rosters[self.side]
        kinds = enumerate(self.game.kinds)
        return [index for index, kind in kinds if kind.role == role for _ in range(roster[index])]

    def _put(self, cell: int, kind: int) -> None:
        self.placed[cell] = kind
        self.free.discard(cell)

    def _flag_cell(self) -> int:
        """Return a square of the back row on the wing that the style prefers."""
        row = [cell for cell in self.rows[0] if cell in self.free] or sorted(self.free)
        if self.style.flag == "corner":
            return self.rng.choice([row[0], row[-1]])
        if self.style.flag == "wing":
            third = max(len(row) // 3, 1)
            return self.rng.choice(row[:third] + row[-third:])
        return self.rng.choice(row)

    def _place_bombs(self, bombs: list[int]) -> None:
        """Place bombs next to the flag and the decoy, the others behind the front row."""
        guarded = list(self.placed)
        walls = [cell for flag in guarded for cell in self._neighbours(flag)][: self.style.wall]
        if self.style.is_decoy and guarded and len(bombs) > len(walls):
            self.decoy = self._opposite_corner(guarded[0])
            walls += self._neighbours(self.decoy)
        for cell in walls:
            if bombs and cell in self.free and cell != self.decoy:
                self._put(cell, bombs.pop())
        while bombs:
            rear = [cell for cell in sorted(self.free) if self.depth[cell] < 1 and cell != self.decoy]
            self._put(self.rng.choice(rear or sorted(self.free)), bombs.pop())

    def _neighbours(self, cell: int) -> list[int]:
        """Return the home squares next to a square, the one in front first, the others in random order."""
        near = [cell + step for step in DIRECTIONS if cell + step in self.depth]
        self.rng.shuffle(near)
        return sorted(near, key=lambda cell: -self.depth[cell])

    def _opposite_corner(self, cell: int) -> int:
        row = self.rows[0]
        is_left = column_of(cell) - column_of(row[0]) < column_of(row[-1]) - column_of(cell)
        return row[-1] if is_left else row[0]

    def _place_soldiers(self, soldiers: list[int]) -> None:
        """Place soldiers by the depth that the style prefers, with some randomness."""
        if self.decoy is not None and self.decoy in self.free and soldiers:
            ranks = {kind: self.game.kinds[kind].rank for kind in soldiers}
            bait = min(soldiers, key=lambda kind: (ranks[kind] == 0, ranks[kind]))
            soldiers.remove(bait)
            self._put(self.decoy, bait)
        cells = self.rng.sample(sorted(self.free), len(soldiers))
        cells.sort(key=lambda cell: self.depth[cell] + self.rng.uniform(-0.1, 0.1))
        depth = {kind: self._preferred_depth(kind, soldiers) for kind in set(soldiers)}
        soldiers = sorted(soldiers, key=lambda kind: depth[kind] + self.rng.gauss(0, 0.2))
        for cell, kind in zip(cells, soldiers, strict=True):
            self._put(cell, kind)

    def _preferred_depth(self, kind: int, soldiers: Sequence[int]) -> float:
        """Return how far forward the style places a kind."""
        sort = self.game.kinds[kind]
        roles = {other.id: other.role for other in self.game.kinds}
        if any(roles.get(victim) == "bomb" for victim in sort.takes):
            return self.style.remover
        if any(power.verb == "run" for power in self.game.abilities(sort)):
            return self.style.runner
        if sort.rank == 0:
            return self.style.spy
        ranks = sorted({self.game.kinds[other].rank for other in soldiers})
        strength = ranks.index(sort.rank) / max(len(ranks) - 1, 1)
        return self.style.weak + (self.style.strong - self.style.weak) * strength
