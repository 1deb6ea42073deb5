"""Whole games in the plain terminal, by script, from the setups to the record."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from flagfall.notation import read_record
from flagfall.players.levels import LEVELS
from flagfall.terminal.start import StartOptions, new_game
from tests.terminal.script import Script
from tests.terminal.table import Puppet, play, said, seated

GAMES = [
    ("mini/3x3", ()),
    ("mini/3x4", ("rescue=on",)),
    ("barrage/classic", ("memory=notes",)),
    ("spin-master/duel", ()),
    ("fire-and-ice/classic", ("captured_pieces=secret", "memory=strict", "no_progress_draw=20")),
    ("onyx/classic", ("rescue=on", "silent_defense=on", "no_progress_draw=20")),
]


@pytest.mark.parametrize(("game", "options"), GAMES)
@pytest.mark.parametrize("rival", ["human", "random", "greedy"])
def test_a_game_is_played_to_its_end_and_recorded(
    game: str, options: tuple[str, ...], rival: str, home: Path
) -> None:
    puppet = Puppet(seed=5, turns=120)
    table = seated(puppet, game, rival, *options, setups=())
    puppet.table = table
    text = play(table)
    if table.match.is_over:
        assert " wins: " in text or "Draw: " in text
        (file,) = (home / "games").iterdir()
        assert read_record(file.read_text(encoding="utf-8")).result == table.match.result
        assert str(file) in text
    else:
        (file,) = (home / "saved").iterdir()
        assert f"flagfall play --resume {file}" in text


def test_the_shortest_win_is_told_to_the_winner() -> None:
    text = said("a1-a2", "c3-c2", "a2xa3")
    assert "Your opponent's Flag has been captured. You win." in text
    assert "Player 1 (South) wins: flag captured." in text


def test_who_loses_to_the_computer_is_told_how() -> None:
    for seed in range(20):
        puppet = Puppet(seed, turns=60)
        table = seated(puppet, "mini/3x3", "greedy", setups=("XsF",), seed=seed)
        puppet.table = table
        text = play(table)
        result = table.match.result
        if result and result.winner == "north" and result.reason == "flag captured":
            assert "Your Flag has been captured. You lose." in text
            return
    pytest.fail("the computer never won")


def test_a_draw_is_offered_answered_and_its_answer_told() -> None:
    text = said("draw", "draw", "a1-a2", "decline", "accept", "c3-c2", "last")
    assert "You offer a draw." in text
    assert "Your opponent offers a draw: type accept or decline" in text
    assert "You decline the draw." in text
    after = text.rsplit("=== curtain: Player 1", 1)[1]
    assert "Player 2 declines the draw." in after
    assert said("draw", "a1-a2", "accept").count("Draw: agreed.") == 1


def test_the_computer_declines_a_draw_and_says_so() -> None:
    assert "Random declines the draw." in said("draw", "a1-a2", against="random")


def test_resigning_is_asked_twice() -> None:
    text = said("resign", "no", "resign", "yes")
    assert text.count("Really resign?") == 2
    assert "The game goes on." in text
    assert "Player 2 (North) wins: resigned." in text


def test_sides_at_random_and_by_choice() -> None:
    assert "You: Blue, sits North." in play(
        seated(Script([]), "mini/3x3", "random", side="north", setups=("XsF",))
    )
    assert "at random" in play(seated(Script([]), "mini/3x3", side="lot"))


def test_the_game_and_the_rival_are_asked_for() -> None:
    terminal = Script(["", "99", "nope/x", "mini/3x3", "king", "random", "ready"])
    text = play(seated(terminal, "", "", setups=()))
    assert "Type a number from 1 to" in text
    assert text.count("There is no game “99”") == text.count("There is no game “nope/x”") == 1
    assert "“king” is not an opponent; type a number from 1 to 9, or one of human, recruit, scout," in text
    assert "You (South)> " in text


@pytest.mark.parametrize(
    ("answer", "rival"),
    [("", "Computer (Recruit)"), ("2", "Computer (Scout)"), ("9", "Player 2"), ("a friend", "Player 2")],
)
def test_opponents_are_listed_by_strength_and_chosen_by_number_or_name(answer: str, rival: str) -> None:
    terminal = Script([answer])
    table = new_game(StartOptions("mini/3x3", side="south"), terminal, Random(1))
    listed = [line.split(":")[0].split()[-1] for line in terminal.text.splitlines() if line.startswith("  ")]
    assert listed == [*(level.name for level in LEVELS), "friend"]
    assert table.match.seating.north == rival
