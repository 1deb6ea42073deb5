"""The settings of a server: from flags, then environment (``FLAGFALL_PORT``), then file, then defaults.

>>> load_settings({"port": 9000}, {"FLAGFALL_HOST": "0.0.0.0"}).port
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

from flagfall.errors import FlagfallError, quoted
from flagfall.server.push.services import is_entry

PREFIX = "FLAGFALL_"
FILE_VARIABLE = "FLAGFALL_CONFIG"
FILE_NAME = "server.toml"
RENAMED = {
    f"most_{what}": f"max_{what}"
    for what in (
        *("body_bytes", "header_bytes", "headers", "cookie_bytes", "matches"),
        *("sockets", "sockets_per_address", "connections", "connections_per_address"),
    )
}
"""names of 0.1.0 that are still read, and today's"""
_MAY_BE_ZERO = frozenset(
    {
        "port",
        "max_matches",
        "max_boxes",
        "max_invitations",
        "host_away_s",
        "invitation_away_s",
        "grace_s",
        "keep_idle_s",
    }
)
"""numbers that need not be above 0"""


class SettingsError(FlagfallError):
    """A setting that cannot be used; the message says which and why."""

    code = "settings"


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything about a server that can be configured."""

    host: str = "127.0.0.1"
    """address to listen on; ``0.0.0.0`` or ``::`` for every address of the machine"""
    port: int | None = None
    """port to listen on; none: 8000, or the next free one"""
    data: str = ""
    """folder of the database; empty: the user's data folder"""
    site: str = ""
    """folder of the built web client; empty: the one in this package"""
    boxes: str = ""
    """files of boxes, separated by commas, that can be played here like the bundled ones"""
    networks: str = ""
    """files of networks that learned to play, separated by commas, that can be chosen as opponents"""
    workers: int = 2
    """processes for quick computer players, and as many for searching ones"""
    thinking_timeout_s: float = 3.0
    """time beyond its budget after which the process of a computer player is replaced"""
    worker_start_timeout_s: float = 900.0
    """time for workers to become ready; without compiled kernels on disk that takes a minute"""
    max_running_jobs_per_guest: int = 1
    """jobs of one guest's matches that run at the same time while other guests wait"""
    max_queued_jobs_per_guest: int = 16
    """matches of one guest that wait for a worker; further ones ask again later"""
    max_queued_jobs: int = 1000
    """matches of all guests that wait for a worker"""
    https_only: bool = False
    """the site is reached only over https: the cookie is Secure and named ``__Host-…``, and HSTS is sent"""
    hosts: str = ""
    """host names of this server, separated by commas; ``*.example.org`` for subdomains, ``*`` for any;
    empty: IP addresses, localhost, and names that only a local network resolves"""
    trusted_proxies: str = ""
    """addresses or networks (CIDR) of proxies, separated by commas, whose X-Forwarded-For and
    X-Forwarded-Proto are trusted; empty: none"""
    log_level: str = "info"
    """debug, info, warning or error"""
    log_format: str = "text"
    """text or json"""
    max_body_bytes: int = 16_384
    """size of a request body or of a socket message"""
    max_record_bytes: int = 262_144
    """size of a request that opens a record of a game"""
    max_header_bytes: int = 16_384
    """size of request line and headers together"""
    max_headers: int = 100
    """headers of a request"""
    max_cookie_bytes: int = 8_192
    """size of all cookie headers of a request together"""
    requests_per_s: float = 40.0
    """requests, or socket messages, of one guest per second on average"""
    requests_at_once: int = 200
    """requests, or socket messages, of one guest in one burst"""
    guests_per_hour: int = 60
    """new guests from one address per hour, also in one burst"""
    matches_per_hour: int = 60
    """new matches of one guest per hour, also in one burst"""
    computer_games_per_hour: int = 60
    """new games of one guest against the computer per hour, also in one burst"""
    invitations_per_hour: int = 30
    """new invitations of one guest, to friends or in the lobby, per hour, also in one burst"""
    exports_per_hour: int = 6
    """downloads of everything that is kept of one guest per hour, also in one burst"""
    lab_runs_per_hour: int = 20
    """runs of one guest in the setup lab per hour, also in one burst"""
    box_checks_per_minute: int = 60
    """checks and saved texts of one guest in the box workshop per minute, also in one burst"""
    max_boxes: int = 20
    """boxes of one guest in the workshop; 0: nobody can save a box"""
    max_box_bytes: int = 600_000
    """size of a request body with the text of a box, which has at most 100,000 characters"""
    reviews_per_hour: int = 30
    """reviews of finished games that one guest starts per hour, also in one burst"""
    push_services: str = (
        "fcm.googleapis.com, *.push.services.mozilla.com, *.push.apple.com, *.notify.windows.com"
    )
    """hosts to which notifications are sent, separated by commas; ``*.example.org`` for subdomains, an origin
    such as ``http://10.0.0.5:9000`` also in a private network; empty: no notifications"""
    push_contact: str = ""
    """how push services reach the operator, ``mailto:…`` or ``https://…``; empty: the first of ``hosts``"""
    max_devices: int = 5
    """devices of one guest that get notifications; a further one replaces the oldest"""
    devices_per_hour: int = 30
    """subscriptions to notifications that one guest sends per hour, also in one burst"""
    notices_per_hour: int = 120
    """notifications to one guest per hour, also in one burst"""
    records_per_hour: int = 30
    """records of games that one guest opens per hour, also in one burst"""
    sockets_per_minute: int = 60
    """sockets that one guest opens per minute, also in one burst"""
    address_factor: float = 5.0
    """limits of all guests of one address together, as a multiple of those of one guest"""
    max_sockets: int = 12
    """open sockets of one guest"""
    max_sockets_per_address: int = 120
    """open sockets of one address, all its guests together"""
    max_connections: int = 2_000
    """open connections in all; fewer if the system allows fewer open files"""
    max_connections_per_address: int = 250
    """open connections of one address; trusted proxies have no limit of their own"""
    max_matches: int = 60
    """unfinished matches of one guest"""
    max_invitations: int = 5
    """open invitations of one guest"""
    host_away_s: float = 60.0
    """time after which the lobby hides the invitation of a host who is away"""
    invitation_away_s: float = 1800.0
    """time after which the invitation of a host who is away is withdrawn"""
    head_timeout_s: float = 10.0
    """time for the headers, from opening the connection or from the first byte of a later request"""
    idle_timeout_s: int = 30
    """time that a connection may stay open between two requests"""
    body_timeout_s: float = 10.0
    """time for the body of a request"""
    send_timeout_s: float = 10.0
    """time after which a connection whose client does not read is closed"""
    grace_s: float = 5.0
    """time that a player counts as present after the last connection, so that a reload is not leaving"""
    compiles: bool = True
    """compile the kernels of searching players in the background; without it they play quickly but weakly"""
    prepares: bool = False
    """compile at the start of the server instead of in the first game that needs it"""
    keep_idle_s: float = 600.0
    """time after which an unused match is dropped from memory; it stays in the database"""

    def __post_init__(self) -> None:
        if self.port is not None and not 0 <= self.port < 65_536:
            raise SettingsError(f"“port” is {self.port}; a port is a number from 0 to 65535")
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise SettingsError(f"“log_level” is {self.log_level}; choose debug, info, warning or error")
        if self.log_format not in ("text", "json"):
            raise SettingsError(f"“log_format” is {self.log_format}; choose text or json")
        for name, value in msgspec.structs.asdict(self).items():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if is_number and name not in _MAY_BE_ZERO and not value > 0:
                raise SettingsError(f"“{name}” must be above 0")
        if not self.address_factor >= 1:
            raise SettingsError("“address_factor” must be at least 1")
        for name in self.push_service_names:
            if not is_entry(name):
                raise SettingsError(
                    f"“push_services” contains {name}; give host names such as push.example.org"
                )
        if self.push_contact and not self.push_contact.startswith(("mailto:", "https://")):
            raise SettingsError("“push_contact” must begin with mailto: or https://")
        for network in self.proxy_networks:
            try:
                ip_network(network, strict=False)
            except ValueError:
                raise SettingsError(
                    f"“trusted_proxies” contains {network}; give addresses such as 10.0.0.1 or 10.0.0.0/8"
                ) from None

    @property
    def host_names(self) -> tuple[str, ...]:
        """The names in ``hosts``."""
        return _listed(self.hosts)

    @property
    def proxy_networks(self) -> tuple[str, ...]:
        """The networks in ``trusted_proxies``."""
        return _listed(self.trusted_proxies)

    @property
    def push_service_names(self) -> tuple[str, ...]:
        """The hosts in ``push_services``."""
        return _listed(self.push_services)

    @property
    def push_contact_address(self) -> str:
        """The address in every request to a push service."""
        name = next((name for name in self.host_names if "*" not in name), "localhost")
        return self.push_contact or f"https://{name}"

    @property
    def box_files(self) -> tuple[Path, ...]:
        """The files in ``boxes``."""
        return tuple(Path(name).expanduser() for name in _listed(self.boxes))

    @property
    def network_files(self) -> tuple[Path, ...]:
        """The files in ``networks``."""
        return tuple(Path(name).expanduser() for name in _listed(self.networks))

    @property
    def folder(self) -> Path:
        """The folder of the database."""
        return Path(self.data).expanduser() if self.data else user_data_path("flagfall") / "server"

    @property
    def site_folder(self) -> Path:
        """The folder of the built web client."""
        return Path(self.site).expanduser() if self.site else Path(__file__).parent / "site"


def load_settings(flags: Mapping[str, object], environment: Mapping[str, str], file: str = "") -> Settings:
    """Return the settings: flags before environment before file before defaults."""
    known = Settings.__struct_fields__
    values = _with_new_names(_from_file(file or environment.get(FILE_VARIABLE, "")))
    values |= _with_new_names(
        {
            name: environment[key]
            for name in (*known, *RENAMED)
            if (key := PREFIX + name.upper()) in environment
        }
    )
    values |= {name: value for name, value in flags.items() if value is not None}
    _refuse_commas(values.get("boxes"))
    values |= {name: ",".join(map(str, value)) for name, value in values.items() if isinstance(value, list)}
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"A setting is wrong: {error}. Settings are {', '.join(known)}") from None


def _with_new_names(values: Mapping[str, object]) -> dict[str, object]:
    """Rename old settings; where both names are given, the new one counts."""
    old = {RENAMED[name]: value for name, value in values.items() if name in RENAMED}
    return old | {name: value for name, value in values.items() if name not in RENAMED}


def _refuse_commas(boxes: object) -> None:
    """Refuse a list of boxes whose names cannot be joined by commas."""
    for box in boxes if isinstance(boxes, list) else ():
        if "," in str(box):
            raise SettingsError(f"The name of the box {quoted(str(box))} has a comma; rename the file")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _from_file(named: str) -> dict[str, object]:
    """Read the file; only one that was named must exist."""
    path = Path(named).expanduser() if named else user_config_path("flagfall") / FILE_NAME
    if not named and not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: the settings cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise SettingsError(f"{path}: this is not valid TOML: {error}") from None
