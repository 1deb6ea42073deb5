"""Write the list of icon names that boxes may use, from the package that the web client draws them with.

``python -m tests.project.icon_names``
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

ICONS = Path(__file__).parents[2] / "web/node_modules/@iconify-json/game-icons/icons.json"


def listed() -> str:
    """Return all names of icons and their other names, in order."""
    icons = json.loads(ICONS.read_text(encoding="utf-8"))
    return "\n".join(sorted({*icons["icons"], *icons.get("aliases", {})})) + "\n"


if __name__ == "__main__":
    Path(str(files("flagfall.edition") / "data" / "icons.txt")).write_text(listed(), encoding="utf-8")
