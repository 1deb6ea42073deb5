"""One game between two seats."""
