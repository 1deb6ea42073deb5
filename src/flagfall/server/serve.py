"""`flagfall serve`: the application under Uvicorn, until it is told to stop."""

from __future__ import annotations

import json
import signal
import socket
import sys
from contextlib import suppress

import structlog
import uvicorn

from flagfall.server.app import create_app
from flagfall.server.logs import set_up_logs
from flagfall.server.settings import Settings, SettingsError

STOP_S = 5


def serve(settings: Settings) -> None:
    """Listen and serve; a port of 0 takes any free one. The address is the first line printed."""
    set_up_logs(settings)
    listening = _bound(settings)
    host, port = listening.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    sys.stdout.write(f"Flagfall is served on {address} (stop with Ctrl-C)\n")
    sys.stdout.flush()
    config = uvicorn.Config(
        create_app(settings),
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=settings.most_body_bytes,
        ws_per_message_deflate=True,
        timeout_graceful_shutdown=STOP_S,
        timeout_keep_alive=30,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
    )
    structlog.get_logger("flagfall.server").info("starting", address=address, workers=settings.workers)
    signal.signal(signal.SIGTERM, _leave)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


def _leave(*_: object) -> None:
    """Uvicorn stops gracefully and then raises the signal again: it was no accident."""
    raise SystemExit(0)


def schema(settings: Settings) -> str:
    """The API as OpenAPI, in JSON."""
    return json.dumps(create_app(settings).openapi(), indent=1, ensure_ascii=False)


def _bound(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        raise SettingsError(
            f"{settings.host}:{settings.port} cannot be listened on ({error.strerror}); choose another --port"
        ) from None
    listening.set_inheritable(False)
    return listening
