"""What a worker is asked, what it answers, and how it finds the answer.

A job is bytes and text: the View and everything its seat has seen as JSON, the id of the game, its options,
the player's name, its budget and a seed. The answer is one packed action, or the code of a setup.
"""

from __future__ import annotations

import struct
from random import Random
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from flagfall.edition import Game, Options
    from flagfall.players import Player

LENGTH = struct.Struct(">I")
"""Each message on a worker's socket is preceded by its length in bytes."""


class Job(Struct, frozen=True):
    """What a worker is told."""

    game: str
    options: dict[str, str]
    player: str
    seed: str
    view: bytes = b""
    """empty: a setup is wanted"""
    side: int = 0
    history: bytes = b"[]"
    """all that the seat has seen on the board, oldest first"""
    time_ms: int | None = 1000
    nodes: int | None = None


class Answer(Struct, frozen=True):
    """What a worker answers: one of the three."""

    action: int | None = None
    setup: str = ""
    error: str = ""
    """the kind of error and nothing else: its message may hold what the player knows"""


def think(job: Job) -> int:
    """In a worker: the action that the player chooses, packed."""
    from flagfall.view.view import SeenEvent, View

    game, options = _game(job)
    view = msgspec.json.decode(job.view, type=View)
    history = msgspec.json.decode(job.history, type=list[SeenEvent])
    return _player(job, game, options).choose(view, history).pack()


def set_up(job: Job) -> str:
    """In a worker: the setup that the player makes, as a code."""
    from flagfall.setups import write_setup

    game, options = _game(job)
    return write_setup(_player(job, game, options).set_up(job.side))


def answer(message: bytes) -> bytes:
    """Do the job in an encoded message and return the encoded answer; a failing player is an answer too."""
    job = msgspec.msgpack.decode(message, type=Job)
    try:
        found = Answer(action=think(job)) if job.view else Answer(setup=set_up(job))
    except Exception as error:
        found = Answer(error=type(error).__name__)
    return msgspec.msgpack.encode(found)


def _player(job: Job, game: Game, options: Options) -> Player:
    from flagfall.players import Budget, make_player

    return make_player(job.player, game, options, Random(job.seed), Budget(job.time_ms, job.nodes))


def _game(job: Job) -> tuple[Game, Options]:
    from flagfall.edition import load_game, resolve

    game = load_game(job.game, allow_files=False)
    return game, resolve(game, job.options)
