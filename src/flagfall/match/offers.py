"""Draw offers as a value: who has offered, and who may not offer again just yet."""

from __future__ import annotations

from dataclasses import dataclass

from flagfall.match.errors import RefusedError
from flagfall.sides import Side


@dataclass(frozen=True)
class Offers:
    """At most one offer lies on the table; a side may offer once before each of its turns."""

    pending: Side | None = None
    used: frozenset[Side] = frozenset()

    def offered(self, seat: Side) -> Offers:
        """That seat offers a draw."""
        if self.pending == seat:
            raise RefusedError("offer-pending", "Your draw offer is still on the table; wait for the answer.")
        if self.pending:
            raise RefusedError(
                "offer-pending", f"{self.pending.title} has already offered a draw; accept or decline it."
            )
        if seat in self.used:
            raise RefusedError(
                "offered-already", "You have just offered a draw; you may offer again after your next turn."
            )
        return Offers(seat, self.used | {seat})

    def answered(self, seat: Side) -> Offers:
        """That seat answers the offer of the other."""
        if self.pending is None:
            raise RefusedError("no-offer", "No draw offer is on the table; there is nothing to answer.")
        if self.pending == seat:
            raise RefusedError(
                "no-offer", f"The draw offer is your own; only {seat.other.title} can answer it."
            )
        return Offers(None, self.used)

    def acted(self, seat: Side, *, has_ended_turn: bool, is_seen: bool) -> Offers:
        """That seat has acted: an offer of the other side lapses, and a finished turn allows a new one.

        A silent step, of which the other side sees nothing, must not show by an offer that lapses.
        """
        lapses = has_ended_turn or is_seen
        pending = self.pending if self.pending == seat or not lapses else None
        return Offers(pending, self.used - {seat} if has_ended_turn else self.used)
