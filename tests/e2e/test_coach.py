"""A training game in the browser: hints, taking back, what a piece might be; by mouse, keyboard and phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from flagfall.edition import load_game, resolve
from flagfall.match import Match, Seating
from tests.e2e.conftest import DESK, PHONE, NewPerson
from tests.e2e.person import Person
from tests.e2e.position import lay, position
from tests.server.served import Json

GAME = "barrage/classic"
FIGHT = "lotr.special-powers.repeat-attack"
"""a position in which South attacks, wins, and may attack again"""
Size = tuple[int, int]


def _posts(person: Person, path: str, **body: object) -> Json:
    answer = person.context.request.post(path, data=body)
    assert answer.ok, answer.text()
    found: Json = answer.json()
    return found


def _sits(person: Person, *, training: bool = True) -> Person:
    """Sit down as South to a game against the computer that has begun."""
    person.guest()
    made = _posts(person, "/api/matches", game=GAME, level="greedy", side="south", training=training)
    code = _posts(person, f"/api/games/{GAME}/setup", side="south")["code"]
    _posts(person, f"/api/matches/{made['match']}/setup", code=code)
    person.sit(made["match"])
    assert person.awaits_turn()
    return person


def _coach(person: Person) -> Locator:
    return person.page.get_by_role("region", name="Coach")


def _moves(person: Person) -> None:
    """Play the first choice and wait for the answer."""
    number = int(person.state["number"])
    person.play(person.state["choices"][0])
    assert person.awaits_turn(number)


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_hint_is_shown_on_the_board_and_can_be_played(new_person: NewPerson, size: Size) -> None:
    anna = _sits(new_person(size=size))
    expect(anna.page.locator(".cell.movable")).to_have_count(
        len({choice["origin"] for choice in anna.state["choices"]})
    )
    number = int(anna.state["number"])
    with anna.page.expect_response("**/hint") as heard:
        _coach(anna).get_by_role("button", name="Hint").click()
    choice = heard.value.json()["choice"]
    expect(_coach(anna)).to_contain_text("Your chance to win is about")
    for square in (choice["origin"], choice["target"]):
        expect(anna.cell(square)).to_have_class(re.compile(r"\bhint\b"))
    _coach(anna).get_by_role("button", name="Play it").click()
    anna.sees_number(number)
    expect(anna.page.locator(".cell.hint")).to_have_count(0)
    assert anna.standing().get(choice["origin"]) != "south"


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_turn_is_taken_back(new_person: NewPerson, size: Size) -> None:
    anna = _sits(new_person(size=size))
    before = anna.standing()
    button = _coach(anna).get_by_role("button", name="Take back")
    expect(button).to_be_disabled()
    _moves(anna)
    assert anna.standing() != before
    number = int(anna.state["number"])
    button.click()
    anna.sees_number(number)
    assert anna.standing() == before
    expect(button).to_be_disabled()
    anna.reload()
    anna.sees_number()
    assert anna.standing() == before


def test_on_a_phone_the_buttons_are_in_reach_after_a_fight(new_person: NewPerson) -> None:
    stands = position(FIGHT)
    game = load_game(stands.game)
    seating = Seating("Anna", "Computer (greedy)")
    match = Match.created(game, resolve(game, stands.options), seating, 0, is_training=True)
    for side, setup in zip(("south", "north"), stands.setups, strict=True):
        match.seal(side, setup, 0, f"salt of the {side}")
    for text in stands.played:
        match.act(match.to_move or "", None, text, 0)
    anna = new_person(size=PHONE)
    anna.sit(lay(anna.served.folder, match, {stands.seat: anna.guest()}, level="greedy"))
    number = int(anna.state["number"])
    for text in stands.turn:
        anna.play(anna.choice(text))
    assert anna.awaits_turn(number)
    expect(anna.page.get_by_role("group", name="Battle")).to_be_visible()
    for name in ("Hint", "Take back"):
        expect(_coach(anna).get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


def test_two_tabs_show_the_same_after_taking_back(new_person: NewPerson) -> None:
    anna = _sits(new_person())
    before = anna.standing()
    _moves(anna)
    other = anna.context.new_page()
    other.goto(anna.page.url)
    button = other.get_by_role("button", name="Take back")
    expect(button).to_be_enabled()
    number = int(anna.state["number"])
    anna.page.keyboard.press("t")
    expect(button).to_be_disabled()
    anna.sees_number(number)
    assert anna.standing() == before


def test_by_keyboard_alone(new_person: NewPerson) -> None:
    anna = _sits(new_person())
    before = anna.standing()
    anna.page.keyboard.press("m")
    expect(_coach(anna)).to_contain_text("Your chance to win is about")
    anna.page.keyboard.press("Escape")
    expect(_coach(anna)).not_to_contain_text("Your chance to win")
    enemy = next(square for square, side in before.items() if side == "north")
    anna.cell(enemy).focus()
    anna.page.keyboard.press("w")
    expect(_coach(anna).get_by_role("list", name=f"What {enemy} might be")).to_contain_text("%")
    number = int(anna.state["number"])
    anna.play(anna.state["choices"][0], "keys")
    anna.awaits_turn(number)
    number = int(anna.state["number"])
    anna.page.keyboard.press("t")
    anna.sees_number(number)
    assert anna.standing() == before


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_what_a_piece_might_be(new_person: NewPerson, size: Size) -> None:
    anna = _sits(new_person(size=size))
    enemy = next(square for square, side in anna.standing().items() if side == "north")
    anna.cell(enemy).click()
    _coach(anna).get_by_role("button", name=f"What is {enemy}?").click()
    chances = _coach(anna).get_by_role("list", name=f"What {enemy} might be")
    expect(chances).to_be_in_viewport(ratio=0.99)
    expect(chances.get_by_role("listitem").first).to_contain_text("%")


def test_an_ordinary_game_has_no_coach(new_person: NewPerson) -> None:
    anna = _sits(new_person(), training=False)
    expect(_coach(anna)).to_have_count(0)
    expect(anna.page.locator(".cell.movable")).to_have_count(0)
    anna.page.keyboard.press("t")
    anna.page.keyboard.press("m")
    expect(_coach(anna)).to_have_count(0)


def test_training_is_chosen_with_the_opponent(new_person: NewPerson) -> None:
    anna = new_person().open("/")
    anna.page.locator(f'button[data-game="{GAME}"]').click()
    dialog = anna.page.get_by_role("dialog")
    dialog.get_by_text("More options").click()
    dialog.get_by_label("Training: hints and take-backs").check()
    dialog.locator("button[type=submit]").click()
    anna.page.wait_for_url("**/play/*")
    anna.is_ready()
    expect(_coach(anna)).to_be_visible()
    expect(anna.page.get_by_text("Training", exact=True)).to_be_visible()
