"""An OpenSpiel game: both players place their pieces, then they play. Needs ``flagfall[openspiel]``.

::

    import pyspiel
    import flagfall.rl.open_spiel_game

    game = pyspiel.load_game("flagfall(game=mini/3x4)")

It has no chance: South places its pieces one by one, then North, unseen by each other, and then they play in
turn. Actions are the numbers of `ActionSpace`. The observation tensor is planes and scalars, and the
information state is a text with everything that a player has done and seen. After ``max_length`` actions the
game is a draw. Meant for the small games (mini, duel, barrage): each state is played by a referee in Python.
"""

# ruff: noqa: E402
from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from flagfall.extras import require

require("openspiel", "The OpenSpiel game")

import msgspec
import numpy as np
import pyspiel

from flagfall.edition import load_game, resolve
from flagfall.match.play import GameRunner
from flagfall.rl.drawing import draw_observation
from flagfall.rl.layout import Layout
from flagfall.rl.observer import Observation, Observer
from flagfall.setups import Setup
from flagfall.sides import SIDES

SHORT_NAME: Final = "flagfall"
DEFAULTS: Final = {"game": "mini/3x4", "options": "", "max_length": 400}
_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Flagfall",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


class _Rules:
    """What all states of a game share. OpenSpiel makes new objects of a game, without what we keep in it."""

    def __init__(self, game: str, options: str, max_length: int) -> None:
        self.game = load_game(game)
        pairs = (pair.partition("=") for pair in options.split(";") if pair)
        self.options = resolve(self.game, {name: value for name, _, value in pairs})
        self.observers = tuple(Observer(self.game, self.options, side, places=True) for side in (0, 1))
        self.layout: Layout = self.observers[0].layout
        self.max_length = max_length
        self.key = (game, options, max_length)


@lru_cache(maxsize=32)
def _rules(game: str, options: str, max_length: int) -> _Rules:
    return _Rules(game, options, max_length)


def _rules_of(chosen: Mapping[str, Any]) -> _Rules:
    return _rules(str(chosen["game"]), str(chosen["options"]), int(chosen["max_length"]))


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game under options, written ``rescue=on;memory=strict``."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = {**DEFAULTS, **(params or {})}
        rules = _rules_of(chosen)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.layout.space.size,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=sum(map(len, rules.layout.piece_kinds)) + rules.max_length,
        )
        super().__init__(_TYPE, info, dict(chosen))

    def new_initial_state(self) -> OpenSpielState:
        """Return the state before the first piece is placed."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> OpenSpielObserver:
        """Return what reads a state for one player."""
        return OpenSpielObserver(self, iig_obs_type, params)


class _Table:
    """What has been placed and played; a copy of it shares nothing that changes."""

    def __init__(self, rules: _Rules) -> None:
        self.rules = rules
        self.placed: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self.actions: tuple[list[int], list[int]] = ([], [])
        self.running: GameRunner | None = None
        self.length = 0
        self.numbers: list[int] = []
        """all actions of both sides in order"""

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (self.rules.key, tuple(self.numbers))

    def __deepcopy__(self, memo: dict[int, object]) -> _Table:
        other = _Table(self.rules)
        other.placed = (dict(self.placed[0]), dict(self.placed[1]))
        other.actions = (list(self.actions[0]), list(self.actions[1]))
        other.running = None if self.running is None else self.running.copy()
        other.length, other.numbers = self.length, list(self.numbers)
        return other

    @property
    def side(self) -> int:
        """The side to play."""
        if self.running is not None:
            return self.running.state.side
        return 0 if len(self.placed[0]) < len(self.rules.layout.piece_kinds[0]) else 1

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or because it is too long."""
        return self.running is not None and (self.running.is_over or self.length >= self.rules.max_length)

    def play(self, number: int) -> None:
        """Play the action with that number."""
        side, space = self.side, self.rules.layout.space
        self.actions[side].append(number)
        self.numbers.append(number)
        if self.running is not None:
            legal = self.running.referee.observers.legal(self.running.state)
            self.running.play(space.decode(number, side, legal))
            self.length += 1
            return
        kinds = self.rules.layout.piece_kinds
        self.placed[side][space.decode(number, side).target] = kinds[side][len(self.placed[side])]
        if len(self.placed[1]) == len(kinds[1]):
            setups = [Setup(self.rules.game, SIDES[at], self.placed[at]) for at in (0, 1)]
            self.running = GameRunner(self.rules.game, self.rules.options, setups)

    def observe(self, side: int) -> Observation:
        """Return what a side may know."""
        if self.running is None:
            return self.rules.observers[side].observe_placing(self.placed[side], is_asked=side == self.side)
        observer = self.rules.observers[side]
        observer.forget()
        return observer.observe(self.running.view(SIDES[side]), self.running.history(SIDES[side]))

    def remember(self, side: int) -> str:
        """Return everything a side has done and seen, as text."""
        seen = () if self.running is None else self.running.history(SIDES[side])
        done = ",".join(map(str, self.actions[side]))
        return f"{SIDES[side]} {done} {msgspec.json.encode(list(seen)).decode()}"


def _replayed(key: tuple[str, str, int], numbers: tuple[int, ...]) -> _Table:
    table = _Table(_rules(*key))
    for number in numbers:
        table.play(number)
    return table


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A game in progress."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.table = _Table(_rules_of(game.get_parameters()))

    def current_player(self) -> int:
        """Return who plays next: 0 South, 1 North."""
        return pyspiel.PlayerId.TERMINAL if self.table.is_over else self.table.side

    def _legal_actions(self, player: int) -> list[int]:
        if self.table.is_over or player != self.table.side:
            return []
        table, space = self.table, self.table.rules.layout.space
        if table.running is None:
            mask = table.observe(player).mask
            return [int(number) for number in np.flatnonzero(mask)]
        legal = table.running.referee.observers.legal(table.running.state)
        return sorted(space.encode(action, player) for action in legal)

    def _apply_action(self, action: int) -> None:
        self.table.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.table.rules.layout.space.names[action]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.table.is_over

    def returns(self) -> list[float]:
        """Return 1 and -1 for a win and a loss, and zeros otherwise."""
        result = self.table.running.result if self.table.running is not None else None
        if result is None or not result.winner:
            return [0.0, 0.0]
        return [1.0, -1.0] if result.winner == "south" else [-1.0, 1.0]

    def __str__(self) -> str:
        table = self.table
        both = (draw_observation(table.rules.layout, table.observe(side), side) for side in (0, 1))
        return "\n\n".join((*both, str(table.numbers)))


class OpenSpielObserver:
    """Reads a state for one player: planes and scalars, or with perfect recall a text."""

    def __init__(self, game: OpenSpielGame, wanted: Any, params: Any) -> None:
        if params:
            raise ValueError(f"There are no parameters of observations, such as {params}.")
        kind = wanted or pyspiel.IIGObservationType(perfect_recall=False)
        self._has_recall = bool(kind.perfect_recall)
        self._is_private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not self._has_recall and self._is_private:
            layout = _rules_of(game.get_parameters()).layout
            board = layout.game.board
            shape = (layout.plane_count, board.rows, board.columns)
            size = int(np.prod(shape))
            self.tensor = np.zeros(size + layout.scalar_count, dtype=np.float32)
            self.dict = {"planes": self.tensor[:size].reshape(shape), "scalars": self.tensor[size:]}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Read what a player may know now."""
        if self.tensor is not None:
            seen = state.table.observe(player)
            self.dict["planes"][:], self.dict["scalars"][:] = seen.planes, seen.scalars

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return what a player may know now, or with perfect recall all it has done and seen."""
        if not self._is_private:
            return ""
        if self._has_recall:
            return state.table.remember(player)
        seen = state.table.observe(player)
        drawn = draw_observation(state.table.rules.layout, seen, player)
        return f"{drawn}\n{' '.join(map(str, seen.scalars.tolist()))}"


pyspiel.register_game(_TYPE, OpenSpielGame)
