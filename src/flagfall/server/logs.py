"""Structured logs of requests and faults, without cookies, names, setups or moves.

A request is logged by its route, ``/api/invitations/{token}``, because its address may contain a secret.
An exception is logged by type and traceback, because its message may contain one.
"""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import time
import traceback
from contextlib import suppress
from typing import TextIO, cast

import structlog
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flagfall.server.api.http import error_response
from flagfall.server.errors import RequestError
from flagfall.server.settings import Settings

logger = structlog.get_logger("flagfall.requests")
SERVER_ERROR = 500
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
"""methods that are logged by name; clients can send others of any length"""
CLIENT_GONE = 499
"""logged for a client that disconnected before its request was complete"""
STOPPING = 503
STOPPING_SENTENCE = "The server is stopping; open the match again in a moment to see what has happened."
FAULT_SENTENCE = "The server made an error, which has been logged; try again."
_VALUES = re.compile(r"[\n({<\[]")
"""where values may begin in a library's message"""


def set_up_logs(settings: Settings) -> None:
    """Log to standard error, including warnings and errors of libraries."""
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            _trace_without_messages,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[settings.log_level.upper()]
        ),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _LogStream(sys.stderr))),
    )
    # Only warnings: at debug level, libraries log headers with cookies.
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    for handler in [handler for handler in root.handlers if isinstance(handler, _FromLibraries)]:
        root.removeHandler(handler)
    root.addHandler(_FromLibraries())


class _FromLibraries(logging.Handler):
    """Passes on log records of libraries: the first line without values, the traceback without messages."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        text = _VALUES.split(str(record.msg), maxsplit=1)[0].strip()[:100]
        log = structlog.get_logger("flagfall.libraries")
        write = log.error if record.levelno >= logging.ERROR else log.warning
        write("library message", library=record.name, text=text, exc_info=record.exc_info)


def _trace_without_messages(
    _: object, __: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Replace exceptions by their tracebacks without messages."""
    found = event.pop("exc_info", None)
    if found is True:
        found = sys.exc_info()
    error = found[1] if isinstance(found, tuple) else found
    if isinstance(error, BaseException):
        event["exception"] = trace_of(error)
    return event


def trace_of(error: BaseException) -> str:
    """Return the traceback of an exception without its message.

    >>> trace_of(ValueError("a cookie"))
    'ValueError'
    """
    parts: list[str] = []
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        frames = traceback.extract_tb(following.__traceback__)
        lines = [f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}' for frame in frames]
        reason = f": {following.strerror}" if isinstance(following, OSError) and following.strerror else ""
        head = ["Traceback (most recent call last):"] if lines else []
        parts.append("\n".join([*head, *lines, f"{type(following).__name__}{reason}"]))
        is_hidden = following.__suppress_context__
        following = following.__cause__ or (None if is_hidden else following.__context__)
    return "\nduring\n".join(parts)


class _LogStream:
    """Standard error; a line that cannot be written, as on a full disk, is dropped."""

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
    """ASGI middleware that logs each request; an exception becomes a 500 and a traceback in the log."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, then log it."""
        if scope["type"] != "http":
            with suppress(asyncio.CancelledError):  # the server stops
                await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except ClientDisconnect:
            status = status or CLIENT_GONE
        except asyncio.CancelledError:
            if status:
                raise
            status = STOPPING
            await error_response(RequestError("stopping", STOPPING_SENTENCE))(scope, receive, send)
        except Exception:
            logger.exception("request failed", route=_route(scope))
            if not status:
                status = SERVER_ERROR
                await error_response(RequestError("fault", FAULT_SENTENCE))(scope, receive, send)
        took_ms = round((time.perf_counter() - started) * 1000, 1)
        method = scope["method"] if scope["method"] in METHODS else "(other)"
        logger.info("request", method=method, route=_route(scope), status=status, took_ms=took_ms)


def _route(scope: Scope) -> str:
    return str(getattr(scope.get("route"), "path", "(none)"))
