"""Routes: what is done at the table, and what is open when the game is over."""

from __future__ import annotations

import asyncio
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Request, Response

from flagfall.notation import to_json, write_record
from flagfall.server.api import requests as W
from flagfall.server.api.commands import handle_command
from flagfall.server.api.guests import check_command, registry_of, require_guest
from flagfall.server.api.http import json_response, operation, read_body
from flagfall.server.api.messages import Openings, OpeningShown, Replay, State
from flagfall.server.errors import RequestError
from flagfall.sides import Side
from flagfall.view.view import Viewer, viewer_name

router = APIRouter(tags=["table"])
CommandT = TypeVar(
    "CommandT", W.Seal, W.Act, W.Resign, W.OfferDraw, W.AnswerDraw, W.Abort, W.AskRematch, W.Say, W.TakeNote
)
REPLAY_EYES: tuple[Viewer, ...] = ("south", "north", "watcher", "truth")
TABLE = (401, 403, 404, 409, 422, 503)


async def _done(match: str, request: Request, shape: type[CommandT]) -> Response:
    guest = await require_guest(request)
    command = await read_body(request, shape)
    registry = registry_of(request)
    session = await registry.session(match)
    check_command(request, command, session.row.opponent)
    seat = await handle_command(registry, session, guest, command)
    await session.wait_until_stored()
    since = command.number if isinstance(command, W.Act) else session.number(seat) if seat else 0
    return json_response(session.state(guest.id, seat or "watcher", since))


@router.post("/api/matches/{match}/setup", openapi_extra=operation(State, W.Seal, *TABLE))
async def seal(match: str, request: Request) -> Response:
    """Hand in a setup; it may be replaced until both are in."""
    return await _done(match, request, W.Seal)


@router.post("/api/matches/{match}/act", openapi_extra=operation(State, W.Act, *TABLE))
async def act(match: str, request: Request) -> Response:
    """Play, by text or by packed action."""
    return await _done(match, request, W.Act)


@router.post("/api/matches/{match}/resign", openapi_extra=operation(State, W.Resign, *TABLE))
async def resign(match: str, request: Request) -> Response:
    """Give up."""
    return await _done(match, request, W.Resign)


@router.post("/api/matches/{match}/draw", openapi_extra=operation(State, W.OfferDraw, *TABLE))
async def offer_draw(match: str, request: Request) -> Response:
    """Offer a draw."""
    return await _done(match, request, W.OfferDraw)


@router.post("/api/matches/{match}/draw/answer", openapi_extra=operation(State, W.AnswerDraw, *TABLE))
async def answer_draw(match: str, request: Request) -> Response:
    """Accept or decline a draw."""
    return await _done(match, request, W.AnswerDraw)


@router.post("/api/matches/{match}/abort", openapi_extra=operation(State, W.Abort, *TABLE))
async def abort(match: str, request: Request) -> Response:
    """Call the game off before your first turn, or take an invitation back."""
    return await _done(match, request, W.Abort)


@router.post("/api/matches/{match}/rematch", openapi_extra=operation(State, W.AskRematch, *TABLE))
async def rematch(match: str, request: Request) -> Response:
    """Ask for another game with the sides exchanged."""
    return await _done(match, request, W.AskRematch)


@router.post("/api/matches/{match}/chat", openapi_extra=operation(State, W.Say, *TABLE))
async def say(match: str, request: Request) -> Response:
    """Say a preset phrase."""
    return await _done(match, request, W.Say)


@router.put("/api/matches/{match}/notes", openapi_extra=operation(State, W.TakeNote, *TABLE))
async def note(match: str, request: Request) -> Response:
    """Keep a note on a piece for your own eyes; an empty text takes it away."""
    return await _done(match, request, W.TakeNote)


# ---------------------------------------------------------------------- when the game is over


@router.get(
    "/api/matches/{match}/record", openapi_extra=operation(None, None, 403, 404, 409, media="text/plain")
)
async def record(match: str, request: Request) -> Response:
    """The record of a finished game, for people."""
    found = await (await registry_of(request).session(match)).replay()
    text = await asyncio.to_thread(write_record, found.record)
    return Response(text, media_type="text/plain; charset=utf-8")


@router.get("/api/matches/{match}/record.json", openapi_extra=operation(None, None, 403, 404, 409))
async def record_json(match: str, request: Request) -> Response:
    """The same for programs."""
    found = await (await registry_of(request).session(match)).replay()
    return Response(await asyncio.to_thread(to_json, found.record), media_type="application/json")


@router.get("/api/matches/{match}/openings", openapi_extra=operation(Openings, None, 403, 404, 409))
async def openings(match: str, request: Request) -> Response:
    """Salt and setup of both sides of a finished game, so that the commitments can be checked."""
    found = (await registry_of(request).session(match)).require_open()
    opened = found.openings()
    shown = {
        side: OpeningShown(one.salt, one.setup, found.commitments.get(side, ""))
        for side, one in opened.items()
    }
    return json_response(Openings(shown[Side.SOUTH], shown[Side.NORTH]))


@router.get("/api/matches/{match}/replay", openapi_extra=operation(Replay, None, 403, 404, 409))
async def replay(
    match: str,
    request: Request,
    eyes: Annotated[
        str, Query(alias="as", max_length=8, description="south, north, watcher, truth")
    ] = "truth",
    first: Annotated[int, Query(ge=0, le=100_000, description="the first step, 0 the start")] = 0,
    count: Annotated[int, Query(ge=1, le=100, description="how many steps")] = 50,
) -> Response:
    """A finished game step by step, through South's eyes, North's, a watcher's, or as it was."""
    session = await registry_of(request).session(match)
    viewer = next((known for known in REPLAY_EYES if known == eyes), None)
    if viewer is None:
        raise RequestError("unknown-seat", f"Nobody is called so; look as {', '.join(REPLAY_EYES)}.")
    found = await session.replay()
    steps = await asyncio.to_thread(found.steps, viewer, first, count)
    return json_response(Replay(match, viewer_name(viewer), found.turns, first, steps))
