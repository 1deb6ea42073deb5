"""Routes: the setup lab outside a game. A guest has one run of quick games; nobody else can see it."""

from __future__ import annotations

import secrets
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from flagfall.languages import say
from flagfall.server.api.http import Operations, json_response, read_body, read_query, registry_of
from flagfall.server.api.messages.setups import LabPoint, LabRun, LabRunState, PlacementCounts, Placements
from flagfall.server.api.requests import LabRequest
from flagfall.server.api.routes.guests import check_rate, current_guest, require_guest
from flagfall.server.middleware.clients import client_of
from flagfall.server.sessions.games import found_game
from flagfall.server.sessions.lab import Run
from flagfall.server.sessions.runs import BackgroundRun
from flagfall.server.store.rows import GuestRow
from flagfall.setups import read_setup, write_setup
from flagfall.sides import Side, SideName

operations = Operations("lab")


class PlacementsQuery(Struct, frozen=True):
    """Whose placements are wanted."""

    side: Annotated[SideName, Meta(description="the side whose home squares are counted")] = "south"


@operations.add("GET", "/api/lab/{box}/{game}/placements", Placements, 404, 503, query=PlacementsQuery)
async def placements(request: Request, box: str, game: str) -> Response:
    """Count where computer players, and people if there are enough, place each kind."""
    side, found = Side(read_query(request, PlacementsQuery).side), await found_game(f"{box}/{game}")
    guest = await current_guest(request)
    lab = registry_of(request).lab
    asking = guest.id if guest else client_of(request.scope).address
    generated = PlacementCounts(*await lab.generated_placements(found, side, asking))
    people = await lab.people_placements(found, side)
    return json_response(Placements(found.id, side, generated, PlacementCounts(*people) if people else None))


@operations.add("GET", "/api/lab/run", LabRunState, 401)
async def lab_run(request: Request) -> Response:
    """Return your last run of quick games; a run that nobody asks for stops after a while."""
    guest = await require_guest(request)
    run = await registry_of(request).runs.run_of(guest.id, Run)
    return json_response(LabRunState(_message(run) if run else None))


@operations.add("POST", "/api/lab/run", LabRunState, 401, 404, 409, 422, 503, request=LabRequest)
async def start_lab_run(request: Request) -> Response:
    """Play quick games with a setup against usual setups, in the background; one run at a time."""
    guest = await require_guest(request)
    body = await read_body(request, LabRequest)
    setup = read_setup(await found_game(body.game), body.side, body.code)
    run = Run(guest.id, setup, body.games, secrets.token_hex(8))
    await start_run(request, guest, run)
    return json_response(LabRunState(_message(run)))


@operations.add("DELETE", "/api/lab/run", LabRunState, 401)
async def cancel_lab_run(request: Request) -> Response:
    """Cancel your run; what was played so far stays."""
    guest = await require_guest(request)
    run = await registry_of(request).runs.cancel(guest.id, Run)
    return json_response(LabRunState(_message(run) if run else None))


async def start_run(request: Request, guest: GuestRow, run: BackgroundRun) -> None:
    """Begin a run of quick games, unless the guest has one or too many were started."""
    registry = registry_of(request)
    async with registry.creating_lock(guest.id):
        registry.refuse_deleted(guest)
        await registry.runs.check_free(guest.id)
        check_rate(request, "lab-runs")
        await registry.runs.start(run, registry.now_ms())


def _message(run: Run) -> LabRun:
    won, drawn, lost = run.counts
    points = (run.share(games) for games in range(1, len(run.results) + 1))
    return LabRun(
        game=run.setup.game.id,
        side=run.setup.side,
        code=write_setup(run.setup),
        state=run.state,
        games=run.games,
        won=won,
        drawn=drawn,
        lost=lost,
        sentence=result_sentence(run),
        points=tuple(LabPoint(*(round(100 * bound, 1) for bound in point)) for point in points),
    )


def result_sentence(run: Run) -> str:
    """Return what the games so far say; empty before the first one."""
    played = len(run.results)
    if not played:
        return ""
    share, low, high = (round(100 * bound) for bound in run.share())
    drawn = run.counts[1]
    key = "lab.result-with-draws" if drawn else "lab.result"
    return say(key, number=played, share=share, low=low, high=high, drawn=drawn)
