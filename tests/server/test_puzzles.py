"""Puzzles through the API: no answer before an attempt, one count per guest, bad input is refused."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import msgspec
import pytest
from msgspec.structs import replace

from flagfall.analysis.blind_proof import fitting_games
from flagfall.board import parse_cell
from flagfall.puzzles.check import game_of
from flagfall.puzzles.puzzle import Puzzle, all_puzzles, begin, start
from flagfall.server.api.messages.learning import PuzzleLine
from flagfall.server.api.routes.puzzles import puzzle_state
from flagfall.setups import Setup, read_setup, write_setup
from tests.server.served import Guest, Json, Served

PUZZLES = all_puzzles()
FLAG, FIGHT, WIN, SURE = (
    [puzzle for puzzle in PUZZLES.values() if puzzle.kind == kind]
    for kind in ("flag", "fight", "win", "sure")
)


def path(puzzle: Puzzle) -> str:
    return f"/api/puzzles/{puzzle.id}"


def line_of(guest: Guest, puzzle: Puzzle) -> Json:
    return next(line for line in guest.get("/api/puzzles")["puzzles"] if line["id"] == puzzle.id)


def decision(puzzle: Puzzle, *, right: bool) -> str:
    return "attack" if puzzle.attacks is right else "leave"


def test_every_puzzle_is_listed_and_one_is_todays(served: Served) -> None:
    with Guest(served) as guest:
        listed = guest.get("/api/puzzles")
    assert [line["id"] for line in listed["puzzles"]] == list(PUZZLES)
    assert listed["today"] in PUZZLES


def twins(puzzle: Puzzle) -> list[Puzzle]:
    """Return the puzzle with the Flag exchanged with other pieces that have not moved and were never seen."""
    position = start(puzzle)
    enemy = position.side.other
    unseen = [
        parse_cell(piece.name)
        for piece in position.view.pieces
        if piece.side is enemy and not piece.kind and not piece.moved and "+" not in piece.name
    ]
    setup = read_setup(position.game, int(enemy), puzzle.setups[int(enemy)])
    flags = [index for index, kind in enumerate(position.game.kinds) if kind.role == "flag"]
    home = next(cell for cell, kind in setup.kinds.items() if kind in flags)
    found = []
    for cell in unseen:
        if home not in unseen or cell == home:
            continue
        kinds = dict(setup.kinds)
        kinds[home], kinds[cell] = kinds[cell], kinds[home]
        texts = list(puzzle.setups)
        texts[int(enemy)] = write_setup(Setup(position.game, enemy, kinds))
        found.append(replace(puzzle, setups=(texts[0], texts[1])))
    return found


@pytest.mark.parametrize("puzzle", [*FLAG[::9], *FIGHT[::11]], ids=lambda puzzle: puzzle.id)
def test_two_truths_that_look_alike_are_sent_alike(puzzle: Puzzle) -> None:
    line = PuzzleLine(puzzle.id, puzzle.kind, "", "", "", "", 0, 0, "")
    sent = msgspec.json.encode(puzzle_state(line, begin(puzzle), None))
    for twin in twins(puzzle)[:4]:
        truth = start(twin).referee.view("truth")
        assert truth != start(puzzle).referee.view("truth")
        assert msgspec.json.encode(puzzle_state(line, start(twin), None)) == sent


@pytest.mark.parametrize("puzzle", SURE[::4], ids=lambda puzzle: puzzle.id)
def test_every_army_that_fits_what_the_solver_knows_is_sent_alike(puzzle: Puzzle) -> None:
    line = PuzzleLine(puzzle.id, puzzle.kind, "", "", "", "", 0, 0, "")
    sent = msgspec.json.encode(puzzle_state(line, begin(puzzle), None))
    running = game_of(puzzle)
    games = fitting_games(running, running.mover)
    assert len(games) == puzzle.armies > 1
    for game in games[1:]:
        south, north = game.setups.map(write_setup)
        twin = replace(puzzle, setups=(south, north))
        assert start(twin).referee.view("truth") != start(puzzle).referee.view("truth")
        assert msgspec.json.encode(puzzle_state(line, start(twin), None)) == sent


def test_some_puzzles_have_twins() -> None:
    assert any(twins(puzzle) for puzzle in FLAG[::9])


def test_the_answer_comes_only_after_an_attempt(served: Served) -> None:
    puzzle = FLAG[0]
    with Guest(served, "Anna") as guest:
        begun = guest.get(path(puzzle))
        assert (begun["answer"], begun["verdict"], begun["state"]["choices"]) == (None, "", [])
        assert not any(
            piece.get("kind") for piece in begun["state"]["view"]["pieces"] if piece["cell"] == puzzle.square
        )
        tried = guest.post(path(puzzle), squares=[puzzle.square])
        assert tried["verdict"] == "solved"
        assert tried["answer"]["score"] == 1
        assert tried["answer"]["squares"] == [puzzle.square]
        assert puzzle.square in tried["answer"]["words"]
        again = guest.get(path(puzzle))
        assert again["answer"] is None
        assert again["puzzle"]["yours"] == "solved"


def test_only_the_first_outcome_of_a_guest_counts(served: Served) -> None:
    puzzle = FIGHT[0]
    with Guest(served, "Bea") as guest:
        for right in (False, True, True):
            said = guest.post(path(puzzle), choice=decision(puzzle, right=right))
            assert said["verdict"] == ("solved" if right else "failed")
        assert line_of(guest, puzzle)["yours"] == "failed"


def test_attempts_at_the_same_moment_count_once(served: Served) -> None:
    puzzle = FIGHT[1]
    with Guest(served, "Cleo") as guest, ThreadPoolExecutor(8) as pool:
        wrong = decision(puzzle, right=False)
        for said in pool.map(lambda _: guest.post(path(puzzle), choice=wrong), range(8)):
            assert said["verdict"] == "failed"
    assert _count(served, puzzle) == (1, 0)


def _count(served: Served, puzzle: Puzzle) -> tuple[int, int]:
    with closing(sqlite3.connect(served.folder / "flagfall.sqlite3")) as connection:
        query = "SELECT count(*), coalesce(sum(is_solved), 0) FROM puzzle_attempts WHERE puzzle = ?"
        tried, solved = connection.execute(query, (puzzle.id,)).fetchone()
    return tried, solved


@pytest.mark.parametrize("kind", [WIN, SURE], ids=["all shown", "from knowledge"])
def test_a_forced_win_is_played_turn_by_turn(served: Served, kind: list[Puzzle]) -> None:
    puzzle = next(one for one in kind if one.game == "mini/3x4")
    branches, played = puzzle.right, []
    with Guest(served, "Dora") as guest:
        while branches:
            text, branch = next(iter(branches.items()))
            played.append(text)
            said = guest.post(path(puzzle), actions=played)
            assert said["verdict"] == ("" if branch.reply else "solved")
            assert (said["answer"] is None) == bool(branch.reply)
            branches = branch.then
        assert guest.post(path(puzzle), 409, actions=[*played, "a1-a2"])["code"] == "finished"


def test_a_wrong_turn_counts_whatever_is_sent_after_it(served: Served) -> None:
    """Otherwise a second action would tell whether the first is right, without an attempt."""
    puzzle = SURE[0]
    with Guest(served, "Gus") as guest:
        choices = guest.get(path(puzzle))["state"]["choices"]
        wrong = next(
            choice["text"]
            for choice in choices
            if choice["verb"] == "move" and choice["text"] not in puzzle.right
        )
        assert guest.post(path(puzzle), 409, actions=[wrong, wrong])["code"] == "finished"
        assert line_of(guest, puzzle)["yours"] == "failed"


def test_who_has_no_cookie_or_a_forged_one_cannot_try(served: Served) -> None:
    puzzle = FIGHT[2]
    with Guest(served) as guest:
        assert guest.get(path(puzzle))["answer"] is None
        assert guest.post(path(puzzle), 401, choice="attack")["code"] == "no-guest"
        guest.http.cookies.set("flagfall", "forged")
        assert guest.post(path(puzzle), 401, choice="attack")["code"] == "no-guest"
    assert _count(served, puzzle) == (0, 0)


@pytest.mark.parametrize(
    ("puzzle", "body", "status", "code"),
    [
        ("nowhere-win-1", {"actions": []}, 404, "not-found"),
        ("..%2f..%2fetc", {}, 404, "not-found"),
        (WIN[0].id, {"actions": ["abracadabra"]}, 422, "unreadable"),
        (WIN[0].id, {"actions": ["x" * 61]}, 400, "malformed"),
        (WIN[0].id, {"actions": ["a1-a2"] * 21}, 400, "malformed"),
        (WIN[0].id, {"actions": [7]}, 400, "malformed"),
        (FLAG[1].id, {}, 422, "illegal"),
        (FLAG[1].id, {"squares": ["z99"]}, 422, "illegal"),
        (FLAG[1].id, {"squares": ["a1", "b1", "c1", "d1"]}, 400, "malformed"),
        (FIGHT[3].id, {}, 400, "malformed"),
        (FIGHT[3].id, {"choice": "perhaps"}, 400, "malformed"),
        (FIGHT[3].id, {"answer": True}, 400, "malformed"),
    ],
)
def test_bad_input_is_refused_and_does_not_count(
    served: Served, puzzle: str, body: Json, status: int, code: str
) -> None:
    with Guest(served, "Eve") as guest:
        said = guest.post(f"/api/puzzles/{puzzle}", status, **body)
        assert said["code"] == code
        assert all(line["yours"] == "" for line in guest.get("/api/puzzles")["puzzles"])


def test_nothing_played_is_no_attempt(served: Served) -> None:
    with Guest(served, "Fay") as guest:
        said = guest.post(path(WIN[1]), actions=[])
        assert (said["verdict"], said["answer"]) == ("", None)
        assert line_of(guest, WIN[1])["yours"] == ""


def test_deleting_a_guest_deletes_their_outcomes(served: Served) -> None:
    puzzle = FIGHT[4]
    with Guest(served, "Gwen") as guest:
        guest.post(path(puzzle), choice=decision(puzzle, right=True))
        assert _count(served, puzzle) == (1, 1)
        me = guest.get("/api/me")["id"]
        guest.http.request("DELETE", "/api/me", json={"guest": me}).raise_for_status()
    assert _count(served, puzzle) == (0, 0)
