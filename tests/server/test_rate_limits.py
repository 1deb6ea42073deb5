"""Rate limits by address and by guest, and how the address of a client is found."""

from __future__ import annotations

import pytest

from flagfall.server.errors import RequestError
from flagfall.server.middleware.clients import Proxies, address_key, read_cookie
from flagfall.server.middleware.rate_limits import Buckets, Kind, Policy, Rate, RateLimiter, policies
from flagfall.server.settings import Settings, SettingsError, load_settings

KIND: Kind = "requests"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def limiter(guest: Rate | None, address: Rate | None, clock: Clock, most: int = 100) -> RateLimiter:
    return RateLimiter({KIND: Policy(guest, address)}, most, clock)


def uses(limits: RateLimiter, address: str | None = None, guest: str | None = None, tries: int = 50) -> int:
    """Return how many of a number of uses are allowed."""
    allowed = 0
    for _ in range(tries):
        try:
            limits.check(KIND, address=address, guest=guest)
            allowed += 1
        except RequestError:
            pass
    return allowed


def test_guests_and_addresses_are_counted_separately() -> None:
    limits = limiter(Rate(1, 3), Rate(1, 10), Clock())
    assert uses(limits, "home", "anna") == 3
    assert uses(limits, "home", "ben") == 3, "one guest does not use up what the others have"
    assert uses(limits, "elsewhere", "anna") == 0, "another address does not help a guest"
    assert uses(limits, "home") == 4, "a refused use has taken no token of the address"
    assert uses(limits, "home", "carla") == 0
    assert uses(limits, "elsewhere", "carla") == 3


def test_the_error_says_when_to_try_again() -> None:
    clock = Clock()
    limits = limiter(None, Rate(1 / 60, 1), clock)
    limits.check(KIND, address="home")
    clock.now = 10.5
    with pytest.raises(RequestError) as refused:
        limits.check(KIND, address="home")
    assert (refused.value.code, refused.value.headers()) == ("too-many", {"retry-after": "50"})
    assert refused.value.sentence == "Too many requests; wait 50 seconds and try again."
    assert refused.value.message().retry_after_s == 50
    clock.now += 50
    limits.check(KIND, address="home")
    clock.now = 0.0


def test_memory_is_bounded_and_an_empty_bucket_is_kept() -> None:
    clock = Clock()
    buckets = Buckets(Rate(0.001, 5), 100, clock)
    for _ in range(5):
        buckets.take("attacker")
    for number in range(1_000):
        buckets.take(f"new {number}")
        assert len(buckets) <= 100
        assert buckets.wait_s("attacker") > 0, "many new addresses do not refill an emptied bucket"
    clock.now = 10_000
    for number in range(200):
        buckets.take(f"later {number}")
    assert buckets.wait_s("attacker") == 0, "time does"


def test_an_address_may_do_what_one_of_its_guests_may() -> None:
    for policy in policies(Settings(requests_per_s=100, guests_per_hour=1)).values():
        if policy.guest and policy.address:
            assert policy.address.per_s >= policy.guest.per_s
            assert policy.address.burst >= policy.guest.burst


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:0:1:aaaa::1", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:bbbb::2", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_addresses_are_counted_by_customer(address: str, key: str) -> None:
    assert address_key(address) == key


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("10.0.0.1", [b"203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", [b"6.6.6.6, 203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", [b"6.6.6.6, 203.0.113.5, 10.0.0.2"], "203.0.113.5"),
        ("10.0.0.1", [b"6.6.6.6", b"203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", [b"203.0.113.5:4711"], "203.0.113.5"),
        ("10.0.0.1", [b"[2001:db8::1]:4711"], "2001:db8::1"),
        ("10.0.0.1", [b"203.0.113.5, unknown"], "10.0.0.1"),
        ("10.0.0.1", [b"203.0.113.5,"], "10.0.0.1"),
        ("10.0.0.1", [b"\xff"], "10.0.0.1"),
        ("10.0.0.1", [b"10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("198.51.100.1", [b"203.0.113.5"], "198.51.100.1"),
        ("::ffff:10.0.0.1", [b"203.0.113.5"], "203.0.113.5"),
    ],
)
def test_only_trusted_proxies_set_the_address(peer: str, forwarded: list[bytes], client: str) -> None:
    headers = [(b"x-forwarded-for", line) for line in forwarded]
    assert Proxies(["10.0.0.0/8"]).client_address(peer, headers) == client
    assert Proxies([]).client_address(peer, headers) == peer


def test_the_scheme_comes_from_trusted_proxies_only() -> None:
    headers = [(b"x-forwarded-proto", b"HTTPS")]
    assert Proxies(["10.0.0.1"]).scheme("10.0.0.1", headers) == "https"
    assert Proxies(["10.0.0.1"]).scheme("10.0.0.2", headers) == ""
    assert Proxies(["10.0.0.1"]).scheme("10.0.0.1", [(b"x-forwarded-proto", b"gopher")]) == ""


@pytest.mark.parametrize(
    ("header", "value"),
    [
        (b"flagfall_guest=abc", "abc"),
        (b"other=1; flagfall_guest=abc", "abc"),
        (b"flagfall_guest = abc ;other", "abc"),
        (b"xflagfall_guest=no; flagfall_guestx=no", ""),
        (b"flagfall_guest", ""),
        (b";;;===;", ""),
        (b'flagfall_guest="' + b"\\" * 15_000 + b'"', '"' + "\\" * 15_000 + '"'),
    ],
)
def test_the_cookie_is_read_without_a_parser(header: bytes, value: str) -> None:
    assert read_cookie([(b"host", b"x"), (b"cookie", header)], "flagfall_guest") == value


def test_settings_can_be_lists() -> None:
    settings = load_settings(
        {}, {"FLAGFALL_TRUSTED_PROXIES": "10.0.0.0/8, ::1", "FLAGFALL_HOSTS": "example.org"}
    )
    assert settings.proxy_networks == ("10.0.0.0/8", "::1")
    assert settings.host_names == ("example.org",)
    assert load_settings({"hosts": ["a.org", "b.org"]}, {}).host_names == ("a.org", "b.org")
    with pytest.raises(SettingsError, match="trusted_proxies"):
        load_settings({}, {"FLAGFALL_TRUSTED_PROXIES": "my-proxy"})
    with pytest.raises(SettingsError, match="head_timeout_s"):
        load_settings({}, {"FLAGFALL_HEAD_TIMEOUT_S": "0"})
