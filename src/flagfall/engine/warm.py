"""Compile the kernels before they are needed, and report each stage.

The first compile on a machine takes a while; after that the machine code comes from the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from flagfall.engine import notice, play, rules, simulate
from flagfall.engine.action import MOVE, Action
from flagfall.engine.kernel import buffer
from flagfall.engine.mode import is_compiled
from flagfall.engine.state import RESULT, State
from flagfall.engine.tables import TABLE_SIZE, Tables

Report = Callable[[int, int, str], None]
"""called with how many stages are done, how many there are, and what comes next"""
Stage = tuple[str, Callable[[], object]]
"""what is compiled, and a call that compiles it"""


def _ended() -> tuple[Tables, State]:
    """Return rows on which every kernel returns at once."""
    state = State()
    state.buffer[RESULT] = 1
    return Tables(np.zeros(TABLE_SIZE, dtype=np.int16)), state


def warm_up(report: Report = lambda done, total, what: None) -> None:
    """Compile every kernel that Python calls; does nothing when interpreted."""
    run_stages([*stages(), *stages_of_random_games()], report)


def run_stages(stages: Sequence[Stage], report: Report) -> None:
    """Run the stages one after the other; do nothing when interpreted."""
    if not is_compiled():
        return
    for done, (what, stage) in enumerate(stages):
        report(done, len(stages), what)
        with notice.quiet():
            stage()
    report(len(stages), len(stages), "ready")


def stages() -> list[Stage]:
    """Return the stages that compile the rules."""
    tables, state = _ended()
    t, s, out, ev = tables.buffer, state.buffer, play.action_buffer(), play.event_buffer()
    return [
        ("legal actions", lambda: rules.legal(t, s, out)),
        ("playing an action", lambda: rules.apply(t, s, Action(MOVE, 1, 2).pack(), out, ev)),
        ("starting a game", lambda: rules.start(t, s, out, ev)),
    ]


def stages_of_random_games() -> list[Stage]:
    """Return the stages that compile random games, which only simulations play."""
    tables, state = _ended()
    t, s, out, ev = tables.buffer, state.buffer, play.action_buffer(), play.event_buffer()
    rng = simulate.seeded(1)
    places = buffer(np.zeros(1, dtype=np.int16))
    return [
        ("random games", lambda: simulate.play_logged(t, s, rng, out, 0, out, ev)),
        ("many games", lambda: simulate.play_many(t, s, s, rng, places, places, 0, 0, 0, 0, 0, out, ev)),
        ("copying", lambda: simulate.copy_many(s, State().buffer, 1)),
    ]
