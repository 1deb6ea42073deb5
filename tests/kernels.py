"""Compile every kernel that tests run as machine code: ``make kernels`` runs this program before the tests.

One process compiles all of them, because the engine's kernels are then translated once for both the players
and the environments; a test that had to compile at the end of a run would keep all others waiting.
"""

from __future__ import annotations

from flagfall.server.workers.template import load_kernels
from tests.rl import trace


def main() -> None:
    load_kernels()
    trace.trace("mini/3x3", "random")


if __name__ == "__main__":
    main()
