"""The laws: what holds in every game, whatever is played. Random games, fixed seeds.

``FLAGFALL_SOAK=1`` plays ten times as many.
"""

from __future__ import annotations

import os

MORE = 10 if os.environ.get("FLAGFALL_SOAK") else 1
"""how many times as many games as usual"""
