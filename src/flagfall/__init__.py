"""Flagfall: five boxed editions of Stratego on one engine.

>>> import flagfall
>>> flagfall.games()[0]
'onyx/classic'

Names are imported when they are first used, so that ``import flagfall`` is quick; see `docs/library.md`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flagfall.edition import OptionError, UnknownGameError
    from flagfall.engine.action import Action
    from flagfall.errors import FlagfallError, UserError
    from flagfall.library import (
        ComputerPlayer,
        Game,
        Position,
        game,
        games,
        play,
        player,
        player_names,
        random_setup,
    )
    from flagfall.match import Match, RefusedError
    from flagfall.notation import NotationError, Record, read_record, write_record
    from flagfall.players import Budget, Player, UnknownPlayerError
    from flagfall.setups import Setup, SetupError
    from flagfall.sides import SIDES, BySide, Side
    from flagfall.view.view import Result, SeenEvent, SeenPiece, View

    __version__: str

_MODULES = {
    "edition": ("OptionError", "UnknownGameError"),
    "engine.action": ("Action",),
    "errors": ("FlagfallError", "UserError"),
    "library": (
        "ComputerPlayer",
        "Game",
        "Position",
        "game",
        "games",
        "play",
        "player",
        "player_names",
        "random_setup",
    ),
    "match": ("Match", "RefusedError"),
    "notation": ("NotationError", "Record", "read_record", "write_record"),
    "players": ("Budget", "Player", "UnknownPlayerError"),
    "setups": ("Setup", "SetupError"),
    "sides": ("SIDES", "BySide", "Side"),
    "view.view": ("Result", "SeenEvent", "SeenPiece", "View"),
}
_PACKAGES = ("edition", "engine", "match", "notation", "players", "setups", "view")
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "SIDES",
    "Action",
    "Budget",
    "BySide",
    "ComputerPlayer",
    "FlagfallError",
    "Game",
    "Match",
    "NotationError",
    "OptionError",
    "Player",
    "Position",
    "Record",
    "RefusedError",
    "Result",
    "SeenEvent",
    "SeenPiece",
    "Setup",
    "SetupError",
    "Side",
    "UnknownGameError",
    "UnknownPlayerError",
    "UserError",
    "View",
    "__version__",
    "game",
    "games",
    "play",
    "player",
    "player_names",
    "random_setup",
    "read_record",
    "write_record",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("flagfall")
    if name in _PACKAGES:
        return import_module(f"flagfall.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'flagfall' has no attribute {name!r}")
    value = getattr(import_module(f"flagfall.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
