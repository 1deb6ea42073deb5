"""From the first page to a game in two clicks, a setup that survives a reload, and games found again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Response, expect

from flagfall.players.levels import LEVELS
from tests.e2e.conftest import DESK, PHONE, NewPerson
from tests.e2e.person import Person

GAME, SMALL = "spin-master/duel", "mini/3x3"
MAX_SCRIPT_BYTES = 200_000
SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])


def _chosen(person: Person, game: str) -> Locator:
    person.open("/")
    person.page.locator(f'button[data-game="{game}"]').click()
    dialog = person.page.get_by_role("dialog")
    expect(dialog.get_by_role("radio").first).to_be_attached()
    return dialog


def _squares(person: Person) -> list[str | None]:
    return [cell.get_attribute("aria-label") for cell in person.page.get_by_role("gridcell").all()]


def test_the_first_page_loads_at_most_200_kb_of_compressed_script(new_person: NewPerson) -> None:
    anna = new_person()
    scripts: dict[str, int] = {}

    def weigh(got: Response) -> None:
        if got.request.resource_type == "script":
            scripts[got.url] = int(got.headers["content-length"])

    anna.on("response", weigh)
    anna.open("/")
    expect(anna.page.locator("button[data-game]").first).to_be_visible()
    assert 0 < sum(scripts.values()) <= MAX_SCRIPT_BYTES, scripts


@SIZES
def test_two_clicks_to_a_game(new_person: NewPerson, size: tuple[int, int]) -> None:
    """A new visitor meets no failed request on the way to a game against the weakest level."""
    anna = new_person("Anna", size)
    failed: list[str] = []
    anna.on("response", lambda got: failed.append(f"{got.status} {got.url}") if got.status >= 400 else None)
    anna.open("/")
    anna.page.locator(f'button[data-game="{SMALL}"]').click()
    anna.page.get_by_role("dialog").locator("button[type=submit]").click()
    anna.page.wait_for_url("**/play/*")
    anna.is_ready()
    anna.sees_number()
    assert anna.state["seats"]["north"]["level"] == "recruit"
    expect(anna.page.get_by_text("Recruit", exact=True).first).to_be_visible()
    assert failed == []


@SIZES
def test_back_closes_the_dialog_before_it_leaves_the_page(
    new_person: NewPerson, size: tuple[int, int]
) -> None:
    anna = new_person("Anna", size)
    dialog = _chosen(anna, SMALL)
    anna.page.go_back()
    expect(dialog).to_be_hidden()
    expect(anna.page).to_have_url(re.compile(r"\d/$"))
    anna.page.locator(f'button[data-game="{SMALL}"]').click()
    dialog.locator("button[type=submit]").click()
    anna.page.wait_for_url("**/play/*")
    anna.page.go_back()
    expect(anna.page.get_by_role("heading", level=1)).to_contain_text("Hidden armies")
    expect(dialog).to_be_hidden()


def test_opponents_are_the_levels_by_strength_and_a_friend(new_person: NewPerson) -> None:
    anna = new_person("Anna")
    dialog = _chosen(anna, GAME)
    opponents = dialog.get_by_role("group", name="Who do you want to play?")
    names = opponents.locator(".name").all_text_contents()
    assert names == [*(level.name for level in LEVELS), "A friend"]
    expect(dialog.get_by_role("radio", name=re.compile("^Recruit"))).to_be_checked()
    for hidden in ("Your army", "Memory", "Clock", "House rules"):
        expect(dialog.get_by_text(hidden, exact=True).first).to_be_hidden()
    dialog.get_by_text("More options").click()
    for shown in ("Your army", "Memory", "Clock", "House rules"):
        expect(dialog.get_by_text(shown, exact=True).first).to_be_visible()


def test_the_opponent_who_was_played_last_is_chosen_next_time(new_person: NewPerson) -> None:
    anna = new_person("Anna").begins(SMALL, against="Captain")
    dialog = _chosen(anna, GAME)
    expect(dialog.get_by_role("radio", name=re.compile("^Captain"))).to_be_checked()
    expect(dialog.locator("button[type=submit]")).to_have_text("Play against Captain")


def test_a_setup_survives_a_reload_and_is_not_kept_for_another_game(new_person: NewPerson) -> None:
    anna = new_person("Anna").begins(GAME, side="south")
    expect(anna.button(re.compile("^Ready"))).to_be_enabled()
    at_first = _squares(anna)
    anna.button("Clear").click()
    for square in ("a1", "c2", "e1"):
        anna.cell(square).click()
    arranged = _squares(anna)
    assert arranged != at_first
    anna.reload()
    expect(anna.page.get_by_text("left to place").first).to_be_visible()
    assert _squares(anna) == arranged
    anna.begins(GAME, side="south")
    expect(anna.button(re.compile("^Ready"))).to_be_enabled()


def test_a_finished_game_is_found_again_from_the_first_page(new_person: NewPerson) -> None:
    anna = new_person("Anna").begins(SMALL)
    anna.is_ready()
    anna.sees_number()
    anna.resigns()
    anna.open("/")
    games = anna.page.get_by_role("region", name="Your games")
    games.get_by_role("link", name=re.compile("You lost against Recruit")).click()
    anna.page.wait_for_url("**/replay/*")
