"""Games for the tests: every boxed one, and a small user-made box whose pieces have awkward names."""

from __future__ import annotations

from dataclasses import replace

from flagfall.board import Board, parse_cell
from flagfall.edition import Game, game_ids, load_game

ONYX = load_game("onyx/classic")
DUEL = load_game("spin-master/duel")
BARRAGE = load_game("barrage/classic")
MINI = load_game("mini/3x3")
LOTR = load_game("lotr/classic")


def awkward_game() -> Game:
    """A 3×4 game whose pieces are called like a square, a keyword and a path, with a zone in its home."""
    names = ("b2", "done", "a1-b1", "spot")
    kinds = tuple(
        replace(kind, id=name, names={army.id: name for army in MINI.armies})
        for kind, name in zip(load_game("mini/3x4").kinds, names, strict=True)
    )
    board = Board(4, 4, 2, frozenset({parse_cell("b1"), parse_cell("c4")}))
    return replace(
        MINI, id="mine/awkward", board=board, kinds=kinds, rosters=((1,) * 4,) * 2, fills_home=False
    )


AWKWARD = awkward_game()
GAMES: tuple[Game, ...] = (*(load_game(game_id) for game_id in game_ids()), AWKWARD)


def game_name(game: Game) -> str:
    """How a game is called in a test's name."""
    return game.id
