"""What is wrong with a box is told with its line and column, all at once where that is possible."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from random import Random

import pytest
from tests.project.icon_names import listed

from flagfall.edition import EditionError, load_text, resolve
from flagfall.edition.keys import TABLES
from flagfall.edition.load import BOXES, load_version, problems_of
from flagfall.edition.positions import Positions
from flagfall.edition.versions import VERSIONS, Versions, is_version, version_id_of

DATA = files("flagfall.edition") / "data"
TEMPLATE = (DATA / "new-box.template").read_text(encoding="utf-8")


def problems(old: str, new: str, text: str = TEMPLATE) -> list[tuple[int, int, str]]:
    """Return line, column and sentence of everything wrong with a text after a change."""
    assert old in text
    changed = text.replace(old, new)
    with pytest.raises(EditionError) as error:
        load_text(changed)
    return [(line, column, found.sentence) for line, column, found in problems_of(changed, error.value)]


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_the_template_is_right() -> None:
    assert load_text(TEMPLATE).games


def test_a_wrong_key_is_found_in_its_line() -> None:
    ((line, column, sentence),) = problems("home_rows = 2", "  home_row = 2")
    assert (line, column) == (line_of(TEMPLATE, "home_rows"), 3)
    assert "did you mean “home_rows”" in sentence


def test_a_missing_key_is_told_at_the_title_of_its_table() -> None:
    ((line, _, sentence),) = problems('colour = "#BF5604"', "")
    assert line == line_of(TEMPLATE, "[army.foxes]")
    assert "“colour” is missing" in sentence


def test_text_that_is_no_toml_is_told_at_the_place_of_the_parser() -> None:
    ((line, _, sentence),) = problems('name = "Foxes"', "name = Foxes")
    assert line == line_of(TEMPLATE, 'name = "Foxes"')
    assert "not valid TOML" in sentence


def test_problems_of_different_tables_are_told_together_from_the_first_line_on() -> None:
    text = TEMPLATE.replace('tagline = "', 'tag_line = "').replace('colour = "#BF5604"', 'colour = "red"')
    found = problems("rank = 5", 'rank = "five"', text)
    assert len(found) >= 3
    assert [line for line, _, _ in found] == sorted(line for line, _, _ in found)
    assert any("tag_line" in sentence for _, _, sentence in found)
    assert any("colour" in sentence for _, _, sentence in found)


def test_several_problems_of_one_table_are_told_together() -> None:
    text = TEMPLATE.replace('colour = "#BF5604"', 'colour = "red"\nhue = 3').replace(
        'name = "Foxes"', "name = 7"
    )
    found = [sentence for _, _, sentence in problems("home_rows = 2", "home_rows = 2", text)]
    assert len(found) == 3
    for part in ("“hue”", "must look like #D55E00", "“name” must look like"):
        assert any(part in sentence for sentence in found), (part, found)


def test_problems_of_several_options_are_told_together() -> None:
    options = """
[option.bow]
help = 7
maximum = 3
values = { on = "Far.", off = "Near." }

[option.boat]
values = { on = "Yes." }
default = "sometimes"
"""
    found = problems("home_rows = 2", "home_rows = 2", TEMPLATE + options)
    parts = ("“help” must look like", "“maximum”", "“help” is missing", "“default” is not a value")
    for part in parts:
        assert any(part in sentence for _, _, sentence in found), (part, found)
    assert len(found) == len(parts)


def test_a_wrong_value_brings_no_problem_that_only_follows_from_it() -> None:
    (count,) = problems("count = 3", 'count = "three"')
    assert "“count” must look like" in count[2], "the army is not said to be too small as well"
    (size,) = problems("size = [6, 6]", "sise = [6, 6]")
    assert "did you mean “size”" in size[2], "“size” is not said to be missing as well"


@pytest.mark.parametrize("box", BOXES)
def test_every_key_that_the_parser_finds_has_a_position_of_its_own_line(box: str) -> None:
    text = (DATA / f"{box}.toml").read_text(encoding="utf-8")
    positions, lines = Positions(text), text.split("\n")

    def walk(path: str, table: dict[str, object]) -> None:
        for key, value in table.items():
            line, column = positions.of(path, key)
            assert key in lines[line - 1][column - 1 :], (path, key, line, column)
            if isinstance(value, dict):
                walk(f"{path}.{key}" if path else key, value)

    walk("", tomllib.loads(text))


def test_positions_are_found_behind_long_texts_lists_and_remarks() -> None:
    text = (
        'a = """\n[no.table]\nb = 1 # x\n"""\nc = [ # one\n  "x = 1", # ]\n]\n'
        "[[t.step]]\nd = {e = {f = 1}}\n[[t.step]]\nd = 2\n"
    )
    positions = Positions(text)
    assert positions.of("", "c") == (5, 1)
    assert positions.of("t.step 1.d.e", "f") == (9, 11)
    assert positions.of("t.step 2", "d") == (11, 1)
    assert positions.of("no.table", "b") == (1, 1)


def test_a_mutilated_text_never_stops_the_search_for_positions() -> None:
    rng = Random(5)
    for _ in range(200):
        at = rng.randrange(len(TEMPLATE))
        Positions(
            TEMPLATE[:at] + rng.choice(["[", "{", '"', "'''", "\\", "=", "\n", ""]) + TEMPLATE[at + 3 :]
        )


# ---------------------------------------------------------------------- icons, options, completion


def test_the_list_of_icons_is_that_of_the_package() -> None:
    assert (DATA / "icons.txt").read_text(encoding="utf-8") == listed()


def test_an_unknown_icon_is_refused_with_a_likely_one() -> None:
    (found,) = problems("rank = 5\n", 'rank = 5\nicon = "barbarianx"\n')
    assert "“icon” names the unknown icon “barbarianx”; did you mean “barbarian”" in found[2]


def test_defaults_of_options_are_written_without_quotes() -> None:
    (name,) = list(load_text(TEMPLATE).games)[:1]
    title = f"[game.{name}]"
    old = load_text(
        TEMPLATE.replace(title, title + '\ndefaults = { no_progress_draw = "60", rescue = "on" }')
    )
    new = load_text(TEMPLATE.replace(title, title + "\ndefaults = { no_progress_draw = 60, rescue = true }"))
    assert resolve(old.games[name], {}).items() == resolve(new.games[name], {}).items()
    assert resolve(new.games[name], {})["no_progress_draw"] == "60"


def test_completion_knows_what_the_reader_knows() -> None:
    for path, table in TABLES.items():
        for name, key in table.keys.items():
            data = tomllib.loads(key.example) if not key.example.startswith("[") else {}
            assert not data or list(data) == [name], (path, key)
    assert "option" in TABLES[""].keys
    assert "verb" in TABLES["power.*"].keys


# ---------------------------------------------------------------------- versions


def test_a_version_is_found_by_its_text_and_its_games_have_its_id() -> None:
    version = VERSIONS.add(TEMPLATE)
    edition = load_version(version)
    assert is_version(version)
    assert version == version_id_of(TEMPLATE)
    assert edition is not None
    assert all(game.id == f"{version}/{name}" for name, game in edition.games.items())


def test_a_source_that_gives_another_text_is_not_believed() -> None:
    versions = Versions()
    wanted = version_id_of(TEMPLATE)
    with versions.source(lambda _: TEMPLATE + "# changed"):
        assert versions.text(wanted) is None
    with versions.source(lambda _: TEMPLATE):
        assert versions.text(wanted) == TEMPLATE
