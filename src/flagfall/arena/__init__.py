"""Many games: simulation, signatures, perft, benchmarks."""
