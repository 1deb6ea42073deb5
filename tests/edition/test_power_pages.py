"""The Powers section of a rules page says what the data and the options say."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from flagfall.board import NORTH, SOUTH, parse_cell
from flagfall.edition import (
    Game,
    Options,
    concerning,
    draw_board,
    game_ids,
    load_game,
    piece_card,
    resolve,
    rules_page,
)
from flagfall.edition.power_texts import FACTS
from flagfall.edition.schema import Power
from flagfall.edition.verbs import PRIMITIVES
from flagfall.match import RefusedError
from flagfall.match.referee import Referee, perform, read_actions
from flagfall.sides import SIDES

WITH_POWERS = [name for name in game_ids() if load_game(name).has_powers]
DUEL, RING, ICE = "duel-masters/elemental-powers", "lotr/destroy-the-ring", "fire-and-ice/special-powers"


def page(game_id: str, **options: str) -> str:
    game = load_game(game_id)
    return rules_page(game, resolve(game, options))


def about(game_id: str, power: str, **options: str) -> str:
    """What the page says below the heading of one power."""
    return page(game_id, **options).split(f"### {power}\n")[1].split("\n#")[0]


def test_every_verb_is_explained() -> None:
    explained = {name for name, primitive in PRIMITIVES.items() if primitive.section == "powers"}
    assert set(FACTS) == explained


@pytest.mark.parametrize("game_id", WITH_POWERS)
def test_every_power_is_told_once_with_its_owners_and_its_text(game_id: str) -> None:
    game = load_game(game_id)
    text = page(game_id)
    for power in game.powers():
        assert text.count(power.text) == 1
        told = text.split(power.text)[0]
        if power.verb != "run":
            assert told.rstrip().endswith("*")
            assert f"### {power.name}\n" in told


@dataclass(frozen=True)
class Pieces:
    """An army that stands somewhere on the board."""

    kinds: dict[int, int]


def referee_for(game: Game, power: Power, options: Options, typed: str) -> Referee:
    """A position in which an example makes sense: the piece with the power, and enemies to attack."""
    kind = next(kind for kind in game.kinds if power in game.abilities(kind))
    index = game.kind_index(kind.id)
    side = next(side for side in SIDES if game.rosters[side][index])
    squares = [parse_cell(square) for square in re.findall(r"[a-j](?:10|[1-9])", typed) or ["e4"]]
    prey = [parse_cell(square) for square in re.findall(r"(?:x|shoot |detect |enchant )([a-j]\d+)", typed)]
    prey += [parse_cell(square) for square in re.findall(r"[a-j]\d+", typed.partition("swing")[2])]
    if "rampage" in typed:
        prey = [squares[-1] + NORTH]
    own = dict.fromkeys(squares if power.verb == "advance" else squares[:1], index)
    if "^" in typed:
        way = NORTH if squares[1] > squares[0] else SOUTH
        runner = next(
            number for number, one in enumerate(game.kinds) if game.rosters[side][number] and one.rank == 2
        )
        own |= dict.fromkeys(range(squares[0] + way, squares[1], way), runner)
    weak = min(
        (one for number, one in enumerate(game.kinds) if one.rank and game.rosters[side.other][number]),
        key=lambda one: one.rank,
    )
    flag = next(number for number, one in enumerate(game.kinds) if one.role == "flag")
    enemy = dict.fromkeys(prey, game.kind_index(weak.id))
    own[parse_cell("a1")] = enemy[parse_cell(f"j{game.board.rows}")] = flag
    enemy[parse_cell(f"i{game.board.rows}")] = game.kind_index(weak.id)
    south, north = (own, enemy) if side == SIDES[0] else (enemy, own)
    return Referee(game, options, Pieces(south), Pieces(north), to_move=SIDES.index(side))


def typed_into(referee: Referee, options: Options, text: str) -> None:
    """Type a turn or a part of one; a refusal fails the test with its sentence."""
    try:
        perform(referee, options, read_actions(referee, text))
    except RefusedError as error:
        pytest.fail(f"“{text}” is refused: {error.sentence}")


CHANGES: list[dict[str, str]] = [
    {},
    {"advance_order": "front_first"},
    {"advance_subset": "on"},
    {"blast_range": "square"},
    {"mount_doom": "h5"},
    {"dragon_over_zones": "on"},
]


@pytest.mark.parametrize("changes", CHANGES, ids=str)
@pytest.mark.parametrize("game_id", WITH_POWERS)
def test_a_referee_accepts_every_example_of_a_rules_page(game_id: str, changes: dict[str, str]) -> None:
    game = load_game(game_id)
    names = {option.name for option in concerning(game)}
    options = resolve(game, {name: value for name, value in changes.items() if name in names})
    powers = [power for power in game.powers() if PRIMITIVES[power.verb].section == "powers"]
    for power in powers:
        section = rules_page(game, options).split(f"### {power.name}\n")[1].split("\n#")[0]
        (line,) = re.findall(r"Type it like this: (.*)\.$", section, re.MULTILINE)
        first, _, then = line.partition(", and then ")
        starts, answers = (re.findall(r"`([^`]*)`", part) for part in (first, then))
        assert starts
        for start in starts:
            referee = referee_for(game, power, options, " ".join([start, *answers]))
            typed_into(referee, options, start)
            for answer in answers:
                typed_into(referee.copy(), options, answer)


@pytest.mark.parametrize("game_id", [name for name in game_ids() if name not in WITH_POWERS])
def test_games_without_powers_do_not_speak_of_them(game_id: str) -> None:
    assert "power" not in page(game_id).split("## Hints")[0].replace("without powers", "").lower()


def test_the_turn_and_the_moves_leave_room_for_powers() -> None:
    assert "it moves, attacks, or uses one power." in page(DUEL)
    assert "nobody jumps over another piece unless a power says so." in page(DUEL)
    assert "it moves, or it attacks." in page("duel-masters/classic")
    assert "nobody jumps over another piece." in page("duel-masters/classic")


@pytest.mark.parametrize(
    ("game_id", "power", "options", "sentence"),
    [
        (DUEL, "Energy Blast", {}, "x . x . x\n. x x x ."),
        (DUEL, "Energy Blast", {}, "A piece in between blocks it; a zone does not."),
        (DUEL, "Energy Blast", {"blast_range": "square"}, "x x x x x\nx x x x x\nx x P x x"),
        (DUEL, "Energy Blast", {"blast_range": "square"}, "Round a corner the way is closed only if both"),
        (DUEL, "Energy Blast", {}, "Shown, but not harmed: Terror Pits / Natural Snares and Flag."),
        (DUEL, "Mystical Flight", {}, "It may fly over Barrier Zones, too."),
        (DUEL, "Mystical Flight", {}, "It cannot attack in the same turn."),
        (DUEL, "Quick Strike", {}, "It may not end where it began."),
        (DUEL, "Quick Strike", {"two_step_may_return": "on"}, "It may come straight back"),
        (DUEL, "Seeing", {}, "You may even name a piece that you know already."),
        (DUEL, "Seeing", {"detect_known": "off"}, "You may only name an unknown piece."),
        (DUEL, "Ferocious Advance", {}, "You choose who goes next; the turn stays open until all have gone."),
        (DUEL, "Ferocious Advance", {}, "`advance north e4`, and then `f4`"),
        (DUEL, "Ferocious Advance", {"advance_subset": "on"}, "Not all of them need to go"),
        (DUEL, "Ferocious Advance", {"advance_order": "front_first"}, "The piece in front goes first"),
        (DUEL, "Ferocious Advance", {"advance_order": "front_first"}, "`advance north`"),
        (RING, "Longbow", {}, "*Legolas, Faramir, Elves and Haradrim*"),
        (RING, "Longbow", {}, "Shown, but not harmed: Berzerkers, Strongholds and Flag."),
        (RING, "Dwarven Axe", {}, "strikes one to 3 enemies"),
        (RING, "Dwarven Axe", {}, "Strongholds that are struck stay, and the striker is captured."),
        (RING, "Rampage", {}, "Strongholds are captured as well."),
        (RING, "Rampage", {}, "the striker leaves the board afterwards."),
        (RING, "Repeat Attack", {}, "it may attack again, or stop with `done`"),
        (ICE, "Flight", {}, "It may not fly over Forbidden Zones."),
        (ICE, "Flight", {"dragon_over_zones": "on"}, "It may fly over Forbidden Zones, too."),
        (ICE, "Flight", {}, "`b4^b7`, and then `b7xb8` or `done`"),
        (ICE, "Rampage", {}, "every piece, friend or enemy,"),
        (ICE, "Rampage", {}, "An equal is captured, and the striker with it."),
        (ICE, "Enchant", {}, "Shown, but not harmed: Traps and Flag."),
        (ICE, "Enchant", {"enchant_probe": "off"}, "what never moves is not even shown: Traps and Flag."),
        (ICE, "Enchant", {"enchant_cap": "3"}, "at most 3 pieces in a game."),
        (ICE, "Arrow Strike", {}, "Shown, but not harmed: Traps and Flag."),
        (ICE, "Arrow Strike", {"arrow_takes_flag": "on"}, "Shown, but not harmed: Traps."),
        (ICE, "Arrow Strike", {"arrow_takes_flag": "on"}, "It can even capture the flag"),
    ],
)
def test_a_power_is_told_as_the_options_set_it(
    game_id: str, power: str, options: dict[str, str], sentence: str
) -> None:
    assert sentence in about(game_id, power, **options)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "Mount Doom is the square c5. Only Frodo may ever enter it, once in the game"),
        ({}, "by an ordinary step from c4 or b5."),
        ({"mount_doom": "h5"}, "by an ordinary step from i5 or h4."),
        ({"mount_doom": "h5"}, "`h4-h5`, like any other step"),
        ({}, "Frodo can be captured only by Witch-king or Ringwraiths (as attacker or defender)."),
        ({}, "these are captured: Orcs, Warg Riders, Wormtongue and Flag."),
        ({"frodo_tie_kills": "on"}, "these are captured: Haradrim, Orcs, Warg Riders, Wormtongue and Flag."),
        ({}, "Uruk-hai, Berzerkers, Haradrim or Strongholds Frodo turns invisible"),
        (
            {},
            "leave the board: Ringwraiths, Gothmog, Lurtz, Sharku, Uruk-hai, Berzerkers, Haradrim",
        ),
        ({}, "Frodo can be attacked there from c4 and b5; a winner captures, but does not step in."),
        ({"doom_immune": "on"}, "Nobody may attack Frodo on that square."),
        ({}, "Even after that Frodo can turn invisible."),
        ({"ring_gone_visible": "on"}, "After that Frodo cannot turn invisible any more."),
        ({}, "Witch-king (now 11), Saruman (now 10), Ringwraiths (now 9)"),
    ],
)
def test_the_ring_game_is_told_as_the_options_set_it(options: dict[str, str], sentence: str) -> None:
    assert sentence in about(RING, "The Ring", **options)


def test_the_reserved_square_and_its_doors_are_drawn() -> None:
    game = load_game(RING)
    rows = draw_board(game, resolve(game, {})).splitlines()
    assert rows[6] == "  5 . + @ # . . # # . .  5"
    assert rows[7] == "  4 s s + s s s s s s s  4"
    assert rows[-1] == "@  Mount Doom: only Frodo may enter, from a square marked +"
    moved = draw_board(game, resolve(game, {"mount_doom": "g5"}))
    assert "  5 . . # # . + @ # . .  5" in moved
    assert "@" not in draw_board(load_game("lotr/special-powers"))


def test_a_card_tells_the_powers_of_this_game_only() -> None:
    cards = [
        piece_card(load_game(f"lotr/{name}"), "frodo", 1) for name in ("special-powers", "destroy-the-ring")
    ]
    assert ["**The Ring.**" in card for card in cards] == [False, True]
    assert "Flight" not in piece_card(load_game("lotr/classic"), "gandalf", 1)
    assert "**Flight.**" in piece_card(load_game("lotr/special-powers"), "gandalf", 1)


@pytest.mark.parametrize("game_id", WITH_POWERS)
def test_games_with_powers_have_hints_of_their_own(game_id: str) -> None:
    game = load_game(game_id)
    assert len(game.hints) >= 5
    assert all(f"**{heading}.** {text}" in page(game_id) for heading, text in game.hints.items())
    assert not load_game(game_id.split("/")[0] + "/classic").hints


def test_the_own_flag_is_in_danger_where_friends_are_attacked() -> None:
    assert "captures their own flag with Ferocious Advance has lost." in page(DUEL)
    assert "their own flag" not in page(ICE)
