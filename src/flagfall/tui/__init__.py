"""Terminal clients: the plain game, replays, and how commands print."""
