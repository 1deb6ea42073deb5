"""A rehearsal: a player makes one small choice before the game, so that nothing is compiled during it."""

from __future__ import annotations

from random import Random

from flagfall.arena.sitting import Sitting
from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.players import Budget, make_player
from flagfall.protocol.info import info_lines
from flagfall.setups import random_setup


def warm_up_player(game: Game, options: Options, name: str, *, explains: bool = False) -> None:
    """Let the player act once in a game that does not count, and say what it thought if it ``explains``."""
    lot = Random(0)
    setups = random_setup(game, 0, lot), random_setup(game, 1, lot)
    sitting = Sitting(game, options, compile_game(game, options), setups)
    player = make_player(name, game, options, lot, Budget.of_nodes(20))
    player.set_up(0)
    if not sitting.is_over:
        player.choose(sitting.view(sitting.mover), sitting.history(sitting.mover))
        info_lines(player, explains)
