"""What people are told who do not have a match open: it is their turn, a draw is offered, the game is over.

A notice is made from what everybody at the table may know: names, the game, whose turn it is, the result.
It never names a piece, a square or an action.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from flagfall.edition.texts import duration_words
from flagfall.match import Match
from flagfall.match.log import FlagFell
from flagfall.match.texts import ABORTED
from flagfall.notation.names import player_name
from flagfall.server.store.rows import MatchRow
from flagfall.sides import SIDES, Side

KEEP_S = 3 * 86_400
"""how long a push service keeps a notice without a clock for a device that is switched off"""
MAX_KEEP_S = 28 * 86_400
SET_UP = "Set up your army."

NoticeKind = Literal["turn", "setup", "draw", "over"]


class Notice(Struct, frozen=True, kw_only=True):
    """One message to one guest about one match; a newer one replaces it."""

    guest: str
    match: str
    kind: NoticeKind
    title: str
    text: str
    keep_s: int = KEEP_S
    """after this time it is of no use any more"""


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


def notices_of_start(row: MatchRow, match: Match, told: tuple[Side, ...], what: str) -> list[Notice]:
    """Return what players are told when a game begins: ``what`` names the opponent as ``{other}``."""
    if not _is_told(row):
        return []
    return [
        _notice(row, side, match, "setup", what.format(other=_opponent(row, side)), SET_UP) for side in told
    ]


def _is_told(row: MatchRow) -> bool:
    """Return whether the players are told anything: only two people, each on a screen of their own."""
    return row.opponent in ("friend", "lobby") and None not in (row.south, row.north)


def _notice_for(side: Side, row: MatchRow, before: Moment, match: Match) -> Notice | None:
    """Return what the player of a side is told; None if nothing new concerns them."""
    other = _opponent(row, side)
    if match.is_over:
        is_own_act = match.last.seat == side and not isinstance(match.last, FlagFell)
        if before.is_over or is_own_act:
            return None
        if match.result is not None and match.result.reason == ABORTED:
            return _notice(row, side, match, "over", f"{other} has cancelled your game")
        from flagfall.server.sessions.statistics import result_sentence  # imports the registry, as we are

        sentence = result_sentence(row, row.guest(side) or "", None)
        return _notice(row, side, match, "over", f"Your game against {other} is over", sentence)
    if match.to_move == side and before.to_move != side:
        clock = match.options.clock
        time = f"You have {duration_words(clock.limit_s)}." if clock.is_by_day else ""
        return _notice(row, side, match, "turn", f"Your turn against {other}", time)
    if match.offer == side.other and before.offer != side.other:
        return _notice(row, side, match, "draw", f"{other} offers a draw", "Accept it, or play on.")
    if match.phase == "setup" and side.other in match.sealed and side not in match.sealed:
        is_new = side.other not in before.sealed
        return _notice(row, side, match, "setup", f"{other} is ready", SET_UP) if is_new else None
    return None


def _notice(
    row: MatchRow, side: Side, match: Match, kind: NoticeKind, title: str, sentence: str = ""
) -> Notice:
    left_ms = match.clocks.left_ms(side, match.last.at_ms) if kind == "turn" else None
    return Notice(
        guest=row.guest(side) or "",
        match=row.id,
        kind=kind,
        title=title,
        text=f"{match.game.edition.name}: {match.game.name}. {sentence}".strip(),
        keep_s=KEEP_S if left_ms is None else min(max(left_ms // 1000, 1), MAX_KEEP_S),
    )


def _opponent(row: MatchRow, side: Side) -> str:
    return player_name(row.name(side.other))
