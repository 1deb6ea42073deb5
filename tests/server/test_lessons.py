"""Lessons through the API: each is done by its solution, nothing hidden is sent, bad input is refused."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import msgspec
import pytest

from flagfall.edition import EditionError
from flagfall.edition.lessons import Lesson
from flagfall.match import RefusedError
from flagfall.match.lessons import play_lesson
from flagfall.server.api.routes.lessons import all_lessons, courses, lesson_state
from flagfall.server.serve import serve
from flagfall.server.settings import SettingsError, load_settings
from tests.server.served import Guest, Served, serving

HARBOUR = Path(__file__).parents[2] / "examples/harbour.toml"
MOVING = "/api/lessons/spin-master/moving"
EVERY_LESSON = pytest.mark.parametrize("lesson", all_lessons().values(), ids=all_lessons())


def test_every_lesson_is_listed_once_and_the_basics_are_first(served: Served) -> None:
    with Guest(served) as guest:
        listed = guest.get("/api/lessons")["courses"]
    assert listed[0]["name"] == "Basics"
    assert listed[0]["game"] == "spin-master/duel"
    names = [lesson["id"] for course in listed for lesson in course["lessons"]]
    assert sorted(names) == sorted(all_lessons())
    assert len(courses().courses) == len(listed)


@EVERY_LESSON
def test_a_lesson_is_done_by_its_solution(served: Served, lesson: Lesson) -> None:
    with Guest(served) as guest:
        played: list[str] = []
        answer = guest.post(f"/api/lessons/{lesson.id}")
        for step in lesson.steps:
            assert answer["text"] == step.text
            assert step.solution in [choice["text"] for choice in answer["state"]["choices"]]
            played.append(step.solution)
            answer = guest.post(f"/api/lessons/{lesson.id}", actions=played)
            assert answer["words"] == step.praise
            assert answer["actions"] == played
    assert (answer["verdict"], answer["text"]) == ("done", lesson.done)
    assert not answer["state"]["choices"]


@EVERY_LESSON
def test_hidden_kinds_are_not_sent(lesson: Lesson) -> None:
    """Exchange two hidden enemy kinds: everything sent is the same until the learner sees a difference."""
    enemy = lesson.side.other
    hidden = [cell for cell in lesson.pieces[enemy] if cell not in lesson.known]
    solution = tuple(step.solution for step in lesson.steps)
    for one, other in combinations(hidden, 2):
        kinds = dict(lesson.pieces[enemy])
        kinds[one], kinds[other] = kinds[other], kinds[one]
        twin = replace(lesson, pieces=lesson.pieces.replaced(enemy, kinds))
        for count in range(len(solution) + 1):
            try:
                seen = play_lesson(twin, solution[:count]).events
            except RefusedError:
                break
            if seen != play_lesson(lesson, solution[:count]).events:
                break
            sent, same = (
                msgspec.json.encode(lesson_state(which, solution[:count])) for which in (lesson, twin)
            )
            assert sent == same


def test_a_wrong_action_leaves_the_position(served: Served) -> None:
    with Guest(served) as guest:
        begun = guest.post(MOVING)
        wrong = guest.post(MOVING, actions=["b1-a1"])
    assert wrong["verdict"] == "wrong"
    assert wrong["words"] == all_lessons()["spin-master/moving"].steps[0].mistakes["b1-a1"]
    assert (wrong["state"], wrong["actions"], wrong["step"]) == (begun["state"], [], 0)


def test_a_lesson_has_a_board_of_its_own(served: Served) -> None:
    with Guest(served) as guest:
        answer = guest.post(MOVING)
    board = answer["board"]
    assert (board["columns"], board["rows"], board["zones"]) == (4, 5, ["b3"])
    assert answer["state"]["view"]["viewer"] == "south"


@pytest.mark.parametrize(
    ("path", "actions", "status", "code", "sentence"),
    [
        ("spin-master/nothing", [], 404, "not-found", "There is no such lesson."),
        ("nowhere/moving", [], 404, "not-found", "There is no such lesson."),
        ("spin-master/moving", ["b1-b3"], 422, "illegal", "Nobody can enter a crater."),
        ("spin-master/moving", ["abracadabra"], 422, "unreadable", "abracadabra"),
        ("spin-master/moving", ["b1-a1", "a1-a2"], 409, "wrong-action", "Action 1 is not right"),
        ("spin-master/moving", ["b1-b2"] * 21, 400, "malformed", "length"),
        ("spin-master/moving", ["x" * 61], 400, "malformed", "length"),
        ("spin-master/moving", [7], 400, "malformed", "str"),
        ("spin-master/moving", "b1-b2", 400, "malformed", "array"),
    ],
)
def test_bad_input_is_refused(
    served: Served, path: str, actions: object, status: int, code: str, sentence: str
) -> None:
    with Guest(served) as guest:
        said = guest.post(f"/api/lessons/{path}", status, actions=actions)
    assert said["code"] == code
    assert sentence in said["sentence"]


def test_an_illegal_action_is_explained_and_the_lesson_goes_on(served: Served) -> None:
    with Guest(served) as guest:
        said = guest.post(MOVING, actions=["b1-b2", "b2-b3"], explain=True)
        assert (said["verdict"], said["actions"], said["step"]) == ("illegal", ["b1-b2"], 1)
        assert said["words"].startswith("Nobody can enter a crater.")
        guest.post(MOVING, 422, actions=["b1-b3", "b1-b2"], explain=True)


def test_nothing_is_stored_and_no_guest_is_needed(served: Served) -> None:
    with Guest(served) as guest:
        guest.post(MOVING, actions=["b1-b2"])
        assert not guest.http.cookies


def test_the_lessons_of_a_box_of_your_own_are_listed_and_played(tmp_path: Path) -> None:
    with serving(tmp_path, boxes=str(HARBOUR)) as served, Guest(served, "Anna") as guest:
        course = guest.get("/api/lessons")["courses"][-1]
        assert (course["name"], course["box"]) == ("Harbour", "harbour")
        assert course["guides"] == []
        (lesson,) = course["lessons"]
        done = guest.post(f"/api/lessons/{lesson['id']}", actions=["c2-c3 spot c4", "keg"])
        assert done["verdict"] == "done"
        assert guest.get(f"/api/games/{lesson['game']}")["box"] == "harbour"
        assert "Lantern" in guest.get(f"/api/games/{lesson['game']}/rules")["markdown"]
        assert "harbour" in [box["id"] for box in guest.get("/api/games")["boxes"]]
        assert guest.post("/api/matches", game=lesson["game"])["match"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('id = "harbour"', 'id = "onyx"', "there is already a box with the id “onyx”"),
        ('solution = "c2-c3 spot c4"', 'solution = "c2-d2"', "the solution “c2-d2” is not right"),
        ('title = "A light', 'titel = "A light', "unknown key “titel”"),
    ],
)
def test_a_server_does_not_start_with_a_wrong_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, sentence: str
) -> None:
    monkeypatch.setattr("flagfall.edition.load._added", {})
    monkeypatch.delattr("flagfall.server.serve._serve")
    text = HARBOUR.read_text(encoding="utf-8")
    assert old in text
    box = tmp_path / "box.toml"
    box.write_text(text.replace(old, new), encoding="utf-8")
    settings = load_settings({"boxes": [box], "data": str(tmp_path)}, {})
    with pytest.raises(EditionError) as error:
        serve(settings)
    assert str(error.value).startswith("box.toml")
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("box", "sentence"),
    [
        ("", ". is a folder; name the .toml file of a box"),
        (os.devnull, f"{os.devnull} is no ordinary file; name the .toml file of a box"),
    ],
)
def test_a_box_must_be_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, box: str, sentence: str
) -> None:
    monkeypatch.delattr("flagfall.server.serve._serve")
    with pytest.raises(SettingsError) as error:
        serve(load_settings({"boxes": [Path(box)], "data": str(tmp_path)}, {}))
    assert str(error.value) == sentence


def test_a_comma_in_the_name_of_a_box_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"“a,b\.toml” has a comma; rename"):
        load_settings({"boxes": [Path("a,b.toml")]}, {})


def test_a_lesson_from_memory_forgets_what_was_shown() -> None:
    lesson = all_lessons()["onyx/memory"]
    solution = tuple(step.solution for step in lesson.steps)
    shown, hidden = (msgspec.json.encode(lesson_state(lesson, solution[:count]).state) for count in (1, 2))
    assert b'"kind":"marshal"' in shown
    assert b"Marshal" in shown
    assert b'"kind":"marshal"' not in hidden
    assert b"Marshal" not in hidden
