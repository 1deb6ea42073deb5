"""Nothing that is sent leads back to the truth."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from types import FunctionType, ModuleType

import numpy as np

from flagfall.engine.state import State
from flagfall.engine.tables import Tables
from flagfall.view.knowledge import Facts, Knowledge
from flagfall.view.project import Observers
from flagfall.view.view import VIEWERS, Barred, SeenPiece
from tests.laws.seen_game import every_case, record

FORBIDDEN = (State, Tables, memoryview, np.ndarray, np.generic, Observers, Knowledge, Facts)
_NOT_FOLLOWED = (type, ModuleType, FunctionType)
"""what every object of Python hangs on"""


def reached(start: object) -> Iterable[object]:
    """Everything that can be reached from an object, its class left out."""
    seen = {id(start)}
    stack = [start]
    while stack:
        one = stack.pop()
        yield one
        for other in gc.get_referents(one):
            if id(other) not in seen and not isinstance(other, _NOT_FOLLOWED):
                seen.add(id(other))
                stack.append(other)


def test_no_path_leads_from_a_view_or_an_event_to_a_state() -> None:
    looked = 0
    for case in every_case()[::12]:
        kept = record(case)
        seen_game = kept.replayed()
        for act in kept.actions[:60]:
            seen = seen_game.play(act)
            for viewer in VIEWERS:
                for sent in (seen_game.observers.view(seen_game.state, viewer), seen[viewer]):
                    for one in reached(sent):
                        assert not isinstance(one, FORBIDDEN), f"{case}: {type(one)} in what {viewer} is sent"
                        looked += 1
    assert looked > 10_000


def test_such_a_path_would_be_found() -> None:
    hidden: object = Barred([State()], "b2", "chase")  # type: ignore[arg-type]
    assert any(isinstance(one, State) for one in reached(({"barred": hidden},)))
    seen_game = record(every_case()[0]).replayed()
    inside = list(reached(seen_game.observers.view(seen_game.state, "south")))
    assert any(isinstance(one, SeenPiece) for one in inside)
    assert "marshal" in inside
