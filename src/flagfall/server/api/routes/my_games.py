"""Routes: a guest's own games in pages, their statistics, one download of everything, and deletion."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Annotated, Literal

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from flagfall.edition.versions import is_version
from flagfall.languages import current_language, say
from flagfall.match.facts import GameFacts
from flagfall.server.api.http import Operations, json_response, read_body, read_query, registry_of
from flagfall.server.api.messages.matches import MatchList, Visitor
from flagfall.server.api.messages.my_games import Labelled, MyGame, MyGames
from flagfall.server.api.messages.my_games import Statistics as StatisticsMessage
from flagfall.server.api.requests import DeleteMe
from flagfall.server.api.routes.guests import check_rate, clear_cookies, require_guest
from flagfall.server.api.routes.matches import match_line
from flagfall.server.errors import RequestError
from flagfall.server.sessions.guest_data import (
    MAX_EXPORTS,
    delete_everything,
    delete_game,
    export,
    fill_facts,
    is_shared,
)
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.sessions.statistics import (
    PEOPLE,
    SAME_SCREEN,
    StatisticsFilter,
    game_name,
    games_in_order,
    level_name,
    opponents_in_order,
    result_of,
    result_sentence,
    statistics,
)
from flagfall.server.store.rows import GuestRow, MatchFilter, MatchRow

operations = Operations("my games")

PAGE = 20
MAX_COUNTED = 5_000
"""games in the statistics, the newest"""
MAX_NAMED_VERSIONS = 40
"""games of boxes that are not on the page; with those on it, fewer than a process remembers"""
MAX_MS = 253_402_300_799_999
"""the end of the year 9999"""
ZIP = "application/zip"


class MyGamesQuery(Struct, frozen=True):
    """Which of your games to list."""

    game: Annotated[str, Meta(max_length=80, description="only this game, or the games of this box")] = ""
    opponent: Annotated[
        str, Meta(max_length=40, description="people, same-screen or the id of a computer player")
    ] = ""
    result: Annotated[
        Literal["", "running", "won", "lost", "drawn", "cancelled"],
        Meta(description="only games with this result"),
    ] = ""
    page: Annotated[int, Meta(ge=1, le=100_000, description="the first page is 1")] = 1


@operations.add("GET", "/api/me/games", MyGames, 401, query=MyGamesQuery)
async def my_games(request: Request) -> Response:
    """List your running and finished games, a page at a time."""
    query = read_query(request, MyGamesQuery)
    guest, registry = await require_guest(request), registry_of(request)
    wanted = MatchFilter(query.game, query.opponent, query.result)
    first = (query.page - 1) * PAGE
    total, found = await registry.store.guest_games.filtered_matches(guest.id, wanted, first, PAGE)
    rows = await registry.with_turns([row for row, _ in found])
    facts = [known for _, known in found]
    kinds = await registry.store.guest_games.kinds_of_matches(guest.id)
    opponents = opponents_in_order({_opponent(opponent, level) for _, opponent, level in kinds})
    played = games_named({row.game for row in rows}, {game for game, _, _ in kinds})
    games, names = await asyncio.to_thread(
        lambda: (
            tuple(_game(row, known, guest) for row, known in zip(rows, facts, strict=True)),
            {game: game_name(game) for game in played},
        )
    )
    return json_response(
        MyGames(
            games=games,
            total=total,
            page=query.page,
            pages=max(1, -(-total // PAGE)),
            opponents=tuple(Labelled(one, level_name(one)) for one in opponents),
            played=tuple(games_in_order(played)),
            names=names,
        )
    )


def games_named(shown: set[str], played: set[str]) -> set[str]:
    """Return the games to name: those on the page, and of very many boxes of guests only some of the others.

    A box has to be read for its name, and a guest may have played with thousands.
    """
    others = sorted(game for game in played - shown if is_version(game.partition("/")[0]))
    return shown | (played - set(others[MAX_NAMED_VERSIONS:]))


def _game(row: MatchRow, facts: GameFacts | None, guest: GuestRow) -> MyGame:
    """Return a game for the list; of a running one nothing but its row is used."""
    result = result_of(row, guest.id)
    is_counted = facts is not None and row.status == "over"
    return MyGame(
        line=match_line(row, guest),
        result=result,
        sentence=result_sentence(row, guest.id, facts if is_counted else None),
        turns=facts.turns if facts is not None and is_counted else None,
        has_replay=result in ("won", "lost", "drawn", "decided"),
        can_delete=row.status in ("over", "damaged"),
        is_shared=is_shared(row, guest.id),
    )


def _opponent(opponent: str, level: str) -> str:
    return SAME_SCREEN if opponent == "hot-seat" else level or PEOPLE


class StatisticsQuery(Struct, frozen=True):
    """Which of your finished games to count."""

    game: Annotated[str, Meta(max_length=80, description="only this game, or the games of this box")] = ""
    opponent: Annotated[str, Meta(max_length=40, description="people or the id of a computer player")] = ""
    result: Annotated[
        Literal["", "won", "lost", "drawn"], Meta(description="only games with this result")
    ] = ""
    since_ms: Annotated[int, Meta(ge=0, le=MAX_MS, description="only games that began then or later")] = 0
    until_ms: Annotated[int, Meta(ge=0, le=MAX_MS, description="only games that began before")] = MAX_MS
    zone: Annotated[
        int, Meta(ge=-840, le=840, description="minutes of your time zone east of Greenwich, for dates")
    ] = 0


@operations.add("GET", "/api/me/statistics", StatisticsMessage, 401, query=StatisticsQuery)
async def my_statistics(request: Request) -> Response:
    """Return your finished games in numbers; older games are counted in the background at first."""
    query = read_query(request, StatisticsQuery)
    guest, registry = await require_guest(request), registry_of(request)
    wanted = StatisticsFilter(query.game, query.opponent, query.result, query.since_ms, query.until_ms)
    async with registry.counting_lock:
        now, cache = registry.loop_time(), registry.statistics
        key = (guest.id, current_language(), query)
        if (found := cache.answer(key, now)) is None:
            if (counted := cache.games(guest.id, now)) is None:
                rows, missing = await registry.store.guest_games.counted_matches(guest.id, MAX_COUNTED)
                if missing and guest.id not in registry.filling:
                    registry.start(fill_facts(registry, guest.id, missing))
                counted = rows, len(missing)
                cache.keep_games(guest.id, counted, now)
            found = await asyncio.to_thread(statistics, counted[0], guest.id, counted[1], wanted, query.zone)
            cache.keep_answer(key, found, now)
    return json_response(found)


@operations.add("GET", "/api/me/export", None, 401, media_type=ZIP)
async def my_export(request: Request) -> Response:
    """Download everything that is kept of you: records of finished games, notes and setups, as a ZIP file."""
    guest, registry = await require_guest(request), registry_of(request)
    if guest.id in registry.exporting or len(registry.exporting) >= MAX_EXPORTS:
        raise RequestError("too-busy", say("server.guest.busy-download"))
    check_rate(request, "exports")
    headers = {"content-disposition": 'attachment; filename="flagfall.zip"', "cache-control": "no-store"}
    if request.method == "HEAD":
        return Response(media_type=ZIP, headers=headers)
    parts = exported(registry, guest)
    return StreamingResponse(_chained(await anext(parts), parts), media_type=ZIP, headers=headers)


async def _chained(first: bytes, parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for part in parts:
        yield part


async def exported(registry: MatchRegistry, guest: GuestRow) -> AsyncGenerator[bytes, None]:
    """Yield the download; while it is being made, the guest gets no other."""
    registry.exporting.add(guest.id)
    try:
        async for part in export(registry, guest):
            yield part
    finally:
        registry.exporting.discard(guest.id)


@operations.add("DELETE", "/api/me/matches/{id}", MatchList, 401, 404, 409)
async def delete_match(request: Request, id: str) -> Response:
    """Delete a finished game from your list; if another person played in it, it stays for them."""
    guest, registry = await require_guest(request), registry_of(request)
    await delete_game(registry, guest, id)
    registry.statistics.forget(guest.id)
    return json_response(MatchList(()))


@operations.add("DELETE", "/api/me", Visitor, 401, 409, request=DeleteMe, sets_cookie=True)
async def delete_me(request: Request) -> Response:
    """Delete your name, setups, notes, cookie and games; games with other people stay for them.

    Running games with other people are cancelled or resigned first.
    """
    guest, registry = await require_guest(request), registry_of(request)
    body = await read_body(request, DeleteMe)
    if body.guest != guest.id:
        raise RequestError("another-guest", say("server.guest.another"))
    await delete_everything(registry, guest)
    response = json_response(Visitor(None))
    clear_cookies(request, response)
    return response
