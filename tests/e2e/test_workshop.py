"""The box workshop in a real browser: from the template to a finished game; strangers see nothing."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Page, expect

from tests.e2e.conftest import NewPerson
from tests.e2e.person import Person
from tests.e2e.steer import steer
from tests.e2e.test_access import Examiner, examined
from tests.e2e.test_lab import few_games

__all__ = ["examined"]
MAX_ACTIONS = 200


def test_a_box_from_the_template_to_a_finished_game(examined: Examiner, new_person: NewPerson) -> None:
    person = examined.person
    page = person.page
    person.open("/")
    page.get_by_role("navigation").get_by_role("link", name="Make your own").click()
    expect(page.get_by_role("heading", name="My boxes")).to_be_visible()
    examined.glance("workshop")
    page.get_by_role("button", name="Begin with this").first.click()
    page.wait_for_url("**/workshop/*")
    editor = page.get_by_role("textbox", name="Text of the box")
    expect(page.get_by_text("No problems: it can be played")).to_be_visible()
    examined.look("editor")

    editor.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\n[kind.ghost]\nrank = 1")
    problems = page.get_by_role("region", name="Problems")
    expect(problems.get_by_role("button").first).to_be_visible()
    page.reload()
    expect(page.get_by_text("Your unsaved changes are back.")).to_be_visible()
    expect(problems.get_by_role("button").first).to_be_visible()
    page.get_by_role("button", name="Discard changes").click()
    expect(page.get_by_text("No problems: it can be played")).to_be_visible()
    page.get_by_role("tab", name="Fights").click()
    expect(page.get_by_role("region", name="Who beats whom")).to_be_visible()
    examined.glance("fights")

    page.get_by_role("tab", name="Simulate").click()
    page.route("**/api/workshop/*/simulate", few_games)
    page.get_by_role("button", name="Simulate 200 games").click()
    expect(page.get_by_text("3 of 3 games")).to_be_visible()
    expect(page.get_by_role("heading", name="Who wins")).to_be_visible()
    expect(page.get_by_text("Half of the games", exact=False).first).to_be_visible()
    examined.glance("simulated games")

    box = page.url.rsplit("/", 1)[1]
    other = person.context.new_page()
    other.goto(page.url)
    expect(other.get_by_text("No problems: it can be played")).to_be_visible()
    _writes(page, "# from the first tab")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    _writes(other, "# from the second tab")
    other.get_by_role("button", name="Save", exact=True).click()
    expect(other.get_by_role("alert")).to_contain_text("saved in another tab or browser")
    assert "# from the first tab" in _stored(person, box), "a text saved elsewhere is not overwritten"
    other.get_by_role("button", name="Save mine").click()
    expect(other.get_by_text("Saved", exact=True)).to_be_visible()
    assert "# from the second tab" in _stored(person, box)
    other.close()

    ben = new_person("Ben").open(f"/workshop/{box}")
    expect(ben.page.get_by_role("heading", name="This box cannot be opened")).to_be_visible()
    ben.open("/workshop")
    expect(ben.page.get_by_text("You have none yet.")).to_be_visible()
    ben.open(f"/box/{box}")
    expect(ben.page.get_by_text("Made by")).to_be_visible()
    ben.open(f"/box/{box[:-4]}AAAA")
    expect(ben.page.get_by_role("heading", name="There is no box here")).to_be_visible()

    page.get_by_role("button", name="Play it").click()
    page.get_by_role("dialog").locator("button[type=submit]").click()
    page.wait_for_url("**/play/*")
    person.is_ready()
    goes_on, rng = person.awaits_turn(), Random(3)
    for _ in range(MAX_ACTIONS):
        if not goes_on:
            break
        before = person.state["number"]
        person.play(steer(person.state, rng))
        goes_on = person.awaits_turn(before)
    assert person.state["phase"] == "over"
    expect(page.get_by_label("Result", exact=True)).to_contain_text(person.state["verdict"])


def _writes(page: Page, text: str) -> None:
    """Add a line to the text of the box."""
    page.get_by_role("textbox", name="Text of the box").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(f"\n{text}")


def _stored(person: Person, box: str) -> str:
    """The text of a box on the server."""
    return str(person.context.request.get(f"/api/workshop/{box}").json()["text"])
