"""Every lesson in a real browser, by mouse and by keyboard; ticks that stay; the way into a game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Response, expect

from flagfall.server.api.lessons import all_lessons, courses
from tests.e2e.conftest import DESK, PHONE, NewPerson
from tests.e2e.person import Keys, Mouse, Person, Way
from tests.e2e.test_access import Examiner, examined

__all__ = ["examined"]

COURSES = {course.id: course for course in courses().courses}
BASICS = next(iter(COURSES.values()))
LAST_OF_BASICS = BASICS.lessons[-1].id


def _follow(person: Person) -> None:
    """Let the person know the position that the lesson's page was sent."""

    def read(response: Response) -> None:
        if response.request.method == "POST" and "/api/lessons/" in response.url and response.ok:
            person.state = response.json()["state"]

    person.page.on("response", read)


def _opens(person: Person, lesson: str) -> None:
    person.open(f"/learn/{lesson}")
    _has_answers(person, 1)


def _has_answers(person: Person, count: int) -> None:
    expect(person.page.locator("main")).to_have_attribute("data-answers", str(count))


def _does(person: Person, lesson_id: str, way: Way) -> None:
    """Do a lesson by its solution and read every answer."""
    lesson = all_lessons()[lesson_id]
    hand = Mouse(person) if way == "mouse" else Keys(person)
    _opens(person, lesson_id)
    for number, step in enumerate(lesson.steps, start=1):
        expect(person.page.locator(".task")).to_have_text(step.text)
        hand.play(person.choice(step.solution))
        _has_answers(person, number + 1)
        expect(person.page.locator(".answer")).to_contain_text(step.praise)
        expect(person.page.get_by_role("status").first).to_contain_text(step.praise)
    expect(person.page.locator(".task")).to_have_text(lesson.done)


@pytest.mark.parametrize("course", COURSES)
@pytest.mark.parametrize("way", ["mouse", "keys"])
def test_every_lesson_of_a_course(new_person: NewPerson, course: str, way: Way) -> None:
    person = new_person(size=PHONE if way == "mouse" else DESK)
    _follow(person)
    for lesson in COURSES[course].lessons:
        _does(person, lesson.id, way)
    person.open("/learn")
    listed = person.page.get_by_role("region", name=COURSES[course].name, exact=True)
    number = len(COURSES[course].lessons)
    expect(listed).to_contain_text(f"{number} of {number} done")


def test_a_wrong_action_is_answered_and_can_be_tried_again(new_person: NewPerson) -> None:
    person = new_person()
    _follow(person)
    lesson = all_lessons()["spin-master/moving"]
    _opens(person, lesson.id)
    before = person.standing()
    Mouse(person).play(person.choice("b1-a1"))
    expect(person.page.locator(".answer.no")).to_contain_text(lesson.steps[0].mistakes["b1-a1"])
    assert person.standing() == before
    person.cell("b1").click()
    person.cell("d4").click()
    expect(person.page.locator(".answer.no")).to_contain_text("b1")
    Mouse(person).play(person.choice("b1-b2"))
    _has_answers(person, 4)
    person.button("Try again").click()
    _has_answers(person, 5)
    assert person.standing() == before


def test_a_newcomer_learns_and_plays(new_person: NewPerson) -> None:
    person = new_person()
    _follow(person)
    person.open("/")
    person.page.get_by_role("link", name="New here?").click()
    person.page.get_by_role("link", name=BASICS.lessons[0].title).click()
    expect(person.page.get_by_role("heading", level=1)).to_have_text(BASICS.lessons[0].title)
    _does(person, LAST_OF_BASICS, "mouse")
    person.button("Play a real game").click()
    person.page.wait_for_url("**/play/*")
    expect(person.button(re.compile("^Ready"))).to_be_enabled()
    assert person.state["game"] == "spin-master/duel"
    assert person.state["seats"]["north"]["level"] == "recruit"


def test_an_unknown_lesson_leads_back_to_the_list(new_person: NewPerson) -> None:
    person = new_person().open("/learn/onyx/nothing")
    expect(person.page.get_by_role("alert")).to_have_text("There is no such lesson.")
    person.page.get_by_role("link", name="All lessons").click()
    expect(person.page.get_by_role("heading", level=1)).to_have_text("Learn to play")


@pytest.mark.parametrize(
    ("size", "is_dark"), [(DESK, False), (PHONE, True)], ids=["desk-light", "phone-dark"]
)
def test_axe_finds_nothing(examined: Examiner) -> None:
    person = examined.person
    _follow(person)
    person.open("/learn")
    person.page.wait_for_load_state("networkidle")
    examined.look("list")
    _opens(person, "spin-master/moving")
    examined.look("begun")
    Mouse(person).play(person.choice("b1-a1"))
    examined.look("a wrong action")
    _does(person, LAST_OF_BASICS, "mouse")
    examined.look("done")
