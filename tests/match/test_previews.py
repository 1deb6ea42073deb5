"""What a player is shown before a power is played, with a few pieces on the board of the game."""

from __future__ import annotations

import pytest

from flagfall.match.previews import Fate, Hit, Preview, Way, previews
from flagfall.view.view import VIEWERS
from tests.view.table import Table as AnyTable
from tests.view.table import WideTable as Table

DM, FI, LR = "duel-masters/elemental-powers", "fire-and-ice/special-powers", "lotr/special-powers"
RING = "lotr/destroy-the-ring"


def preview(table: AnyTable, text: str) -> Preview:
    """The preview of an action for the player to move; an empty one if it has none."""
    view = table.view(VIEWERS[table.seen_game.state.side])
    action = table.read(text)
    assert action in view.legal
    return previews(table.game, view, table.seen_game.options).get(action, Preview())


def test_plain_moves_and_attacks_have_no_preview() -> None:
    table = Table(DM, south="a1 flag, b4 brute, e4 scout", north="b5 spy, j10 flag")
    for text in ("b4xb5", "b4-a4", "e4-e7"):
        assert preview(table, text) == Preview()


def test_a_flight_shows_every_square_it_crosses() -> None:
    table = Table(FI, south="a1 flag, a2 dragon, a3 scout, a4 elf", north="b5 knight, j10 flag")
    way = Way(("a2", "a3", "a4", "a5"))
    assert preview(table, "a2^a5") == Preview((way,), then=("b5",)), "after landing it may attack b5"


def test_a_teleport_shows_where_it_ends_and_a_two_step_its_corner() -> None:
    table = Table(DM, south="a1 flag, e4 knight, a4 striker", north="b5 scout, j10 flag")
    assert preview(table, "e4~f6").ways == (Way(("e4", "f6")),)
    turn = preview(table, "a4-a5xb5")
    assert turn.ways == (Way(("a4", "a5", "b5")),)
    assert [hit.square for hit in turn.hits] == ["b5"]


def test_an_enemy_is_hit_where_it_stands_and_its_fate_is_told_only_if_it_is_certain() -> None:
    north = "b6 {}, b9 {}, j10 flag"
    for hidden in (("scout", "mage"), ("mage", "scout")):
        table = Table(FI, south="a1 flag, b4 elf", north=north.format(*hidden))
        assert preview(table, "b4 shoot b6").hits == (Hit("b6"),)
    table = Table(FI, south="a1 flag, b4 elf", north="b6 scout, b9 scout, j10 flag")
    table.plays("b4-b5", "b6-b7")
    assert table.piece("south", "b7").kind == ""
    assert preview(table, "b5 shoot b7").hits == (Hit("b7", fate="captured"),), "it can only be a Scout"


def test_what_looks_do_is_certain_and_a_conversion_needs_a_weaker_piece() -> None:
    table = Table(FI, south="a1 flag, b4 mage, f4 sorceress", north="b6 scout, f6 dragon, j10 flag")
    assert preview(table, "b4 detect b6").hits == (Hit("b6", fate="shown"),)
    assert preview(table, "f4 enchant f6").hits == (Hit("f6"),)
    table = Table(FI, south="a1 flag, f4 sorceress", north="f7 dragon, e10 dragon, j10 flag")
    table.plays("f4-e4", "f7-f6")
    assert preview(table, "e4 enchant f6").hits == (Hit("f6", fate="safe"),), "a Dragon does not listen"


def test_a_rampage_that_hits_friends_asks_first() -> None:
    table = Table(FI, south="a1 flag, e4 beast, f4 scout, f5 dragon", north="e6 elf, f6 elf, j10 flag")
    strike = preview(table, "e4-e5 rampage")
    assert strike.ways == (Way(("e4", "e5")),)
    assert set(strike.squares) == {"f4", "f5", "d6", "e6", "f6"}, "no lake, and not its own"
    hits = {hit.square: (hit.is_own, hit.fate) for hit in strike.hits}
    assert hits["f4"] == (True, "captured")
    assert hits["f5"] == (True, "safe")
    assert hits["e6"][0] is False
    assert strike.is_lost, "its own Dragon is stronger than the Beast"
    beast, dragon = (table.game.kind_name(table.game.kind_index(kind), 0) for kind in ("beast", "dragon"))
    assert strike.question == (
        f"This also hits your own Scout on f4, shows your own {dragon} on f5 to the enemy and costs you "
        f"your {beast}. Do it?"
    )


def test_a_rampage_that_costs_only_enemies_asks_nothing() -> None:
    table = Table(FI, south="a1 flag, e4 beast", north="e6 elf, f6 elf, j10 flag")
    assert preview(table, "e4-e5 rampage").question == ""


def test_a_strike_that_always_costs_the_striker_asks_first() -> None:
    table = Table(LR, south="a1 flag, e4 berzerker", north="e6 elf, f6 gandalf, j10 flag")
    strike = preview(table, "e4-e5 rampage")
    assert strike.is_lost
    assert strike.question == "This costs you your Berzerker. Do it?"
    assert strike.hits == (Hit("e6"), Hit("f6"))


def test_the_axe_shows_who_can_be_chosen_and_then_who_is() -> None:
    table = Table(LR, south="a1 flag, e5 orc, f5 orc, i4 orc", north="e7 gimli, j10 flag")
    table.plays("i4-i5")
    swing = preview(table, "e7-e6 swing")
    assert swing.hits == ()
    assert set(swing.then) == {"e5", "f5"}
    table.plays("e7-e6 swing")
    assert [hit.square for hit in preview(table, "at f5").hits] == ["f5"]
    table.plays("at f5")
    assert [hit.square for hit in preview(table, "at e5").hits] == ["f5", "e5"]
    assert [hit.square for hit in preview(table, "done").hits] == ["f5"]


def test_a_chain_shows_what_it_can_attack_next() -> None:
    table = Table(LR, south="a1 flag, e5 uruk-hai", north="e6 soldier, f6 elf, e7 elf, j10 flag")
    attack = preview(table, "e5xe6")
    assert [hit.square for hit in attack.hits] == ["e6"]
    assert set(attack.then) == {"f6", "e7"}
    assert attack.question == "", "an attack is never asked about"


@pytest.mark.parametrize(("kind", "fate"), [("gandalf", "safe"), ("boromir", "captured")])
def test_a_chain_that_certainly_ends_shows_the_loss_and_nothing_to_attack_next(kind: str, fate: Fate) -> None:
    table = Table(LR, south="a1 flag, a2 orc, e5 uruk-hai", north=f"e7 {kind}, f6 {kind}, j10 flag")
    table.plays("a2-a3", "e7-e6")
    assert preview(table, "e5xe6") == Preview(
        (Way(("e5", "e6")),), hits=(Hit("e6", fate=fate),), is_lost=True
    )


def test_a_chain_ends_with_the_flag() -> None:
    table = Table(LR, south="a1 flag, a2 orc, e5 uruk-hai", north="e6 flag, f7 elf")
    table.plays("a2-a3", "f7-f6")
    assert preview(table, "e5xe6") == Preview((Way(("e5", "e6")),), hits=(Hit("e6", fate="captured"),))


def test_ranks_that_have_grown_count() -> None:
    south = "a1 flag, a4 witch-king, e5 uruk-hai"
    table = Table(RING, south=south, north="a5 frodo, e7 boromir, j10 flag")
    table.plays("a4xa5", "e7-e6")
    attack = preview(table, "e5xe6")
    assert attack.hits == (Hit("e6", fate="captured"),)
    assert not attack.is_lost, "without Frodo the Uruk-hai is stronger than Boromir"


@pytest.mark.parametrize(("kind", "fate"), [("knight", "safe"), ("striker", "captured")])
def test_a_power_that_certainly_loses_its_piece_asks_first(kind: str, fate: Fate) -> None:
    table = Table(DM, south="a1 flag, a4 striker, j1 brute", north=f"b6 {kind}, j10 flag")
    table.plays("j1-j2", "b6-b5")
    turn = preview(table, "a4-a5xb5")
    assert (turn.hits, turn.is_lost) == ((Hit("b5", fate=fate),), True)
    own, other = (
        table.game.kind_name(table.game.kind_index(one), side) for side, one in enumerate(("striker", kind))
    )
    assert turn.question == f"Your {own} on a4 loses to the {other} on b5. Do it?"


def test_a_rescue_shows_its_way_and_whom_it_attacks() -> None:
    table = AnyTable(
        "onyx/classic",
        south="a1 flag, a2 captain, b1 scout, c3 major",
        north="d4 flag, b2 major, c4 spy, a4 scout",
        rescue="on",
        rescue_on_strike="on",
    )
    table.plays("b1xb2", "a4-a3")
    hit = Hit("c4", fate="captured")
    assert preview(table, "rescue c3xc4") == Preview((Way(("c3", "c4")),), hits=(hit,)), "a Spy or the Flag"


def test_a_piece_that_is_known_already_has_nothing_to_show() -> None:
    table = Table(FI, south="a1 flag, b4 mage", north="b6 scout, j9 elf, j10 flag", detect_known="on")
    table.plays("b4 detect b6", "j9-j8")
    assert preview(table, "b4 detect b6").hits == (Hit("b6"),)


def test_a_piece_that_the_enemy_has_seen_is_not_shown_again() -> None:
    table = Table(FI, south="a1 flag, e4 beast, f5 dragon", north="f6 elf, e6 elf, j9 elf, j10 flag")
    table.plays("f5xf6", "j9-j8")
    assert "shows" not in preview(table, "e4-e5 rampage").question


def test_a_loss_is_asked_about_once_in_a_swing() -> None:
    south = "a1 flag, e4 witch-king, f4 witch-king, i4 witch-king"
    table = Table(LR, south=south, north="e8 gimli, j9 elf, j10 flag")
    table.plays("e4-e5", "j9-j8", "f4-f5", "e8-e7", "i4-i5", "e7-e6 swing")
    asked = preview(table, "at e5")
    assert (asked.is_lost, asked.question) == (True, "This costs you your Gimli. Do it?")
    table.plays("at e5")
    assert preview(table, "at f5") == Preview(
        hits=(Hit("e5", fate="safe"), Hit("f5", fate="safe")), is_lost=True
    )


def test_a_flight_after_which_nothing_can_be_attacked() -> None:
    table = Table(LR, south="a1 flag, a2 orc, f6 orc", north="e8 gandalf, e7 elf, j10 flag")
    table.plays("a2-a3")
    assert preview(table, "e8^e6") == Preview((Way(("e8", "e7", "e6")),))


def test_an_advance_against_a_known_stronger_piece_asks_first() -> None:
    table = Table(DM, south="a1 flag, b4 swarm, g4 swarm, j1 brute", north="b6 knight, j10 flag")
    table.plays("j1-j2", "b6-b5")
    swarm, knight = (
        table.game.kind_name(table.game.kind_index(one), side) for side, one in enumerate(("swarm", "knight"))
    )
    march = preview(table, "advance north")
    assert march.hits == (Hit("b5", fate="safe"),)
    assert f"Your {swarm} on b4 loses to the {knight} on b5." in march.question
    table.plays("advance north")
    assert preview(table, "at b4").is_lost
    assert preview(table, "at g4").is_lost, "it goes into the Barrier Zone"


def test_an_advance_shows_where_every_piece_ends() -> None:
    table = Table(DM, south="a1 flag, b4 swarm, b3 swarm, c4 swarm, j4 swarm", north="b5 spy, j10 flag")
    march = preview(table, "advance north")
    assert march.ways == (
        Way(("b3", "b4")),
        Way(("b4", "b5")),
        Way(("c4", "c5"), is_lost=True),
        Way(("j4", "j5")),
    )
    assert [hit.square for hit in march.hits] == ["b5"], "b3 may follow b4"
    name = table.game.kind_name(table.game.kind_index("swarm"), 0)
    assert march.question == f"Your {name} on c4 goes into the Barrier Zone and is lost. Do it?"
    east = preview(table, "advance east")
    assert east.ways[-1] == Way(("j4",), is_lost=True)
    assert east.question == f"Your {name} on j4 goes off the board and is lost. Do it?"


def test_an_advance_into_the_own_flag_says_that_the_game_is_lost() -> None:
    table = Table(DM, south="b2 flag, b1 swarm, g1 swarm, g2 brute", north="j10 flag, a10 scout")
    name = table.game.kind_name(table.game.kind_index("brute"), 0)
    asked = f"This attacks your own Flag on b2 and {name} on g2, and you lose the game. Do it?"
    assert preview(table, "advance north").question == asked


def test_what_the_direction_has_told_is_not_asked_again_but_a_wrong_order_is() -> None:
    south = "a1 flag, b4 swarm, b3 swarm, g1 swarm, g2 brute"
    table = Table(DM, south=south, north="j10 flag, a10 scout").plays("advance north")
    assert preview(table, "at g1").question == ""
    name = table.game.kind_name(table.game.kind_index("swarm"), 0)
    assert preview(table, "at b3").question == f"This attacks your own {name} on b4. Do it?"
    assert preview(table, "at b4").question == ""


def test_where_some_may_stay_behind_every_piece_is_asked_for() -> None:
    south = "a1 flag, b4 swarm, g1 swarm, g2 brute"
    table = Table(DM, south=south, north="j10 flag, a10 scout", advance_subset="on")
    assert preview(table, "advance north").question == ""
    table.plays("advance north")
    assert preview(table, "at g1").question.startswith("This attacks your own ")


def test_what_must_be_played_is_not_asked_about() -> None:
    table = Table(DM, south="a1 flag, g1 swarm, b4 swarm, g2 brute", north="j10 flag, a10 scout")
    table.plays("advance north", "at b4")
    assert table.choices() == ["choose square g1"]
    assert preview(table, "at g1").question == ""


def test_the_ring_shows_the_enemies_that_certainly_leave() -> None:
    table = Table(
        RING, south="a1 flag, a2 orc, d1 orc, f2 uruk-hai, g2 uruk-hai", north="b5 frodo, j10 flag, j9 elf"
    )
    table.plays("a2-b2")
    arrival = preview(table, "b5-c5")
    assert arrival.ways == (Way(("b5", "c5")),)
    assert arrival.hits == (), "any of them may be an Orc, which stays"
    assert arrival.question == ""
    table = Table(RING, south="a1 flag, f2 uruk-hai, g2 uruk-hai", north="b5 frodo, j10 flag, j9 elf")
    table.plays("f2-f3", "j9-j8", "f3-f4")
    assert preview(table, "b5-c5").hits == (Hit("f4", fate="captured"),), "only a flag stays unmoved"


@pytest.mark.parametrize(("memory", "fate"), [("assisted", "captured"), ("strict", "")])
def test_memory_decides_what_is_certain(memory: str, fate: Fate) -> None:
    table = Table(FI, south="a1 flag, b4 elf", north="b6 scout, b9 scout, j10 flag", memory=memory)
    table.plays("b4-b5", "b6-b7")
    assert preview(table, "b5 shoot b7").hits == (Hit("b7", fate=fate),)
