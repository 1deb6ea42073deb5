"""The application: routes, middleware, error handlers, and what happens at start and stop."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from flagfall.edition.versions import VERSIONS
from flagfall.languages import say
from flagfall.server.api import commands, sockets
from flagfall.server.api.http import Operations, error_response, json_response, registry_of, routes_of
from flagfall.server.api.messages.matches import Health
from flagfall.server.api.openapi import openapi
from flagfall.server.api.routes import (
    coach,
    games,
    guests,
    lab,
    lessons,
    matches,
    moments,
    my_games,
    push,
    puzzles,
    records,
    reviews,
    workshop,
)
from flagfall.server.clock import load_clock
from flagfall.server.errors import CLIENT_ERRORS, RequestError
from flagfall.server.logs import RequestLog
from flagfall.server.middleware.languages import RequestLanguage
from flagfall.server.middleware.limits import RequestLimits
from flagfall.server.middleware.rate_limits import RateLimiter, policies
from flagfall.server.push.sender import SENDERS
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.settings import Settings
from flagfall.server.static_files import SecurityHeaders, Site
from flagfall.server.store.box_store import versions_in
from flagfall.server.store.match_store import FILE_NAME, MatchStore
from flagfall.server.store.migrate import migrate
from flagfall.server.workers import Workers

logger = structlog.get_logger("flagfall.server")

_BY_STATUS = {
    404: ("not-found", "server.address.not-found"),
    405: ("not-allowed", "server.address.not-allowed"),
}
"""code and message of an error that Starlette raises"""


operations = Operations("server")


@operations.add("GET", "/health", Health)
async def health(request: Request) -> Response:
    """Return whether the server is alive; /ready tells whether it can work."""
    return json_response(Health("ok", version("flagfall")))


@operations.add("GET", "/ready", Health)
async def ready(request: Request) -> Response:
    """Return whether the database can be read and written."""
    await registry_of(request).check_ready()
    return json_response(Health("ok", version("flagfall")))


OPERATIONS = (
    *operations,
    *guests.operations,
    *games.operations,
    *lessons.operations,
    *lab.operations,
    *puzzles.operations,
    *matches.operations,
    *my_games.operations,
    *commands.operations,
    *coach.operations,
    *matches.finished,
    *reviews.operations,
    *push.operations,
    *records.operations,
    *moments.operations,
    *workshop.operations,
)


def create_app(settings: Settings) -> Starlette:
    """Return the server as an ASGI application."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        folder = settings.folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        migrate(folder / FILE_NAME)
        store = MatchStore.open(folder / FILE_NAME)
        registry = MatchRegistry(settings, store, Workers.from_settings(settings), await load_clock(store))
        await registry.follow_bans()
        await registry.push.load()
        app.state.registry = registry
        registry.start(registry.resume_clocks())
        registry.start(registry.evict_idle())
        registry.start(registry.follow_database())
        for _ in range(SENDERS if registry.push.key else 0):
            registry.start(registry.push.send_notices())
        if settings.prepares:
            registry.start(registry.workers.prepare())
        _tune_garbage_collection()
        logger.info("ready")
        with VERSIONS.source(versions_in(folder / FILE_NAME)):
            yield
        await registry.close()
        logger.info("stopped")

    limiter = RateLimiter(policies(settings))
    app = Starlette(
        routes=[*routes_of(OPERATIONS), sockets.route, Route("/openapi.json", _openapi)],
        middleware=[
            Middleware(SecurityHeaders, https_only=settings.https_only),
            Middleware(RequestLog),
            Middleware(RequestLanguage),
            Middleware(RequestLimits, settings=settings, limiter=limiter),
        ],
        exception_handlers={
            **dict.fromkeys(CLIENT_ERRORS, _handle_error),
            HTTPException: _handle_http_exception,
        },
        lifespan=lifespan,
    )
    app.state.limiter = limiter
    app.router.default = Site(settings.site_folder)
    return app


async def _openapi(request: Request) -> Response:
    return JSONResponse(openapi(OPERATIONS))


def _tune_garbage_collection() -> None:
    """Collect rarely: a match has thousands of small objects, and those of the start live until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


async def _handle_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, CLIENT_ERRORS)
    return error_response(RequestError.of(error))


async def _handle_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code, key = _BY_STATUS.get(error.status_code, ("malformed", "server.address.malformed"))
    response = error_response(RequestError(code, say(key)))
    if allowed := (error.headers or {}).get("Allow"):
        response.headers["allow"] = ", ".join(sorted(allowed.split(", ")))
    return response
