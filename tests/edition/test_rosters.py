"""The boxes contain what their rulebooks say."""

from __future__ import annotations

import pickle
import re

import pytest

from flagfall.edition import Edition, Game, editions, game_ids, load_edition, load_game, melee

CLASSIC = "1 1 2 3 4 4 4 5 8 1 6 1"
NUMBERS = {
    "onyx/classic": (40, CLASSIC),
    "duel-masters/classic": (40, CLASSIC),
    "duel-masters/elemental-powers": (40, CLASSIC),
    "lotr/classic": (40, CLASSIC),
    "lotr/special-powers": (40, CLASSIC),
    "lotr/destroy-the-ring": (40, CLASSIC),
    "fire-and-ice/classic": (30, "1 1 2 3 2 2 2 5 4 1 6 1"),
    "fire-and-ice/special-powers": (30, "1 1 2 3 2 2 2 5 4 1 6 1"),
    "spin-master/standard": (30, "1 1 1 1 2 2 2 5 5 2 1 6 1"),
    "spin-master/duel": (10, "1 1 2 1 1 1 2 1"),
    "barrage/classic": (8, "1 1 1 2 1 1 1"),
    "mini/3x3": (3, "1 1 1"),
    "mini/3x4": (4, "1 1 1 1"),
}
LAKES_10 = {"c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"}
LAKES_8 = {"c4", "d4", "c5", "d5", "g4", "h4", "g5", "h5"}


def by_strength(game: Game, side: int) -> str:
    """How many of each rank from the strongest down, then spies, bombs and the flag."""
    order: dict[tuple[int, int], int] = {}
    for kind, count in zip(game.kinds, game.rosters[side], strict=True):
        place = ("soldier", "bomb", "flag").index(kind.role)
        if count:
            order[place, -kind.rank] = order.get((place, -kind.rank), 0) + count
    return " ".join(str(order[key]) for key in sorted(order))


def test_every_game_of_the_list_is_there_and_no_other() -> None:
    assert game_ids() == tuple(NUMBERS)


@pytest.mark.parametrize("game_id", NUMBERS)
@pytest.mark.parametrize("side", [0, 1])
def test_an_army_has_the_exact_distribution_of_its_box(game_id: str, side: int) -> None:
    game = load_game(game_id)
    size, distribution = NUMBERS[game_id]
    assert game.army_size(side) == size
    assert by_strength(game, side) == distribution


@pytest.mark.parametrize(
    ("game_id", "size", "home_rows", "zones"),
    [
        ("onyx/classic", (10, 10), 4, LAKES_10),
        ("duel-masters/classic", (10, 10), 4, LAKES_10),
        ("duel-masters/elemental-powers", (10, 10), 4, LAKES_10),
        ("lotr/classic", (10, 10), 4, LAKES_10),
        ("lotr/destroy-the-ring", (10, 10), 4, LAKES_10),
        ("barrage/classic", (10, 10), 4, LAKES_10),
        ("fire-and-ice/classic", (10, 8), 3, LAKES_8),
        ("fire-and-ice/special-powers", (10, 8), 3, LAKES_8),
        ("spin-master/standard", (10, 8), 3, LAKES_8),
        ("spin-master/duel", (10, 8), 3, LAKES_8),
        ("mini/3x3", (3, 3), 1, set()),
        ("mini/3x4", (4, 3), 1, set()),
    ],
)
def test_a_board_has_the_size_home_rows_and_zones_of_its_box(
    game_id: str, size: tuple[int, int], home_rows: int, zones: set[str]
) -> None:
    board = load_game(game_id).board
    assert (board.columns, board.rows) == size
    assert board.home_rows == home_rows
    assert set(board.names(board.zones)) == zones


@pytest.mark.parametrize(
    ("game_id", "south", "sides"),
    [
        ("onyx/classic", "Red", "chosen"),
        ("duel-masters/classic", "Fire and Darkness", "lot"),
        ("lotr/classic", "Evil", "lot"),
        ("lotr/destroy-the-ring", "Evil", "lot"),
        ("fire-and-ice/classic", "Volcandria", "lot"),
        ("spin-master/standard", "Red", "chosen"),
        ("barrage/classic", "Red", "chosen"),
    ],
)
def test_the_army_that_moves_first_sits_south(game_id: str, south: str, sides: str) -> None:
    game = load_game(game_id)
    assert game.armies[0].name == south
    assert game.sides == sides


def test_only_duel_and_barrage_leave_home_squares_empty() -> None:
    assert [name for name in game_ids() if not load_game(name).fills_home] == [
        "spin-master/duel",
        "barrage/classic",
    ]


def test_only_onyx_prints_one_on_its_strongest_piece() -> None:
    assert [box.id for box in editions() if box.low_is_strong] == ["onyx"]
    onyx = load_edition("onyx").kinds
    assert [(kind.label, kind.rank) for kind in onyx.values()][:9] == [(str(n), 11 - n) for n in range(1, 10)]


@pytest.mark.parametrize("game_id", NUMBERS)
def test_a_runner_may_attack_at_the_end_of_its_run_except_in_onyx(game_id: str) -> None:
    game = load_game(game_id)
    runs = {
        power.parameters["attack"]
        for kind in game.kinds
        for power in game.abilities(kind)
        if power.verb == "run"
    }
    assert runs <= {not game_id.startswith("onyx")}
    assert runs or game_id == "mini/3x3"


@pytest.mark.parametrize("game_id", NUMBERS)
def test_there_is_a_spotter_in_spin_master_only(game_id: str) -> None:
    assert load_game(game_id).has_verb("spot") == game_id.startswith("spin-master")


def test_the_lotr_armies_share_nothing_but_strongholds_and_flag() -> None:
    game = load_game("lotr/classic")
    shared = [kind.id for kind, *counts in zip(game.kinds, *game.rosters, strict=True) if all(counts)]
    assert shared == ["stronghold", "flag"]


@pytest.mark.parametrize("game_id", NUMBERS)
def test_the_spy_takes_only_the_strongest_enemy_and_the_flag(game_id: str) -> None:
    game = load_game(game_id)
    top = max(kind.rank for kind in game.kinds)
    for side in (0, 1):
        enemies = [kind for kind, count in zip(game.kinds, game.rosters[1 - side], strict=True) if count]
        mine = [kind for kind, count in zip(game.kinds, game.rosters[side], strict=True) if count]
        (spy,) = (kind for kind in mine if kind.rank == 0 and kind.is_mobile)
        beaten = [kind for kind in enemies if melee(spy, kind) == 1]
        assert sorted(kind.rank for kind in beaten) == [0, top]
        assert {kind.role for kind in beaten} == {"soldier", "flag"}


@pytest.mark.parametrize("game_id", [name for name in NUMBERS if not name.startswith("mini")])
def test_exactly_one_rank_of_an_army_removes_bombs(game_id: str) -> None:
    game = load_game(game_id)
    (bomb,) = (kind for kind in game.kinds if kind.role == "bomb")
    diggers = [kind for kind in game.kinds if melee(kind, bomb) == 1]
    assert {kind.rank for kind in diggers} == {2 if game_id.startswith("duel") else 3}
    assert all(melee(kind, bomb) == -1 for kind in game.kinds if kind not in diggers)


@pytest.mark.parametrize("game_id", NUMBERS)
def test_a_game_survives_a_trip_to_another_process(game_id: str) -> None:
    game = load_game(game_id)
    copy = pickle.loads(pickle.dumps(game))
    assert (copy.id, copy.kinds, copy.rosters, copy.board) == (game.id, game.kinds, game.rosters, game.board)


@pytest.mark.parametrize("box", editions(), ids=lambda box: box.id)
def test_every_box_has_words_about_everything(box: Edition) -> None:
    assert len(box.story) > 100
    assert len(box.hints) >= 6
    assert all(kind.text.endswith((".", "!")) and len(kind.text) > 40 for kind in box.kinds.values())
    assert all(power.text.endswith((".", "!")) and len(power.text) > 40 for power in box.powers.values())
    assert all(kind.picture(army.id) for kind in box.kinds.values() for army in box.armies)


NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@pytest.mark.parametrize("game_id", NUMBERS)
def test_the_hints_of_a_game_name_only_pieces_that_it_has(game_id: str) -> None:
    game = load_game(game_id)
    text = " ".join(f"{heading}. {hint}" for heading, hint in game.all_hints().items())
    for kind in game.edition.kinds.values():
        index = game.kinds.index(kind) if kind in game.kinds else None
        count = 0 if index is None else max(roster[index] for roster in game.rosters)
        for name in {*kind.names.values(), *kind.plurals.values()}:
            for before in re.findall(rf"(?:(\w+) )?\b{re.escape(name)}\b", text):
                number = NUMBER_WORDS.index(before.lower()) if before.lower() in NUMBER_WORDS else 1
                assert number <= count, f"{game_id} has {count} {name}, not {number}"
    labels = {kind.label for kind in game.kinds}
    assert set(re.findall(r"\b\d+(?=s?\b)", text)) <= labels, "a number of no piece of this game"


IRREGULAR = {
    "Elf": "Elves",
    "Dwarf": "Dwarves",
    "Spy": "Spies",
    "Sorceress": "Sorceresses",
    "Uruk-hai": "Uruk-hai",
    "Haradrim": "Haradrim",
    "Soldier of Gondor": "Soldiers of Gondor",
    "Rider of Rohan": "Riders of Rohan",
    "Deathliger, Lion of Chaos": "Deathligers, Lions of Chaos",
    "Gran Gure, Space Guardian": "Gran Gures, Space Guardians",
    "Gigaberos": "Gigaberos",
    "Zagaan, Knight of Darkness": "Zagaans, Knights of Darkness",
    "Urth, Purifying Elemental": "Urths, Purifying Elementals",
    "Skeleton Soldier, the Defiled": "Skeleton Soldiers, the Defiled",
    "Hanusa, Radiance Elemental": "Hanusas, Radiance Elementals",
    "Legolas": "Legolas",
}


def test_every_kind_has_a_right_plural() -> None:
    plurals = {
        name: kind.plurals[army]
        for box in editions()
        for kind in box.kinds.values()
        for army, name in kind.names.items()
    }
    assert {name: plural for name, plural in plurals.items() if plural != f"{name}s"} == IRREGULAR
    assert plurals["Merry"] == "Merrys"


def test_hints_of_the_spotter_box_tell_how_to_cover_a_spotter() -> None:
    assert "Cover for the Spotter" in load_edition("spin-master").hints
