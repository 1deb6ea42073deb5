"""`flagfall serve`: run the application under Uvicorn until it is stopped."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping
from contextlib import suppress

import structlog
import uvicorn

from flagfall.edition import add_box
from flagfall.edition.lessons import lesson_book
from flagfall.match.lessons import check_lesson
from flagfall.server.api.openapi import openapi
from flagfall.server.app import OPERATIONS, create_app
from flagfall.server.logs import set_up_logs
from flagfall.server.middleware.connections import BACKLOG, protocols
from flagfall.server.settings import Settings, SettingsError
from flagfall.server.store.folder_lock import FolderInUseError, folder_lock
from flagfall.server.store.match_store import FILE_NAME
from flagfall.server.store.migrate import SchemaError, check_schema

STOP_S = 5
PORTS = range(8000, 8100)
"""tried in this order if no port is given"""


def serve(settings: Settings, *, opens_browser: bool = False) -> None:
    """Listen and serve; port 0 means any free port. The first line printed is the address."""
    set_up_logs(settings)
    for file in settings.box_files:
        if file.exists() and not file.is_file():
            what = "a folder" if file.is_dir() else "no ordinary file"
            raise SettingsError(f"{file} is {what}; name the .toml file of a box")
        edition = add_box(file)
        for lesson in lesson_book(edition).values():
            check_lesson(lesson)
    if settings.networks:
        from flagfall.server.networks import offer_networks

        offer_networks(settings.network_files)
    try:
        with folder_lock(settings.folder):
            check_schema(settings.folder / FILE_NAME)
            _serve(settings, opens_browser=opens_browser)
    except (FolderInUseError, SchemaError) as error:
        raise SettingsError(str(error)) from None


def _serve(settings: Settings, *, opens_browser: bool) -> None:
    listener = _listen(settings)
    host, port = listener.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    sys.stdout.write(f"Flagfall is served on {address} (stop with Ctrl-C)\n")
    sys.stdout.flush()
    if opens_browser and has_desktop(sys.platform, os.environ):
        here = address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
        threading.Thread(target=_open, args=(here,), daemon=True).start()
    http, websocket = protocols(settings)
    config = uvicorn.Config(
        create_app(settings),
        log_config=None,
        access_log=False,
        backlog=BACKLOG,
        http=http,
        h11_max_incomplete_event_size=settings.max_header_bytes,
        ws=websocket,
        ws_max_size=settings.max_body_bytes,
        ws_per_message_deflate=True,
        timeout_graceful_shutdown=STOP_S,
        timeout_keep_alive=settings.idle_timeout_s,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
    )
    structlog.get_logger("flagfall.server").info("starting", address=address, workers=settings.workers)
    signal.signal(signal.SIGTERM, _exit)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def _exit(*_: object) -> None:
    """Exit with 0: Uvicorn stops gracefully and then raises the signal again."""
    raise SystemExit(0)


def schema() -> str:
    """Return the OpenAPI document as JSON."""
    return json.dumps(openapi(OPERATIONS), indent=1, ensure_ascii=False)


def has_desktop(platform: str, environment: Mapping[str, str]) -> bool:
    """Return whether there is a desktop on which to open a browser.

    >>> has_desktop("linux", {}), has_desktop("linux", {"DISPLAY": ":0"}), has_desktop("darwin", {})
    (False, True, True)
    """
    return platform in ("darwin", "win32") or any(
        environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )


def _open(address: str) -> None:
    """Open the browser, if there is one; its request waits until the server accepts it."""
    with suppress(webbrowser.Error, OSError):
        webbrowser.open(address)


def _listen(settings: Settings) -> socket.socket:
    """Return a listening socket on the given port, or on the first free one."""
    wanted = PORTS if settings.port is None else (settings.port,)
    reason = ""
    for port in wanted:
        try:
            return _bind(settings.host, port)
        except OSError as error:
            reason = error.strerror or str(error)
            if error.errno != errno.EADDRINUSE:
                break
    tried = f"{settings.host}:{wanted[0]}"
    raise SettingsError(f"Cannot listen on {tried} ({reason}); choose another --port")


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is named; a response would wait 40 ms otherwise
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    listener.set_inheritable(False)
    return listener
