"""What a position is worth, from what is left on the board."""
