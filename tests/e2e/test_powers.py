"""Every power of every game, by mouse and by keyboard; a reload lands in the same step of a turn."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPerson
from tests.e2e.person import Person, Way
from tests.e2e.position import OTHER, Position, lay, position, positions


def _sits(new_person: NewPerson, stands: Position) -> Person:
    """Return a person at that position, whose turn it is."""
    names = ("Anna", "Ben")
    anna = new_person(names[0] if stands.seat == "south" else names[1])
    anna.sit(lay(anna.served.folder, stands.match(names), {stands.seat: anna.guest()}))
    assert anna.state["choices"]
    return anna


def _plays(person: Person, stands: Position, way: Way, *, reloads: bool) -> None:
    for at, text in enumerate(stands.turn):
        if at and reloads:
            asked, offered = person.state["view"]["prompt"], person.state["choices"]
            person.reload()
            person.sees_number()
            assert (person.state["view"]["prompt"], person.state["choices"]) == (asked, offered)
        person.play(person.choice(text), way)
        if at + 1 < len(stands.turn):
            assert person.state["to_move"] == stands.seat
            expect(person.page.get_by_label("Actions")).to_contain_text(person.state["prompt_words"])
    assert person.state["to_move"] == OTHER[stands.seat]
    played = stands.match(("Anna", "Ben"), len(stands.turn))
    assert person.state["turn"] == played.turn
    assert person.standing() == {piece.cell: piece.side for piece in played.view(stands.seat).pieces}


@pytest.mark.parametrize("name", positions())
def test_by_mouse(new_person: NewPerson, name: str) -> None:
    stands = position(name)
    _plays(_sits(new_person, stands), stands, "mouse", reloads=True)


@pytest.mark.parametrize("name", positions())
def test_by_keyboard(new_person: NewPerson, name: str) -> None:
    stands = position(name)
    _plays(_sits(new_person, stands), stands, "keys", reloads=False)
