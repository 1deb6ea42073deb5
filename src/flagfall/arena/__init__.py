"""Games between players in numbers: matches, leagues, simulation, signatures, perft."""
