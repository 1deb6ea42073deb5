# %% [markdown]
# # Make a position
#
# For a puzzle, a test or an idea, say which pieces stand where. These pieces are the whole armies. `known`
# are the squares whose piece the opponent has been shown.

# %%
import flagfall

game = flagfall.game("onyx/classic")
position = game.position(
    south={"a1": "flag", "e4": "miner", "f4": "major"},
    north={"a10": "flag", "e5": "bomb", "f5": "captain", "j10": "spy"},
    known=["e4"],
)
print(position)

# %% [markdown]
# That is the truth. South sees only where North's pieces stand, and which kinds each can be. None of them
# has moved, so none can be ruled out yet.

# %%
view = position.view("south")
for square in ("e5", "f5", "j10"):
    print(square, view.at(square).kind or "hidden", *view.at(square).possible)

# %% [markdown]
# `push` plays an action as people write it, `apply` plays it on a copy. What is shown in a fight is known
# from then on, and the rest follows by counting.

# %%
after = position.apply("f4xf5")
print(after.pieces["f5"].kind, "won;", after.turn, "to move")
after.push("j10-j9")
view = after.view("south")
for square in ("e5", "a10", "j9"):
    print(square, view.at(square).kind or "hidden", *view.at(square).possible)

# %% [markdown]
# An action that is not legal is refused with the reason, and nothing changes.

# %%
try:
    after.push("f5-h5")
except flagfall.RefusedError as error:
    print(error)
print(len(after.legal_actions), "legal actions:", *(after.text(action) for action in after.legal_actions))

# %% [markdown]
# A loop over `apply` is a search of one ply: what does each attack leave on the square?

# %%
for action in after.legal_actions:
    if action.verb_name == "attack":
        left = after.apply(action).piece_at("e5")
        print(after.text(action), "leaves", f"{left.side}'s {left.kind}" if left else "nothing")
