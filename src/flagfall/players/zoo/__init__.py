"""The zoo: simple players with one habit each, to measure stronger ones against."""
