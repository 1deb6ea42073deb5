"""The listening socket."""

from __future__ import annotations

import socket
from contextlib import closing

from flagfall.server.serve import _bind


def test_responses_are_sent_without_delay() -> None:
    """asyncio sets TCP_NODELAY only if the protocol is named."""
    with closing(_bind("127.0.0.1", 0)) as listener:
        assert listener.proto == socket.IPPROTO_TCP
