"""The cryptography of Web Push: the server's key pair (VAPID, RFC 8292) and encrypted texts (RFC 8291).

::

    browser: key pair + auth secret ─► its public key and secret are in the subscription
    server:  a new key pair for each message ─► ECDH with the browser's ─► HKDF ─► AES-128-GCM
    body     = salt (16) │ record size (4) │ length (1) │ our public key (65) │ ciphertext

The push service sees who sends (the server's public key) and how long the text is, which is always the same.
"""

from __future__ import annotations

import base64
import hmac
import os
import struct
from collections import OrderedDict
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

if TYPE_CHECKING:
    from flagfall.server.store.match_store import MatchStore

KEY = "push key"
"""where the private key is in the table of facts about the database"""
CURVE = ec.SECP256R1()
POINT_BYTES, SECRET_BYTES, SALT_BYTES, SCALAR_BYTES = 65, 16, 16, 32
RECORD_BYTES = 4096
TEXT_BYTES = 1024
"""every text is padded to this length, so that the push service learns nothing from it"""
TOKEN_S = 12 * 3_600
"""how long a signed token is valid; the standard allows a day"""
RENEW_S = 3_600
"""a token is replaced when less time than this is left"""
MAX_TOKENS = 64


class PushKey:
    """The key pair by which push services recognise this server."""

    def __init__(self, private_key: ec.EllipticCurvePrivateKey, contact: str = "https://localhost") -> None:
        self._private, self._contact = private_key, contact
        self.public_text = encode(_point(private_key.public_key()))
        """what a browser subscribes with"""
        self._tokens: OrderedDict[str, tuple[int, str]] = OrderedDict()

    @classmethod
    def of_text(cls, text: str, contact: str) -> PushKey:
        """Return the key that `text` wrote; `ValueError` if it is none."""
        scalar = decode(text, SCALAR_BYTES)
        return cls(ec.derive_private_key(int.from_bytes(scalar, "big"), CURVE), contact)

    @property
    def text(self) -> str:
        """The private key as it is stored; secret."""
        return encode(self._secret)

    @property
    def _secret(self) -> bytes:
        return self._private.private_numbers().private_value.to_bytes(SCALAR_BYTES, "big")

    def authorization(self, origin: str, now_s: int) -> str:
        """Return the Authorization header for a push service; its token is used for hours."""
        expires, token = self._tokens.get(origin, (0, ""))
        if expires - now_s < RENEW_S:
            expires = now_s + TOKEN_S
            token = self._token({"aud": origin, "exp": expires, "sub": self._contact})
            self._tokens[origin] = (expires, token)
            self._tokens.move_to_end(origin)
            if len(self._tokens) > MAX_TOKENS:
                self._tokens.popitem(last=False)
        return f"vapid t={token}, k={self.public_text}"

    def topic(self, subject: str) -> str:
        """Return a name for a subject that tells a push service nothing about it."""
        return encode(hmac.digest(self._secret, f"topic {subject}".encode(), sha256)[:24])

    def _token(self, claims: dict[str, object]) -> str:
        parts = ({"typ": "JWT", "alg": "ES256"}, claims)
        signed = ".".join(encode(msgspec.json.encode(part)) for part in parts)
        r, s = decode_dss_signature(self._private.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = r.to_bytes(SCALAR_BYTES, "big") + s.to_bytes(SCALAR_BYTES, "big")
        return f"{signed}.{encode(signature)}"


async def load_key(store: MatchStore, contact: str) -> PushKey:
    """Return the server's key from the database; the first start makes one and stores it."""
    stored = await store.meta(KEY)
    if stored is not None:
        try:
            return PushKey.of_text(stored, contact)
        except ValueError:
            pass  # damaged: browsers have to subscribe again, which they do by themselves
    key = PushKey(ec.generate_private_key(CURVE), contact)
    await store.set_meta(KEY, key.text)
    return key


def encrypt(
    text: bytes,
    browser_key: bytes,
    secret: bytes,
    private_key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return a text as only the browser with this public key and secret can read it; `aes128gcm`.

    Key pair and salt are new for each message; tests give those of the standard.
    """
    private_key = private_key or ec.generate_private_key(CURVE)
    salt = os.urandom(SALT_BYTES) if salt is None else salt
    own_key = _point(private_key.public_key())
    shared = private_key.exchange(ec.ECDH(), read_point(browser_key))
    seed = _derive(shared, secret, b"WebPush: info\0" + browser_key + own_key, 32)
    content_key = _derive(seed, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(seed, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack(">IB", RECORD_BYTES, len(own_key)) + own_key
    return head + AESGCM(content_key).encrypt(nonce, text, None)


def padded(text: bytes) -> bytes:
    """Return a text as the only record of a message, padded to the usual length."""
    return (text + b"\x02").ljust(TEXT_BYTES, b"\0")


def read_point(data: bytes) -> ec.EllipticCurvePublicKey:
    """Return the public key of 65 bytes; `ValueError` if that is not a point of the curve."""
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)


def encode(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str, length: int) -> bytes:
    """Return the bytes of a base64url text; `ValueError` unless they have this length."""
    text = text.rstrip("=")
    data = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    if len(data) != length:
        raise ValueError("wrong length")
    return data


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    point = serialization.PublicFormat.UncompressedPoint
    return key.public_bytes(serialization.Encoding.X962, point)


def _derive(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)
