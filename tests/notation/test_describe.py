"""Plain words: what happened, what may be done, what stands there, from one viewer's chair."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from flagfall.board import parse_cell
from flagfall.edition import load_game
from flagfall.engine.action import (
    ADVANCE,
    ATTACK,
    CHOOSE_CELL,
    CHOOSE_KIND,
    DONE,
    MOVE,
    RESCUE,
    SPOT,
    SWING,
    TWO_STEP,
    Action,
)
from flagfall.notation import describe_action, describe_event, describe_piece, describe_turn
from flagfall.sides import Side
from flagfall.view.view import VIEWERS, Prompt, SeenEvent, SeenPiece, View, Viewer
from tests.boxes import DUEL, LOTR, ONYX

D4, D5, E4 = map(parse_cell, ("d4", "d5", "e4"))
LOST_SCOUT = (
    SeenEvent("attack", 7, side=Side.SOUTH, piece="d2", origin="d4", target="e4"),
    SeenEvent("shown", 7, side=Side.SOUTH, piece="d2", target="d4", kind="scout"),
    SeenEvent("shown", 7, side=Side.NORTH, piece="e8", target="e4", kind="general"),
    SeenEvent("removed", 7, side=Side.SOUTH, piece="d2", target="d4", kind="scout"),
)

EVERY_EVENT = (
    *(
        "move",
        "attack",
        "shown",
        "removed",
        "spot",
        "guess",
        "miss",
        "rescue",
        "rescued",
        "result",
        "leap",
        "teleport",
    ),
    *("shoot", "detect", "convert", "converted", "swing", "sweep", "advance", "no-effect", "regime"),
)


@pytest.mark.parametrize(
    ("viewer", "words"),
    [
        ("south", "Your Scout on d4 attacks e4: General. Your Scout is lost."),
        ("north", "The enemy Scout on d4 attacks e4: General. The enemy Scout is captured."),
        ("watcher", "South's Scout on d4 attacks e4: General. South's Scout is lost."),
    ],
)
def test_a_fight_is_told_in_one_breath(viewer: Viewer, words: str) -> None:
    assert describe_turn(ONYX, LOST_SCOUT, viewer) == words


def test_a_silent_defender_stays_unnamed() -> None:
    silent = (LOST_SCOUT[0], LOST_SCOUT[1], LOST_SCOUT[3])
    assert describe_turn(ONYX, silent, "south") == "Your Scout on d4 attacks e4. Your Scout is lost."
    removed = SeenEvent("removed", 7, side=Side.NORTH, piece="e8", target="e4")
    assert describe_turn(ONYX, (LOST_SCOUT[0], removed), "south") == (
        "Your piece on d4 attacks e4. An enemy piece on e4 is captured."
    )


def test_a_piece_that_flies_or_wins_is_not_said_to_move_there_as_well() -> None:
    flight = (
        SeenEvent("leap", 3, side=Side.SOUTH, piece="d2", origin="d4", target="d8"),
        SeenEvent("move", 3, side=Side.SOUTH, piece="d2", origin="d4", target="d8"),
        SeenEvent("attack", 3, side=Side.SOUTH, piece="d2", origin="d8", target="d9"),
        SeenEvent("removed", 3, side=Side.NORTH, piece="d9", target="d9", kind="elf"),
        SeenEvent("move", 3, side=Side.SOUTH, piece="d2", origin="d8", target="d9"),
    )
    assert describe_turn(LOTR, flight, "south") == (
        "Your piece flies from d4 to d8. Your piece on d8 attacks d9. The enemy Elf is captured."
    )


def test_a_step_before_an_attack_is_said() -> None:
    run = (
        SeenEvent("move", 3, side=Side.SOUTH, piece="d2", origin="d4", target="d8"),
        SeenEvent("attack", 3, side=Side.SOUTH, piece="d2", origin="d8", target="d9"),
    )
    words = describe_turn(LOTR, run, "south")
    assert words == "Your piece moves from d4 to d8. Your piece on d8 attacks d9."


def test_each_attack_of_a_chain_names_its_own_target() -> None:
    events = (
        SeenEvent("attack", 3, side=Side.SOUTH, piece="d2", origin="d4", target="d5"),
        SeenEvent("shown", 3, side=Side.NORTH, piece="d8", target="d5", kind="elf"),
        SeenEvent("removed", 3, side=Side.NORTH, piece="d8", target="d5", kind="elf"),
        SeenEvent("attack", 3, side=Side.SOUTH, piece="d2", origin="d5", target="d6"),
        SeenEvent("shown", 3, side=Side.NORTH, piece="d9", target="d6", kind="sam"),
    )
    words = describe_turn(LOTR, events, "south")
    assert words.index("attacks d5: Elf") < words.index("attacks d6: Sam")
    assert "is shown" not in words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (SeenEvent("move", 1, Side.SOUTH, "d4", "d4", "d5"), "Your piece moves from d4 to d5."),
        (SeenEvent("move", 1, Side.NORTH, "d7", "d7", "d6"), "An enemy piece moves from d7 to d6."),
        (
            SeenEvent("move", 1, Side.NORTH, "d7", "d7", "d5", detail="run"),
            "An enemy piece runs from d7 to d5.",
        ),
        (
            SeenEvent("move", 1, Side.NORTH, "d7", "d7", "d6", detail="defender"),
            "An enemy piece moves up from d7 to d6.",
        ),
        (
            SeenEvent("shown", 1, Side.NORTH, "d7", target="d6", kind="spy"),
            "The enemy piece on d6 is shown: Spy.",
        ),
        (
            SeenEvent("shown", 1, Side.SOUTH, "d4", target="d5", kind="spy"),
            "Your Spy on d5 is shown to the enemy.",
        ),
        (
            SeenEvent("spot", 1, Side.SOUTH, "d4", "d5", "d6"),
            "Your piece on d5 spots d6.",
        ),
        (SeenEvent("guess", 1, Side.SOUTH, "d4", "d5", "d6", "marshal"), "Your piece says Marshal."),
        (SeenEvent("miss", 1, Side.SOUTH, "d4", "d5", "d6"), "The guess is wrong."),
        (SeenEvent("rescued", 1, Side.NORTH, "north+1", target="b9"), "An enemy piece returns on b9."),
        (
            SeenEvent("rescued", 1, Side.SOUTH, "south+1", target="b2", kind="general"),
            "Your General returns on b2.",
        ),
        (SeenEvent("leap", 1, Side.SOUTH, "c4", "c4", "c7"), "Your piece flies from c4 to c7."),
        (SeenEvent("detect", 1, Side.NORTH, "c8", "c7", "c5"), "An enemy piece on c7 looks at c5."),
        (SeenEvent("advance", 1, Side.NORTH, detail="south"), "The enemy's pieces advance forward."),
        (SeenEvent("advance", 1, Side.NORTH, detail="east"), "The enemy's pieces advance to the right."),
        (SeenEvent("converted", 1, Side.SOUTH, "c8", target="c7"), "Your piece on c7 has changed sides."),
        (SeenEvent("no-effect", 1, Side.NORTH, "c8", target="c7"), "Nothing happens to the piece on c7."),
        (
            SeenEvent("regime", 1, detail="the ring is gone"),
            "The balance of power changes: the ring is gone.",
        ),
        (SeenEvent("result", 1, Side.SOUTH, detail="flag captured"), "You win: flag captured."),
        (SeenEvent("result", 1, Side.NORTH, detail="flag captured"), "You lose: flag captured."),
        (SeenEvent("result", 1, detail="agreed"), "The game is drawn: agreed."),
        (SeenEvent("juggle", 1, Side.NORTH, "c8", target="c7"), "An enemy piece on c7: juggle."),
    ],
)
def test_every_event_has_its_sentence(event: SeenEvent, words: str) -> None:
    assert describe_event(ONYX, event, "south") == words


@pytest.mark.parametrize(
    ("detail", "words"),
    [
        ("bearer arrived", "Frodo has reached Mount Doom, and the balance of power changes."),
        ("bearer lost", "Frodo is captured, and the balance of power changes."),
    ],
)
def test_what_becomes_of_a_bearer_is_said_by_name(detail: str, words: str) -> None:
    game = load_game("lotr/destroy-the-ring")
    assert describe_event(game, SeenEvent("regime", 1, detail=detail), "north") == words


@pytest.mark.parametrize(
    "what",
    EVERY_EVENT,
)
def test_no_sentence_is_left_with_a_gap(what: str) -> None:
    event = SeenEvent(what, 1, Side.NORTH, "c8", "c8", "c7", "marshal")
    for viewer in VIEWERS:
        words = describe_event(ONYX, event, viewer)
        assert words.endswith(".")
        assert "  " not in words
        assert "{" not in words


def test_a_view_names_pieces_that_the_events_leave_unnamed() -> None:
    view = View(
        "onyx/classic", "south", 1, Side.NORTH, (SeenPiece("d4", "d5", Side.SOUTH, kind="miner"),), (), ()
    )
    event = SeenEvent("move", 0, Side.SOUTH, "d4", "d4", "d5")
    assert describe_turn(ONYX, (event,), "south", view) == "Your Miner moves from d4 to d5."


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        (SeenPiece("d7", "d6", Side.NORTH, moved=True), "d6: enemy, unknown, has moved."),
        (
            SeenPiece("d7", "d6", Side.NORTH, possible=("marshal", "general", "spy")),
            "d6: enemy, unknown, has not moved; can be Marshal, General or Spy.",
        ),
        (SeenPiece("d7", "d6", Side.NORTH, kind="spy", is_told=True), "d6: enemy, Spy, has not moved."),
        (
            SeenPiece("d4", "d4", Side.SOUTH, kind="spy", looks_like=("spy", "bomb")),
            "d4: yours, Spy, has not moved; to the enemy it can be Spy or Bomb.",
        ),
        (
            SeenPiece("d4", "d4", Side.SOUTH, kind="spy", moved=True, is_told=True, looks_like=("spy",)),
            "d4: yours, Spy, has moved, known to the enemy.",
        ),
    ],
)
def test_a_piece_is_described_with_all_that_is_known_of_it(piece: SeenPiece, words: str) -> None:
    assert describe_piece(ONYX, piece, "south") == words


def test_a_watcher_hears_the_side_of_a_piece() -> None:
    assert (
        describe_piece(ONYX, SeenPiece("d7", "d6", Side.NORTH), "watcher")
        == "d6: North, unknown, has not moved."
    )


VIEW = View(
    "spin-master/duel",
    "south",
    4,
    Side.SOUTH,
    (
        SeenPiece("d2", "d4", Side.SOUTH, kind="scout"),
        SeenPiece("e7", "e4", Side.NORTH),
        SeenPiece("d7", "d6", Side.NORTH, kind="marshal"),
    ),
    (),
    (),
)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Action(MOVE, D4, D5), "Move your Scout on d4 to d5."),
        (Action(ATTACK, D4, E4), "Attack an enemy piece on e4 with your Scout on d4."),
        (Action(DONE), "End the turn here."),
        (Action(CHOOSE_CELL, 0, D5), "Choose d5."),
        (Action(CHOOSE_KIND, choice=0), "Say Marshal."),
        (Action(SPOT, D4, D5, 0), "Step to d5 with your Scout on d4, then spot the enemy Marshal on d6."),
        (Action(SPOT, D4, D4, 1), "Spot an enemy piece on e4 with your Scout on d4."),
        (Action(RESCUE, D4, D5), "Move your Scout on d4 to d5 and rescue a lost piece."),
        (
            Action(RESCUE, D4, E4),
            "Attack an enemy piece on e4 with your Scout on d4 and rescue a lost piece.",
        ),
        (Action(TWO_STEP, D4, E4, 0), "Move your Scout on d4 via d5 and attack an enemy piece on e4."),
        (Action(SWING, D4, D5), "Step from d4 to d5 and swing with your Scout on d4 at enemies around d5."),
        (Action(ADVANCE, choice=0), "Advance forward."),
        (Action(ADVANCE, choice=3), "Advance to the left."),
    ],
)
def test_an_action_is_offered_in_plain_words(action: Action, words: str) -> None:
    assert describe_action(DUEL, action, VIEW) == words


def test_a_kind_chosen_in_a_rescue_is_rescued_not_guessed() -> None:
    view = View(VIEW.game, "south", 4, Side.SOUTH, (), (), (), prompt=Prompt("rescue kind"))
    assert describe_action(DUEL, Action(CHOOSE_KIND, choice=0), view) == "Rescue Marshal."


def test_a_piece_that_nobody_owns_or_knows_is_still_told() -> None:
    event = SeenEvent("move", 1, None, "d4", "d4", "d5")
    assert describe_event(ONYX, event, "south") == "A piece moves from d4 to d5."
    shown = SeenEvent("shown", 1, Side.NORTH, "d7", target="d6", kind="griffin")
    assert describe_event(ONYX, shown, "south") == "The enemy piece on d6 is shown: griffin."


def test_a_piece_shown_in_a_second_attack_is_not_named_in_the_first() -> None:
    events = (
        SeenEvent("attack", 3, side=Side.SOUTH, piece="d2", origin="d4", target="d5"),
        SeenEvent("attack", 3, side=Side.SOUTH, piece="e2", origin="e5", target="d5"),
        SeenEvent("shown", 3, side=Side.NORTH, piece="d8", target="d5", kind="spy"),
    )
    assert describe_turn(ONYX, events, "south") == (
        "Your piece on d4 attacks d5. Your piece on e5 attacks d5: Spy."
    )


def test_left_and_right_are_the_viewers_own() -> None:
    event = SeenEvent("advance", 1, Side.SOUTH, detail="east")
    assert describe_event(DUEL, event, "south") == "Your pieces advance to the right."
    assert describe_event(DUEL, event, "north") == "The enemy's pieces advance to the left."


@pytest.mark.parametrize(
    ("ask", "action", "words"),
    [
        ("target", Action(CHOOSE_CELL, 0, E4), "Strike an enemy piece on e4."),
        ("target", Action(DONE), "Strike now."),
        ("next", Action(CHOOSE_CELL, 0, D4), "Go on with your Scout on d4."),
        ("next", Action(DONE), "End the turn here."),
        ("rescue square", Action(CHOOSE_CELL, 0, D5), "Put it on d5."),
    ],
)
def test_an_answer_is_offered_in_the_words_of_the_question(ask: str, action: Action, words: str) -> None:
    assert describe_action(DUEL, action, replace(VIEW, prompt=Prompt(ask))) == words
