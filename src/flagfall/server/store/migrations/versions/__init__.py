"""How the schema came to be; run in order at start."""
