"""The built web client: its files, its page for every other address, and security headers.

::

    /api/…, /health     the API; an unknown address is an error in JSON
    /assets/name-hash   a file that never changes under its name: cached for a year
    /favicon.svg, …     any other file of the site: revalidated each time
    /embed/…            embed.html: a replay without the rest of the client, which other sites may frame
    everything else     index.html, or that of the reader's language; the client reads the address
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

from flagfall.languages import current_language

YEAR_S = 365 * 86_400
IMMUTABLE = f"public, max-age={YEAR_S}, immutable"
REVALIDATE = "no-cache"
HSTS = f"max-age={YEAR_S}"
_POLICY = (
    "default-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
)
POLICY = "; ".join((*_POLICY, "form-action 'self'", "frame-ancestors 'none'"))
EMBED_POLICY = "; ".join((*_POLICY, "form-action 'none'", "frame-ancestors *"))
"""for the one page that other sites may show in a frame; it only reads finished games"""
_UNLISTED = ("api", "play", "join", "replay", "embed")
ROBOTS = "User-agent: *\n" + "".join(f"Disallow: /{place}/\n" for place in _UNLISTED)
NOT_BUILT_PAGE = """<!doctype html>
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
"""media types by suffix, independent of the machine"""
_COMPRESSED = (("br", ".br"), ("gzip", ".gz"))
"""compressed versions of a file that the build may have made, best first"""


class Site:
    """ASGI application for everything that no route of the API matches."""

    path = "(site)"
    """the route of pages and files in the log"""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file, the page, or a 404."""
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1000})
            return
        scope["route"] = self
        await self._response(Request(scope))(scope, receive, send)

    def _response(self, request: Request) -> Response:
        path = request.url.path
        if is_api(path):
            raise HTTPException(404)
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        if path == "/robots.txt":
            return PlainTextResponse(ROBOTS)
        if (file := self._file(path)) is not None:
            return _file_response(file, request, IMMUTABLE if path.startswith("/assets/") else REVALIDATE)
        if PurePosixPath(path).suffix or not _accepts_pages(request.headers):
            raise HTTPException(404)
        is_embedded = path.startswith("/embed/")
        translated = self._file(f"/index.{current_language()}.html")
        page = self._file("/embed.html") if is_embedded else translated or self._file("/index.html")
        if page is None:
            return HTMLResponse(NOT_BUILT_PAGE, 503, headers={"cache-control": "no-store"})
        response = _file_response(page, request, REVALIDATE)
        response.headers.add_vary_header("accept-language")
        if is_embedded:
            response.headers["content-security-policy"] = EMBED_POLICY
        return response

    def _file(self, path: str) -> Path | None:
        """Return the file of an address, if it is inside the folder."""
        if "\0" in path or path.endswith("/"):
            return None
        file = self._folder / path.lstrip("/")
        try:
            found = file.resolve()
            return found if found.is_relative_to(self._folder) and found.is_file() else None
        except (OSError, ValueError, RuntimeError):
            return None  # too long a name, or a link to itself


def is_api(path: str) -> bool:
    """Return whether an address belongs to the API."""
    return path in ("/api", "/health", "/ready", "/openapi.json") or path.startswith(("/api/", "/health/"))


def _accepts_pages(headers: Headers) -> bool:
    accepted = headers.get("accept", "*/*")
    return any(kind in accepted for kind in ("text/html", "text/*", "*/*"))


def _file_response(file: Path, request: Request, caching: str) -> Response:
    """Return the file, compressed if accepted, or 304 Not Modified."""
    media = _TYPES.get(file.suffix, "application/octet-stream")
    headers = {"cache-control": caching, "vary": "accept-encoding"}
    accepted = {
        word.partition(";")[0].strip() for word in request.headers.get("accept-encoding", "").split(",")
    }
    for coding, suffix in _COMPRESSED:
        compressed = file.with_name(file.name + suffix)
        if coding in accepted and compressed.is_file():
            file, headers["content-encoding"] = compressed, coding
            break
    stat = file.stat()
    headers["etag"] = _etag(file, stat.st_mtime_ns, stat.st_size)
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return FileResponse(file, headers=headers, media_type=media, stat_result=stat)


@lru_cache(maxsize=1024)
def _etag(file: Path, changed_ns: int, size: int) -> str:
    """Return a hash of the content; packages give all files the same date."""
    return f'"{sha256(file.read_bytes()).hexdigest()[:32]}"'


class SecurityHeaders:
    """ASGI middleware that adds security headers to every response."""

    def __init__(self, app: ASGIApp, *, https_only: bool = False) -> None:
        self._app, self._https_only = app, https_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and add the headers to its response."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-security-policy", POLICY)
                headers.setdefault("x-content-type-options", "nosniff")
                headers.setdefault("referrer-policy", "same-origin")
                if self._https_only:
                    headers.setdefault("strict-transport-security", HSTS)
            await send(message)

        await self._app(scope, receive, send_with_headers)
