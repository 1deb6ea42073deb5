"""The table of settings in docs/operate.md: ``python -m tests.project.settings_table`` rewrites it.

Names and defaults come from `Settings`; what they mean from the text under each field.
"""

from __future__ import annotations

import ast
from pathlib import Path

from msgspec.structs import fields

from flagfall.server.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "flagfall" / "server" / "settings.py"
PAGE = ROOT / "docs" / "operate.md"
BEGIN, END = "<!-- settings -->\n", "<!-- end of settings -->\n"


def texts() -> dict[str, str]:
    """Return what the source says about each field."""
    (settings,) = [
        node
        for node in ast.parse(SOURCE.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name == "Settings"
    ]
    found: dict[str, str] = {}
    for node, following in zip(settings.body, settings.body[1:], strict=False):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            value = following.value if isinstance(following, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found[node.target.id] = " ".join(value.value.replace("``", "`").replace("|", "\\|").split())
    return found


def table() -> str:
    """Return the table in Markdown."""
    meaning = texts()
    lines = ["| setting | default | meaning |", "|---|---|---|"]
    for field in fields(Settings):
        default = "" if field.default in ("", None) else f"`{_shown(field.default)}`"
        lines.append(f"| `{field.name}` | {default} | {meaning[field.name]} |")
    return "\n".join(lines) + "\n"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def todays_page() -> str:
    """Return the page with the table as it must be today."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table() + END + after


if __name__ == "__main__":
    PAGE.write_text(todays_page(), encoding="utf-8")
