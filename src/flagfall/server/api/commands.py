"""Commands: what a guest can do in a match, the same over HTTP and over the socket."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from flagfall.engine.action import Action
from flagfall.languages import say
from flagfall.match import Match, RefusedError, require_notes
from flagfall.server.api import requests as W
from flagfall.server.api.http import Operation, json_response, read_body, registry_of
from flagfall.server.api.messages.matches import State
from flagfall.server.api.routes.guests import check_command, require_guest
from flagfall.server.errors import RequestError
from flagfall.server.names import MAX_NOTE, normalise_text
from flagfall.server.sessions.registry import MatchRegistry
from flagfall.server.sessions.session import MAX_CHAT, MatchSession
from flagfall.server.sessions.texts import PHRASES
from flagfall.server.store.rows import ChatRow, GuestRow
from flagfall.setups import Setup, setup_from_squares
from flagfall.sides import Side

NO_NUMBER = -1
"""a number that no entry has"""


COMMANDS: tuple[tuple[str, str, str, type[W.Command]], ...] = (
    ("POST", "setup", "seal", W.Seal),
    ("POST", "act", "act", W.Act),
    ("POST", "take-back", "take_back", W.TakeBack),
    ("POST", "resign", "resign", W.Resign),
    ("POST", "draw", "offer_draw", W.OfferDraw),
    ("POST", "draw/answer", "answer_draw", W.AnswerDraw),
    ("POST", "abort", "abort", W.Abort),
    ("POST", "rematch", "rematch", W.AskRematch),
    ("POST", "chat", "say", W.Say),
    ("PUT", "notes", "note", W.TakeNote),
)
"""method, end of the address, operation id, command"""


def _operation(method: str, path: str, operation_id: str, command_type: type[W.Command]) -> Operation:
    async def handle(request: Request, match: str) -> Response:
        guest = await require_guest(request)
        command = await read_body(request, command_type)
        registry = registry_of(request)
        session = await registry.session(match)
        check_command(request, command, session.row.opponent)
        seat = await handle_command(registry, session, guest, command)
        await session.wait_until_stored()
        since = command.number if isinstance(command, W.Act) else session.number(seat) if seat else 0
        return json_response(session.state(guest.id, seat or "watcher", since))

    return Operation(
        method=method,
        path=f"/api/matches/{{match}}/{path}",
        id=operation_id,
        tag="table",
        text=command_type.__doc__ or "",
        handler=handle,
        response=State,
        errors=(401, 403, 404, 409, 422),
        request=command_type,
    )


operations = [_operation(*row) for row in COMMANDS]


async def handle_command(
    registry: MatchRegistry, session: MatchSession, guest: GuestRow, command: W.Command
) -> Side | None:
    """Execute the command and return the side it was executed for."""
    if isinstance(command, W.Abort) and session.match is None:
        await registry.new_matches.withdraw(session, guest)
        return None
    seat = session.seat(guest.id, command.seat)
    match command:
        case W.Seal():
            setup = _setup(session, seat, command)
            await session.execute(lambda match, now: match.seal(seat, setup, now, registry.salt()))
        case W.Act():
            action = _action(command)
            await session.execute(lambda match, now: _act(session, match, seat, command.number, action, now))
        case W.TakeBack():
            await session.execute(lambda match, now: _take_back(session, match, seat, command.number, now))
        case W.Resign():
            await session.execute(lambda match, now: match.resign(seat, now))
        case W.OfferDraw():
            await session.execute(lambda match, now: match.offer_draw(seat, now))
        case W.AnswerDraw():
            await session.execute(lambda match, now: match.answer_draw(seat, command.accepts, now))
        case W.Abort():
            await session.execute(lambda match, now: match.abort(seat, now))
        case W.AskRematch():
            await registry.new_matches.rematch(session, seat)
        case W.Say():
            await registry.finish(_say(registry, session, seat, command.phrase))
        case W.TakeNote():
            await registry.finish(_take_note(registry, session, seat, command))
    return seat


def _setup(session: MatchSession, seat: Side, command: W.Seal) -> Setup | str:
    if bool(command.code) == bool(command.squares):
        raise RequestError("malformed", "Give the setup either as “code” or as “squares”.")
    if command.code:
        return command.code
    return setup_from_squares(session.game, int(seat), command.squares)


def _action(command: W.Act) -> Action | str:
    if (command.action is None) == (not command.text):
        raise RequestError("malformed", "Give the turn either as “text” or as “action”.")
    return command.text if command.action is None else Action.unpack(command.action)


def _act(
    session: MatchSession, match: Match, seat: Side, number: int, action: Action | str, now: int
) -> None:
    """Act on the log's number if the viewer's is right; the log's itself would reveal silent entries."""
    known = session.number(seat)
    try:
        match.act(seat, match.number if number == known else NO_NUMBER, action, now)
    except RefusedError as refusal:
        if refusal.code != "stale-number":
            raise
        raise stale_number(known, number) from None


def _take_back(session: MatchSession, match: Match, seat: Side, number: int, now: int) -> None:
    known = session.number(seat)
    if number != known:
        raise stale_number(known, number)
    match.take_back(seat, now)


def stale_number(known: int, number: int) -> RefusedError:
    """Return the refusal of a request that names another number than the viewer's."""
    return RefusedError(
        "stale-number", say("server.match.stale-number", known=str(known), number=str(number))
    )


async def _say(registry: MatchRegistry, session: MatchSession, seat: Side, phrase: str) -> None:
    if phrase not in PHRASES:
        raise RequestError("malformed", f"There is no such phrase; choose one of {', '.join(PHRASES)}.")
    line = ChatRow(seat, phrase, registry.now_ms())
    async with session.lock:
        await session.reload_if_uncertain()
        with session.uncertain_if_not_stored():
            await registry.store.add_chat_line(session.row.id, line)
        session.chat = [*session.chat, line][-MAX_CHAT:]
        session.notify()


async def _take_note(registry: MatchRegistry, session: MatchSession, seat: Side, command: W.TakeNote) -> None:
    """Store a note of a seat; no other viewer is sent it."""
    text = normalise_text(command.text, "note", MAX_NOTE)
    async with session.lock:
        await session.reload_if_uncertain()
        match = session.require_started()
        require_notes(match)
        if all(piece.name != command.piece for piece in match.view(seat).pieces):
            raise RequestError("unknown-piece", say("server.match.unknown-piece"))
        with session.uncertain_if_not_stored():
            await registry.store.set_note(session.row.id, seat, command.piece, text)
        kept = {name: old for name, old in session.notes[seat].items() if name != command.piece}
        session.notes = session.notes | {seat: kept | ({command.piece: text} if text else {})}
        session.notify()
