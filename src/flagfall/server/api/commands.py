"""What a guest can do in a match, the same over HTTP and over the socket."""

from __future__ import annotations

from flagfall.engine.action import Action
from flagfall.match import Match, RefusedError, require_notes
from flagfall.server.api import requests as W
from flagfall.server.errors import RequestError
from flagfall.server.names import plain_text
from flagfall.server.sessions.phrases import PHRASES
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.sessions.session import MAX_CHAT, MatchSession
from flagfall.server.store.rows import SIDES, ChatRow, GuestRow
from flagfall.setups import Setup, SetupError, setup_from_squares
from flagfall.view.view import Side

MAX_NOTE = 12
NO_NUMBER = -1
"""a number that no entry has"""


async def carry_out(house: MatchRegistry, room: MatchSession, guest: GuestRow, wish: W.Deeds) -> Side | None:
    """Do what the guest wants; the seat it was done for, or a refusal."""
    if isinstance(wish, W.Abort) and room.match is None:
        await house.take_back(room, guest)
        return None
    seat = room.seat(guest.id, wish.seat)
    match wish:
        case W.Seal():
            setup = _setup(room, seat, wish)
            await room.do(lambda match, now: match.seal(seat, setup, now, house.salt()))
        case W.Act():
            action = _action(wish)
            await room.do(lambda match, now: _act(room, match, seat, wish.number, action, now))
        case W.Resign():
            await room.do(lambda match, now: match.resign(seat, now))
        case W.OfferDraw():
            await room.do(lambda match, now: match.offer_draw(seat, now))
        case W.AnswerDraw():
            await room.do(lambda match, now: match.answer_draw(seat, wish.accepts, now))
        case W.Abort():
            await room.do(lambda match, now: match.abort(seat, now))
        case W.AskRematch():
            await house.rematch(room, guest, seat)
        case W.Say():
            await house.finish(_say(house, room, seat, wish.phrase))
        case W.TakeNote():
            await house.finish(_take_note(house, room, seat, wish))
    return seat


def _setup(room: MatchSession, seat: Side, wish: W.Seal) -> Setup | str:
    if bool(wish.code) == bool(wish.squares):
        raise RequestError("malformed", "Give the setup either as “code” or as “squares”.")
    if wish.code:
        return wish.code
    try:
        return setup_from_squares(room.game, SIDES.index(seat), wish.squares)
    except SetupError as error:
        raise RequestError("setup", str(error)) from None


def _action(wish: W.Act) -> Action | str:
    if (wish.action is None) == (not wish.text):
        raise RequestError("malformed", "Give the turn either as “text” or as “action”.")
    return wish.text if wish.action is None else Action.unpack(wish.action)


def _act(room: MatchSession, match: Match, seat: Side, number: int, action: Action | str, now: int) -> None:
    """The seat's number stands for the log's, which would tell of silent entries."""
    known = room.number(seat)
    try:
        match.act(seat, match.number if number == known else NO_NUMBER, action, now)
    except RefusedError as refusal:
        if refusal.code != "stale-number":
            raise
        raise RefusedError(
            "stale-number", f"The next number is {known}, not {number}; look at the position again."
        ) from None


async def _say(house: MatchRegistry, room: MatchSession, seat: Side, phrase: str) -> None:
    if phrase not in PHRASES:
        raise RequestError("malformed", f"That cannot be said here; choose one of {', '.join(PHRASES)}.")
    line = ChatRow(seat, phrase, house.now_ms())
    async with room.lock:
        await room.catch_up()
        with room.uncertain_if_not_stored():
            await house.strongbox.say(room.row.id, line)
        room.chat = [*room.chat, line][-MAX_CHAT:]
        room.wake()


async def _take_note(house: MatchRegistry, room: MatchSession, seat: Side, wish: W.TakeNote) -> None:
    """A note belongs to a seat and is shown to nobody else."""
    text = plain_text(wish.text, "A note", MAX_NOTE)
    async with room.lock:
        await room.catch_up()
        match = room.begun()
        try:
            require_notes(match)
        except RefusedError as refusal:
            raise RequestError.of(refusal) from None
        if all(piece.name != wish.piece for piece in match.view(seat).pieces):
            raise RequestError(
                "unknown-piece", "No such piece is on the board; a note is put on a piece by its name."
            )
        with room.uncertain_if_not_stored():
            await house.strongbox.keep_note(room.row.id, seat, wish.piece, text)
        kept = {name: old for name, old in room.notes[seat].items() if name != wish.piece}
        room.notes = room.notes | {seat: kept | ({wish.piece: text} if text else {})}
        room.wake()
