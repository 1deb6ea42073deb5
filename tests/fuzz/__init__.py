"""Can input break us? Mutated texts for every parser, the limits of each, and how its work grows.

``FLAGFALL_SOAK=1`` reads about 100,000 mutated texts instead of 3,000.
"""

from __future__ import annotations

import os

TEXTS = 100_000 if os.environ.get("FLAGFALL_SOAK") else 3_000
"""mutated texts in one run, shared out among the parsers"""
