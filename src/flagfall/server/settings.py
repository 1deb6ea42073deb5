"""How this server runs: by flag, by environment (``FLAGFALL_PORT``), by file; the first that says it counts.

>>> gathered({"port": 9000}, {"FLAGFALL_HOST": "0.0.0.0"}).port
9000
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path

import msgspec
from msgspec import Struct
from platformdirs import user_config_path, user_data_path

from flagfall.errors import FlagfallError

PREFIX = "FLAGFALL_"
FILE_VARIABLE = "FLAGFALL_CONFIG"
FILE_NAME = "server.toml"
_ABOVE_ZERO = (
    "workers",
    "thinking_timeout_s",
    "worker_start_timeout_s",
    "max_running_jobs_per_guest",
    "max_queued_jobs_per_guest",
    "max_queued_jobs",
    "most_body_bytes",
    "most_header_bytes",
    "most_headers",
    "most_cookie_bytes",
    "requests_per_s",
    "requests_at_once",
    "guests_per_hour",
    "matches_per_hour",
    "computer_games_per_hour",
    "invitations_per_hour",
    "sockets_per_minute",
    "most_sockets",
    "most_sockets_per_address",
    "most_connections",
    "most_connections_per_address",
    "head_timeout_s",
    "idle_timeout_s",
    "body_timeout_s",
    "send_timeout_s",
)


class SettingsError(FlagfallError):
    """A setting that cannot be used; the message says which and why."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything about a server that may differ between two of them."""

    host: str = "127.0.0.1"
    port: int | None = None
    """None: 8000, or the next free one"""
    data: str = ""
    """folder of the database; empty: the user's data folder"""
    site: str = ""
    """folder of the built web client; empty: the one in this package"""
    workers: int = 2
    """how many computer players of each kind, quick and searching, think at the same time"""
    thinking_timeout_s: float = 3.0
    """how much longer than its time budget a computer player may take before its process is replaced"""
    worker_start_timeout_s: float = 900.0
    """how long it may take until workers are ready; compiling on a new machine takes minutes"""
    max_running_jobs_per_guest: int = 1
    """how many computer players think at the same time in one guest's matches while other guests wait"""
    max_queued_jobs_per_guest: int = 16
    """how many more of one guest's matches wait for a worker; those beyond it ask again later"""
    max_queued_jobs: int = 1000
    """how many matches of all guests wait for a worker"""
    https_only: bool = False
    """the site is reached over https only: the cookie is Secure and named ``__Host-…``, and HSTS is sent"""
    hosts: str = ""
    """names this server answers to, separated by commas, ``*.example.org`` with all below it, ``*`` any;
    empty: IP addresses, localhost, and names that only a local network resolves"""
    trusted_proxies: str = ""
    """addresses or networks (CIDR) of proxies, separated by commas, whose X-Forwarded-For and
    X-Forwarded-Proto are believed; empty: nobody's"""
    log_level: str = "info"
    log_format: str = "text"
    """text for people, json for machines"""
    most_body_bytes: int = 16_384
    """longest body of a request and longest message on a socket"""
    most_header_bytes: int = 16_384
    """request line and headers together"""
    most_headers: int = 100
    most_cookie_bytes: int = 8_192
    """all cookie headers of a request together"""
    requests_per_s: float = 40.0
    """how many requests or messages one guest may send a second, on average"""
    requests_at_once: int = 200
    """and how many in one go"""
    guests_per_hour: int = 60
    """how many new guests may come from one address in an hour, and how many at once"""
    matches_per_hour: int = 60
    """how many matches of any sort one guest may make in an hour, and how many at once"""
    computer_games_per_hour: int = 60
    """of these, games against the computer"""
    invitations_per_hour: int = 30
    """of these, invitations of friends or of the lobby"""
    sockets_per_minute: int = 60
    """how many sockets one guest may open in a minute, and how many at once"""
    address_factor: float = 5.0
    """how many times the limits of one guest all the guests of one address have together"""
    most_sockets: int = 12
    """open sockets of one guest"""
    most_sockets_per_address: int = 120
    """open sockets of one address, all its guests together"""
    most_connections: int = 2_000
    """open connections in all; fewer if the system allows fewer open files"""
    most_connections_per_address: int = 250
    """open connections of one address; trusted proxies have no limit of their own"""
    most_matches: int = 60
    """unfinished matches of one guest"""
    max_invitations: int = 5
    """open invitations of one guest"""
    host_away_s: float = 60.0
    """the lobby shows invitations of hosts who were heard of within so long"""
    invitation_away_s: float = 1800.0
    """and ends them after so long"""
    head_timeout_s: float = 10.0
    """from opening a connection, or from the first byte of a later request, to the end of its headers"""
    idle_timeout_s: int = 30
    """how long a connection may stay open between two requests"""
    body_timeout_s: float = 10.0
    send_timeout_s: float = 10.0
    """how long somebody who does not read is waited for before the connection is cut"""
    grace_s: float = 5.0
    """so long after the last connection a player still counts as here: a reload is no leaving"""
    prepares: bool = False
    """get players that search ready at the start, so that nobody waits for the first one to be compiled"""
    keep_idle_s: float = 600.0
    """after so long without anybody a match leaves the memory; it stays in the database"""

    def __post_init__(self) -> None:
        if self.port is not None and not 0 <= self.port < 65_536:
            raise SettingsError(f"“port” is {self.port}; a port is a number from 0 to 65535")
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise SettingsError(f"“log_level” is {self.log_level}; choose debug, info, warning or error")
        if self.log_format not in ("text", "json"):
            raise SettingsError(f"“log_format” is {self.log_format}; choose text or json")
        for name in _ABOVE_ZERO:
            if not getattr(self, name) > 0:
                raise SettingsError(f"“{name}” must be above 0")
        if not self.address_factor >= 1:
            raise SettingsError("“address_factor” must be at least 1")
        for network in self.proxy_networks:
            try:
                ip_network(network, strict=False)
            except ValueError:
                raise SettingsError(
                    f"“trusted_proxies” holds {network}; give addresses such as 10.0.0.1 or 10.0.0.0/8"
                ) from None

    @property
    def host_names(self) -> tuple[str, ...]:
        """The names of ``hosts``."""
        return _listed(self.hosts)

    @property
    def proxy_networks(self) -> tuple[str, ...]:
        """The networks of ``trusted_proxies``."""
        return _listed(self.trusted_proxies)

    @property
    def folder(self) -> Path:
        """Where the database lies."""
        return Path(self.data).expanduser() if self.data else user_data_path("flagfall") / "server"

    @property
    def site_folder(self) -> Path:
        """Where the built web client lies."""
        return Path(self.site).expanduser() if self.site else Path(__file__).parent / "site"


def gathered(flags: Mapping[str, object], environment: Mapping[str, str], file: str = "") -> Settings:
    """The settings: flags before environment before file before defaults."""
    said: dict[str, object] = _from_file(file or environment.get(FILE_VARIABLE, ""))
    known = Settings.__struct_fields__
    for name in known:
        if (key := PREFIX + name.upper()) in environment:
            said[name] = environment[key]
    said |= {name: value for name, value in flags.items() if value is not None}
    said |= {name: ",".join(map(str, value)) for name, value in said.items() if isinstance(value, list)}
    try:
        return msgspec.convert(said, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"A setting is not right: {error}. Settings are {', '.join(known)}") from None


def _listed(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _from_file(named: str) -> dict[str, object]:
    """What the file says; only a file that somebody named must be there."""
    path = Path(named).expanduser() if named else user_config_path("flagfall") / FILE_NAME
    if not named and not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: the settings cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise SettingsError(f"{path}: this is not valid TOML: {error}") from None
