"""Two people: by link with a browser each, and at one screen with a curtain between them."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import DESK, PHONE, NewPerson
from tests.e2e.person import Person
from tests.e2e.steer import steer

GAME = "spin-master/duel"
TURNS = 3
SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])


@SIZES
def test_by_link(new_person: NewPerson, size: tuple[int, int]) -> None:
    anna, ben = new_person("Anna", size), new_person("Ben", size)
    anna.begins(GAME, against="A friend", side="south")
    link = anna.page.get_by_label("Link to the game").input_value()
    ben.open(link)
    ben.page.locator("main").get_by_role("button", name=re.compile("^(Join|Play|Sit down)")).click()
    ben.page.wait_for_url("**/play/*")
    for person in (ben, anna):
        person.is_ready()
    rng = Random(1)
    for person in (anna, ben) * TURNS:
        assert person.awaits_turn()
        person.play(steer(person.state, rng))
        while person.state["to_move"] in person.state["yours"]:
            person.play(steer(person.state, rng))
    assert anna.state["viewer"] == "south"
    assert ben.state["viewer"] == "north"
    anna.awaits_turn()
    assert anna.standing() == ben.standing()
    for person in (anna, ben):
        assert _fits(person)
    ben.resigns()
    expect(anna.page.get_by_label("Result")).to_contain_text("You win")


@SIZES
def test_at_one_screen(new_person: NewPerson, size: tuple[int, int]) -> None:
    """Nothing of either side is on the page, in storage or on its way while the curtain is down."""
    anna = new_person("Anna", size, has_motion=True).begins(GAME, against="A friend", way="Share this screen")
    for _ in range(2):
        _is_curtain(anna)
        _lifts(anna)
        anna.is_ready()
    rng = Random(2)
    for turn in range(TURNS):
        _is_curtain(anna)
        _lifts(anna)
        assert anna.awaits_turn()
        side = anna.state["viewer"]
        assert side == ("south", "north")[turn % 2]
        if turn:
            anna.button("Continue").click()
        anna.play(steer(anna.state, rng))
        while anna.state["to_move"] == side:
            anna.play(steer(anna.state, rng))
        anna.button(re.compile("pass the device")).click()
    _is_curtain(anna)
    anna.reload()
    _is_curtain(anna)


def _curtain(person: Person) -> Locator:
    """The curtain that is down; one that was lifted may still be sliding away."""
    return person.page.locator("dialog[open]")


def _lifts(person: Person) -> None:
    person.state = {}
    _curtain(person).get_by_role("button", name=re.compile("lift the curtain")).click()


def _is_curtain(person: Person) -> None:
    expect(_curtain(person).get_by_role("heading", name=re.compile("Pass the device"))).to_be_visible()
    assert person.page.locator('[role="gridcell"], .tile, [role="grid"]').count() == 0
    while person.state.get("viewer") != "watcher":
        person.page.evaluate("0")
    kept: dict[str, str] = person.page.evaluate("({...localStorage, ...sessionStorage})")
    assert set(kept) <= {"flagfall.settings", "flagfall.opponent"}, kept
    assert not [one for one in person.state["view"]["pieces"] if one.get("kind") and not one.get("is_told")]


def _fits(person: Person) -> bool:
    """No part of the page is outside the screen."""
    return bool(person.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
