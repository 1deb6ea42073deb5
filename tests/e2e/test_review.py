"""A short finished game is reviewed in the browser: one click, a graph to walk through, and eyes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from flagfall.notation import to_json, write_record
from tests.analysis.test_analysis import played
from tests.e2e.conftest import NewPerson
from tests.e2e.test_access import Examiner, examined
from tests.server.served import Served, serving
from tests.server.test_reviews import QUICK, finished

__all__ = ["examined"]
DROP = """(text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "game.txt", {type: "text/plain"}));
    window.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
}"""
PASTE = """(text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
}"""


@pytest.fixture(scope="module")
def served(site: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("reviews"), QUICK, compiles="false") as running:
        yield running


def test_a_game_is_reviewed_by_one_click(new_person: NewPerson, served: Served) -> None:
    _, match = finished(served, 6)
    anna = new_person()
    anna.open(f"/replay/{match}")
    page = anna.page
    page.get_by_role("button", name="Review", exact=True).click()
    graph = page.get_by_role("slider", name="Chance to win")
    expect(graph).to_have_attribute("aria-valuemax", "6")
    expect(page.get_by_role("tabpanel")).to_contain_text("resigned after 6 turns")
    graph.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(graph).to_have_attribute("aria-valuenow", "2")
    page.get_by_role("tab", name="This turn").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("Given what South knew")
    expect(page.get_by_role("tabpanel")).to_contain_text("Given the truth")
    page.get_by_role("tab", name="Beliefs").click()
    expect(page.get_by_role("heading", name="What South believed")).to_be_visible()
    expect(page.get_by_role("heading", name="What North believed")).to_be_visible()
    page.get_by_role("button", name="Anna", exact=True).click()
    expect(page.get_by_role("heading", name="What North believed")).to_have_count(0)
    page.get_by_role("tab", name="This turn").click()
    expect(page.get_by_role("tabpanel")).not_to_contain_text("Given the truth")
    page.reload()
    expect(page.get_by_role("slider", name="Chance to win")).to_be_visible()


def test_a_record_of_every_box_is_opened_and_reviewed(examined: Examiner) -> None:
    """It is dropped, pasted, chosen as a file, or written into the field with the keyboard."""
    anna = examined.person
    page = anna.page
    anna.open("/my-games?show=records")
    field = page.get_by_label("The record as text")
    field.fill("Dear diary")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("This is not a record of a game")
    examined.glance("open a record")
    texts = {
        box: played(f"{box}/{game}", 1, 2)
        for box, game in (
            ("onyx", "classic"),
            ("duel-masters", "elemental-powers"),
            ("lotr", "special-powers"),
            ("fire-and-ice", "special-powers"),
            ("spin-master", "duel"),
        )
    }
    for box, record in texts.items():
        page.goto("/my-games?show=records")
        expect(field).to_be_visible()
        if box == "onyx":
            page.evaluate(DROP, write_record(record))
        elif box == "lotr":
            page.evaluate(PASTE, write_record(record))
        elif box == "spin-master":
            file = {"name": "game.json", "mimeType": "application/json", "buffer": to_json(record).encode()}
            page.get_by_label("A file with a record").set_input_files(file)  # type: ignore[arg-type]
        else:
            field.fill(write_record(record))
            page.get_by_role("button", name="Open", exact=True).click()
        page.get_by_role("button", name="Review", exact=True).click()
        graph = page.get_by_role("slider", name="Chance to win")
        expect(graph).to_have_attribute("aria-valuemax", "2", timeout=60_000)
        page.get_by_role("tab", name="This turn").click()
        expect(page.get_by_role("tabpanel")).to_contain_text("South")
        if box == "onyx":
            examined.look("a review")
            page.get_by_role("tab", name="The game").click()
            examined.look("the summary of a review")
        elif box == "lotr":
            page.get_by_role("tab", name="Beliefs").click()
            examined.glance("beliefs")
    page.goto("/my-games?show=records")
    expect(page.get_by_role("link", name="Replay")).to_have_count(5)
    examined.glance("opened records")
    page.get_by_role("button", name="Delete the record").first.click()
    expect(page.get_by_role("link", name="Replay")).to_have_count(4)
