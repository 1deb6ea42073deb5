"""Matches that go on from a moment of a finished game, against a computer player.

Everyone who may open the replay may play on from it. What was hidden from the chosen side is dealt anew,
unless the true armies are wanted; the turns so far are played again, so the match is like any other from
then on.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import msgspec

from flagfall.analysis.redeal import NoFittingArmyError, moment_of, redealt
from flagfall.edition import resolve
from flagfall.languages import say
from flagfall.match import Continued, Match, MatchError, from_record
from flagfall.notation import Record
from flagfall.players.levels import seat_name
from flagfall.server.api.requests import ContinueRequest
from flagfall.server.errors import RequestError
from flagfall.server.sessions.games import check_level, find_game
from flagfall.server.sessions.presenter import ReplayedGame
from flagfall.server.sessions.session import MatchSession
from flagfall.server.store.rows import GuestRow, result_columns
from flagfall.sides import Side

if TYPE_CHECKING:
    from flagfall.server.sessions.registry import MatchRegistry

MAX_TURNS = 2_000
"""a later moment of a long game is not continued"""


async def continue_match(
    registry: MatchRegistry, earlier: str, replay: ReplayedGame, guest: GuestRow, request: ContinueRequest
) -> MatchSession:
    """Create and store the match that goes on from a replay; the caller has counted it as a new one.

    ``earlier`` is the id of the finished match, or of the opened record.
    """
    _check(replay, request)
    async with registry.creating_lock(guest.id):
        registry.refuse_deleted(guest)
        await registry.new_matches.refuse_too_many(guest)
        names = {request.side: guest.name, request.side.other: seat_name(request.level)}
        options = dict(replay.record.options) | {"clock": request.clock}
        options = resolve(replay.game, options).changed(replay.game)
        record = replace(
            moment_of(replay.record, request.turn),
            players=(names[Side.SOUTH], names[Side.NORTH]),
            options=options,
            date="",
            comments=(),
            is_training=request.training,
        )
        record = replace(record, turns=tuple(replace(turn, comment="") for turn in record.turns))
        moment = Continued(
            turn=request.turn,
            match=earlier,
            dealt=request.side.other if request.deal == "belief" else None,
        )
        salts = (registry.salt(), registry.salt())
        async with registry.records.reading:
            match = await asyncio.to_thread(
                _made, record, moment, registry.now_ms(), salts, Random(registry.rng.getrandbits(64))
            )
        row = registry.new_matches.new_row(replay.game.id, options, "computer", guest.id, request.side.value)
        row = msgspec.structs.replace(
            row,
            south_name=names[Side.SOUTH],
            north_name=names[Side.NORTH],
            **{request.side.value: guest.id, f"{request.side.other}_level": request.level},
            **{"status": "running", **result_columns(match)},
        )
        await registry.store.add_match(row, match.log)
        return registry.add(MatchSession(registry, row, replay.game, match.options, match, []))


def _check(replay: ReplayedGame, request: ContinueRequest) -> None:
    check_level(request.level, replay.game, resolve(replay.game, replay.record.options))
    if request.turn > replay.turns:
        raise RequestError("malformed", say("server.moment.too-late", turns=replay.turns))
    if request.turn > MAX_TURNS:
        raise RequestError("too-long", say("server.moment.too-long", turns=str(MAX_TURNS)))
    if request.training and request.clock != "none":
        raise RequestError("option", say("server.training.no-clock"))


def _made(record: Record, moment: Continued, at_ms: int, salts: tuple[str, str], rng: Random) -> Match:
    """Return the match with its turns played again; call it in a thread."""
    try:
        if moment.dealt is not None:
            record = redealt(record, find_game(record.game), moment.dealt.other, rng)
        match = from_record(record, at_ms, find_game, continued=moment, salts=salts)
    except NoFittingArmyError as error:
        assert moment.dealt is not None
        raise RequestError(error.code, say("server.moment.no-army", side=moment.dealt.other)) from None
    except MatchError:
        match = None
    if match is None or match.is_over:
        raise RequestError("finished", say("server.moment.over"))
    return match
