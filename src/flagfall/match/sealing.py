"""Check and seal setups before the game.

The commitment, the SHA-256 of salt + setup text, is published when a setup is sealed. When the game is over,
salt and setup are published too, so that all can check that the setup was not changed. Without a salt there
is no commitment: the few setups of a small game could be guessed from it.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from flagfall.edition.schema import Game
from flagfall.languages import say
from flagfall.match.errors import RefusedError
from flagfall.match.log import SetupSealed
from flagfall.setups.setup import Setup, SetupError
from flagfall.setups.text import read_setup
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenPiece, View, Viewer, side_of, viewer_name

MIN_SALT = 16


class Opening(Struct, frozen=True):
    """What a commitment was made of; shown when the game is over."""

    salt: str
    setup: str


def checked_setup(game: Game, seat: Side, setup: Setup | str) -> Setup:
    """Return the setup of a text or value; refuse one of another seat or game."""
    if isinstance(setup, str):
        try:
            return read_setup(game, seat, setup)
        except SetupError as error:
            raise RefusedError("setup", str(error)) from None
    if setup.game.id != game.id or setup.side != seat:
        wrong = f"This setup is {setup.side}'s in {setup.game.id}"
        raise RefusedError("setup", f"{wrong}; give {seat}'s in {game.id}.")
    return setup


def checked_salt(salt: str) -> str:
    """Return the salt; refuse one that is too short to hide a setup."""
    if salt and len(salt) < MIN_SALT:
        raise ValueError(f"A salt has at least {MIN_SALT} random characters; or give none at all")
    return salt


def missing(setups: Mapping[Side, SetupSealed]) -> RefusedError:
    """Return the refusal while a setup is missing."""
    lacking = [side.title for side in SIDES if side not in setups]
    if len(lacking) == 1:
        return RefusedError("not-started", say("match.setup.missing", side=lacking[0]))
    return RefusedError("not-started", say("match.setup.both-missing"))


def setup_view(game: Game, viewer: Viewer, setups: Mapping[Side, SetupSealed]) -> View:
    """Return what a viewer sees before both setups are there: only its own pieces."""
    pieces: list[SeenPiece] = []
    side = side_of(viewer)
    if side is not None and side in setups:
        setup = read_setup(game, side, setups[side].setup)
        names = zip(game.board.names(setup.kinds), setup.kinds.values(), strict=True)
        pieces += [SeenPiece(cell, cell, side, kind=game.kinds[kind].id) for cell, kind in names]
    return View(
        game.id, viewer_name(viewer), turn=0, to_move=Side.SOUTH, pieces=tuple(pieces), tray=(), last_turn=()
    )
