"""Made-up games, small enough to try every setup: bombs and miners, runners, Spotters, on a few squares."""

from __future__ import annotations

from dataclasses import replace

from flagfall.board import Board
from flagfall.edition import Game, load_game


def small(game_id: str, board: Board, counts: dict[str, int]) -> Game:
    """A boxed game on a smaller board with a smaller army."""
    game = load_game(game_id)
    roster = tuple(counts.get(kind.id, 0) for kind in game.kinds)
    return replace(game, id=f"small/{game_id}", board=board, rosters=(roster, roster), fills_home=False)


GUARDS = small("onyx/classic", Board(4, 3, 1), {"general": 1, "sergeant": 1, "bomb": 1, "flag": 1})
MIXED = small(
    "onyx/classic", Board(3, 4, 2), {"miner": 1, "bomb": 1, "scout": 1, "spy": 1, "marshal": 1, "flag": 1}
)
PAIRS = small("fire-and-ice/classic", Board(5, 4, 1), {"dwarf": 2, "trap": 1, "knight": 1, "flag": 1})
SPOTTERS = small("spin-master/duel", Board(4, 3, 1), {"spotter": 1, "miner": 1, "scout": 1, "flag": 1})
RESCUERS = small(
    "fire-and-ice/classic", Board(6, 3, 1), {"dwarf": 1, "trap": 1, "knight": 2, "elf": 1, "flag": 1}
)
SMALL = (GUARDS, MIXED, PAIRS, SPOTTERS, RESCUERS)
