"""Warnings about setups that are legal but risky: an army that cannot move, pieces shut in.

Any legal setup is allowed (SM-X-16); the warnings come before the game.
"""

from __future__ import annotations

from collections.abc import Iterable

from flagfall.board import DIRECTIONS, cell_name, row_of
from flagfall.edition.verbs import PRIMITIVES
from flagfall.setups.setup import Setup, kind_title
from flagfall.setups.text import home_rows

_LISTED = 4


def warnings(setup: Setup) -> tuple[str, ...]:
    """Return warnings for the owner of a setup; empty for a sound one."""
    sentences = []
    if not can_step(setup):
        if _has_standing_power(setup):
            sentences.append("No piece can take a first step: only a power can open the game for you.")
        else:
            sentences.append(
                "No piece can make a first move, because every movable piece is boxed in; "
                "you would lose on your first turn."
            )
    else:
        sentences += _shut_in_sentence(setup)
    sentences += _front_flag_sentence(setup)
    return tuple(sentences)


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
    passable = [cell for cell in game.board.open_cells() if cell not in fixed]
    free = _reached(passable, (cell for cell in passable if cell not in home))
    return [cell for cell in _movable(setup) if cell not in free]


def _shut_in_sentence(setup: Setup) -> list[str]:
    if all(cell in set(setup.game.board.home(setup.side)) for cell in setup.game.board.open_cells()):
        return []
    cells = shut_in(setup)
    if not cells:
        return []
    named = [
        f"{kind_title(setup.game, setup.kinds[cell], setup.side)} on {cell_name(cell)}" for cell in cells
    ]
    listed = ", ".join(named[:_LISTED]) + (
        f" and {len(named) - _LISTED} more" if len(named) > _LISTED else ""
    )
    return [f"Walled in behind pieces that never move, and out of play until the wall breaks: {listed}."]


def _front_flag_sentence(setup: Setup) -> list[str]:
    rows = home_rows(setup.game, setup.side)
    if len(rows) < 2:
        return []
    front = row_of(rows[-1][0])
    return [
        f"The {kind_title(setup.game, kind, setup.side)} on {cell_name(cell)} stands in the front row, "
        "where the enemy reaches it first."
        for cell, kind in setup.kinds.items()
        if setup.game.kinds[kind].role == "flag" and row_of(cell) == front
    ]


def _has_standing_power(setup: Setup) -> bool:
    game = setup.game
    return any(
        not PRIMITIVES[power.verb].needs_step
        for cell in _movable(setup)
        for power in game.abilities(game.kinds[setup.kinds[cell]])
    )


def _movable(setup: Setup) -> list[int]:
    return [cell for cell, kind in setup.kinds.items() if setup.game.kinds[kind].is_mobile]


def _reached(passable: list[int], starts: Iterable[int]) -> set[int]:
    """Return the passable cells connected with the starting ones by single steps."""
    ground = set(passable)
    reached = set(starts)
    edge = list(reached)
    while edge:
        cell = edge.pop()
        for step in DIRECTIONS:
            if cell + step in ground and cell + step not in reached:
                reached.add(cell + step)
                edge.append(cell + step)
    return reached
