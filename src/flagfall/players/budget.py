"""How long a computer player may think about one action."""

from __future__ import annotations

from msgspec import Struct


class Budget(Struct, frozen=True, omit_defaults=True):
    """A limit for one action; None means no such limit, and the first one reached counts.

    Limited by time a player answers in time; limited by nodes alone it is reproducible from its seed.

    >>> Budget(), Budget.of_nodes(500)
    (Budget(time_ms=1000, nodes=None), Budget(time_ms=None, nodes=500))
    """

    time_ms: int | None = 1000
    nodes: int | None = None

    @classmethod
    def of_nodes(cls, nodes: int) -> Budget:
        """So many nodes, however long they take."""
        return cls(None, nodes)
