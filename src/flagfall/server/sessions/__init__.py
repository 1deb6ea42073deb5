"""Live matches: the registry, a session for each match, and the messages for each viewer."""
