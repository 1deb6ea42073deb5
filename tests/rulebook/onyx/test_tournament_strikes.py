"""Onyx: Aggressor Advantage and Silent Defense."""

from __future__ import annotations

import pytest

from flagfall.board import parse_cell
from flagfall.edition import OptionError, load_game, resolve
from flagfall.engine.combat import remove
from flagfall.engine.play import event_buffer
from flagfall.engine.state import PIECE_INFO, TOLD_NORTH, TOLD_SOUTH, TOLD_WATCHERS, piece_on
from tests.rulebook.fight import fight, meeting
from tests.rulebook.table import Table

RANKS = "123456789"


@pytest.mark.rule("ON-O-01")
@pytest.mark.parametrize("code", list(RANKS))
def test_with_aggressor_advantage_the_striker_wins_between_equals(code: str) -> None:
    assert fight("onyx/classic", code, code, aggressor_advantage="on") == "attacker"
    assert fight("onyx/classic", code, code) == "nobody"


@pytest.mark.rule("ON-O-01")
def test_aggressor_advantage_changes_nothing_between_unequals() -> None:
    for attacker in RANKS:
        for defender in RANKS + "sB":
            if attacker != defender:
                plain = fight("onyx/classic", attacker, defender)
                assert fight("onyx/classic", attacker, defender, aggressor_advantage="on") == plain


@pytest.mark.rule("ON-O-02")
@pytest.mark.parametrize(("defender", "name"), [("7", "sergeant"), ("4", "major"), ("5", "captain")])
def test_with_silent_defense_only_the_striker_states_its_rank(defender: str, name: str) -> None:
    table = meeting("onyx/classic", "5", defender, silent_defense="on").plays("e2xe3")
    assert table.events[:2] == ["attack e2xe3", "shown e2 captain to all"]
    assert table.shown_to("north") == ["e2 captain"]
    assert table.shown_to("south") == []
    assert table.shown_to("watchers") == ["e2 captain"]
    loud = meeting("onyx/classic", "5", defender).plays("e2xe3")
    assert loud.shown_to("south") == [f"e3 {name}"]


@pytest.mark.rule("ON-O-02", "ON-X-01")
def test_with_silent_defense_a_winning_defender_advances_unnamed() -> None:
    table = meeting("onyx/classic", "5", "4", silent_defense="on").plays("e2xe3")
    assert table.events == [
        "attack e2xe3",
        "shown e2 captain to all",
        "removed e2",
        "advance e3-e2",
        "turn north",
    ]
    assert table.known_to("south") == {}


@pytest.mark.rule("ON-O-03")
def test_with_silent_defense_the_captor_does_not_learn_what_it_captured() -> None:
    table = meeting("onyx/classic", "5", "7", silent_defense="on")
    struck = piece_on(table.state.buffer, parse_cell("e3"))
    table.plays("e2xe3")
    assert table.events == [
        "attack e2xe3",
        "shown e2 captain to all",
        "removed e3",
        "take e2-e3",
        "turn north",
    ]
    assert table.state.buffer[PIECE_INFO + struck] & TOLD_NORTH
    assert not table.state.buffer[PIECE_INFO + struck] & (TOLD_WATCHERS | TOLD_SOUTH)


@pytest.mark.rule("ON-O-03")
def test_silent_defense_makes_captured_pieces_secret_and_nothing_else() -> None:
    game = load_game("onyx/classic")
    assert resolve(game, {"silent_defense": "on"})["captured_pieces"] == "secret"
    for other in ("open", "prisoner", "stealth"):
        with pytest.raises(OptionError, match="silent_defense"):
            resolve(game, {"silent_defense": "on", "captured_pieces": other})


@pytest.mark.rule("ON-O-04")
@pytest.mark.parametrize(
    ("defender", "name"), [("7", "sergeant"), ("9", "scout"), ("s", "spy"), ("B", "bomb"), ("F", "flag")]
)
def test_with_silent_defense_a_striking_scout_has_the_struck_piece_named(defender: str, name: str) -> None:
    drawing = f"""
        10  {" ." if defender == "F" else "-F"}  .  .  .  .  .  .  .  . -8
         3   .  .  .  . -{defender}  .  .  .  .  .
         2   .  .  .  . +9  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +8
    """
    table = Table("onyx/classic", drawing, silent_defense="on").plays("e2xe3")
    assert table.shown_to("south") == [f"e3 {name}"]


@pytest.mark.rule("ON-O-04")
def test_with_silent_defense_a_struck_scout_names_nobody() -> None:
    table = meeting("onyx/classic", "7", "9", silent_defense="on").plays("e2xe3")
    assert table.shown_to("south") == []


@pytest.mark.rule("ON-X-04")
@pytest.mark.parametrize("advances", ["on", "off"])
def test_with_silent_defense_a_bomb_is_not_named_either_way(advances: str) -> None:
    options = {"silent_defense": "on", "defender_advances": advances}
    kills = meeting("onyx/classic", "5", "B", **options).plays("e2xe3")
    assert kills.events == ["attack e2xe3", "shown e2 captain to all", "removed e2", "turn north"]
    falls = meeting("onyx/classic", "8", "B", **options).plays("e2xe3")
    assert falls.shown_to("south") == []
    assert falls.events[-3:] == ["removed e3", "take e2-e3", "turn north"]


@pytest.mark.rule("ON-X-05")
@pytest.mark.parametrize(
    ("attacker", "same"),
    [("5", ("6", "7", "8", "9", "s")), ("5", ("1", "2", "3", "4")), ("8", ("9", "s", "B"))],
)
def test_with_silent_defense_only_who_is_gone_and_who_advanced_is_published(
    attacker: str, same: tuple[str, ...]
) -> None:
    def heard(defender: str) -> list[str]:
        return meeting("onyx/classic", attacker, defender, silent_defense="on").plays("e2xe3").events

    assert all(heard(defender) == heard(same[0]) for defender in same)


@pytest.mark.rule("ON-X-05")
def test_with_silent_defense_a_spy_that_takes_the_marshal_is_not_told_so() -> None:
    table = meeting("onyx/classic", "s", "1", silent_defense="on").plays("e2xe3")
    assert table.events == ["attack e2xe3", "shown e2 spy to all", "removed e3", "take e2-e3", "turn north"]


@pytest.mark.rule("ON-X-06")
def test_with_silent_defense_equals_are_both_removed_and_the_struck_one_is_not_named() -> None:
    table = meeting("onyx/classic", "5", "5", silent_defense="on").plays("e2xe3")
    assert table.events == [
        "attack e2xe3",
        "shown e2 captain to all",
        "removed e2",
        "removed e3",
        "turn north",
    ]


@pytest.mark.rule("ON-X-07")
def test_with_silent_defense_and_aggressor_advantage_an_equal_looks_like_a_weaker_piece() -> None:
    options = {"silent_defense": "on", "aggressor_advantage": "on"}
    equal = meeting("onyx/classic", "5", "5", **options).plays("e2xe3")
    weaker = meeting("onyx/classic", "5", "7", **options).plays("e2xe3")
    assert equal.events == weaker.events
    assert equal.events[-3:] == ["removed e3", "take e2-e3", "turn north"]


@pytest.mark.rule("ON-X-17")
@pytest.mark.parametrize("mode", ["open", "prisoner", "secret", "stealth"])
def test_whatever_happens_to_captured_pieces_a_fight_shows_both(mode: str) -> None:
    table = meeting("onyx/classic", "5", "7", captured_pieces=mode).plays("e2xe3")
    assert table.shown_to("south") == ["e3 sergeant"]
    assert table.shown_to("north") == ["e2 captain"]


@pytest.mark.rule("ON-X-17")
def test_captured_pieces_are_open_unless_agreed_otherwise() -> None:
    assert resolve(load_game("onyx/classic"), {})["captured_pieces"] == "open"


@pytest.mark.rule("ON-X-17")
@pytest.mark.parametrize(
    ("mode", "is_told"), [("open", True), ("prisoner", True), ("secret", False), ("stealth", False)]
)
def test_a_captured_piece_nobody_has_seen_is_shown_to_a_captor_who_may_look_at_it(
    mode: str, is_told: bool
) -> None:
    table = meeting("onyx/classic", "5", "7", captured_pieces=mode)
    struck = piece_on(table.state.buffer, parse_cell("e3"))
    remove(table.tables.buffer, table.state.buffer, struck, event_buffer(), 0)
    told = table.state.buffer[PIECE_INFO + struck]
    assert bool(told & TOLD_SOUTH) is bool(told & TOLD_WATCHERS) is is_told
