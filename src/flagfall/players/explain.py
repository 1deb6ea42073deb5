"""Explain a searching player: its win estimate, its best line, and its belief about hidden pieces.

An `Explanation` is made from the player's last `SearchResult`, so it contains only what the owner of that
View knows or guesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flagfall.engine.action import Action
from flagfall.notation import action_text
from flagfall.players.budget import Deadline
from flagfall.players.line import MAX_TURNS, NODES, LineTurn, best_line
from flagfall.players.search.root import SearchResult
from flagfall.players.searcher import SearchingPlayer
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenEvent, View


@dataclass(frozen=True)
class Candidate:
    """An action and the player's estimate of it."""

    action: Action
    text: str
    """in notation"""
    estimate: float
    """chance to win after it"""
    is_deep: bool
    """whether it was searched as deeply as the best; actions that look poor early are dropped"""


@dataclass(frozen=True)
class HiddenPiece:
    """An enemy piece that the viewer has not been shown, and what it may be."""

    name: str
    cell: str
    kinds: tuple[tuple[str, float], ...]
    """possible kind ids and their chances, likeliest first"""

    def chance(self, kind: str) -> float:
        """Return the chance that it is of a kind."""
        return dict(self.kinds).get(kind, 0.0)


@dataclass(frozen=True)
class Explanation:
    """What a player thinks of a position in which it is to choose."""

    viewer: Side
    turn: int
    estimate: float
    """chance that the viewer wins, from 0 to 1"""
    candidates: tuple[Candidate, ...]
    """every legal action, the best first"""
    line: tuple[LineTurn, ...]
    """the best action, then what the player expects to follow"""
    depth: int
    """turns searched ahead"""
    nodes: int
    worlds: int
    """sampled hidden armies"""
    hidden: tuple[HiddenPiece, ...]

    def at(self, cell: str) -> HiddenPiece | None:
        """Return the hidden piece on a square, or None."""
        return next((piece for piece in self.hidden if piece.cell == cell), None)


def explain(
    player: SearchingPlayer,
    view: View,
    history: Sequence[SeenEvent],
    *,
    turns: int = MAX_TURNS,
    nodes: int = NODES,
) -> Explanation:
    """Search a position in which the player is to choose, and return what it found.

    ``turns`` limits the best line, ``nodes`` the search for each reply in it.
    """
    if not view.legal:
        raise ValueError("only the side to move can be explained")
    always_searches, player.always_searches = player.always_searches, True
    try:
        player.choose(view, history)
    finally:
        player.always_searches = always_searches
    assert player.result is not None, "choose() always sets the result"
    return explained(player, player.result, turns=turns, nodes=nodes)


def explained(
    player: SearchingPlayer, result: SearchResult, *, turns: int = MAX_TURNS, nodes: int = NODES
) -> Explanation:
    """Return a search result in words and numbers; with 0 ``turns`` there is no line."""
    found, view = result.root_result, result.view
    chances = found.chances()
    deep = set(found.active)
    late = sorted(set(range(len(found.acts))) - deep, key=lambda i: -chances[i])
    acts = [Action.unpack(act) for act in found.acts]
    return Explanation(
        viewer=Side(view.viewer),
        turn=view.turn,
        estimate=float(chances[found.active[0]]),
        candidates=tuple(
            Candidate(acts[i], action_text(player.game, view, acts[i]), float(chances[i]), i in deep)
            for i in (*found.active, *late)
        ),
        line=best_line(player, result, turns, nodes) if turns else (),
        depth=found.depth,
        nodes=found.nodes,
        worlds=len(result.worlds),
        hidden=_hidden(player, result),
    )


def _hidden(player: SearchingPlayer, result: SearchResult) -> tuple[HiddenPiece, ...]:
    ids = [kind.id for kind in player.game.kinds]
    pieces = []
    for piece, chances in zip(result.hidden, result.chances, strict=True):
        order = sorted(range(len(ids)), key=lambda kind: (-chances[kind], kind))
        kinds = tuple((ids[kind], float(chances[kind])) for kind in order if chances[kind] > 0)
        pieces.append(HiddenPiece(piece.name, piece.cell, kinds))
    return tuple(pieces)


def estimate_of(player: SearchingPlayer, result: SearchResult, action: Action) -> float:
    """Return the win estimate after a legal action, searched as deeply as the best.

    An action that was dropped early is searched again with the best one in the same Worlds; it is never
    rated higher than the best.
    """
    found = result.root_result
    i, best = found.acts.index(action.pack()), found.active[0]
    estimate = float(found.chances()[best])
    if i in found.active:
        return min(float(found.chances()[i]), estimate)
    again = player.root.search(
        result.worlds,
        [found.acts[best], found.acts[i]],
        found.root_weights.only([best, i]),
        found.scale,
        SIDES.index(result.view.viewer),
        Deadline(player.budget),
        max(found.depth, 1),
    )
    first, second = again.chances()
    return float(np.clip(estimate - max(first - second, 0.0), 0.0, 1.0))
