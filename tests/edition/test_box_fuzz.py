"""Whatever is done to a box file, the answer is an edition or an EditionError, never anything else."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from flagfall.edition import Edition, EditionError, load_text, resolve, rules_page
from flagfall.edition.build import build_edition
from flagfall.edition.reader import Section

SMALL = (Path(__file__).parent / "small.toml").read_text(encoding="utf-8")
HARBOUR = (Path(__file__).parents[2] / "examples/harbour.toml").read_text(encoding="utf-8")
LINES = SMALL.splitlines()

VALUES: st.SearchStrategy[object] = st.recursive(
    st.none().map(lambda _: {})
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats()
    | st.dates()
    | st.text(max_size=5)
    | st.sampled_from(
        [
            "red",
            "full",
            "short",
            "chief",
            "flag",
            "dash",
            "b3",
            "on",
            "off",
            "lot",
            "bomb",
            "leap",
            "bearer",
            "b4",
        ]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=4,
)


def judge(build: Callable[[], Edition]) -> None:
    """A box is refused with one sentence, or accepted, and then it can also be explained."""
    sentence = ""
    try:
        games = build().games.values()
    except EditionError as error:
        sentence = str(error)
    if sentence:
        assert sentence.startswith("box.toml")
        assert "\n" not in sentence
    else:
        assert all(rules_page(game, resolve(game, {})) for game in games)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["drop", "double", "swap", "write"]),
            st.integers(0, len(LINES) - 1),
            st.text(max_size=9),
        ),
        min_size=1,
        max_size=3,
    )
)
@settings(max_examples=250, deadline=None)
@example([("write", 0, "id = [[")])
def test_a_mutilated_text_gives_an_edition_or_an_edition_error(edits: list[tuple[str, int, str]]) -> None:
    lines = list(LINES)
    for what, place, text in edits:
        other = (place * 7 + len(text)) % len(LINES)
        if what == "drop":
            lines[place] = ""
        elif what == "double":
            lines[place] += "\n" + LINES[place]
        elif what == "swap":
            lines[place], lines[other] = lines[other], lines[place]
        else:
            lines[place] = lines[place].partition("=")[0] + "= " + text
    judge(lambda: load_text("\n".join(lines)))


def tables(data: dict[str, object]) -> list[dict[str, object]]:
    """Every table of a file, outermost first."""
    found = [data]
    for value in data.values():
        if isinstance(value, dict):
            found += tables(value)
    return found


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_any_value_in_any_place_gives_an_edition_or_an_edition_error(data: st.DataObject) -> None:
    content = tomllib.loads(data.draw(st.sampled_from([SMALL, HARBOUR])))
    table = data.draw(st.sampled_from(tables(content)))
    key = data.draw(st.sampled_from(sorted(table)) if table else st.just("x"))
    if data.draw(st.booleans()):
        key = data.draw(
            st.text(max_size=8)
            | st.sampled_from(
                ["army", "powers", "extends", "counts", "defaults", "grants", "hints", "options", "verb"]
            )
        )
    table[key] = data.draw(VALUES)
    judge(lambda: build_edition(Section("box.toml", "", content), dict))
