"""Guides in box files: the bundled ones can be played, and every mistake in the format is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flagfall.cli.games import print_check
from flagfall.edition import EditionError, editions, load_file, load_text
from flagfall.edition.guides import EVENTS, Guide, guide_book
from flagfall.errors import UserError
from flagfall.match.guides import check_guide

ALL = {guide.id: guide for edition in editions() for guide in guide_book(edition).values()}
EVERY_GUIDE = pytest.mark.parametrize("guide", ALL.values(), ids=ALL)
SMALL = (Path(__file__).parent / "small.toml").read_text(encoding="utf-8")
GUIDE = (Path(__file__).parent / "small_guide.toml").read_text(encoding="utf-8")


def first(text: str = GUIDE) -> Guide:
    """The guide of the small box."""
    return guide_book(load_text(SMALL + text, "small.toml"))["small/full"]


@EVERY_GUIDE
def test_a_bundled_guide_can_be_played(guide: Guide) -> None:
    check_guide(guide)
    assert {"begin", "won", "lost", "drawn"} <= set(guide.words)


@EVERY_GUIDE
def test_a_guide_says_at_most_three_short_sentences_at_a_time(guide: Guide) -> None:
    for text in (guide.goal, *(step.text for step in guide.steps), *guide.words.values()):
        assert len(re.findall(r"[.!?]+(?=\s|$)", text)) <= 3, text
        assert len(text) <= 110, text


def test_newcomers_play_duel_with_a_guide_that_speaks_of_everything() -> None:
    guide = ALL["spin-master/first-game"]
    assert (guide.game.id, guide.course.id, guide.side) == ("spin-master/duel", "spin-master/basics", "south")
    assert set(guide.words) == set(EVENTS)
    explained = {square for step in guide.steps for square in step.squares}
    assert explained == set(guide.setup)


def test_a_box_of_your_own_can_have_a_guide() -> None:
    guide = first()
    check_guide(guide)
    assert (guide.title, guide.course.id) == ("First game", "small")
    assert guide.words == {"begin": "Go.", "known": "They know {piece}.", "won": "Well done."}


def test_a_file_of_lessons_can_have_a_guide(tmp_path: Path) -> None:
    (tmp_path / "tasks.toml").write_text(GUIDE, encoding="utf-8")
    box = tmp_path / "small.toml"
    box.write_text(f'lessons = "tasks.toml"\n{SMALL}', encoding="utf-8")
    assert list(guide_book(load_file(box))) == ["small/full"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('title = "First game"', "", "[guide.first]: the key “title” is missing"),
        ('game = "full"', 'game = "ful"', "“game” names the unknown game “ful”"),
        ('a1 = "flag"', 'a1 = "flga"', "“a1” has the unknown kind “flga”; did you mean “flag”?"),
        ('d1 = "mine"', 'd9 = "mine"', "“setup” is not right: Mine is placed on d9"),
        ('squares = ["a1"]', 'squares = ["c3"]', "[guide.first.step 1]: “squares” names “c3”"),
        ("begin =", "beginning =", "[guide.first.words]: unknown event “beginning”; did you mean “begin”?"),
        ("begin =", "power =", "“power” is never said in this game"),
        ('"Go."', '"Go to {square}."', "“begin” has “{square}”; there are none here"),
        ("{piece}", "{peice}", "“known” has “{peice}”; did you mean “piece”?"),
        ('"Go."', f'"{"x" * 201}"', "“begin” has 201 characters; at most 200 fit"),
    ],
)
def test_a_wrong_guide_is_refused(old: str, new: str, sentence: str) -> None:
    assert old in GUIDE
    with pytest.raises(EditionError) as error:
        check_guide(first(GUIDE.replace(old, new, 1)))
    assert str(error.value).startswith("small.toml, [guide.first")
    assert sentence in str(error.value)


def test_a_game_has_one_guide() -> None:
    with pytest.raises(EditionError, match="the game “full” has a guide already"):
        first(GUIDE + GUIDE.replace("guide.first", "guide.second"))


def test_edition_check_looks_at_guides(tmp_path: Path) -> None:
    box = tmp_path / "small.toml"
    box.write_text((SMALL + GUIDE).replace('d1 = "mine"', 'd9 = "mine"'), encoding="utf-8")
    with pytest.raises(UserError, match="“setup” is not right"):
        print_check(box, as_json=True)
