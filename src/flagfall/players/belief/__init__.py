"""What a computer player thinks of hidden pieces: exact marginals, and sampled hidden armies."""

from flagfall.players.belief.belief import Belief, public_belief

__all__ = ["Belief", "public_belief"]
