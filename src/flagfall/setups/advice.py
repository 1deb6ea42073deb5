"""Advice about setups: warnings before a game, weaknesses and tags for the setup lab.

Any legal setup is allowed (SM-X-16). Every sentence is a fact that was checked on the arrangement. Kinds are
recognised by role, rank and what they capture, never by name, so this works for every box.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flagfall.board import DIRECTIONS, NORTH, SOUTH, cell_name, column_of, distance, row_of
from flagfall.edition.schema import Kind
from flagfall.edition.verbs import PRIMITIVES
from flagfall.languages import Phrase, listed, say
from flagfall.setups.setup import Setup
from flagfall.setups.text import home_rows
from flagfall.sides import Side

_LISTED = 4
_NEAR = 5
"""steps within which one piece can help another"""
_MIN_COLUMNS_FOR_WINGS = 6


@dataclass(frozen=True)
class Weakness:
    """A weak spot of a setup: its id, a sentence about it, and the squares it concerns."""

    id: str
    text: str
    squares: tuple[str, ...] = ()


def warnings(setup: Setup) -> tuple[str, ...]:
    """Return warnings for the owner of a setup; empty for a sound one."""
    return tuple(weakness.text for weakness in _serious(setup))


def weaknesses(setup: Setup) -> tuple[Weakness, ...]:
    """Return the weak spots of a setup, the serious ones first; empty if there are none."""
    return (
        *_serious(setup),
        *_open_flag(setup),
        *_blocked_lanes(setup),
        *_removers_behind(setup),
        *_far_spy(setup),
        *_one_wing(setup),
        *_blocked_runners(setup),
    )


def tags(setup: Setup) -> tuple[str, ...]:
    """Return a few words on what is typical of a setup, for lists."""
    game, rows, words = setup.game, home_rows(setup.game, setup.side), setup.game.edition.words
    found = []
    for flag in _cells_with_role(setup, "flag")[:1]:
        outward = min(column_of(flag) - 1, game.board.columns - column_of(flag))
        third = game.board.columns // 3
        place = "corner" if flag in (rows[0][0], rows[0][-1]) else "wing" if outward < third else "middle"
        found.append(say(f"setups.tag.{place}", flag=_name_at(setup, flag)))
        walls = sum(_role_at(setup, cell) == "bomb" for cell in _home_neighbours(setup, flag))
        if walls and walls == len(_home_neighbours(setup, flag)):
            found.append(say("setups.tag.walled", bombs=words["bombs"]))
    front = set(rows[-1])
    if len(rows) > 1 and any(cell in front for cell in _cells_with_role(setup, "bomb")):
        found.append(say("setups.tag.bomb-in-front", bomb=words["bomb"]))
    leaders = _leaders(setup)
    if len(rows) > 1 and leaders:
        is_forward = 2 * sum(_depth(setup, cell) >= len(rows) / 2 for cell in leaders) > len(leaders)
        found.append(say("setups.tag.strong-in-front" if is_forward else "setups.tag.strong-behind"))
    return tuple(found)


def can_step(setup: Setup) -> bool:
    """Return whether some movable piece has an open square next to it."""
    return any(_has_open_square(setup, cell) for cell in _movable(setup))


def shut_in(setup: Setup) -> list[int]:
    """Return the squares of movable pieces that cannot leave home however the others move.

    Pieces that never move, zones and the edge wall them in; only a lost bomb would let them out.
    """
    game = setup.game
    home = set(game.board.home(setup.side))
    fixed = {cell for cell, kind in setup.kinds.items() if not game.kinds[kind].is_mobile}
    passable = set(game.board.open_cells()) - fixed
    reached = passable - home
    edge = list(reached)
    while edge:
        cell = edge.pop()
        near = passable.intersection(cell + step for step in DIRECTIONS) - reached
        reached |= near
        edge += near
    return [cell for cell in _movable(setup) if cell not in reached]


# ---------------------------------------------------------------------- serious ones


def _serious(setup: Setup) -> list[Weakness]:
    found = []
    if can_step(setup):
        found += _shut_in(setup)
    elif _has_standing_power(setup):
        found.append(Weakness("no-step", say("setups.weakness.only-power")))
    else:
        found.append(Weakness("no-step", say("setups.weakness.no-step")))
    return found + _front_flag(setup)


def _shut_in(setup: Setup) -> list[Weakness]:
    if set(setup.game.board.open_cells()) <= set(setup.game.board.home(setup.side)):
        return []
    cells = shut_in(setup)
    if not cells:
        return []
    shown = ", ".join(str(_phrase_on(setup, cell, "phrases.on")) for cell in cells[:_LISTED])
    more = max(len(cells) - _LISTED, 0)
    text = say(
        "setups.weakness.shut-in-many" if more else "setups.weakness.shut-in", pieces=shown, number=more
    )
    return [Weakness("shut-in", text, _names(cells))]


def _front_flag(setup: Setup) -> list[Weakness]:
    rows = home_rows(setup.game, setup.side)
    if len(rows) < 2:
        return []
    front = row_of(rows[-1][0])
    return [
        Weakness(
            "front-flag",
            say("setups.weakness.front-flag", flag=_phrase_on(setup, cell)),
            _names([cell]),
        )
        for cell in _cells_with_role(setup, "flag")
        if row_of(cell) == front
    ]


# ---------------------------------------------------------------------- the others


def _open_flag(setup: Setup) -> list[Weakness]:
    """A flag without any bomb next to it, in an army that has bombs."""
    if not _cells_with_role(setup, "bomb"):
        return []
    bomb = Phrase("phrases.no", setup.game.edition.words["bomb"])
    return [
        Weakness(
            "open-flag",
            say("setups.weakness.open-flag", flag=_phrase_on(setup, cell), bomb=bomb),
            _names([cell]),
        )
        for cell in _cells_with_role(setup, "flag")
        if all(_role_at(setup, near) != "bomb" for near in _home_neighbours(setup, cell))
    ]


def _blocked_lanes(setup: Setup) -> list[Weakness]:
    """Pieces that never move on more than half of the front squares that lead out of home."""
    board, ahead = setup.game.board, SOUTH if setup.side == Side.NORTH else NORTH
    front = home_rows(setup.game, setup.side)[-1]
    lanes = [cell for cell in front if cell + ahead in board and cell + ahead not in board.zones]
    blocked = [cell for cell in lanes if cell in setup.kinds and not _kind_at(setup, cell).is_mobile]
    if 2 * len(blocked) <= len(lanes):
        return []
    text = say(
        "setups.weakness.blocked-lanes", number=len(blocked), all=len(lanes), squares=_squares(blocked)
    )
    return [Weakness("blocked-lanes", text, _names(blocked))]


def _removers_behind(setup: Setup) -> list[Weakness]:
    """All pieces that capture enemy bombs in the back row."""
    game, rows = setup.game, home_rows(setup.game, setup.side)
    bombs = {
        kind.id
        for kind, count in zip(game.kinds, game.rosters[setup.side.other], strict=True)
        if count and kind.role == "bomb"
    }
    cells = [cell for cell in _movable(setup) if bombs.intersection(_kind_at(setup, cell).takes)]
    if len(rows) < 3 or not cells or any(_depth(setup, cell) for cell in cells):
        return []
    name = game.kind_name(setup.kinds[cells[0]], setup.side)
    bombs_word = game.edition.words["bombs"]
    if len(cells) == 1:
        piece = Phrase("phrases.the", name)
        text = say("setups.weakness.remover-behind", piece=piece, bombs=bombs_word)
    else:
        piece = Phrase("phrases.no", name)
        text = say("setups.weakness.removers-behind", piece=piece, bombs=bombs_word)
    return [Weakness("removers-behind", text, _names(cells))]


def _far_spy(setup: Setup) -> list[Weakness]:
    """A piece that captures the strongest enemy, too far from the strongest piece of its own army."""
    game = setup.game
    top = _top_kind(setup, setup.side.other)
    own_top = _top_kind(setup, setup.side)
    if top is None or own_top is None:
        return []
    spies = [
        cell
        for cell in _movable(setup)
        if game.kinds[top].id in _kind_at(setup, cell).takes and setup.kinds[cell] != own_top
    ]
    leaders = setup.cells_of(own_top)
    if not spies or min(distance(spy, leader) for spy in spies for leader in leaders) <= _NEAR:
        return []
    spy, leader = min(
        ((spy, leader) for spy in spies for leader in leaders), key=lambda pair: distance(*pair)
    )
    text = say(
        "setups.weakness.far-spy",
        spy=_phrase_on(setup, spy),
        leader=_phrase_on(setup, leader),
        number=distance(spy, leader),
    )
    return [Weakness("far-spy", text, _names([spy, leader]))]


def _one_wing(setup: Setup) -> list[Weakness]:
    """All strong pieces on one half of a wide board."""
    columns, leaders = setup.game.board.columns, _leaders(setup)
    if columns < _MIN_COLUMNS_FOR_WINGS or len(leaders) < 3:
        return []
    half = columns // 2
    for wing, other in ((range(1, half + 1), "right"), (range(columns - half + 1, columns + 1), "left")):
        if all(column_of(cell) in wing for cell in leaders):
            if setup.side == Side.NORTH:
                other = "left" if other == "right" else "right"
            kinds = sorted({setup.kinds[cell] for cell in leaders}, key=lambda kind: -_rank(setup, kind))
            count = {kind: len(setup.cells_of(kind)) for kind in kinds}
            names = listed([setup.game.kind_names(kind, setup.side, count[kind]) for kind in kinds])
            text = say(f"setups.weakness.one-wing.{other}", pieces=names)
            return [Weakness("one-wing", text, _names(leaders))]
    return []


def _blocked_runners(setup: Setup) -> list[Weakness]:
    """No piece that runs has an open square next to it, though other pieces can move."""
    game = setup.game
    runners = [
        cell
        for cell in _movable(setup)
        if any(power.verb == "run" for power in game.abilities(_kind_at(setup, cell)))
    ]
    if not runners or not can_step(setup) or any(_has_open_square(setup, cell) for cell in runners):
        return []
    piece = Phrase("phrases.no", _name_at(setup, runners[0]))
    text = say("setups.weakness.blocked-runners", piece=piece)
    return [Weakness("blocked-runners", text, _names(runners))]


# ---------------------------------------------------------------------- facts


def _leaders(setup: Setup) -> list[int]:
    """Return the squares of the strongest quarter of the soldiers, at least of three."""
    soldiers = sorted(_movable(setup), key=lambda cell: -_rank(setup, setup.kinds[cell]))
    wanted = max(3, len(soldiers) // 4)
    if len(soldiers) <= wanted:
        return []
    limit = _rank(setup, setup.kinds[soldiers[wanted]])
    return [cell for cell in soldiers if _rank(setup, setup.kinds[cell]) > limit]


def _top_kind(setup: Setup, side: Side) -> int | None:
    """Return the soldier with the highest rank in a side's army."""
    game = setup.game
    soldiers = [kind for kind, count in enumerate(game.rosters[side]) if count and game.kinds[kind].is_mobile]
    return max(soldiers, key=lambda kind: _rank(setup, kind), default=None)


def _rank(setup: Setup, kind: int) -> int:
    return setup.game.kinds[kind].rank


def _depth(setup: Setup, cell: int) -> int:
    """Return how many rows a square is in front of the back row."""
    return abs(row_of(cell) - row_of(home_rows(setup.game, setup.side)[0][0]))


def _has_open_square(setup: Setup, cell: int) -> bool:
    board = setup.game.board
    near = (cell + step for step in DIRECTIONS)
    return any(cell in board and cell not in board.zones and cell not in setup.kinds for cell in near)


def _home_neighbours(setup: Setup, cell: int) -> list[int]:
    home = set(setup.game.board.home(setup.side))
    return [cell + step for step in DIRECTIONS if cell + step in home]


def _cells_with_role(setup: Setup, role: str) -> list[int]:
    return [cell for cell in setup.kinds if _role_at(setup, cell) == role]


def _role_at(setup: Setup, cell: int) -> str:
    return _kind_at(setup, cell).role if cell in setup.kinds else ""


def _kind_at(setup: Setup, cell: int) -> Kind:
    return setup.game.kinds[setup.kinds[cell]]


def _name_at(setup: Setup, cell: int) -> str:
    return setup.game.kind_name(setup.kinds[cell], setup.side)


def _phrase_on(setup: Setup, cell: int, key: str = "phrases.the-on") -> Phrase:
    """Return the piece on a square for a sentence: ``the Flag on e1``."""
    return Phrase(key, _name_at(setup, cell), {"square": cell_name(cell)})


def _names(cells: Iterable[int]) -> tuple[str, ...]:
    return tuple(cell_name(cell) for cell in sorted(cells))


def _squares(cells: Iterable[int]) -> str:
    return listed(list(_names(cells)))


def _has_standing_power(setup: Setup) -> bool:
    game = setup.game
    return any(
        not PRIMITIVES[power.verb].needs_step
        for cell in _movable(setup)
        for power in game.abilities(game.kinds[setup.kinds[cell]])
    )


def _movable(setup: Setup) -> list[int]:
    return [cell for cell, kind in setup.kinds.items() if setup.game.kinds[kind].is_mobile]
