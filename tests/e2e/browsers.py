"""Which browser is used, and how it is started."""

from __future__ import annotations

import shutil

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PLAIN = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"]


def found_browser() -> str:
    """The first that is installed; an error with a sentence if there is none."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise RuntimeError(f"No browser is here: none of {', '.join(BROWSERS)}. `make browser` installs one.")
    return found
