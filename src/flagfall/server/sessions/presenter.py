"""The messages for one viewer of a match: its State, what has changed in it, its news, and replays.

Entries of which a viewer saw nothing do not count for it: how often a mover has silently chosen stays secret.
So a viewer's number is one past the last entry that it saw something of or made itself.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from flagfall.edition import Game, Options
from flagfall.edition.guides import guide_book
from flagfall.languages import say
from flagfall.match import Match, MatchError, Walk, allows_notes, to_record
from flagfall.match.guides import guide_words
from flagfall.match.summary import describe_result, summarize
from flagfall.notation import Record, describe_turn, turn_label
from flagfall.server.api.messages.matches import (
    Change,
    ChatLine,
    ClockState,
    CommandName,
    ContinuedFrom,
    GuideLine,
    News,
    Rematch,
    ReplayStep,
    SeatInfo,
    Seats,
    State,
)
from flagfall.server.errors import RequestError
from flagfall.server.networks import is_missing
from flagfall.server.sessions.texts import changed_options, choices, phrase_words, prompt_words, steps
from flagfall.server.store.rows import ChatRow, MatchRow
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenEvent, SeenPiece, View, Viewer, viewer_name

MAX_NEWS = 100
"""entries in one message; older ones are fetched in pages"""


@dataclass(frozen=True)
class Extras:
    """What a State holds besides the game: chat, notes and presence."""

    chat: Sequence[ChatRow]
    notes: Mapping[Side, Mapping[str, str]]
    """each seat's own notes, which no other viewer may see"""
    here: frozenset[Side]
    """the seats whose players have the match open"""
    warming_up: frozenset[Side] = frozenset()
    """the seats of computer players that are not at their full strength yet"""


def waiting_state(row: MatchRow, game: Game, options: Options, guest: str | None, now_ms: int) -> State:
    """Return the State of a match that waits for its second player, or whose invitation was withdrawn."""
    is_host = guest == row.host
    is_open = row.status == "waiting"
    clock = options.clock
    return State(
        match=row.id,
        game=game.id,
        game_name=game.name,
        opponent=row.opponent,
        viewer="watcher",
        yours=(),
        number=0,
        since=0,
        phase="waiting" if is_open else "over",
        turn=0,
        to_move=None,
        seats=None,
        options=dict(options.items()),
        chips=changed_options(game.id, options),
        clocks=ClockState(clock.text, clock.style, now_ms, None, None, None),
        view=None,
        prompt_words=say("table.waiting") if is_open else "",
        steps=(),
        choices=(),
        notes={},
        news=(),
        offer=None,
        can=("abort",) if is_host and is_open else (),
        result=None,
        is_open=False,
        verdict="" if is_open else say("table.withdrawn"),
        commitments={},
        invitation=(row.invitation or "") if is_host and is_open else "",
        rematch=Rematch((), ""),
        chat=(),
    )


def state_for(
    row: MatchRow, match: Match, viewer: Viewer, guest: str | None, since: int, extras: Extras, now_ms: int
) -> State:
    """Return everything that a viewer may know now, and its news since a number."""
    view = match.view(viewer)
    yours = row.seats_of(guest)
    number = match.number_for(viewer)
    news, since = news_for(match, view, min(since, number), number)
    summary = summarize(match) if match.is_open else None
    training = (say("table.training"),) if match.is_training else ()
    reader = viewer if len(yours) < len(SIDES) else "watcher"
    return State(
        match=row.id,
        game=row.game,
        game_name=match.game.name,
        opponent=row.opponent,
        viewer=viewer_name(viewer),
        yours=yours,
        number=number,
        since=since,
        phase=match.phase,
        turn=match.turn,
        to_move=match.to_move,
        seats=Seats(*(_seat(row, match, side, extras) for side in SIDES)),
        options=dict(match.options.items()),
        chips=changed_options(row.game, match.options) + training,
        clocks=_clocks(match, now_ms),
        view=msgspec.structs.replace(view, legal=()),
        prompt_words=prompt_words(match, view),
        steps=steps(match, viewer),
        choices=choices(match.game, view, match.options),
        notes=dict(extras.notes[Side(viewer)]) if viewer in yours and allows_notes(match) else {},
        news=news,
        offer=match.offer,
        can=_can(row, match, viewer, yours),
        result=match.result,
        is_open=match.is_open,
        verdict=describe_result(match, reader, summary.flag if summary else None),
        commitments={str(side): text for side, text in match.commitments.items()},
        invitation="",
        rematch=Rematch(
            tuple(side for side in SIDES if side in row.rematch_asked.split()), row.rematch if yours else ""
        ),
        chat=tuple(
            ChatLine(line.seat, line.phrase, phrase_words(line.phrase), line.at_ms) for line in extras.chat
        ),
        training=match.is_training,
        summary=summary,
        guide=_guide(match, view) if viewer in yours else (),
        continued=_continued(match, is_told=match.is_open or viewer in yours),
    )


def _continued(match: Match, *, is_told: bool) -> ContinuedFrom | None:
    """Return from where a match goes on; its earlier game, which is open, would show hidden pieces."""
    moment = match.continued
    if moment is None:
        return None
    return ContinuedFrom(moment.sentence(), moment.turn, moment.match if is_told else "")


def _guide(match: Match, view: View) -> tuple[GuideLine, ...]:
    """Return what the guide of a training game can say to a player now."""
    guide = guide_book(match.game.edition).get(match.game.id) if allows_hints(match) else None
    if guide is None or match.phase == "setup":
        return ()
    return tuple(GuideLine(one.event, one.words, one.squares) for one in guide_words(guide, view))


def is_same(one: State, other: State) -> bool:
    """Return whether two States differ in nothing but the time, so that nothing need be sent."""
    return all(getattr(one, name) == getattr(other, name) for name in _COMPARED) and _without_time(
        one.clocks
    ) == _without_time(other.clocks)


def change_between(before: State, now: State) -> Change | None:
    """Return what differs between two States of a viewer; None if the whole State should be sent."""
    if before.view is None or now.view is None or before.viewer != now.viewer:
        return None
    state = {name: getattr(now, name) for name in _ALWAYS}
    state |= {name: value for name in _COMPARED if (value := getattr(now, name)) != getattr(before, name)}
    state.pop("view", None)
    old, new = before.view, now.view
    view = {
        name: value
        for name in View.__struct_fields__
        if name != "pieces" and (value := getattr(new, name)) != getattr(old, name)
    }
    stood = {piece.cell: piece for piece in old.pieces}
    squares: dict[str, SeenPiece | None] = {}
    for piece in new.pieces:
        if stood.pop(piece.cell, None) != piece:
            squares[piece.cell] = piece
    return Change(now.number, state, view, squares | dict.fromkeys(stood))


_ALWAYS = ("number", "since", "news", "clocks")
_COMPARED = tuple(name for name in State.__struct_fields__ if name not in _ALWAYS)
"""fields of a State that are compared"""


def _without_time(clocks: ClockState) -> ClockState:
    return msgspec.structs.replace(clocks, at_ms=0, south_ms=None, north_ms=None)


def _seat(row: MatchRow, match: Match, side: Side, extras: Extras) -> SeatInfo:
    return SeatInfo(
        name=match.seating.name(side),
        is_computer=bool(row.level(side)),
        level=row.level(side),
        army=match.game.armies[SIDES.index(side)].id,
        is_sealed=side in match.sealed,
        is_here=side in extras.here,
        is_warming_up=side in extras.warming_up,
        is_missing=is_missing(row.level(side)),
    )


def _clocks(match: Match, now_ms: int) -> ClockState:
    clocks = match.clocks
    return ClockState(
        text=clocks.clock.text,
        style=clocks.clock.style,
        at_ms=now_ms,
        running=clocks.running if clocks.clock.style != "none" else None,
        south_ms=clocks.left_ms("south", now_ms),
        north_ms=clocks.left_ms("north", now_ms),
    )


def news_for(
    match: Match, view: View, since: int, number: int, before: int | None = None
) -> tuple[tuple[News, ...], int]:
    """Return the entries that a viewer saw from ``since`` on, and the number from which they are complete.

    These are the newest `MAX_NEWS` at most, or the newest before a number; ``number`` is the viewer's own.
    """
    if since >= number:
        return (), number
    if view.viewer == "truth":
        view = match.view("watcher")
    seen = match.seen(view.viewer, since, before, MAX_NEWS)
    first = seen[0][0] if len(seen) == MAX_NEWS else since
    own = match.own_kinds(view.viewer)
    news = tuple(
        News(
            min(entry, number - 1),
            match.told(view, events, own),
            tuple(_without_commitment(event) for event in events),
        )
        for entry, events in seen
    )
    return news, first


def _without_commitment(event: SeenEvent) -> SeenEvent:
    """Return the event without the commitment, which the State has in ``commitments``."""
    return msgspec.structs.replace(event, detail="") if event.what == "sealed" else event


def _can(row: MatchRow, match: Match, viewer: Viewer, yours: tuple[Side, ...]) -> tuple[CommandName, ...]:
    """Return the commands that this viewer may send; a client shows a button for each."""
    if viewer not in yours:
        return ()
    side = Side(viewer)
    can: list[CommandName] = []
    if match.phase == "setup":
        can += ["seal"]
    elif match.phase == "playing":
        if match.to_move == side:
            can.append("act")
            if allows_hints(match):
                can.append("hint")
        if match.can_take_back(side):
            can.append("take-back")
        can.append("resign")
        can.append("answer-draw" if match.offer == side.other else "offer-draw")
    if not match.is_over:
        if not match.has_acted(side):
            can.append("abort")
    elif not row.rematch:
        can.append("rematch")
    if match.phase != "setup" and allows_notes(match):
        can.append("note")
    if row.opponent != "hot-seat":
        can.append("chat")
    return tuple(can)


def allows_hints(match: Match) -> bool:
    """Return whether the coach may be asked: not in a game from memory, where it would remember for you."""
    return match.is_training and match.options["memory"] == "assisted"


class ReplayedGame:
    """A finished game or an opened record, and the pages of its replay. Make it in a thread."""

    def __init__(self, game: Game, record: Record) -> None:
        self.game, self.record = game, record
        self._walk = Walk(self.record)
        self._lock = threading.Lock()

    @classmethod
    def of_match(cls, match: Match) -> ReplayedGame:
        """Return the replay of a match that is over."""
        return cls(match.game, to_record(match))

    @property
    def turns(self) -> int:
        """The number of turns."""
        return len(self.record.turns)

    def steps(self, viewer: Viewer, first: int, count: int) -> tuple[ReplayStep, ...]:
        """Return a page of the replay as a viewer sees it; call it in a thread."""
        steps = []
        try:
            with self._lock:
                for at, view in enumerate(self._walk.views(viewer, first, count), start=first):
                    words = describe_turn(self.game, view.last_turn, viewer, view) if at else ""
                    label, text = (turn_label(at - 1), self.record.turns[at - 1].text) if at else ("", "")
                    steps.append(ReplayStep(at, label, text, words, view))
        except MatchError as error:
            raise RequestError("hidden", say("server.match.no-replay", reason=error)) from None
        return tuple(steps)
