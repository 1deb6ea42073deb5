"""The ``info`` lines of the engine protocol: what a player says beside its action. A referee may ignore them.

They tell what the player knows and guesses, so they are for its own side only.
"""

from __future__ import annotations

from flagfall.players import Budget, Player
from flagfall.players.explain import Explanation, explained
from flagfall.players.searcher import SearchingPlayer

_SPARED_MS = 40
"""of the time for an action, kept back for the line"""


def info_lines(player: Player, explains: bool) -> list[str]:
    """What the player can say of its last choice, one line a matter."""
    if not isinstance(player, SearchingPlayer) or player.result is None:
        nodes = getattr(player, "nodes", None)
        return [] if nodes is None else [f"info nodes {nodes}"]
    told = explained(player, player.result) if explains else explained(player, player.result, turns=0)
    lines = [_summary(told)]
    if explains:
        lines += [f"info hidden {piece.cell} {_chances(piece.kinds)}" for piece in told.hidden]
    return lines


def _summary(told: Explanation) -> str:
    line = ", ".join(turn.text for turn in told.line) or told.candidates[0].text
    return f"info nodes {told.nodes} depth {told.depth} score {per_mille(told.estimate)} line {line}"


def _chances(kinds: tuple[tuple[str, float], ...]) -> str:
    return " ".join(f"{kind.replace(' ', '_')}={per_mille(chance)}" for kind, chance in kinds)


def per_mille(chance: float) -> int:
    """A chance as the protocol writes it.

    >>> per_mille(0.5234)
    523
    """
    return round(1000 * chance)


def sparing(budget: Budget) -> Budget:
    """A little less time for choosing, so that explaining keeps within the limit."""
    if budget.time_ms is None:
        return budget
    return Budget(max(budget.time_ms - _SPARED_MS, budget.time_ms // 2, 1), budget.nodes)
