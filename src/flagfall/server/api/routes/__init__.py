"""What the API does, a module for each group of addresses."""
