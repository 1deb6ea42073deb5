"""The functions that Ray carries to the nodes; they come with the task, so that they run on any node.

They import nothing of this program before it is known that the node has it.
"""

from __future__ import annotations

import socket
from typing import Any

MISSING = "The node {host} has no Flagfall of this version ({problem}); install it there and start Ray again."


def look_at_node(orders: bytes) -> Any:
    """Return what `node.look` says of this node, or a sentence."""
    try:
        import pickle

        from flagfall.arena.cluster import node

        return node.look(pickle.loads(orders))
    except ImportError as problem:
        return MISSING.format(host=socket.gethostname(), problem=problem)


def run_on_node(orders: bytes, work: bytes, tasks: list[bytes]) -> Any:
    """Return what `node.run` says of these tasks, or a sentence."""
    try:
        import pickle

        from flagfall.arena.cluster import node

        told = pickle.loads(orders)
    except ImportError as problem:
        return MISSING.format(host=socket.gethostname(), problem=problem)
    return node.run(told, work, tasks)
