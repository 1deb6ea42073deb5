"""The front door for Python programs: games, positions, players, whole games.

Everything here is also a name of `flagfall` itself; `docs/library.md` leads through it.

>>> import flagfall
>>> game = flagfall.game("mini/3x3")
>>> position = game.new("XsF", "FsX")
>>> position.push("a1-a2")
>>> position.turn, position.view("north").at("a2").kind
(<Side.NORTH: 'north'>, '')
"""

from flagfall.edition import game_ids as games
from flagfall.engine import notice
from flagfall.library.players import ComputerPlayer, play, player, player_names
from flagfall.library.positions import Game, Position, game, random_setup

notice.explain_with("flagfall: compiling, once on this machine; this takes about a minute …")

__all__ = [
    "ComputerPlayer",
    "Game",
    "Position",
    "game",
    "games",
    "play",
    "player",
    "player_names",
    "random_setup",
]
