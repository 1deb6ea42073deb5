"""The server is killed during a game: the page says so, comes back by itself, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPerson
from tests.e2e.person import Person
from tests.e2e.steer import steer
from tests.server.served import Served

GAME = "spin-master/duel"
KILLS = 2
LOST = "Connection lost"


@pytest.fixture
def mortal(site: None, tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path).start()
    try:
        yield served
    finally:
        served.stop()


def test_killed_in_the_middle_of_a_game(new_person: NewPerson, mortal: Served) -> None:
    anna = new_person("Anna", at=mortal).faces("random", GAME)
    anna.is_ready()
    rng = Random(3)
    played: list[str] = []
    _plays(anna, rng, played, 2)
    for _ in range(KILLS):
        number = anna.state["number"]
        mortal.kill()
        expect(anna.page.get_by_text(LOST)).to_be_visible()
        mortal.start()
        expect(anna.page.get_by_text(LOST)).not_to_be_visible()
        assert anna.state["number"] >= number
        _plays(anna, rng, played, 2)
    if anna.state["phase"] != "over":
        anna.resigns()
    record = anna.context.request.get(f"/api/matches/{anna.state['match']}/record.json").json()
    turns = [turn["text"] for turn in record["turns"]]
    mine = turns[0 if anna.state["viewer"] == "south" else 1 :: 2]
    assert mine[: len(played)] == played


def _plays(person: Person, rng: Random, played: list[str], turns: int) -> None:
    """Whole turns, and what the server has acknowledged of them."""
    for _ in range(turns):
        if not person.awaits_turn():
            return
        plain = [one for one in person.state["choices"] if one["verb"] in ("move", "attack")]
        choice = steer({**person.state, "choices": plain}, rng)
        person.play(choice)
        played.append(choice["text"])
