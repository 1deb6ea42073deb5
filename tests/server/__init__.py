"""The server over its wires: whole games, resuming, nothing leaked, nothing lost, nothing breaks it."""
