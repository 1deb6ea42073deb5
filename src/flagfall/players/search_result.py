"""What a searching player had in mind when it chose: kept so that it can be asked about it afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flagfall.players.chances import Chances
from flagfall.players.search.root import RootResult
from flagfall.players.worlds import Rows
from flagfall.view.view import SeenPiece, View


@dataclass(frozen=True)
class SearchResult:
    """A position as the player took it to be, and what its search found. Guesses only, never the truth."""

    view: View
    """as the player remembers it"""
    hidden: Sequence[SeenPiece]
    chances: Chances
    """a row per hidden piece, a column per kind"""
    kinds: NDArray[np.int16]
    """what the hidden pieces are in each imagined World: a row per World"""
    worlds: Rows
    root_result: RootResult
