"""Routes: the coach of a training game. It answers from the player's own View, in a worker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from flagfall.languages import current_language, say
from flagfall.match import Match
from flagfall.notation.names import kind_word
from flagfall.server.api.commands import stale_number
from flagfall.server.api.http import Operations, json_response, read_body, registry_of
from flagfall.server.api.messages.learning import Advice, KindChance, PieceChances
from flagfall.server.api.requests import ChancesRequest, HintRequest
from flagfall.server.api.routes.guests import require_guest
from flagfall.server.errors import RequestError
from flagfall.server.sessions.presenter import allows_hints
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.sessions.session import MatchSession
from flagfall.server.sessions.texts import choices
from flagfall.server.store.rows import GuestRow
from flagfall.server.workers import Job, JobDroppedError, QueueFullError, ThinkingError, Ticket
from flagfall.server.workers.jobs import ChancesAnswer, HintAnswer
from flagfall.sides import SIDES, Side

BUDGET_MS, NODES = 1_500, 6_500
PLAYER = "coach"
"""names no player, so it is answered at once by a worker with interpreted kernels"""

operations = Operations("coach")


@operations.add("POST", "/api/matches/{match}/hint", Advice, 401, 403, 404, 409, request=HintRequest)
async def hint(request: Request, match: str) -> Response:
    """Return a good action for you and why it is good; only in a training game, on your turn."""
    guest, body = await require_guest(request), await read_body(request, HintRequest)
    registry = registry_of(request)
    session = await registry.session(match)
    seat, played = _coached(session, guest, body.number)
    if played.to_move != seat:
        raise RequestError("not-your-turn", say("coach.refusal.not-your-turn"))
    answer = msgspec.json.decode(await ask_coach(registry, session, guest, seat, "hint"), type=HintAnswer)
    if session.number(seat) != body.number:
        raise stale_number(session.number(seat), body.number)
    view = played.view(seat)
    choice = next(one for one in choices(played.game, view, played.options) if one.action == answer.action)
    return json_response(Advice(body.number, choice, answer.reason, answer.win_percent))


@operations.add(
    "POST", "/api/matches/{match}/chances", PieceChances, 401, 403, 404, 409, 422, request=ChancesRequest
)
async def chances(request: Request, match: str) -> Response:
    """Return what a hidden enemy piece might be, by what you have seen; only in a training game."""
    guest, body = await require_guest(request), await read_body(request, ChancesRequest)
    registry = registry_of(request)
    session = await registry.session(match)
    seat, played = _coached(session, guest, body.number)
    piece = played.view(seat).at(body.square)
    if piece is None or piece.side == seat or piece.kind:
        raise RequestError("unknown-piece", say("coach.refusal.known-piece"))
    answer = msgspec.json.decode(
        await ask_coach(registry, session, guest, seat, "chances", body.square), type=ChancesAnswer
    )
    kinds = tuple(
        KindChance(kind, kind_word(played.game, kind, piece.side), percent) for kind, percent in answer.kinds
    )
    return json_response(PieceChances(body.number, body.square, kinds, answer.others))


def _coached(session: MatchSession, guest: GuestRow, number: int) -> tuple[Side, Match]:
    """Return the guest's seat and the match if the coach may answer there."""
    seat, match = session.seat(guest.id, None), session.require_started()
    if not match.is_training:
        raise RequestError("not-training", say("coach.refusal.no-coach"))
    if not allows_hints(match):
        raise RequestError("not-training", say("coach.refusal.from-memory"))
    if match.phase != "playing":
        raise RequestError("not-started", say("coach.refusal.not-playing"))
    if number != session.number(seat):
        raise stale_number(session.number(seat), number)
    return seat, match


async def ask_coach(
    registry: MatchRegistry,
    session: MatchSession,
    guest: GuestRow,
    seat: Side,
    question: Literal["hint", "chances"],
    square: str = "",
) -> bytes:
    """Have a worker answer from the View and history of this seat."""
    match = session.require_started()
    number = match.number
    job = Job(
        game=session.row.game,
        options=session.row.options,
        player=PLAYER,
        seed=f"{session.row.seed}:{PLAYER}:{number}",
        view=msgspec.json.encode(match.view(seat, forgets=False)),
        side=SIDES.index(seat),
        history=msgspec.json.encode(match.history(seat)),
        time_ms=BUDGET_MS,
        nodes=NODES,
        coach=question,
        square=square,
        language=current_language(),
    )
    ticket = Ticket(guest.id, lambda: session.match is match and match.number == number)
    with _one_at_a_time(registry, guest):
        try:
            async with registry.workers.lease(PLAYER, ticket) as lease:
                return await lease.advice(job)
        except JobDroppedError:
            raise stale_number(session.number(seat), number) from None
        except (QueueFullError, ThinkingError):
            raise RequestError("too-busy", say("coach.refusal.busy")) from None


@contextmanager
def _one_at_a_time(registry: MatchRegistry, guest: GuestRow) -> Iterator[None]:
    """Refuse a second question of a guest while the first is being answered."""
    if guest.id in registry.coached:
        raise RequestError("too-many", say("coach.refusal.still-thinking"))
    registry.coached.add(guest.id)
    try:
        yield
    finally:
        registry.coached.discard(guest.id)
