"""The end of a game on the page: the sentence, the open board, the summary, what to do next."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from flagfall.edition import load_game, resolve
from flagfall.match import Match, Seating
from flagfall.sides import Side
from tests.e2e.conftest import DESK, PHONE, NewPerson
from tests.e2e.person import Person
from tests.e2e.position import lay
from tests.server.served import Served

BEFORE = ("a1-a2", "c3-c2")
LAST = "a2xa3"
WON = "You win: your Marshal captured Blue's Flag on a3."
LOST = "You lose: Red's Marshal captured your Flag on a3."
DECIDED = "Anna wins: Red's Marshal captured Blue's Flag on a3."
SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])


def _match(*turns: str) -> Match:
    """Return a small game after some turns; South's Marshal on a2 stands before North's Flag."""
    game = load_game("mini/3x3")
    match = Match.created(game, resolve(game, {}), Seating("Anna", "Ben"), 0)
    match.seal("south", "XsF", 0, "salt of the south")
    match.seal("north", "FsX", 0, "salt of the north")
    for text in turns:
        match.act(match.to_move or "", None, text, 0)
    return match


def _win(person: Person) -> None:
    person.play(person.choice(LAST))


@SIZES
def test_the_winner_and_the_loser_see_the_end(
    new_person: NewPerson, served: Served, size: tuple[int, int]
) -> None:
    anna, ben = new_person("Anna", size), new_person("Ben", size)
    seats = {Side.SOUTH: anna.guest(), Side.NORTH: ben.guest()}
    match = lay(served.folder, _match(*BEFORE), seats)
    anna.sit(match)
    ben.sit(match)
    expect(anna.cell("b3")).to_have_attribute("aria-label", re.compile("unknown"))
    _win(anna)
    for person, headline, sentence in ((anna, "Victory!", WON), (ben, "Well fought!", LOST)):
        card = person.page.get_by_label("Result", exact=True)
        expect(card).to_contain_text(headline)
        expect(card).to_contain_text(sentence)
        expect(card).to_contain_text("Marshal found the Flag on a3 on turn 3")
        expect(card.get_by_role("link", name="Review")).to_have_attribute("href", f"/replay/{match}?review=1")
        expect(card.get_by_role("link", name="New game")).to_be_visible()
        expect(card.get_by_role("button", name="Share")).to_be_visible()
        expect(card.get_by_role("button", name="Rematch")).to_be_enabled()
        expect(person.page.locator('main > [role="status"]')).to_have_text(sentence)
        expect(person.cell("b3")).to_have_attribute("aria-label", re.compile("Spy"))
        expect(person.cell("c1")).to_have_attribute("aria-label", re.compile("Flag"))
    anna.page.get_by_label("Result", exact=True).get_by_role("button", name="Rematch").click()
    ben.button("Accept rematch").click()
    for person in (anna, ben):
        person.page.wait_for_url(lambda url: "/play/" in url and match not in url)


def test_the_link_to_the_replay_is_copied(new_person: NewPerson, served: Served) -> None:
    anna = new_person("Anna")
    anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    match = lay(served.folder, _match(*BEFORE, LAST), {Side.SOUTH: anna.guest()}, level="random")
    anna.sit(match)
    anna.page.evaluate("delete Navigator.prototype.share")
    anna.button("Share").click()
    expect(anna.page.get_by_text("Link copied")).to_be_visible()
    link = anna.page.evaluate("navigator.clipboard.readText()")
    anna.open(link)
    expect(anna.page.get_by_role("grid")).to_be_visible()


def test_two_at_one_screen_see_the_same_end(new_person: NewPerson, served: Served) -> None:
    anna = new_person("Anna", has_motion=True)
    guest = anna.guest()
    match = lay(served.folder, _match(*BEFORE), {Side.SOUTH: guest, Side.NORTH: guest})
    anna.open(f"/play/{match}")
    anna.button(re.compile("lift the curtain")).click()
    anna.sees_number()
    anna.button("Close").or_(anna.button("Continue")).first.click()
    _win(anna)
    card = anna.page.get_by_label("Result", exact=True)
    expect(card).to_contain_text("Anna wins!")
    expect(card).to_contain_text(DECIDED)
    expect(anna.page.locator(".celebration")).to_be_visible()
    anna.reload()
    expect(card).to_contain_text(DECIDED)
    expect(card.get_by_role("button", name="Rematch")).to_be_enabled()
    expect(anna.page.locator(".celebration")).not_to_be_attached()


def test_a_cancelled_game_stays_closed(new_person: NewPerson, served: Served) -> None:
    anna, ben = new_person("Anna"), new_person("Ben")
    seats = {Side.SOUTH: anna.guest(), Side.NORTH: ben.guest()}
    match = lay(served.folder, _match(BEFORE[0]), seats)
    anna.sit(match)
    ben.sit(match)
    ben.button("Cancel game").click()
    ben.page.get_by_role("dialog").get_by_role("button", name="Cancel game").click()
    for person, hidden in ((anna, "b3"), (ben, "b1")):
        card = person.page.get_by_label("Result", exact=True)
        expect(card).to_contain_text("The game was cancelled")
        expect(card.get_by_role("link", name="Review")).not_to_be_attached()
        expect(card.get_by_role("button", name="Share")).not_to_be_attached()
        expect(person.cell(hidden)).to_have_attribute("aria-label", re.compile("unknown"))


@pytest.mark.parametrize("way", ["Escape", "Back", "button"])
def test_the_sheet_of_a_phone_is_closed_to_look_at_the_board(
    new_person: NewPerson, served: Served, way: str
) -> None:
    anna = new_person("Anna", PHONE)
    match = lay(served.folder, _match(*BEFORE), {Side.SOUTH: anna.guest()})
    anna.sit(match)
    _win(anna)
    card = anna.page.get_by_label("Result", exact=True)
    expect(card).to_be_visible()
    _close(anna, way, "Look at the board")
    expect(card).not_to_be_attached()
    expect(anna.page).to_have_url(re.compile(f"/play/{match}$"))
    anna.cell("b3").click()
    anna.page.get_by_role("button", name="Result", exact=True).click()
    expect(card).to_contain_text(WON)


@pytest.mark.parametrize("way", ["Escape", "Back", "button"])
def test_the_tabs_of_a_phone_are_closed(new_person: NewPerson, served: Served, way: str) -> None:
    anna = new_person("Anna", PHONE)
    match = lay(served.folder, _match(*BEFORE), {Side.SOUTH: anna.guest()})
    anna.sit(match)
    sheet = anna.page.get_by_role("region", name="More about the game")
    for tab in ("Moves", "Piece"):
        anna.button(tab).click()
        expect(sheet).to_be_visible()
    _close(anna, way, "Close ✕")
    expect(sheet).not_to_be_attached()
    expect(anna.page).to_have_url(re.compile(f"/play/{match}$"))
    expect(anna.cell("a2")).to_be_visible()


def test_back_closes_the_army_sheet_and_then_the_tab_below_it(new_person: NewPerson, served: Served) -> None:
    anna = new_person("Anna", PHONE)
    match = lay(served.folder, _match(*BEFORE), {Side.SOUTH: anna.guest()})
    anna.sit(match)
    tab, armies = anna.page.get_by_role("region", name="More about the game"), anna.page.get_by_role("dialog")
    anna.button("More").click()
    anna.button("Army sheet").click()
    expect(armies).to_be_visible()
    anna.page.go_back()
    expect(armies).to_be_hidden()
    expect(tab).to_be_visible()
    anna.page.go_back()
    expect(tab).not_to_be_attached()
    expect(anna.page).to_have_url(re.compile(f"/play/{match}$"))


def _close(person: Person, way: str, button: str) -> None:
    if way == "Escape":
        person.page.keyboard.press("Escape")
    elif way == "Back":
        person.page.evaluate("history.back()")
    else:
        person.button(button).click()


def test_an_illegal_click_keeps_the_selection_and_says_why(new_person: NewPerson, served: Served) -> None:
    anna = new_person("Anna")
    match = lay(served.folder, _match(*BEFORE), {Side.SOUTH: anna.guest()})
    anna.sit(match)
    anna.cell("a2").click()
    said = anna.page.get_by_role("group", name="This turn")
    for square, why in (("b3", "straight lines"), ("c3", "straight"), ("c1", "straight")):
        anna.cell(square).click()
        expect(said).to_contain_text(why)
        expect(said).not_to_contain_text("Line 1")
    expect(anna.cell("a2")).to_have_attribute("aria-selected", "true")
    _win(anna)
