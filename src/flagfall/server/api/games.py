"""Routes: health, guests, the catalogue, setups, phrases."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter, Request, Response

from flagfall.edition import Game, resolve
from flagfall.edition.options import OptionError
from flagfall.server.api import catalogue
from flagfall.server.api.guests import create_guest, current_guest, registry_of, renew_cookie, require_guest
from flagfall.server.api.http import json_response, operation, read_body
from flagfall.server.api.messages import Guest, Health, Phrase, Phrases, SetupAnswer
from flagfall.server.api.requests import NameRequest, SetupRequest
from flagfall.server.errors import RequestError
from flagfall.server.sessions.phrases import PHRASES
from flagfall.server.sessions.registry import check_name, find_game
from flagfall.setups import (
    Setup,
    SetupError,
    mirrored,
    random_setup,
    read_setup,
    setup_from_squares,
    style_names,
    styled_setup,
    warnings,
    write_setup,
)
from flagfall.sides import SIDES

router = APIRouter()


@router.get("/health", tags=["server"], openapi_extra=operation(Health))
async def health() -> Response:
    """Whether the server is alive; whether it can work is asked at /ready."""
    return json_response(Health("ok", version("flagfall")))


@router.get("/ready", tags=["server"], openapi_extra=operation(Health, None, 503))
async def ready(request: Request) -> Response:
    """Whether the database can be read and written, for real."""
    await registry_of(request).check_ready()
    return json_response(Health("ok", version("flagfall")))


@router.post(
    "/api/guests", tags=["guests"], openapi_extra=operation(Guest, NameRequest, 503, sets_cookie=True)
)
async def enter(request: Request) -> Response:
    """Say your name; the answer sets the cookie. Somebody with a cookie only changes the name."""
    body = await read_body(request, NameRequest)
    known = await current_guest(request)
    if known is not None:
        return await _renamed(request, known.id, body.name)
    answer = Response(media_type="application/json")
    guest = await create_guest(request, body.name, answer)
    response = json_response(Guest(guest.id, guest.name))
    response.headers["set-cookie"] = answer.headers["set-cookie"]
    return response


@router.get("/api/me", tags=["guests"], openapi_extra=operation(Guest, None, 401, sets_cookie=True))
async def me(request: Request) -> Response:
    """Who you are."""
    guest = await require_guest(request)
    answer = json_response(Guest(guest.id, guest.name))
    renew_cookie(request, answer)
    return answer


@router.put("/api/me", tags=["guests"], openapi_extra=operation(Guest, NameRequest, 401, 503))
async def rename(request: Request) -> Response:
    """Another name for the games to come."""
    guest = await require_guest(request)
    body = await read_body(request, NameRequest)
    return await _renamed(request, guest.id, body.name)


async def _renamed(request: Request, guest_id: str, wanted: str) -> Response:
    name = check_name(wanted)
    await registry_of(request).store.rename_guest(guest_id, name)
    return json_response(Guest(guest_id, name))


@router.get("/api/games", tags=["games"], openapi_extra=operation(catalogue.Catalogue))
async def games() -> Response:
    """Every box with its games."""
    return json_response(catalogue.catalogue())


@router.get("/api/games/{box}/{game}", tags=["games"], openapi_extra=operation(catalogue.GameInfo, None, 404))
async def game(box: str, game: str) -> Response:
    """Everything about one game."""
    return json_response(catalogue.game_info(find_game(f"{box}/{game}")))


@router.get(
    "/api/games/{box}/{game}/rules", tags=["games"], openapi_extra=operation(catalogue.RulesPage, None, 404)
)
async def rules(box: str, game: str, request: Request) -> Response:
    """The rules page under chosen options: ``?rescue=on&clock=10m%2B5s``."""
    found = find_game(f"{box}/{game}")
    chosen = request.query_params.multi_items()
    if len(chosen) > len(dict(chosen)):
        raise RequestError("option", "Name each option once.")
    try:
        options = resolve(found, dict(chosen))
    except OptionError as error:
        raise RequestError("option", f"{str(error).rstrip('.')}.") from None
    return json_response(catalogue.rules(found, options))


@router.post(
    "/api/games/{box}/{game}/setup",
    tags=["games"],
    openapi_extra=operation(SetupAnswer, SetupRequest, 404, 422),
)
async def setup(box: str, game: str, request: Request) -> Response:
    """A setup in a style, shuffled, or the one you send, checked and mirrored if you like."""
    body = await read_body(request, SetupRequest)
    found = find_game(f"{box}/{game}")
    try:
        made = _setup(found, body, request)
    except SetupError as error:
        raise RequestError("setup", str(error)) from None
    squares = {
        name: found.kinds[kind].id
        for name, kind in zip(found.board.names(made.kinds), made.kinds.values(), strict=True)
    }
    return json_response(SetupAnswer(write_setup(made), squares, warnings(made)))


def _setup(game: Game, body: SetupRequest, request: Request) -> Setup:
    side, rng = SIDES.index(body.side), registry_of(request).rng
    if sum(map(bool, (body.style, body.shuffle, body.code, body.squares))) > 1:
        raise RequestError("malformed", "Name one of style, shuffle, code and squares, not several.")
    if body.code:
        made = read_setup(game, side, body.code)
    elif body.squares:
        made = setup_from_squares(game, side, body.squares)
    elif body.shuffle:
        made = random_setup(game, side, rng)
    else:
        styles = style_names(game)
        if body.style and body.style not in styles:
            raise RequestError("setup", f"There is no such style here; the styles are {', '.join(styles)}.")
        made = styled_setup(game, side, body.style or rng.choice(styles), rng)
    return mirrored(made) if body.mirror else made


@router.get("/api/phrases", tags=["matches"], openapi_extra=operation(Phrases))
async def phrases() -> Response:
    """What can be said at the table."""
    return json_response(Phrases(tuple(Phrase(name, text) for name, text in PHRASES.items())))
