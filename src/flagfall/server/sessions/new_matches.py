"""New matches: creating and joining them, withdrawing invitations, rematches."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import msgspec

from flagfall.edition import Game, Options, resolve
from flagfall.languages import say
from flagfall.match import Match, Seating
from flagfall.players.levels import seat_name
from flagfall.server.api.requests import NewMatch
from flagfall.server.errors import RequestError
from flagfall.server.push.notices import notices_of_start
from flagfall.server.sessions.games import check_level, check_name, found_game, is_private
from flagfall.server.sessions.session import MatchSession
from flagfall.server.store.database import NotStoredError, StoreError
from flagfall.server.store.rows import GuestRow, HostSide, MatchRow, Opponent, new_id
from flagfall.sides import SIDES, Side

if TYPE_CHECKING:
    from flagfall.server.sessions.registry import MatchRegistry


class NewMatches:
    """Makes the matches of a registry."""

    def __init__(self, registry: MatchRegistry) -> None:
        self._registry = registry

    async def create(self, guest: GuestRow, request: NewMatch) -> MatchSession:
        """Create a match; against a computer or at one screen it starts at once."""
        async with self._registry.creating_lock(guest.id):
            self._registry.refuse_deleted(guest)
            return await self._create(guest, request)

    async def refuse_too_many(self, guest: GuestRow) -> None:
        """Refuse a new match to a guest with too many unfinished ones."""
        if await self._registry.store.unfinished_of(guest.id) >= self._registry.settings.max_matches:
            raise RequestError("too-many", say("server.match.too-many-unfinished"))

    async def _create(self, guest: GuestRow, request: NewMatch) -> MatchSession:
        """Check the guest's limits and create a match; one at a time for each guest."""
        game = await found_game(request.game)
        options = resolve(game, request.options)
        if request.opponent == "computer":
            check_level(request.level, game, options)
        if request.training:
            _check_training(request, options)
        if request.opponent == "lobby" and is_private(game.id):
            raise RequestError("option", say("server.invitation.box-of-your-own"))
        await self.refuse_too_many(guest)
        is_invitation = request.opponent in ("friend", "lobby")
        if (
            is_invitation
            and await self._registry.store.invitations_of(guest.id) >= self._registry.settings.max_invitations
        ):
            raise RequestError("too-many", say("server.invitation.too-many"))
        side = request.side or ("lot" if game.sides == "lot" else "south")
        row = self.new_row(game.id, options.changed(game), request.opponent, guest.id, side)
        if is_invitation:
            token = secrets.token_urlsafe(18)
            row = msgspec.structs.replace(row, invitation=token, south_name=guest.name)
            await self._registry.store.add_match(row, ())
            return self._registry.add(MatchSession(self._registry, row, game, options, None, []))
        other: tuple[str | None, str, str] = (None, seat_name(request.level), request.level)
        if row.opponent == "hot-seat":
            other = (guest.id, check_name(request.second_name.strip() or say("table.player-2")), "")
        host = (guest.id, guest.name, "")
        row, match = self._seated(row, game, options, host, other, is_training=request.training)
        await self._registry.store.add_match(row, match.log)
        return self._registry.add(MatchSession(self._registry, row, game, options, match, []))

    async def join(self, session: MatchSession, guest: GuestRow) -> None:
        """Take the free seat."""
        await self._registry.finish(self._join(session, guest))

    async def _join(self, session: MatchSession, guest: GuestRow) -> None:
        async with session.lock:
            await session.reload_if_uncertain()
            self._registry.refuse_deleted(guest)
            row = session.row
            if row.seats_of(guest.id):
                return
            if row.status != "waiting":
                raise RequestError("taken", say("server.match.taken"))
            if row.host == guest.id:
                raise RequestError("own-invitation", say("server.invitation.own"))
            host = (row.host, row.south_name, "")
            row, match = self._seated(row, session.game, session.options, host, (guest.id, guest.name, ""))
            try:
                await self._registry.store.start_match(row, match.log)
            except StoreError as error:
                session.is_uncertain = True
                if isinstance(error, NotStoredError) and error.is_race:
                    raise RequestError("taken", say("server.match.too-late")) from None
                raise RequestError.of(error) from None
            session.row, session.match = row, match
            session.notify()
            self._registry.tell(notices_of_start(row, match, row.seats_of(row.host), "joined"))
        session.schedule()

    async def withdraw(self, session: MatchSession, guest: GuestRow) -> None:
        """Withdraw the host's invitation."""
        if session.row.host != guest.id:
            raise RequestError("not-your-seat", say("server.invitation.not-yours"))
        await self._registry.finish(self.close_invitation(session))

    async def close_invitation(self, session: MatchSession) -> None:
        """Close an invitation that is still open."""
        async with session.lock:
            await session.reload_if_uncertain()
            if session.row.status != "waiting":
                raise RequestError("finished", say("server.invitation.closed"))
            row = msgspec.structs.replace(session.row, status="over", reason="aborted")
            with session.uncertain_if_not_stored():
                await self._registry.store.close_invitation(row)
            session.row = row
            session.notify()

    async def rematch(self, session: MatchSession, seat: Side) -> None:
        """Ask for a rematch; it starts with sides exchanged when both have asked."""
        await self._registry.finish(self._rematch(session, seat))

    async def _rematch(self, session: MatchSession, seat: Side) -> None:
        async with session.lock:
            await session.reload_if_uncertain()
            row = session.row
            if not session.require_started().is_over:
                raise RequestError("not-over", say("server.match.rematch-too-early"))
            if row.rematch:
                return
            asked = {*row.rematch_asked.split(), seat, *row.computers()}
            if row.opponent == "hot-seat":
                asked |= set(SIDES)
            in_order = " ".join(side for side in SIDES if side in asked)
            row = msgspec.structs.replace(row, rematch_asked=in_order)
            if len(asked) < len(SIDES):
                await session.store_row(row)
            else:
                await self._begin_rematch(session, row, seat)

    async def _begin_rematch(self, session: MatchSession, old: MatchRow, accepting: Side) -> None:
        """Start the rematch that both have asked for; it is stored together with the row of the old match."""
        row = self.new_row(old.game, old.options, old.opponent, old.host, "south")
        south, north = ((old.guest(side), old.name(side), old.level(side)) for side in reversed(SIDES))
        is_training = session.require_started().is_training
        row, match = self._seated(row, session.game, session.options, south, north, is_training=is_training)
        with session.uncertain_if_not_stored():
            await self._registry.store.add_rematch(old, row, match.log)
        self._registry.add(MatchSession(self._registry, row, session.game, session.options, match, []))
        session.row = msgspec.structs.replace(old, rematch=row.id)
        session.notify()
        # Sides are exchanged: the other player now has the seat of the one who accepted.
        self._registry.tell(notices_of_start(row, match, (accepting,), "rematch"))

    def new_row(
        self, game: str, options: dict[str, str], opponent: Opponent, host: str, host_side: HostSide
    ) -> MatchRow:
        """Return the row of a new match, not stored yet."""
        now = self._registry.now_ms()
        return MatchRow(
            id=new_id(),
            game=game,
            options=options,
            opponent=opponent,
            status="waiting",
            host=host,
            host_side=host_side,
            seed=secrets.token_urlsafe(18),
            created_ms=now,
            updated_ms=now,
        )

    def _seated(
        self,
        row: MatchRow,
        game: Game,
        options: Options,
        host: tuple[str | None, str, str],
        other: tuple[str | None, str, str],
        *,
        is_training: bool = False,
    ) -> tuple[MatchRow, Match]:
        """Return the row with host and opponent (guest id, name, level) on their seats, and the new match."""
        is_lot = row.host_side == "lot"
        is_north = self._registry.rng.random() < 0.5 if is_lot else row.host_side == "north"
        south, north = (other, host) if is_north else (host, other)
        seating = Seating(south[1], north[1], is_random=is_lot)
        match = Match.created(game, options, seating, self._registry.now_ms(), is_training=is_training)
        row = msgspec.structs.replace(
            row,
            status="running",
            south=south[0],
            north=north[0],
            south_name=south[1],
            north_name=north[1],
            south_level=south[2],
            north_level=north[2],
        )
        return row, match


def _check_training(request: NewMatch, options: Options) -> None:
    """Refuse a training game between people or with a clock."""
    if request.opponent != "computer":
        raise RequestError("option", say("server.training.no-computer"))
    if options.clock.style != "none":
        raise RequestError("option", say("server.training.no-clock"))
