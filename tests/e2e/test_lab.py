"""The setup lab in a real browser: edit, weak spots, compare, heat map, a run, files, a reload."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import NewPerson
from tests.e2e.test_access import Examiner, examined

__all__ = ["examined"]

GAME = "barrage/classic"


def few_games(route: Route) -> None:
    """Have fewer games played than the button says."""
    if route.request.method == "POST":
        route.continue_(post_data=dict(route.request.post_data_json or {}, games=3))
    else:
        route.continue_()


def _tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    expect(page.get_by_role("tabpanel", name=name)).to_be_visible()


def test_a_setup_is_made_checked_and_tried(examined: Examiner, tmp_path: Path) -> None:
    person = examined.person
    page = person.page
    person.open("/")
    page.get_by_role("link", name="Setup lab").click()
    expect(page).to_have_title("Setup lab – Flagfall")
    page.get_by_label("Game").select_option(GAME)
    expect(page).to_have_url(f"{person.served.url}/lab/{GAME}")
    pieces = page.locator("[data-cell] .tile")
    expect(pieces).to_have_count(8)
    examined.glance("setup lab")

    _tab(page, "Weak spots")
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_text("Place all pieces to see the weak spots.")).to_be_visible()
    page.get_by_role("button", name="Code").click()
    page.get_by_label("Paste a code").fill("........../..........F/1".ljust(40, "."))
    page.get_by_role("button", name="Use this code").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").click()

    page.get_by_role("tab", name="Weak spots").press("ArrowRight")
    expect(page.get_by_role("tab", name="Compare")).to_be_focused()
    page.get_by_label("Compare with").select_option("this")
    expect(page.get_by_text("Both setups are the same.")).to_be_visible()
    page.get_by_role("button", name="Mirror").click()
    expect(page.get_by_text("squares differ; they are marked on both boards")).to_be_visible()
    examined.glance("compare")

    _tab(page, "Heat map")
    page.get_by_label("Piece").select_option("flag")
    expect(page.get_by_role("table")).to_contain_text("100 setups of computer players")
    examined.glance("heat map")

    _tab(page, "Try it")
    page.route("**/api/lab/run", few_games)
    page.get_by_role("button", name="quick games with this").click()
    expect(page.get_by_text("All games are played.")).to_be_visible()
    expect(page.get_by_text("3 of 3 games")).to_be_visible()
    expect(page.get_by_role("img", name="of 3 quick games against usual setups")).to_be_visible()
    examined.glance("quick games")

    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as a file").click()
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    squares = _squares(page)
    page.get_by_role("button", name="Mirror").click()
    assert _squares(page) != squares
    page.get_by_label("A file with a setup").set_input_files(file)
    expect(page.get_by_role("status").filter(has_text="Setup loaded from the file.")).to_be_attached()
    assert _squares(page) == squares

    page.reload()
    expect(pieces).to_have_count(8)
    assert _squares(page) == squares
    _tab(page, "Try it")
    expect(page.get_by_text("3 of 3 games")).to_be_visible()
    page.get_by_role("link", name="Blue").click()
    expect(page.get_by_label("Your home squares").locator("[data-cell='a10']")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Your home squares").locator("[data-cell='a1']")).to_be_visible()


def _squares(page: Page) -> list[str]:
    found: list[str] = page.locator("[data-cell]").evaluate_all(
        "cells => cells.map(cell => cell.getAttribute('aria-label') ?? '')"
    )
    return found


def test_a_visitor_saves_a_setup_and_cancels_a_run(new_person: NewPerson) -> None:
    person = new_person("Anna")
    page = person.page
    person.open("/lab/onyx/classic")
    page.get_by_label("Name of this setup").fill("My fortress")
    page.get_by_label("Tags, separated by commas").fill("slow, against Ben")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Delete My fortress")).to_be_visible()
    page.get_by_role("group", name="Only setups with a tag").get_by_role("button", name="slow").click()
    expect(page.get_by_role("button", name="Delete My fortress")).to_be_visible()
    page.get_by_label("Search your setups").fill("quick")
    expect(page.get_by_text("No saved setup fits.")).to_be_visible()

    page.get_by_role("button", name="Code").click()
    link = page.get_by_label("Link to this setup").input_value()
    page.keyboard.press("Escape")
    squares = _squares(page)
    ben = new_person("Ben").open(link.removeprefix(person.served.url))
    expect(ben.page.get_by_text("Setup loaded from the link.").first).to_be_visible()
    assert _squares(ben.page) == squares
    ben.page.get_by_role("button", name="Mirror").click()
    mirrored = _squares(ben.page)
    ben.open("/lab/onyx/classic?setup=FF")
    expect(ben.page.get_by_role("alert")).to_contain_text("The setup has 2 squares where South's home has 40")
    assert _squares(ben.page) == mirrored, "a link that is wrong loses nothing"
    expect(ben.page).to_have_url(f"{person.served.url}/lab/onyx/classic")
    _tab(page, "Try it")
    page.get_by_role("button", name="quick games with this").click()
    page.get_by_role("button", name="Cancel the run").click()
    expect(page.get_by_text("You cancelled the run.")).to_be_visible()
