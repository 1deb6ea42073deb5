"""A setup: which piece one side puts on which of its home squares. Every `Setup` is valid.

It is checked when it is made: each piece stands on a home square, and the pieces are exactly those of the
army.

>>> from random import Random
>>> from flagfall.edition import load_game
>>> setup = random_setup(load_game("onyx/classic"), 0, Random(1))
>>> len(setup.kinds), mirrored(mirrored(setup)) == setup
(40, True)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import SupportsIndex

from flagfall.board import MAX_COLUMNS, MAX_ROWS, cell_at, cell_name, column_of, parse_cell, row_of
from flagfall.edition.schema import Game
from flagfall.errors import FlagfallError, quoted
from flagfall.languages import ENGLISH, cached_by_language, listed, say, use_language
from flagfall.sides import SIDES, Side

MAX_PIECE_CHARS = 80
"""characters of a piece's name in a setup by squares; the names of a box have at most 60"""
_SQUARE_CHARS = 20
"""how many characters of a wrong square an error keeps"""


class SetupError(FlagfallError):
    """A setup is not valid: the message says what is wrong, where, and what would be right.

    ``square`` is the square it concerns, if one can be named; ``line`` and ``column`` say where in a text
    the error is, both counted from 1.
    """

    code = "setup"

    def __init__(self, message: str, *, square: str = "", line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.square = square
        self.line = line
        self.column = column


@dataclass(frozen=True)
class Setup:
    """The starting squares of one army: cell → kind, both numbered as in the engine.

    Two setups of the same side and game are equal when every piece stands on the same square. ``side`` may
    also be given as a number: 0 for South, 1 for North. The `repr` keeps the secret; `write_setup` does not.

    >>> from flagfall.edition import load_game
    >>> random_setup(load_game("onyx/classic"), Side.SOUTH, Random(1))
    <Setup of onyx/classic for south, 40 pieces>
    """

    game: Game
    side: Side
    kinds: Mapping[int, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "side", SIDES[self.side])
        validate(self.game, self.side, self.kinds)
        object.__setattr__(self, "kinds", MappingProxyType(dict(sorted(self.kinds.items()))))

    def __repr__(self) -> str:
        return f"<Setup of {self.game.id} for {self.side}, {len(self.kinds)} pieces>"

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Setup) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[str, Side, tuple[tuple[int, int], ...]]:
        return self.game.id, self.side, tuple(self.kinds.items())

    def cells_of(self, kind: int) -> list[int]:
        """Return the cells of the pieces of that kind."""
        return [cell for cell, standing in self.kinds.items() if standing == kind]


def validate(game: Game, side: SupportsIndex, kinds: Mapping[int, int]) -> None:
    """Refuse a setup that has a piece in a wrong place or a wrong army."""
    home = set(game.board.home(side))
    for cell, kind in kinds.items():
        if cell not in home:
            raise _misplaced(game, side, cell, kind)
    problems = _count_problems(game, side, kinds.values())
    if problems:
        raise SetupError(say("setups.error.counts", problems=listed(problems)))


def setup_from_squares(game: Game, side: SupportsIndex, squares: Mapping[str, str]) -> Setup:
    """Return the setup of a mapping from square to piece: ``{"a1": "marshal", "b1": "flag", …}``.

    A piece is called by its id, its name in that army, its printed label or its setup letter; capitals
    do not matter.
    """
    if len(squares) > MAX_COLUMNS * MAX_ROWS:
        most = MAX_COLUMNS * MAX_ROWS
        raise SetupError(say("setups.error.too-many-squares", number=str(len(squares)), most=most))
    kinds: dict[int, int] = {}
    for square, called in squares.items():
        try:
            cell = parse_cell(square)
        except ValueError as error:
            raise SetupError(f"{error}.", square=square[:_SQUARE_CHARS]) from None
        kind = _kind_called(game, side, called, cell_name(cell))
        if cell not in game.board:
            raise _misplaced(game, side, cell, kind)
        if cell in kinds:
            square = cell_name(cell)
            raise SetupError(say("setups.error.twice", square=square), square=square)
        kinds[cell] = kind
    return Setup(game, SIDES[side], kinds)


def random_setup(game: Game, side: SupportsIndex, rng: Random) -> Setup:
    """Return a random setup of that army, each equally likely."""
    pieces: list[int | None] = [kind for kind, count in enumerate(game.rosters[side]) for _ in range(count)]
    home = game.board.home(side)
    pieces += [None] * (len(home) - len(pieces))
    rng.shuffle(pieces)
    standing = zip(home, pieces, strict=False)
    return Setup(game, SIDES[side], {cell: kind for cell, kind in standing if kind is not None})


def mirrored(setup: Setup) -> Setup:
    """Return the setup with left and right exchanged."""
    width = setup.game.board.columns
    flipped = {cell_at(width + 1 - column_of(cell), row_of(cell)): kind for cell, kind in setup.kinds.items()}
    return Setup(setup.game, setup.side, flipped)


def turned(setup: Setup) -> Setup | None:
    """Return the same setup for the other side, as seen from there; None where the armies or homes differ."""
    game, board = setup.game, setup.game.board
    if game.rosters[0] != game.rosters[1]:
        return None
    kinds = {
        cell_at(board.columns + 1 - column_of(cell), board.rows + 1 - row_of(cell)): kind
        for cell, kind in setup.kinds.items()
    }
    try:
        return Setup(game, setup.side.other, kinds)
    except SetupError:
        return None


def swapped(setup: Setup, a: int, b: int) -> Setup:
    """Return the setup with the pieces on two home squares exchanged; one square may be empty."""
    home = setup.game.board.home(setup.side)
    for cell in (a, b):
        if cell not in home:
            square, rule = _square(cell), _home_rule(setup.game, setup.side)
            text = say("setups.error.not-home", square=square, side=setup.side.title, rule=rule)
            raise SetupError(text, square=square)
    exchanged = {cell: kind for cell, kind in setup.kinds.items() if cell not in (a, b)}
    exchanged |= {to: setup.kinds[start] for start, to in ((a, b), (b, a)) if start in setup.kinds}
    return Setup(setup.game, setup.side, exchanged)


def _count_problems(game: Game, side: SupportsIndex, kinds: Iterable[int]) -> list[str]:
    """Return, for every kind with a wrong count, how many there are and should be."""
    placed = Counter(kinds)
    problems = [
        say(
            "setups.error.count",
            number=placed[kind],
            kind=game.kind_names(kind, side, placed[kind]),
            right=right,
        )
        for kind, right in enumerate(game.rosters[side])
        if placed[kind] != right
    ]
    unknown = [kind for kind in placed if not 0 <= kind < len(game.kinds)]
    return problems + [say("setups.error.unknown-kind", kind=str(kind)) for kind in unknown]


def _kind_called(game: Game, side: SupportsIndex, called: str, square: str) -> int:
    """Return the kind of that side's army that a person names."""
    wanted = called.strip().casefold() if len(called) <= MAX_PIECE_CHARS else ""
    for names in _names_of(game, SIDES[side]):
        found = names.get(wanted, [])
        if len(found) > 1:  # labels may be shared, and letters may differ by their case only
            found = [kind for kind in found if game.kinds[kind].code == called.strip()]
        if len(found) == 1:
            return found[0]
    own = [kind for kind, count in enumerate(game.rosters[side]) if count]
    army = ", ".join(game.kind_name(kind, side) for kind in own)
    problem = say(
        "setups.error.piece", name=quoted(called), square=square, side=SIDES[side].title, pieces=army
    )
    raise SetupError(problem, square=square)


@cached_by_language(maxsize=128)
def _names_of(game: Game, side: Side) -> tuple[dict[str, list[int]], ...]:
    """Return the kinds of an army by id, name, English name, label and letter, all in lower case."""
    tables: tuple[dict[str, list[int]], ...] = ({}, {}, {}, {}, {})
    for kind, count in enumerate(game.rosters[side]):
        about = game.kinds[kind]
        if not count:
            continue
        with use_language(ENGLISH):
            english = game.kind_name(kind, side)
        names = (about.id, game.kind_name(kind, side), english, about.label, about.code)
        for table, name in zip(tables, names, strict=True):
            table.setdefault(name.casefold(), []).append(kind)
    return tables


def _misplaced(game: Game, side: SupportsIndex, cell: int, kind: int) -> SetupError:
    square = _square(cell)
    is_known = 0 <= kind < len(game.kinds)
    piece = game.kind_name(kind, side) if is_known else say("setups.error.a-piece")
    where = "in-zone" if cell in game.board.zones else "outside" if cell in game.board else "off-board"
    problem = say(
        f"setups.error.{where}",
        piece=piece,
        square=square,
        side=SIDES[side].title,
        rule=_home_rule(game, side),
    )
    return SetupError(problem, square=square)


def _home_rule(game: Game, side: SupportsIndex) -> str:
    home = game.board.home(side)
    first, last = sorted((row_of(home[0]), row_of(home[-1])))
    rows = "row" if first == last else "rows"
    return say(f"setups.home.{rows}", side=SIDES[side].title, first=first, last=last)


def _square(cell: int) -> str:
    is_square = 1 <= column_of(cell) <= MAX_COLUMNS and 1 <= row_of(cell) <= MAX_ROWS
    return cell_name(cell) if is_square else say("setups.error.cell", number=str(cell))
