"""Lessons in box files: every bundled one can be done, and every mistake in the format is named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from flagfall.board import cell_name, distance
from flagfall.cli.games import print_check
from flagfall.edition import Edition, EditionError, editions, load_edition, load_file, load_text
from flagfall.edition.lessons import Lesson, lesson_book
from flagfall.edition.option_table import options_of
from flagfall.edition.verbs import VERB_BY_CODE
from flagfall.engine.action import ATTACK, MOVE
from flagfall.errors import UserError
from flagfall.match.errors import RefusedError
from flagfall.match.lessons import check_lesson, play_lesson
from flagfall.notation.actions import action_text

ALL = {name: lesson for edition in editions() for name, lesson in lesson_book(edition).items()}
PLAYED = [edition for edition in editions() if edition.id != "mini"]
"""the boxes for people; the small boards of the other are for tests"""
EVERY_LESSON = pytest.mark.parametrize("lesson", ALL.values(), ids=ALL)
SMALL = (Path(__file__).parent / "small.toml").read_text(encoding="utf-8")
LESSON = (Path(__file__).parent / "small_lesson.toml").read_text(encoding="utf-8")


def refused(old: str, new: str) -> str:
    """The sentence for the small box with its lesson changed in one place."""
    assert old in LESSON
    with pytest.raises(EditionError) as error:
        check_lesson(first(LESSON.replace(old, new, 1)))
    return str(error.value)


def first(text: str = LESSON) -> Lesson:
    """The lesson of the small box."""
    return lesson_book(load_text(SMALL + text, "small.toml"))["small/first"]


@EVERY_LESSON
def test_a_lesson_is_done_by_its_solution(lesson: Lesson) -> None:
    check_lesson(lesson)
    assert play_lesson(lesson, [step.solution for step in lesson.steps]).is_done


@EVERY_LESSON
def test_a_lesson_says_at_most_two_sentences_at_a_time(lesson: Lesson) -> None:
    texts = [lesson.goal, lesson.done]
    for step in lesson.steps:
        texts += [step.text, step.praise, step.wrong, *step.mistakes.values()]
    for text in texts:
        assert len(re.findall(r"[.!?]+(?=\s|$)", text)) <= 2, text


def test_no_two_lessons_have_the_same_title_in_a_course() -> None:
    titles = [(lesson.course.id, lesson.title) for lesson in ALL.values()]
    assert len(titles) == len(set(titles))


def taught(lesson: Lesson) -> Iterator[str]:
    """The powers that the solution of a lesson uses, and the options that it changes."""
    yield from lesson.options.changed(lesson.game)
    game, played = lesson.game, list[str]()
    for step in lesson.steps:
        view = play_lesson(lesson, played).view
        action = next(one for one in view.legal if action_text(game, view, one) == step.solution)
        played.append(step.solution)
        user = view.at(cell_name(action.origin)) if action.origin else None
        kinds = [game.kinds[game.kind_index(user.kind)]] if user else game.kinds
        verb = VERB_BY_CODE[action.verb].primitive
        if view.prompt and view.prompt.ask == "attack again":
            verb = "chain"
        elif action.origin and action.verb in (MOVE, ATTACK):
            is_reserved = action.target in game.board.zones
            verb = "bearer" if is_reserved else "run" if distance(action.origin, action.target) > 1 else ""
        yield from (power.id for kind in kinds for power in game.abilities(kind) if power.verb == verb)


@pytest.mark.parametrize("edition", PLAYED, ids=lambda edition: edition.id)
def test_every_power_of_a_box_is_taught(edition: Edition) -> None:
    found = {name for lesson in lesson_book(edition).values() for name in taught(lesson)}
    powers = {power.id for game in edition.games.values() for power in game.powers()}
    assert powers <= found


TAUGHT_BY_DEFAULT = {
    "two_square_limit": "onyx/two-square",
    "defender_advances": "onyx/defender",
}
"""options whose lesson plays with the usual value of its game"""
WITHOUT_LESSON = {
    "clock": "it is about time, not about pieces",
    "no_progress_draw": "the referee counts, and players cannot do much about it",
    "both_stuck": "it only says who wins when nobody can move any more",
    "mount_doom": "another square, and the same walk as in the lesson “Into the fire”",
}


def test_every_option_is_taught_or_needs_no_lesson() -> None:
    """Every option of the catalogue has a lesson that changes it, or a reason why it has none."""
    changed = {name for lesson in ALL.values() for name in lesson.options.changed(lesson.game)}
    assert set(TAUGHT_BY_DEFAULT.values()) <= set(ALL)
    lists = [changed, set(TAUGHT_BY_DEFAULT), set(WITHOUT_LESSON)]
    options = {
        option.name for edition in PLAYED for game in edition.games.values() for option in options_of(game)
    }
    assert set().union(*lists) == options
    assert sum(map(len, lists)) == len(options), "an option is in two lists"


# ---------------------------------------------------------------------- a box of your own


def test_a_box_in_one_file_can_have_lessons() -> None:
    lesson = first()
    check_lesson(lesson)
    assert (lesson.title, lesson.course.name, lesson.course.game) == ("First", "Start", "small/full")
    assert (lesson.game.board.columns, lesson.game.board.rows) == (4, 4)
    assert lesson.options["aggressor_advantage"] == "on"


def test_a_box_can_name_a_file_with_its_lessons(tmp_path: Path) -> None:
    (tmp_path / "tasks.toml").write_text(LESSON, encoding="utf-8")
    box = tmp_path / "small.toml"
    box.write_text(f'lessons = "tasks.toml"\n{SMALL}', encoding="utf-8")
    assert list(lesson_book(load_file(box))) == ["small/first"]
    (tmp_path / "tasks.toml").write_text(LESSON.replace('title = "First"', ""), encoding="utf-8")
    with pytest.raises(EditionError, match=r"tasks.toml, \[lesson.first\]: the key “title” is missing"):
        load_file(box)


@pytest.mark.parametrize("name", ["../tasks.toml", "/etc/passwd", "a/b/c.toml", "tasks.txt"])
def test_lessons_are_read_only_from_the_folder_of_the_box(tmp_path: Path, name: str) -> None:
    box = tmp_path / "small.toml"
    box.write_text(f'lessons = "{name}"\n{SMALL}', encoding="utf-8")
    with pytest.raises(EditionError, match="must name a file next to this one"):
        load_file(box)


def test_the_answers_of_a_lesson() -> None:
    lesson = first()
    begun = play_lesson(lesson, [])
    assert (begun.text, begun.verdict, begun.words) == ("Step forward.", "", "")
    wrong = play_lesson(lesson, ["b1-c1"])
    assert (wrong.verdict, wrong.words, wrong.step) == ("wrong", "Forward!", 0)
    assert wrong.view == begun.view
    right = play_lesson(lesson, ["b1-b2"])
    assert (right.verdict, right.words, right.text) == ("right", "Good.", "Attack.")
    fox = right.view.at("b3")
    assert fox is not None
    assert fox.kind == "runner"
    assert play_lesson(lesson, ["b1-b2", "b2-b1"]).words == "Never go back."
    assert play_lesson(lesson, ["b1-b2", "b2-c2"]).words == "Not there."
    done = play_lesson(lesson, ["b1-b2", "b2xb3"])
    assert (done.verdict, done.words, done.text) == ("done", "Caught.", "Well done.")


def test_setting_up_exchanges_pieces() -> None:
    lesson = ALL["spin-master/setting-up"]
    kinds = {piece.cell: piece.kind for piece in play_lesson(lesson, []).view.pieces}
    wrong = play_lesson(lesson, ["a1-c2"])
    assert (wrong.verdict, wrong.words) == ("wrong", lesson.steps[0].wrong)
    right = play_lesson(lesson, ["a2-c2"])
    assert right.verdict == "right"
    swapped = {piece.cell: piece.kind for piece in right.view.pieces}
    assert swapped == kinds | {"a2": "bomb", "c2": "scout"}
    with pytest.raises(RefusedError, match="exchange two different pieces"):
        play_lesson(lesson, ["b2-b3"])
    with pytest.raises(RefusedError, match="exchange two different pieces"):
        play_lesson(lesson, ["b1-c2"])


@pytest.mark.parametrize(
    ("actions", "code", "sentence"),
    [
        (["b1-b3"], "illegal", "one square at a time"),
        (["hello"], "unreadable", "hello"),
        (["b1-b2 b2xb3"], "one-at-a-time", "one action"),
        (["b1-c1", "c1-c2"], "wrong-action", "Action 1 is not right"),
        (["b1-b2", "b2xb3", "b3-b2"], "finished", "done"),
    ],
)
def test_an_impossible_action_is_refused(actions: list[str], code: str, sentence: str) -> None:
    with pytest.raises(RefusedError) as error:
        play_lesson(first(), actions)
    assert error.value.code == code
    assert sentence in error.value.sentence


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('title = "First"', "", "[lesson.first]: the key “title” is missing"),
        ('title = "First"', 'titel = "First"', "unknown key “titel”; did you mean “title”?"),
        ('course = "start"', 'course = "stat"', "“course” names the unknown course “stat”"),
        ('game = "full"\nboard', 'game = "ful"\nboard', "“game” names the unknown game “ful”"),
        ('"on" }', '"perhaps" }', "“aggressor_advantage” cannot be “perhaps”"),
        ('side = "south"', 'side = "west"', "“side” cannot be “west”"),
        ('b1 = "chief"', 'b1 = "chef"', "b1 has the unknown kind “chef”"),
        ('b1 = "chief"', 'b9 = "chief"', "“b9” is not on this board"),
        ('b1 = "chief"', 'a4 = "chief"', "two pieces stand on a4"),
        ('b1 = "chief"', 'b1 = "chief", c1 = "chief"', "there are 2 of chief; the army has 1"),
        ('d1 = "flag", ', "", "there is no flag"),
        ('known = ["b4"]', 'known = ["b2"]', "“known” names b2, where no piece stands"),
        ('done = "Well done."', f'done = "{"x" * 201}"', "“done” has 201 characters; at most 200 fit"),
        ("reaches = 2\n", "", "[lesson.first.step 1]: say what is right here"),
        ("reaches = 2\n", "reaches = 5\n", "“reaches” must be from 1 to 4"),
        ('captures = "b3"', 'captures = "z3"', "[lesson.first.step 2]: “z3” is not a square"),
        ('captures = "b3"', 'power = "fly"', "“power” names the unknown power “fly”"),
        ('solution = "b1-b2"', 'solution = "b1-c1"', "the solution “b1-c1” is not right"),
        ('solution = "b1-b2"', 'solution = "b1-b3"', "“b1-b3” is not a legal action here"),
        (
            'reply = ["b4-b3"]',
            'reply = ["b4-b1"]',
            "the reply to b1-b2 is refused: The way from b4 to b1 is blocked",
        ),
        ('reply = ["b4-b3"]', "", "[lesson.first.step 2]: it is North’s turn after b1-b2; write “reply”"),
        ('wrong = "Forward!"', "", "“wrong” is missing, but b1-a1 is wrong"),
        ("reaches = 2\n", "any = true\n", "“wrong” is never used"),
        ('reply = ["b4-b3"]', 'reply = ["b4-c4"]', "[lesson.first.step 2]: “b2xb3” is not a legal action"),
        ("reaches = 2\n", 'right = ["b1-b2", "b1-c1"]\n', "nothing is right after b1-c1"),
        ('"chief" }', '"mine" }', "the game is over, before this step"),
        ('"b2-b1" =', '"b2-b9" =', "“b2-b9” is not a legal action here"),
        ('"b2-b1" =', '"b2xb3" =', "“mistakes” names “b2xb3”, which is right"),
    ],
)
def test_a_wrong_lesson_is_refused(old: str, new: str, sentence: str) -> None:
    said = refused(old, new)
    assert said.startswith("small.toml, [lesson.first")
    assert sentence in said


def test_a_board_for_a_ring_has_its_square() -> None:
    box = load_edition("lotr")
    assert box.lesson_tables is not None
    tables = box.lesson_tables()
    lessons = tables.data["lesson"]
    assert isinstance(lessons, dict)
    lessons["ring-doom"]["board"]["zones"] = ["d5"]
    changed = replace(box, lesson_tables=lambda: tables)
    with pytest.raises(EditionError, match="the board needs the zone c5, which “ring” reserves"):
        lesson_book(changed)


def test_edition_check_plays_the_lessons(tmp_path: Path) -> None:
    box = tmp_path / "small.toml"
    box.write_text((SMALL + LESSON).replace('solution = "b1-b2"', 'solution = "b1-c1"'), encoding="utf-8")
    with pytest.raises(UserError, match="the solution “b1-c1” is not right"):
        print_check(box, as_json=True)
