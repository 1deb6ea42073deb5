"""What every computer player can do: set up an army, and choose an action from a View."""

from __future__ import annotations

from typing import Protocol

from flagfall.engine.action import Action
from flagfall.setups import Setup
from flagfall.view.view import View


class Player(Protocol):
    """Somebody who plays one game."""

    def set_up(self, side: int) -> Setup:
        """The army as it stands at the start (0 South, 1 North)."""

    def choose(self, view: View) -> Action:
        """One of the view's legal actions."""
