"""The primitives: one module each, named by motion. Each has `generate` and `resolve`."""
