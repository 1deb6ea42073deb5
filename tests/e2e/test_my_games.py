"""My games in the browser: found, filtered, counted, taken away, deleted; axe finds nothing there."""

from __future__ import annotations

import re
import zipfile

import pytest
from playwright.sync_api import expect

from flagfall.sides import Side
from tests.e2e.conftest import PHONE, NewPerson
from tests.e2e.person import Person
from tests.e2e.test_access import Examiner, examined
from tests.server.served import Json

__all__ = ["examined"]

FILTERS_THAT_ARE_CUT = """() => [...document.querySelectorAll("main select")].filter((select) => {
    const style = getComputedStyle(select), words = document.createElement("span");
    Object.assign(words.style, {font: style.font, whiteSpace: "pre", position: "absolute"});
    words.textContent = select.selectedOptions[0].text;
    document.body.append(words);
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 18;
    const width = words.offsetWidth;
    words.remove();
    return width > room;
}).map((select) => select.selectedOptions[0].text)"""
"""18 pixels are for the arrow"""


def test_every_game_is_found_counted_taken_away_and_deleted(examined: Examiner) -> None:
    anna = examined.person
    page = anna.page
    anna.open("/my-games")
    expect(page.get_by_text("You have no games yet")).to_be_visible()
    anna.guest()
    lost, running = (_hot_seat(anna, side) for side in ("south", ""))
    request = {"game": "mini/3x4", "opponent": "computer", "level": "random", "side": "south"}
    won: Json = anna.context.request.post("/api/matches", data=request).json()
    path = f"/api/matches/{won['match']}"
    code = anna.context.request.post("/api/games/mini/3x4/setup", data={"side": "south"}).json()["code"]
    anna.context.request.post(f"{path}/setup", data={"code": code})
    while anna.context.request.get(f"{path}/state?since=2&wait_s=20").json()["phase"] == "setup":
        pass
    anna.context.request.post(f"{path}/resign", data={})

    anna.open("/")
    page.get_by_role("navigation").get_by_role("link", name="My games").click()
    games = page.locator("main li")
    expect(games).to_have_count(3)
    expect(page).to_have_title("My games – Flagfall")
    examined.glance("my games")
    page.get_by_label("Result", exact=True).select_option("Lost")
    expect(games).to_have_count(1)
    expect(games).to_contain_text("You lost: you resigned.")
    assert page.url.endswith("/my-games?result=lost")
    page.go_back()
    expect(games).to_have_count(3)
    page.get_by_label("Opponent").select_option("On one screen")
    expect(games).to_have_count(2)
    page.reload()
    expect(games).to_have_count(2)
    expect(games.get_by_role("link", name="Continue")).to_have_attribute("href", f"/play/{running}")

    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("region", name="Against each opponent")).to_contain_text("Random 1 lost")
    expect(page.get_by_role("region", name="Results by day")).to_contain_text("1 lost")
    examined.look("statistics")
    page.get_by_label("Result", exact=True).select_option("Won")
    expect(page.get_by_text("No finished game like that")).to_be_visible()
    page.get_by_role("link", name="Show all games").click()
    page.get_by_label("When").select_option("The last 7 days")
    expect(page.get_by_role("region", name="Results by day")).to_be_visible()
    assert page.url.endswith("/my-games?show=statistics&period=7")
    for _ in range(3):
        page.go_back()
    expect(page.get_by_label("When")).to_have_value("")
    page.go_back()
    games.filter(has_text="won").get_by_role("button", name="Delete").click()
    examined.glance("deleting a game")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(games).to_have_count(1)
    assert anna.context.request.get(f"/api/matches/{lost}/state?as=watcher").status == 404

    with page.expect_download() as taken:
        page.get_by_role("link", name="Download everything").click()
    with zipfile.ZipFile(taken.value.path()) as archive:
        assert sum(name.startswith("games/") for name in archive.namelist()) == 2
    page.get_by_role("button", name=re.compile("^Delete everything")).click()
    examined.glance("deleting everything")
    page.get_by_role("dialog").get_by_role("button", name="Delete everything").click()
    page.wait_for_url("**/")
    assert anna.context.cookies() == []
    expect(page.get_by_role("heading", name="Your games")).not_to_be_visible()


@pytest.mark.parametrize("language", ["de", "fr", "nl"])
def test_the_list_and_its_filters_fit_a_phone(new_person: NewPerson, language: str) -> None:
    anna = new_person(size=PHONE)
    anna.runs_first(f"localStorage.setItem('flagfall.language', '{language}')")
    anna.open("/my-games")
    anna.guest()
    _hot_seat(anna, "south")
    anna.open("/my-games")
    expect(anna.page.locator("main li")).to_have_count(1)
    assert not anna.page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    assert anna.page.evaluate(FILTERS_THAT_ARE_CUT) == []


def _hot_seat(person: Person, resigns: str) -> str:
    """A game on one screen, resigned by a side or going on."""
    ask = person.context.request.post
    match: str = ask("/api/matches", data={"game": "mini/3x3", "opponent": "hot-seat"}).json()["match"]
    for side in Side:
        code = ask("/api/games/mini/3x3/setup", data={"side": side.value}).json()["code"]
        ask(f"/api/matches/{match}/setup", data={"seat": side.value, "code": code})
    if resigns:
        ask(f"/api/matches/{match}/resign", data={"seat": resigns})
    return match
