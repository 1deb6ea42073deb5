"""VectorEnv: many games of one kind at once, in compiled kernels, for self-play and learning.

>>> env = VectorEnv("mini/3x3", 2, seed=1)
>>> env.reset()
>>> env.planes.shape, env.mask.shape, env.to_play.tolist()
((2, 21, 3, 3), (2, 72), [0, 0])
>>> env.step(env.sample())
>>> env.to_play.tolist()
[1, 1]

The buffers are made once and written in place by every call: ``planes``, ``scalars``, ``mask``, ``legal``,
``count``, ``to_play``, ``rewards``, ``terminated`` … are NumPy arrays that torch and jax take without a copy.
Copy what must outlive the next step. All of it is from the side of the player to move in each game.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flagfall.edition import Game, Options, load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine import play, simulate
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.kernel import Ints, buffer
from flagfall.engine.machine import LINE
from flagfall.engine.mode import VARIABLE, is_compiled
from flagfall.errors import UserError
from flagfall.library import ComputerPlayer
from flagfall.rl import stepping
from flagfall.rl.changes import RECORD_SIZE, SHOWN_TO
from flagfall.rl.layout import Layout
from flagfall.rl.memory import MEMORY_SIZE, PLACED, TURNS
from flagfall.rl.observer import Observation
from flagfall.rl.opponents import Opponent, OpponentLike, PlayerOpponent, PolicyOpponent
from flagfall.rl.referees import PRIORS, Prior, Referees, setups_of
from flagfall.rl.team import Team
from flagfall.setups import Setup

Setups = Literal["random", "agent"] | Sequence[Setup]
"""where armies come from: random, placed by the players, or a pool of setups"""
Seat = Literal["south", "north", "both"]
_SEATS = {"south": (0, 0), "north": (1, 1), "both": (0, 1)}
_BLOCKS = 8
_LARGEST_BLOCK = 64
"""a thread's part of the games is cut into so many blocks or more, of at most so many games"""
_NEAR = 10_000_000
"""bytes of games that come quickly without being asked for early, which costs a few instructions"""
_has_warned = False


class IllegalActionError(UserError):
    """An action is not legal in its game; no game has been changed."""

    code = "illegal"


@dataclass(frozen=True)
class EnvState:
    """All games of a VectorEnv at one moment; it holds what is hidden, so do not give it to a policy."""

    game: str
    arrays: tuple[NDArray[Any], ...]


class VectorEnv:
    """``n`` games at once; a game that ends begins again in the same step."""

    def __init__(
        self,
        game: Game | str,
        n: int,
        seed: int = 0,
        options: Options | Mapping[str, str] | None = None,
        setups: Setups = "random",
        *,
        threads: int = 1,
        masks: bool = True,
        planes: bool = True,
        truth: bool = False,
        max_turns: int = 0,
        autoreset: bool = True,
        opponent: OpponentLike | None = None,
        seat: Seat = "both",
        belief: Prior | None = None,
    ) -> None:
        """``truth`` allows `truth`; ``max_turns`` truncates longer games (0: only the rules end a game).

        Without ``masks`` or ``planes`` (and scalars) those buffers are not written, which is faster. Without
        ``autoreset`` a game that has ended waits for `reset`. An ``opponent`` (a policy, the name of a player
        or a `flagfall.player`) answers every step; ``seat`` says where the agent sits, “both” means South in
        even games and North in odd ones. ``belief`` allows `belief`.
        """
        if n < 1:
            raise UserError(f"A VectorEnv needs at least one game, not {n}.")
        if threads < 1:
            raise UserError(f"A VectorEnv needs at least one thread, not {threads}.")
        if not 0 <= max_turns < 2**15:
            raise UserError(f"max_turns is 0 to {2**15 - 1}, not {max_turns}.")
        if seat not in _SEATS:
            raise UserError(f"A seat is “south”, “north” or “both”, not “{seat}”.")
        if belief is not None and belief not in PRIORS:
            raise UserError(f"A belief is “even” or “people”, not “{belief}”.")
        warn_if_slow()
        self.game = load_game(game) if isinstance(game, str) else game
        self.options = options if isinstance(options, Options) else resolve(self.game, options or {})
        self.tables = compile_game(self.game, self.options)
        self.n = n
        self.layout = Layout(
            self.game, self.options, self.tables, places=setups == "agent", max_turns=max_turns
        )
        self.space = self.layout.space
        """the numbers of actions, `ActionSpace`"""
        self._make_buffers(masks, planes)
        self._make_rows(setups)
        self._allows_truth = truth
        self._wants = stepping.WANTS_MASK * masks + stepping.WANTS_PLANES * planes
        self._wants += stepping.STOPS * (not autoreset)
        self.autoreset = autoreset
        """whether a game that ends begins again in the same step"""
        self.seats = np.array([_SEATS[seat][i % 2] for i in range(n)], dtype=np.int8)
        """where the agent sits in each game if there is an opponent: 0 South, 1 North"""
        self._deals_alone = setups == "random"
        self._allows_belief = belief is not None
        self._referees: Referees | None = None
        self._opponent: Opponent | None = None
        self._player: PlayerOpponent | None = None
        if belief is not None or isinstance(opponent, str | ComputerPlayer):
            self._referees = Referees(self.layout, n, belief)
            if isinstance(opponent, str | ComputerPlayer):
                self._player = PlayerOpponent(opponent, self.layout, n, self._referees)
                self._opponent = self._player
        if opponent is not None and not isinstance(opponent, str | ComputerPlayer):
            if not (masks and planes):
                raise UserError("A policy as opponent needs masks and planes.")
            self._opponent = opponent if isinstance(opponent, Opponent) else PolicyOpponent(opponent)
        self._make_team(threads)
        self._has_begun = False
        self._is_warm = False
        self._seed(seed)

    def __repr__(self) -> str:
        return f"<VectorEnv {self.game.id}, {self.n} games>"

    def _make_buffers(self, masks: bool, planes: bool) -> None:
        n, board, layout = self.n, self.game.board, self.layout
        self._planes: NDArray[np.uint8] = np.zeros(
            (2, n if planes else 0, layout.plane_count, board.rows, board.columns), dtype=np.uint8
        )
        self._shown = _in_lines((2, n, RECORD_SIZE), np.int16)
        self._turn = 0
        self.scalars: NDArray[np.int16] = np.zeros((n if planes else 0, layout.scalar_count), dtype=np.int16)
        """small numbers, ``[game, scalar]``; `scalar_names` says what they are"""
        values = layout.option_scalars()
        self.scalars[:, layout.scalar_count - len(values) :] = values
        mask = np.zeros((n if masks else 0, self.space.size), dtype=np.uint8)
        self.mask: NDArray[np.bool_] = mask.view(np.bool_)
        """which actions are legal, ``[game, action]``"""
        self.legal: NDArray[np.int32] = np.zeros((n, self.space.max_legal), dtype=np.int32)
        """the legal actions, the first `count` of each row"""
        self.count: NDArray[np.int32] = np.zeros(n, dtype=np.int32)
        """how many actions are legal in each game"""
        self.to_play: NDArray[np.int8] = np.zeros(n, dtype=np.int8)
        """the side to play in each game: 0 South, 1 North"""
        self.rewards: NDArray[np.int8] = np.zeros((n, 2), dtype=np.int8)
        """what the last step gave South and North: 1 and -1 for a win, 0 otherwise"""
        self.results: NDArray[np.int16] = np.zeros((n, stepping.RESULT_WIDTH), dtype=np.int16)
        """of games that the last step ended: 1 ended or 2 truncated, result, reason (as in State), turns"""
        self._actions = np.zeros(n, dtype=np.int32)
        self._forfeits = np.zeros(n, dtype=np.bool_)
        self._mask8 = mask

    def _make_rows(self, setups: Setups) -> None:
        layout, n = self.layout, self.n
        bare, _ = play.deal(self.tables, {}, {})
        s = bare.buffer
        for i in range(S.STATE_SIZE):
            s[i] = 0 if i < S.BOARD else s[i]
        s[S.RESERVED] = int(self.tables.row[T.RESERVED_SQUARE])
        for side, kinds in enumerate(layout.piece_kinds):
            for piece, kind in enumerate(kinds, start=S.first_piece(side)):
                s[S.PIECE_INFO + piece] = kind | side << S.OWNER_SHIFT | S.TOLD_SOUTH << side
                if self.tables.row[T.KIND_FLAGS + kind] & T.MOBILE:
                    S.add_mover(s, side, piece)
        states = _in_lines((n, stepping.STATE_ROW), np.int16)
        self._states = states[:, : S.STATE_SIZE]
        self._memory = _in_lines((n, MEMORY_SIZE), np.int16)
        self._dice = np.zeros(n, dtype=np.int64)
        pool, sizes = self._read_pool(setups)
        space = layout.space
        packed = np.concatenate([space.packed_slots.reshape(-1), space.packed_rest.reshape(-1)])
        fixed = (layout.row(), packed, layout.zones().reshape(-1), bare.row, pool, sizes)
        self._rows: tuple[Ints, ...] = (self.tables.buffer, *map(buffer, fixed))
        written = (
            states, self._memory, self._dice, self._actions, self.legal, self.count, self._mask8,
            self._planes, self.scalars, self.to_play, self.rewards, self.results,
            self._shown,
        )  # fmt: skip
        self._written: tuple[Ints, ...] = tuple(buffer(array.reshape(-1)) for array in written)

    def _make_team(self, threads: int) -> None:
        """Prepare the call that plays a step, for this thread and for those that help."""
        n = self.n
        if sum(array.nbytes for array in (self._states, self._mask8, self._planes)) > _NEAR:
            self._wants += stepping.FETCHES
        self._team = Team(
            n, threads, n if threads == 1 else min(_LARGEST_BLOCK, -(-n // (threads * _BLOCKS)))
        )
        self._scratch = [(play.action_buffer(), play.event_buffer()) for _ in range(threads)]
        self._buffers = (*self._rows, *self._written, self._team.board, self._wants)

    def _read_pool(self, setups: Setups) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """Return setups as the cells of each army's pieces, South's first, and how many each side has."""
        if isinstance(setups, str):
            if setups not in ("random", "agent"):
                raise UserError(f"setups are “random”, “agent” or a list of setups, not “{setups}”.")
            return np.zeros(40, dtype=np.int16), np.zeros(2, dtype=np.int16)
        rows: list[list[list[int]]] = [[], []]
        for setup in setups:
            if setup.game.id != self.game.id:
                raise UserError(f"A setup of {setup.game.id} does not fit {self.game.id}.")
            side = int(setup.side)
            left = {kind: setup.cells_of(kind) for kind in set(setup.kinds.values())}
            cells = [left[kind].pop(0) for kind in self.layout.piece_kinds[side]]
            rows[side].append(cells + [0] * (T.ARMY - len(cells)))
        if not all(rows):
            raise UserError("A pool needs setups of both sides; a side has none.")
        return (
            np.array(rows[0] + rows[1], dtype=np.int16).reshape(-1),
            np.array([len(rows[0]), len(rows[1])], dtype=np.int16),
        )

    def _seed(self, seed: int) -> None:
        for i in range(self.n):
            self._dice[i] = simulate.seeded(seed * 1_000_003 + i)[0]
        self._rng = simulate.seeded(seed * 1_000_003 - 1)
        if self._opponent is not None:
            self._opponent.seed(seed)

    # ------------------------------------------------------------ playing

    def reset(self, seed: int | None = None, games: ArrayLike | None = None) -> None:
        """Begin a new game everywhere, or where ``games`` is true.

        With a seed, the same games as ever with that seed.
        """
        chosen = np.ones(self.n, dtype=np.bool_) if games is None else np.asarray(games, dtype=np.bool_)
        if chosen.shape != (self.n,):
            raise UserError(f"reset needs {self.n} truth values, one for each game.")
        if seed is not None:
            self._seed(seed)
        if games is not None:
            self._need_reset()
        self._has_begun = True
        self._reset(chosen)

    def _reset(self, chosen: NDArray[np.bool_]) -> None:
        """Begin anew; an opponent with the first turn may end a game before it is the agent's turn."""
        while chosen.any():
            self._actions[:] = np.where(chosen, stepping.RESET, stepping.SHOW)
            self._advance(turns_over=bool(chosen.all()))
            if self._opponent is None:
                return
            self._answer(self._opponent, chosen)
            chosen = chosen & (self.count == 0)

    def step(self, actions: ArrayLike) -> None:
        """Play one action in every game; a game that ends is followed by a new one at once.

        `IllegalActionError` if an action is not legal; then nothing was played. Without autoreset, the
        actions of games that have ended do not matter.
        """
        self._need_reset()
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise UserError(f"step needs {self.n} whole numbers, one for each game.")
        self._actions[:] = chosen
        if not self.autoreset:
            counts, waiting = self.count.copy(), self.count == 0
            self.count[self._forfeits] = 0
            self._actions[self.count == 0] = stepping.SHOW
        jobs = stepping.CHECK + (stepping.PLAY if self.autoreset else 0)
        wrong = self._do(jobs, 1 - self._turn)
        if wrong >= 0:
            number = int(self._actions[wrong])
            if not self.autoreset:
                self.count[:] = counts
            raise IllegalActionError(
                f"Action {number} is not legal in game {wrong}; the first {self.count[wrong]} of "
                f"env.legal[{wrong}] are."
            )
        if self.autoreset:
            self._turn = 1 - self._turn
            self._follow()
        else:
            self.rewards[waiting] = 0
            self._lose()
            self._advance()
        if self._opponent is not None:
            self._answer(self._opponent, np.zeros(self.n, dtype=np.bool_))

    def forfeit(self, games: ArrayLike) -> None:
        """The side to play gives up where ``games`` is true; only without autoreset.

        The next step shows the loss, whatever action it is given there.
        """
        if self.autoreset:
            raise UserError("Only games of a VectorEnv with autoreset=False can be given up.")
        self._forfeits[:] = np.asarray(games, dtype=np.bool_) & (self.count > 0)

    def _lose(self) -> None:
        """Write the results of games that were given up."""
        for i in np.flatnonzero(self._forfeits).tolist():
            side = int(self.to_play[i])
            self.rewards[i, side], self.rewards[i, 1 - side] = -1, 1
            winner = S.NORTH_WINS if side == 0 else S.SOUTH_WINS
            self.results[i] = stepping.TERMINATED, winner, 0, self._memory[i, TURNS]
        if len(self.mask):
            self.mask[self._forfeits] = False
        self._forfeits[:] = False

    def _answer(self, opponent: Opponent, is_new: NDArray[np.bool_]) -> None:
        """Let the opponent play until it is the agent's turn everywhere.

        A game may end and the next one too, before the agent plays: what counts is the first end, and none in
        games that are new.
        """
        ended = is_new | (self.results[:, stepping.ENDED] != stepping.RUNNING)
        rewards, results = self.rewards.copy(), self.results.copy()
        while (theirs := (self.to_play != self.seats) & (self.count > 0)).any():
            games = np.flatnonzero(theirs)
            seen = None
            if self._player is None:
                seen = Observation(self.planes[games], self.scalars[games], self.mask[games])
            chosen = opponent.answers(games, self.to_play[games], seen)
            for i, number in zip(games.tolist(), chosen.tolist(), strict=True):
                if number not in self.legal[i, : self.count[i]]:
                    raise UserError(f"The opponent chose action {number} in game {i}, which is not legal.")
            self._actions[:] = stepping.SHOW
            self._actions[games] = chosen
            self._advance()
            first = theirs & ~ended & (self.results[:, stepping.ENDED] != stepping.RUNNING)
            rewards[first], results[first] = self.rewards[first], self.results[first]
            ended |= first
        self.rewards[:], self.results[:] = rewards, results

    def sample(self) -> NDArray[np.int32]:
        """Return a random legal action for every game; always the same array."""
        self._need_reset()
        actions, legal, counts = self._written[3:6]
        stepping.choose_randomly(self._rows[1], legal, counts, self._rng, actions, self.n)
        return self._actions

    @property
    def opponent(self) -> Opponent | None:
        """Who answers, if anybody does."""
        return self._opponent

    @property
    def planes(self) -> NDArray[np.uint8]:
        """0 and 1, ``[game, plane, row, column]``; `plane_names` says what they are.

        Steps write two arrays by turns: what the step before showed stays as it was for one more step.
        """
        planes: NDArray[np.uint8] = self._planes[self._turn]
        return planes

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """In which games the last step ended the game by the rules."""
        ended: NDArray[np.bool_] = self.results[:, stepping.ENDED] == stepping.TERMINATED
        return ended

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """In which games the last step reached ``max_turns``."""
        ended: NDArray[np.bool_] = self.results[:, stepping.ENDED] == stepping.TRUNCATED
        return ended

    def _need_reset(self) -> None:
        if not self._has_begun:
            raise UserError("Call reset before the first step.")

    def _advance(self, *, turns_over: bool = True) -> None:
        """Play the actions, in threads where there are several, and write into the other set of planes."""
        if turns_over:
            self._turn = 1 - self._turn
        self._do(stepping.PLAY, self._turn)
        self._follow()

    def _do(self, jobs: int, turn: int) -> int:
        """Do the jobs in all games, in threads where there are several; as `stepping.take_part`."""
        take_part: Any = stepping.take_part
        if not self._is_warm:
            self._is_warm = True
            take_part(*self._buffers, 0, 0, 0, *self._scratch[0])
            self._team.start(partial(_help, self._buffers, self._scratch))
        self._team.wake()
        found: int = take_part(*self._buffers, jobs, turn, 0, *self._scratch[0])
        return found

    def _follow(self) -> None:
        """Play the same before the referees, if there are any."""
        referees = self._referees
        if referees is None:
            return
        has_changed = False
        for i, number in enumerate(self._actions.tolist()):
            if number >= 0 and referees.has(i):
                referees.play(i, number)
            has_ended = number >= 0 and self.results[i, stepping.ENDED] != stepping.RUNNING
            if number == stepping.RESET or (has_ended and self.autoreset):
                referees.end(i)
                if self._player is not None:
                    self._player.begin(i)
            if not referees.has(i) and not self._is_placing(i):
                has_changed |= self._begin_before(referees, i)
        if has_changed:
            self._actions[:] = stepping.SHOW
            self._do(stepping.PLAY, self._turn)

    def _is_placing(self, i: int) -> bool:
        total = sum(map(len, self.layout.piece_kinds))
        return self.layout.places and bool(self._memory[i, PLACED] < total)

    def _begin_before(self, referees: Referees, i: int) -> bool:
        """Begin a game before its referee; return whether the opponent has set up its own army."""
        south, north = setups_of(self.game, self._states[i])
        is_own = False
        if self._player is not None and self._deals_alone:
            mine = self._player.set_up(i, 1 - int(self.seats[i]))
            pair = (south, mine) if int(mine.side) else (mine, north)
            state, _ = play.deal(self.tables, pair[0].kinds, pair[1].kinds)
            if is_own := not state.is_over:
                south, north = pair
                self._states[i] = state.row
                self._shown[:, i, SHOWN_TO] = 0
        referees.begin(i, (south, north))
        return is_own

    def close(self) -> None:
        """End the threads."""
        self._team.close()

    # ------------------------------------------------------------ names, search, critics

    def plane_names(self, side: int = 0) -> tuple[str, ...]:
        """Return what every plane shows to that side."""
        return self.layout.plane_names(side)

    def scalar_names(self, side: int = 0) -> tuple[str, ...]:
        """Return what every scalar says to that side."""
        return self.layout.scalar_names(side)

    def state(self) -> EnvState:
        """Return all games as they are now, to come back to with `set_state`."""
        self._need_reset()
        rng = np.array([self._rng[0]], dtype=np.int64)
        return EnvState(self.game.id, (self._states.copy(), self._memory.copy(), self._dice.copy(), rng))

    def set_state(self, state: EnvState) -> None:
        """Go back to games of this VectorEnv, or of another one with the same game, options and size."""
        if self._referees is not None:
            raise UserError("A VectorEnv with a computer player or beliefs cannot go back to a state.")
        states, memory, dice, rng = state.arrays
        if state.game != self.game.id or states.shape != self._states.shape:
            raise UserError(f"A state of {len(states)} games of {state.game} does not fit {self!r}.")
        self._states[:], self._memory[:], self._dice[:] = states, memory, dice
        self._rng[0] = int(rng[0])
        self._shown[:] = 0
        self._has_begun = True
        self.rewards[:], self.results[:] = 0, 0
        self._actions[:] = stepping.SHOW
        self._advance()

    def observe(self, side: ArrayLike) -> Observation:
        """Return what one side may know, whether or not it is to play; or a side for each game.

        The mask is that of the side to play, and empty for the other one.
        """
        self._need_reset()
        sides = np.broadcast_to(np.asarray(side, dtype=np.int8), (self.n,)).copy()
        if not np.isin(sides, (0, 1)).all():
            raise UserError("A side is 0 for South or 1 for North.")
        board, layout = self.game.board, self.layout
        planes = np.zeros((self.n, layout.plane_count, board.rows, board.columns), dtype=np.uint8)
        scalars = np.zeros((self.n, layout.scalar_count), dtype=np.int16)
        values = layout.option_scalars()
        scalars[:, layout.scalar_count - len(values) :] = values
        t, g, _, zones = self._rows[:4]
        states, memory = self._written[:2]
        flat, out = buffer(planes.reshape(-1)), buffer(scalars.reshape(-1))
        stepping.write_sight(t, g, zones, states, memory, buffer(sides), flat, out, self.n)
        mask = self.mask & (sides == self.to_play)[:, None] if len(self.mask) else self.mask
        return Observation(planes, scalars, mask)

    def belief(self) -> NDArray[np.float32]:
        """Return the chances of every kind on the squares of the mover's hidden enemies.

        They are ``[game, kind, row, column]`` and as exact as a `Belief`; a square without a hidden enemy has
        zeros. Only with ``belief="even"`` (every setup is equally likely) or ``"people"`` (as people set up).
        """
        if self._referees is None or not self._allows_belief:
            raise UserError('Make the VectorEnv with belief="even" or belief="people" to ask for it.')
        self._need_reset()
        board = self.game.board
        planes = np.zeros((self.n, self.layout.kinds, board.rows * board.columns), dtype=np.float32)
        for i, side in enumerate(self.to_play.tolist()):
            if self._referees.has(i):
                self._referees.write_belief(i, side, planes[i])
        return planes.reshape(self.n, -1, board.rows, board.columns)

    def truth(self) -> NDArray[np.uint8]:
        """Return the true kinds of the mover's enemies, ``[game, kind, row, column]``: never for a policy.

        For critics that may see everything while they learn, and only with ``truth=True``.
        """
        if not self._allows_truth:
            raise UserError("Hidden kinds are kept back; make the VectorEnv with truth=True to see them.")
        self._need_reset()
        board = self.game.board
        planes = np.zeros((self.n, self.layout.kinds, board.rows, board.columns), dtype=np.uint8)
        written = self._written
        stepping.write_truth(self._rows[1], written[0], written[9], self.n, buffer(planes.reshape(-1)))
        return planes


def _help(buffers: tuple[Any, ...], scratch: list[tuple[Ints, Ints]], me: int) -> None:
    """Help to play steps until there is none for a while."""
    take_part: Any = stepping.take_part
    take_part(*buffers, 0, 0, me, *scratch[me])


def _in_lines(shape: tuple[int, ...], kind: type[np.int16]) -> NDArray[Any]:
    """Return zeros that begin with a line of memory."""
    size = math.prod(shape)
    spare = LINE // np.dtype(kind).itemsize
    row = np.zeros(size + spare, dtype=kind)
    begin = -row.ctypes.data % LINE // row.itemsize
    return row[begin : begin + size].reshape(shape)


def warn_if_slow() -> None:
    """Warn once if kernels run interpreted although nobody has chosen that."""
    import os

    global _has_warned
    if not is_compiled() and VARIABLE not in os.environ and not _has_warned:
        _has_warned = True
        warnings.warn(
            "Environments run with interpreted kernels, hundreds of times slower, because the engine was "
            "imported before flagfall.rl. Import flagfall.rl first, or set FLAGFALL_KERNELS=compiled.",
            RuntimeWarning,
            stacklevel=3,
        )
