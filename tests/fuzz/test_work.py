"""The work of reading grows with the length of the text, not with its square or cube: counted in calls."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from flagfall.edition import EditionError, load_game, load_text
from flagfall.notation import NotationError, from_json, read_damaged_record, read_record, read_turn, to_json
from flagfall.protocol.engine import Engine
from flagfall.setups import SetupError, read_setup, setup_from_squares
from tests.fuzz.targets import GAMES, HARBOUR, matches, record_texts

LOTR = load_game("lotr/special-powers")
EXPECTED = (NotationError, SetupError, EditionError)
MAX_GROWTH = 2.4
"""for twice the text; 2 is linear, 4 quadratic, 8 cubic"""
HEAD, _, _ = record_texts()[3].partition("\n1s ")
TURN = record_texts()[3].partition("\n1s ")[2].partition("\n")[0]


def calls_of(run: Callable[[], object]) -> int:
    """How many functions are called, Python's own included."""
    count = 0

    def note(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run()
    except EXPECTED:
        pass
    finally:
        sys.setprofile(before)
    return count


def read_comments(times: int) -> None:
    read_record(f"{HEAD}\n1s {TURN}\n" + "; well played\n" * times + "result: unfinished\nend\n")


def read_damaged(times: int) -> None:
    read_damaged_record(f"{HEAD}\n1s {TURN}\n" + "; well played\n" * times + "2s broken")


def read_many_turns(times: int) -> None:
    turns = "".join(f"{at // 2 + 1}{'sn'[at % 2]} {TURN}\n" for at in range(times))
    read_record(f"{HEAD}\n{turns}result: unfinished\nend\n")


def read_json_turns(times: int) -> None:
    text = to_json(read_record(record_texts()[3]))
    from_json(text.replace('"turns": [', '"turns": [' + f'{{"text": "{TURN}"}},' * times))


def read_box_of_games(times: int) -> None:
    """Each game extends the one before it."""
    games = [f'[game.g{at}]\nextends = "{f"g{at - 1}" if at else "classic"}"\n' for at in range(times)]
    load_text(HARBOUR + "".join(f'{game}name = "Game"\ntext = "A game."\n' for game in games))


def say_lines(times: int) -> None:
    said: list[str] = []
    Engine("mini/3x4", "random", {}, said.append).run(["enemy a1,b1", "event move piece=a1"] * times)


GROWING: dict[str, Callable[[int], object]] = {
    "a turn of names": lambda times: read_turn(LOTR, "gandalf the " * times),
    "a turn of the beginnings of names": lambda times: read_turn(LOTR, "g " * 2 * times),
    "a turn of marks": lambda times: read_turn(LOTR, "gandalf " + "- . " * times),
    "a turn of marks and no name": lambda times: read_turn(LOTR, "- . " * times),
    "a turn of squares": lambda times: read_turn(LOTR, "d4 d5 " * times, matches()[0].view("south")),
    "a turn of attacks": lambda times: read_turn(LOTR, "d4xd5 " * times, matches()[0].view("south")),
    "a path": lambda times: read_turn(LOTR, "d4-d5" * times),
    "a setup": lambda times: read_setup(GAMES[1], 0, "F/ " * times),
    "a setup by squares": lambda times: setup_from_squares(
        GAMES[1], 0, {f"{'abcdefghij'[at % 10]}{1 + at // 10}": "Scout" for at in range(times)}
    ),
    "comments on a turn": read_comments,
    "comments of a damaged record": read_damaged,
    "turns of a record": read_many_turns,
    "turns of a record as JSON": read_json_turns,
    "lines of an engine": say_lines,
}


@pytest.mark.parametrize("what", GROWING)
def test_twice_the_text_takes_about_twice_the_work(what: str) -> None:
    read, times = GROWING[what], 16
    with_caches_filled = calls_of(lambda: read(times))
    once, twice = calls_of(lambda: read(times)), calls_of(lambda: read(2 * times))
    assert once <= with_caches_filled
    assert twice <= MAX_GROWTH * once, f"{once} calls for {times}, {twice} for {2 * times}"


def test_games_that_extend_each_other_take_quadratic_work_at_most() -> None:
    once, twice = calls_of(lambda: read_box_of_games(16)), calls_of(lambda: read_box_of_games(32))
    assert twice <= 4 * once


def test_the_turn_that_froze_a_server_is_read_with_little_work() -> None:
    text = ("gandalf the " * 33).strip()
    read_once = calls_of(lambda: read_turn(LOTR, text))
    assert len(text) < 400
    assert calls_of(lambda: read_turn(LOTR, text)) <= max(read_once, 20 * len(text))
    assert calls_of(lambda: read_turn(LOTR, text)) <= 20 * len(text)
