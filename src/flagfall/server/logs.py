"""Structured logs: what was asked and how it went, never a cookie, a name, a setup or a move.

A request is logged by its route, ``/api/invitations/{token}``, not by its address, which may hold a secret.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from contextlib import suppress
from typing import TextIO, cast

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flagfall.server.answers import refused
from flagfall.server.refusals import No
from flagfall.server.settings import Settings

logger = structlog.get_logger("flagfall.requests")
SERVER_ERROR = 500
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
"""methods that are logged by name; clients may invent others of any length"""
CLIENT_GONE = 499
"""logged for a client that went away before its request was complete; nobody is there to be answered"""
STOPPING = 503
STOPPING_SENTENCE = "The server is stopping; open the match again in a moment to see what has happened."


def set_up_logs(settings: Settings) -> None:
    """Lines to standard error."""
    machine = settings.log_format == "json"
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if machine
        else structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            *([structlog.processors.format_exc_info] if machine else []),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[settings.log_level.upper()]
        ),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _LogStream(sys.stderr))),
    )


class _LogStream:
    """Standard error; a line that cannot be written, as on a full disk, is dropped and stops nothing."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            return self._stream.write(text)
        return 0

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.flush()


class RequestLog:
    """ASGI middleware: one line a request; a fault of ours becomes a sentence, and its trace a log line."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, then note."""
        if scope["type"] != "http":
            with suppress(asyncio.CancelledError):  # the server stops and does not wait any longer
                await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except ClientDisconnect:
            status = status or CLIENT_GONE
        except asyncio.CancelledError:
            if status:
                raise
            status = STOPPING
            await refused(No("stopping", STOPPING_SENTENCE))(scope, receive, send)
        except Exception:
            logger.exception("a fault", route=_route(scope))
            if not status:
                status = SERVER_ERROR
                await our_fault()(scope, receive, send)
        took_ms = round((time.perf_counter() - started) * 1000, 1)
        method = scope["method"] if scope["method"] in METHODS else "(other)"
        logger.info("request", method=method, route=_route(scope), status=status, took_ms=took_ms)


def _route(scope: Scope) -> str:
    return str(getattr(scope.get("route"), "path", "(none)"))


def our_fault() -> Response:
    """What is said when the fault is ours."""
    answer = refused(No("fault", "Something went wrong here; it has been noted. Try again."))
    answer.status_code = SERVER_ERROR
    return answer


async def on_no(request: Request, no: Exception) -> Response:
    """A refusal becomes its answer."""
    assert isinstance(no, No)
    return refused(no)
