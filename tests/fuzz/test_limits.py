"""Every parser has a largest input: what is larger is refused at once, what is as large is read."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from flagfall.board import Board, parse_cell
from flagfall.edition import EditionError, OptionError, load_game, load_text, resolve
from flagfall.edition.clock import MAX_CLOCK_CHARS, parse_clock
from flagfall.edition.load import MAX_BOX_CHARS, MAX_LINE_DOTS, load_file
from flagfall.edition.option_table import MAX_OPTION_CHARS, OPTIONS
from flagfall.edition.reader import MAX_LIST_ITEMS, MAX_TABLES
from flagfall.match import MatchError, decode_log, load, save
from flagfall.match.saving import MAX_LOG_ENTRIES, MAX_SAVED_BYTES, MAX_TIME_MS
from flagfall.notation import NotationError, from_json, read_damaged_record, read_record, read_turn, to_json
from flagfall.notation.reading import MAX_TURN_CHARS
from flagfall.notation.record import MAX_RECORD_SIZE, MAX_RECORD_TURNS
from flagfall.players import Budget
from flagfall.protocol.engine import Engine
from flagfall.protocol.external_player import EngineSeat, Forfeit
from flagfall.protocol.messages import MAX_LINE, MAX_WORDS, ProtocolError, read_lines, split_line
from flagfall.protocol.resync import from_position
from flagfall.setups import SetupError, read_setup, setup_from_squares, write_setup
from flagfall.setups.setup import MAX_PIECE_CHARS
from flagfall.setups.text import MAX_SETUP_CHARS
from tests.fuzz.targets import GAMES, HARBOUR, SMALL, json_texts, matches, record_texts, saved_texts

ONYX = load_game("onyx/classic")
SETUP = "8B64B8B8BF/689755778B/945B963697/9519924s93"
HEAD = record_texts()[3].partition("\n1s ")[0]
TAIL = "result: unfinished\nend\n"


def turns(count: int) -> str:
    return "".join(f"{at // 2 + 1}{'sn'[at % 2]} b1-b2\n" for at in range(count))


def json_turns(count: int) -> str:
    return json_texts()[3].replace('"turns": [', '"turns": [' + '{"text": "b1-b2"},' * count)


def box_with(lines: str) -> str:
    return f"{lines}\n{SMALL}"


TOO_LARGE: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "turn": (
        lambda: read_turn(ONYX, "d4-d5".ljust(MAX_TURN_CHARS + 1)),
        NotationError,
        f"the turn has {MAX_TURN_CHARS + 1} characters; expected at most {MAX_TURN_CHARS}",
    ),
    "setup code": (
        lambda: read_setup(ONYX, 0, SETUP.ljust(MAX_SETUP_CHARS + 1)),
        SetupError,
        f"at most {MAX_SETUP_CHARS} are read",
    ),
    "squares of a setup": (
        lambda: setup_from_squares(ONYX, 0, {f"a{at}": "flag" for at in range(101)}),
        SetupError,
        "The setup names 101 squares; the largest board has 100",
    ),
    "name of a piece": (
        lambda: setup_from_squares(ONYX, 0, {"a1": "flag".rjust(MAX_PIECE_CHARS + 1)}),
        SetupError,
        "is not one piece of South's army",
    ),
    "record": (
        lambda: read_record(HEAD + "\n" * MAX_RECORD_SIZE),
        NotationError,
        f"expected at most {MAX_RECORD_SIZE} with comments",
    ),
    "record in bytes": (
        lambda: read_damaged_record(HEAD.encode() + b"\n" * MAX_RECORD_SIZE),
        NotationError,
        f"bytes; expected at most {MAX_RECORD_SIZE}",
    ),
    "turns of a record": (
        lambda: read_record(f"{HEAD}\n{turns(MAX_RECORD_TURNS + 1)}{TAIL}"),
        NotationError,
        f"the record has more than {MAX_RECORD_TURNS} turns",
    ),
    "record as JSON": (
        lambda: from_json(json_texts()[0] + " " * MAX_RECORD_SIZE),
        NotationError,
        f"expected at most {MAX_RECORD_SIZE}",
    ),
    "turns of a record as JSON": (
        lambda: from_json(json_turns(MAX_RECORD_TURNS)),
        NotationError,
        f"expected at most {MAX_RECORD_TURNS}",
    ),
    "box": (
        lambda: load_text(SMALL + "#" * MAX_BOX_CHARS),
        EditionError,
        f"the file has more than {MAX_BOX_CHARS} characters",
    ),
    "parts of a key": (
        lambda: load_text(box_with("a" + ".a" * (MAX_LINE_DOTS + 1) + " = 1")),
        EditionError,
        f"line 1 has more than {MAX_LINE_DOTS} dots",
    ),
    "texts of a list": (
        lambda: load_text(HARBOUR.replace("zones = [", "zones = [" + '"c5",' * MAX_LIST_ITEMS, 1)),
        EditionError,
        f"at most {MAX_LIST_ITEMS} are possible",
    ),
    "kinds of a box": (
        lambda: load_text(SMALL + "".join(f"[kind.k{at}]\n" for at in range(MAX_TABLES))),
        EditionError,
        f"tables [kind.…]; at most {MAX_TABLES} are possible",
    ),
    "games of a box": (
        lambda: load_text(SMALL + "".join(f"[game.g{at}]\n" for at in range(MAX_TABLES))),
        EditionError,
        f"tables [game.…]; at most {MAX_TABLES} are possible",
    ),
    "value of an option": (
        lambda: resolve(ONYX, {"rescue": "on".rjust(MAX_OPTION_CHARS + 1)}),
        OptionError,
        f"only up to {MAX_OPTION_CHARS}",
    ),
    "options": (
        lambda: resolve(ONYX, {f"o{at}": "on" for at in range(len(OPTIONS) + 1)}),
        OptionError,
        f"options are chosen, but there are only {len(OPTIONS)}",
    ),
    "clock": (
        lambda: parse_clock("10m+5s".rjust(MAX_CLOCK_CHARS + 1)),
        ValueError,
        f"a clock has at most {MAX_CLOCK_CHARS} characters",
    ),
    "digits of a clock": (lambda: parse_clock("1" * 50 + "m"), ValueError, "is not a clock"),
    "saved match": (
        lambda: load(saved_texts()[0] + " " * MAX_SAVED_BYTES),
        MatchError,
        f"a saved match has at most {MAX_SAVED_BYTES}",
    ),
    "entries of a log": (
        lambda: decode_log("[" + ",".join(['{"what":"resigned","number":1,"at_ms":0}'] * 40_001) + "]"),
        MatchError,
        f"at most {MAX_LOG_ENTRIES} are read",
    ),
    "time of an entry": (
        lambda: load(saved_texts()[0].replace('"at_ms":0', f'"at_ms":{MAX_TIME_MS + 1}', 1)),
        MatchError,
        "The time of entry 0 of the log is out of range",
    ),
    "line of the engine protocol": (
        lambda: split_line("legal " + "x" * MAX_LINE),
        ProtocolError,
        f"A line has at most {MAX_LINE} characters",
    ),
    "words of the engine protocol": (
        lambda: split_line("a " * (MAX_WORDS + 1)),
        ProtocolError,
        f"A line has at most {MAX_WORDS} words",
    ),
    "row of a square": (lambda: parse_cell("a" + "1" * 5000), ValueError, "is not a square"),
}


@pytest.mark.parametrize("what", TOO_LARGE)
def test_what_is_too_large_is_refused_with_a_sentence(what: str) -> None:
    read, error, sentence = TOO_LARGE[what]
    with pytest.raises(error) as refusal:
        read()
    assert sentence in str(refusal.value)
    assert len(str(refusal.value)) < 700


def test_what_is_just_as_large_is_read() -> None:
    assert read_turn(ONYX, "d4-d5".ljust(MAX_TURN_CHARS))
    assert write_setup(read_setup(ONYX, 0, SETUP.ljust(MAX_SETUP_CHARS))) == SETUP
    assert len(read_record(f"{HEAD}\n{turns(MAX_RECORD_TURNS)}{TAIL}").turns) == MAX_RECORD_TURNS
    assert from_json(to_json(read_record(f"{HEAD}\n{turns(MAX_RECORD_TURNS)}{TAIL}")))
    assert load_text(SMALL + "#" * (MAX_BOX_CHARS - len(SMALL)))
    assert parse_clock("10m+5s".rjust(MAX_CLOCK_CHARS)).text == "10m+5s"
    assert resolve(ONYX, {"rescue": "on".rjust(MAX_OPTION_CHARS)})["rescue"] == "on"
    assert save(load(saved_texts()[0].ljust(MAX_SAVED_BYTES)))
    assert split_line("legal".ljust(MAX_LINE)) == ["legal"]


@pytest.mark.parametrize("value", ["0x" + "f" * 5000, "9" * 5000, "[" * 300 + "]" * 300, "1979-05-27"])
@pytest.mark.parametrize("key", ["home_rows", "size", "zones"])
def test_odd_values_of_a_box_are_refused_like_any_other(key: str, value: str) -> None:
    lines = [line for line in SMALL.split("\n") if not line.startswith(key)]
    lines.insert(lines.index("[board]") + 1, f"{key} = {value}")
    with pytest.raises(EditionError) as refusal:
        load_text("\n".join(lines))
    assert len(str(refusal.value)) < 300


def test_a_turn_that_ends_in_many_dots_is_refused_like_any_other() -> None:
    with pytest.raises(NotationError, match="unfinished turn with is_open"):
        read_record(f"{HEAD}\n1s b1-b2......\n{TAIL}")


def test_the_end_of_an_endless_file_is_not_waited_for(tmp_path: Path) -> None:
    endless = Path("/dev/zero")
    if endless.exists():
        with pytest.raises(EditionError, match="the file has more than"):
            load_file(endless)


def test_a_line_that_never_ends_takes_no_memory() -> None:
    asked: list[int] = []
    stream = io.StringIO("x" * (50 * MAX_LINE) + "\nquit\n")

    def readline(most: int) -> str:
        asked.append(most)
        return stream.readline(most)

    lines = list(read_lines(readline))
    assert [len(line) for line in lines] == [MAX_LINE + 1, 5]
    assert max(asked) == MAX_LINE + 1


def test_an_engine_refuses_an_overlong_line_and_goes_on() -> None:
    said: list[str] = []
    Engine("mini/3x4", "random", {}, said.append).run(["x" * (MAX_LINE + 1), "isready", "quit", "isready"])
    assert said == [f"error A line has at most {MAX_LINE} characters; this one is longer.", "readyok"]


def test_a_program_that_never_ends_its_line_forfeits() -> None:
    program = "import sys\nwhile True: sys.stdout.write('x' * 4096)"
    game = load_game("mini/3x4")
    seat = EngineSeat(f'{sys.executable} -c "{program}"', game, resolve(game, {}), Budget(100), "1")
    try:
        with pytest.raises(Forfeit) as forfeit:
            seat.start()
    finally:
        seat.close()
    assert (forfeit.value.fault, str(MAX_LINE) in forfeit.value.sentence) == ("garbled", True)
    assert not seat.is_running


def test_a_program_that_its_long_line_has_ended_forfeits_for_the_line() -> None:
    game = load_game("mini/3x4")
    program = "import sys; sys.stdout.write('x' * 10**6)"
    seat = EngineSeat(f'{sys.executable} -c "{program}"', game, resolve(game, {}), Budget(100), "1")
    with pytest.raises(Forfeit):
        seat.start()
    seat.close()
    with pytest.raises(Forfeit) as forfeit:
        seat.set_up(0)
    assert forfeit.value.fault == "garbled"


def test_a_position_on_a_full_board_is_refused_like_any_other() -> None:
    game = replace(load_game("mini/3x3"), board=Board(3, 2, 1))
    kinds = [kind.id for kind in game.kinds]
    pieces = [f"south:{column}2={kind}" for column, kind in zip("abc", kinds, strict=True)]
    pieces += [f"north:{column}1=?" for column in "abc"]
    with pytest.raises(ProtocolError, match="No square of the board is empty"):
        from_position(game, resolve(game, {}), 0, pieces)


def test_games_and_saved_matches_of_the_tests_are_within_the_limits() -> None:
    for match in matches():
        assert load(save(match)).log == match.log
    assert GAMES
