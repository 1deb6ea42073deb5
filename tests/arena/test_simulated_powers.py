"""Games with powers are simulated, recorded and replayed like any other, a box of one's own too."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from flagfall.arena.simulate import Simulation, play_one
from flagfall.edition import game_ids, load_file, load_game
from flagfall.edition.load import game_finder
from flagfall.match import from_record, walk
from flagfall.notation import from_json

HARBOUR = Path(__file__).resolve().parents[2] / "examples" / "harbour.toml"
WITH_POWERS = [game for game in game_ids() if load_game(game).has_powers]
SAMPLE = [f"{HARBOUR}#{name}" for name in load_file(HARBOUR).games]


@pytest.mark.parametrize("address", [*WITH_POWERS, *SAMPLE], ids=lambda address: Path(address).name)
@pytest.mark.parametrize("players", [("random", "random"), ("greedy", "random")], ids="-".join)
def test_a_simulated_game_comes_back_from_its_record(address: str, players: tuple[str, str]) -> None:
    played = play_one(Simulation(address, (), 5, players), 0)
    record = from_json(played.line)
    find = game_finder(HARBOUR)
    match = from_record(record, find_game=find)
    assert match.is_over
    assert (match.result.winner, match.result.reason) == (played.winner, played.reason)  # type: ignore[union-attr]
    assert match.turn in (played.turns, played.turns - 1)
    for viewer in ("south", "north", "watcher", "truth"):
        views = list(walk(record, viewer, find))
        assert len(views) == played.turns + 1
        assert msgspec.json.encode(views[-1])


def test_the_same_seed_gives_the_same_game_and_another_seed_another() -> None:
    plan = Simulation(SAMPLE[0], (), 7)
    assert play_one(plan, 3) == play_one(plan, 3)
    assert play_one(plan, 3).line != play_one(Simulation(SAMPLE[0], (), 8), 3).line


def test_there_are_games_with_powers_in_three_boxes_and_in_the_sample() -> None:
    assert {game.split("/")[0] for game in WITH_POWERS} == {"duel-masters", "lotr", "fire-and-ice"}
    assert any(load_game(address).has_powers for address in SAMPLE)
