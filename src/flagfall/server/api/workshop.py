"""Routes: the box workshop. A box belongs to its author; whoever has its link may look and play."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from flagfall.server.api.http import Operations
from flagfall.server.api.requests import CheckBox, NewBox, SaveBox, SimulateBox
from flagfall.server.api.workshop_messages import (
    BoxCheck,
    OpenedBox,
    SharedBox,
    SimulationState,
    Workshop,
    WorkshopSchema,
)
from flagfall.server.errors import RequestError

operations = Operations("workshop")


@operations.add("GET", "/api/workshop", Workshop, 401)
async def my_boxes(request: Request) -> Response:
    """List your boxes, the last changed first."""
    raise RequestError("not-ready", "The workshop is being built.")


@operations.add("GET", "/api/workshop/schema", WorkshopSchema)
async def workshop_schema(request: Request) -> Response:
    """Return everything that may stand in a box file, and texts to start from."""
    raise RequestError("not-ready", "The workshop is being built.")


@operations.add("POST", "/api/workshop/check", BoxCheck, 401, 503, request=CheckBox)
async def check_box(request: Request) -> Response:
    """Check a text, and return the box as players will see it; nothing is stored."""
    raise RequestError("not-ready", "The workshop is being built.")


@operations.add("POST", "/api/workshop", OpenedBox, 401, 409, 503, request=NewBox)
async def create_box(request: Request) -> Response:
    """Save a new box; a text with problems is saved too, but cannot be played."""
    raise RequestError("not-ready", "The workshop is being built.")


@operations.add("GET", "/api/workshop/{id}", OpenedBox, 401, 404, 503)
async def my_box(request: Request, id: str) -> Response:
    """Return a box of yours with its text."""
    raise RequestError("not-ready", "The workshop is being built.")


@operations.add("PUT", "/api/workshop/{id}", OpenedBox, 401, 404, 409, 503, request=SaveBox)
async def save_box(request: Request, id: str) -> Response:
    """Save a box of yours again; refused if it was changed since the revision that you name."""
    raise RequestError("not-ready", "The workshop is being built.")


@operations.add("DELETE", "/api/workshop/{id}", Workshop, 401, 404)
async def delete_box(request: Request, id: str) -> Response:
    """Delete a box of yours and list the others; its matches go on."""
    raise RequestError("not-ready", "The workshop is being built.")


@operations.add("GET", "/api/workshop/{id}/simulate", SimulationState, 401, 404)
async def box_simulation(request: Request, id: str) -> Response:
    """Return your last simulation of this box; one that nobody asks for stops after a while."""
    raise RequestError("not-ready", "The workshop is being built.")


@operations.add("POST", "/api/workshop/{id}/simulate", SimulationState, 401, 404, 409, 503, request=SimulateBox)
async def simulate_box(request: Request, id: str) -> Response:
    """Play quick games of the last version that can be played, in the background; one run at a time."""
    raise RequestError("not-ready", "The workshop is being built.")


@operations.add("DELETE", "/api/workshop/{id}/simulate", SimulationState, 401, 404)
async def cancel_simulation(request: Request, id: str) -> Response:
    """Cancel your simulation; what was played so far stays."""
    raise RequestError("not-ready", "The workshop is being built.")


@operations.add("GET", "/api/boxes/{id}", SharedBox, 404)
async def shared_box(request: Request, id: str) -> Response:
    """Return what everybody with the link of a box may see: its name, author and games."""
    raise RequestError("not-ready", "The workshop is being built.")
