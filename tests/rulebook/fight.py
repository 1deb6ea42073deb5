"""One attack between two neighbours, for rules that speak of many pairs of kinds.

::

    3  . . . . -d . .      the attacked piece
    2  . . . . +a . .      attacks it; both sides have a Flag and another piece that can move
"""

from __future__ import annotations

from flagfall.edition import load_game
from tests.rulebook.table import Table


def fight(game: str, attacker: str, defender: str, *, side: str = "south", **options: str) -> str:
    """Who is left after the attack: ``attacker``, ``defender``, ``nobody`` or ``both``."""
    table = meeting(game, attacker, defender, side=side, **options)
    origin, target = ("e2", "e3") if side == "south" else ("e3", "e2")
    table.plays(f"{origin}x{target}")
    gone = [event.split()[1] for event in table.events if event.startswith("removed")]
    left = {(target,): "attacker", (origin,): "defender", (origin, target): "nobody", (): "both"}
    return left[tuple(gone)]


def meeting(game: str, attacker: str, defender: str, *, side: str = "south", **options: str) -> Table:
    """A position in which the side to move may attack."""
    south, north = (attacker, defender) if side == "south" else (defender, attacker)
    top = load_game(game).board.rows
    return Table(
        game,
        f"""
        {top}  -F  .  .  .  .  .  .  .  . -{_spare(game, 1)}
         3   .  .  .  . -{north}  .  .  .  .  .
         2   .  .  .  . +{south}  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +{_spare(game, 0)}
        """,
        to_move=side,
        **options,
    )


def _spare(game: str, side: int) -> str:
    """The movable kind that the army has most of."""
    box = load_game(game)
    mobile = [
        (count, kind.code) for kind, count in zip(box.kinds, box.rosters[side], strict=True) if kind.is_mobile
    ]
    return max(mobile)[1]
