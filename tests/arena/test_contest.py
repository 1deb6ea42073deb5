"""Matches and leagues: pairs with sides exchanged, kept game by game, taken up again, stopped by a test."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

from flagfall.arena.contest import play_all, play_round
from flagfall.arena.contestants import ContestantError, read_contestant, seated
from flagfall.arena.plan import GameResult, GameSlot, Plan, rounds
from flagfall.arena.run_file import ResultsFile, RunFileError
from flagfall.arena.tally import costs
from flagfall.cli import matches
from flagfall.edition import game_ids
from flagfall.engine.action import MOVE, Action
from flagfall.match import from_record
from flagfall.notation import from_json
from flagfall.players.greedy import GreedyPlayer
from flagfall.setups import Setup, random_setup
from flagfall.view.view import SeenEvent, View


def plan(game: object = "mini/3x3", **changes: object) -> Plan:
    facts: dict[str, object] = {"game": game, "options": {}, "players": ("greedy", "random")}
    return msgspec.convert(facts | changes, Plan)


def played(game: str = "mini/3x3", number: int = 4, **changes: object) -> list[GameResult]:
    one = plan(game, **changes)
    return list(play_all(one, rounds(len(one.players), number), 1))


def test_everybody_meets_everybody_in_pairs() -> None:
    all_rounds = list(rounds(3, 4))
    assert len(all_rounds) == 3 * 4
    assert {(at.first, at.second) for at in all_rounds} == {(0, 1), (0, 2), (1, 2)}
    assert [(at.south, at.north) for at in all_rounds[:2]] == [(0, 1), (1, 0)]


@pytest.mark.parametrize("game", game_ids())
def test_the_two_games_of_a_pair_begin_alike_with_the_players_exchanged(game: str) -> None:
    first, second = (from_json(bytes(each.record)) for each in played(game, 2))
    assert first.setups == second.setups
    assert first.players == second.players[::-1] == ("greedy", "random")


def test_with_own_setups_each_player_makes_its_own() -> None:
    games = played("barrage/classic", 2, setups="own")
    first, second = (from_json(bytes(each.record)) for each in games)
    assert first.setups != second.setups


def test_a_game_of_a_match_is_a_record_that_can_be_replayed() -> None:
    for each in played("barrage/classic", 2):
        match = from_record(from_json(bytes(each.record)))
        assert match.result is not None
        assert (match.result.winner, match.result.reason) == (each.winner, each.reason)


def test_the_same_seed_gives_the_same_games_in_any_order_and_any_number_of_processes() -> None:
    one = plan("mini/3x4", seed=5)
    alone = [play_round(one, at) for at in reversed(list(rounds(2, 4)))]
    together = list(play_all(one, rounds(2, 4), 2))
    records = [sorted(bytes(each.record) for each in games) for games in (alone, together)]
    assert records[0] == records[1]


def test_an_overlong_game_is_drawn() -> None:
    each = played("barrage/classic", 2, most_turns=3)[0]
    assert (each.winner, each.reason, each.score) == ("", "turn limit", 0.5)
    assert each.turns == 4


def test_every_action_has_its_time_and_the_slowest_is_found_again() -> None:
    one = plan("barrage/classic", time_ms=1)
    games = list(play_all(one, rounds(2, 4), 1))
    for each in games:
        record = from_json(bytes(each.record))
        assert len(each.south.us) + len(each.north.us) >= len(record.turns)
    for player, cost in enumerate(costs(one, games)):
        times = [us for each in games for us in each.spent(player).us]
        assert cost.actions == len(times)
        assert cost.slowest_ms == max(times) / 1000
        assert cost.over == sum(us > 1000 for us in times)


class _Odd:
    """A player with a fault."""

    def __init__(self, fault: str) -> None:
        self.fault = fault

    def set_up(self, side: int) -> Setup:
        from flagfall.edition import load_game

        if self.fault == "setup":
            raise ZeroDivisionError("no idea")
        return random_setup(load_game("mini/3x3"), side, Random(1))

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        if self.fault == "crash":
            raise ValueError("lost\nmy way")
        return Action(MOVE, 13, 13)


@pytest.mark.parametrize(
    ("fault", "reason", "words"),
    [
        ("crash", "crashed", "It stops with ValueError: lost my way."),
        ("cheat", "illegal action", "It plays “a1-a1”, which is not legal."),
        ("setup", "crashed", "It stops with ZeroDivisionError: no idea."),
    ],
)
def test_a_player_that_fails_loses_that_game_and_the_record_says_why(
    monkeypatch: pytest.MonkeyPatch, fault: str, reason: str, words: str
) -> None:
    monkeypatch.setattr(
        "flagfall.arena.contest.seated",
        lambda who, *rest: _Odd(fault) if who.name == "random" else seated(who, *rest),
    )
    for at in rounds(2, 2):
        each = play_round(plan(setups="own"), at)
        assert each.winner == ("south" if at.leg == 0 else "north")
        assert (each.reason, each.trouble) == (reason, words)
        record = from_json(bytes(each.record))
        assert record.result is None
        assert any(reason in comment for comment in record.comments)


def test_a_budget_of_ones_own_and_a_cheater_behind_its_flag() -> None:
    assert read_contestant("greedy@time=50").time_ms == 50
    assert read_contestant("cmd:python bot.py@nodes=7").command == "python bot.py"
    assert read_contestant("cheater", allows_cheater=True).name == "greedy"
    with pytest.raises(ContestantError, match="--allow-cheater"):
        read_contestant("cheater:greedy")
    with pytest.raises(ContestantError, match="needs a command"):
        read_contestant("cmd: ")
    with pytest.raises(ContestantError, match="no time"):
        read_contestant("greedy@nodes=0")


def test_a_cheater_beats_the_same_player_without_a_mirror() -> None:
    games = played("lotr/classic", 16, players=("cheater:greedy", "greedy"), allows_cheater=True)
    assert sum(each.score for each in games) > 10


@pytest.mark.parametrize("game", game_ids())
def test_a_cheater_plays_every_game(game: str) -> None:
    each = played(game, 2, players=("cheater:greedy", "random"), allows_cheater=True)[0]
    assert not each.trouble


def test_a_match_goes_on_where_its_file_ends(tmp_path: Path) -> None:
    out, one = tmp_path / "match.jsonl", plan()
    with ResultsFile(one, out) as results:
        for each in play_all(one, rounds(2, 2), 1):
            results.add(each)
    out.write_bytes(out.read_bytes() + b'{"plan": {"ga')
    with ResultsFile(one, out) as results:
        assert len(results) == 2
        missing = [at for at in rounds(2, 4) if at not in results.games]
        assert missing == [GameSlot(0, 1, 1, 0), GameSlot(0, 1, 1, 1)]
        for each in play_all(one, missing, 1):
            results.add(each)
    with ResultsFile(one, out) as results:
        assert len(results.in_order()) == 4
    with ResultsFile(one, out, restarts=True) as results:
        assert len(results) == 0
    assert out.read_bytes() == b""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 9}, "there “seed” is 1, here 9"),
        ({"players": ("random", "random")}, "there “players” is greedy, random"),
        ({"options": {"memory": "notes"}}, "there “options” is none, here memory=notes"),
        ({"time_ms": None, "nodes": 5}, "there “time ms” is 1000, here unlimited"),
    ],
)
def test_another_match_is_not_mixed_in(tmp_path: Path, change: dict[str, object], words: str) -> None:
    out = tmp_path / "match.jsonl"
    with ResultsFile(plan(), out) as results:
        results.add(play_round(plan(), GameSlot(0, 1, 0, 0)))
    before = out.read_bytes()
    with pytest.raises(RunFileError, match=words):
        ResultsFile(plan(**change), out)
    assert out.read_bytes() == before


@pytest.mark.parametrize("content", [b"hello", b"hello\n", b"{}\n", b"\xff\xfe\n"])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: bytes) -> None:
    out = tmp_path / "other"
    out.write_bytes(content)
    with pytest.raises(RunFileError, match="choose another --out"):
        ResultsFile(plan(), out)
    assert out.read_bytes() == content


def test_a_match_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match.jsonl"
    planned = matches.planned("mini/3x3", ["greedy", "random"], [], 1, None, None, "shared", 500, False)
    matches.match(planned, 6, 1, out, "-20,20", restarts=False, as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts["games"] == 6 == facts["won"] + facts["drawn"] + facts["lost"]
    assert sum(facts["pairs"]) == 3
    assert facts["sprt"]["verdict"] == ""
    matches.match(planned, 6, 1, out, "", restarts=False, as_json=False)
    said = capsys.readouterr().out
    assert f"greedy: +{facts['won']} ={facts['drawn']} -{facts['lost']}" in said


def test_a_match_stops_when_its_test_is_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    planned = matches.planned(
        "barrage/classic", ["greedy", "random"], [], 1, None, None, "shared", 500, False
    )
    matches.match(planned, 400, 1, None, "-400,300", restarts=False, as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts["sprt"]["verdict"] == "H1"
    assert facts["games"] < 400


def test_a_league_has_a_table_and_a_report_that_fetches_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, html = tmp_path / "league.jsonl", tmp_path / "league.html"
    players = ["greedy", "random", "greedy@time=50"]
    planned = matches.planned("mini/3x4", players, [], 1, None, None, "shared", 300, False)
    matches.league(planned, 4, 1, out, html, restarts=False, as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts["games"] == 12
    assert {row["player"] for row in facts["ratings"]} == set(players)
    assert facts["ratings"][-1]["player"] == "random"
    page = html.read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "<script" not in page
    matches.league(planned, 4, 1, out, None, restarts=False, as_json=False)
    assert "mini/3x4: 12 games" in capsys.readouterr().out


class WrongSetup(GreedyPlayer):
    def set_up(self, side: int) -> Setup:
        return super().set_up(1 - side)


class NoSetup(GreedyPlayer):
    def set_up(self, side: int) -> Setup:
        return None  # type: ignore[return-value]


class Mumbling(GreedyPlayer):
    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        return "d4-d5"  # type: ignore[return-value]


@pytest.mark.parametrize("name", ["WrongSetup", "NoSetup", "Mumbling"])
def test_a_player_from_outside_forfeits_when_it_answers_nonsense(name: str) -> None:
    one = plan("barrage/classic", players=(f"{__name__}:{name}", "random"), nodes=10, setups="own")
    game = play_round(one, GameSlot(0, 1, 0, 0))
    assert (game.winner, game.reason) == ("north", "illegal action")
    assert game.trouble
