"""The box workshop in a real browser: from the template to a finished game; strangers see nothing."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import NewPerson
from tests.e2e.test_access import Examiner, examined

__all__ = ["examined"]


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

    box = page.url.rsplit("/", 1)[1]
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
    person.awaits_turn()
    person.resigns()
