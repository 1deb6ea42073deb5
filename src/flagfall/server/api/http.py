"""HTTP for the API: addresses with their handlers, and JSON in and out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import Scope

from flagfall.languages import say
from flagfall.server.api.requests import decode, malformed
from flagfall.server.errors import RequestError
from flagfall.server.sessions.registry import MatchRegistry

JSON = "application/json"
Handler = Callable[..., Awaitable[Response]]
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One method of one address: its handler, and what the OpenAPI schema says of it."""

    method: str
    path: str
    id: str
    tag: str
    text: str
    handler: Handler
    """called with the request, and with the parameters of the path by name"""
    response: type[Struct] | None
    errors: tuple[int, ...] = ()
    """error statuses in addition to `openapi.COMMON_ERRORS`"""
    request: type[Struct] | None = None
    query: type[Struct] | None = None
    media_type: str = JSON
    sets_cookie: bool = False


class Operations(list[Operation]):
    """The operations of a part of the API, collected by decorators."""

    def __init__(self, tag: str) -> None:
        super().__init__()
        self._tag = tag

    def add(
        self,
        method: str,
        path: str,
        response: type[Struct] | None,
        *errors: int,
        request: type[Struct] | None = None,
        query: type[Struct] | None = None,
        media_type: str = JSON,
        sets_cookie: bool = False,
    ) -> Callable[[Handler], Handler]:
        """Add the decorated function as the handler; its name is the operation id, its docstring the text."""

        def decorate(handler: Handler) -> Handler:
            self.append(
                Operation(
                    method=method,
                    path=path,
                    id=handler.__name__,
                    tag=self._tag,
                    text=(handler.__doc__ or "").strip(),
                    handler=handler,
                    response=response,
                    errors=errors,
                    request=request,
                    query=query,
                    media_type=media_type,
                    sets_cookie=sets_cookie,
                )
            )
            return handler

        return decorate


class ApiRoute(Route):
    """All operations of one address. The request log finds the route in the scope."""

    def __init__(self, path: str, operations: Iterable[Operation]) -> None:
        self._handlers = {operation.method: operation.handler for operation in operations}
        super().__init__(path, self._handle, methods=list(self._handlers))

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match as usual, and put the route into the scope.

        An address without parameters takes every method, so that one with a parameter does not get them.
        """
        match, child = super().matches(scope)
        if match is Match.PARTIAL and not self.param_convertors:
            match = Match.FULL
        return match, child if match is Match.NONE else {**child, "route": self}

    async def _handle(self, request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        return await self._handlers[method](request, **request.path_params)


def routes_of(operations: Iterable[Operation]) -> list[ApiRoute]:
    """Return one route for each address."""
    by_path: dict[str, list[Operation]] = {}
    for operation in operations:
        by_path.setdefault(operation.path, []).append(operation)
    return [ApiRoute(path, group) for path, group in by_path.items()]


def registry_of(connection: HTTPConnection) -> MatchRegistry:
    """Return the match registry of the application."""
    registry: MatchRegistry = connection.app.state.registry
    return registry


def json_response(message: Struct, status: int = 200) -> Response:
    """Return the message as JSON that no cache stores."""
    return Response(
        msgspec.json.encode(message), status, media_type=JSON, headers={"cache-control": "no-store"}
    )


def error_response(error: RequestError) -> Response:
    """Return the error as JSON, with its status and headers."""
    response = json_response(error.message(), error.status)
    response.headers.update(error.headers())
    return response


async def read_body(request: Request, body_type: type[T]) -> T:
    """Decode the JSON body of a request; refuse one that arrives too slowly."""
    try:
        async with asyncio.timeout(registry_of(request).settings.body_timeout_s):
            data = await request.body()
    except TimeoutError:
        raise RequestError("too-slow", say("server.connection.too-slow")) from None
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if data and content_type != JSON:
        raise RequestError("malformed", f"Send JSON with content-type {JSON}.")
    return decode(data or b"{}", body_type)


def read_query(request: Request, query_type: type[T]) -> T:
    """Decode the parameters behind the question mark."""
    try:
        return msgspec.convert(dict(request.query_params), query_type, strict=False)
    except msgspec.ValidationError as error:
        raise malformed(error) from None
