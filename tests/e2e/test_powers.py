"""Every power of every game by mouse, of every box by keyboard; a reload lands in the same step of a turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESK, Look, Profiles
from tests.e2e.person import Person, Way
from tests.e2e.position import OTHER, Position, lay, position, positions
from tests.server.served import Served


@pytest.fixture(scope="module")
def player(profiles: Profiles, served: Served) -> Iterator[Person]:
    """One person for all positions: the client is loaded once, as in an evening of many games."""
    look = Look(served.url, DESK, is_dark=False, has_motion=False, bypass_csp=False)
    person = Person(profiles.page(look), served, "Anna")
    yield person
    person.leaves()
    person.context.close()


@pytest.fixture
def anna(player: Person, request: pytest.FixtureRequest) -> Iterator[Person]:
    failures = request.session.testsfailed
    yield player
    faults = list(player.faults)
    player.faults.clear()
    if faults or request.session.testsfailed > failures:
        player.open("about:blank")  # the next test does not begin on a page where something went wrong
    assert not faults, faults


def _sits(anna: Person, stands: Position) -> None:
    """Sit down at a position in which it is one's turn."""
    anna.sit(lay(anna.served.folder, stands.match(("Anna", "Ben")), {stands.seat: anna.guest()}))
    assert anna.state["choices"]


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


def _once_in_each_box() -> list[str]:
    """Positions without those that show the same power, with the same options, in another game of the box."""
    found: dict[tuple[str, str, str], str] = {}
    for name in positions():
        stands = position(name)
        found.setdefault((stands.game.split("/")[0], stands.power, str(stands.options)), name)
    return list(found.values())


@pytest.mark.parametrize("name", positions())
def test_by_mouse(anna: Person, name: str) -> None:
    stands = position(name)
    _sits(anna, stands)
    _plays(anna, stands, "mouse", reloads=True)


@pytest.mark.parametrize("name", _once_in_each_box())
def test_by_keyboard(anna: Person, name: str) -> None:
    stands = position(name)
    _sits(anna, stands)
    _plays(anna, stands, "keys", reloads=False)
