"""Fold: what a viewer knows follows from the list of what it has seen, however it was cut into pieces."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flagfall.board import cell_name
from flagfall.edition import game_ids
from flagfall.view.knowledge import Facts, Knowledge
from flagfall.view.view import VIEWERS, SeenEvent, Viewer
from tests.laws import MORE
from tests.laws.sitting import Record, every_case, record


def contents(knowledge: Knowledge) -> dict[str, object]:
    """Everything a Knowledge holds, conclusions included."""
    names = [(name, side) for side in (0, 1) for name in knowledge.armies[side].tokens]
    possible = {name: knowledge.possible(name) for name, side in names}
    told = {name: knowledge.kind_of(name, side) for name, side in names}
    plain = {key: value for key, value in vars(knowledge).items() if key not in ("facts", "armies")}
    tokens = [[token._asdict() for token in army.tokens.values()] for army in knowledge.armies]
    return plain | {"possible": possible, "kinds": told, "tokens": tokens}


def afresh(kept: Record, facts: Facts, viewer: Viewer) -> Knowledge:
    """What the viewer knows before the first event."""
    squares = [[cell_name(cell) for cell in sorted(setup)] for setup in kept.setups]
    own: dict[str, str] = {}
    if viewer != "watcher":
        setup = kept.setups[VIEWERS.index(viewer)]
        own = {cell_name(cell): facts.ids[kind] for cell, kind in setup.items()}
    return Knowledge(facts, viewer, (squares[0], squares[1]), own)


@pytest.mark.parametrize("game_id", game_ids())
def test_knowledge_is_the_fold_of_everything_seen(game_id: str) -> None:
    for case in every_case():
        if case.game.id == game_id:
            for again in range(MORE):
                _folds(record(replace(case, seed=case.seed + 1000 * again)))


def _folds(kept: Record) -> None:
    sitting = kept.sit()
    so_far: dict[Viewer, list[SeenEvent]] = {viewer: list(sitting.greeting[viewer]) for viewer in VIEWERS}
    for at, act in enumerate(kept.actions, start=1):
        for viewer, seen in sitting.play(act).items():
            so_far[viewer] += seen
        if at % 41 and at < len(kept.actions):
            continue
        for viewer in VIEWERS:
            at_once = afresh(kept, sitting.eyes.facts, viewer)
            at_once.fold(so_far[viewer])
            one_by_one = afresh(kept, sitting.eyes.facts, viewer)
            for event in so_far[viewer]:
                one_by_one.fold([event])
            live = contents(sitting.eyes.knowledge[viewer])
            assert contents(at_once) == live, f"{kept.case}, {viewer} after {at} actions"
            assert contents(one_by_one) == live, f"{kept.case}, {viewer} after {at} actions"
