"""The engine protocol, both ends: the same games as in process, and a clear end for a player that fails."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from flagfall.arena import contest
from flagfall.arena.contest import play_round
from flagfall.arena.plan import GameResult, GameSlot, Plan, rounds
from flagfall.edition import load_game
from flagfall.notation import from_json
from flagfall.protocol.engine import Engine
from flagfall.protocol.external_player import EngineSeat

ROOT = Path(__file__).resolve().parents[2]
BOT = f"cmd:{sys.executable} {ROOT / 'examples' / 'bot.py'}"
OWN = f'cmd:{sys.executable} -c \'from flagfall.cli import engine; engine.run("{{game}}", "{{player}}", [])\''


def match(south: str, north: str, game: str = "mini/3x4", **changes: object) -> list[GameResult]:
    facts = {"game": game, "options": {}, "players": (south, north), "most_turns": 120}
    plan = msgspec.convert(facts | changes, Plan)
    return [play_round(plan, at) for at in rounds(2, 2)]


def engine(game: str = "lotr/classic", player: str = "greedy", **pairs: str) -> Callable[..., list[str]]:
    """Send lines to an engine and return its answers."""
    said: list[str] = []
    one = Engine(game, player, pairs, said.append)

    def tell(*lines: str) -> list[str]:
        said.clear()
        one.run(lines)
        return list(said)

    return tell


# ---------------------------------------------------------------- our own player behind the protocol


@pytest.mark.parametrize("setups", ["shared", "own"])
@pytest.mark.parametrize(
    ("game", "player"),
    [("mini/3x4", "greedy"), ("lotr/special-powers", "random"), ("lotr/destroy-the-ring", "greedy")],
)
def test_behind_the_protocol_a_player_plays_the_same_game(game: str, player: str, setups: str) -> None:
    command = OWN.format(game=game, player=player)
    changes = {"nodes": 50, "time_ms": None, "setups": setups, "most_turns": 60}
    away = match(command, "greedy", game, **changes)
    here = match(player, "greedy", game, **changes)
    for one, other in zip(away, here, strict=True):
        assert one.trouble == ""
        ours, theirs = from_json(bytes(one.record)), from_json(bytes(other.record))
        assert ours.turns == theirs.turns
        assert ours.setups == theirs.setups


def test_options_of_the_match_are_the_engines_too() -> None:
    command = OWN.format(game="lotr/classic", player="random")
    changes = {"options": {"two_square_limit": "3"}, "nodes": 50, "time_ms": None}
    away = match(command, "random", "lotr/classic", **changes)
    here = match("random", "random", "lotr/classic", **changes)
    assert [from_json(bytes(each.record)).turns for each in away] == [
        from_json(bytes(each.record)).turns for each in here
    ]


# ---------------------------------------------------------------- programs of other people


@pytest.mark.parametrize("game", ["mini/3x4", "lotr/special-powers", "duel-masters/elemental-powers"])
def test_the_sample_program_plays_whole_games(game: str) -> None:
    for each in match(BOT, "random", game):
        assert each.trouble == ""
        assert each.turns > 0


PROGRAM = """
import sys, time, os
for line in sys.stdin:
    word = line.split()[0]
    if word == "flagfall": print("wants legal"); print("flagfallok", flush=True)
    if word == "isready": print("readyok", flush=True)
    if word == "legal": legal = line[6:].split(", ")
    if word == "go":
        {answer}
"""
FAULTS = {
    "crash": ('sys.exit("out of ideas")', "crashed", "The program ended with code 1: out of ideas."),
    "kill": ("os.abort()", "crashed", "The program ended with code -6."),
    "stall": ("time.sleep(60)", "stalled", "No “bestaction” within 0.35 seconds."),
    "cheat": (
        'print("bestaction a1-b2", flush=True)',
        "illegal action",
        "It plays “a1-b2”, which is not legal.",
    ),
    "garbage": ('print("bestaction ∆∆ 77", flush=True)', "garbled", "Its answer “∆∆ 77” cannot be read"),
    "nothing": ('print("bestaction", flush=True)', "garbled", "Its answer “” cannot be read"),
    "two": ('print("bestaction a1-a2 a2-a3", flush=True)', "garbled", "2 actions; send one at a time"),
    "flood": ('[print("hm") for _ in range(10**6)]', "garbled", "lines and no “bestaction” among them"),
    "close": ("os.close(1); time.sleep(60)", "crashed", "The program closed its output"),
}


class Watched(EngineSeat):
    """Can be looked at afterwards; a program that does nothing is not waited for as long as others."""

    grace_s = 60.0
    seats: list[EngineSeat] = []

    def __init__(self, *arguments: object, **facts: object) -> None:
        self.seats.append(self)
        super().__init__(*arguments, **facts, grace_s=self.grace_s)  # type: ignore[arg-type]


@pytest.fixture
def seats(monkeypatch: pytest.MonkeyPatch) -> list[EngineSeat]:
    """The programs of a game."""
    monkeypatch.setattr(contest, "EngineSeat", Watched)
    monkeypatch.setattr("flagfall.protocol.external_player.MAX_LINES", 50)
    monkeypatch.setattr(Watched, "seats", [])
    return Watched.seats


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_program_that_fails_loses_that_game_with_a_clear_report(
    fault: str, tmp_path: Path, seats: list[EngineSeat], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Watched, "grace_s", 0.3 if fault == "stall" else 60.0)
    answer, reason, words = FAULTS[fault]
    file = tmp_path / "program.py"
    file.write_text(PROGRAM.format(answer=answer), encoding="utf-8")
    plan = Plan(game="mini/3x4", options={}, players=(f"cmd:{sys.executable} {file}", "random"), time_ms=50)
    each = play_round(plan, GameSlot(0, 1, 0, 0))
    assert (each.winner, each.reason) == ("north", reason)
    assert words in each.trouble
    assert seats
    assert not any(seat.is_running for seat in seats)


def test_a_program_that_is_not_there_loses() -> None:
    each = match("cmd:/nowhere/at/all", "random")[0]
    assert (each.winner, each.reason) == ("north", "crashed")
    assert "cannot be started" in each.trouble


def test_a_setup_that_cannot_be_used_loses(tmp_path: Path) -> None:
    each = match(BOT, "random", setups="own")[1]
    assert (each.winner, each.reason) == ("south", "illegal action")
    assert "Its setup cannot be used" in each.trouble


# ---------------------------------------------------------------- robust against the referee


def test_the_handshake() -> None:
    answers = engine(two_square_limit="3")("flagfall", "isready")
    assert answers[0] == "id name greedy"
    assert "option two_square_limit=3" in answers
    assert answers[-2:] == ["flagfallok", "readyok"]


def test_what_takes_time_is_done_once_before_the_engine_says_it_is_ready() -> None:
    said: list[str] = []
    one = Engine(
        "mini/3x4", "greedy", {}, said.append, lambda game, *rest: said.append(f"prepared {game.id}")
    )
    one.run(["flagfall"])
    assert said[-1] == "flagfallok"
    one.run(["isready", "newgame side=south", "isready"])
    assert said[-3:] == ["prepared mini/3x4", "readyok", "readyok"]


def test_a_setup_is_asked_for_or_given() -> None:
    tell = engine()
    (answer,) = tell("newgame side=south seed=5", "setup")
    assert answer.startswith("setup ")
    assert tell("newgame side=south", answer, "go nodes 5")[-1].startswith("bestaction ")


def test_an_engine_plays_a_game_that_is_told_in_short() -> None:
    tell = engine(two_square_limit="3")
    setup = tell("newgame side=south seed=2", "setup")[0]
    action = tell("go time 50")[-1].removeprefix("bestaction ")
    assert tell(f"played south {action}", "played north e7-e6", "go time 50")[-1].startswith("bestaction ")
    assert setup


def test_what_cannot_be_is_answered_with_an_error_and_play_goes_on() -> None:
    tell = engine()
    tell("newgame side=south seed=2", "setup")
    nonsense = (
        "event move piece=d5 to=d6 side=north",
        "event",
        "event move colour=red",
        "played north a4-a5",
        "played north z9-z8",
        "played east a7-a6",
        "position turn=x",
        "position south:a1=flag",
        "option no_such=1",
        "setup F",
        "newgame side=up",
        "go fast please",
        "hello \x00 there",
    )
    for line in nonsense:
        answers = tell(line)
        assert answers[0].startswith(("error ", "bestaction ")), line
    assert tell("newgame side=south seed=2", "setup", "go nodes 5")[-1].startswith("bestaction ")


def test_without_a_setup_there_is_no_action_but_an_answer() -> None:
    assert engine()("newgame side=south", "go time 50") == [
        "bestaction none",
        "error No setup yet; say setup, or setup CODE.",
    ]
    answers = engine()("newgame side=south", "legal a4-a5, b4-b5", "go time 50")
    assert answers[-1] in ("bestaction a4-a5", "bestaction b4-b5")


def test_the_referees_list_of_legal_actions_is_obeyed() -> None:
    tell = engine()
    tell("newgame side=south seed=2", "setup")
    for only in ("a4-a5", "b4-b5", "e4-e5"):
        assert tell(f"legal {only}", "go nodes 5")[-1] == f"bestaction {only}"
    assert tell("legal a4-a6, z1-z2", "go nodes 5")[-1] == "bestaction a4-a6"


def test_a_player_that_fails_is_replaced_for_that_action(monkeypatch: pytest.MonkeyPatch) -> None:
    tell = engine(player="random")
    tell("newgame side=south seed=2", "setup")
    monkeypatch.setattr("flagfall.players.player.RandomPlayer.choose", lambda *rest: 1 / 0, raising=True)
    answers = tell("go nodes 5")
    assert answers[0] == "error the player stops with ZeroDivisionError"
    assert answers[-1].startswith("bestaction ")


def test_a_lost_thread_is_taken_up_from_a_position() -> None:
    tell = engine()
    setup = tell("newgame side=south seed=2", "setup")[0].removeprefix("setup ")
    codes = [letter for letter in setup if letter != "/"]
    squares = [f"{column}{row}" for row in range(1, 5) for column in "abcdefghij"]
    game = load_game("lotr/classic")
    kinds = {kind.code: kind.id for kind, count in zip(game.kinds, game.rosters[0], strict=True) if count}
    words = [f"south:{square}={kinds[code]}" for square, code in zip(squares, codes, strict=True)]
    words += [
        f"north:{column}{row}=?"
        for row in range(7, 11)
        for column in "abcdefghij"
        if (column, row) != ("a", 7)
    ]
    words.append("north:a6=?,moved")
    assert tell(f"position turn=1 {' '.join(words)}", "go nodes 5")[-1].startswith("bestaction ")


def test_the_game_of_the_manual_goes_as_it_is_printed() -> None:
    page = (ROOT / "docs" / "engine-protocol.md").read_text(encoding="utf-8")
    printed = page.partition("```transcript\n")[2].partition("\n```")[0].splitlines()
    tell, happened = engine("mini/3x4"), []
    for line in printed:
        if line.startswith("< "):
            answers = [answer for answer in tell(line[2:]) if not answer.startswith("id version")]
            happened += [line, *(f"> {answer}" for answer in answers)]
    assert happened == printed
