"""Run the tutorials and write their pages: ``python -m docs.tutorials.render``.

A tutorial is a script in percent format: cells begin with ``# %%``, and those with ``# %% [markdown]`` are
text in comments. A page has the text, the code, what it printed and the SVG files it wrote. `make tutorials`
rewrites the pages; a test compares them with a new run.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

FOLDER = Path(__file__).parent
PLOTS = FOLDER / "plots"
_CELL = re.compile(r"^# %%(.*)\n", re.M)
_STYLE = (
    "<style>svg{color:#777;background:none}text{fill:currentColor;font:13px system-ui,sans-serif}</style>"
)


def scripts() -> list[Path]:
    """Return the tutorials, by name."""
    return sorted(file for file in FOLDER.glob("*.py") if file.name not in ("render.py", "__init__.py"))


def cells(source: str) -> Iterator[tuple[bool, str]]:
    """Yield each cell: whether it is text, and its lines.

    >>> list(cells("# %% [markdown]\\n# # Title\\n# %%\\nprint(1)\\n"))
    [(True, '# Title'), (False, 'print(1)')]
    """
    _, *parts = _CELL.split(source)
    for kind, body in zip(parts[::2], parts[1::2], strict=True):
        is_text = "markdown" in kind
        yield is_text, re.sub(r"^# ?", "", body, flags=re.M).strip() if is_text else body.strip()


def rendered(script: Path) -> dict[str, str]:
    """Run a tutorial; return its page and plots: names of files in this folder, with their texts."""
    names: dict[str, Any] = {"__name__": "tutorial"}
    sections = [f"<!-- written by `make tutorials` from {script.name} -->"]
    files: dict[str, str] = {}
    with TemporaryDirectory() as folder, chdir(folder):
        known: set[str] = set()
        for is_text, body in cells(script.read_text(encoding="utf-8")):
            if is_text:
                sections.append(body)
                continue
            printed = io.StringIO()
            with redirect_stdout(printed):
                exec(compile(body, script.name, "exec"), names)
            sections.append(f"```python\n{body}\n```")
            if printed.getvalue():
                sections.append(f"```text\n{printed.getvalue().rstrip()}\n```")
            for plot in sorted({file.name for file in Path().glob("*.svg")} - known):
                known.add(plot)
                drawing = Path(plot).read_text(encoding="utf-8").replace(">", f">{_STYLE}", 1)
                files[f"plots/{script.stem}-{plot}"] = drawing + "\n"
                label = re.search(r'aria-label="([^"]*)"', drawing)
                sections.append(f"![{label.group(1) if label else plot}](plots/{script.stem}-{plot})")
    return {f"{script.stem}.md": "\n\n".join(sections) + "\n", **files}


def main() -> None:
    """Write every page and plot."""
    os.environ.setdefault("FLAGFALL_KERNELS", "")  # small enough for interpreted kernels
    PLOTS.mkdir(exist_ok=True)
    for script in scripts():
        for name, text in rendered(script).items():
            (FOLDER / name).write_text(text, encoding="utf-8")
        sys.stderr.write(f"{script.stem}\n")


if __name__ == "__main__":
    main()
