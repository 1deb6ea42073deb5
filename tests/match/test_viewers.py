"""What viewers are given: Views, events and sentences, as far as the memory option lets them look back."""

from __future__ import annotations

import pytest

from flagfall.edition import load_game, resolve
from flagfall.match import Match, RefusedError, Seating
from flagfall.view.view import VIEWERS, SeenEvent, Viewer
from tests.match.games import DUEL, barrage, duel, play, random_match, rescue_ready


def whats(match: Match, viewer: Viewer, since: int = 0) -> dict[int, list[str]]:
    return {number: [event.what for event in events] for number, events in match.seen(viewer, since)}


def fought(**options: str) -> Match:
    """South's Scout has struck the Miner on e7 and is lost; three quiet turns follow."""
    match = barrage(**options)
    return play(match, "e4-e5", "b7-b6", "e5-e6", "b6-b5", "e6xe7")


def kinds(events: list[tuple[int, tuple[SeenEvent, ...]]]) -> set[str]:
    return {event.kind for _, seen in events for event in seen if event.kind}


@pytest.mark.rule("CM-08")
def test_assisted_players_may_look_back_to_the_beginning() -> None:
    match = play(fought(), "b5-b4", "f4-f5", "b4-b3")
    assert kinds(match.seen("north")) == {"marshal", "miner"}
    assert list(whats(match, "north")) == list(range(match.number))


@pytest.mark.rule("CM-08")
@pytest.mark.parametrize("memory", ["notes", "strict"])
def test_a_shown_piece_is_given_back_only_in_the_turn_that_shows_it(memory: str) -> None:
    match = fought(memory=memory)
    assert kinds(match.seen("north")) == {"marshal", "miner"}
    play(match, "b5-b4")
    assert kinds(match.seen("north")) == set()
    assert "enemy Marshal" not in " ".join(message.text for message in match.messages("north"))
    assert {piece.kind for piece in match.view("north").pieces if piece.side == "south"} == {""}


@pytest.mark.rule("CM-08")
def test_notes_keep_past_moves_by_square_and_strict_only_the_last_turn() -> None:
    notes = play(fought(memory="notes"), "b5-b4", "f4-f5")
    strict = play(fought(memory="strict"), "b5-b4", "f4-f5")
    assert whats(notes, "north")[3] == ["move", "turn"]
    assert whats(notes, "north")[7] == ["attack", "removed", "move", "turn"]
    assert [number for number in whats(strict, "north") if number > 2] == [9]


@pytest.mark.parametrize("game_id", ["duel-masters/elemental-powers", "lotr/special-powers", "onyx/classic"])
def test_notes_keep_where_a_piece_went_and_not_how(game_id: str) -> None:
    """A flight or an advance is the mark of one kind, and a kind that was shown is hidden again."""
    game, ways = load_game(game_id), set()
    for seed in range(6):
        match = random_match(game, seed, 80, {"memory": "notes"})
        if match.is_over:
            continue
        for viewer in VIEWERS:
            recent = set(match.view(viewer).last_turn)
            given = [event for _, events in match.seen(viewer) for event in events]
            assert not [
                event for event in given if event.what == "move" and event.detail and event not in recent
            ]
        ways |= {event.detail for event in match.history("south") if event.what == "move"}
    assert len(ways) > 2


def test_an_old_run_is_told_as_a_move() -> None:
    match = play(barrage(memory="notes"), "h1-h4")
    assert match.messages("north")[-1].text == "The enemy Scout runs from h1 to h4."
    play(match, "b7-b6", "f4-f5")
    assert match.messages("north", 3)[0].text == "An enemy piece moves from h1 to h4."


@pytest.mark.rule("CM-08")
@pytest.mark.parametrize("memory", ["notes", "strict"])
def test_when_the_game_is_over_everything_is_open_again(memory: str) -> None:
    match = play(fought(memory=memory), "b5-b4", "f4-f5")
    match.resign("north", 1)
    assert kinds(match.seen("north")) == {"marshal", "miner"}
    truth = match.view("truth")
    assert all(piece.kind for piece in truth.pieces)


@pytest.mark.rule("CM-08")
@pytest.mark.parametrize("memory", ["notes", "strict"])
def test_a_reconnecting_client_gets_what_a_view_shows_and_no_more(memory: str) -> None:
    for seed in range(5):
        match = random_match(DUEL, seed, 40, {"memory": memory})
        if match.is_over:
            continue
        for viewer in VIEWERS:
            given = [event for _, events in match.seen(viewer) for event in events if event.kind]
            assert set(given) <= set(match.view(viewer).last_turn)


@pytest.mark.parametrize("memory", ["assisted", "notes", "strict"])
def test_what_happens_at_the_table_is_never_forgotten(memory: str) -> None:
    match = barrage(memory=memory)
    match.offer_draw("south", 1)
    match.answer_draw("north", False, 2)
    play(match, "e4-e5", "b7-b6", "e5-e6", "b6-b5")
    seen = whats(match, "watcher")
    assert seen[3] == ["draw offered"]
    assert seen[4] == ["draw declined"]


def test_events_are_asked_for_from_a_number_on() -> None:
    match = fought()
    assert list(whats(match, "south", since=6)) == [6, 7]
    assert list(whats(match, "south", since=match.number)) == []
    assert list(whats(match, "south", since=-5)) == list(range(match.number))


def test_three_viewers_get_three_stories() -> None:
    match = fought()
    told = {viewer: match.messages(viewer)[-1].text for viewer in VIEWERS}
    assert told["south"].startswith("Your Marshal on e6 attacks e7: Miner.")
    assert told["north"].startswith("The enemy Marshal on e6 attacks e7: Miner.")
    assert told["watcher"].startswith("South's Marshal on e6 attacks e7: Miner.")


def test_a_piece_that_was_lost_is_still_named_in_what_its_owner_did_before() -> None:
    game = load_game("mini/3x3")
    match = Match.created(game, resolve(game, {}), Seating("Anna", "Ben"), 0)
    match.seal("south", "XsF", 0, "salt of the south")
    match.seal("north", "FsX", 0, "salt of the north")
    play(match, "b1-b2", "c3-c2", "b2xb3")
    moves = [message.text for message in match.messages("south") if "moves" in message.text]
    assert moves == ["Your Spy moves from b1 to b2.", "An enemy piece moves from c3 to c2."]
    moves = [message.text for message in match.messages("north") if "moves" in message.text]
    assert moves == ["An enemy piece moves from b1 to b2.", "Your Marshal moves from c3 to c2."]


def test_a_spot_and_its_guess_are_told() -> None:
    match = play(duel(), "e3-e4", "e6-e5", "e4 spot e5", "general")
    texts = [message.text for message in match.messages("north")[-2:]]
    assert texts[0] == "The enemy Spotter on e4 spots e5."
    assert texts[1].startswith("The enemy Spotter says General.")
    assert texts[1].endswith("The guess is wrong.")


def test_truth_is_refused_until_the_game_is_over() -> None:
    match = fought()
    with pytest.raises(RefusedError) as caught:
        match.view("truth")
    assert (caught.value.code, caught.value.sentence) == (
        "hidden",
        "Everything is shown once the game is over, not before.",
    )
    match.resign("north", 1)
    assert match.view("truth").result == match.result


def test_a_silent_choice_is_seen_by_nobody_else() -> None:
    """The kind of a rescued piece is told when it stands on the board, not when it is chosen."""
    match = play(rescue_ready(), "c3-b3 rescue")
    before = {viewer: match.view(viewer) for viewer in ("north", "watcher")}
    play(match, "spy")
    for viewer, view in before.items():
        assert match.view(viewer) == view  # type: ignore[arg-type]
        assert match.seen(viewer, match.number - 1) == []  # type: ignore[arg-type]


def test_only_the_mover_gets_legal_actions_and_prompts() -> None:
    match = play(duel(), "e3-e4", "e6-e5", "e4 spot e5")
    assert match.view("south").prompt is not None
    for viewer in ("north", "watcher"):
        view = match.view(viewer)
        assert (view.legal, view.prompt) == ((), None)


def test_a_computer_player_may_remember_what_it_was_told() -> None:
    match = play(fought(memory="strict"), "b5-b4")
    piece = match.view("north", forgets=False).at("e7")
    assert piece is not None
    assert piece.kind == "marshal"
