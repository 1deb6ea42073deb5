# %% [markdown]
# # Write a bot
#
# A bot is any object with a method `choose(view, history)` that returns one of `view.legal`. The View holds
# what its side may know: its own pieces, and of the others what it was shown.

# %%
import flagfall

game = flagfall.game("barrage/classic")
position = game.new(seed=1)
print(position)

# %% [markdown]
# The first bot attacks if it can and otherwise takes the first legal action.


# %%
class Attacker:
    def choose(self, view, history):
        attacks = [action for action in view.legal if action.verb_name == "attack"]
        return (attacks or view.legal)[0]


print(flagfall.play(Attacker(), "random", game, seed=1).outcome)

# %% [markdown]
# One game says little. Play twenty, and change sides after half of them, because South moves first.


# %%
def wins(bot, opponent, games=20):
    won = 0
    for seed in range(games):
        if seed % 2:
            won += flagfall.play(opponent, bot, game, seed=seed).outcome.winner == "north"
        else:
            won += flagfall.play(bot, opponent, game, seed=seed).outcome.winner == "south"
    return won


print(f"Attacker wins {wins(Attacker(), 'random')} of 20 games")

# %% [markdown]
# The second bot weighs what it attacks. `view.at(square)` is the piece that its side sees there: `kind` if
# it was shown, otherwise the kinds that are `possible`. It attacks if it would capture most of them, and
# otherwise goes forward.

# %%
RANKS = {kind.id: kind.rank for kind in game.rules.kinds}


class Careful:
    def choose(self, view, history):
        return max(view.legal, key=lambda action: self.score(view, action))

    def score(self, view, action):
        if action.verb_name != "attack":
            return 0.2 if (action.target > action.origin) == (view.viewer == "south") else 0
        own, other = view.at(action.origin_square), view.at(action.target_square)
        kinds = [other.kind] if other.kind else other.possible
        captured = [kind for kind in kinds if kind == "flag" or RANKS[own.kind] > RANKS[kind]]
        return 2 * len(captured) / len(kinds) - 0.2


print(f"Careful wins {wins(Careful(), 'random')} of 20 games")
print(f"Careful wins {wins(Careful(), Attacker())} of 20 games against Attacker")

# %% [markdown]
# A bot with `set_up(side)` also chooses its setup; a class that every command finds by `module:Class` is in
# `examples/my_player.py`. [players.md](../players.md) lists opponents that are harder to beat.
