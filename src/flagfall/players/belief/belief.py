"""`Belief`: the probability of every kind for every hidden piece, and sampled hidden armies.

::

    setup types ──┐                            ┌─ marginals()      chances per piece and kind
    what was shown┼─► weight[type, piece, kind]├─ sample(n, seed)  joint armies, none impossible
    behaviour ────┘     exact assignments      └─ flag_chances()

It reads a View and its owner's history, nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from flagfall.edition import Game, Options
from flagfall.players.belief.assignments import TABLE_LIMIT
from flagfall.players.belief.behaviour import Behaviour, HabitRates, Recorder
from flagfall.players.belief.hidden import HiddenArmy, HistoryReader, hidden_army
from flagfall.players.belief.rescue_links import LinkedAssignments
from flagfall.players.belief.setup_types import SetupTypes, likeliest_types, log_posterior, setup_types
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenEvent, View

Reals = NDArray[np.float64]
MAX_TYPES = 11
TYPES_WITH_LINKS = 5


class Belief:
    """A belief about the opponent's army; with ``about``, about the viewer's own as the opponent sees it."""

    def __init__(
        self,
        game: Game,
        options: Options,
        viewer: Side,
        *,
        about: Side | None = None,
        limit: int = TABLE_LIMIT,
        types: SetupTypes | None = None,
        habits: HabitRates | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        """``limit``: the table size; larger is slower and more exact early in the game.

        ``types`` and ``habits`` replace the built-in ones; ``habits`` is then the only style.
        """
        self.game, self.viewer = game, viewer
        self.side = 1 - SIDES.index(viewer) if about is None else SIDES.index(about)
        self.limit = limit
        self._reader = HistoryReader(game, options, viewer)
        self._types = types or setup_types(game, self.side)
        self._behaviour = Behaviour(game, options, self.side, None if habits is None else (habits,), recorder)
        self._worlds: LinkedAssignments | None = None
        self._digest = b""
        self._marginals: Reals | None = None
        self.hidden: HiddenArmy = HiddenArmy((), np.zeros(len(game.kinds), dtype=np.int64), (), (), {})
        self.names: tuple[str, ...] = ()
        """the hidden pieces on the board, in the order of all rows"""

    def update(self, view: View, history: Sequence[SeenEvent]) -> None:
        """Read the whole history so far."""
        if not self._reader.continues(history):
            self._behaviour.reset()
        knowledge = self._reader.update(view, history, self._behaviour.note)
        self.hidden = hidden_army(knowledge.armies[self.side])
        rows = self.hidden.rows[: self.hidden.on_board]
        back = [piece.name for piece in self.hidden.rescued if piece.is_hidden]
        self.names = (*(row.name for row in rows), *back)
        self._rebuild()

    def _factors(self, name: str, kinds: int) -> Reals:
        """Return the possible kinds of a piece, weighted by the likelihood of its behaviour."""
        allowed = np.array([kinds >> kind & 1 for kind in range(len(self.game.kinds))], dtype=np.float64)
        return allowed * self._behaviour.factors(name)

    def _rebuild(self) -> None:
        """Compute the weights, and the assignments again if something has changed."""
        rows = [self._factors(row.name, row.kinds) for row in self.hidden.rows]
        allowed = np.array(rows).reshape(len(rows), len(self.game.kinds)) * (self.hidden.counts > 0)
        back = [self._factors(piece.name, piece.kinds) for piece in self.hidden.rescued]
        digest = blake2b(allowed.tobytes() + self.hidden.counts.tobytes(), digest_size=16)
        for factor, piece in zip(back, self.hidden.rescued, strict=True):
            digest.update(factor.tobytes() + repr(piece).encode())
        digest.update(repr(self.hidden.shown).encode())
        if digest.digest() == self._digest:
            return
        self._digest = digest.digest()
        self._marginals = None
        log_shares, table = self._type_posterior(allowed)
        most = TYPES_WITH_LINKS if back else MAX_TYPES
        share, weight = likeliest_types(log_shares, table, most)
        self._worlds = LinkedAssignments(self.hidden, share, weight * allowed, back, self.limit)

    def _type_posterior(self, allowed: Reals) -> tuple[Reals, Reals]:
        """Return the log posterior of the setup types, and their tables for the hidden rows."""
        types = self._types
        table = types.at([row.start_cell for row in self.hidden.rows])
        evidence = (table * allowed).sum(axis=2)
        if self.hidden.shown:
            shown = types.at([square for square, _ in self.hidden.shown])
            kinds = [kind for _, kind in self.hidden.shown]
            evidence = np.concatenate([evidence, shown[:, range(len(kinds)), kinds]], axis=1)
        return log_posterior(types.share, evidence), table

    def _settled(self) -> LinkedAssignments:
        if self._worlds is None:
            raise RuntimeError("update a Belief with a View before asking it")
        return self._worlds

    def marginals(self) -> Reals:
        """Return the chances ``[piece of names, kind]``; every row adds up to 1."""
        worlds = self._settled()
        if self._marginals is None:
            self._marginals = worlds.chances()[self._shown_rows()]
        return self._marginals

    def _shown_rows(self) -> NDArray[np.int64]:
        """Return the places of `names` among all rows and rescued pieces."""
        rows = list(range(self.hidden.on_board))
        first = len(self.hidden.rows)
        rows += [first + i for i, piece in enumerate(self.hidden.rescued) if piece.is_hidden]
        return np.array(rows, dtype=np.int64)

    def sample(self, assignments: int, seed: int) -> NDArray[np.int16]:
        """Return sampled hidden armies: ``[assignment, piece of names]`` → kind."""
        drawn = self._settled().sample(assignments, np.random.default_rng(seed))
        return drawn[:, self._shown_rows()]

    def sample_setups(self, assignments: int, seed: int) -> NDArray[np.int16]:
        """Return sampled starting armies: ``[assignment, row of hidden]`` → kind, with unnamed losses."""
        drawn = self._settled().sample(assignments, np.random.default_rng(seed))
        return drawn[:, : len(self.hidden.rows)]

    def flag_chances(self) -> dict[str, float]:
        """Return the chance of every hidden piece that may be a flag."""
        flags = [kind for kind, sort in enumerate(self.game.kinds) if sort.role == "flag"]
        chances = self.marginals()[:, flags].sum(axis=1)
        return {name: float(chance) for name, chance in zip(self.names, chances, strict=True) if chance > 0}


def public_belief(game: Game, options: Options, viewer: Side, *, limit: int = TABLE_LIMIT) -> Belief:
    """Return a belief about the viewer's own pieces from what the opponent was shown."""
    return Belief(game, options, viewer, about=viewer, limit=limit)
