"""Every piece of the boxes has exactly the powers that the catalogue of the rules gives it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from flagfall.edition import combat as facts
from flagfall.edition import game_ids, load_edition, load_game, power_table, resolve
from flagfall.edition.compile import compile_game, power_rows
from flagfall.edition.verbs import PRIMITIVES, ROW_PRIMITIVES
from flagfall.engine import tables as T

LOTR = {
    "Gandalf": ["flight"],
    "Aragorn": ["detect-enemy"],
    "Legolas": ["detect-enemy", "longbow"],
    "Gimli": ["dwarven-axe"],
    "Faramir": ["longbow"],
    "King Théoden": ["swift-steed"],
    "Elf": ["longbow"],
    "Rider of Rohan": ["long-run"],
    "Witch-king": ["flight"],
    "Saruman": ["detect-enemy"],
    "Uruk-hai": ["repeat-attack"],
    "Berzerker": ["rampage"],
    "Haradrim": ["longbow"],
    "Warg Rider": ["long-run"],
}
POWERS = {
    "duel-masters/classic": {"1000": ["long-run"]},
    "duel-masters/elemental-powers": {
        "9000": ["mystical-flight"],
        "8000": ["seeing"],
        "7000": ["dimensional-vortex"],
        "6000": ["energy-blast"],
        "4000": ["ferocious-advance"],
        "3000": ["quick-strike"],
        "1000": ["long-run"],
    },
    "lotr/classic": {"Rider of Rohan": ["long-run"], "Warg Rider": ["long-run"]},
    "lotr/special-powers": LOTR,
    "lotr/destroy-the-ring": LOTR | {"Frodo": ["ring"]},
    "fire-and-ice/classic": {"2": ["long-run"]},
    "fire-and-ice/special-powers": {
        "10": ["flight"],
        "9": ["detect-enemy"],
        "8": ["quickness"],
        "7": ["quickness"],
        "6": ["enchant"],
        "5": ["rampage"],
        "4": ["arrow-strike"],
        "2": ["long-run"],
    },
}
VERBS_USED = {
    "duel-masters": "run leap detect teleport strike advance two-step",
    "lotr": "run leap detect strike area two-step chain area bearer",
    "fire-and-ice": "run leap detect two-step convert area strike",
}


@pytest.mark.parametrize("game_id", POWERS)
def test_each_piece_has_its_powers_and_no_other(game_id: str) -> None:
    game = load_game(game_id)
    found = {}
    for kind in game.kinds:
        name = next(iter(kind.names.values())) if game_id.startswith("lotr") else kind.label
        if abilities := game.abilities(kind):
            found[name] = [power.id for power in abilities]
    assert found == POWERS[game_id]


@pytest.mark.parametrize("box", VERBS_USED)
def test_the_powers_of_a_box_use_these_verbs(box: str) -> None:
    assert [power.verb for power in load_edition(box).powers.values()] == VERBS_USED[box].split()


def says(power: str, key: str) -> object:
    box, _, name = power.partition("/")
    return load_edition(box).powers[name].parameters[key]


def test_flights_differ_in_zones_and_attacks() -> None:
    flights = ("duel-masters/mystical-flight", "lotr/flight", "fire-and-ice/flight")
    assert [says(power, "over_zones") for power in flights] == [True, True, False]
    assert [says(power, "attack_after") for power in flights] == [False, False, True]


def test_shots_differ_in_reach_in_what_is_in_the_way_and_in_whom_they_spare() -> None:
    shots = ("duel-masters/energy-blast", "lotr/longbow", "fire-and-ice/arrow-strike")
    assert [says(power, "reach") for power in shots] == ["lines", "lines", "square"]
    assert [says(power, "blocked") for power in shots] == [True, False, False]
    assert [says(power, "spares") for power in shots] == [(), ("berzerker",), ()]
    assert [says(power, "takes_flag") for power in shots] == [False, False, False]


@pytest.mark.parametrize(
    ("game_id", "power", "user", "captures", "falls_with", "falls_to", "spares"),
    [
        (
            "duel-masters/elemental-powers",
            "energy-blast",
            "6000",
            "5000 4000 3000 2000 1000 S",
            "",
            "",
            "9000 8000 7000 6000 T F",
        ),
        ("lotr/special-powers", "longbow", "4", "3 2 S", "", "", "10 9 8 8 7 7 7 6 6 6 6 5 4 4 4 4 St F"),
        ("lotr/special-powers", "dwarven-axe", "8", "7 7 7 6 5 4 3 2 S", "8", "10 9 St", "F"),
        ("lotr/special-powers", "rampage", "5", "5 4 4 4 4 3 2 S St", "", "", "10 9 8 8 7 7 7 6 6 6 6 F"),
        ("lotr/destroy-the-ring", "rampage", "5", "5 4 4 4 3 2 S St", "", "", "10 9 8 8 7 7 7 6 6 6 6 4 F"),
        ("fire-and-ice/special-powers", "rampage", "5", "4 3 2 S", "5", "10 9 8 7 6", "T F"),
        ("fire-and-ice/special-powers", "enchant", "6", "5 4 3 2 S", "", "", "10 9 8 7 6 T F"),
        ("fire-and-ice/special-powers", "arrow-strike", "4", "3 2 S", "", "", "10 9 8 7 6 5 4 T F"),
    ],
)
def test_what_a_power_does_to_whom(
    game_id: str, power: str, user: str, captures: str, falls_with: str, falls_to: str, spares: str
) -> None:
    row = next(
        row for row in power_table(load_game(game_id)) if row.power.id == power and row.user.label == user
    )
    groups = (row.captures, row.falls_with, row.falls_to, row.spares)
    labels = [" ".join(kind.label for kind in kinds) for kinds in groups]
    assert labels == [captures, falls_with, falls_to, spares]


def test_only_a_rampage_that_hits_friends_lists_both_armies() -> None:
    game = load_game("lotr/special-powers")
    for row in power_table(game):
        met = {kind.id for kind in row.captures + row.falls_with + row.falls_to + row.spares}
        assert met == {
            kind.id for kind, count in zip(game.kinds, game.rosters[row.side.other], strict=True) if count
        }


def test_the_power_table_follows_the_options() -> None:
    game = load_game("fire-and-ice/special-powers")
    options = resolve(game, {"arrow_takes_flag": "on"})
    rows = [row for row in power_table(game, options) if row.power.id == "arrow-strike"]
    assert len(rows) == 2
    assert all("flag" in [kind.id for kind in row.captures] for row in rows)


def test_the_ring_is_known_in_the_ring_game_alone() -> None:
    assert [name for name in game_ids() if load_game(name).has_verb("bearer")] == ["lotr/destroy-the-ring"]


def test_the_ring_has_its_square_its_hunters_and_its_consequences() -> None:
    box = load_edition("lotr")
    evil = [kind for kind in box.kinds.values() if kind.counts[0] and not kind.counts[1]]
    ring = box.powers["ring"].parameters
    assert ring["square"] == "c5"
    assert ring["captors"] == ("witch-king", "ringwraith")
    purged = {kind.id for kind in evil if kind.rank in (2, 4, 5, 6, 7, 8)} | {"stronghold"}
    assert set(says("lotr/ring", "purges") or ()) == purged  # type: ignore[call-overload]
    assert set(ring["raises"]) == {kind.id for kind in evil if kind.rank}  # type: ignore[call-overload]
    assert box.powers["ring"].options == {
        "square": "mount_doom",
        "immune_there": "doom_immune",
        "visible_after": "ring_gone_visible",
        "tie_kills": "frodo_tie_kills",
    }


@pytest.mark.parametrize("game_id", game_ids())
def test_the_verbs_with_a_row_are_those_of_the_tables(game_id: str) -> None:
    game = load_game(game_id)
    rows = power_rows(game)
    assert {power.verb for power in rows} <= set(ROW_PRIMITIVES) <= set(PRIMITIVES)
    row = compile_game(game, resolve(game, {})).row
    verbs = [int(row[T.POWERS + index * T.POWER_WIDTH + T.POWER_VERB]) for index in range(T.MAX_POWERS)]
    assert [verb > 0 for verb in verbs] == [index < len(rows) for index in range(T.MAX_POWERS)]


def test_outcomes_have_the_numbers_of_the_engine() -> None:
    for name in ("ATTACKER_WINS", "BOTH_LOST", "DEFENDER_WINS", "NOTHING"):
        assert getattr(facts, name) == getattr(T, name)


def test_reading_a_box_leaves_the_choice_of_kernels_open() -> None:
    code = "import sys, flagfall.edition as e; e.editions(); print('flagfall.engine.kernel' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "False"
