"""Setups before the game: checked, kept sealed, and vouched for by a published fingerprint.

The commitment is the SHA-256 of salt + setup text. It is published when a setup is sealed, and when the game
is over salt and setup are opened, so that anybody can check that nothing was exchanged. Without a salt there
is no commitment: the few setups of a small game could be guessed from it.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from flagfall.edition.schema import Game
from flagfall.match.errors import RefusedError
from flagfall.match.log import SetupSealed
from flagfall.setups.setup import Setup, SetupError
from flagfall.setups.text import read_setup
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenPiece, View, Viewer, side_of, viewer_name

MIN_SALT = 16


class Opening(Struct, frozen=True):
    """What a commitment was made from; shown when the game is over."""

    salt: str
    setup: str


def checked_setup(game: Game, seat: Side, setup: Setup | str) -> Setup:
    """The setup of a text or value, if it is one of that seat's in this game."""
    if isinstance(setup, str):
        try:
            return read_setup(game, seat, setup)
        except SetupError as error:
            raise RefusedError("setup", str(error)) from None
    if setup.game.id != game.id or setup.side != seat:
        raise RefusedError(
            "setup",
            f"This setup is {setup.side}'s in {setup.game.id}; give {seat}'s in {game.id}.",
        )
    return setup


def checked_salt(salt: str) -> str:
    """The salt, if it is long enough to hide a setup."""
    if salt and len(salt) < MIN_SALT:
        raise ValueError(f"A salt has at least {MIN_SALT} random characters; or give none at all")
    return salt


def missing(setups: Mapping[Side, SetupSealed]) -> RefusedError:
    """What to say while a setup is missing."""
    lacking = [side.title for side in SIDES if side not in setups]
    whose = f"{lacking[0]}'s setup is" if len(lacking) == 1 else "both setups are"
    return RefusedError("not-started", f"The game has not started: {whose} still to come.")


def setup_view(game: Game, viewer: Viewer, setups: Mapping[Side, SetupSealed]) -> View:
    """What a viewer sees before both setups are in: its own pieces at most."""
    pieces: list[SeenPiece] = []
    side = side_of(viewer)
    if side is not None and side in setups:
        setup = read_setup(game, side, setups[side].setup)
        names = zip(game.board.names(setup.kinds), setup.kinds.values(), strict=True)
        pieces += [SeenPiece(cell, cell, side, kind=game.kinds[kind].id) for cell, kind in names]
    return View(
        game.id, viewer_name(viewer), turn=0, to_move=Side.SOUTH, pieces=tuple(pieces), tray=(), last_turn=()
    )
