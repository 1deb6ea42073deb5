"""What seeded games come to in this process: run as a program, it prints it for another one to compare.

``FLAGFALL_KERNELS=compiled FLAGFALL_BOUNDSCHECK=1 python -m tests.laws.trace``
"""

from __future__ import annotations

import hashlib
import json
import sys

import msgspec

from flagfall.arena.signature import random_setup, signatures
from flagfall.engine import rules
from flagfall.engine.kernel import Ints
from flagfall.engine.mode import mode
from flagfall.engine.play import action_buffer, deal, event_buffer
from flagfall.engine.simulate import play_randomly, random_below, seeded
from flagfall.engine.state import PENDING, State
from flagfall.engine.tables import Tables
from flagfall.view.view import VIEWERS
from tests.laws import MORE
from tests.laws.seen_game import Case, SeenGame, every_case

MAX_ACTIONS = 300
EVERY = 50


def trace(case: Case) -> list[str]:
    """Digests at every 50th action and at the end, and a hash of every list of legal actions and of Views."""
    rng = seeded(case.seed)
    south, north = random_setup(case.game, 0, rng), random_setup(case.game, 1, rng)
    seen_game = SeenGame(case.game, case.options, south, north)
    t, s = seen_game.tables.buffer, seen_game.state.buffer
    out, ev = action_buffer(), event_buffer()
    lists = hashlib.blake2b(digest_size=8)
    marks = [seen_game.state.digest()]
    for at in range(1, MAX_ACTIONS + 1):
        n = rules.legal(t, s, out)
        lists.update(repr([int(out[place]) for place in range(n)]).encode())
        if n == 0:
            break
        length = rules.apply(t, s, int(out[random_below(rng, n)]), out, ev)
        lists.update(repr([int(ev[place]) for place in range(length)]).encode())
        if at % EVERY == 0:
            marks.append(seen_game.state.digest())
            for viewer in VIEWERS:
                lists.update(msgspec.json.encode(seen_game.observers.view(seen_game.state, viewer)))
    return [
        *marks,
        seen_game.state.digest(),
        lists.hexdigest(),
        _in_one_go(seen_game.tables, south, north, rng),
    ]


def _in_one_go(tables: Tables, south: dict[int, int], north: dict[int, int], rng: Ints) -> str:
    """The same setups once more, played inside a kernel."""
    state, _ = deal(tables, south, north)
    turns = play_randomly(tables.buffer, state.buffer, rng, 60, action_buffer(), event_buffer())
    return f"{turns} {_closed(state)} {state.digest()}"


def _closed(state: State) -> bool:
    return state.buffer[PENDING] == 0


def spread() -> list[Case]:
    """Every game at its defaults, and some of its option sets."""
    step = max(1, 4 // MORE)
    return [case for at, case in enumerate(every_case()) if case.seed == 0 or at % step == 0]


def everything() -> dict[str, list[str]]:
    """All traces."""
    return {str(case): trace(case) for case in spread()}


if __name__ == "__main__":
    sys.stdout.write(json.dumps({"mode": mode(), "found": everything(), "signature": signatures()}))
