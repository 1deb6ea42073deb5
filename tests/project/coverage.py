"""Which tests show which rule: ``python -m tests.project.coverage`` writes docs/rules-coverage.md anew.

Rule ids come from docs/rules/ids.txt; tests name the rules they show with ``@pytest.mark.rule("ON-A-04")``,
and the test sources are read, not run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from flagfall.edition import game_ids

ROOT = Path(__file__).resolve().parents[2]
IDS = ROOT / "docs" / "rules" / "ids.txt"
PAGE = ROOT / "docs" / "rules-coverage.md"

SECTIONS = {
    "CM": "Common to all boxes",
    "ON": "Onyx",
    "DM": "Duel Masters",
    "SM": "Spin Master",
    "LR": "The Lord of the Rings",
    "FI": "Fire and Ice",
}
GAMES_WITH_POWERS = {
    "DM-P": ("duel-masters/elemental-powers",),
    "DM-X": ("duel-masters/elemental-powers",),
    "LR-P": ("lotr/special-powers", "lotr/destroy-the-ring"),
    "LR-R": ("lotr/destroy-the-ring",),
    "LR-X": ("lotr/special-powers", "lotr/destroy-the-ring"),
    "FI-P": ("fire-and-ice/special-powers",),
    "FI-X": ("fire-and-ice/special-powers",),
}
"""rules that concern only these games; every other rule concerns a game without powers"""

HEAD = """# Which tests show which rule

Written by `python -m tests.project.coverage` from `docs/rules/ids.txt` and the tests; do not edit. A rule is
shown by a scenario on the engine, by what a viewer may see (view), or by the referee (match).
"""


@dataclass(frozen=True)
class Rule:
    """One id of the catalogue."""

    id: str
    part: str
    """engine, view, match, or none"""
    reason: str
    """why there is nothing to show, if part is none"""

    @property
    def is_later(self) -> bool:
        """Whether it concerns only games that are not built yet."""
        games = GAMES_WITH_POWERS.get(self.id[:4])
        return games is not None and not set(games) & set(game_ids())

    @property
    def needs_test(self) -> bool:
        """Whether a game of today needs a test that shows it."""
        return self.part != "none" and not self.is_later


@dataclass(frozen=True, order=True)
class Shown:
    """A test that names a rule."""

    file: str
    test: str

    @property
    def title(self) -> str:
        """The test’s name as a sentence."""
        return self.test.removeprefix("test_").replace("_", " ")


def rules(text: str) -> list[Rule]:
    """The rules that ids.txt lists."""
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    split = (line.split(maxsplit=2) for line in lines)
    return [Rule(words[0], words[1], words[2] if len(words) > 2 else "") for words in split]


def marks_in(source: str) -> Iterator[tuple[str, str]]:
    """Every (rule id, test name) of a test source, in its order."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = (call for decorator in node.decorator_list for call in ast.walk(decorator))
            for call in inner:
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule":
                    for argument in call.args:
                        yield str(ast.literal_eval(argument)), node.name


def shown_by(folder: Path = ROOT / "tests") -> dict[str, list[Shown]]:
    """Rule id → the tests that name it."""
    shown: dict[str, set[Shown]] = {}
    for file in sorted(folder.rglob("test_*.py")):
        for rule, test in marks_in(file.read_text(encoding="utf-8")):
            shown.setdefault(rule, set()).add(Shown(file.relative_to(folder).as_posix(), test))
    return {rule: sorted(tests) for rule, tests in shown.items()}


def page(listed: Iterable[Rule], shown: Mapping[str, list[Shown]]) -> str:
    """The whole coverage page."""
    listed = list(listed)
    parts = [HEAD]
    for prefix, name in SECTIONS.items():
        parts += [f"\n## {name}\n\n| Rule | Where | Shown by |\n|---|---|---|\n"]
        parts += [_row(rule, shown.get(rule.id, [])) for rule in listed if rule.id.startswith(prefix)]
    return "".join(parts)


def _row(rule: Rule, tests: list[Shown]) -> str:
    if tests:
        words = "<br>".join(f"`{one.file}` {one.title}" for one in tests)
    elif rule.part == "none":
        words = f"nothing to show: {rule.reason}"
    elif rule.is_later:
        words = "later: needs powers"
    else:
        words = "no test yet"
    return f"| {rule.id} | {rule.part} | {words} |\n"


def todays_page() -> str:
    """The page as it should be now."""
    return page(rules(IDS.read_text(encoding="utf-8")), shown_by())


if __name__ == "__main__":
    PAGE.write_text(todays_page(), encoding="utf-8")
