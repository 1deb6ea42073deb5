"""Many games: simulation, signatures, benchmarks."""
