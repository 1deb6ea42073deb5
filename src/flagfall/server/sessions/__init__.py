"""Live matches: the registry, one session a match, and what each viewer is sent."""
