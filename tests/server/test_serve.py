"""How the server listens."""

from __future__ import annotations

import socket
from contextlib import closing

from flagfall.server.serve import _bound


def test_answers_are_sent_without_delay() -> None:
    """asyncio switches Nagle's delay off only where the protocol is named; it costs 40 ms."""
    with closing(_bound("127.0.0.1", 0)) as listening:
        assert listening.proto == socket.IPPROTO_TCP
