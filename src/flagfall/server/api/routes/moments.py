"""Routes: playing on from a moment of a finished game. Everyone who may see the replay may do it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from flagfall.server.api.http import Operations, json_response, read_body, registry_of
from flagfall.server.api.messages.matches import State
from flagfall.server.api.requests import ContinueRequest
from flagfall.server.api.routes.guests import check_new_match, require_guest
from flagfall.server.api.routes.records import replay_of
from flagfall.server.sessions.moments import continue_match

operations = Operations("table")


@operations.add("POST", "/api/matches/{match}/continue", State, 401, 403, 404, 409, request=ContinueRequest)
async def play_on(request: Request, match: str) -> Response:
    """Play on from a moment of a finished game or opened record, in a new match against the computer."""
    guest = await require_guest(request)
    body = await read_body(request, ContinueRequest)
    replay = await replay_of(request, match)
    check_new_match(request, "computer")
    session = await continue_match(registry_of(request), match, replay, guest, body)
    return json_response(session.state(guest.id, body.side, 0))
