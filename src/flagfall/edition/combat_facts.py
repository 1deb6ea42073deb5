"""Who wins when two pieces meet: the plain facts, before any option.

::

    attacker ->  takes it? ----------- yes: attacker wins
                 is it a flag? ------- yes: attacker wins
                 is it a bomb? ------- yes: defender wins
                 otherwise the ranks:  higher wins, equal are both lost
"""

from __future__ import annotations

from flagfall.edition.schema import Kind


def melee(attacker: Kind, defender: Kind) -> int:
    """1 if the attacker wins, 0 if both are lost, -1 if the defender wins.

    A piece that never moves never attacks; asked all the same, the answer is that it wins nothing.
    """
    if not attacker.is_mobile:
        return -1
    if defender.id in attacker.takes or defender.role == "flag":
        return 1
    if defender.role == "bomb":
        return -1
    return (attacker.rank > defender.rank) - (attacker.rank < defender.rank)
