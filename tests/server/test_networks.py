"""Networks as opponents: offered for their game, found again after a restart, missed without damage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from flagfall.edition import load_game, resolve
from flagfall.engine.action import Action
from flagfall.languages import LANGUAGES, use_language
from flagfall.match import Match, Seating
from flagfall.server import networks
from flagfall.server.api.catalogue import game_info
from flagfall.server.errors import RequestError
from flagfall.server.sessions.games import check_level
from flagfall.server.settings import SettingsError
from flagfall.server.workers import Job, LivePlayers
from flagfall.server.workers.jobs import Answer
from flagfall.setups import read_setup
from tests.server.served import Guest, pick, serving
from tests.training.networks import random_network, written

GAME = load_game("mini/3x4")
USUAL = resolve(GAME, {})


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    file = written(tmp_path, "small.safetensors", random_network("mini/3x4"))
    networks.offer_networks([file])
    game_info.cache_clear()  # type: ignore[attr-defined]
    yield file
    networks.offer_networks([])
    game_info.cache_clear()  # type: ignore[attr-defined]


def levels(game_id: str) -> list[str]:
    return [level.id for level in game_info(load_game(game_id)).levels]


def test_a_network_is_offered_for_its_game_only(file: Path) -> None:
    assert levels("mini/3x4")[-1] == "network-small"
    assert "network-small" not in levels("mini/3x3")
    check_level("network-small", GAME, USUAL)
    other = load_game("mini/3x3")
    with pytest.raises(RequestError) as refused:
        check_level("network-small", other, resolve(other, {}))
    assert refused.value.code == "not-found"


def test_a_network_has_a_line_in_every_language(file: Path) -> None:
    lines = set()
    for language in LANGUAGES:
        with use_language(language):
            lines.add(game_info(GAME).levels[-1].character)
    assert len(lines) == len(LANGUAGES)


def test_options_that_it_cannot_play_with_are_refused(file: Path) -> None:
    with pytest.raises(RequestError) as refused:
        check_level("network-small", GAME, resolve(GAME, {"rescue": "on"}))
    assert refused.value.code == "option"


def asked(players: LivePlayers, **facts: Any) -> Answer:
    job = Job(game=GAME.id, options={}, player="network-small", seed="one", match="one", **facts)
    answer = players.answer(msgspec.msgpack.encode(job))
    assert answer is not None
    return msgspec.msgpack.decode(answer, type=Answer)


def test_a_worker_lets_a_network_set_up_and_act(file: Path) -> None:
    players = LivePlayers()
    match = Match.created(GAME, USUAL, Seating("Anna", "Computer (network-small)"), 0)
    for side in ("south", "north"):
        code = asked(players, side=int(side == "north"), network=networks.network_file("network-small")).setup
        read_setup(GAME, side == "north", code)
        match.seal(side, code, 0)
    acted = 0
    while not match.is_over and acted < 20:
        mover = match.to_move
        assert mover is not None
        answer = asked(
            players,
            side=("south", "north").index(mover),
            network=networks.network_file("network-small"),
            view=msgspec.json.encode(match.view(mover, forgets=False)),
            history=msgspec.json.encode(match.history(mover)),
        )
        assert answer.action is not None, answer
        match.act(mover, None, Action.unpack(answer.action), 0)
        acted += 1
    assert acted > 0


def test_a_network_that_is_gone_is_said_to_be(file: Path) -> None:
    assert not networks.is_missing("network-small")
    networks.offer_networks([])
    assert networks.is_missing("network-small")
    assert not networks.is_missing("marshal")
    with pytest.raises(RequestError) as refused:
        networks.network_file("network-small")
    assert refused.value.code == "not-found"


def test_a_client_cannot_name_the_file_of_a_network(file: Path) -> None:
    for level in (f"net:{file}", f"network-{file}", "network-../small", "net:small"):
        with pytest.raises(RequestError):
            check_level(level, GAME, USUAL)
    assert asked(LivePlayers(), side=0).error == "UnknownPlayerError"


@pytest.mark.parametrize("name", ["Großes Netz.safetensors", "x" * 30 + ".net", ".net"])
def test_a_file_name_that_gives_no_id_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="letters a to z"):
        networks.offer_networks([written(tmp_path, name, random_network("mini/3x4"))])


def test_a_file_that_is_no_network_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "small.net"
    file.write_text("nothing")
    with pytest.raises(SettingsError, match="not a network of Flagfall"):
        networks.offer_networks([file])


def test_a_guest_plays_a_whole_game_against_a_network(tmp_path: Path) -> None:
    network, folder, rng = (
        written(tmp_path, "small.net", random_network("mini/3x3")),
        tmp_path / "data",
        Random(3),
    )
    folder.mkdir()
    with serving(folder, networks=str(network)) as served, Guest(served, "Anna") as anna:
        levels = anna.get("/api/games/mini/3x3")["levels"]
        assert (levels[-1]["id"], levels[-1]["name"]) == ("network-small", "Network")
        state = anna.post(
            "/api/matches", game="mini/3x3", opponent="computer", level="network-small", side="south"
        )
        match, acted = state["match"], 0
        anna.post(f"/api/matches/{match}/setup", code=anna.code("mini/3x3", "south"))
        state = anna.state(match)
        while state["phase"] != "over" and acted < 60:
            if state["to_move"] == "south" and state["choices"]:
                chosen = pick(state, rng)["text"]
                state = anna.post(f"/api/matches/{match}/act", number=state["number"], text=chosen)
                acted += 1
            else:
                state = anna.state(match, since=state["number"], wait_s=20)
        assert state["phase"] == "over"
        assert acted > 0
        assert state["seats"]["north"]["level"] == "network-small"
        assert "Traceback" not in served.log()
