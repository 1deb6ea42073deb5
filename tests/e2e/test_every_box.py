"""A training game of each box, on a desk or a phone: a hint is played and taken back; the end."""

from __future__ import annotations

from random import Random

from playwright.sync_api import expect

from flagfall.edition import load_game, resolve
from flagfall.match import Match, Seating
from flagfall.setups import random_setup
from flagfall.sides import SIDES, Side
from tests.e2e.conftest import DESK, PHONE, NewPerson
from tests.e2e.person import Person
from tests.e2e.position import lay

GAMES = (
    "onyx/classic",
    "duel-masters/elemental-powers",
    "lotr/special-powers",
    "fire-and-ice/special-powers",
    "spin-master/standard",
)


def _sit(person: Person, game_id: str, side: Side) -> None:
    """Sit down to a training game in which the person is to move."""
    game = load_game(game_id)
    names = {side: "Anna", side.other: "Computer (greedy)"}
    match = Match.created(
        game, resolve(game, {}), Seating(names[Side.SOUTH], names[Side.NORTH]), 0, is_training=True
    )
    for owner in SIDES:
        match.seal(owner, random_setup(game, owner, Random(8)), 0, f"salt of the {owner}")
    if side is Side.NORTH:
        match.act("south", None, match.view("south").legal[0], 0)
    person.state = {}
    person.sit(lay(person.served.folder, match, {side: person.guest()}, level="greedy"))
    assert person.awaits_turn()


def test_hint_take_back_and_end(new_person: NewPerson) -> None:
    for number, game in enumerate(GAMES):
        person = new_person()
        width, height = (DESK, PHONE)[number % 2]
        person.page.set_viewport_size({"width": width, "height": height})
        _sit(person, game, SIDES[number % 2])
        _play(person, game)


def _play(person: Person, game: str) -> None:
    coach = person.page.get_by_role("region", name="Coach")
    before, number = person.standing(), int(person.state["number"])
    with person.page.expect_response("**/hint") as heard:
        coach.get_by_role("button", name="Hint").click()
    advice = heard.value.json()
    assert advice["choice"] in person.state["choices"], game
    expect(coach).to_contain_text(advice["reason"])
    assert not advice["reason"].startswith("Your chance"), f"{game}: a hint says why"
    coach.get_by_role("button", name="Play it").click()
    assert person.awaits_turn(number), game
    number = int(person.state["number"])
    coach.get_by_role("button", name="Take back").click()
    person.sees_number(number)
    assert person.standing() == before, game
    person.resigns()
    expect(person.page.get_by_label("Result", exact=True)).to_contain_text("You lose: you resigned.")
    expect(person.page.locator(".tile.back")).to_have_count(0)
