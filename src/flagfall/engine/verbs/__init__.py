"""The verbs: one module each. `generate` writes the legal actions, `resolve` plays one."""
