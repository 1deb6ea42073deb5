"""Many games: matches between players, and the numbers that guard the engine's behaviour."""
