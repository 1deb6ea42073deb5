"""Perft: numbers that can be counted by hand."""

from __future__ import annotations

import pytest

from flagfall.arena.perft import perft
from flagfall.edition import Game, load_game, resolve


def armies(game: Game, *, runners_in_front: bool) -> tuple[dict[int, int], dict[int, int]]:
    """Both armies the same way: bombs behind, runners at the end of the front row or behind too."""
    runs = {kind.id for kind in game.kinds if any(power.verb == "run" for power in game.abilities(kind))}

    def place(number: int) -> tuple[bool, bool, int]:
        kind = game.kinds[number]
        is_runner = kind.id in runs
        return kind.is_mobile and is_runner <= runners_in_front, is_runner, number

    both = []
    for side in (0, 1):
        kinds = [kind for kind, count in enumerate(game.rosters[side]) for _ in range(count)]
        both.append(dict(zip(game.board.home(side), sorted(kinds, key=place), strict=True)))
    return both[0], both[1]


@pytest.mark.parametrize(
    ("depth", "leaves"),
    [
        (0, 1),
        (1, 2),  # Marshal and Spy step forward
        (2, 4),  # North has the same two, one of them an attack
        (3, 2 + 6 + 5 + 2),
    ],
)
def test_three_by_three_with_flag_marshal_and_spy_from_a_to_c(depth: int, leaves: int) -> None:
    game = load_game("mini/3x3")
    row = [game.kind_index(kind) for kind in ("flag", "marshal", "spy")]
    south = dict(zip(game.board.home(0), row, strict=True))
    north = dict(zip(game.board.home(1), row, strict=True))
    assert perft(game, resolve(game, {}), (south, north), depth) == leaves


@pytest.mark.parametrize("game_id", ["onyx/classic", "lotr/classic", "fire-and-ice/classic"])
def test_an_army_opens_through_the_six_columns_next_to_the_lakes(game_id: str) -> None:
    game = load_game(game_id)
    setups = armies(game, runners_in_front=False)
    assert [perft(game, resolve(game, {}), setups, depth) for depth in (1, 2)] == [6, 36]


@pytest.mark.parametrize(
    ("game_id", "leaves"),
    [
        (
            "onyx/classic",
            2 * 1 + 4 * 2,
        ),  # scouts on e4 f4 i4 j4 go one or two squares, without attack
        ("duel-masters/classic", 2 * 1 + 4 * 3),  # the same eight runners, and they attack at the end
        ("fire-and-ice/classic", 4 * 1 + 2 * 3),  # four scouts, two of them where they can go
    ],
)
def test_runners_in_the_front_row_have_the_whole_column_before_them(game_id: str, leaves: int) -> None:
    game = load_game(game_id)
    assert perft(game, resolve(game, {}), armies(game, runners_in_front=True), 1) == leaves
