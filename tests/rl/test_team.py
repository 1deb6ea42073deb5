"""Threads that share the games of a step: every block is played once, by the next free thread."""

from __future__ import annotations

from flagfall.rl import team
from flagfall.rl.team import Team


def test_each_thread_begins_with_its_own_blocks_and_then_helps_the_others() -> None:
    board = Team(games=60, threads=3, block=10).board
    generation = team.publish(board, 1, 0)
    assert [team.claim(board, 1, generation) for _ in range(3)] == [2, 3, 4]
    assert team.claim(board, 2, generation) == 5
    assert [team.claim(board, 0, generation) for _ in range(3)] == [0, 1, -1]


def test_the_last_block_may_be_smaller_and_no_block_is_left_out() -> None:
    made = Team(games=37, threads=2, block=8)
    generation = team.publish(made.board, 1, 0)
    blocks = []
    while (block := team.claim(made.board, 1, generation)) >= 0:
        blocks.append(block)
    assert sorted(blocks) == list(range(made.board[team.BLOCKS])) == [0, 1, 2, 3, 4]


def test_a_late_thread_takes_nothing_of_the_next_step() -> None:
    board = Team(games=4, threads=2, block=2).board
    late = team.publish(board, 1, 0)
    now = team.publish(board, 2, 1)
    assert team.claim(board, 1, late) == -1
    assert team.claim(board, 1, now) == 1


def test_a_thread_sees_every_step_once_and_sleeps_when_there_is_none() -> None:
    made = Team(games=4, threads=2, block=2)
    generation = team.publish(made.board, 1, 0)
    assert team.wait(made.board, 1) == generation
    assert team.wait(made.board, 1) == 0
    team.publish(made.board, 1, 0)
    assert team.wait(made.board, 1) == generation + 1


def test_interpreted_the_caller_plays_alone() -> None:
    made = Team(games=4, threads=2, block=2)
    made.start(print)
    made.wake()
    made.close()
    assert made.helpers() == 0
