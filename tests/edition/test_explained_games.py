"""Rules pages, army sheets, piece cards and the combat table come from the data of a box."""

from __future__ import annotations

import re

import pytest

from flagfall.edition import (
    army_sheet,
    combat_table,
    concerning,
    draw_board,
    game_ids,
    load_game,
    piece_card,
    resolve,
    rules_page,
)
from flagfall.edition.texts import option_sentence
from flagfall.sides import Side


def page(game_id: str, **options: str) -> str:
    game = load_game(game_id)
    return rules_page(game, resolve(game, options))


@pytest.mark.parametrize("game_id", game_ids())
def test_a_rules_page_has_everything_a_player_needs(game_id: str) -> None:
    game = load_game(game_id)
    text = page(game_id)
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings == [
        "The board",
        "The armies",
        "Setting up",
        "Your turn",
        "Moving",
        "Attacking",
        "Special pieces",
        *(["Powers"] if game.has_powers else []),
        "How the game ends",
        "Options in this game",
        "Hints",
    ]
    assert game.edition.story in text
    assert all(f"`{info.name} = " in text for info in concerning(game) if info.needs != "rescue")


@pytest.mark.parametrize("game_id", game_ids())
def test_every_value_of_every_option_is_explained_in_a_sentence(game_id: str) -> None:
    game = load_game(game_id)
    sentences = []
    for info in concerning(game):
        numbers = ("1", "9") if info.max else ()
        for value in (*info.values, *numbers):
            main = {info.needs: "on"} if info.needs == "rescue" else {}
            sentences.append(option_sentence(game, info.name, resolve(game, {info.name: value} | main)))
    assert all(sentence.endswith(".") for sentence in sentences)
    assert len(set(sentences)) == len(sentences)


def test_the_drawn_board_shows_names_homes_and_zones() -> None:
    assert draw_board(load_game("spin-master/duel")).splitlines() == [
        "    a b c d e f g h i j",
        "  8 n n n n n n n n n n  8",
        "  7 n n n n n n n n n n  7",
        "  6 n n n n n n n n n n  6",
        "  5 . . # # . . # # . .  5",
        "  4 . . # # . . # # . .  4",
        "  3 s s s s s s s s s s  3",
        "  2 s s s s s s s s s s  2",
        "  1 s s s s s s s s s s  1",
        "    a b c d e f g h i j",
        "",
        "s  home of Red (South)    n  home of Blue (North)",
        "#  craters: no piece may enter    .  empty square",
    ]


def test_the_army_sheet_lists_label_name_count_and_privileges_of_each_side() -> None:
    sheet = army_sheet(load_game("lotr/classic"))
    evil, good = sheet.split("### Good (North)")
    assert "| 2 | Warg Rider | 8 | Gallop |" in evil
    assert "| S | Wormtongue | 1 | takes Gandalf |" in evil
    assert "| 3 | Soldier of Gondor | 5 | takes Strongholds |" in good
    assert "Gandalf" in good
    assert "Orc" not in good
    assert sheet.count("| | **Total** | **40** | |") == 2


def test_a_piece_card_speaks_of_the_piece_of_that_army() -> None:
    game = load_game("duel-masters/classic")
    black, beige = (piece_card(game, "scout", side) for side in (0, 1))
    assert black.startswith("### Deadly Fighter Braid Claw\n")
    assert beige.startswith("### Aqua Soldier\n")
    assert "label 1000 · 8 in the army" in beige
    assert "**Long run.**" in beige


def test_there_is_no_card_for_a_piece_the_army_does_not_have() -> None:
    with pytest.raises(KeyError):
        piece_card(load_game("lotr/classic"), "gandalf", 0)
    with pytest.raises(KeyError):
        piece_card(load_game("barrage/classic"), "major", 0)


def test_the_combat_table_says_who_beats_whom() -> None:
    rows = {(row.side, row.attacker.id): row for row in combat_table(load_game("barrage/classic"))}
    assert len(rows) == 2 * 5
    spy, miner, marshal = (rows[Side.SOUTH, name] for name in ("spy", "miner", "marshal"))
    assert [kind.id for kind in spy.beats] == ["marshal", "flag"]
    assert [kind.id for kind in spy.ties] == ["spy"]
    assert [kind.id for kind in spy.loses_to] == ["general", "miner", "scout", "bomb"]
    assert [kind.id for kind in miner.beats] == ["scout", "spy", "bomb", "flag"]
    assert [kind.id for kind in marshal.ties] == ["marshal"]
    assert [kind.id for kind in marshal.loses_to] == ["bomb"]


@pytest.mark.parametrize("game_id", game_ids())
def test_every_attacker_meets_every_kind_of_the_other_army_once(game_id: str) -> None:
    game = load_game(game_id)
    for row in combat_table(game):
        enemies = [
            kind.id for kind, count in zip(game.kinds, game.rosters[row.side.other], strict=True) if count
        ]
        assert sorted(kind.id for kind in row.beats + row.ties + row.loses_to + row.in_vain) == sorted(
            enemies
        )


def test_the_page_follows_the_options() -> None:
    assert "stays where it is." in page("barrage/classic").split("## Attacking")[1].split("##")[0]
    assert "moves to the square from which it was attacked" in page("onyx/classic")
    assert "the one that attacks wins" in page("barrage/classic", aggressor_advantage="on")
    assert "only the attacker is shown" in page("barrage/classic", silent_defense="on")
    assert "bring one of your lost pieces back" in page("barrage/classic", rescue="on")
    assert "Each player has 10 minutes for the whole game, and gets 5 seconds more" in page(
        "barrage/classic", clock="10m+5s"
    )
    assert "`memory = notes` *(changed)*" in page("onyx/classic", memory="notes")


def test_players_are_told_what_a_silent_winner_gives_away() -> None:
    warning = "a winner that does not move up must be a Bomb"
    assert warning in page("onyx/classic", silent_defense="on")
    assert warning not in page("onyx/classic", silent_defense="on", defender_advances="off")


def test_the_page_says_which_number_is_strong() -> None:
    assert "the smaller number wins" in page("onyx/classic")
    assert "the higher number wins" in page("lotr/classic")


def test_the_page_of_a_game_without_zones_speaks_of_none() -> None:
    assert "cannot be entered" not in page("mini/3x3")
    assert "The lakes in the middle cannot be entered" in page("barrage/classic")
