"""A game that is over: who won and why, what was captured, and every piece that was hidden.

>>> from flagfall.edition import load_game, resolve
>>> from flagfall.match import Match, Seating
>>> game = load_game("mini/3x3")
>>> match = Match.created(game, resolve(game, {}), Seating("Anna", "Ben"), at_ms=0)
>>> _ = match.seal("south", "XsF", 10), match.seal("north", "FsX", 20)
>>> _ = match.act("south", None, "a1-a2", 30), match.resign("north", 40)
>>> describe_result(match, "south"), describe_result(match, "watcher")
('You win: Ben resigned.', 'Anna wins: Ben resigned.')
>>> summarize(match).turns
1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from flagfall.board import cell_name
from flagfall.edition.schema import Game
from flagfall.languages import Phrase, say
from flagfall.match.match import Match
from flagfall.match.texts import ABORTED
from flagfall.notation.names import kind_word
from flagfall.setups.text import read_setup
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenEvent, TrayPiece, Viewer, side_of

_STRIKES = frozenset({"attack", "spot", "shoot", "swing", "sweep"})


class Capture(Struct, frozen=True):
    """One piece captured by another."""

    side: Side
    """side of the piece that captures"""
    by: str
    """its kind id"""
    kind: str
    """kind id of the captured piece"""
    square: str
    turn: int
    """number of the turn, from 1"""


class SideSummary(Struct, frozen=True):
    """What one side captured."""

    captures: int
    best: Capture | None
    """the highest rank that it captured by a piece that survived, the first of equal ones"""


class Summary(Struct, frozen=True):
    """A game that is over, with everything shown."""

    turns: int
    south: SideSummary
    north: SideSummary
    flag: Capture | None
    """how the Flag was captured; null if the game ended in another way"""
    pieces: dict[str, str]
    """all pieces on the board: square → kind id"""
    tray: tuple[TrayPiece, ...]
    """all captured pieces"""


def summarize(match: Match) -> Summary:
    """Return the summary of a match; `RefusedError` unless the match `is_open`."""
    truth = match.view("truth")
    roles = {kind.id: kind.role for kind in match.game.kinds}
    ranks = {kind.id: kind.rank for kind in match.game.kinds}
    flag: Capture | None = None
    captured: dict[Side, list[Capture]] = {side: [] for side in SIDES}
    for capture, owner in captures(match):
        if roles[capture.kind] == "flag":
            flag = capture
        if capture.side != owner:
            captured[capture.side].append(capture)
    south, north = (
        SideSummary(
            captures=len(found),
            best=max(
                (one for one in found if roles[one.kind] == "soldier" and not _is_tie(one, captured)),
                key=lambda one: ranks[one.kind],
                default=None,
            ),
        )
        for found in captured.values()
    )
    return Summary(
        turns=len(match.turns),
        south=south,
        north=north,
        flag=flag,
        pieces={piece.cell: piece.kind for piece in truth.pieces},
        tray=truth.tray,
    )


def _is_tie(capture: Capture, captured: Mapping[Side, list[Capture]]) -> bool:
    """Return whether the captor fell in the same fight."""
    loss = Capture(capture.side.other, capture.kind, capture.by, capture.square, capture.turn)
    return loss in captured[capture.side.other]


def captures(match: Match) -> Iterator[tuple[Capture, Side]]:
    """Yield the captures in order, each with the side that lost the piece.

    A piece that its own area strike removes is not captured by another.
    """
    kinds = _kinds(match)
    owners = {cell_name(cell): side for side in SIDES for cell in _setup(match, side)}
    names = {square: square for square in owners}
    strike: SeenEvent | None = None
    struck = ""
    for _, events in match.seen("watcher"):
        for event in events:
            if event.side and event.what in ("rescued", "converted"):
                owners[event.piece] = event.side
            if event.what in _STRIKES:
                strike, struck = event, names.get(event.target, "")
            elif event.what == "turn":
                strike = None
            elif event.what == "move":
                names[event.target] = names.pop(event.origin)
            elif event.what == "rescued":
                names[event.target] = event.piece
            elif event.what == "removed":
                names.pop(event.origin, None)
                captor = "" if strike is None else struck if event.piece == strike.piece else strike.piece
                if strike and captor:
                    square, turn = strike.target or event.origin, event.turn + 1
                    found = Capture(owners[captor], kinds[captor], kinds[event.piece], square, turn)
                    yield found, owners[event.piece]


def _setup(match: Match, side: Side) -> Mapping[int, int]:
    return read_setup(match.game, side, match.setup_text(side)).kinds


def _kinds(match: Match) -> dict[str, str]:
    """Return the kind ids of all pieces by name; only its owner may have seen which piece was rescued."""
    kinds = {
        cell_name(cell): match.game.kinds[kind].id
        for side in SIDES
        for cell, kind in _setup(match, side).items()
    }
    for side in SIDES:
        for _, events in match.seen(side):
            kinds |= {event.piece: event.kind for event in events if event.what == "shown"}
    return kinds


def describe_result(match: Match, viewer: Viewer, flag: Capture | None = None) -> str:
    """Return who won and why in one sentence for a viewer; empty while the game goes on.

    ``flag``: how the Flag was captured, from the `Summary`.
    """
    result = match.result
    if result is None:
        return ""
    if result.reason == ABORTED:
        return say("match.summary.cancelled")
    reason = result.reason.replace(" ", "-")
    if result.side is None:
        return say("match.summary.draw", why=say(f"match.summary.why.{reason}.both"))
    winner, loser, own = result.side, result.side.other, side_of(viewer)
    if flag and result.reason == "flag captured":
        captor, goal = _piece(match.game, winner, flag.by, own), _piece(match.game, loser, flag.kind, own)
        why = say("match.summary.why.flag-captured.piece", captor=captor, flag=goal, square=flag.square)
    elif own == loser:
        why = say(f"match.summary.why.{reason}.you")
    else:
        player, army = match.seating.shown_name(loser), match.game.armies[loser].name
        why = say(f"match.summary.why.{reason}.other", player=player, army=army)
    if own is None:
        return say("match.summary.wins", player=match.seating.shown_name(winner), why=why)
    return say("match.summary.lost" if own == loser else "match.summary.won", why=why)


def _piece(game: Game, side: Side, kind: str, own: Side | None) -> Phrase:
    name = kind_word(game, kind, side)
    if side == own:
        return Phrase("phrases.your", name)
    army = game.armies[side].name
    return Phrase("phrases.of-army", name, {"army": army, "ends": army[-1:]})
