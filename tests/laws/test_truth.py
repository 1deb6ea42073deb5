"""The truth is always possible, and both sides agree on what is known of a piece."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flagfall.board import parse_cell
from flagfall.edition import game_ids
from flagfall.engine import state as S
from flagfall.view.knowledge import Knowledge
from flagfall.view.view import VIEWERS, Viewer
from tests.laws import MORE
from tests.laws.sitting import Record, Sitting, every_case, record


@pytest.mark.parametrize("game_id", game_ids())
def test_the_true_kind_is_always_possible_and_told_means_told(game_id: str) -> None:
    for case in every_case():
        if case.game.id == game_id:
            for again in range(MORE):
                _truth_holds(record(replace(case, seed=case.seed + 1000 * again)))


def _truth_holds(kept: Record) -> None:
    sitting = kept.sit()
    for at, act in enumerate(kept.actions, start=1):
        sitting.play(act)
        if at % 5 == 0 or sitting.state.is_turn_open or at == len(kept.actions):
            where = f"{kept.case}, after {at} actions"
            for viewer, knowledge in sitting.eyes.knowledge.items():
                _is_possible(sitting, kept, knowledge, f"{where}, {viewer}")
                _is_told(sitting, viewer, f"{where}, {viewer}")
            _both_sides_agree(sitting, where)


def _is_possible(sitting: Sitting, kept: Record, knowledge: Knowledge, where: str) -> None:
    s = sitting.state.buffer
    true = {name: S.kind_of(s, piece) for piece, name in sitting.eyes._names.items()}
    for side, setup in enumerate(kept.setups):
        for name in knowledge.armies[side].tokens:
            kind = true[name] if name in true else setup[parse_cell(name)]
            kinds = knowledge.possible(name)
            assert kinds >> kind & 1, f"{where}: {name} is {sitting.eyes.facts.ids[kind]}, not in {kinds:b}"


def _is_told(sitting: Sitting, viewer: Viewer, where: str) -> None:
    """The marks of the State and the viewer's own book agree on who was told what."""
    s, knowledge = sitting.state.buffer, sitting.eyes.knowledge[viewer]
    for piece, name in sitting.eyes._names.items():
        if name in knowledge.cells:
            owner = S.owner_of(s, piece)
            bit = 1 - owner if viewer == VIEWERS[owner] else VIEWERS.index(viewer)
            is_marked = bool(s[S.PIECE_INFO + piece] & (S.TOLD_SOUTH << bit))
            is_booked = knowledge.token(name).is_told
            assert is_marked == is_booked, f"{where}: {name} of {VIEWERS[owner]}"
            assert bool(s[S.PIECE_INFO + piece] & S.MOVED) == (name in knowledge.moved), f"{where}: {name}"


def _both_sides_agree(sitting: Sitting, where: str) -> None:
    """What I think you must think of my piece is what you do think of it, and watchers think so too."""
    south, north, watcher = (sitting.eyes.knowledge[viewer] for viewer in VIEWERS)
    for side in (0, 1):
        for name in watcher.armies[side].tokens:
            thoughts = {one.possible(name) for one in (south, north, watcher)}
            assert len(thoughts) == 1, f"{where}: {name} of {VIEWERS[side]}"
