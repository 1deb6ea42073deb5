"""What an engine says with its action: numbers a referee may use or ignore, and more if it is asked to."""

from __future__ import annotations

import sys

import pytest

from flagfall.arena.contest import play_round
from flagfall.arena.plan import GameSlot, Plan
from flagfall.notation import from_json
from flagfall.protocol.engine import Engine

OPENING = ("newgame side=south seed=3", "setup FX2s", "enemy a3,b3,c3,d3", "go nodes 200")
OWN = (
    f"cmd:{sys.executable} -c 'from flagfall.cli import engine; "
    'engine.run("mini/3x4", "captain", [], explains={explains})\''
)


def answers(player: str, *, explains: bool = False, lines: tuple[str, ...] = OPENING) -> list[str]:
    said: list[str] = []
    Engine("mini/3x4", player, {}, said.append, explains=explains).run(lines)
    return said


def facts(line: str) -> dict[str, str]:
    """The numbers of an info line, and its line of play."""
    head, _, play = line.partition(" line ")
    words = head.split()[1:]
    return dict(zip(words[::2], words[1::2], strict=True)) | {"line": play}


def test_a_searching_engine_tells_nodes_depth_score_and_its_best_action() -> None:
    info, best = answers("marshal")
    told = facts(info)
    assert info.startswith("info nodes ")
    assert set(told) == {"nodes", "depth", "score", "line"}
    assert 0 <= int(told["score"]) <= 1000
    assert 0 < int(told["nodes"]) <= 210
    assert told["line"]
    assert best.startswith("bestaction ")


def test_asked_to_explain_it_tells_a_line_and_the_chances_of_every_hidden_piece() -> None:
    info, *rest = answers("marshal", explains=True)
    assert len(facts(info)["line"].split(", ")) > 1
    hidden = [line.split()[2:] for line in rest if line.startswith("info hidden ")]
    assert [words[0] for words in hidden] == ["a3", "b3", "c3", "d3"]
    for _, *kinds in hidden:
        chances = [int(kind.partition("=")[2]) for kind in kinds]
        assert sum(chances) == pytest.approx(1000, abs=len(chances))
        assert chances == sorted(chances, reverse=True)
    assert rest[-1].startswith("bestaction ")


def test_a_player_that_does_not_search_says_its_action_only() -> None:
    assert [line.split()[0] for line in answers("greedy", explains=True)] == ["bestaction"]


def test_explaining_changes_nothing_in_the_play() -> None:
    assert answers("marshal")[-1] == answers("marshal", explains=True)[-1]


@pytest.mark.parametrize("explains", [False, True])
def test_our_referee_writes_the_nodes_down_and_passes_over_the_rest(explains: bool) -> None:
    plan = Plan(
        game="mini/3x4",
        options={},
        players=(OWN.format(explains=explains), "random"),
        time_ms=None,
        nodes=60,
        max_turns=12,
    )
    played = play_round(plan, GameSlot(0, 1, 0, 0))
    assert played.trouble == ""
    assert from_json(bytes(played.record)).turns
    assert any(played.south.nodes)
