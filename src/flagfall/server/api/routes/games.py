"""Routes: the catalogue, rules, suggested setups and chat phrases."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from flagfall.edition import Game, resolve
from flagfall.server.api import catalogue
from flagfall.server.api.http import Operations, json_response, read_body, registry_of
from flagfall.server.api.messages.games import Catalogue, GameInfo, RulesPage
from flagfall.server.api.messages.matches import Phrase, Phrases
from flagfall.server.api.messages.setups import SetupAnswer, WeaknessInfo
from flagfall.server.api.requests import SetupRequest
from flagfall.server.errors import RequestError
from flagfall.server.sessions.games import found_game, shown_game
from flagfall.server.sessions.texts import PHRASES, phrase_words
from flagfall.setups import (
    Setup,
    mirrored,
    random_setup,
    read_setup,
    setup_from_squares,
    style_names,
    styled_setup,
    tags,
    warnings,
    weaknesses,
    write_setup,
)

operations = Operations("games")


@operations.add("GET", "/api/games", Catalogue)
async def games(request: Request) -> Response:
    """List every box with its games, and the computer players."""
    return json_response(catalogue.catalogue())


@operations.add("GET", "/api/games/{box}/{game}", GameInfo, 404)
async def game(request: Request, box: str, game: str) -> Response:
    """Return everything about one game."""
    found = await shown_game(f"{box}/{game}")
    return json_response(catalogue.game_info(found))


@operations.add("GET", "/api/games/{box}/{game}/rules", RulesPage, 404)
async def rules(request: Request, box: str, game: str) -> Response:
    """Return the rules page under chosen options: ``?rescue=on&clock=10m%2B5s``."""
    found = await shown_game(f"{box}/{game}")
    chosen = request.query_params.multi_items()
    if len(chosen) > len(dict(chosen)):
        raise RequestError("option", "Name each option once.")
    return json_response(catalogue.rules(found, resolve(found, dict(chosen))))


@operations.add("POST", "/api/games/{box}/{game}/setup", SetupAnswer, 404, 422, request=SetupRequest)
async def setup(request: Request, box: str, game: str) -> Response:
    """Make a setup in a style or at random, or check the one you send; mirror it if you like."""
    body = await read_body(request, SetupRequest)
    found = await found_game(f"{box}/{game}")
    made = _setup(found, body, request)
    squares = {
        name: found.kinds[kind].id
        for name, kind in zip(found.board.names(made.kinds), made.kinds.values(), strict=True)
    }
    weak = tuple(WeaknessInfo(found.id, found.text, found.squares) for found in weaknesses(made))
    return json_response(SetupAnswer(write_setup(made), squares, warnings(made), weak, tags(made)))


def _setup(game: Game, body: SetupRequest, request: Request) -> Setup:
    side, rng = int(body.side), registry_of(request).rng
    if sum(map(bool, (body.style, body.shuffle, body.code, body.squares))) > 1:
        raise RequestError("malformed", "Name only one of style, shuffle, code and squares.")
    if body.code:
        made = read_setup(game, side, body.code)
    elif body.squares:
        made = setup_from_squares(game, side, body.squares)
    elif body.shuffle:
        made = random_setup(game, side, rng)
    else:
        styles = style_names(game)
        if body.style and body.style not in styles:
            raise RequestError("setup", f"There is no such style; the styles are {', '.join(styles)}.")
        made = styled_setup(game, side, body.style or rng.choice(styles), rng)
    return mirrored(made) if body.mirror else made


@operations.add("GET", "/api/phrases", Phrases)
async def phrases(request: Request) -> Response:
    """List the phrases that can be sent as chat."""
    return json_response(Phrases(tuple(Phrase(name, phrase_words(name)) for name in PHRASES)))
