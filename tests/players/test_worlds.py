"""Worlds: a right guess plays like the true position, and any guess looks the same to the mover."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from flagfall.edition import game_ids, load_game
from flagfall.engine import state as S
from flagfall.engine.action import Action
from flagfall.engine.play import legal_actions, play
from flagfall.engine.state import State
from flagfall.engine.tables import PIECES, SILENT_DEFENSE
from flagfall.players.worlds import WorldSampler
from flagfall.view.view import SeenEvent, View
from tests.laws.cover import pairwise
from tests.laws.seen_game import Case, SeenGame, choose, start_game

SEATS = ("south", "north")
OPTION_SETS = 3
PLAIN = (
    S.SIDE,
    S.RESULT,
    S.REASON,
    S.NO_PROGRESS,
    S.PHASE,
    S.PENDING,
    S.PENDING_CELL,
    S.LAST_FROM,
    S.LAST_FROM + 1,
    S.LAST_TO,
    S.LAST_TO + 1,
    S.LAST_COUNT,
    S.LAST_COUNT + 1,
    S.CHASER,
    S.CHASE_COUNT,
    S.RESCUES_MADE,
    S.RESCUES_MADE + 1,
    S.CONVERSIONS,
    S.CONVERSIONS + 1,
)
MARKS = S.KIND_MASK | 1 << S.OWNER_SHIFT | S.MOVED | S.TOLD_SOUTH | S.TOLD_NORTH | S.CONVERTED | S.HAS_RESCUED


class Seat:
    """One seat's sampler, its history, and the true kinds of what it cannot see."""

    def __init__(self, seen_game: SeenGame, side: int) -> None:
        self.seen_game, self.side = seen_game, side
        self.history: list[SeenEvent] = list(seen_game.greeting[SEATS[side]])  # type: ignore[index]
        self.sampler = WorldSampler(seen_game.game, seen_game.options)

    def view(self) -> View:
        return self.seen_game.observers.view(self.seen_game.state, SEATS[self.side], forgets=False)  # type: ignore[arg-type]

    def true_world(self, view: View) -> State:
        number = {name: piece for piece, name in self.seen_game.observers._names.items()}
        kinds = [
            S.kind_of(self.seen_game.state.buffer, number[piece.name]) for piece in self.sampler.hidden(view)
        ]
        rows = self.sampler.worlds(view, self.history, np.array([kinds], dtype=np.int16))
        return State(rows[0])

    def other_world(self, view: View, rng: Random) -> State:
        numbers = self.sampler.kind_number
        kinds = [numbers[rng.choice(piece.possible)] for piece in self.sampler.hidden(view)]
        return State(self.sampler.worlds(view, self.history, np.array([kinds], dtype=np.int16))[0])


def picture(state: State, *, is_silent: bool) -> dict[str, object]:
    """What two rows must agree on, whatever numbers their pieces have.

    Where fights are silent nobody can tell which piece was brought back, nor whether it has rescued before.
    """
    s, marks = state.buffer, MARKS & ~S.HAS_RESCUED if is_silent else MARKS
    stands = {
        int(s[S.PIECE_CELL + piece]): int(s[S.PIECE_INFO + piece]) & marks
        for piece in range(1, PIECES)
        if s[S.PIECE_CELL + piece]
    }
    last = [int(s[S.PIECE_CELL + s[S.LAST_PIECE + side]]) for side in (0, 1) if s[S.LAST_PIECE + side]]
    return {"words": [int(s[i]) for i in PLAIN], "stands": stands, "last": last}


def _compare(seen_game: SeenGame, seat: Seat, rng: Random) -> None:
    view = seat.view()
    legal = seen_game.legal()
    world = seat.true_world(view)
    assert legal_actions(seen_game.tables, world) == legal
    is_silent_kind = seen_game.state.buffer[S.PENDING] == S.ASK_RESCUE_CELL
    for act in rng.sample(legal, min(3, len(legal))):
        truth, guess = seen_game.state.copy(), world.copy()
        play(seen_game.tables, truth, act)
        play(seen_game.tables, guess, act)
        is_silent = seen_game.tables.row[SILENT_DEFENSE] != 0
        if not is_silent_kind:
            assert picture(guess, is_silent=is_silent) == picture(truth, is_silent=is_silent), Action.unpack(
                act
            )
    if view.prompt is None:
        assert legal_actions(seen_game.tables, seat.other_world(view, rng)) == legal


def _walk(case: Case, turns: int) -> None:
    seen_game, rng = start_game(case)
    seats = [Seat(seen_game, 0), Seat(seen_game, 1)]
    for _ in range(turns):
        if seen_game.state.is_over:
            return
        seat = seats[seen_game.state.side]
        if rng.random() < 0.3 or seen_game.state.is_turn_open:
            _compare(seen_game, seat, rng)
        seen = seen_game.play(choose(seen_game.legal(), seen_game.state.side, rng))
        for one in seats:
            one.history += seen[SEATS[one.side]]  # type: ignore[index]


@pytest.mark.parametrize("at", range(OPTION_SETS))
@pytest.mark.parametrize("game_id", game_ids())
def test_a_right_guess_plays_like_the_truth(game_id: str, at: int) -> None:
    """Walk games with the default options and with two more sets of the cover."""
    game = load_game(game_id)
    options = pairwise(game)[at]
    for seed in (1, 2):
        _walk(Case(game, options, seed), 140)
