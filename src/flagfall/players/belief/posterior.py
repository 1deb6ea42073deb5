"""Which types of setup does an army seem to be of, after what was shown?

Evidence is tempered: squares hang together within a type more than the tables know.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
TEMPER = 0.8


def log_posterior(share: Reals, evidence: Reals) -> Reals:
    """Logarithm of the share of every type, not yet normalised; ``evidence[type, piece]`` are likelihoods."""
    told: Reals = TEMPER * np.log(np.maximum(evidence, 1e-12)).sum(axis=1)
    return told + np.log(np.maximum(share, 1e-300))


def likeliest_types(log_shares: Reals, table: Reals, most: int) -> tuple[Reals, Reals]:
    """The likeliest types as they are, and all the others as one average type: shares and tables."""
    share = np.exp(log_shares - log_shares.max())
    share /= share.sum()
    order = np.argsort(-share, kind="stable")
    first, others = order[:most], order[most:]
    rest = float(share[others].sum()) if len(others) else 0.0
    if rest < 1e-6:
        return share[first] / share[first].sum(), table[first]
    average = np.tensordot(share[others] / rest, table[others], 1)
    return np.append(share[first], rest), np.concatenate([table[first], average[None]])
