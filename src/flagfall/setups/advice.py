"""Warnings about setups that are legal but risky: an army that cannot move, pieces shut in.

Any legal setup is allowed (SM-X-16); the warnings come before the game.
"""

from __future__ import annotations

from flagfall.board import DIRECTIONS, cell_name, row_of
from flagfall.edition.verbs import PRIMITIVES
from flagfall.setups.setup import Setup
from flagfall.setups.text import home_rows

_LISTED = 4


def warnings(setup: Setup) -> tuple[str, ...]:
    """Return warnings for the owner of a setup; empty for a sound one."""
    sentences = []
    if can_step(setup):
        sentences += _shut_in_sentence(setup)
    elif _has_standing_power(setup):
        sentences.append("No piece can take a first step: only a power can open the game for you.")
    else:
        sentences.append(
            "No piece can make a first move, because every movable piece is boxed in; "
            "you would lose on your first turn."
        )
    return (*sentences, *_front_flag_sentence(setup))


def can_step(setup: Setup) -> bool:
    """Return whether some movable piece has an open square next to it."""
    board = setup.game.board
    return any(
        cell + step in board and cell + step not in board.zones and cell + step not in setup.kinds
        for cell in _movable(setup)
        for step in DIRECTIONS
    )


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


def _shut_in_sentence(setup: Setup) -> list[str]:
    if set(setup.game.board.open_cells()) <= set(setup.game.board.home(setup.side)):
        return []
    cells = shut_in(setup)
    if not cells:
        return []
    shown = ", ".join(f"{_name_at(setup, cell)} on {cell_name(cell)}" for cell in cells[:_LISTED])
    more = f" and {len(cells) - _LISTED} more" if len(cells) > _LISTED else ""
    return [f"Walled in behind pieces that never move, and out of play until the wall breaks: {shown}{more}."]


def _front_flag_sentence(setup: Setup) -> list[str]:
    rows = home_rows(setup.game, setup.side)
    if len(rows) < 2:
        return []
    front = row_of(rows[-1][0])
    return [
        f"The {_name_at(setup, cell)} on {cell_name(cell)} stands in the front row, "
        "where the enemy reaches it first."
        for cell, kind in setup.kinds.items()
        if setup.game.kinds[kind].role == "flag" and row_of(cell) == front
    ]


def _name_at(setup: Setup, cell: int) -> str:
    return setup.game.kind_name(setup.kinds[cell], setup.side)


def _has_standing_power(setup: Setup) -> bool:
    game = setup.game
    return any(
        not PRIMITIVES[power.verb].needs_step
        for cell in _movable(setup)
        for power in game.abilities(game.kinds[setup.kinds[cell]])
    )


def _movable(setup: Setup) -> list[int]:
    return [cell for cell, kind in setup.kinds.items() if setup.game.kinds[kind].is_mobile]
