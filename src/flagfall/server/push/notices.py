"""What people are told who do not have a match open: it is their turn, a draw is offered, the game is over.

A notice is made from what everybody at the table may know: names, the game, whose turn it is, the result.
It never names a piece, a square or an action.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from flagfall.edition import Game
from flagfall.edition.texts import duration_words
from flagfall.languages import say
from flagfall.match import Match
from flagfall.match.log import FlagFell
from flagfall.match.texts import ABORTED
from flagfall.notation.names import player_name
from flagfall.server.store.rows import MatchRow
from flagfall.sides import SIDES, Side

KEEP_S = 3 * 86_400
"""how long a push service keeps a notice without a clock for a device that is switched off"""
HOUR_S, MINUTES_S = 3_600, 600
"""the time that is left is told in whole hours, or else in tens of minutes"""
MAX_KEEP_S = 28 * 86_400

NoticeKind = Literal["turn", "setup", "draw", "over"]
Title = Literal["joined", "rematch", "cancelled", "over", "turn", "draw", "ready", "reminder"]
_SETS_UP: frozenset[Title] = frozenset({"joined", "rematch", "ready"})


class Notice(Struct, frozen=True, kw_only=True):
    """One message to one guest about one match; a newer one replaces it."""

    guest: str
    kind: NoticeKind
    title: Title
    row: MatchRow
    side: Side
    """of the guest"""
    game: Game
    move_s: int | None = None
    """the time for a move in a game by day"""
    left_s: int | None = None
    """in a reminder: less than this time is left"""
    keep_s: int = KEEP_S
    """after this time it is of no use any more"""

    @property
    def match(self) -> str:
        """The id of the match."""
        return self.row.id

    def words(self) -> tuple[str, str]:
        """Return title and text in the language in use, which may differ between devices of the guest."""
        title = say(f"notices.title.{self.title}", other=player_name(self.row.name(self.side.other)))
        game = say("rules.title", box=self.game.edition.name, game=self.game.name)
        sentence = self._sentence()
        if not sentence:
            return title, say("notices.text-alone", game=game)
        return title, say("notices.text", game=game, sentence=sentence)

    def _sentence(self) -> str:
        if self.title in _SETS_UP:
            return say("notices.set-up")
        if self.title == "draw":
            return say("notices.accept")
        if self.title == "over":
            from flagfall.server.sessions.statistics import result_sentence  # imports the registry, as we are

            return result_sentence(self.row, self.guest, None)
        if self.left_s is not None:
            return say("notices.you-have-less", time=duration_words(self.left_s))
        return say("notices.you-have", time=duration_words(self.move_s)) if self.move_s else ""


class Moment(Struct, frozen=True):
    """What is public about a match at one time, to find out what has changed."""

    sealed: tuple[Side, ...] = ()
    to_move: Side | None = None
    offer: Side | None = None
    is_over: bool = False

    @classmethod
    def of(cls, match: Match) -> Moment:
        """Return the present moment of a match."""
        return cls(match.sealed, match.to_move, match.offer, match.is_over)


def notices_of_change(row: MatchRow, before: Moment, match: Match) -> list[Notice]:
    """Return whom to tell what after something has happened in a match."""
    if not _is_told(row):
        return []
    return [notice for side in SIDES if (notice := _notice_for(side, row, before, match)) is not None]


def notices_of_start(
    row: MatchRow, match: Match, told: tuple[Side, ...], title: Literal["joined", "rematch"]
) -> list[Notice]:
    """Return what players are told when a game begins."""
    if not _is_told(row):
        return []
    return [_notice(row, side, match, "setup", title) for side in told]


def reminder(row: MatchRow, side: Side, match: Match, now_ms: int) -> Notice:
    """Return what a player is told whose time runs out."""
    left_s = max(((match.clocks.falls_at_ms or now_ms) - now_ms) // 1000, 1)
    unit_s = HOUR_S if left_s >= HOUR_S else MINUTES_S
    return msgspec.structs.replace(
        _notice(row, side, match, "turn", "reminder"), left_s=(left_s // unit_s + 1) * unit_s, keep_s=left_s
    )


def _is_told(row: MatchRow) -> bool:
    """Return whether the players are told anything: only two people, each on a screen of their own."""
    return row.opponent in ("friend", "lobby") and None not in (row.south, row.north)


def _notice_for(side: Side, row: MatchRow, before: Moment, match: Match) -> Notice | None:
    """Return what the player of a side is told; None if nothing new concerns them."""
    if match.is_over:
        is_own_act = match.last.seat == side and not isinstance(match.last, FlagFell)
        if before.is_over or is_own_act:
            return None
        is_cancelled = match.result is not None and match.result.reason == ABORTED
        return _notice(row, side, match, "over", "cancelled" if is_cancelled else "over")
    if match.to_move == side and before.to_move != side:
        return _notice(row, side, match, "turn", "turn")
    if match.offer == side.other and before.offer != side.other:
        return _notice(row, side, match, "draw", "draw")
    if match.phase == "setup" and side.other in match.sealed and side not in match.sealed:
        return _notice(row, side, match, "setup", "ready") if side.other not in before.sealed else None
    return None


def _notice(row: MatchRow, side: Side, match: Match, kind: NoticeKind, title: Title) -> Notice:
    left_ms = match.clocks.left_ms(side, match.last.at_ms) if kind == "turn" else None
    clock = match.options.clock
    return Notice(
        guest=row.guest(side) or "",
        kind=kind,
        title=title,
        row=row,
        side=side,
        game=match.game,
        move_s=clock.limit_s if kind == "turn" and clock.is_by_day else None,
        keep_s=KEEP_S if left_ms is None else min(max(left_ms // 1000, 1), MAX_KEEP_S),
    )
