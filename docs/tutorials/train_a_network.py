# %% [markdown]
# # Train a network
#
# A network learns `mini/3x3` by playing itself ([training.md](../training.md)). On so small a board it can be
# measured exactly: what does a player win who knows all its chances, but not its pieces?
# `pip install "flagfall[train]"` brings torch, which only learning needs.

# %%
from pathlib import Path

from flagfall.training.exploit import exploitability, random_policy

TURNS = 4
random = exploitability("mini/3x3", {}, random_policy, TURNS)
print(f"against random play a best response wins {random.mean:.1f} points a game")

# %% [markdown]
# A recipe has every number of a run. This one is far shorter than the usual one for this board: games of four
# turns, 30 updates.

# %%
from flagfall.training.recipes import recipe_for
from flagfall.training.run import Evaluation, Run

changes = {"max_turns": TURNS, "updates": 30, "self_games": 32, "steps": 8, "channels": 8, "batch": 128}
recipe = recipe_for("mini/3x3", {}, [f"{name}={value}" for name, value in changes.items()])

run = Run.begin(Path("run"), recipe)
run.go_on(Evaluation(games=0, exploit_every=30))

measured = [line for line in run.lines if line.exploitability is not None]
print(f"{run.learner.positions} positions in {run.learner.updates} updates")
print(sorted(file.name for file in Path("run").iterdir()))

# %% [markdown]
# It plays by chance, and must: on this board a setup that is always the same loses. Now it is harder to
# exploit than random play.

# %%
learned = measured[-1].exploitability
print(f"now a best response wins {learned.mean:.1f} points a game")
print("harder to exploit than random play:", learned.mean < random.mean)

# %% [markdown]
# `network.safetensors` plays without torch, wherever players are named; `flagfall serve --network` offers it
# in the browser.

# %%
import flagfall

network = flagfall.player("net:run/network.safetensors", seed=1)
won = 0
for seed in range(20):
    last = flagfall.play(network, "random", "mini/3x3", seed=seed, max_turns=40)
    won += last.outcome is not None and last.outcome.winner == "south"
print("as South it wins more than half of its games against random play:", won > 10)
