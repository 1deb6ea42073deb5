"""A PettingZoo environment: both sides are agents who play in turn (AEC). Needs ``flagfall[rl]``.

::

    from flagfall.rl import pettingzoo_env

    env = pettingzoo_env.env("mini/3x4")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        ...

As in PettingZoo's own board games an observation is ``{"observation", "action_mask"}``: the planes of that
side, followed by its scalars as planes with one value each; and which actions are legal.
"""

# ruff: noqa: E402
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagfall.extras import require

require("rl", "The PettingZoo environment")

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.env import ActionType

from flagfall.edition import Game, Options
from flagfall.rl.drawing import draw_observation
from flagfall.rl.observer import Observation
from flagfall.rl.vector_env import Setups, VectorEnv

AGENTS = ("south_0", "north_1")
_INT16 = np.iinfo(np.int16)


def env(game: Game | str = "barrage/classic", **arguments: Any) -> AECEnv[str, Any, Any]:
    """Return an environment with PettingZoo's usual checks: an illegal action loses, calls come in order."""
    checked: AECEnv[str, Any, Any] = PettingZooEnv(game, **arguments)
    checked = wrappers.TerminateIllegalWrapper(checked, illegal_reward=-1)
    checked = wrappers.AssertOutOfBoundsWrapper(checked)
    return wrappers.OrderEnforcingWrapper(checked)


class PettingZooEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """One game between the agents ``south_0`` and ``north_1``; an illegal action raises."""

    metadata = {"render_modes": ["ansi"], "name": "flagfall_v0", "is_parallelizable": False}

    def __init__(
        self,
        game: Game | str = "barrage/classic",
        *,
        options: Options | Mapping[str, str] | None = None,
        setups: Setups = "random",
        max_turns: int = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._env = VectorEnv(game, 1, options=options, setups=setups, max_turns=max_turns, autoreset=False)
        self.layout = layout = self._env.layout
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        board = layout.game.board
        shape = (layout.plane_count + layout.scalar_count, board.rows, board.columns)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(int(_INT16.min), int(_INT16.max), shape, np.int16),
                    "action_mask": spaces.Box(0, 1, (layout.space.size,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(layout.space.size) for agent in AGENTS}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; with a seed, the same as ever with that seed."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._env.reset(seed=int(self._rng.integers(2**31)))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[int(self._env.to_play[0])]

    def step(self, action: ActionType) -> None:
        """Play an action of the selected agent; None once its game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._env.step(np.array([action]))
        self._cumulative_rewards[agent] = 0
        self.rewards = dict(zip(AGENTS, self._env.rewards[0].tolist(), strict=True))
        is_over, is_long = bool(self._env.terminated[0]), bool(self._env.truncated[0])
        self.terminations = dict.fromkeys(AGENTS, is_over)
        self.truncations = dict.fromkeys(AGENTS, is_long)
        if is_over or is_long:
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        else:
            self.agent_selection = AGENTS[int(self._env.to_play[0])]
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent may know now, whether or not it is its turn."""
        seen = self._seen(agent)
        board = self.layout.game.board
        scalars = np.broadcast_to(seen.scalars[:, None, None], (len(seen.scalars), board.rows, board.columns))
        planes = np.concatenate([seen.planes.astype(np.int16), scalars])
        return {"observation": planes, "action_mask": seen.mask.astype(np.int8)}

    def _seen(self, agent: str) -> Observation:
        return Observation(*(part[0] for part in self._env.observe(AGENTS.index(agent))))

    def render(self) -> str | None:
        """Return the board as the selected agent may know it, with ``render_mode="ansi"``."""
        if self.render_mode is None:
            return None
        side = AGENTS.index(self.agent_selection)
        return draw_observation(self.layout, self._seen(self.agent_selection), side)

    def close(self) -> None:
        """End its threads."""
        self._env.close()
