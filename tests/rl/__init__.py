"""Laws of the environments: what they show is what the mover may know, and nothing else."""
