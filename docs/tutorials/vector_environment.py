# %% [markdown]
# # A vector environment in twenty lines
#
# `VectorEnv` plays many games at once in compiled kernels. An action is a number, an observation is planes
# of 0 and 1, and `env.mask` says which actions are legal ([rl.md](../rl.md)). Here a policy plays against
# random play.

# %%
import numpy as np

from flagfall.rl import VectorEnv

rng = np.random.default_rng(1)


def anything(seen):
    return (seen.mask * rng.random(seen.mask.shape)).argmax(axis=-1)


env = VectorEnv("mini/3x4", 64, seed=1, opponent=anything, max_turns=100)
env.reset()
print("planes", env.planes.shape, "scalars", env.scalars.shape, "mask", env.mask.shape)


# %% [markdown]
# The policy takes the legal action with the highest number: rows are counted from the mover's side, so that
# is an action of its foremost piece.


# %%
def forward(mask):
    return mask.shape[1] - 1 - np.argmax(mask[:, ::-1], axis=1)


def share_of_wins(policy, steps=40):
    won = lost = 0
    for _ in range(steps):
        env.step(policy(env.mask).astype(np.int32))
        rewards = env.rewards[np.arange(64), env.seats]
        won, lost = won + (rewards > 0).sum(), lost + (rewards < 0).sum()
    return won / (won + lost), won + lost


share, games = share_of_wins(forward)
print(f"forward wins {share:.0%} of {games} games")

# %% [markdown]
# The same environment with random actions, for comparison. `env.sample()` draws a legal action for each
# game.

# %%
share, games = share_of_wins(lambda mask: env.sample())
print(f"random play wins {share:.0%} of {games} games")

# %% [markdown]
# Running forward is no better than moving at random: the Flag is left alone. `examples/vector_env.py` is
# the same as a program, and makes a player of the policy that sits at any table.
