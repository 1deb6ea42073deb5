"""The client of a request: its address behind trusted proxies, its cookie, and its guest once looked up.

The middleware in `limits` makes one `Client` for each request or socket and keeps it in the ASGI scope. The
cookie headers themselves are removed there, so nothing further in parses them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

from flagfall.server.store.rows import GuestRow

COOKIE = "flagfall_guest"
"""name of the cookie over plain http"""
SECURE_COOKIE = f"__Host-{COOKIE}"
"""name of the cookie over https; browsers accept it only with Secure and without Domain"""
SCOPE_KEY = "flagfall.client"
IPV6_PREFIX = 64
"""bits of an IPv6 address that count: a customer gets at least a /64"""

RawHeaders = Sequence[tuple[bytes, bytes]]
Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


@dataclass(eq=False, slots=True)
class Client:
    """The sender of one request or the other end of one socket."""

    address: str
    token: str = ""
    has_secure_cookie: bool = False
    guest: GuestRow | None = None
    is_looked_up: bool = False


def client_of(scope: Scope) -> Client:
    """Return the client that the middleware found for this request."""
    client: Client = scope[SCOPE_KEY]
    return client


def read_cookie(headers: RawHeaders, name: str) -> str:
    """Return the value of a cookie, or an empty string; takes time linear in the length of the header.

    >>> read_cookie([(b"cookie", b"a=1; flagfall_guest=xyz; flagfall_guest=second")], "flagfall_guest")
    'xyz'
    """
    wanted = name.encode("ascii")
    for header, text in headers:
        if header == b"cookie":
            for pair in text.split(b";"):
                key, _, value = pair.partition(b"=")
                if key.strip() == wanted:
                    return value.strip().decode("latin-1")
    return ""


def address_key(address: str) -> str:
    """Return the key by which limits count an address: IPv4 in full, IPv6 by its /64.

    >>> address_key("::ffff:192.0.2.1"), address_key("2001:db8:1:2:3:4:5:6")
    ('192.0.2.1', '2001:db8:1:2::/64')
    """
    parsed = _parsed(address)
    if isinstance(parsed, IPv6Address):
        return str(IPv6Network((int(parsed), IPV6_PREFIX), strict=False))
    return str(parsed) if parsed else address


class Proxies:
    """The proxies whose forwarding headers are trusted; without any, those headers are ignored."""

    def __init__(self, networks: Iterable[str]) -> None:
        self._networks: list[Network] = [ip_network(network, strict=False) for network in networks]

    def trusts(self, address: str) -> bool:
        """Return whether this is the address of a trusted proxy."""
        parsed = _parsed(address)
        return parsed is not None and self._contain(parsed)

    def _contain(self, address: Address) -> bool:
        return any(address in network for network in self._networks)

    def client_address(self, peer: str, headers: RawHeaders) -> str:
        """Return the right-most address in ``X-Forwarded-For`` that is not a trusted proxy.

        If the header contains anything but addresses, return the peer.
        """
        if not self.trusts(peer):
            return peer
        found = peer
        for hop in reversed(_values(headers, b"x-forwarded-for")):
            address = _hop(hop)
            if address is None:
                return peer
            found = str(address)
            if not self._contain(address):
                break
        return found

    def scheme(self, peer: str, headers: RawHeaders) -> str:
        """Return http or https as a trusted proxy reports it; empty if none does."""
        values = _values(headers, b"x-forwarded-proto") if self.trusts(peer) else []
        scheme = values[-1].lower() if values else ""
        return scheme if scheme in ("http", "https") else ""


def _values(headers: RawHeaders, name: bytes) -> list[str]:
    lines = [text.decode("latin-1") for header, text in headers if header == name]
    return [value.strip() for value in ",".join(lines).split(",")] if lines else []


def _hop(text: str) -> Address | None:
    """Parse an address with or without a port: ``192.0.2.1:80``, ``[2001:db8::1]:80``."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    return _parsed(text)


def _parsed(text: str) -> Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return unmapped(address)


def unmapped(address: Address) -> Address:
    """Return the IPv4 address mapped into an IPv6 address, or the address itself."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
