"""Who wins when two pieces meet: the plain facts, before any option.

::

    attacker ->  takes it? ----------- yes: attacker wins
                 is it a flag? ------- yes: attacker wins
                 is it a bomb? ------- yes: defender wins
                 otherwise the ranks:  higher wins, equal are both lost
"""

from __future__ import annotations

from typing import Final

from flagfall.edition.schema import Kind

ATTACKER_WINS: Final = 1
BOTH_LOST: Final = 0
DEFENDER_WINS: Final = -1
NOTHING: Final = 2


def melee(attacker: Kind, defender: Kind) -> int:
    """`ATTACKER_WINS`, `BOTH_LOST` or `DEFENDER_WINS`.

    A piece that never moves never attacks; asked all the same, the answer is that it wins nothing.
    """
    if not attacker.is_mobile:
        return DEFENDER_WINS
    if defender.id in attacker.takes or defender.role == "flag":
        return ATTACKER_WINS
    if defender.role == "bomb":
        return DEFENDER_WINS
    return (attacker.rank > defender.rank) - (attacker.rank < defender.rank)
