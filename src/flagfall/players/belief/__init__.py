"""What a computer player thinks of hidden pieces: exact chances, and whole hidden armies by lot."""

from flagfall.players.belief.belief import Belief, public_belief

__all__ = ["Belief", "public_belief"]
