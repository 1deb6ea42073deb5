"""Networks that this server offers as opponents: files that the operator named (`docs/server.md`).

A network is called ``network-`` and the name of its file. That id is stored with matches, so it stays valid
as long as the operator offers a file of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flagfall.edition import Game, Options, UnknownGameError, load_game, resolve
from flagfall.languages import say
from flagfall.server.errors import RequestError
from flagfall.server.settings import SettingsError

if TYPE_CHECKING:
    from flagfall.rl.network_file import NetworkFile

PREFIX = "network-"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,23}")


@dataclass(frozen=True)
class OfferedNetwork:
    """A network that can be chosen as an opponent."""

    id: str
    file: Path
    network: NetworkFile

    @property
    def game(self) -> str:
        """The id of the game it plays."""
        return self.network.header.game


_offered: dict[str, OfferedNetwork] = {}


def offer_networks(files: Iterable[Path]) -> None:
    """Read the files of networks and offer them, and no others; `SettingsError` if one cannot be used."""
    import flagfall.engine.kernel  # noqa: F401 (first, so that kernels run here as they did)
    from flagfall.rl.network_file import NetworkFileError, read_network

    found: dict[str, OfferedNetwork] = {}
    for file in files:
        name = file.name.partition(".")[0].lower().replace("_", "-")
        if not _NAME.fullmatch(name):
            raise SettingsError(
                f"{file}: the name of a network's file has 1 to 24 letters a to z, digits and hyphens before "
                "the dot"
            )
        if PREFIX + name in found:
            raise SettingsError(f"{file}: there are two networks called {name}; rename one of the files")
        try:
            network = read_network(file)
            _check(network, load_game(network.header.game, allow_files=False), None)
        except (NetworkFileError, UnknownGameError) as problem:
            raise SettingsError(str(problem).rstrip(".")) from None
        found[PREFIX + name] = OfferedNetwork(PREFIX + name, file.resolve(), network)
    _offered.clear()
    _offered.update(found)


def _check(network: NetworkFile, game: Game, options: Options | None) -> None:
    """Refuse a network that does not fit the game under these options, or those that it was trained with."""
    from flagfall.edition.compile import compile_game
    from flagfall.rl.layout import Layout
    from flagfall.rl.network_file import check_fits

    chosen = resolve(game, network.header.options) if options is None else options
    check_fits(network, Layout(game, chosen, compile_game(game, chosen), places=network.header.places))


def is_network(level: str) -> bool:
    """Return whether the id of a computer player is that of a network, offered or not."""
    return level.startswith(PREFIX)


def is_missing(level: str) -> bool:
    """Return whether a match has a network that is no longer offered."""
    return is_network(level) and level not in _offered


def networks_of(game_id: str) -> tuple[OfferedNetwork, ...]:
    """Return the networks that play a game."""
    return tuple(offered for offered in _offered.values() if offered.game == game_id)


def network_file(level: str) -> str:
    """Return the file of a network; empty for other computer players.

    `RequestError` if it is no longer offered.
    """
    if not is_network(level):
        return ""
    if level not in _offered:
        raise RequestError("not-found", say("server.network.missing"))
    return str(_offered[level].file)


def check_network(level: str, game: Game, options: Options) -> None:
    """Refuse a network that is not offered for this game, or cannot play it with these options."""
    from flagfall.rl.network_file import NetworkFileError

    if level not in {offered.id for offered in networks_of(game.id)}:
        raise RequestError("not-found", say("server.network.missing"))
    try:
        _check(_offered[level].network, game, options)
    except NetworkFileError:
        raise RequestError("option", say("server.network.options")) from None
