"""Answers and bodies on the wire: msgspec in and out, and their shapes in the OpenAPI schema."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from msgspec import Struct

from flagfall.server.api import catalogue, messages, requests
from flagfall.server.api.requests import decode
from flagfall.server.errors import RequestError

JSON = "application/json"
REF = "#/components/schemas/{name}"
Shape = TypeVar("Shape")

_ENDS_WITH = {
    200: "Done.",
    400: "It cannot be understood.",
    401: "You are no guest yet.",
    403: "Not for you.",
    404: "There is no such thing.",
    408: "It came too slowly.",
    409: "Not now.",
    405: "The address does not take this method.",
    413: "It is too large.",
    421: "The server does not answer to this host name.",
    422: "Not allowed by the rules.",
    429: "Too many requests.",
    431: "The headers are too large.",
    503: "It could not be stored, or the server is too busy.",
}
ANYWHERE = (400, 403, 405, 413, 421, 429, 431, 503)
"""statuses that every address may answer with"""
_HEADERS: dict[str, Any] = {
    "Allow": {"description": "The methods it takes.", "schema": {"type": "string"}},
    "Retry-After": {
        "description": "Whole seconds after which to try again.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "Set-Cookie": {
        "description": "The cookie that says who you are; only when it is new.",
        "schema": {"type": "string"},
    },
    "WWW-Authenticate": {"description": "How to be known here.", "schema": {"type": "string"}},
}
_HEADER_OF = {401: "WWW-Authenticate", 405: "Allow", 429: "Retry-After", 503: "Retry-After"}


def json_response(answer: Struct, status: int = 200) -> Response:
    """An answer as JSON; never kept by a cache."""
    return Response(
        msgspec.json.encode(answer), status, media_type=JSON, headers={"cache-control": "no-store"}
    )


def error_response(no: RequestError) -> Response:
    """A refusal as JSON."""
    response = json_response(no.answer(), no.status)
    response.headers.update(no.headers())
    return response


async def read_body(request: Request, shape: type[Shape]) -> Shape:
    """The body of a request; a slow one is not waited for."""
    try:
        async with asyncio.timeout(request.app.state.registry.settings.body_timeout_s):
            data = await request.body()
    except TimeoutError:
        raise RequestError("too-slow", "The request came too slowly; send it again.") from None
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if data and kind != JSON:
        raise RequestError("malformed", f"Send JSON with content-type {JSON}.")
    return decode(data or b"{}", shape)


def operation(
    answer: type[Struct] | None,
    request: type[Struct] | None = None,
    *refusals: int,
    media: str = JSON,
    sets_cookie: bool = False,
) -> dict[str, Any]:
    """What a route takes and gives, for the schema."""
    statuses = sorted({*ANYWHERE, *refusals, *((408,) if request else ())})
    free = {"type": "object"} if media == JSON else {"type": "string"}
    content: dict[str, Any] = {media: {"schema": _ref(answer) if answer else free}}
    responses: dict[str, Any] = {"200": {"description": _ENDS_WITH[200], "content": content}}
    if sets_cookie:
        responses["200"]["headers"] = {"Set-Cookie": _HEADERS["Set-Cookie"]}
    for status in statuses:
        responses[str(status)] = {"$ref": f"#/components/responses/Refused{status}"}
    extra: dict[str, Any] = {"responses": responses}
    if request:
        extra["requestBody"] = {"required": True, "content": {JSON: {"schema": _ref(request)}}}
    return extra


def _refusals() -> dict[str, Any]:
    """What every refusal looks like, by status."""
    return {
        f"Refused{status}": {
            "description": said,
            "content": {JSON: {"schema": _ref(messages.Refused)}},
            **({"headers": {name: _HEADERS[name]}} if (name := _HEADER_OF.get(status)) else {}),
        }
        for status, said in _ENDS_WITH.items()
        if status != 200
    }


def _ref(shape: type[Struct]) -> dict[str, str]:
    return {"$ref": REF.format(name=shape.__name__)}


def describe(app: FastAPI) -> None:
    """Let ``/openapi.json`` name every shape, those of the socket included."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title, version=app.version, routes=app.routes, description=app.description
            )
            components = schema.setdefault("components", {}).setdefault("schemas", {})
            for name in [name for name in components if "ValidationError" in name]:
                del components[name]
            for route in schema["paths"].values():
                for verb in route.values():
                    _without_422(verb)
            components |= _components()
            schema["components"]["responses"] = _refusals()
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _without_422(verb: dict[str, Any]) -> None:
    """FastAPI's own 422 never comes: what it cannot read becomes a 400 with a sentence."""
    said = verb["responses"].get("422")
    if said and "HTTPValidationError" in str(said):
        del verb["responses"]["422"]


def _components() -> dict[str, Any]:
    every = [
        shape
        for module in (messages, requests, catalogue)
        for shape in vars(module).values()
        if isinstance(shape, type) and issubclass(shape, Struct) and shape is not Struct
        if shape.__module__ == module.__name__ and not shape.__name__.startswith("_")
    ]
    types: list[Any] = [*every, messages.SocketAnswer, requests.SocketRequest]
    found, components = msgspec.json.schema_components(types, ref_template=REF)
    components["SocketAnswer"], components["SocketRequest"] = found[-2], found[-1]
    return components
