"""Every lesson in a real browser, by mouse and by keyboard; ticks that stay; the way into a game."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Locator, Response, Route, expect

from flagfall.edition import load_game
from flagfall.edition.guides import Guide, guide_book
from flagfall.edition.lessons import Lesson, lesson_book
from flagfall.edition.load import load_version
from flagfall.edition.versions import VERSIONS
from flagfall.server.api.routes.lessons import all_lessons, courses
from tests.e2e.conftest import DESK, PHONE, NewPerson
from tests.e2e.person import Keys, Mouse, Person, Way
from tests.e2e.steer import steer
from tests.e2e.test_access import Examiner, examined
from tests.server.served import Json

__all__ = ["examined"]

COURSES = {course.id: course for course in courses().courses}
BASICS = next(iter(COURSES.values()))
LAST_OF_BASICS = BASICS.lessons[-1].id
HARBOUR = Path(__file__).parents[2] / "examples/harbour.toml"


def _follow(person: Person) -> None:
    """Let the person know the position that the lesson's page was sent."""

    def read(response: Response) -> None:
        if response.request.method == "POST" and "/api/lessons/" in response.url and response.ok:
            answer = response.json()
            person.state = answer["state"] | {"at": (answer["lesson"], answer["step"])}

    person.on("response", read)


def _opens(person: Person, lesson: str) -> None:
    person.open(f"/learn/{lesson}")
    _has_answers(person, 1)


def _has_answers(person: Person, count: int) -> None:
    expect(person.page.locator("main")).to_have_attribute("data-answers", str(count))


READ = """([answers, praise, task]) => {
    const text = (where) => document.querySelector(`main ${where}`)?.textContent ?? "";
    return document.querySelector("main")?.dataset.answers === answers && text(".task") === task
        && text(".answer").includes(praise) && text("[role=status]").includes(praise);
}"""
"""whether the page shows and announces an answer, and what to try next"""


def _does(person: Person, lesson: Lesson, way: Way) -> None:
    """Do the lesson on the page by its solution and read every answer."""
    page = person.page
    hand = Mouse(person) if way == "mouse" else Keys(person)
    tasks = [*(step.text for step in lesson.steps), lesson.done]
    page.wait_for_function(READ, arg=["1", "", tasks[0]])
    for number, step in enumerate(lesson.steps):
        while person.state.get("at") != (lesson.id, number):
            page.evaluate("0")
        hand.play(person.choice(step.solution))
        page.wait_for_function(READ, arg=[str(number + 2), step.praise, tasks[number + 1]])


@pytest.mark.parametrize("way", ["mouse", "keys"])
def test_every_lesson_of_every_course(new_person: NewPerson, way: Way) -> None:
    """One page for all: the button after a lesson leads to the next one."""
    person = new_person(size=PHONE if way == "mouse" else DESK)
    _follow(person)
    person.open("/learn")
    for course in COURSES.values():
        listed = person.page.get_by_role("region", name=course.name, exact=True)
        listed.get_by_role("link", name=course.lessons[0].title).click()
        for lesson in course.lessons:
            _does(person, all_lessons()[lesson.id], way)
            after = person.page.get_by_role("link", name="Next")
            if lesson != course.lessons[-1] and way == "mouse":
                after.click()
            elif lesson != course.lessons[-1]:
                expect(after).to_be_focused()
                person.page.keyboard.press("Enter")
        person.page.get_by_role("link", name="Lessons", exact=True).click()
        number = len(course.lessons)
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
    expect(person.page.locator(".answer.no")).to_contain_text("Pieces move in straight lines.")
    expect(person.cell("b1")).to_have_attribute("aria-selected", "true")
    Mouse(person).play(person.choice("b1-b2"))
    _has_answers(person, 4)
    person.button("Try again").click()
    _has_answers(person, 5)
    assert person.standing() == before


def test_a_newcomer_learns_and_plays_a_whole_game_with_a_guide(new_person: NewPerson) -> None:
    """Every text of the guide appears when it should, one at a time, each once, also across a reload."""
    person = new_person(size=PHONE)
    _follow(person)
    person.open("/")
    person.page.get_by_role("link", name="New here?").click()
    person.page.get_by_role("link", name="Start here").click()
    expect(person.page.get_by_role("heading", level=1)).to_have_text(BASICS.lessons[0].title)
    _opens(person, LAST_OF_BASICS)
    _does(person, all_lessons()[LAST_OF_BASICS], "mouse")
    _meets_a_quick_player(person, DUEL)
    person.button("Play a real game").click()
    _reads_about_the_setup(person, GUIDE)
    person.is_ready()
    said, reloads = _plays_to_the_end(person)
    assert said[0] == "begin"
    assert said[-1] in ("won", "lost", "drawn")
    assert len(set(said)) == len(said) > 2
    assert reloads == 1
    person.open("/learn")
    expect(person.page.locator(".guided")).to_contain_text("done")


DUEL = "spin-master/duel"
GUIDE = guide_book(load_game(DUEL).edition)[DUEL]


def _meets_a_quick_player(person: Person, game: str) -> None:
    """Exchange Recruit, who takes its time, for a player that answers at once."""

    def exchange(route: Route) -> None:
        wanted: Json = route.request.post_data_json or {}
        assert (wanted["level"], wanted["game"]) == ("recruit", game)
        route.continue_(post_data={**wanted, "level": "greedy"})

    person.page.route("**/api/matches", exchange, times=1)  # tests share pages


def _reads_about_the_setup(person: Person, guide: Guide) -> None:
    """Read the texts about the ready setup; a reload in between changes nothing."""
    person.page.wait_for_url("**/play/*")
    for at, step in enumerate(guide.steps):
        expect(_bubble(person)).to_have_text(step.text)
        expect(person.page.locator(".cell.hint")).to_have_count(len(step.squares))
        if at == 1:
            person.reload()
            expect(_bubble(person)).to_have_text(step.text)
        if step != guide.steps[-1]:
            person.button("Next").click()


def _bubble(person: Person) -> Locator:
    return person.page.get_by_role("region", name="Guide").locator("p")


def _plays_to_the_end(person: Person) -> tuple[list[str], int]:
    """Play towards the Flag; return what the guide spoke of, and the reloads."""
    rng = Random(1)
    said: dict[str, str] = {}
    reloads, number = 0, -1
    while True:
        is_playing = person.awaits_turn(number)
        number = int(person.state["number"])
        line = next((one for one in person.state["guide"] if one["event"] not in said), None)
        if line is None:
            expect(_bubble(person)).to_have_count(0)
        else:
            expect(_bubble(person)).to_have_text(line["words"])
            said[line["event"]] = line["words"]
        if not is_playing:
            return list(said), reloads
        if line and len(said) == 2:
            person.reload()
            person.awaits_turn()
            expect(_bubble(person)).to_have_text(line["words"])
            person.button("Play without the guide").click()
            expect(_bubble(person)).to_have_count(0)
            expect(person.page.locator(".cell.hint")).to_have_count(0)
            person.button("Play with the guide").click()
            expect(_bubble(person)).to_have_text(line["words"])
            reloads += 1
        person.play(steer(person.state, rng))


def test_a_visitor_learns_a_guests_box_and_plays_its_guided_game(
    examined: Examiner, new_person: NewPerson
) -> None:
    """They are in no list of lessons, but on the page of the box, for everybody with its link."""
    author, text = new_person("Ben"), HARBOUR.read_text(encoding="utf-8")
    author.guest()
    box: Json = author.context.request.post("/api/workshop", data={"text": text}).json()["box"]
    edition = load_version(VERSIONS.add(text))
    assert edition is not None
    (lesson,), (guide,) = lesson_book(edition).values(), guide_book(edition).values()

    visitor = examined.person
    page = visitor.page
    _follow(visitor)
    visitor.open("/learn")
    expect(page.get_by_role("region", name=BASICS.name, exact=True)).to_be_visible()
    expect(page.get_by_text(lesson.title)).to_have_count(0)
    visitor.open(f"/box/{box['id']}")
    listed = page.get_by_role("region", name="Lessons")
    expect(listed.get_by_role("button")).to_have_count(1)
    examined.glance("the page of a box with lessons")
    listed.get_by_role("link", name=lesson.title).click()
    _does(visitor, lesson, "mouse")
    examined.glance("a lesson of a guest's box")
    expect(visitor.button("Play a real game")).to_be_visible()
    page.get_by_role("link", name="Box", exact=True).click()
    expect(listed.get_by_role("listitem").filter(has_text=lesson.title)).to_contain_text("✓")

    _meets_a_quick_player(visitor, guide.game.id)
    listed.get_by_role("button", name="Play", exact=True).click()
    _reads_about_the_setup(visitor, guide)
    visitor.is_ready()
    visitor.awaits_turn()
    expect(_bubble(visitor)).to_have_text(guide.words["begin"])
    examined.glance("the guide of a guest's box in its game")
    visitor.play(steer(visitor.state, Random(1)))
    visitor.awaits_turn()
    visitor.resigns()
    expect(_bubble(visitor)).to_have_text(guide.words["lost"])
    visitor.open(f"/box/{box['id']}")
    expect(listed.locator(".guided")).to_contain_text("✓")


def test_an_unknown_lesson_leads_back_to_the_list(new_person: NewPerson) -> None:
    person = new_person().open("/learn/onyx/nothing")
    expect(person.page.get_by_role("alert")).to_have_text("There is no such lesson.")
    person.page.get_by_role("link", name="All lessons").click()
    expect(person.page.get_by_role("heading", level=1)).to_have_text("Learn to play")


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
    _opens(person, LAST_OF_BASICS)
    _does(person, all_lessons()[LAST_OF_BASICS], "mouse")
    examined.look("done")
    person.button("Play a real game").click()
    expect(_bubble(person)).to_be_visible()
    examined.look("the guide on the setup")
    person.is_ready()
    person.awaits_turn()
    expect(_bubble(person)).to_be_visible()
    examined.look("the guide in the game")
