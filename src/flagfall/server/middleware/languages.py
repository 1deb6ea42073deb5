"""The language of each request: ``language=de`` in the address, or else the header ``Accept-Language``.

Only sentences for people depend on it; ids, codes, notation and records do not.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flagfall.languages import LANGUAGES, choose_language, current_language, use_language

PARAMETER = "language"


class RequestLanguage:
    """Middleware that uses the reader's language while a request or socket is handled."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        with use_language(language_of(scope)):
            await self._app(scope, receive, _labelled(scope, send))


def language_of(scope: Scope) -> str:
    """Return the language that a request asks for."""
    wanted = QueryParams(scope["query_string"]).get(PARAMETER, "")
    return wanted if wanted in LANGUAGES else choose_language(Headers(scope=scope).get("accept-language", ""))


def _labelled(scope: Scope, send: Send) -> Send:
    """Return a ``send`` that says which language an answer of the API is in."""
    if scope["type"] != "http" or not scope["path"].startswith("/api/"):
        return send

    async def send_labelled(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["Content-Language"] = current_language()
            headers.add_vary_header("Accept-Language")
        await send(message)

    return send_labelled
