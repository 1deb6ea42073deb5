"""axe finds nothing on any page, light and dark, on a desk and on a phone; no page is too wide."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from flagfall.sides import Side
from tests.e2e.conftest import DESK, PHONE, NewPerson
from tests.e2e.person import Person
from tests.e2e.position import lay, position

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
    one => `${one.id}: ${one.help}: ${one.nodes.map(node => node.target.join(" ")).join(", ")}`)"""
LOOKS = pytest.mark.parametrize(
    ("size", "is_dark"),
    [(DESK, False), (DESK, True), (PHONE, False), (PHONE, True)],
    ids=["desk-light", "desk-dark", "phone-light", "phone-dark"],
)
ONCE_EACH = pytest.mark.parametrize(
    ("size", "is_dark"), [(DESK, False), (PHONE, True)], ids=["desk-light", "phone-dark"]
)
"""each size and each theme once"""


class Examiner:
    """Looks at what a person has before them."""

    def __init__(self, person: Person) -> None:
        self.person, self.found = person, dict[str, Any]()

    def look(self, where: str) -> None:
        """Remember what is wrong here."""
        page = self.person.page
        if not page.evaluate("typeof axe === 'object'"):
            page.add_script_tag(path=AXE)
        if wrong := page.evaluate(RUN):
            self.found[where] = wrong
        if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            self.found[f"{where}, width"] = "the page is wider than the screen"


@pytest.fixture
def examined(new_person: NewPerson, size: tuple[int, int], is_dark: bool) -> Iterator[Examiner]:
    examiner = Examiner(new_person("Anna", size, is_dark=is_dark, bypass_csp=True))
    yield examiner
    assert not examiner.found, json.dumps(examiner.found, indent=1)


@LOOKS
def test_pages(examined: Examiner) -> None:
    person = examined.person
    for path, heading in (
        ("/", "Hidden armies"),
        ("/rules/lotr/destroy-the-ring", ""),
        ("/learn", "Learn to play"),
        ("/lobby", ""),
        ("/about", ""),
        ("/nowhere", ""),
    ):
        person.open(path)
        expect(person.page.get_by_role("heading", level=1)).to_contain_text(heading)
        person.page.wait_for_load_state("networkidle")
        examined.look(path)
    person.open("/")
    person.page.locator('button[data-game="onyx/classic"]').click()
    expect(person.page.get_by_role("dialog").locator("button[type=submit]")).to_be_visible()
    person.page.locator("summary").click()
    examined.look("new game")
    person.page.keyboard.press("Escape")
    expect(person.page.get_by_role("dialog")).not_to_be_visible()
    person.button("Settings").click()
    expect(person.page.get_by_role("dialog")).to_be_visible()
    examined.look("settings")


@LOOKS
def test_before_a_game(examined: Examiner, new_person: NewPerson) -> None:
    person = examined.person.faces("random", "spin-master/standard")
    expect(person.button(re.compile("^Ready"))).to_be_enabled()
    examined.look("setup")
    person.begins("spin-master/duel", against="A friend")
    link = person.page.get_by_label("Link to the game").input_value()
    examined.look("waiting")
    ben = new_person("Ben", bypass_csp=True).open(link)
    person.page.set_viewport_size(person.page.viewport_size or {"width": 1280, "height": 800})
    examined.person = ben
    expect(ben.page.get_by_role("heading", level=1)).to_be_visible()
    ben.page.wait_for_load_state("networkidle")
    examined.look("join")


@ONCE_EACH
def test_at_the_table(examined: Examiner) -> None:
    person = examined.person
    mine, folder = person.guest(), person.served.folder
    for name in (
        "lotr.special-powers.repeat-attack",
        "spin-master.standard.spotting",
        "fire-and-ice.special-powers.flight",
    ):
        stands = position(name)
        person.sit(lay(folder, stands.match(("Anna", "Ben")), {stands.seat: mine}))
        examined.look(f"{name}, playing")
        choice = person.choice(stands.turn[0])
        person.cell(choice["origin"]).click()
        examined.look(f"{name}, a piece in the hand")
        if choice["power"]:
            person.page.locator(f'[data-special="{choice["verb"]} {choice["power"]}"]').click()
            examined.look(f"{name}, a power chosen")
            person.page.keyboard.press("Escape")
            person.page.keyboard.press("Escape")
        person.play(choice)
        examined.look(f"{name}, asked")
        person.page.keyboard.press("s")
        expect(person.page.get_by_role("dialog")).to_be_visible()
        examined.look(f"{name}, army sheet")
    stands = position("mini.3x4.long-run")
    person.open(f"/play/{lay(folder, stands.match(('Anna', 'Ben')), {Side.SOUTH: mine, Side.NORTH: mine})}")
    expect(person.button(re.compile("lift the curtain"))).to_be_visible()
    examined.look("curtain")
    person.button(re.compile("lift the curtain")).click()
    person.awaits_turn()
    examined.look("after the curtain")
    over = stands.match(("Anna", "Ben"))
    over.resign("south", 0)
    match = lay(folder, over, {Side.SOUTH: mine})
    person.sit(match)
    examined.look("over")
    person.open(f"/replay/{match}")
    expect(person.page.get_by_role("heading", level=1)).to_be_visible()
    person.page.wait_for_load_state("networkidle")
    examined.look("replay")
