"""What the guide of a first game says: each event in a small position, and nothing beyond the View."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from msgspec.structs import replace as replace_fields

from flagfall.edition import load_edition
from flagfall.edition.guides import EVENTS, guide_book
from flagfall.edition.lessons import lesson_book
from flagfall.edition.reader import Section
from flagfall.match import guides
from flagfall.match.guides import GuideWords, guide_words
from flagfall.match.lessons import play_lesson
from flagfall.view.view import Barred, Result, View

Army = Mapping[str, str]
AWAY = {"e4": "miner"}
"""an enemy that is far from everyone"""


def seen(
    south: Army, north: Army, known: Sequence[str] = (), turns: Sequence[tuple[str, str]] = (), **options: str
) -> View:
    """South's View of a small position after some turns, each with North's reply."""
    text = {"text": "x", "praise": "x", "any": True}
    steps = [{**text, "solution": own, "reply": [reply] if reply else []} for own, reply in turns]
    lesson = {
        "title": "x",
        "goal": "x",
        "done": "x",
        "game": "duel",
        "board": {"size": [5, 6], "home_rows": 1},
        "options": options,
        "known": list(known),
        "south": {"a1": "flag", **south},
        "north": {"e6": "flag", **north},
        "step": [*steps, {**text, "solution": "x"}],
    }
    tables = Section("x.toml", "", {"lesson": {"x": lesson}})
    box = replace(load_edition("spin-master"), lesson_tables=lambda: tables)
    played = play_lesson(lesson_book(box)["spin-master/x"], [own for own, _ in turns])
    return played.view


def says(view: View) -> dict[str, GuideWords]:
    guide = guide_book(load_edition("spin-master"))["spin-master/duel"]
    return {one.event: one for one in guide_words(guide, view)}


def test_every_event_has_a_condition() -> None:
    assert set(guides._CONDITIONS) == set(EVENTS)


def test_the_beginning() -> None:
    army = {"c2": "general"}
    assert set(says(seen(army, AWAY))) == {"begin", "few-left", "flag"}
    later = seen(army, AWAY, turns=[("c2-c3", "e4-e5"), ("c3-b3", "e5-e4")])
    assert "begin" not in says(later)


def test_nothing_is_said_while_the_enemy_moves_or_a_turn_is_open() -> None:
    assert not says(seen({"c2": "general"}, AWAY, turns=[("c2-c3", "")]))
    assert not says(seen({"c2": "spotter"}, {"c4": "bomb", **AWAY}, turns=[("c2-c3 spot c4", "")]))


def test_a_scout_can_run() -> None:
    said = says(seen({"c1": "scout"}, AWAY))["run"]
    assert (said.words.split(" can")[0], said.squares) == ("Your Scout", ("c1",))
    assert "run" not in says(seen({"c1": "miner"}, AWAY))


def test_a_hidden_enemy_stands_next_to_a_piece() -> None:
    army = {"c2": "general"}
    assert says(seen(army, {"c3": "miner"}))["contact"].squares == ("c3",)
    assert "contact" not in says(seen(army, {"c3": "miner"}, known=["c3"]))
    assert "contact" not in says(seen(army, {"d3": "miner"}))
    assert "contact" not in says(seen({"c2": "bomb", "e1": "general"}, {"c3": "miner"}))


def test_the_enemy_has_attacked() -> None:
    army = {"c2": "general", "a3": "miner"}
    attacked = seen(army, {"c3": "miner", **AWAY}, turns=[("a3-a4", "c3xc2")])
    assert {"attacked", "known"} <= set(says(attacked))
    own = seen(army, {"c3": "miner", **AWAY}, turns=[("c2xc3", "e4-e5")])
    assert "attacked" not in says(own)
    lost = seen(army, {"c3": "marshal", **AWAY}, turns=[("a3-a4", "c3xc2")])
    assert "attacked" in says(lost)


@pytest.mark.parametrize(
    ("own", "enemy"),
    [("marshal", "spy"), ("bomb", "miner"), ("bomb", "general"), ("general", "general")],
)
def test_the_bigger_number_is_not_praised_where_something_else_decided(own: str, enemy: str) -> None:
    view = seen({"c2": own, "a3": "scout"}, {"c3": enemy, **AWAY}, turns=[("a3-a4", "c3xc2")])
    assert "attacked" not in says(view)


def test_a_piece_was_revealed() -> None:
    said = says(seen({"c2": "miner"}, {"c4": "general"}, known=["c4"]))["revealed"]
    assert said.words.startswith("Remember their General on c4!")
    assert "revealed" not in says(seen({"c2": "miner"}, {"c4": "general"}))
    assert "revealed" not in says(seen({"c2": "miner"}, {"c4": "bomb", **AWAY}, known=["c4"]))


def test_the_enemy_knows_a_piece() -> None:
    said = says(seen({"c2": "spy", "b2": "bomb"}, AWAY, known=["c2", "b2"]))["known"]
    assert (said.words.split(" on")[0], said.squares) == ("They have seen your Spy", ("c2",))
    assert "known" not in says(seen({"c2": "spy", "b2": "bomb"}, AWAY, known=["b2"]))


def test_a_bomb_needs_a_miner() -> None:
    north = {"c4": "bomb", **AWAY}
    assert says(seen({"c2": "miner"}, north, known=["c4"]))["bomb"].squares == ("c4",)
    assert "bomb" not in says(seen({"c2": "general"}, north, known=["c4"]))
    assert "bomb" not in says(seen({"c2": "miner"}, north))


def test_a_spotter_has_something_to_name() -> None:
    assert says(seen({"c3": "spotter"}, {"c4": "bomb", **AWAY}))["power"].squares == ("c3",)
    assert "power" not in says(seen({"c2": "spotter"}, {"c4": "bomb", **AWAY})), "it must step first"
    assert "power" not in says(seen({"c1": "spotter"}, {"c4": "bomb", **AWAY}))


def test_the_two_square_rule_before_it_bites() -> None:
    army, turns = {"c2": "general"}, [("c2-c3", "e4-e5"), ("c3-c2", "e5-e4")]
    assert "back-and-forth" not in says(seen(army, AWAY, turns=turns[:1]))
    barred = seen(army, AWAY, turns=turns)
    assert says(barred)["back-and-forth"].squares == ("c2",)
    chase = replace_fields(barred, barred=(Barred("c2", "c3", "chase"),))
    assert "back-and-forth" not in says(chase)


def test_an_enemy_stands_next_to_the_flag() -> None:
    assert says(seen({"c2": "general"}, {"a2": "miner"}))["danger"].squares == ("a2",)
    assert "danger" not in says(seen({"c2": "general"}, {"b2": "miner"}))
    bomb_first = {"a1": "bomb", "e1": "flag", "c2": "general"}
    assert "danger" not in says(seen(bomb_first, {"a2": "miner"}))


def test_few_enemies_are_left() -> None:
    north = {"a6": "bomb", "b6": "bomb", "c6": "spy"}
    assert "few-left" in says(seen({"c2": "general"}, north))
    assert "few-left" not in says(seen({"c2": "general"}, {**north, **AWAY}))


def test_the_flag_is_almost_found() -> None:
    north = {"c6": "bomb", "e4": "miner"}
    army, turns = {"c2": "general"}, [("c2-c3", "e4-e5")]
    assert "flag" not in says(seen(army, north))
    assert says(seen(army, north, turns=turns))["flag"].words.startswith(
        "Flags never move. Theirs can only be on c6 or e6."
    )
    assert says(seen(army, north, ["c6"], turns))["flag"].squares == ("e6",)


@pytest.mark.parametrize(
    ("event", "south", "north", "turns", "options"),
    [
        ("won", {"e5": "miner"}, AWAY, [("e5xe6", "")], {}),
        ("lost", {"c2": "general"}, {"a2": "miner"}, [("c2-c3", "a2xa1")], {}),
        ("drawn", {"c2": "general"}, AWAY, [("c2-c3", "")], {"no_progress_draw": "1"}),
    ],
)
def test_the_end(
    event: str, south: Army, north: Army, turns: list[tuple[str, str]], options: dict[str, str]
) -> None:
    assert set(says(seen(south, north, turns=turns, **options))) == {event}


def test_nothing_is_said_of_a_cancelled_game() -> None:
    view = replace_fields(seen({"c2": "general"}, AWAY), result=Result("", "aborted"))
    assert says(view) == {}
