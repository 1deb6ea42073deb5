"""Computer players; they see Views only."""
