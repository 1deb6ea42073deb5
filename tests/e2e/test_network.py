"""A network that a server offers is chosen, plays, and is named like any other opponent."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPerson
from tests.server.served import Served, serving
from tests.training.networks import random_network, written

GAME = "mini/3x4"
TURNS = 3


@pytest.fixture
def offering(site: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that offers one network, of random weights."""
    folder = tmp_path_factory.mktemp("network")
    file = written(folder, "small.safetensors", random_network(GAME))
    with serving(folder, networks=str(file)) as running:
        yield running


def test_a_network_is_chosen_in_the_dialog_and_answers_some_turns(
    new_person: NewPerson, offering: Served
) -> None:
    anna = new_person("Anna", at=offering)
    anna.begins(GAME, against="Network", side="south")
    anna.is_ready()
    above, played = -1, 0
    while played < TURNS and anna.awaits_turn(above):
        above = int(anna.state["number"])
        back = [one for one in anna.state["choices"] if not one["is_attack"]]
        anna.play((back or anna.state["choices"])[0])
        played += 1
    assert played > 0
    anna.awaits_turn(above)  # the network has answered, or the game is over
    assert anna.state["seats"]["north"]["level"] == "network-small"
    expect(anna.page.get_by_text(re.compile("^Network")).first).to_be_visible()
