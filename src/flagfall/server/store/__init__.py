"""The store: guests, matches and one append-only log, in SQLite. Knows rows, never Views."""
