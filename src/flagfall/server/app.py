"""The application: routes, refusals, limits, and what happens at start and stop."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from flagfall.server.api import games, matches, play, setups, sockets
from flagfall.server.api.http import describe, error_response
from flagfall.server.clock import stored_clock
from flagfall.server.errors import RequestError
from flagfall.server.logs import RequestLog, handle_request_error
from flagfall.server.middleware.limits import HeadAsGet, Limits
from flagfall.server.middleware.rate_limits import RateLimiter, policies
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.settings import Settings
from flagfall.server.static_files import SafeHeaders, Site
from flagfall.server.store.database import StoreError
from flagfall.server.store.match_store import FILE_NAME, MatchStore
from flagfall.server.store.migrate import migrate
from flagfall.server.workers import Workers

logger = structlog.get_logger("flagfall.server")

_BY_STATUS = {
    404: ("not-found", "There is nothing at this address."),
    405: ("not-allowed", "This address does not take that kind of request."),
}


def create_app(settings: Settings) -> FastAPI:
    """The server as an ASGI application."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        folder = settings.folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        migrate(folder / FILE_NAME)
        store = MatchStore.open(folder / FILE_NAME)
        registry = MatchRegistry(settings, store, Workers.from_settings(settings), await stored_clock(store))
        await registry.follow_bans()
        app.state.registry = registry
        registry.start(registry.resume_clocks())
        registry.start(registry.evict_idle())
        registry.start(registry.follow_database())
        if settings.prepares:
            registry.start(registry.workers.prepare())
        _tune_garbage_collection()
        logger.info("ready")
        yield
        await registry.close()
        logger.info("stopped")

    app = FastAPI(
        title="Flagfall",
        version=version("flagfall"),
        description="Play five boxed editions of Stratego. The socket is described in docs/server.md.",
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.limiter = limiter = RateLimiter(policies(settings))
    for routes in (games, matches, play, setups, sockets):
        app.include_router(routes.router)
    app.add_exception_handler(RequestError, handle_request_error)
    app.add_exception_handler(StoreError, _store_failed)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _plain)
    app.add_middleware(HeadAsGet)
    app.add_middleware(Limits, settings=settings, limiter=limiter)
    app.add_middleware(RequestLog)
    app.add_middleware(SafeHeaders, https_only=settings.https_only)
    app.router.default = Site(settings.site_folder)
    describe(app)
    return app


def _tune_garbage_collection() -> None:
    """What was made at the start stays for good, and a match holds thousands of small values: look seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


async def _unreadable(request: Request, error: Exception) -> Response:
    """A path or query that makes no sense."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = first["loc"][-1] if first["loc"] else "request"
    return error_response(
        RequestError("malformed", f"“{str(where)[:20]}” is not right: {first['msg'][:100]}.")
    )


async def _store_failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, StoreError)
    return error_response(RequestError.from_store_error(error))


async def _plain(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code, sentence = _BY_STATUS.get(error.status_code, ("malformed", "This cannot be understood."))
    response = error_response(RequestError(code, sentence))
    if response.status_code == 405:
        given = (error.headers or {}).get("allow")
        response.headers["allow"] = given or ", ".join(_allowed(request))
    return response


def _allowed(request: Request) -> list[str]:
    """The methods that the address of a request takes, from all of its routes."""
    app: FastAPI = request.app
    methods = set()
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        scope = {**request.scope, "method": method}
        if any(route.matches(scope)[0] is Match.FULL for route in app.router.routes):
            methods |= {method, "HEAD"} if method == "GET" else {method}
    return sorted(methods)
