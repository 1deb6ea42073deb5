"""A box that is wrong is refused with one sentence: file, table, key, and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from flagfall.edition import EditionError, UnknownGameError, load_edition, load_file, load_game, load_text

SMALL = (Path(__file__).parent / "small.toml").read_text(encoding="utf-8")


def refused(old: str, new: str) -> str:
    """The sentence for the small box with one passage replaced."""
    assert old in SMALL
    with pytest.raises(EditionError) as error:
        load_text(SMALL.replace(old, new, 1), "small.toml")
    return str(error.value)


def test_the_small_box_is_right() -> None:
    box = load_text(SMALL, "small.toml")
    assert list(box.games) == ["full", "short"]
    assert box.words["zones"] == "ponds"
    assert box.kinds["runner"].names == {"red": "Hare", "blue": "Fox"}


def test_a_game_names_only_its_differences() -> None:
    full, short = load_text(SMALL).games.values()
    assert (full.army_size(0), short.army_size(0)) == (4, 2)
    assert [kind.id for kind in short.kinds] == ["chief", "flag"]
    assert (short.board.columns, short.board.rows) == (3, 3)
    assert short.defaults == full.defaults == {"rescue": "on"}


def test_a_parameter_that_is_not_set_has_its_default() -> None:
    box = load_text(SMALL.replace("attack = true\n", ""))
    assert box.powers["dash"].parameters == {"attack": True}


REFUSALS = {
    "syntax": (
        'id = "small"',
        "id = ",
        "small.toml: this is not valid TOML: invalid value (at line 1, column 6)",
    ),
    "unknown key of the box": (
        'tagline = "',
        'tagine = "',
        "small.toml: unknown key “tagine”; did you mean “tagline”?",
    ),
    "unknown key of a kind": (
        'icon = "rabbit"',
        'picture = "rabbit"',
        "small.toml, [kind.runner]: unknown key “picture”; try name, names, plural, plurals, code",
    ),
    "unknown key of a game": (
        "fills_home = true",
        "fill_home = true",
        "small.toml, [game.full]: unknown key “fill_home”; did you mean “fills_home”?",
    ),
    "unknown key of the board": (
        "zones = [",
        "zone = [",
        "[board]: unknown key “zone”; did you mean “zones”?",
    ),
    "unknown key of an army": (
        'colour = "',
        'color = "',
        "[army.red]: unknown key “color”; did you mean “colour”?",
    ),
    "unknown word": ('zone = "pond"', 'lake = "pond"', "[words]: unknown key “lake”; try zone, zones"),
    "missing key": ('name = "Chief"\n', "", "[kind.chief]: the key “name” is missing; write name = "),
    "missing text of a kind": ('text = "Strong."', "", "[kind.chief]: the key “text” is missing"),
    "missing text of a power": ('text = "Runs."', "", "[power.dash]: the key “text” is missing"),
    "empty text": ('text = "Runs."', 'text = "  "', "[power.dash]: “text” is empty; write a few words"),
    "missing text of a game": ('text = "Half of it."', "", "[game.short]: the key “text” is missing"),
    "missing board": (
        "[board]",
        "[hints.board]",
        "small.toml: the key “board” is missing; write a table [board]",
    ),
    "missing id": ('id = "small"', "", "small.toml: the key “id” is missing; write id = "),
    "bad id": ('id = "small"', 'id = "Small!"', "“id” cannot be “Small!”; use small letters"),
    "bad name of a table": (
        "[power.dash]",
        "[power.Dash]",
        "[power]: “Dash” is not a valid name; use small letters",
    ),
    "wrong type": (
        "rank = 9",
        'rank = "9"',
        "[kind.chief]: “rank” must look like rank = 1, but it is a text",
    ),
    "true is no number": (
        "count = 1",
        "count = true",
        "[kind.chief]: “count” must look like count = 1, but it is true",
    ),
    "number is no truth": (
        "powers = false",
        "powers = 0",
        "[game.full]: “powers” must look like powers = true",
    ),
    "text is no list": (
        'takes = ["mine"]',
        'takes = "mine"',
        "[kind.runner]: “takes” must look like takes = [",
    ),
    "list of numbers": (
        'takes = ["mine"]',
        "takes = [1]",
        "“takes” must be a list of texts, but “1” is a whole",
    ),
    "named twice": ('takes = ["mine"]', 'takes = ["mine", "mine"]', "“takes” names “mine” twice"),
    "value is no table": (
        '[power.dash]\nname = "Dash"',
        '[power]\ndash = 1\n[hints.x]\nname = "y"',
        "“dash” must look",
    ),
    "rank too high": ("rank = 9", "rank = 1000", "[kind.chief]: “rank” must be from 0 to 99, not “1000”"),
    "bomb with a rank": (
        'rank = 0\ncount = 1\nrole = "bomb"',
        'rank = 1\ncount = 1\nrole = "bomb"',
        "[kind.mine]: “rank” must be 0, because a bomb does not fight with a number",
    ),
    "unknown role": (
        'role = "bomb"',
        'role = "mine"',
        "“role” cannot be “mine”; it is one of soldier, bomb, flag",
    ),
    "too large": ("size = [4, 5]", "size = [11, 5]", "[board]: “size” must be from 2 to 10 columns"),
    "too small": ("size = [4, 5]", "size = [4, 1]", "[board]: “size” must be from 2 to 10 columns"),
    "no size": (
        "size = [4, 5]",
        "size = 4",
        "[board]: “size” must give columns and rows, such as size = [10, 10]",
    ),
    "size of truths": ("size = [4, 5]", "size = [true, 5]", "[board]: “size” must give columns and rows"),
    "home rows overlap": (
        "home_rows = 1",
        "home_rows = 3",
        "“home_rows” can be at most 2 on 5 rows, or the two",
    ),
    "zone off the board": (
        'zones = ["b3"]',
        'zones = ["h3"]',
        "“zones” names h3, which is off the board of 4 columns",
    ),
    "zone at home": ('zones = ["b3"]', 'zones = ["b5"]', "“zones” names b5, which is in the home rows"),
    "zone is no square": (
        'zones = ["b3"]',
        'zones = ["33"]',
        "“zones” names “33”, which is not a square such as c5",
    ),
    "too few pieces": (
        "count = 1",
        "count = 0",
        "[game.full]: the counts of the army “red” add up to 3, but South has 4 home squares; make "
        "them equal, or write fills_home = false",
    ),
    "too many for the rows": (
        "chief = 1, flag = 1",
        "chief = 3, flag = 1",
        "[game.short]: the counts of the army “red” add up to 4, but there are only 3 home squares",
    ),
    "too many pieces": (
        "fills_home = true",
        "fills_home = false\ncounts = { chief = 40, flag = 1 }",
        "[game.full]: the army “red” has 41 pieces; at most 40 are possible",
    ),
    "no flag": (
        "chief = 1, flag = 1",
        "chief = 1",
        "[game.short]: the army “red” has 0 flags; it needs exactly one",
    ),
    "two flags": ("chief = 1, flag = 1", "chief = 1, flag = 2", "[game.short]: the army “red” has 2 flags"),
    "no flag of one army": (
        'role = "flag"',
        'role = "flag"\narmy = "red"',
        "[game.full]: the army “blue” has 0 flags",
    ),
    "nobody moves": (
        "chief = 1, flag = 1",
        "mine = 1, flag = 1",
        "has no piece that can move; give it at least one",
    ),
    "unknown kind counted": (
        "chief = 1, flag",
        "cheif = 1, flag",
        "[game.short.counts]: unknown key “cheif”; did you",
    ),
    "two codes": ('code = "2"', 'code = "9"', "[kind.runner]: “code” 9 already belongs to [kind.chief]"),
    "long code": ('code = "2"', 'code = "22"', "[kind.runner]: “code” must be one letter or digit, not “22”"),
    "code is a sign": (
        'code = "2"',
        'code = "."',
        "[kind.runner]: “code” must be one letter or digit, not “.”",
    ),
    "unknown prey": (
        'takes = ["mine"]',
        'takes = ["mime"]',
        "“takes” names the unknown kind “mime”; did you mean “mine”?",
    ),
    "unknown power": (
        'privileges = ["dash"]',
        'privileges = ["dahs"]',
        "[kind.runner]: “privileges” names the unknown power “dahs”; did you mean “dash”?",
    ),
    "unknown verb": (
        'verb = "run"',
        'verb = "runn"',
        "[power.dash]: “verb” names the unknown verb “runn”; did you",
    ),
    "unknown parameter": (
        "attack = true",
        "atack = true",
        "[power.dash]: unknown key “atack”; did you mean “attack”?",
    ),
    "wrong parameter": (
        "attack = true",
        'attack = "yes"',
        "[power.dash]: “attack” must look like attack = true",
    ),
    "unknown army": (
        'label = "2"',
        'army = "green"',
        "“army” names the unknown army “green”; try red, blue",
    ),
    "name missing for an army": ('red = "Hare", ', "", "[kind.runner.names]: the key “red” is missing"),
    "name for an unknown army": (
        'red = "Hare"',
        'rod = "Hare"',
        "[kind.runner.names]: unknown key “rod”; did you",
    ),
    "name and names": (
        'label = "2"',
        'name = "Hare"',
        "[kind.runner]: give either “name” or “names”, not both",
    ),
    "bad colour": ('"#D55E00"', '"orange"', "[army.red]: “colour” must look like #D55E00, not “orange”"),
    "one army": (
        "[army.blue]",
        "[hints.blue]",
        "a box has exactly two tables [army.…], South’s first, but here",
    ),
    "three armies": ("[words]", '[army.x]\nname = "X"\n[words]', "but here there are 3"),
    "extends unknown": (
        'extends = "full"',
        'extends = "ful"',
        "“extends” names the unknown game “ful”; did you mean “full”?",
    ),
    "extends itself": ('extends = "full"', 'extends = "short"', "“extends” runs in a circle: short → short"),
    "extends in a circle": (
        "[game.full]",
        '[game.full]\nextends = "short"',
        "[game.short]: “extends” runs in a circle: full → short → full",
    ),
    "unknown default": (
        'rescue = "on"',
        'resque = "on"',
        "[game.full.defaults]: there is no option “resque”; did you mean “rescue”?",
    ),
    "unknown value": (
        'rescue = "on"',
        'rescue = "yes"',
        "[game.full.defaults]: “rescue” cannot be “yes”; choose off, on",
    ),
    "default is a list": (
        'rescue = "on"',
        'rescue = ["on"]',
        "“rescue” must be true, false, a number or a text",
    ),
    "default of other games": (
        'rescue = "on"',
        'spot_any_side = "on"',
        "[game.full.defaults]: “spot_any_side” does not concern small/full: it is for games with Spotters",
    ),
    "unknown sides": (
        'sides = "chosen"',
        'sides = "dice"',
        "“sides” cannot be “dice”; it is one of lot, chosen",
    ),
    "long name": ('name = "Chief"', f'name = "{"x" * 61}"', "“name” has 61 characters; at most 60 fit"),
    "control character": ('name = "Chief"', 'name = "\\u001b[2J"', "“name” contains a control character"),
    "no text among the hints": ("[game.full]", "[hints.full]", "[hints]: “full” must look like full = "),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_wrong_box_is_refused_with_one_precise_sentence(case: str) -> None:
    old, new, sentence = REFUSALS[case]
    told = refused(old, new)
    assert sentence in told
    assert told.startswith("small.toml")
    assert "\n" not in told


def test_a_box_without_games_is_refused() -> None:
    with pytest.raises(EditionError, match=r"the key “game” is missing; write a table \[game\]"):
        load_text(SMALL[: SMALL.index("[game.full]")])


def test_more_than_forty_kinds_in_a_game_are_refused() -> None:
    codes = "abcdefghijklmnopqrstuvwxyzACDEGHIJKLMN"
    kinds = "".join(
        f'[kind.k{n}]\nname = "K"\ncode = "{code}"\nrank = 1\ncount = 1\narmy = "{army}"\ntext = "t"\n'
        for army in ("red", "blue")
        for n, code in ((f"{army}{i}", code) for i, code in enumerate(codes))
    )
    with pytest.raises(EditionError, match="the game has 80 kinds of pieces; at most 40 are possible"):
        load_text(SMALL + kinds)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EditionError, match="the file cannot be read: no such file"):
        load_file(tmp_path / "none.toml")
    with pytest.raises(EditionError, match="the file cannot be read: is a directory"):
        load_file(tmp_path)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(b'id = "\xff"')
    with pytest.raises(EditionError, match=r"odd\.toml: this is not UTF-8 text"):
        load_file(path)


def test_endless_nesting_is_refused() -> None:
    with pytest.raises(EditionError, match="nested too deeply"):
        load_text("a = " + "[" * 5000)


def test_a_game_of_a_file_is_found_by_its_address(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(SMALL, encoding="utf-8")
    assert load_game(f"{path}#short").id == "small/short"
    with pytest.raises(UnknownGameError, match=r"has several games; say which one: .*#full, .*#short"):
        load_game(str(path))
    with pytest.raises(UnknownGameError, match=r"There is no game “.*#shrt”; did you mean “.*#short”"):
        load_game(f"{path}#shrt")
    path.write_text(SMALL[: SMALL.index("[game.short]")], encoding="utf-8")
    assert load_game(str(path)).id == "small/full"


def test_where_files_are_not_allowed_no_file_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(SMALL, encoding="utf-8")
    with pytest.raises(UnknownGameError, match="There is no game"):
        load_game(f"{path}#full", allow_files=False)


def test_an_unknown_game_is_answered_with_the_nearest_and_all_ids() -> None:
    with pytest.raises(UnknownGameError, match=r"“onyx/clasic”; did you mean “onyx/classic”.*mini/3x4"):
        load_game("onyx/clasic")
    with pytest.raises(UnknownGameError, match="There is no game “”; try onyx/classic, "):
        load_game("")
    with pytest.raises(UnknownGameError, match="There is no box “onix”; did you mean “onyx”"):
        load_edition("onix")
