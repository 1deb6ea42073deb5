"""Bans: guests, addresses and networks that an operator has excluded.

Bans are stored in the database. A running server has them in memory: it loads them at the start and whenever
an operator's command has written to the database.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from ipaddress import ip_address, ip_network

from starlette.types import Scope

from flagfall.errors import FlagfallError
from flagfall.languages import say
from flagfall.server.errors import RequestError
from flagfall.server.middleware.clients import IPV6_PREFIX, unmapped
from flagfall.server.store.rows import BanRow

MIN_PREFIX = {4: 8, 6: 16}
"""shortest prefix of a network that can be banned; a shorter one is a typing mistake"""
PUBLIC_REASON = "told: "
"""prefix of a reason that the banned player is shown; other reasons are for operators"""


class BanError(FlagfallError):
    """This cannot be banned; the message says why."""

    code = "ban"


def network_of(text: str) -> str | None:
    """Return the network that a ban of this address or network covers; None for other texts.

    >>> network_of("192.0.2.7"), network_of("2001:db8::7"), network_of("192.0.2.7/24"), network_of("Anna")
    ('192.0.2.7/32', '2001:db8::/64', '192.0.2.0/24', None)
    """
    try:
        address, _, prefix = text.partition("/")
        plain = unmapped(ip_address(address))
        most = 32 if plain.version == 4 else IPV6_PREFIX
        network = ip_network(f"{plain}/{min(int(prefix), most) if prefix else most}", strict=False)
    except ValueError:
        return None
    if network.prefixlen < MIN_PREFIX[network.version]:
        raise BanError(
            f"{text} is too large; a banned network has at least the prefix /{MIN_PREFIX[network.version]}"
        )
    return str(network)


class Bans:
    """The bans in memory. A lookup takes one step per size of network."""

    def __init__(self) -> None:
        self._guests: dict[str, BanRow] = {}
        self._networks: dict[tuple[int, int], dict[int, BanRow]] = {}
        self._rows: list[BanRow] = []

    def load(self, rows: Iterable[BanRow]) -> bool:
        """Replace all bans; return whether any has changed."""
        before, self._rows = self._rows, sorted(rows, key=lambda row: row.subject)
        self._guests, self._networks = {}, {}
        for row in self._rows:
            try:
                named = network_of(row.subject)
            except BanError:
                continue
            if named is not None:
                network = ip_network(named)
                bits = (network.version, network.max_prefixlen - network.prefixlen)
                self._networks.setdefault(bits, {})[int(network.network_address) >> bits[1]] = row
            else:
                self._guests[row.subject] = row
        return before != self._rows

    def refuse_guest(self, guest_id: str | None, now_ms: int) -> None:
        """Refuse a guest who is banned."""
        if guest_id is not None and (row := self._guests.get(guest_id)) is not None:
            _refuse(row, now_ms)

    def refuse_address(self, address: str, now_ms: int) -> None:
        """Refuse an address, or a /64 of addresses, that is banned."""
        if not self._networks:
            return
        try:
            parsed = unmapped(ip_address(address.partition("/")[0].partition("%")[0]))
        except ValueError:
            return
        for (version, bits), banned in self._networks.items():
            if version == parsed.version and (row := banned.get(int(parsed) >> bits)) is not None:
                _refuse(row, now_ms)


def refuse_address(scope: Scope, address: str) -> None:
    """Refuse a request or a socket from a banned address."""
    registry = getattr(scope["app"].state, "registry", None)
    if registry is not None:
        registry.bans.refuse_address(address, registry.now_ms())


def _refuse(row: BanRow, now_ms: int) -> None:
    if row.until_ms is not None and row.until_ms <= now_ms:
        return
    key = "server.banned.for-ever" if row.until_ms is None else "server.banned.until"
    until = "" if row.until_ms is None else time_text(row.until_ms)
    if row.reason.startswith(PUBLIC_REASON):
        why = row.reason.removeprefix(PUBLIC_REASON)
        key = "server.banned.for-ever-because" if row.until_ms is None else "server.banned.until-because"
        raise RequestError("banned", say(key, until=until, reason=why))
    raise RequestError("banned", say(key, until=until))


def time_text(at_ms: int) -> str:
    """Return a time as text, in UTC.

    >>> time_text(0)
    '1970-01-01 00:00 UTC'
    """
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(at_ms / 1000))
