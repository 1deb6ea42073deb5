"""The built web client: its page for every address that is no API, its files, and how browsers may use them.

::

    /api/…, /health     the API; what is unknown there stays a refusal in JSON
    /assets/name-hash   a file that never changes under its name: kept for a year
    /favicon.svg, …     any other file of the site: asked for again each time
    everything else     index.html; the client reads the address itself
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path, PurePosixPath

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

KEPT_S = 365 * 86_400
FOREVER = f"public, max-age={KEPT_S}, immutable"
ASK_AGAIN = "no-cache"
NOT_BUILT = 503
HSTS = f"max-age={KEPT_S}"
POLICY = "; ".join(
    (
        "default-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
ROBOTS = "User-agent: *\nDisallow: /api/\nDisallow: /play/\nDisallow: /join/\nDisallow: /replay/\n"
MISSING = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Flagfall</title>
<h1>The web client has not been built</h1>
<p>Run <code>make play</code> in the source folder: it builds the client and serves it here.</p>
<p>The API works without it, and <code>flagfall play</code> plays in the terminal.</p>
"""
_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""what a file is, whatever the machine thinks of its ending"""
_PACKED = (("br", ".br"), ("gzip", ".gz"))
"""packed twins of a file that the build may have made, best first"""


class Site:
    """ASGI: whatever no route of the API has taken."""

    path = "(site)"
    """how requests for pages and files are called in the log"""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a file, the page, or nothing."""
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1000})
            return
        scope["route"] = self
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        path = request.url.path
        if is_api(path):
            raise HTTPException(404)
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        if path == "/robots.txt":
            return PlainTextResponse(ROBOTS)
        if (file := self._file(path)) is not None:
            return _sent(file, request, FOREVER if path.startswith("/assets/") else ASK_AGAIN)
        if PurePosixPath(path).suffix or not _accepts_pages(request.headers):
            raise HTTPException(404)
        if (page := self._file("/index.html")) is None:
            return HTMLResponse(MISSING, NOT_BUILT, headers={"cache-control": "no-store"})
        return _sent(page, request, ASK_AGAIN)

    def _file(self, path: str) -> Path | None:
        """The file of that address, if it lies inside the folder."""
        if "\0" in path or path.endswith("/"):
            return None
        file = self._folder / path.lstrip("/")
        try:
            found = file.resolve()
            return found if found.is_relative_to(self._folder) and found.is_file() else None
        except (OSError, ValueError, RuntimeError):
            return None  # too long a name, or a link to itself


def is_api(path: str) -> bool:
    """Whether an address belongs to programs."""
    return path in ("/api", "/health", "/ready", "/openapi.json") or path.startswith(("/api/", "/health/"))


def _accepts_pages(headers: Headers) -> bool:
    accepted = headers.get("accept", "*/*")
    return any(kind in accepted for kind in ("text/html", "text/*", "*/*"))


def _sent(file: Path, request: Request, caching: str) -> Response:
    """A file, packed if the browser takes it, or the word that the browser has it already."""
    media = _TYPES.get(file.suffix, "application/octet-stream")
    headers = {"cache-control": caching, "vary": "accept-encoding"}
    wanted = {
        word.partition(";")[0].strip() for word in request.headers.get("accept-encoding", "").split(",")
    }
    for coding, ending in _PACKED:
        packed = file.with_name(file.name + ending)
        if coding in wanted and packed.is_file():
            file, headers["content-encoding"] = packed, coding
            break
    facts = file.stat()
    headers["etag"] = _mark(file, facts.st_mtime_ns, facts.st_size)
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return FileResponse(file, headers=headers, media_type=media, stat_result=facts)


@lru_cache(maxsize=1024)
def _mark(file: Path, changed_ns: int, size: int) -> str:
    """What tells two versions of a file apart: its content, for packages give all files the same date."""
    return f'"{sha256(file.read_bytes()).hexdigest()[:32]}"'


class SecurityHeaders:
    """ASGI middleware: every answer says what a browser must not do with it."""

    def __init__(self, app: ASGIApp, *, https_only: bool = False) -> None:
        self._app, self._https_only = app, https_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on with headers."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-security-policy", POLICY)
                headers.setdefault("x-content-type-options", "nosniff")
                headers.setdefault("referrer-policy", "same-origin")
                if self._https_only:
                    headers.setdefault("strict-transport-security", HSTS)
            await send(message)

        await self._app(scope, receive, guarded)
