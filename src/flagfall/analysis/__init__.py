"""A recorded game looked at again: win estimates of both sides, beliefs held to the truth, turning points."""
