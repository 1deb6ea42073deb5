"""A match rebuilt from its log is the match, at every number."""

from __future__ import annotations

import msgspec
import pytest

from flagfall.edition import Game, game_ids, load_game
from flagfall.match import (
    Acted,
    Created,
    DrawOffered,
    Entry,
    FlagFell,
    Match,
    MatchError,
    Resigned,
    SetupSealed,
)
from flagfall.sides import Side
from tests.boxes import AWKWARD
from tests.match.games import BARRAGE, DUEL, MINI, barrage, duel, mini, opened, play, random_match, sight

CASES: list[tuple[Game, dict[str, str]]] = [
    (DUEL, {"clock": "5m+3s"}),
    (DUEL, {"memory": "strict", "spot_any_side": "on", "spot_silent_miss": "on", "clock": "30s/move"}),
    (BARRAGE, {"clock": "2d", "two_square_limit": "3", "chase_rule": "on"}),
    (BARRAGE, {"silent_defense": "on", "rescue": "on", "rescue_on_strike": "on", "defender_advances": "on"}),
    (load_game("mini/3x4"), {"rescue": "on", "memory": "notes"}),
    (MINI, {}),
]


def do(match: Match, entry: Entry) -> None:
    """Do once more what an entry says, as a player would."""
    assert entry.seat
    if isinstance(entry, SetupSealed):
        match.seal(entry.seat, entry.setup, entry.at_ms, entry.salt)
    elif isinstance(entry, Acted):
        match.act(entry.seat, entry.number, entry.text, entry.at_ms)
    else:
        assert isinstance(entry, DrawOffered)
        match.offer_draw(entry.seat, entry.at_ms)


@pytest.mark.parametrize(("game", "options"), CASES)
def test_at_every_number_the_rebuilt_match_equals_the_live_one(game: Game, options: dict[str, str]) -> None:
    full = random_match(game, 11, 60, options)
    live = Match.rebuilt(full.log[:1])
    for number in range(1, full.number + 1):
        rebuilt = Match.rebuilt(full.log, upto=number)
        assert rebuilt.number == number
        assert rebuilt.digest() == live.digest()
        assert sight(rebuilt) == sight(live)
        if number < full.number:
            do(live, full.log[number])
    assert live.digest() == full.digest()
    assert sight(live) == sight(full)


@pytest.mark.parametrize("game_id", game_ids())
def test_random_matches_of_every_game_come_back(game_id: str) -> None:
    match = random_match(load_game(game_id), 3, 40)
    again = Match.rebuilt(match.log)
    assert again.digest() == match.digest()
    assert sight(again) == sight(match)


def test_a_game_from_elsewhere_must_be_findable() -> None:
    match = random_match(AWKWARD, 5, 30)
    assert sight(Match.rebuilt(match.log, find_game=lambda _: AWKWARD)) == sight(match)
    with pytest.raises(MatchError, match="Entry 0 of the log is impossible: There is no game “mine/awkward”"):
        Match.rebuilt(match.log)


def test_every_way_to_end_comes_back() -> None:
    ends: list[Match] = [barrage(clock="10s+0s") for _ in range(4)]
    ends[0].resign("north", 1)
    ends[1].offer_draw("north", 1)
    ends[1].answer_draw("south", True, 2)
    ends[2].check_time(10_000)
    ends[3].abort(None, 3)
    ends.append(play(mini(), "a1-a2", "c3-c2", "a2xa3"))
    for match in ends:
        assert Match.rebuilt(match.log).result == match.result is not None


def altered(entry: Entry, **fields: object) -> Entry:
    return msgspec.structs.replace(entry, **fields)


@pytest.mark.parametrize(
    ("at", "fields", "sentence"),
    [
        (0, {"number": 1}, "The entry “created” has number 0 and no seat"),
        (0, {"game": "onyx/chess"}, "Entry 0 of the log is impossible: There is no game “onyx/chess”"),
        (0, {"options": {"colour": "red"}}, "Entry 0 of the log is impossible: there is no option “colour”"),
        (1, {"number": 5}, "Entry 1 of the log does not fit what happened before it"),
        (1, {"at_ms": -1}, "Entry 1 is earlier than entry 0; times may not go backwards"),
        (1, {"setup": "XX"}, "Entry 1 of the log is impossible: "),
        (1, {"seat": None}, "Entry 1 of the log is impossible: There is no seat “”"),
        (3, {"seat": "north"}, "Entry 3 of the log is impossible: It is South's turn"),
        (3, {"text": "e4-e9"}, "Entry 3 of the log is impossible: Your Marshal moves one square at a time"),
        (3, {"text": "rubbish!"}, "Entry 3 of the log is impossible: Line 1, column 1"),
        (3, {"text": "e4 e5"}, "Entry 3 of the log does not fit"),
    ],
)
def test_a_log_that_cannot_have_happened_is_refused_with_its_entry(
    at: int, fields: dict[str, object], sentence: str
) -> None:
    log = list(play(barrage(), "e4-e5", "e7-e6").log)
    log[at] = altered(log[at], **fields)
    with pytest.raises(MatchError) as caught:
        Match.rebuilt(log)
    assert sentence in str(caught.value)


def test_a_log_begins_with_its_creation_and_has_only_one() -> None:
    log = barrage().log
    for wrong in ((), log[1:]):
        with pytest.raises(MatchError, match="A log begins with the entry “created”"):
            Match.rebuilt(wrong)
    assert isinstance(log[0], Created)
    with pytest.raises(MatchError, match="a match is created only once"):
        Match.rebuilt([*log, altered(log[0], number=3)])


def test_a_flag_does_not_fall_before_its_time() -> None:
    log = barrage(clock="10s+0s").log
    fall = FlagFell(number=3, at_ms=9_999, seat=Side.SOUTH)
    with pytest.raises(MatchError, match="the time had not run out"):
        Match.rebuilt([*log, fall])
    assert Match.rebuilt([*log, altered(fall, at_ms=10_000)]).is_over


def test_nothing_follows_the_end() -> None:
    match = barrage()
    match.resign("south", 1)
    with pytest.raises(MatchError, match="Entry 4 of the log is impossible: The game is over"):
        Match.rebuilt([*match.log, Resigned(number=4, at_ms=2, seat=Side.NORTH)])


def test_a_rebuilt_match_goes_on_by_itself() -> None:
    match = play(duel(), "e3-e4", "e6-e5")
    again = Match.rebuilt(match.log)
    play(again, "e4 spot e5")
    assert (match.number, again.number) == (5, 6)
    assert opened(DUEL).number == 1
