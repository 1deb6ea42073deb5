"""A short finished game is reviewed in the browser: one click, a graph to walk through, and eyes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPerson
from tests.server.served import Served, serving
from tests.server.test_reviews import QUICK, finished


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
    page.get_by_role("button", name="South's view").click()
    expect(page.get_by_role("heading", name="What North believed")).to_have_count(0)
    page.get_by_role("tab", name="This turn").click()
    expect(page.get_by_role("tabpanel")).not_to_contain_text("Given the truth")
    page.reload()
    expect(page.get_by_role("slider", name="Chance to win")).to_be_visible()
