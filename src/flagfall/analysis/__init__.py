"""Analysis of a recorded game: win estimates of both sides, beliefs against the truth, turning points."""
