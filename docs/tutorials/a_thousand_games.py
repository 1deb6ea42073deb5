# %% [markdown]
# # Analyse a thousand games
#
# Where should the Flag stand on the smallest board? Let random players try it a thousand times. For
# millions of games or larger boards, `flagfall simulate` writes records to a file
# ([arena.md](../arena.md)).

# %%
import flagfall

games = [flagfall.play("random", "random", "mini/3x3", seed=seed) for seed in range(1000)]
print(len(games), "games,", sum(game.turns for game in games), "turns")

# %% [markdown]
# How did they end? The `outcome` of a position says who won and why.

# %%
from collections import Counter

ends = Counter((game.outcome.winner or "draw", game.outcome.reason) for game in games)
for (winner, reason), count in ends.most_common():
    print(f"{winner:6} {reason:15} {count:4}")

# %% [markdown]
# How long did they last?

# %%
from pathlib import Path

from flagfall.arena.charts import histogram, shares

Path("turns.svg").write_text(histogram([game.turns for game in games], "turns"), encoding="utf-8")

# %% [markdown]
# Each position keeps the setups it began from. For every square of South's Flag: the share of games that
# South won, with an interval of two standard errors.

# %%
won, played = Counter(), Counter()
for game in games:
    square = "abc"[str(flagfall.setups.write_setup(game.setups.south)).index("F")] + "1"
    played[square] += 1
    won[square] += game.outcome.winner == "south"

rows = []
for square in sorted(played):
    share = won[square] / played[square]
    error = 2 * (share * (1 - share) / played[square]) ** 0.5
    rows.append((f"Flag on {square}", share, share - error, share + error, None, None))
    print(f"Flag on {square}: {share:.1%} ± {error:.1%} of {played[square]} games")
Path("flag.svg").write_text(shares(rows), encoding="utf-8")
