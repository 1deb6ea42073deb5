"""Routes: the devices on which a guest is told that it is their turn."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from flagfall.server.api.http import Operations, json_response, read_body, registry_of
from flagfall.server.api.messages.matches import PushState
from flagfall.server.api.requests import Device, DeviceAddress
from flagfall.server.api.routes.guests import check_rate, require_guest

operations = Operations("push")


@operations.add("GET", "/api/push", PushState, 401)
async def push_state(request: Request) -> Response:
    """Return the key to subscribe with, and how many devices and waiting games you have."""
    guest = await require_guest(request)
    return await _state(request, guest.id)


@operations.add("POST", "/api/push", PushState, 401, 409, request=Device)
async def subscribe(request: Request) -> Response:
    """Have notifications sent to a device; the same one again changes nothing."""
    guest, registry = await require_guest(request), registry_of(request)
    body = await read_body(request, Device)
    check_rate(request, "devices")
    async with registry.creating_lock(guest.id):
        registry.refuse_deleted(guest)
        await registry.push.subscribe(guest.id, body.endpoint, body.p256dh, body.auth)
    return await _state(request, guest.id)


@operations.add("DELETE", "/api/push", PushState, 401, request=DeviceAddress)
async def unsubscribe(request: Request) -> Response:
    """Send no more notifications to a device of yours."""
    guest, registry = await require_guest(request), registry_of(request)
    body = await read_body(request, DeviceAddress)
    await registry.push.unsubscribe(guest.id, body.endpoint)
    return await _state(request, guest.id)


async def _state(request: Request, guest: str) -> Response:
    registry = registry_of(request)
    subscriptions = registry.store.subscriptions
    waiting = len(await subscriptions.waiting_matches(guest))
    return json_response(PushState(registry.push.public_key, await subscriptions.count(guest), waiting))
