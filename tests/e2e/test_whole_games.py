"""Two games to the Flag by mouse, from the first page on; some turns of every other game."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from flagfall.edition import game_ids
from tests.e2e.conftest import NewPerson
from tests.e2e.person import Person
from tests.e2e.steer import steer
from tests.server.served import essential

TO_THE_FLAG = ("spin-master/duel", "barrage/classic")
OTHERS = [game for game in game_ids() if game not in TO_THE_FLAG]
SOME_TURNS = 4
MAX_ACTIONS = 400
MAX_GAMES = 3


@pytest.mark.parametrize("game", TO_THE_FLAG)
def test_to_the_flag_by_mouse(new_person: NewPerson, game: str) -> None:
    """The person wins by the Flag; a game that ends otherwise is followed by a rematch."""
    anna = new_person("Anna").faces("random", game)
    for _ in range(MAX_GAMES):
        anna.is_ready()
        _plays_on(anna, Random(game), MAX_ACTIONS)
        result = anna.state["result"]
        expect(anna.page.get_by_label("Result")).to_contain_text(anna.state["verdict"])
        if result["reason"] == "flag captured" and result["winner"] in anna.state["yours"]:
            return
        anna.button("Rematch").click()
    raise AssertionError("the Flag was never found")


@pytest.mark.parametrize("game", OTHERS)
def test_some_turns(new_person: NewPerson, game: str) -> None:
    """Setup, four turns, a reload with a piece in the hand, and resigning."""
    anna = new_person("Anna").faces("random", game)
    anna.is_ready()
    if _plays_on(anna, Random(game), SOME_TURNS):
        before = anna.state
        origins = [choice["origin"] for choice in before["choices"] if choice["origin"]]
        if origins and not before["view"].get("prompt"):
            anna.cell(origins[0]).click()
        anna.reload()
        anna.sees_number()
        for told in ("number", "choices", "phase"):
            assert anna.state[told] == before[told]
        assert essential(anna.state["view"]) == essential(before["view"])
        anna.resigns()


def _plays_on(person: Person, rng: Random, most: int) -> bool:
    """Play until so many actions are done or the game is over; whether it goes on."""
    goes_on = person.awaits_turn()
    for _ in range(most):
        if not goes_on:
            break
        before = person.state["number"]
        person.play(steer(person.state, rng))
        goes_on = person.awaits_turn(before)
    return goes_on
