"""A push service on this machine, and a browser's side of a subscription: it decrypts what arrives."""

from __future__ import annotations

import json
import os
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from flagfall.server.push.encryption import CURVE, decode, encode, read_point

Json = dict[str, Any]


class Browser:
    """The keys of one subscription."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._private = ec.generate_private_key(CURVE)
        self._secret = os.urandom(16)
        form = serialization.PublicFormat.UncompressedPoint
        self._point = self._private.public_key().public_bytes(serialization.Encoding.X962, form)

    @property
    def device(self) -> Json:
        """What the browser sends to the server."""
        return {"endpoint": self.endpoint, "p256dh": encode(self._point), "auth": encode(self._secret)}

    def decrypt(self, body: bytes) -> Json:
        """Return the message in a request body, as RFC 8291 says."""
        salt, key_length, rest = body[:16], body[20], body[21:]
        sender, text = rest[:key_length], rest[key_length:]
        shared = self._private.exchange(ec.ECDH(), read_point(sender))
        seed = _derive(shared, self._secret, b"WebPush: info\0" + self._point + sender, 32)
        key = _derive(seed, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derive(seed, salt, b"Content-Encoding: nonce\0", 12)
        found: Json = json.loads(AESGCM(key).decrypt(nonce, text, None).rstrip(b"\0").removesuffix(b"\x02"))
        return found


def _derive(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)


def claims(authorization: str, public_key: str) -> Json:
    """Return the claims of a signed token, if the signature is of the key."""
    token, key = authorization.removeprefix("vapid t=").split(", k=")
    assert key == public_key
    signed, _, signature = token.rpartition(".")
    raw = decode(signature, 64)
    r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    read_point(decode(key, 65)).verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
    part = signed.split(".")[1]
    found: Json = json.loads(decode(part, len(part) * 3 // 4))
    return found


class PushService:
    """What arrived, and what it answers by the path of a device."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self.arrived: queue.Queue[tuple[str, dict[str, str], bytes]] = queue.Queue()
        self.answers: dict[str, int] = {}
        self.held: dict[str, threading.Event] = {}

    def browser(self, name: str) -> Browser:
        return Browser(f"{self.origin}/{name}")

    def next(self, browser: Browser) -> tuple[Json, dict[str, str]]:
        """Wait for the next notice; return its message and its headers."""
        path, headers, body = self.arrived.get(timeout=30)
        assert self.origin + path == browser.endpoint
        return browser.decrypt(body), headers


@contextmanager
def push_service() -> Iterator[PushService]:
    """Run a push service."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            service.arrived.put((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            if (held := service.held.get(self.path)) is not None:
                held.wait(60)
            self.send_response(service.answers.get(self.path, 201))
            self.send_header("location", f"{service.origin}/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        service = PushService(server.server_port)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield service
        finally:
            for held in service.held.values():
                held.set()
            server.shutdown()
