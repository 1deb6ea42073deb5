"""The search: alpha-beta in Worlds sampled from a belief."""
