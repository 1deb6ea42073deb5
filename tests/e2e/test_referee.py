"""What cannot be done is explained on the page, in the referee's own sentence."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from flagfall.sides import Side
from tests.e2e.conftest import DESK, PHONE, NewPerson
from tests.e2e.person import Person
from tests.e2e.position import lay, position

STANDS = "spin-master.standard.long-run"


def _sits(new_person: NewPerson, size: tuple[int, int]) -> Person:
    anna = new_person("Anna", size)
    return anna.sit(
        lay(anna.served.folder, position(STANDS).match(("Anna", "Ben")), {Side.SOUTH: anna.guest()})
    )


def _referee(person: Person, text: str) -> str:
    """What the referee says to a text."""
    path = f"/api/matches/{person.state['match']}/act"
    answer = person.context.request.post(path, data={"number": person.state["number"], "text": text})
    assert answer.status >= 400
    return str(answer.json()["sentence"])


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_an_illegal_move_by_mouse(new_person: NewPerson, size: tuple[int, int]) -> None:
    anna = _sits(new_person, size)
    before = anna.standing()
    movable = next(one["origin"] for one in anna.state["choices"] if one["verb"] == "move")
    column = "a" if movable[0] != "a" else "j"
    far = f"{column}{8 if anna.standing().get(f'{column}8') else 5}"
    said = _referee(anna, f"{movable}{'x' if far in before else '-'}{far}")
    anna.cell(movable).click()
    anna.cell(far).click()
    expect(anna.page.locator(".sentence")).to_have_text(said)
    assert anna.standing() == before


@pytest.mark.parametrize("text", ["b3-b4-c9", "xyzzy 12", "a1 a10", "😀", "d4 spot"])
def test_what_is_written_wrongly(new_person: NewPerson, text: str) -> None:
    anna = _sits(new_person, DESK)
    said = _referee(anna, {"a1 a10": "a1-a10"}.get(text, text))
    box = anna.page.get_by_label("Command")
    box.fill(text)
    box.press("Enter")
    expect(anna.page.locator(".sentence")).to_have_text(said)


def test_a_move_can_be_written(new_person: NewPerson) -> None:
    anna = _sits(new_person, DESK)
    before, choice = anna.state["number"], anna.choice("b3-b5")
    box = anna.page.get_by_label("Command")
    box.fill("b3 b5")
    box.press("Enter")
    anna.sees_number(before)
    assert anna.state["to_move"] == "north"
    assert choice["target"] in anna.standing()
