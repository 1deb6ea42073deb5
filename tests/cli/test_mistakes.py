"""Whatever is written wrongly gets one sentence, exit code 2, and nothing is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.run import flagfall, one_sentence

Capsys = pytest.CaptureFixture[str]
WHOLE = """flagfall record 1
game: mini/3x3
south: Anna
north: Ben
setup south: XsF
setup north: FsX

1s a1-a2
1n c3-c2
result: unfinished
end
"""


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all kinds of files in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 8)
    (tmp_path / "empty").write_text("")
    (tmp_path / "list").write_text("[1, 2]")
    (tmp_path / "brace").write_text("{")
    (tmp_path / "words").write_text("Hello, world.\n")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "bare.toml").write_text('id = "bare"\n')
    (tmp_path / "record").write_text(WHOLE)
    (tmp_path / "far").write_text(WHOLE.replace("1s a1-a2", "1s a1-a3"))
    (tmp_path / "lie").write_text(WHOLE.replace("unfinished", "south wins, flag captured"))
    (tmp_path / "crowd").write_text(WHOLE.replace("FsX", "FsXXX"))
    (tmp_path / "escape").write_text(WHOLE.replace("Anna", "Anna\x1b[31m"))
    (tmp_path / "foreign").write_text(WHOLE.replace("mini/3x3", "chess/classic"))
    (tmp_path / "option").write_text(WHOLE.replace("south: Anna", "option tea: hot\nsouth: Anna"))
    (tmp_path / "huge").write_text("x" * 2_000_000)
    return tmp_path


CASES = [
    ("dance", "No such command 'dance'; flagfall --help shows"),
    ("games extra", "Got unexpected extra argument"),
    ("rules", "Missing argument 'GAME'; flagfall rules --help shows"),
    ("rules chess", "There is no game “chess”; try onyx/classic,"),
    ("rules onyx/clasic", "did you mean “onyx/classic”?"),
    ("rules \x1b[31m", "There is no game “\ufffd[31m”"),
    ("rules \udcff", "There is no game “\ufffd”"),
    ("rules onyx/classic --tea", "No such option: --tea"),
    ("rules onyx/classic -o tea", "“tea” is not an option; write name=value, such as rescue=on."),
    ("rules onyx/classic -o tea=hot", "there is no option “tea”; try"),
    ("rules onyx/classic -o rescue=often", "“rescue” cannot be “often”; choose off, on."),
    ("rules onyx/classic -o rescue_zone=half", "does nothing while “rescue” is off"),
    ("rules onyx/classic -o rescue=on -o rescue=on", "“rescue” is given twice; give it once."),
    (
        "rules onyx/classic -o silent_defense=on -o captured_pieces=open",
        "cannot go with captured_pieces=open",
    ),
    (
        "rules onyx/classic -o captured_pieces=secret -o memory=assisted",
        "choose memory=notes or memory=strict.",
    ),
    ("rules spin-master/duel -o rescue=on", "does not concern spin-master/duel"),
    ("rules onyx/classic -o clock=soon", "“soon” is not a clock; write none, 10m+5s"),
    ("rules onyx/classic --piece wizard", "“wizard” is not one piece of onyx/classic; name one of Bomb,"),
    ("rules gone.toml", "gone.toml: the file cannot be read"),
    ("edition check gone.toml", "gone.toml: the file cannot be read"),
    ("edition check folder", "folder: the file cannot be read"),
    ("edition check odd.toml", "odd.toml: this is not UTF-8 text; save it as UTF-8"),
    ("edition check words", "words, line 1: this is not valid TOML"),
    ("edition new odd.toml", "odd.toml exists; choose another name. Nothing was written."),
    ("edition new box", "box must end in .toml. Nothing was written."),
    ("edition new gone/box.toml", "gone/box.toml: there is no such file or folder; check the name."),
    ("replay gone", "gone: there is no such file or folder; check the name."),
    ("replay folder", "folder: this is a folder; name a file."),
    ("replay binary", "binary is not a text file; give a record of Flagfall."),
    ("replay empty", "empty: Line 1, column 1: the text is empty; expected the line “flagfall record 1”."),
    ("replay words", "words: Line 1, column 1: this is not a Flagfall record; expected"),
    ("replay huge", "huge: Line 1, column "),
    ("replay list", "list: Line 1, column 1: Expected `object`, got `array`; expected a record"),
    ("replay brace", "brace: Line 1, column 2: this is not JSON"),
    ("replay far --turn 1", "far: Turn 1s cannot be played: Your Marshal moves one square at a time"),
    (
        "replay lie --json",
        "lie: the record says “south wins, flag captured”, but on the board it is “unfinished”.",
    ),
    ("replay crowd --turn 0", "crowd: The setup has 5 squares where North's home has 3"),
    ("replay escape", "escape: Line 3, column 12: the character '\\x1b' is not allowed"),
    ("replay foreign", "There is no game “chess/classic”"),
    ("replay option --turn 0", "option: there is no option “tea”"),
    ("replay record --as king", "Unknown viewer “king”; use south, north, watcher, truth."),
    ("replay record --turn 3", "There is no turn 3 in record; give --turn 0 to 2."),
    ("replay record --turn -1", "There is no turn -1 in record; give --turn 0 to 2."),
    ("replay record --turn two", "Invalid value for '--turn': "),
    ("replay record --game 2", "record holds one game, not 2; leave --game out."),
    ("play chess", "There is no game “chess”"),
    (
        "play mini/3x3 -a king",
        "“king” is not an opponent; choose human, recruit, scout, sergeant, captain, major,",
    ),
    ("play mini/3x3 -a random --side west", "“west” is not a side; sides are south, north and random."),
    ("play mini/3x3 -a random --name \x1b", "The name of south contains the character '\\x1b'"),
    ("play mini/3x3 -a random --name A --name B", "2 names were given for 1; give one for each person."),
    ("play mini/3x3 -a random --name Computer(x) --setup a --setup b", "2 setups were given for 1"),
    ("play --resume gone", "gone: there is no such file or folder; check the name."),
    ("play --resume folder", "folder: this is a folder; name a file."),
    ("play --resume record", "record cannot be resumed: "),
    ("play mini/3x3 --resume record", "A saved game keeps its settings"),
]


@pytest.mark.parametrize(("line", "answer"), CASES, ids=[ascii(line) for line, _ in CASES])
def test_each_mistake_has_its_sentence(capsys: Capsys, shelf: Path, line: str, answer: str) -> None:
    before = {file.name: file.stat().st_mtime_ns for file in shelf.iterdir()}
    assert answer in one_sentence(flagfall(capsys, *line.split(" ")))
    assert {file.name: file.stat().st_mtime_ns for file in shelf.iterdir()} == before


def test_checking_a_box_tells_every_problem_with_its_line(capsys: Capsys, shelf: Path) -> None:
    ran = flagfall(capsys, "edition", "check", "bare.toml")
    assert (ran.code, ran.out) == (2, "")
    lines = ran.err.removeprefix("flagfall: ").splitlines()
    assert "bare.toml, line 1: the key “army” is missing; write a table [army]." in lines
    assert len(lines) == 5
    assert all(line.startswith("bare.toml, line 1: the key ") for line in lines)


def test_a_setup_that_cannot_be_is_refused(capsys: Capsys) -> None:
    ran = flagfall(capsys, "play", "onyx/classic", "-a", "random", "--setup", "xx")
    assert "“x” on a1 is not a piece of South's army" in one_sentence(ran)


def test_no_words_at_all_bring_the_help(capsys: Capsys) -> None:
    ran = flagfall(capsys)
    assert ran.code == 2
    assert "Usage: flagfall" in ran.err
