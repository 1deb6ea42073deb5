"""What needs packages that ``pip install flagfall`` leaves out, and the sentence that says so."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final, Literal

from flagfall.errors import UserError

Extra = Literal["server", "rl", "openspiel", "train", "cluster", "data"]
MODULES: Final[dict[Extra, tuple[str, ...]]] = {
    "server": (
        "alembic",
        "cryptography",
        "h11",
        "sqlalchemy",
        "starlette",
        "structlog",
        "uvicorn",
        "websockets",
    ),
    "rl": ("gymnasium", "pettingzoo"),
    "openspiel": ("pyspiel",),
    "train": ("torch",),
    "cluster": ("ray",),
    "data": ("pyarrow",),
}
"""the modules that each extra of pyproject.toml installs, as they are imported"""


class MissingExtraError(UserError, ImportError):
    """Packages are not installed that a part of Flagfall needs."""

    code = "missing-extra"


def require(extra: Extra, what: str) -> None:
    """Raise `MissingExtraError` unless the packages of an extra are installed.

    >>> require("server", "The server")  # they are installed here
    """
    missing = [name for name in MODULES[extra] if find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f"{what} needs packages that are not installed ({', '.join(missing)}); "
            f'install them with: pip install "flagfall[{extra}]".'
        )
