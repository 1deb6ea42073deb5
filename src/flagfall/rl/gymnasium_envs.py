"""Gymnasium environments: one agent against an opponent, and many games at once. Needs ``flagfall[rl]``.

Importing this module registers every game, such as ``flagfall/barrage-classic-v0``::

    import gymnasium
    import flagfall.rl.gymnasium_envs

    env = gymnasium.make("flagfall/mini-3x4-v0", opponent="greedy")
    many = gymnasium.make_vec("flagfall/mini-3x4-v0", num_envs=64, vectorization_mode="vector_entry_point")

An observation is ``{"planes", "scalars"}``, as `VectorEnv` shows them to the agent; which actions are legal
is in ``info["action_mask"]``.
"""

# ruff: noqa: E402
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from flagfall.extras import require

require("rl", "The Gymnasium environment")

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from flagfall.edition import Game, Options, game_ids
from flagfall.errors import UserError
from flagfall.rl.layout import Layout
from flagfall.rl.opponents import OpponentLike
from flagfall.rl.vector_env import IllegalActionError, Seat, Setups, VectorEnv

Illegal = Literal["lose", "error"]
"""what an illegal action does: it loses the game, or raises `IllegalActionError`"""
Seen = dict[str, NDArray[Any]]
_SEEDS: Final = 2**31
_INT16 = np.iinfo(np.int16)


def game_spaces(layout: Layout) -> tuple[spaces.Space[Any], spaces.Discrete[Any]]:
    """Return the spaces of a game's observations and actions."""
    board = layout.game.board
    planes = spaces.Box(0, 1, (layout.plane_count, board.rows, board.columns), np.uint8)
    scalars = spaces.Box(int(_INT16.min), int(_INT16.max), (layout.scalar_count,), np.int16)
    return spaces.Dict({"planes": planes, "scalars": scalars}), spaces.Discrete(layout.space.size)


class _Games:
    """Games that stop when they end, and what the agent sees of them."""

    def __init__(self, env: VectorEnv, illegal: Illegal) -> None:
        if illegal not in ("lose", "error"):
            raise UserError(f"illegal is “lose” or “error”, not “{illegal}”.")
        self.env, self._loses = env, illegal == "lose"
        self.acted = env.seats.copy()
        """the side that the agent played last in each game"""
        self.forfeits = np.zeros(env.n, dtype=np.bool_)
        """games that the last step lost by an illegal action"""

    def reset(self, seed: int) -> None:
        self.env.reset(seed=seed)
        self.acted[:] = self.env.to_play
        self.forfeits[:] = False

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Play, and return rewards of the agent and which games ended or were truncated."""
        env = self.env
        self.acted[:] = env.to_play
        is_number = (actions >= 0) & (actions < env.space.size)
        legal = env.mask[np.arange(env.n), np.where(is_number, actions, 0)] & is_number
        self.forfeits = ~legal & (env.count > 0)
        if self.forfeits.any() and not self._loses:
            wrong = int(np.flatnonzero(self.forfeits)[0])
            raise IllegalActionError(
                f"Action {actions[wrong]} is not legal in game {wrong}; use info[“action_mask”]."
            )
        env.forfeit(self.forfeits)
        env.step(np.where(legal, actions, 0))
        rewards = env.rewards[np.arange(env.n), self.acted].astype(np.float64)
        return rewards, env.terminated, env.truncated

    def seen(self, sides: NDArray[np.int8] | None = None) -> Seen:
        """Return what the mover, or a side of each game, may know; new arrays."""
        if sides is None:
            return {"planes": self.env.planes.copy(), "scalars": self.env.scalars.copy()}
        seen = self.env.observe(sides)
        return {"planes": seen.planes, "scalars": seen.scalars}

    def mask(self) -> NDArray[np.int8]:
        """Return which actions are legal; a new array."""
        return self.env.mask.astype(np.int8)


class GymnasiumEnv(gymnasium.Env[Seen, np.int64]):
    """One game against an opponent: a player's name, a `flagfall.player` or a policy.

    With ``seat="both"`` every game draws the agent's seat. An illegal action loses the game, or raises
    `IllegalActionError` with ``illegal="error"``. The reward is 1 for a win, -1 for a loss, 0 otherwise.
    """

    metadata = {"render_modes": []}

    def __init__(
        self,
        game: Game | str = "barrage/classic",
        opponent: OpponentLike = "random",
        *,
        seat: Seat = "both",
        options: Options | Mapping[str, str] | None = None,
        setups: Setups = "random",
        max_turns: int = 0,
        illegal: Illegal = "lose",
    ) -> None:
        env = VectorEnv(
            game, 1, options=options, setups=setups, max_turns=max_turns,
            autoreset=False, opponent=opponent, seat=seat,
        )  # fmt: skip
        self._games, self._draws_seat = _Games(env, illegal), seat == "both"
        self.layout = env.layout
        self.observation_space, self.action_space = game_spaces(env.layout)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin a new game; with a seed, the same as ever with that seed."""
        super().reset(seed=seed)
        if self._draws_seat:
            self._games.env.seats[0] = self.np_random.integers(2)
        self._games.reset(int(self.np_random.integers(_SEEDS)))
        return self._seen(None), self._info()

    def step(self, action: ArrayLike) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play an action, and what the opponent answers."""
        if not self._games.env.count[0]:
            raise UserError("The game is over; call reset.")
        rewards, ended, truncated = self._games.step(np.array([action], dtype=np.int64))
        return (
            self._seen(self._games.acted),
            float(rewards[0]),
            bool(ended[0]),
            bool(truncated[0]),
            self._info(),
        )

    def _seen(self, sides: NDArray[np.int8] | None) -> Seen:
        return {name: array[0] for name, array in self._games.seen(sides).items()}

    def _info(self) -> dict[str, Any]:
        env = self._games.env
        return {"action_mask": self._games.mask()[0], "seat": int(env.seats[0])}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, as sb3-contrib asks for it."""
        mask: NDArray[np.bool_] = self._games.env.mask[0].copy()
        return mask

    def close(self) -> None:
        """End its threads."""
        self._games.env.close()


class GymnasiumVectorEnv(gymnasium.vector.VectorEnv[Seen, NDArray[np.int64], NDArray[Any]]):
    """Many games at once, which begin again in the same step (`AutoresetMode.SAME_STEP`).

    Without an ``opponent`` the agent plays both sides in turn: ``info["to_play"]`` says which, and a reward
    is that of the side that has just played. ``info["final_obs"]`` and ``info["final_info"]`` are of games
    that have ended.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        num_envs: int = 1,
        game: Game | str = "barrage/classic",
        opponent: OpponentLike | None = None,
        *,
        seat: Seat = "both",
        options: Options | Mapping[str, str] | None = None,
        setups: Setups = "random",
        threads: int = 1,
        max_turns: int = 0,
        illegal: Illegal = "lose",
    ) -> None:
        env = VectorEnv(
            game, num_envs, options=options, setups=setups, threads=threads, max_turns=max_turns,
            autoreset=False, opponent=opponent, seat=seat,
        )  # fmt: skip
        self._games = _Games(env, illegal)
        self.layout = env.layout
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = game_spaces(env.layout)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin a new game everywhere; with a seed, the same games as ever with that seed."""
        super().reset(seed=seed)
        self._games.reset(int(self.np_random.integers(_SEEDS)))
        return self._games.seen(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Seen, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play an action in every game, and what opponents answer; begin games that ended again."""
        chosen = np.asarray(actions, dtype=np.int64)
        if chosen.shape != (self.num_envs,):
            raise UserError(f"step needs {self.num_envs} actions, one for each game.")
        games, final = self._games, dict[str, Any]()
        rewards, ended, truncated = games.step(chosen)
        over = ended | truncated
        if over.any():
            seen, results = games.seen(games.acted), games.env.results.copy()
            for i in np.flatnonzero(over).tolist():
                last = {name: array[i] for name, array in seen.items()}
                told = {"result": int(results[i, 1]), "turns": int(results[i, 3])}
                final = self._add_info(final, {"final_obs": last, "final_info": told}, i)
            games.env.reset(games=over)
        return games.seen(), rewards, ended, truncated, {**self._info(), **final}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._games.mask(), "to_play": self._games.env.to_play.copy()}

    def close_extras(self, **arguments: Any) -> None:
        """End its threads."""
        self._games.env.close()


def register_games() -> None:
    """Register every game that there is with Gymnasium."""
    for game in game_ids():
        name = f"flagfall/{game.replace('/', '-')}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{__name__}:GymnasiumEnv",
                vector_entry_point=f"{__name__}:GymnasiumVectorEnv",
                kwargs={"game": game},
            )


register_games()
