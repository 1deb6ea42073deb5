"""Routes: the setups a guest keeps."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request, Response

from flagfall.server.api.guests import registry_of, require_guest
from flagfall.server.api.http import json_response, operation, read_body
from flagfall.server.api.messages import SavedSetup, SavedSetups
from flagfall.server.api.requests import KeepSetup
from flagfall.server.errors import RequestError
from flagfall.server.names import plain_text
from flagfall.server.sessions.registry import find_game
from flagfall.server.store.rows import SetupRow, new_id
from flagfall.setups import SetupError, read_setup, write_setup
from flagfall.sides import SIDES

router = APIRouter(tags=["guests"])

MAX_SETUPS = 50
"""of one guest"""
MAX_SETUP_NAME = 40


@router.get("/api/me/setups", openapi_extra=operation(SavedSetups, None, 401))
async def my_setups(
    request: Request,
    game: Annotated[str, Query(max_length=80, description="only those of this game")] = "",
) -> Response:
    """The setups you have kept."""
    guest = await require_guest(request)
    return await _listed(request, guest.id, game)


@router.put("/api/me/setups", openapi_extra=operation(SavedSetup, KeepSetup, 401, 404, 409, 422, 503))
async def keep_setup(request: Request) -> Response:
    """Keep a setup under a name; the same name again replaces it."""
    guest = await require_guest(request)
    body = await read_body(request, KeepSetup)
    name = plain_text(body.name, "The name of a setup", MAX_SETUP_NAME)
    if not name:
        raise RequestError("malformed", "The name of a setup is one line of ordinary letters.")
    game = find_game(body.game)
    try:
        code = write_setup(read_setup(game, SIDES.index(body.side), body.code))
    except SetupError as error:
        raise RequestError("setup", str(error)) from None
    registry = registry_of(request)
    row = SetupRow(new_id(), game.id, body.side, name, code)
    kept = await registry.store.save_setup(guest.id, row, registry.now_ms(), MAX_SETUPS)
    if kept is None:
        raise RequestError("full", f"You have {MAX_SETUPS} setups; delete one before you keep another.")
    return json_response(SavedSetup(*msgspec.structs.astuple(kept)))


@router.delete("/api/me/setups/{setup}", openapi_extra=operation(SavedSetups, None, 401, 404, 503))
async def drop_setup(setup: str, request: Request) -> Response:
    """Forget a setup; the answer lists the others."""
    guest = await require_guest(request)
    if not await registry_of(request).store.delete_setup(guest.id, setup):
        raise RequestError("not-found", "You have no such setup.")
    return await _listed(request, guest.id, "")


async def _listed(request: Request, guest_id: str, game: str) -> Response:
    rows = await registry_of(request).store.setups(guest_id, game)
    return json_response(SavedSetups(tuple(SavedSetup(*msgspec.structs.astuple(row)) for row in rows)))
