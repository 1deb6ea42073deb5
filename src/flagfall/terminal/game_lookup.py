"""Finding the game of a record or a saved match: among the boxes of the program, or in a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from flagfall.edition import Game, UnknownGameError, load_file, load_game


def finder(box: Path | None) -> Callable[[str], Game]:
    """How to find a game by id when a box of one's own may hold it."""
    own = {game.id: game for game in load_file(box).games.values()} if box else {}

    def find(game_id: str) -> Game:
        if game_id in own:
            return own[game_id]
        try:
            return load_game(game_id, allow_files=False)
        except UnknownGameError as unknown:
            raise UnknownGameError(f"{unknown.args[0]}; for a box of your own add --box FILE") from None

    return find
