"""One game between two seats: sealed setups, turns, clocks, draws, the result, and the log of it all.

::

    created ──► setup ────────────────► playing ──► over
                each seat seals its     turns       board: flag captured, no move left, …
                own, in either order                table: resigned, agreed, time, aborted

Every command is checked in a fixed order, then carried out and appended to the log. Time is always an
argument. After any call, even a refused one, store the entries that the log has gained.

>>> from flagfall.edition import load_game, resolve
>>> game = load_game("mini/3x3")
>>> match = Match.created(game, resolve(game, {}), Seating("Anna", "Ben"), at_ms=0)
>>> _ = match.seal("south", "XsF", 10), match.seal("north", "FsX", 20)
>>> match.act("south", match.number, "a1 a2", 30).text, match.to_move
('a1-a2', <Side.NORTH: 'north'>)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec import UNSET

from flagfall.edition.options import Options
from flagfall.edition.schema import Game
from flagfall.engine.action import Action
from flagfall.languages import say
from flagfall.match import observations
from flagfall.match.clock import Clocks
from flagfall.match.errors import RefusedError
from flagfall.match.log import (
    Aborted,
    Acted,
    Continued,
    Created,
    DrawAnswered,
    DrawOffered,
    Entry,
    FlagFell,
    Resigned,
    Seating,
    SetupSealed,
    TakenBack,
)
from flagfall.match.notes import Annotations, Notes
from flagfall.match.observations import Message, SeenLog, ended, to_all, told
from flagfall.match.offers import Offers
from flagfall.match.referee import PlayedTurn, Referee, Seen, perform, read_actions
from flagfall.match.replay import FindGame, begun, bundled_game, replay
from flagfall.match.sealing import Opening, checked_salt, checked_setup, missing, setup_view
from flagfall.match.texts import ABORTED, AGREED, RESIGNED, TIME, verdict
from flagfall.notation.reading import read_turn
from flagfall.notation.record import MAX_RECORD_TURNS
from flagfall.setups.setup import Setup
from flagfall.setups.text import read_setup, write_setup
from flagfall.sides import SIDES, Side, SideName
from flagfall.view.view import VIEWERS, Result, SeenEvent, View, Viewer

Phase = Literal["setup", "playing", "over"]
MAX_SETUPS = 100
"""maximum number of setups that a side may hand in; each is an entry of the log"""
MAX_ENTRIES = MAX_RECORD_TURNS
"""entries after which a match accepts no more actions and offers; long games have a few thousand"""
MAX_TURNS_BACK = 40
"""turns of both sides that can be taken back one after the other"""


@dataclass(frozen=True, eq=False)
class TurnStart:
    """A training game just before a turn, to take that turn back."""

    number: int
    referee: Referee
    clocks: Clocks
    acted: frozenset[Side]


@dataclass(frozen=True)
class Snapshot:
    """A match at an earlier number, for a caller that could not store what came after it."""

    number: int
    setups: dict[Side, SetupSealed]
    commitments: dict[Side, str]
    referee: Referee | None
    clocks: Clocks
    offers: Offers
    result: Result | None
    acted: frozenset[Side]
    turn_starts: tuple[TurnStart, ...]


class Match:
    """One game between two seats. Begin one with `created`, continue one with `rebuilt`."""

    def __init__(self, game: Game, options: Options, entry: Created) -> None:
        self.game, self.options, self.seating = game, options, entry.seating
        self.is_training = entry.training is True
        """whether turns may be taken back"""
        self.continued = entry.continued if isinstance(entry.continued, Continued) else None
        """the moment of an earlier game from which this match goes on"""
        self.annotations, self.notes = Annotations(), Notes()
        self.put_away_ms: int | None = None
        self.computers: dict[Side, str] = {}
        """ids of the computer players; saved with the match, but not part of its log"""
        self._log: list[Entry] = []
        self._setups: dict[Side, SetupSealed] = {}
        self._commitments: dict[Side, str] = {}
        self._referee: Referee | None = None
        self._clocks = Clocks.waiting(options.clock)
        self._offers = Offers()
        self._result: Result | None = None
        self._acted: frozenset[Side] = frozenset()
        self._turn_starts: tuple[TurnStart, ...] = ()
        """the last turns of a training game, oldest first"""
        self._seen_log = SeenLog(options["memory"])
        self._append(entry, observations.seated(entry.seating))

    @classmethod
    def created(
        cls,
        game: Game,
        options: Options,
        seating: Seating,
        at_ms: int,
        *,
        is_training: bool = False,
        continued: Continued | None = None,
    ) -> Match:
        """Return a new match; get ``seating`` from `Seating` or `seat_at_random`."""
        return cls(
            game,
            options,
            Created(
                number=0,
                at_ms=at_ms,
                game=game.id,
                seating=seating,
                options=options.changed(game),
                training=True if is_training else UNSET,
                continued=continued or UNSET,
            ),
        )

    @classmethod
    def rebuilt(
        cls, entries: Iterable[Entry], upto: int | None = None, find_game: FindGame = bundled_game
    ) -> Match:
        """Return the match of a log, as it was before entry ``upto``; `MatchError` if an entry is wrong."""
        kept = list(entries)[:upto]
        game, options, entry = begun(kept, find_game)
        match = cls(game, options, entry)
        replay(match, kept)
        return match

    def __repr__(self) -> str:
        names = f"{self.seating.south} – {self.seating.north}"
        return f"<Match {self.game.id}, {names}, {self.phase}, {len(self._log)} entries>"

    # ------------------------------------------------------------------ public facts

    @property
    def number(self) -> int:
        """The number the next entry will have."""
        return len(self._log)

    @property
    def phase(self) -> Phase:
        """The phase of the match."""
        if self._result is not None:
            return "over"
        return "playing" if self._referee else "setup"

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, on the board or at the table."""
        return self._result is not None

    @property
    def is_open(self) -> bool:
        """Whether everything may be shown to all: the game is over and was not cancelled."""
        return self._result is not None and self._result.reason != ABORTED

    @property
    def result(self) -> Result | None:
        """Who has won and why; no winner and ``aborted`` if the game was cancelled."""
        return self._result

    @property
    def to_move(self) -> Side | None:
        """The side to move; None before and after the game."""
        return self._referee.mover if self._referee and not self.is_over else None

    @property
    def turn(self) -> int:
        """Turns completed so far."""
        return self._referee.observers.knowledge["watcher"].turn if self._referee else 0

    @property
    def offer(self) -> Side | None:
        """The side whose draw offer is pending."""
        return self._offers.pending

    @property
    def clocks(self) -> Clocks:
        """The two clocks."""
        return self._clocks

    @property
    def sealed(self) -> tuple[Side, ...]:
        """The seats that have handed in a setup."""
        return tuple(side for side in SIDES if side in self._setups)

    @property
    def commitments(self) -> dict[Side, str]:
        """The published hashes of the sealed setups."""
        return dict(self._commitments)

    def openings(self) -> dict[Side, Opening]:
        """Return salt and setup of each seat, to check the commitments; once the game `is_open`."""
        self.require_open()
        return {side: Opening(entry.salt, entry.setup) for side, entry in self._setups.items()}

    # ------------------------------------------------------------------ for one viewer

    def view(self, viewer: Viewer, *, forgets: bool = True) -> View:
        """Return everything that a viewer may know now; ``truth`` only once the game `is_open`.

        Without ``forgets``, for computer players, the memory options hide nothing.
        """
        if viewer == "truth":
            self.require_open()
        elif viewer not in VIEWERS:
            raise _unknown_viewer(viewer)
        if self._referee is None:
            return msgspec.structs.replace(setup_view(self.game, viewer, self._setups), result=self._result)
        view = self._referee.view(viewer, forgets=forgets, is_open=self.is_open)
        if self._result is None or view.result is not None:
            return view
        return msgspec.structs.replace(view, result=self._result, legal=(), prompt=None, barred=())

    def seen(
        self, viewer: Viewer, since_number: int = 0, before: int | None = None, most: int | None = None
    ) -> list[tuple[int, tuple[SeenEvent, ...]]]:
        """Return what a viewer has seen of the entries since a number, as far as the memory option allows.

        Only entries before ``before`` count, and at most ``most`` of them, the newest.
        """
        if viewer not in VIEWERS:
            raise _unknown_viewer(viewer)
        names = self._referee.observers.names(viewer) if self._referee and not self.is_open else {}
        return self._seen_log.since(
            viewer, since_number, names, is_open=self.is_open, before=before, limit=most
        )

    def number_for(self, viewer: Viewer) -> int:
        """Return one past the last entry that this viewer saw or made.

        Entries that a viewer did not see must not show in its numbers either. So the entry that calls a game
        off counts as the next one after those the viewer saw.
        """
        if self.is_open or viewer == "truth":
            return self.number
        if not self.is_over:
            return self._seen_log.number_for(viewer, self.number)
        return self._seen_log.number_for(viewer, self.number - 1) + 1

    def has_acted(self, side: Side | SideName) -> bool:
        """Return whether a side has played an action yet."""
        return side in self._acted

    def entries_since(self, number: int) -> tuple[Entry, ...]:
        """Return the log from a number on; secret."""
        return tuple(self._log[number:])

    def history(self, side: Side | SideName) -> tuple[SeenEvent, ...]:
        """Return everything a seat has seen on the board, oldest first, for a computer player."""
        return self._seen_log.history(side)

    def messages(self, viewer: Viewer, since_number: int = 0) -> list[Message]:
        """Return what a viewer has seen since a number, in sentences."""
        view, own = self.view(viewer), self.own_kinds(viewer)
        texts = [(at, self.told(view, events, own)) for at, events in self.seen(viewer, since_number)]
        return [Message(number, text) for number, text in texts if text]

    def own_kinds(self, viewer: Viewer) -> Mapping[str, str]:
        """Return the kinds of a player's own pieces by their names in events, also of those that are gone.

        Empty where the memory option changes those names, and for viewers without an army.
        """
        is_named_anew = self.options["memory"] == "strict" and not self.is_open
        if self._referee is None or viewer not in SIDES or is_named_anew:
            return {}
        return self._referee.observers.knowledge[viewer].own

    def told(
        self, view: View, events: tuple[SeenEvent, ...], own: Mapping[str, str] = MappingProxyType({})
    ) -> str:
        """Return events as sentences for the owner of a View; empty if there is nothing to say.

        ``own``: the kinds of the player's own pieces, for events that are long past.
        """
        return told(self.game, self.seating, view, events, own)

    # ------------------------------------------------------------------ for the referee

    @property
    def log(self) -> tuple[Entry, ...]:
        """All entries. They contain secrets: for storage, not for viewers."""
        return tuple(self._log)

    @property
    def last(self) -> Entry:
        """The newest entry of the log."""
        return self._log[-1]

    @property
    def turns(self) -> tuple[PlayedTurn, ...]:
        """The turns as they were played, with their choices; secret."""
        return tuple(self._referee.turns) if self._referee else ()

    @property
    def is_turn_open(self) -> bool:
        """Whether the mover is in the middle of a turn."""
        return self._referee is not None and not self._referee.is_fresh

    def setup_text(self, side: Side | SideName) -> str:
        """Return the sealed setup of a side; secret."""
        return self._setups[Side(side)].setup

    def digest(self) -> str:
        """Return a hash of position and log."""
        position = self._referee.state.digest() if self._referee else ""
        return blake2b(position.encode() + msgspec.json.encode(self._log), digest_size=16).hexdigest()

    def snapshot(self) -> Snapshot:
        """Return what `restore` needs to undo everything that happens from now on; cheap."""
        return Snapshot(
            self.number,
            self._setups,
            self._commitments,
            self._referee,
            self._clocks,
            self._offers,
            self._result,
            self._acted,
            self._turn_starts,
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Undo every entry since the snapshot, because it could not be stored."""
        self._setups, self._commitments = snapshot.setups, snapshot.commitments
        self._referee, self._clocks = snapshot.referee, snapshot.clocks
        self._offers, self._result, self._acted = snapshot.offers, snapshot.result, snapshot.acted
        self._turn_starts = snapshot.turn_starts
        del self._log[snapshot.number :]
        self._seen_log.forget(snapshot.number)

    # ------------------------------------------------------------------ commands

    def seal(self, seat: str, setup: Setup | str, at_ms: int, salt: str = "") -> SetupSealed:
        """Hand in a setup, or replace it while the other side's is missing."""
        side = self._sealing(seat)
        if sum(entry.seat == side for entry in self._log) >= MAX_SETUPS:
            raise RefusedError("too-long", say("match.setup.too-many", number=MAX_SETUPS))
        return self._seal(side, setup, at_ms, salt)

    def seal_again(self, entry: SetupSealed) -> None:
        """Hand in the setup of a log entry again while a match is rebuilt."""
        self._seal(self._sealing(entry.seat or ""), entry.setup, entry.at_ms, entry.salt)

    def _sealing(self, seat: str) -> Side:
        """Check what handing in a setup needs; return the side."""
        self._refuse_if_over()
        if self._referee is not None:
            raise RefusedError("started", say("match.setup.too-late"))
        return _seat(seat)

    def _seal(self, side: Side, setup: Setup | str, at_ms: int, salt: str) -> SetupSealed:
        right = checked_setup(self.game, side, setup)
        entry = SetupSealed(
            number=self.number,
            at_ms=self._moment(at_ms),
            seat=side,
            setup=write_setup(right),
            salt=checked_salt(salt),
        )
        setups = self._setups | {side: entry}
        seen = to_all(SeenEvent("sealed", 0, side=side, detail=entry.commitment))
        if len(setups) == len(SIDES):
            referee = self._start_referee(setups)
            seen = {viewer: seen[viewer] + events for viewer, events in referee.opening_events.items()}
            self._referee = referee
            self._clocks = Clocks.started(self.options.clock, entry.at_ms)
        self._setups = setups
        self._commitments = {side: entry.commitment for side, entry in setups.items() if entry.commitment}
        self._append(entry, seen)
        return entry

    def act(self, seat: str, number: int | None, action: Action | str, at_ms: int) -> Acted:
        """Play one action, or the text of one or more actions of a turn: all of it or nothing.

        ``number`` is the number that the player expects for this entry; None accepts any.
        """
        referee, side, at = self._playing(seat, at_ms)
        if referee.mover != side:
            raise RefusedError("not-your-turn", say("refusals.not-your-turn", side=referee.mover.title))
        if number is not None and number != self.number:
            stale = say("match.stale-number", right=str(self.number), wrong=str(number))
            raise RefusedError("stale-number", stale)
        self._refuse_if_too_long()
        actions = read_actions(referee, action)
        return self._act(referee.copy(), side, actions, at)

    def is_silent(self, seat: str, action: Action) -> bool:
        """Return whether an action would leave the turn open and show nothing to the other viewers."""
        if self._referee is None or self.is_over or self._referee.mover != seat or self.offer is not None:
            return False
        if not self._referee.is_legal(action):
            return False
        referee = self._referee.copy()
        _, seen = perform(referee, self.options, (action,))
        is_seen = any(events for viewer, events in seen.items() if viewer != seat)
        return not is_seen and not referee.is_fresh and referee.result is None

    def act_again(self, entry: Acted) -> None:
        """Play a log entry again while a match is rebuilt."""
        referee, side, at = self._playing(entry.seat or "", entry.at_ms)
        if referee.mover != side:
            raise RefusedError("not-your-turn", f"It is {referee.mover.title}'s turn.")
        self._act(referee.copy() if self.is_training else referee, side, read_turn(self.game, entry.text), at)

    def can_take_back(self, seat: Side) -> bool:
        """Return whether a seat has a turn to take back."""
        return self._last_start(seat) is not None and not self.is_over

    def take_back(self, seat: str, at_ms: int) -> TakenBack:
        """Take back the seat's last turn, finished or not, and everything after it; only in a training game.

        The entries stay in the log, but no longer count.
        """
        _, side, at = self._playing(seat, at_ms)
        if not self.is_training:
            raise RefusedError("not-training", say("match.take-back.not-training"))
        self._refuse_if_too_long()
        start = self._last_start(side)
        if start is None:
            reason = "no-further" if side in self._acted else "not-moved"
            raise RefusedError("nothing-to-take-back", say(f"match.take-back.{reason}"))
        self._referee, self._clocks, self._acted = start.referee, start.clocks, start.acted
        self._offers = Offers()
        self._turn_starts = self._turn_starts[: self._turn_starts.index(start)]
        self._seen_log.take_back(start.number)
        entry = TakenBack(number=self.number, at_ms=at, seat=side)
        self._append(entry, to_all(SeenEvent("taken back", self.turn, side=side)))
        return entry

    def _last_start(self, side: Side) -> TurnStart | None:
        return next((start for start in reversed(self._turn_starts) if start.referee.mover == side), None)

    def offer_draw(self, seat: str, at_ms: int) -> DrawOffered:
        """Offer a draw; the offer lasts until it is answered or the other side acts."""
        _, side, at = self._playing(seat, at_ms)
        self._refuse_if_too_long()
        self._offers = self._offers.offered(side)
        entry = DrawOffered(number=self.number, at_ms=at, seat=side)
        self._append(entry, to_all(SeenEvent("draw offered", self.turn, side=side)))
        return entry

    def answer_draw(self, seat: str, accepts: bool, at_ms: int) -> DrawAnswered:
        """Accept or decline the other side's offer."""
        _, side, at = self._playing(seat, at_ms)
        self._offers = self._offers.answered(side)
        entry = DrawAnswered(number=self.number, at_ms=at, seat=side, accepts=accepts)
        answer = SeenEvent("draw accepted" if accepts else "draw declined", self.turn, side=side)
        if accepts:
            self._end(entry, Result("", AGREED), answer)
        else:
            self._append(entry, to_all(answer))
        return entry

    def resign(self, seat: str, at_ms: int) -> Resigned:
        """Resign; possible at any time during the game."""
        _, side, at = self._playing(seat, at_ms)
        entry = Resigned(number=self.number, at_ms=at, seat=side)
        said = SeenEvent("resigned", self.turn, side=side)
        self._end(entry, Result.of(side.other, RESIGNED), said)
        return entry

    def abort(self, seat: str | None, at_ms: int) -> Aborted:
        """Cancel the game: a seat before its own first turn, the referee (None) at any time."""
        self._refuse_if_over()
        side = None if seat is None else _seat(seat)
        if side and self.has_acted(side):
            raise RefusedError("too-late-to-abort", say("match.too-late-to-cancel"))
        entry = Aborted(number=self.number, at_ms=self._moment(at_ms), seat=side)
        self._end(entry, Result("", ABORTED), SeenEvent("aborted", self.turn, side=side))
        return entry

    def check_time(self, at_ms: int) -> FlagFell | None:
        """Let the flag fall if the side to move has no time left."""
        at = self._moment(at_ms)
        if self.is_over or self._referee is None or not self._clocks.has_run_out(at):
            return None
        side = self._referee.mover
        entry = FlagFell(number=self.number, at_ms=at, seat=side)
        said = SeenEvent("time", self.turn, side=side)
        self._end(entry, Result.of(side.other, TIME), said)
        return entry

    # ------------------------------------------------------------------ implementation

    def _act(self, referee: Referee, side: Side, actions: tuple[Action, ...], at: int) -> Acted:
        turn = self.turn
        turn_starts = self._turn_starts
        if self.is_training and self._referee is not None and self._referee.is_fresh:
            start = TurnStart(self.number, self._referee, self._clocks, self._acted)
            turn_starts = (*turn_starts, start)[-MAX_TURNS_BACK:]
        text, seen = perform(referee, self.options, actions)
        entry = Acted(number=self.number, at_ms=at, seat=side, text=text)
        has_ended = referee.mover != side
        is_seen = bool(seen[side.other])
        offers = self._offers.acted(side, has_ended_turn=has_ended, is_seen=is_seen)
        if self._offers.pending and not offers.pending and not referee.result:
            lapsed = to_all(SeenEvent("draw lapsed", turn, side=self._offers.pending))
            seen = {viewer: events + lapsed[viewer] for viewer, events in seen.items()}
        self._referee, self._offers, self._turn_starts = referee, offers, turn_starts
        if has_ended:
            self._clocks = self._clocks.turn_ended(at)
        self._append(entry, seen)
        return entry

    def _end(self, entry: Entry, result: Result, said: SeenEvent) -> None:
        self._result = result
        self._append(entry, to_all(said, *ended(result, self.turn)))

    def _append(self, entry: Entry, seen: Seen) -> None:
        self._log.append(entry)
        if isinstance(entry, Acted) and entry.seat is not None:
            self._acted |= {entry.seat}
        self._seen_log.add(seen, self.turn, entry.seat)
        if self._result is None and self._referee:
            self._result = self._referee.result
        if self._result is not None:
            self._clocks = self._clocks.stopped(entry.at_ms)
            self._offers = Offers()

    def _start_referee(self, setups: Mapping[Side, SetupSealed]) -> Referee:
        south, north = (read_setup(self.game, side, setups[side].setup) for side in SIDES)
        return Referee(self.game, self.options, south, north)

    def _moment(self, at_ms: int) -> int:
        """Return the time of the next entry, never before the last one."""
        return max(at_ms, self._log[-1].at_ms) if self._log else at_ms

    def _refuse_if_over(self) -> None:
        if self._result is not None:
            raise RefusedError("finished", say("refusals.over", verdict=verdict(self._result)))

    def _refuse_if_too_long(self) -> None:
        if self.number >= MAX_ENTRIES:
            raise RefusedError("too-long", say("match.too-long", number=str(MAX_ENTRIES)))

    def require_open(self) -> None:
        """Refuse to show everything unless the game `is_open`."""
        if not self.is_over:
            raise RefusedError("hidden", say("match.hidden.not-over"))
        if not self.is_open:
            raise RefusedError("hidden", say("match.hidden.cancelled"))

    def _playing(self, seat: str, at_ms: int) -> tuple[Referee, Side, int]:
        """Check what every command during the game needs; return referee, side and time."""
        self._refuse_if_over()
        if self._referee is None:
            raise missing(self._setups)
        side, at = _seat(seat), self._moment(at_ms)
        late = self.check_time(at)
        if late and late.seat == side:
            raise RefusedError("time", say("match.time-over"))
        self._refuse_if_over()
        return self._referee, side, at


def _unknown_viewer(viewer: str) -> RefusedError:
    return RefusedError("unknown-seat", say("match.no-viewer", name=viewer))


def _seat(seat: str) -> Side:
    if seat in SIDES:
        return Side(seat)
    raise RefusedError("unknown-seat", say("match.no-seat", name=str(seat)[:20]))
