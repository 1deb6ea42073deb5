"""The search: alpha-beta in Worlds drawn from a belief."""
