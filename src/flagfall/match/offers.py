"""Draw offers as a value: which side has offered, and which may not offer again yet."""

from __future__ import annotations

from dataclasses import dataclass

from flagfall.languages import say
from flagfall.match.errors import RefusedError
from flagfall.sides import Side


@dataclass(frozen=True)
class Offers:
    """At most one offer is pending; a side may offer once before each of its turns."""

    pending: Side | None = None
    used: frozenset[Side] = frozenset()

    def offered(self, seat: Side) -> Offers:
        """Return the offers after a seat has offered a draw."""
        if self.pending == seat:
            raise RefusedError("offer-pending", say("match.offer.waiting"))
        if self.pending:
            raise RefusedError("offer-pending", say("match.offer.answer-first"))
        if seat in self.used:
            raise RefusedError("offered-already", say("match.offer.once"))
        return Offers(seat, self.used | {seat})

    def answered(self, seat: Side) -> Offers:
        """Return the offers after a seat has answered the other's offer."""
        if self.pending is None:
            raise RefusedError("no-offer", say("match.offer.none"))
        if self.pending == seat:
            raise RefusedError("no-offer", say("match.offer.own"))
        return Offers(None, self.used)

    def acted(self, seat: Side, *, has_ended_turn: bool, is_seen: bool) -> Offers:
        """Return the offers after an action: the other side's offer lapses; a finished turn allows a new one.

        An action that the other side does not see must not let the offer lapse, because that would reveal it.
        """
        lapses = has_ended_turn or is_seen
        pending = self.pending if self.pending == seat or not lapses else None
        return Offers(pending, self.used - {seat} if has_ended_turn else self.used)
