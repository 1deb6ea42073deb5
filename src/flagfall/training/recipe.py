"""Recipe: everything that decides a run of `flagfall train policy`, kept with it."""

from __future__ import annotations

from msgspec import Struct

from flagfall.errors import UserError


class TrainingError(UserError):
    """Something about a run is not as it should be; the message says what to do."""

    code = "training"


class Recipe(Struct, frozen=True):
    """How a policy learns; equal recipes and seeds give equal runs."""

    game: str
    options: dict[str, str] = {}
    seed: int = 1
    places: bool = True
    """whether it learns to place its pieces too, or gets random setups"""
    dealt: float = 0.0
    """share of the games in which armies are set up in random styles, to learn to play from any setup"""
    channels: int = 32
    layers: int = 2
    updates: int = 1000
    """when strength of regularisation and learning rate have come down"""
    self_games: int = 48
    """games at once against itself"""
    pool_games: int = 16
    """games at once against an earlier self"""
    player_games: int = 0
    """games at once against each of the named players"""
    players: tuple[str, ...] = ()
    steps: int = 32
    """steps of every game between two updates"""
    epochs: int = 2
    batch: int = 512
    rate: float = 1e-3
    last_rate: float = 1e-4
    clip: float = 0.2
    decay: float = 0.95
    """λ of the advantages"""
    scales: bool = True
    """whether advantages are divided by their spread; near perfect play that makes noise large"""
    entropy: float = 0.02
    """how much chance is kept in the policy at first, and at last"""
    last_entropy: float = 0.003
    magnet: float = 0.05
    """how strongly the policy is held near its reference, a recent self"""
    magnet_every: int = 25
    """updates after which the reference moves to the present policy, and joins the pool"""
    average: float = 0.0
    """share of the mean of all weights so far in the next one; the mean plays, 0 means the last weights do"""
    pool_size: int = 12
    max_turns: int = 400
    save_every: int = 20
    """updates after which a checkpoint is written"""
    parts: int = 1
    """into how many parts the games are divided, which several processes can play; it changes the games"""

    def share(self, update: int) -> float:
        """Return how much of the planned run is over, 0 to 1."""
        return min(1.0, update / max(1, self.updates))

    def rate_at(self, update: int) -> float:
        """Return the learning rate of an update."""
        return float(self.rate * (self.last_rate / self.rate) ** self.share(update))

    def entropy_at(self, update: int) -> float:
        """Return the weight of entropy of an update."""
        return float(self.entropy * (self.last_entropy / self.entropy) ** self.share(update))


def check_recipe(recipe: Recipe) -> None:
    """Refuse numbers with which nothing can be learned."""
    positive = (
        "channels",
        "updates",
        "steps",
        "epochs",
        "batch",
        "magnet_every",
        "pool_size",
        "save_every",
        "parts",
    )
    for name in positive:
        if getattr(recipe, name) < 1:
            raise TrainingError(f"{name} must be at least 1, not {getattr(recipe, name)}.")
    for name in ("rate", "last_rate", "clip", "entropy", "last_entropy"):
        if not 0 < getattr(recipe, name) < 1:
            raise TrainingError(f"{name} must be between 0 and 1, not {getattr(recipe, name)}.")
    if not 0 <= recipe.decay <= 1:
        raise TrainingError(f"decay must be from 0 to 1, not {recipe.decay}.")
    if not 0 <= recipe.dealt <= 1:
        raise TrainingError(f"dealt must be from 0 to 1, not {recipe.dealt}.")
    if not 0 <= recipe.average < 1:
        raise TrainingError(f"average must be from 0 to less than 1, not {recipe.average}.")
    if min(recipe.layers, recipe.self_games, recipe.pool_games, recipe.player_games, recipe.magnet) < 0:
        raise TrainingError("layers, numbers of games and magnet cannot be negative.")
    if recipe.self_games + recipe.pool_games + recipe.player_games * len(recipe.players) < 1:
        raise TrainingError("There are no games to learn from: give self_games, pool_games or player_games.")
    numbers = recipe.self_games, recipe.pool_games, recipe.player_games
    if recipe.parts > 1 and any(number % (2 * recipe.parts) for number in numbers):
        raise TrainingError(
            f"With {recipe.parts} parts, self_games, pool_games and player_games must be multiples of "
            f"{2 * recipe.parts}, so that every part plays as many games from each side."
        )
    if recipe.channels > 256 or recipe.layers > 20:
        raise TrainingError("A network has at most 256 channels and 20 layers.")
