# %% [markdown]
# # Explore belief
#
# What can a player know about hidden pieces? `Belief` counts over all armies that fit what it was told, and
# weighs them by how people set up and behave ([belief.md](../belief.md)).

# %%
import flagfall
from flagfall.players.belief import Belief

game = flagfall.game("barrage/classic")
start = game.new(seed=4)
belief = Belief(game.rules, game.options, flagfall.Side.SOUTH)
belief.update(start.view("south"), start.history("south"))

# %% [markdown]
# Each row of `marginals()` is a hidden piece, each column a kind. Before the first move:

# %%
print(" " * 4, *(kind[:7].rjust(7) for kind in game.kinds))
pieces = {piece.name: piece.square for piece in start.view("south").pieces}
for name, chances in zip(belief.names, belief.marginals()):
    print(f"{pieces[name]:>4}", *(f"{chance:7.2f}" for chance in chances))

# %% [markdown]
# Then two random players play sixty turns. A piece that has moved is no Bomb and no Flag, and one that was
# shown is known.

# %%
end = flagfall.play("random", "random", game, setups=start.setups, seed=2, max_turns=60)
view = end.view("south")
belief.update(view, end.history("south"))
squares = {piece.name: piece.square for piece in view.pieces}
for name, chance in sorted(belief.flag_chances().items(), key=lambda pair: -pair[1]):
    print(f"{squares[name]:>4} is the Flag: {chance:.0%}")
print(
    "in truth it stands on",
    *(at for at, piece in end.pieces.items() if piece.side == "north" and piece.kind == "flag"),
)

# %% [markdown]
# The chance of the true Flag, turn by turn, drawn with the chart module that reports use.

# %%
from pathlib import Path

from flagfall.arena.charts import lines

flag = next(
    piece.name for piece in end.view("truth").pieces if piece.side == "north" and piece.kind == "flag"
)
replayed, curve = game.new(*start.setups), []
for action in end.actions:
    replayed.push(action)
    if replayed.turn == "south" and not replayed.is_over:
        belief.update(replayed.view("south"), replayed.history("south"))
        curve.append((replayed.turns, belief.flag_chances().get(flag, 0.0)))
Path("flag.svg").write_text(
    lines([("chance", curve)], "chance of the true Flag after each turn"), encoding="utf-8"
)
