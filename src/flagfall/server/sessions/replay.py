"""A finished game for those who look at it again: its record, and any page of its replay."""

from __future__ import annotations

import threading

from flagfall.match import Match, MatchError, Walk, to_record
from flagfall.notation import describe_turn, turn_label
from flagfall.server.api.messages import ReplayStep
from flagfall.server.errors import RequestError
from flagfall.view.view import Viewer


class ReplayedGame:
    """Made in a worker thread, for a long game takes a while; kept with the match while somebody looks."""

    def __init__(self, match: Match) -> None:
        self.game, self.record = match.game, to_record(match)
        self._walk = Walk(self.record)
        self._lock = threading.Lock()

    @property
    def turns(self) -> int:
        """How many turns the game has."""
        return len(self.record.turns)

    def steps(self, viewer: Viewer, first: int, count: int) -> tuple[ReplayStep, ...]:
        """A page of the replay through somebody's eyes; call it in a worker thread."""
        steps = []
        try:
            with self._lock:
                for at, view in enumerate(self._walk.views(viewer, first, count), start=first):
                    words = describe_turn(self.game, view.last_turn, viewer, view) if at else ""
                    label, text = (turn_label(at - 1), self.record.turns[at - 1].text) if at else ("", "")
                    steps.append(ReplayStep(at, label, text, words, view))
        except MatchError as error:
            raise RequestError("hidden", f"This game cannot be replayed: {error}.") from None
        return tuple(steps)
