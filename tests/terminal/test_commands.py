"""What can be typed besides an action, and what is said to what cannot."""

from __future__ import annotations

import pytest

from flagfall.edition import load_game, resolve
from flagfall.errors import UserError
from flagfall.languages import use_language
from flagfall.setups import setup_from_squares, write_setup
from flagfall.terminal.commands import rules
from tests.match.games import DUEL, DUEL_NORTH, DUEL_SOUTH
from tests.terminal.script import Script
from tests.terminal.table import Time, play, said, seated

WORDS = (
    "help ? board who tray last legal opponent piece rules options clock note notes save draw accept decline"
)


@pytest.mark.parametrize("word", WORDS.split())
@pytest.mark.parametrize(
    "rest",
    ["", " ", " zz", " \N{GRINNING FACE}", " " + "x" * 5000],
    ids=["alone", "blank", "zz", "emoji", "long"],
)
def test_no_word_upsets_the_game(word: str, rest: str) -> None:
    text = said(word + rest, "a1-a2")
    assert "Player 2 (North)> " in text, "the game goes on"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", "Type an action such as e4-e5, or help."),
        ("who", "Name a square, such as who d6."),
        ("who z9", "“z9” is not a square of this board; squares go from a1 to c3."),
        ("who d4", "“d4” is not a square of this board; squares go from a1 to c3."),
        ("who a2", "a2: no piece stands there."),
        ("who A1", "a1: yours, Marshal, has not moved; to the enemy it can be Marshal, Spy or Flag."),
        ("who a3", "a3: enemy, unknown, has not moved; can be Marshal, Spy or Flag."),
        ("tray", "Lost by Red (south): none yet."),
        ("last", "Nothing has happened yet."),
        ("legal", "a1-a2  b1-b2"),
        ("legal c1", "No action is possible from c1 now."),
        ("legal q", "“q” is not a square of this board; squares go from a1 to c3."),
        ("opponent", "They have seen: no piece."),
        ("piece spy", "### Spy"),
        ("piece dragon", "Which piece? Your army has Marshal, Spy, Flag."),
        ("rules moving", "## Moving"),
        ("rules cheating", "The rules have no part “cheating”; the parts are the board, the armies,"),
        ("options", "memory = assisted"),
        ("clock", "There is no clock."),
        ("notes", "You have no notes; write one with note d6 and your text."),
        ("note", "Name a square, such as note d6 spy?."),
        ("note a2 x", "There is no piece on a2; name the square of a piece."),
        ("accept", "No draw offer is on the table; there is nothing to answer."),
        ("a3-a2", "The piece on a3 is not yours; move one of your own."),
        ("a1-a9", "“a9” is not a square of this board; expected a square from a1 to c3."),
        ("a2-a3", "No piece stands on a2; name the square of one of your own pieces."),
        ("a1-a3", "It can go to a2."),
        ("c1-c2", "Flag"),
        ("a1xa3", "Your Marshal moves one square at a time."),
        ("hello", "“hello” is neither a square nor a piece of this game; expected an action such as"),
    ],
)
def test_each_line_has_its_answer(line: str, answer: str) -> None:
    assert answer in said(line)


def test_a_note_follows_its_piece_and_belongs_to_its_writer() -> None:
    text = said(
        "note a3 the Flag?", "who a3", "notes", "a1-a2", "who a3", "notes", "c3-c2", "note a3", "notes"
    )
    assert "Your note: the Flag?" in text
    south, north, again = text.split("=== curtain: ")[1:4]
    assert "a3: the Flag?" in south
    assert "the Flag?" not in north
    assert "note removed" in again


def test_strict_memory_allows_no_notes_and_offers_none() -> None:
    text = said("note a3 spy", "help", options=("memory=strict",))
    assert "There are no notes in this game" in text
    assert "note d6" not in text.split("There are no notes", 1)[1]


@pytest.mark.parametrize(("memory", "said_of_it"), [("notes", ", has moved"), ("strict", "")])
def test_who_says_nothing_of_moves_that_are_forgotten(memory: str, said_of_it: str) -> None:
    """Neither that the piece has moved nor that it has not."""
    turns = ("a1-a2", "c3-c2", "b1-b2", "who a2", "who c1")
    text = said(*turns, options=(f"memory={memory}",))
    assert f"a2: enemy, unknown{said_of_it}." in text
    assert ("c1: enemy, unknown, has not moved." in text) == (memory == "notes")
    assert ("c1: enemy, unknown." in text) == (memory == "strict")


@pytest.mark.parametrize("memory", ["assisted", "notes", "strict"])
def test_last_tells_the_last_turn_only(memory: str) -> None:
    text = said("a1-a2", "c3-c2", "last", options=(f"memory={memory}",))
    assert (
        text.rsplit("Player 1 (South)> ", 2)[1].strip().splitlines()[0]
        == "An enemy piece moves from c3 to c2."
    )


def test_help_names_the_powers_of_the_game() -> None:
    assert "spot e6 marshal" in play(seated(Script(["help"]), "spin-master/duel", "random", setups=("open",)))
    assert "rescue" not in said("help")
    assert "rescue: bring" in said("help", options=("rescue=on",))


DUEL_SETUPS = tuple(
    write_setup(setup_from_squares(DUEL, side, squares))
    for side, squares in enumerate((DUEL_SOUTH, DUEL_NORTH))
)


def duel(*lines: str, against: str = "human") -> str:
    return play(seated(Script(lines), "spin-master/duel", against, setups=DUEL_SETUPS))


@pytest.mark.parametrize("guess", [("e4-e5 spot e6 marshal",), ("e4-e5 spot e6", "marshal")])
def test_the_spotter_spots_in_one_line_or_in_two(guess: tuple[str, ...]) -> None:
    text = duel("e3-e4", "a6-a5", *guess, "tray")
    assert "The enemy Marshal is captured." in text
    assert "Lost by Blue (north): 1 Marshal." in text
    assert ("What stands on e6? Type a piece." in text) == (len(guess) == 2)


def test_a_wrong_guess_is_told_and_the_turn_is_over() -> None:
    text = duel("e3-e4", "a6-a5", "e4-e5 spot e6 dragon", "e4-e5 spot e6 spy", "last")
    assert "“dragon” is neither a square nor a piece of this game" in text
    assert text.rstrip().splitlines()[-1].startswith("Saved.")
    assert text.rsplit("=== curtain: ", 1)[1].startswith("Player 2 (North)")


def test_the_clock_is_shown_and_its_flag_falls() -> None:
    time = Time()

    class Slow(Script):
        def ask(self, prompt: str) -> str:
            time.ms += 20_000
            return super().ask(prompt)

    text = play(
        seated(Slow(["clock", "a1-a2", "clock", "board"]), "mini/3x3", "human", "clock=1m+0s", time=time)
    )
    assert "Time left: South 1:00, North 1:00." in text
    assert "Time left: South 0:40, North 1:00." in text
    assert "Time left: South 0:20, North 1:00." in text
    assert "Player 1 (South) wins: time." in play(
        seated(Slow(["a1-a2", "clock", "clock", "c3-c2"]), "mini/3x3", "human", "clock=1m+0s", time=time)
    )


@pytest.mark.parametrize(
    ("language", "part", "title"),
    [("nl", "bewegen", "## Bewegen"), ("de", "ziehen", "## Ziehen"), ("fr", "moving", "## Se déplacer")],
)
def test_a_part_of_the_rules_has_its_name_in_the_readers_language_and_in_english(
    language: str, part: str, title: str
) -> None:
    game = load_game("mini/3x3")
    with use_language(language):
        assert rules(game, resolve(game, {}), part).startswith(title)
        with pytest.raises(UserError, match="zzz"):
            rules(game, resolve(game, {}), "zzz")
