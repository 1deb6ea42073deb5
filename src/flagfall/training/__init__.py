"""Learning to play: self-play with PPO, and learning from recorded games (`docs/training.md`).

It needs torch (``pip install "flagfall[train]"``), which is imported by the modules that compute with it and
by no other. What was learned is a file that plays without torch (`flagfall.rl.network_file`).
"""
