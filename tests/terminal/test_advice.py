"""`explain`: the computer's opinion for the person at the keyboard, from that person's chair."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from flagfall.players import Budget
from flagfall.players.explain import Explanation, explain
from flagfall.players.searcher import SearchingPlayer
from flagfall.terminal.advice import Adviser
from flagfall.view.view import SeenEvent, View
from tests.terminal.script import Script
from tests.terminal.table import play, seated


def asked(*lines: str, options: tuple[str, ...] = (), north: str = "sX2F", against: str = "human") -> str:
    """What is said in a game on the 3×4 board in which those lines are typed."""
    setups = ("FX2s", north) if against == "human" else ("FX2s",)
    table = seated(Script(lines), "mini/3x4", against, *options, setups=setups)
    table.adviser = Adviser(table.match, Budget(nodes=150))
    return play(table).split("Saved.")[0]


@pytest.mark.parametrize("against", ["human", "random"])
def test_explain_tells_estimate_line_and_where_the_flag_may_be(against: str) -> None:
    lines = ("", "explain") if against == "human" else ("explain",)
    said = asked(*lines, against=against)
    assert re.search(r"Your chance to win, by the computer's estimate: \d+% \(\d+ turns ahead", said)
    assert re.search(r"^Best: \S+\. ", said, flags=re.MULTILINE)
    assert "Then it expects:" in said
    assert re.search(r"^Flag: likeliest on [a-d]3 \d+%", said, flags=re.MULTILINE)


def test_a_square_asks_for_one_piece_and_all_for_every_hidden_one() -> None:
    one = asked("", "explain B3")
    assert re.search(r"^b3: (\w+ \d+%(, )?){4}\.$", one, flags=re.MULTILINE)
    every = asked("", "explain all")
    for cell in ("a3", "b3", "c3", "d3"):
        assert re.search(rf"^{cell}: \w+ \d+%", every, flags=re.MULTILINE)


@pytest.mark.parametrize("line", ["explain", "explain all", "explain b3"])
def test_two_armies_that_look_alike_are_explained_alike(line: str) -> None:
    assert asked("", line) == asked("", line, north="X2sF") == asked("", line, north="2FXs")


def test_where_nobody_hidden_stands_it_says_so() -> None:
    assert "No hidden enemy piece stands on a1; explain all lists those that do." in asked("", "explain a1")
    assert "“z9” is not a square of this board" in asked("", "explain z9")


@pytest.mark.parametrize("memory", ["notes", "strict"])
def test_a_game_from_memory_has_no_advice(memory: str) -> None:
    said = asked("", "explain", "explain all", "explain b3", "help", options=(f"memory={memory}",))
    assert said.count("This game is played from memory") == 3
    assert "Best:" not in said
    assert "what the computer thinks" not in said


def test_help_mentions_it() -> None:
    assert "explain      what the computer thinks" in asked("", "help")


def test_the_same_position_is_thought_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    thoughts: list[int] = []

    def counted(player: SearchingPlayer, view: View, history: Sequence[SeenEvent]) -> Explanation:
        thoughts.append(view.turn)
        return explain(player, view, history)

    monkeypatch.setattr("flagfall.terminal.advice.explain", counted)
    asked("", "explain", "explain all", "explain b3")
    assert thoughts == [0]
