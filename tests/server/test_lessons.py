"""Lessons through the API: each is done by its solution, nothing hidden is sent, bad input is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import msgspec
import pytest

from flagfall.edition.lessons import Lesson
from flagfall.match import RefusedError
from flagfall.match.lessons import play_lesson
from flagfall.server.api.lessons import all_lessons, courses, lesson_state
from tests.server.served import Guest, Served

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
        ("spin-master/moving", ["b1-b3"], 422, "illegal", "b3 is a crater"),
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


def test_nothing_is_stored_and_no_guest_is_needed(served: Served) -> None:
    with Guest(served) as guest:
        guest.post(MOVING, actions=["b1-b2"])
        assert not guest.http.cookies
