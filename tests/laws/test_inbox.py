"""The inbox of a thinking process obeys the twins law: a View and a history, the same whatever is hidden.

So the choice is the same too, whichever level thinks, with the same seed and so many nodes: that of a player
made for one action, and the next one of the same player.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from flagfall.edition import game_ids, load_game, resolve
from flagfall.players.levels import LEVELS
from flagfall.server.workers import Job, LivePlayers
from flagfall.view.view import VIEWERS, SeenEvent, Viewer
from tests.laws.cover import accepted, values
from tests.laws.seen_game import Case, Record, SeenGame, choose, start_game
from tests.laws.twins import exchanges, same_action

EVERY = 6
"""of the viewer's turns, so many apart are compared byte by byte"""
ACTIONS = 90
NODES = 12


def game_of(case: Case) -> Record:
    """A random game: what was done, and what everybody saw of it."""
    seen_game, rng = start_game(case)
    kept = Record(case, (dict(seen_game.setups[0]), dict(seen_game.setups[1])), seen=[seen_game.greeting])
    while not seen_game.state.is_over and len(kept.actions) < ACTIONS:
        kept.actions.append(choose(seen_game.legal(), seen_game.state.side, rng))
        kept.seen.append(seen_game.play(kept.actions[-1]))
    return kept


def inbox(seen_game: SeenGame, viewer: Viewer, history: list[SeenEvent]) -> tuple[bytes, bytes]:
    """What a worker is sent."""
    view = seen_game.observers.view(seen_game.state, viewer, forgets=False)
    return msgspec.json.encode(view), msgspec.json.encode(history)


def inboxes(kept: Record, side: int, other: dict[int, int]) -> Iterator[tuple[tuple[bytes, bytes], ...]]:
    """The inboxes of both twins at the viewer's turns, as long as it has seen the same."""
    viewer = VIEWERS[1 - side]
    setups = [dict(setup) for setup in kept.setups]
    setups[side] = other
    first, twin = kept.replayed(), SeenGame(kept.case.game, kept.case.options, setups[0], setups[1])
    stories: tuple[list[SeenEvent], list[SeenEvent]] = ([], [])
    seen, turns = twin.greeting, 0
    for at, act in enumerate(kept.actions):
        if seen[viewer] != kept.seen[at][viewer]:
            return
        stories[0].extend(kept.seen[at][viewer])
        stories[1].extend(seen[viewer])
        if first.state.side == 1 - side:
            turns += 1
            if turns % EVERY == 1 or first.state.is_turn_open:
                yield inbox(first, viewer, stories[0]), inbox(twin, viewer, stories[1])
        done = same_action(twin, act, side, kept.setups[side], other)
        if done is None:
            return
        first.play(act)
        seen = twin.play(done)


def answers(case: Case, level: str, inboxes: list[tuple[bytes, bytes]]) -> list[int | None]:
    """Return what a worker in which the player lives answers."""
    players = LivePlayers()
    job = Job(
        game=case.game.id,
        options=dict(case.options.changed(case.game)),
        player=level,
        seed="9",
        match="one",
        nodes=NODES,
    )
    return [
        players.think(msgspec.structs.replace(job, view=view, history=history)).action
        for view, history in inboxes
    ]


def two_cases(game_id: str, rng: Random) -> Iterator[Case]:
    """The printed options, and random others."""
    game = load_game(game_id)
    yield Case(game, resolve(game, {}), 1)
    table = values(game)
    for _ in range(200):
        options = accepted(game, {name: rng.choice(found) for name, found in table.items()})
        if options is not None:
            yield Case(game, options, 2)
            return
    raise AssertionError("no other options can go together")


@pytest.mark.parametrize("game_id", game_ids())
def test_a_worker_is_sent_the_same_and_answers_the_same_whatever_is_hidden(game_id: str) -> None:
    rng = Random(f"inboxes of {game_id}")
    compared = answered = 0
    for case in two_cases(game_id, rng):
        kept = game_of(case)
        for side in (0, 1):
            for other in list(exchanges(kept, side, rng))[-2:]:
                pairs = list(inboxes(kept, side, other))
                for one, twin in pairs:
                    assert one == twin, f"{case}: the inbox tells what is hidden"
                compared += len(pairs)
                if pairs and answered < 4:
                    ones, twins = [one for one, _ in pairs[-2:]], [twin for _, twin in pairs[-2:]]
                    level = LEVELS[-1 - 5 * (answered % 2)].id
                    assert answers(case, level, ones) == answers(case, level, twins)
                    answered += 1
    assert answered
    assert compared >= (20 if load_game(game_id).army_size(0) >= 30 else 3)
