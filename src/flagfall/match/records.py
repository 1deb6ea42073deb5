"""Turn a match into a record, and a record into a match that can be continued.

A record leaves out times, declined offers, turns taken back and how sides were chosen. A game that was called
off is recorded as unfinished.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flagfall.edition.options import OptionError, resolve
from flagfall.edition.schema import UnknownGameError
from flagfall.languages import ENGLISH, use_language
from flagfall.match.errors import MatchError, RefusedError
from flagfall.match.explanations import explain_illegal
from flagfall.match.log import Continued, Seating
from flagfall.match.match import Match
from flagfall.match.notes import Annotations
from flagfall.match.play import game_record
from flagfall.match.referee import Referee
from flagfall.match.replay import FindGame, bundled_game
from flagfall.match.texts import ABORTED, AGREED, RESIGNED, TIME
from flagfall.notation.errors import NotationError
from flagfall.notation.reading import read_turn
from flagfall.notation.record import Record, Turn, result_text, turn_label
from flagfall.setups.text import read_setup
from flagfall.sides import SIDES, Side
from flagfall.view.view import Result, View, Viewer

KEPT_EVERY = 100
"""turns between two positions that a `Walk` keeps"""


def to_record(match: Match) -> Record:
    """Return the record of a match with its open turn. It reveals everything: only show it after the game."""
    if len(match.sealed) < 2:
        raise RefusedError("not-started", "A record needs both setups; seal them first.")
    result = match.result
    record = game_record(
        match.game,
        match.options,
        map(match.setup_text, SIDES),
        match.turns,
        None if result is None or result.reason == ABORTED else result,
        map(match.seating.name, SIDES),
        is_open=match.is_turn_open,
        date=match.annotations.date,
        comments=_comments(match),
        turn_comments=match.annotations.turns,
    )
    return replace(record, is_training=match.is_training)


def _comments(match: Match) -> tuple[str, ...]:
    """Return the comments on a match, with one that tells from where it was continued."""
    said = match.annotations.comments
    with use_language(ENGLISH):
        told = match.continued.sentence(names_match=True) if match.continued else ""
    return said if not told or told in said else (told, *said)


def from_record(
    record: Record,
    at_ms: int = 0,
    find_game: FindGame = bundled_game,
    *,
    continued: Continued | None = None,
    salts: tuple[str, str] = ("", ""),
) -> Match:
    """Return the match of a record, as if all of it had happened at ``at_ms``; the clocks are full.

    ``continued`` says from which moment it goes on; ``salts`` are for the commitments of the setups.
    """
    try:
        game = find_game(record.game)
        match = Match.created(
            game,
            resolve(game, record.options),
            Seating(*record.players),
            at_ms,
            is_training=record.is_training,
            continued=continued,
        )
        for side, setup, salt in zip(SIDES, record.setups, salts, strict=True):
            match.seal(side, setup, at_ms, salt)
    except (UnknownGameError, OptionError, ValueError) as error:
        raise MatchError(f"The head of the record is wrong: {error}") from None
    for at, turn in enumerate(record.turns):
        _play_turn(match, at, turn, at_ms)
    if record.result is not None:
        _finish(match, record.result, at_ms)
    if match.result != record.result:
        raise MatchError(
            f"The record says “{result_text(record.result)}”, but on the board it is "
            f"“{result_text(match.result)}”"
        )
    comments = {at: turn.comment for at, turn in enumerate(record.turns) if turn.comment}
    match.annotations = Annotations(record.date, record.comments, comments)
    return match


def walk(record: Record, viewer: Viewer, find_game: FindGame = bundled_game) -> Iterator[View]:
    """Yield what a viewer sees at the start of a recorded game and after each turn."""
    yield from Walk(record, find_game).views(viewer, 0, len(record.turns) + 1)


class Walk:
    """A recorded game that can be viewed from any turn; it keeps every hundredth position to be quick."""

    def __init__(self, record: Record, find_game: FindGame = bundled_game) -> None:
        self._record, self._game = record, find_game(record.game)
        south, north = (read_setup(self._game, side, text) for side, text in enumerate(record.setups))
        self._kept = [Referee(self._game, resolve(self._game, record.options), south, north)]

    def views(self, viewer: Viewer, first: int, count: int) -> Iterator[View]:
        """Yield ``count`` Views of a viewer, the first after ``first`` turns."""
        last = min(first + count - 1, len(self._record.turns))
        kept = min(first // KEPT_EVERY, len(self._kept) - 1)
        referee = self._kept[kept].copy()
        for at in range(kept * KEPT_EVERY, last + 1):
            if at == len(self._kept) * KEPT_EVERY:
                self._kept.append(referee.copy())
            if at >= first:
                yield referee.view(viewer)
            if at < last:
                self._play(referee, at)

    @use_language(ENGLISH)  # as all problems of records
    def _play(self, referee: Referee, at: int) -> None:
        label = turn_label(at)
        try:
            actions = read_turn(self._game, self._record.turns[at].text)
        except NotationError as error:
            raise MatchError(f"Turn {label} cannot be read: {error.reason}") from None
        for action in actions:
            if not referee.is_legal(action):
                reason = explain_illegal(self._game, referee.view(referee.mover), action)
                raise MatchError(f"Turn {label} cannot be played: {reason}")
            referee.play(action)


@use_language(ENGLISH)
def _play_turn(match: Match, at: int, turn: Turn, at_ms: int) -> None:
    label = turn_label(at)
    seat = Side.at(at % 2)
    try:
        for action in read_turn(match.game, turn.text):
            match.act(seat, None, action, at_ms)
    except NotationError as error:
        raise MatchError(f"Turn {label} cannot be read: {error.reason}") from None
    except RefusedError as refusal:
        raise MatchError(f"Turn {label} cannot be played: {refusal}") from None
    if match.is_turn_open != turn.is_open:
        how = "not finished, but the record goes on" if match.is_turn_open else "finished, but marked as open"
        raise MatchError(f"Turn {label} is {how}")


def _finish(match: Match, result: Result, at_ms: int) -> None:
    """End a game by resignation, agreement or time as its record says."""
    mover = match.to_move
    if mover is None:
        return
    if result.reason == RESIGNED and result.side:
        match.resign(result.side.other, at_ms)
    elif result.reason == AGREED and not result.winner:
        match.offer_draw(mover, at_ms)
        match.answer_draw(mover.other, True, at_ms)
    elif result.reason == TIME and match.clocks.falls_at_ms is not None:
        match.check_time(match.clocks.falls_at_ms)
