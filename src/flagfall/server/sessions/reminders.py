"""Reminds players whose time in a game by day runs out, once for each turn.

Which turns were reminded of is in the database, so a restart or a second process reminds of none twice. What
was noted but not sent, because the server was killed, is not sent later.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from flagfall.edition.clock import parse_clock
from flagfall.server.errors import RequestError
from flagfall.server.push.notices import reminder
from flagfall.server.sessions.games import is_by_day
from flagfall.server.store.rows import MatchRow

if TYPE_CHECKING:
    from flagfall.server.sessions.registry import MatchRegistry

AHEAD_MS = 6 * 3_600_000
"""how long before the end of their time players are reminded"""
MAX_LOOKED_AT = 1_000


async def remind(registry: MatchRegistry) -> None:
    """Have everybody reminded whose time in a game by day runs out soon."""
    now = registry.now_ms()
    for row in await registry.store.matches_to_remind(now, now + AHEAD_MS, MAX_LOOKED_AT):
        with suppress(RequestError, ValueError):  # damaged
            await _remind(registry, row)


async def _remind(registry: MatchRegistry, row: MatchRow) -> None:
    """Remind the player of one match, unless it is a quick game or they have it open."""
    clock = row.options.get("clock")
    is_slow = parse_clock(clock).is_by_day if clock else await asyncio.to_thread(is_by_day, row)
    if not is_slow or row.falls_at_ms is None:
        return
    session = await registry.session(row.id)
    match = session.match
    if match is None or match.to_move is None or match.clocks.falls_at_ms != row.falls_at_ms:
        return
    guest = session.row.guest(match.to_move)
    if guest is None or registry.presence(row.id, guest) != "away":
        return
    if await registry.store.note_reminder(row.id, row.falls_at_ms):
        registry.tell([reminder(session.row, match.to_move, match, registry.now_ms())])
