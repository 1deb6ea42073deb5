"""Environments for learning: many games at once in compiled kernels (`docs/rl.md`).

Importing this package first chooses compiled kernels, unless a mode was chosen.
"""

from flagfall.engine import mode, notice

mode.prefer_compiled()
notice.explain_with("flagfall: compiling, once on this machine; this takes about half a minute …")

from flagfall.rl.actions import ActionSpace  # noqa: E402
from flagfall.rl.layout import Layout  # noqa: E402
from flagfall.rl.observer import Observation, Observer  # noqa: E402
from flagfall.rl.policy_player import PolicyPlayer, player_of  # noqa: E402
from flagfall.rl.vector_env import EnvState, IllegalActionError, VectorEnv  # noqa: E402

__all__ = [
    "ActionSpace",
    "EnvState",
    "IllegalActionError",
    "Layout",
    "Observation",
    "Observer",
    "PolicyPlayer",
    "VectorEnv",
    "player_of",
]
