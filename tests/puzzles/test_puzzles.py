"""The shipped puzzles: each can be played and its answer is right; the checks find wrong ones."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from flagfall.edition import editions, load_game, resolve
from flagfall.errors import UserError
from flagfall.match import RefusedError
from flagfall.notation import action_text
from flagfall.puzzles import puzzle as puzzle_module
from flagfall.puzzles.check import check_answer, check_legal
from flagfall.puzzles.make import possible_kinds, puzzles_of_game
from flagfall.puzzles.puzzle import (
    KINDS,
    Puzzle,
    all_puzzles,
    begin,
    judge_picks,
    play_turns,
    puzzle_of_day,
    read_puzzles,
    solution_words,
    write_puzzles,
)

PUZZLES = list(all_puzzles().values())
DATA = Path(puzzle_module.__file__).parent / "data"
GAMES = sorted({puzzle.game for puzzle in PUZZLES})
IS_LONG = bool(os.environ.get("FLAGFALL_SOAK"))
MAX_BYTES = 1_000_000


def of_kind(kind: str) -> Iterator[Puzzle]:
    return (puzzle for puzzle in PUZZLES if puzzle.kind == kind)


def shortest(kind: str) -> list[Puzzle]:
    """Return the puzzle of each game that takes the least time to check; in a long run all of them."""
    found: dict[str, Puzzle] = {}
    for puzzle in of_kind(kind):
        best = found.get(puzzle.game)
        if best is None or (puzzle.depth, len(puzzle.turns)) < (best.depth, len(best.turns)):
            found[puzzle.game] = puzzle
    return list(of_kind(kind)) if IS_LONG else list(found.values())


def test_there_are_two_hundred_in_all_boxes_and_of_all_kinds() -> None:
    assert len(PUZZLES) >= 200
    assert {puzzle.box for puzzle in PUZZLES} == {edition.id for edition in editions()}
    with_powers = {
        edition.id
        for edition in editions()
        if any("power" in possible_kinds(game) for game in edition.games.values())
    }
    assert {puzzle.box for puzzle in of_kind("power")} == with_powers
    counts = Counter(puzzle.kind for puzzle in PUZZLES)
    assert all(counts[kind] >= (8 if kind == "sure" else 20) for kind in KINDS)
    assert sum(file.stat().st_size for file in DATA.iterdir()) < MAX_BYTES


def test_no_position_is_asked_about_twice() -> None:
    assert len({(puzzle.kind, puzzle.setups, puzzle.turns) for puzzle in PUZZLES}) == len(PUZZLES)


@pytest.mark.parametrize("game", GAMES)
def test_every_puzzle_can_be_played_and_solved(game: str) -> None:
    for puzzle in PUZZLES:
        if puzzle.game == game:
            check_legal(puzzle)


@pytest.mark.parametrize("game", GAMES)
def test_every_answer_is_told_in_words(game: str) -> None:
    for puzzle in PUZZLES:
        if puzzle.game == game:
            words = solution_words(puzzle)
            assert words.endswith(".")
            assert "Flag" in words or puzzle.kind in ("power", "fight")


@pytest.mark.parametrize("puzzle", shortest("win"), ids=lambda puzzle: puzzle.id)
def test_a_forced_win_is_proved_again(puzzle: Puzzle) -> None:
    check_answer(puzzle)


@pytest.mark.parametrize("puzzle", shortest("sure"), ids=lambda puzzle: puzzle.id)
def test_a_win_against_every_army_that_fits_is_proved_again(puzzle: Puzzle) -> None:
    assert puzzle.armies > 1
    check_answer(puzzle)
    with pytest.raises(UserError):
        check_answer(replace(puzzle, armies=puzzle.armies + 1))


@pytest.mark.parametrize("puzzle", shortest("power"), ids=lambda puzzle: puzzle.id)
def test_the_best_turn_is_found_again(puzzle: Puzzle) -> None:
    check_answer(puzzle)


@pytest.mark.parametrize("puzzle", shortest("flag"), ids=lambda puzzle: puzzle.id)
def test_the_belief_finds_the_flag_again(puzzle: Puzzle) -> None:
    check_answer(puzzle)


def test_a_wrong_turn_fails_and_is_not_played() -> None:
    puzzle = next(one for one in of_kind("win") if one.game == "barrage/classic")
    start = begin(puzzle)
    moves = (action_text(start.game, start.view, action) for action in start.view.legal)
    wrong = next(text for text in moves if text not in puzzle.right)
    position = play_turns(puzzle, [wrong])
    assert position.verdict == "failed"
    assert (position.played, position.view) == ((), start.view)
    with pytest.raises(RefusedError, match="over"):
        play_turns(puzzle, [wrong, wrong])


def test_an_illegal_action_is_refused_with_a_reason() -> None:
    puzzle = next(of_kind("win"))
    with pytest.raises(RefusedError):
        play_turns(puzzle, ["a1-a1"])
    with pytest.raises(RefusedError):
        play_turns(puzzle, ["abracadabra"])


def test_picks_are_scored_by_the_chance_they_give_to_the_truth() -> None:
    puzzle = next(of_kind("flag"))
    position = begin(puzzle)
    hidden = [piece.cell for piece in position.view.pieces if piece.side != position.side and not piece.kind]
    others = [cell for cell in hidden if cell != puzzle.square]
    assert judge_picks(puzzle, [puzzle.square]) == 1
    assert judge_picks(puzzle, [others[0], puzzle.square]) == 0.5
    assert judge_picks(puzzle, others[:2]) == 0
    own = next(piece.cell for piece in position.view.pieces if piece.side == position.side)
    for bad in ([], [own], ["z9"], [puzzle.square, *others[:3]]):
        with pytest.raises(RefusedError):
            judge_picks(puzzle, bad)


def test_the_check_finds_wrong_answers() -> None:
    win, power = shortest("win")[0], shortest("power")[0]
    flag, fight = next(of_kind("flag")), next(of_kind("fight"))
    other = next(iter(begin(flag).view.pieces)).cell
    wrong = [
        replace(win, right={}),
        replace(win, right={"a1-a1": next(iter(win.right.values()))}),
        replace(win, turns=(*win.turns, "a1-a1")),
        replace(win, game="nowhere/classic"),
        replace(flag, square=other),
        replace(fight, square=fight.attack[:2]),
    ]
    for puzzle in wrong:
        with pytest.raises(UserError):
            check_legal(puzzle)
    for puzzle in (replace(win, depth=win.depth - 1), replace(power, gain=power.gain + 1)):
        with pytest.raises(UserError):
            check_answer(puzzle)


def test_every_day_has_another_puzzle_until_all_have_come() -> None:
    days = [puzzle_of_day(day).id for day in range(20_000, 20_000 + len(PUZZLES))]
    assert len(set(days)) == len(PUZZLES)
    assert puzzle_of_day(20_000) is puzzle_of_day(20_000)


def test_a_file_is_read_as_it_was_written_and_errors_name_the_line() -> None:
    data = write_puzzles(PUZZLES[:3])
    assert read_puzzles(data, "file") == PUZZLES[:3]
    with pytest.raises(UserError, match="line 4"):
        read_puzzles(data + b"{}\n", "file")
    with pytest.raises(UserError, match="another puzzle"):
        read_puzzles(data + data, "file")


def test_puzzles_are_made_from_a_game_and_the_same_seed_makes_the_same() -> None:
    game = load_game("mini/3x4")
    made = [
        puzzles_of_game(game, resolve(game, {}), ["win"], seed, ("greedy", "greedy")) for seed in range(1, 13)
    ]
    found = [puzzle for one in made for puzzle in one]
    assert found
    for puzzle in found:
        check_answer(puzzle)
    seed = next(number for number, one in enumerate(made, start=1) if one)
    assert puzzles_of_game(game, resolve(game, {}), ["win"], seed, ("greedy", "greedy")) == made[seed - 1]
