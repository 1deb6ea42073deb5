"""Another guest's cookie opens nothing: a visitor sees the public board."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from flagfall.edition import load_game
from tests.e2e.conftest import DESK, PHONE, NewPerson
from tests.e2e.position import lay, position

STANDS = "lotr.special-powers.repeat-attack"


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_stranger_watches(new_person: NewPerson, size: tuple[int, int]) -> None:
    anna, eve = new_person("Anna"), new_person("Eve", size)
    stands = position(STANDS)
    played = stands.match(("Anna", "Ben"))
    match = lay(anna.served.folder, played, {stands.seat: anna.guest()})
    anna.sit(match)
    eve.guest()
    eve.sit(match)
    assert eve.state["viewer"] == "watcher"
    assert eve.state["choices"] == eve.state["can"] == eve.state["yours"] == []
    public = {piece.cell for piece in played.view("watcher").pieces if not piece.kind}
    assert public
    names = {name for kind in load_game(stands.game).kinds for name in kind.names.values()}
    for square in sorted(public):
        label = eve.cell(square).get_attribute("aria-label") or ""
        assert not any(name in label for name in names), label
        expect(eve.cell(square).locator(".tile.back")).to_be_visible()
    eve.cell(next(iter(stands.turn))[:2]).click()
    assert eve.page.locator('[aria-selected="true"]').count() == 0
    assert eve.button("Resign").count() == 0
    eve.page.goto(f"/play/{match}?as={stands.seat}")
    eve.sees_number()
    assert eve.state["viewer"] == "watcher"


def test_without_a_cookie_the_seat_is_gone(new_person: NewPerson) -> None:
    anna = new_person("Anna")
    stands = position(STANDS)
    match = lay(anna.served.folder, stands.match(("Anna", "Ben")), {stands.seat: anna.guest()})
    anna.sit(match)
    assert anna.state["viewer"] == stands.seat
    anna.context.clear_cookies()
    anna.reload()
    anna.sees_number()
    assert anna.state["viewer"] == "watcher"
