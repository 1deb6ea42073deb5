"""axe finds nothing on any page: desk and phone, light, dark and high contrast; no page is too wide."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from flagfall.edition import load_game, resolve
from flagfall.match import Match, Seating
from flagfall.setups import random_setup
from flagfall.sides import SIDES, Side
from tests.e2e.conftest import DESK, PHONE, NewPerson
from tests.e2e.person import Person
from tests.e2e.position import lay, position

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
RUN = """async (rules) => (await axe.run(document, {resultTypes: ["violations"],
        ...(rules.length ? {runOnly: rules} : {})})).violations.map(
    one => `${one.id}: ${one.help}: ${one.nodes.map(node => node.target.join(" ")).join(", ")}`)"""
LOOKS = {
    "light": ("light", "normal"),
    "dark": ("dark", "normal"),
    "light, high contrast": ("light", "more"),
    "dark, high contrast": ("dark", "more"),
}
"""the attributes that the settings give the page"""
SET_LOOK = "([theme, contrast]) => Object.assign(document.documentElement.dataset, {theme, contrast})"
COLOURS = ["color-contrast"]
"""the rules of axe that depend on the look"""


class Examiner:
    """Looks at what a person has before them."""

    def __init__(self, person: Person) -> None:
        self.person, self.found = person, dict[str, Any]()

    def look(self, where: str) -> None:
        """Remember what is wrong here, at any size and in any look."""
        for size in (PHONE, DESK):
            for look in LOOKS:
                self._run(where, size, look, [] if look == "light" else COLOURS)

    def glance(self, where: str) -> None:
        """Remember what is wrong here, with each size and each theme once."""
        self._run(where, PHONE, "dark", [])
        self._run(where, DESK, "light", [])

    def _run(self, where: str, size: tuple[int, int], look: str, rules: list[str]) -> None:
        page = self.person.page
        if not page.evaluate("typeof axe === 'object'"):
            page.add_script_tag(path=AXE)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(SET_LOOK, LOOKS[look])
        if wrong := page.evaluate(RUN, rules):
            self.found[f"{where}, {size[0]} px, {look}"] = wrong
        if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            self.found[f"{where}, {size[0]} px"] = "the page is wider than the screen"


@pytest.fixture
def examined(new_person: NewPerson) -> Iterator[Examiner]:
    examiner = Examiner(new_person("Anna", bypass_csp=True))
    yield examiner
    assert not examiner.found, json.dumps(examiner.found, indent=1)


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


def test_before_a_game(examined: Examiner, new_person: NewPerson) -> None:
    person = examined.person.faces("random", "spin-master/standard")
    expect(person.button(re.compile("^Ready"))).to_be_enabled()
    examined.look("setup")
    person.begins("spin-master/duel", against="A friend")
    link = person.page.get_by_label("Link to the game").input_value()
    examined.look("waiting")
    ben = new_person("Ben", bypass_csp=True).open(link)
    examined.person = ben
    expect(ben.page.get_by_role("heading", level=1)).to_be_visible()
    ben.page.wait_for_load_state("networkidle")
    examined.look("join")


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
        examined.glance(f"{name}, playing")
        choice = person.choice(stands.turn[0])
        person.cell(choice["origin"]).click()
        examined.glance(f"{name}, a piece in the hand")
        if choice["power"]:
            person.page.locator(f'[data-special="{choice["verb"]} {choice["power"]}"]').click()
            (examined.look if name.startswith("lotr") else examined.glance)(f"{name}, a power chosen")
            person.page.keyboard.press("Escape")
            person.page.keyboard.press("Escape")
        person.play(choice)
        examined.glance(f"{name}, asked")
        person.page.keyboard.press("s")
        expect(person.page.get_by_role("dialog")).to_be_visible()
        examined.glance(f"{name}, army sheet")
    stands = position("mini.3x4.long-run")
    person.open(f"/play/{lay(folder, stands.match(('Anna', 'Ben')), {Side.SOUTH: mine, Side.NORTH: mine})}")
    expect(person.button(re.compile("lift the curtain"))).to_be_visible()
    examined.glance("curtain")
    person.button(re.compile("lift the curtain")).click()
    person.awaits_turn()
    examined.glance("after the curtain")
    over = stands.match(("Anna", "Ben"))
    over.resign("south", 0)
    match = lay(folder, over, {Side.SOUTH: mine})
    person.sit(match)
    examined.look("over")
    person.open(f"/replay/{match}")
    expect(person.page.get_by_role("heading", level=1)).to_be_visible()
    person.page.wait_for_load_state("networkidle")
    examined.look("replay")


def test_the_coach(examined: Examiner) -> None:
    person, game = examined.person, load_game("barrage/classic")
    match = Match.created(game, resolve(game, {}), Seating("Anna", "Computer"), 0, is_training=True)
    for side in SIDES:
        match.seal(side, random_setup(game, side, Random(3)), 0, f"salt of the {side}")
    person.sit(lay(person.served.folder, match, {Side.SOUTH: person.guest()}, level="random"))
    person.awaits_turn()
    coach = person.page.get_by_role("region", name="Coach")
    coach.get_by_role("button", name="Hint").click()
    expect(coach).to_contain_text("Your chance to win is about")
    examined.look("a hint")
    enemy = next(square for square, side in person.standing().items() if side == "north")
    person.cell(enemy).click()
    coach.get_by_role("button", name=f"What is {enemy}?").click()
    expect(coach.get_by_role("list")).to_contain_text("%")
    examined.glance("what a piece might be")


def test_the_note_of_a_level_that_warms_up_is_whole_on_a_phone(new_person: NewPerson) -> None:
    person = new_person(size=PHONE)

    def warm_up(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(
            lambda text: socket.send(str(text).replace('"is_warming_up":false', '"is_warming_up":true'))
        )

    person.page.route_web_socket("**/*", warm_up)
    stands = position("mini.3x4.long-run")
    seats = {Side.SOUTH: person.guest()}
    person.open(f"/play/{lay(person.served.folder, stands.match(('Anna', 'Ben')), seats, level='random')}")
    note = person.page.get_by_text("Warming up: a little easier for a minute").first
    expect(note).to_be_in_viewport(ratio=1)
    assert note.evaluate("one => one.scrollWidth <= one.clientWidth")
