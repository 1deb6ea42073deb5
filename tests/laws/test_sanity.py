"""Sanity: pieces are neither made nor lost, the row agrees with itself, games replay and end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from flagfall.board import cell_name
from flagfall.edition import game_ids, load_game
from flagfall.edition.compile import compile_game
from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.action import ATTACK, Action
from flagfall.engine.play import Event, deal, legal_actions, play
from flagfall.engine.state import STATE_SIZE, State
from flagfall.view.view import VIEWERS
from tests.laws import MORE
from tests.laws.sitting import Record, Sitting, every_case, random_setup, record


def cases(game_id: str) -> list[Record]:
    """The games of that id that were played."""
    return [
        record(replace(case, seed=case.seed + 1000 * again))
        for case in every_case()
        if case.game.id == game_id
        for again in range(MORE)
    ]


@pytest.mark.parametrize("game_id", game_ids())
def test_the_row_agrees_with_itself_after_every_action(game_id: str) -> None:
    for kept in cases(game_id):
        sitting = kept.sit()
        _row_agrees(sitting, f"{kept.case} at the start")
        for at, act in enumerate(kept.actions, start=1):
            where = f"{kept.case}, after {at} actions"
            legal = sitting.legal()
            assert act in legal, where
            assert len(set(legal)) == len(legal), where
            assert all(Action.unpack(one).pack() == one for one in legal), where
            sitting.play(act)
            assert sitting.state.digest() == kept.digests[at], where
            assert sitting.state.is_over == (not sitting.legal()), where
            _row_agrees(sitting, where)
            if at % 3 == 0 or sitting.state.is_turn_open or sitting.state.is_over:
                _viewers_count_right(sitting, where)


def _row_agrees(sitting: Sitting, where: str) -> None:
    s, t = sitting.state.buffer, sitting.tables.buffer
    roster = [Counter[int](), Counter[int]()]
    movers = [0, 0]
    standing = {}
    for piece in range(1, T.PIECES):
        info, cell = s[S.PIECE_INFO + piece], s[S.PIECE_CELL + piece]
        if info == 0:
            assert cell == 0, where
            continue
        owner, kind = S.owner_of(s, piece), S.kind_of(s, piece)
        roster[piece > T.ARMY][kind] += 1  # a converted piece counts where it began
        if cell:
            standing[cell] = (S.OF_SOUTH + owner) << S.STANDS | piece
            movers[owner] |= (t[T.KIND_FLAGS + kind] & T.MOBILE) << piece
    for side in (0, 1):
        expected = {kind: count for kind, count in enumerate(sitting.game.rosters[side]) if count}
        assert roster[side] == expected, where
        assert S.movers(s, side, 0) | S.movers(s, side, 1) << 48 == movers[side], where
    for cell in range(144):
        blank = S.NO_SQUARE << S.STANDS if t[T.CELL_FLAGS + cell] & T.BLOCKED else S.EMPTY
        assert s[S.BOARD + cell] == standing.get(cell, blank), where


def _viewers_count_right(sitting: Sitting, where: str) -> None:
    for viewer in VIEWERS:
        view = sitting.eyes.view(sitting.state, viewer)
        for side in (0, 1):
            board = sum(piece.side == VIEWERS[side] for piece in view.pieces)
            tray = sum(piece.side == VIEWERS[side] for piece in view.tray)
            won = view.conversions[side] - view.conversions[1 - side]
            assert board + tray == sitting.game.army_size(side) + won, f"{where}, {viewer}"
        assert (view.result is not None) == sitting.state.is_over, where
        offered = {(cell_name(act.origin), cell_name(act.target)) for act in view.legal if act.verb <= ATTACK}
        assert not offered & {(one.origin, one.target) for one in view.barred}, where
        knowledge = sitting.eyes.knowledge[viewer]
        assert SIDE_OF[view.to_move] == knowledge.to_move == sitting.state.side, where


SIDE_OF = {"south": 0, "north": 1}


def _is_progress(event: Event) -> bool:
    is_purge = event.what == E.PHASE and event.value == S.BEARER_ARRIVED
    return is_purge or event.what in (E.REMOVED, E.RESCUED, E.CONVERT)


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_ends_where_no_progress_is_a_draw(game_id: str) -> None:
    draws = 0
    for case in every_case():
        limit = case.options.number("no_progress_draw")
        if case.game.id == game_id and limit is not None and (limit < 200 or case.seed == 0):
            rng = Random(f"end of {case}")
            tables = compile_game(case.game, case.options)
            state, _ = deal(tables, random_setup(case.game, 0, rng), random_setup(case.game, 1, rng))
            quiet, is_progress = 0, False
            while not state.is_over:
                happened = play(tables, state, rng.choice(legal_actions(tables, state)))
                is_progress = is_progress or any(_is_progress(event) for event in happened)
                if not state.is_turn_open:
                    quiet, is_progress = 0 if is_progress else quiet + 1, False
                assert quiet <= limit, str(case)
                assert (state.buffer[S.REASON] == S.NO_PROGRESS_DRAW) == (quiet == limit), str(case)
                draws += quiet == limit
    assert draws > 0 or game_id.startswith("mini")


def test_a_state_fits_into_a_kilobyte() -> None:
    game = load_game("onyx/classic")
    assert State().row.nbytes <= 1024
    assert State().row.nbytes == 2 * STATE_SIZE
    assert game.army_size(0) == T.ARMY
