"""The registry of computer players: built in, registered, installed as entry points, or any importable class.

``mix:17`` is a player of the population (`zoo.mixture`). Any other name stands for ``package.module:Class``,
which is imported on first use.
"""

from __future__ import annotations

import difflib
import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from random import Random
from typing import TYPE_CHECKING, cast

from flagfall.engine import mode
from flagfall.errors import FlagfallError
from flagfall.players.budget import Budget
from flagfall.players.levels import LEVELS, level_of, light

if TYPE_CHECKING:
    from flagfall.edition import Game, Options
    from flagfall.players.evaluation.piece_values import Weights
    from flagfall.players.evaluation.value_net import ValueNet
    from flagfall.players.player import Player

ENTRY_POINTS = "flagfall.players"
"""the entry-point group in which installed packages offer players"""
BUILT_IN: Mapping[str, str] = {
    "random": "flagfall.players.player:RandomPlayer",
    "greedy": "flagfall.players.greedy:GreedyPlayer",
    "rusher": "flagfall.players.zoo.simple:Rusher",
    "turtle": "flagfall.players.zoo.simple:Turtle",
    "bluffer": "flagfall.players.zoo.simple:Bluffer",
    "chaser": "flagfall.players.zoo.simple:Chaser",
    **{
        name: f"flagfall.players.zoo.strangers:{name.title()}"
        for name in ("raider", "hoarder", "walker", "stepper", "escort")
    },
    "ismcts": "flagfall.players.zoo.ismcts:Ismcts",
    "expectimax": "flagfall.players.zoo.expectimax:Expectimax",
    **{level.id: "flagfall.players.searcher:SearchingPlayer" for level in LEVELS},
}
"""the players of this package, by name; the only ones that a server offers"""
SEARCHING = frozenset(level.id for level in LEVELS)
"""the levels: they search, take weights and can explain themselves"""
_COMPILED = SEARCHING | {"ismcts", "expectimax", "raider", "hoarder", "walker", "stepper", "escort"}

MIXTURE = "mix:"
"""before the number of a player of the population"""
_MIXTURES = "flagfall.players.zoo.mixture"

NETWORK = "net:"
"""before the file of a network that plays"""
_NETWORKS = "flagfall.rl.network_player"

Factory = Callable[["Game", "Options", Random, Budget], "Player"]


class PlayerError(FlagfallError):
    """A name does not stand for a usable computer player; the message says why."""

    code = "bad-player"


class UnknownPlayerError(PlayerError, LookupError):
    """There is no computer player of that name; the message lists the known ones."""

    code = "unknown-player"


_registered: dict[str, Factory] = {}
_searching: set[str] = set()


def register_player(name: str, factory: Factory, *, searches: bool = False) -> None:
    """Register a player by a name, for this process.

    ``factory(game, options, rng, budget)`` returns a `Player`; it can be a class. ``searches``: it needs
    compiled kernels to be quick.
    """
    if not name or ":" in name or "@" in name:
        raise PlayerError(f"“{name}” cannot be a player's name; leave out “:” and “@”.")
    if name in BUILT_IN or _registered.get(name, factory) is not factory:
        raise PlayerError(f"There is a player “{name}” already; choose another name.")
    _registered[name] = factory
    if searches:
        _searching.add(name)


def player_names() -> tuple[str, ...]:
    """Return the names of all players, built in, registered or installed."""
    return tuple(sorted({*BUILT_IN, *_registered, *entry_points(group=ENTRY_POINTS).names}))


def needs_compiled(name: str) -> bool:
    """Return whether a player is slow with interpreted kernels, judging by its name alone."""
    return name in _COMPILED or name in _searching or name.startswith(MIXTURE)


def check_player(name: str) -> None:
    """Raise `UnknownPlayerError` or `PlayerError` unless `make_player` would find a player."""
    if name not in BUILT_IN:
        _factory(name)


def make_player(
    name: str,
    game: Game,
    options: Options,
    rng: Random,
    budget: Budget = Budget(),
    weights: Weights | None = None,
    net: ValueNet | None = None,
) -> Player:
    """Return a player for one game, by its name or as ``package.module:Class``.

    ``budget`` limits each action. ``weights`` replace the standard ones of a level, and ``net`` corrects its
    evaluation. A searching player uses
    compiled kernels unless interpreted ones were chosen or are already in use; with those and a time limit it
    thinks less.
    """
    if needs_compiled(name):
        _prefer_compiled(name)
    if name in SEARCHING:
        from flagfall.players.searcher import SearchingPlayer

        level = level_of(name)
        if budget.time_ms is not None and not mode.is_compiled():
            level = light(level)
        return SearchingPlayer(game, options, rng, budget, level, weights=weights, net=net)
    if weights is not None or net is not None:
        raise PlayerError(f"“{name}” has no weights; these have: {', '.join(sorted(SEARCHING))}.")
    factory = _factory(name)
    if getattr(factory, "searches", False):
        _prefer_compiled(name)
    player = factory(game, options, rng, budget)
    _check_shape(name, player)
    return player


def _factory(name: str) -> Factory:
    if name in _registered:
        return _registered[name]
    if name in BUILT_IN:
        return _load(BUILT_IN[name])
    if name.startswith(NETWORK):
        return cast(Factory, import_module(_NETWORKS).network_player(name.removeprefix(NETWORK)))
    if name.startswith(MIXTURE):
        return cast(Factory, import_module(_MIXTURES).mixture_player(name))
    if ":" in name:
        return _load(name)
    installed = entry_points(group=ENTRY_POINTS)
    if name in installed.names:
        return _load(installed[name].value)
    raise unknown_player(name, player_names())


def unknown_player(name: str, names: Iterable[str]) -> UnknownPlayerError:
    """Return the error for a name that is none of these."""
    near = difflib.get_close_matches(name, names := sorted(names), n=1)
    hint = f"did you mean “{near[0]}”? " if near else ""
    return UnknownPlayerError(f"There is no player “{name}”; {hint}Players: {', '.join(names)}")


def _load(path: str) -> Factory:
    """Import ``package.module:Class`` and check that it can be a player."""
    module_name, _, attribute = path.partition(":")
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as missing:
        if missing.name and (module_name == missing.name or module_name.startswith(f"{missing.name}.")):
            raise UnknownPlayerError(
                f"There is no module “{missing.name}” for the player “{path}”; check the name and PYTHONPATH."
            ) from None
        raise
    except (TypeError, ValueError):
        raise UnknownPlayerError(f"“{path}” is not a path to a player; write package.module:Class.") from None
    factory = getattr(module, attribute, None)
    if factory is None:
        own = (value for value in vars(module).values() if isinstance(value, type))
        names = [value.__name__ for value in own if value.__module__ == module.__name__]
        classes = ", ".join(names) or "no classes"
        raise UnknownPlayerError(f"Module “{module_name}” has no “{attribute}”; it has {classes}.")
    if not callable(factory):
        raise PlayerError(f"“{path}” is not a class or function that makes a player.")
    if isinstance(factory, type):
        _check_shape(path, factory)
    try:
        inspect.signature(factory).bind("game", "options", "rng", "budget")
    except TypeError:
        raise PlayerError(f"“{path}” must be made from four arguments: game, options, rng, budget.") from None
    return cast(Factory, factory)


def _check_shape(name: str, player: object) -> None:
    for method in ("set_up(side)", "choose(view, history)"):
        if not callable(getattr(player, method.partition("(")[0], None)):
            raise PlayerError(f"“{name}” is not a player: it has no method {method}.")


_has_warned = False


def _prefer_compiled(name: str) -> None:
    """Choose compiled kernels if that is still possible, and warn once if it is too late."""
    global _has_warned
    if not mode.prefer_compiled() and not _has_warned:
        _has_warned = True
        warnings.warn(
            f"“{name}” searches with interpreted kernels, about sixty times slower, because the engine was "
            'imported first. Start with: from flagfall.engine import mode; mode.choose("compiled") – or set '
            "FLAGFALL_KERNELS=compiled.",
            RuntimeWarning,
            stacklevel=3,
        )
