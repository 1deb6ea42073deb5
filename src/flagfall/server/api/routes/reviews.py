"""Routes: the review of a finished game. Everyone who may see the replay may see it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field
from starlette.requests import Request
from starlette.responses import Response

from flagfall.analysis.findings import READERS, Findings, Reader
from flagfall.server.api.http import Operations, json_response, read_query, registry_of
from flagfall.server.api.messages.matches import Beliefs, PieceBelief, Review
from flagfall.server.api.routes.guests import check_rate, current_guest, require_guest
from flagfall.server.api.routes.records import replay_of
from flagfall.server.errors import RequestError
from flagfall.server.sessions.reviews import Progress
from flagfall.sides import SIDES

operations = Operations("reviews")


class ReviewQuery(Struct, frozen=True):
    """Whose review."""

    viewer: Annotated[str, Meta(max_length=8, description="south, north, truth")] = field(
        default="truth", name="as"
    )


class BeliefsQuery(Struct, frozen=True):
    """Whose beliefs, and when."""

    viewer: Annotated[str, Meta(max_length=8, description="south, north, truth")] = field(
        default="truth", name="as"
    )
    turn: Annotated[int, Meta(ge=0, le=100_000, description="how many turns have been played")] = 0


@operations.add("POST", "/api/matches/{match}/review", Review, 401, 403, 404, 409)
async def start_review(request: Request, match: str) -> Response:
    """Have a finished game reviewed, or go on with its review. Ask for it at least once a minute."""
    guest, replay = await require_guest(request), await replay_of(request, match)
    check_rate(request, "reviews")
    reviews = registry_of(request).reviews
    await reviews.start(match, replay, guest.id)
    return json_response(_message(match, "truth", await reviews.progress(match, replay, guest.id)))


@operations.add("DELETE", "/api/matches/{match}/review", Review, 401, 403, 404, 409)
async def stop_review(request: Request, match: str) -> Response:
    """Stop waiting for a review; it ends if no other guest waits for it, and what is done is kept."""
    guest, replay = await require_guest(request), await replay_of(request, match)
    reviews = registry_of(request).reviews
    reviews.stop(match, guest.id)
    return json_response(_message(match, "truth", await reviews.progress(match, replay, guest.id)))


@operations.add("GET", "/api/matches/{match}/review", Review, 403, 404, 409, query=ReviewQuery)
async def review(request: Request, match: str) -> Response:
    """Return how far a review is and, when it is done, what it found, for South, North or everybody."""
    viewer = _reader(read_query(request, ReviewQuery).viewer)
    guest, replay = await current_guest(request), await replay_of(request, match)
    reviews = registry_of(request).reviews
    progress = await reviews.progress(match, replay, guest.id if guest else None)
    found = await reviews.findings(match, replay, viewer) if progress.status == "done" else None
    return json_response(_message(match, viewer, progress, found))


@operations.add("GET", "/api/matches/{match}/review/beliefs", Beliefs, 403, 404, 409, query=BeliefsQuery)
async def beliefs(request: Request, match: str) -> Response:
    """Return what the sides believed of hidden pieces at a turn of a reviewed game."""
    query = read_query(request, BeliefsQuery)
    viewer, replay = _reader(query.viewer), await replay_of(request, match)
    found = await registry_of(request).reviews.beliefs(match, replay, query.turn, viewer)
    south, north = (
        tuple(PieceBelief(piece, kinds) for piece, kinds in found.get(side, {}).items()) for side in SIDES
    )
    return json_response(Beliefs(match, viewer, query.turn, south, north))


def _reader(wanted: str) -> Reader:
    for known in READERS:
        if known == wanted:
            return known
    raise RequestError("unknown-seat", f"Unknown viewer; use {', '.join(READERS)}.")


def _message(match: str, viewer: Reader, progress: Progress, found: Findings | None = None) -> Review:
    return Review(match, viewer, progress.status, progress.done, progress.turns, progress.ahead, found)
