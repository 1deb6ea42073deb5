"""The front door: `import flagfall`."""

from __future__ import annotations

import copy
import doctest
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import flagfall
from flagfall import Position, Side
from flagfall.engine.action import Action
from flagfall.library.players import LONGEST_MS, MAX_SEATS
from flagfall.players.budget import HARD_CAP_MS

PAGE = Path(__file__).parents[1] / "docs" / "library.md"


def test_the_examples_of_the_page_hold() -> None:
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0


def test_every_public_name_can_be_imported() -> None:
    for name in flagfall.__all__:
        assert getattr(flagfall, name) is not None
    assert set(flagfall.__all__) <= set(dir(flagfall))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        flagfall.nothing  # noqa: B018


def test_the_import_loads_nothing_heavy() -> None:
    code = "import flagfall, sys; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "numba", "msgspec", "sqlalchemy", "typer", "rich"} & set(ran.stdout.split())


@pytest.mark.parametrize("name", flagfall.games())
def test_every_game_is_played_to_an_end_and_read_again(name: str) -> None:
    position = flagfall.play("random", "random", name, seed=5, max_turns=60)
    again = Position.from_record(flagfall.write_record(position.record()))
    assert again.pieces == position.pieces
    assert again.legal_actions == position.legal_actions
    assert again.outcome == position.outcome
    assert again.history("north") == position.history("north")


def test_apply_leaves_the_position_as_it_is_and_pop_takes_back() -> None:
    position = flagfall.game("onyx/classic").new(seed=1)
    before = position.pieces
    after = position.apply(position.legal_actions[3])
    assert position.pieces == before != after.pieces
    position.push(position.legal_actions[3])
    assert position.pieces == after.pieces
    assert position.pop() == after.actions[-1]
    assert position.pieces == before
    assert position.history("south") == flagfall.game("onyx/classic").new(seed=1).history("south")
    with pytest.raises(flagfall.UserError, match="no action to take back"):
        position.pop()


def test_squares_have_names_in_actions_and_pieces() -> None:
    position = flagfall.game("mini/3x3").new("XsF", "FsX")
    action = position.parse("a1-a2")
    assert action == Action.of("move", "a1", "a2")
    assert (action.verb_name, action.origin_square, action.target_square) == ("move", "a1", "a2")
    assert position.view("south").pieces[0].square == "a1"
    assert position.text(action) == "a1-a2"
    assert position.describe(action).startswith("Move your")


def test_a_refused_action_changes_nothing() -> None:
    position = flagfall.game("onyx/classic").new(seed=1)
    for text in ("a4-a9", "a4-a5 a5-a6", "nonsense", "a9-a8"):
        with pytest.raises(flagfall.RefusedError):
            position.push(text)
    assert position.turns == 0
    assert position.view("south") == flagfall.game("onyx/classic").new(seed=1).view("south")


def test_nobody_plays_on_when_the_game_is_over() -> None:
    position = flagfall.game("onyx/classic").position(
        {"a1": "flag", "e4": "miner"}, {"e5": "flag", "j10": "scout"}
    )
    position.push("e4xe5")
    assert position.outcome == flagfall.Result("south", "flag captured")
    assert position.legal_actions == ()
    with pytest.raises(flagfall.RefusedError, match="over"):
        position.push("j10-j9")


def test_a_view_hides_what_the_viewer_was_not_told() -> None:
    position = flagfall.game("onyx/classic").position(
        {"a1": "flag", "e4": "miner", "b1": "general"},
        {"a10": "flag", "e5": "bomb", "e6": "spy"},
        turn="north",
        known=["e4"],
    )
    north, south = position.view("north"), position.view(Side.SOUTH)
    assert position.turn is Side.NORTH
    assert north.legal == position.legal_actions
    assert south.legal == ()
    known, hidden = north.at("e4"), north.at("b1")
    assert known is not None
    assert hidden is not None
    assert (known.kind, hidden.kind, set(hidden.possible)) == ("miner", "", {"flag", "general"})
    with pytest.raises(flagfall.UserError, match="There is no viewer"):
        position.view("everybody")  # type: ignore[arg-type]


def test_a_position_by_hand_is_checked() -> None:
    game = flagfall.game("onyx/classic")
    with pytest.raises(flagfall.UserError, match="No piece can stand on c5"):
        game.position({"c5": "flag"}, {})
    with pytest.raises(flagfall.UserError, match="has no kind"):
        game.position({"a1": "dragon"}, {})
    with pytest.raises(flagfall.UserError, match="Two pieces stand on a1"):
        game.position({"a1": "flag"}, {"a1": "flag"})
    with pytest.raises(flagfall.UserError, match="none can be known"):
        game.position({"a1": "flag", "b1": "spy"}, {"a9": "flag", "b9": "spy"}, known=["d4"])
    with pytest.raises(flagfall.UserError, match="no record"):
        game.position({"a1": "flag", "b1": "spy"}, {"a9": "flag", "b9": "spy"}).record()


def test_setups_come_as_text_style_mapping_or_at_random() -> None:
    game = flagfall.game("mini/3x3")
    by_text = game.setup("south", "XsF")
    squares = {
        piece.square: piece.kind for piece in game.new(by_text, "FsX").view("south").pieces if piece.kind
    }
    assert game.setup("south", squares) == by_text
    assert game.setup("south", by_text) is by_text
    assert flagfall.random_setup("onyx/classic", "north", 4) == flagfall.random_setup(
        "onyx/classic", "north", 4
    )
    assert flagfall.game("onyx/classic").setup("north", "fortress").side == "north"


def test_a_player_is_shown_its_own_view_only() -> None:
    seen: list[Any] = []

    class Spy:
        def choose(self, view: flagfall.View, history: Sequence[flagfall.SeenEvent]) -> Action:
            seen.append((view, list(history)))
            return view.legal[0]

    final = flagfall.play(Spy(), Spy(), "mini/3x4", seed=1)
    assert final.is_over
    for view, _ in seen:
        assert all(piece.side == view.viewer for piece in view.pieces if piece.kind and not piece.is_told)


def test_a_game_is_played_from_the_setups_of_another() -> None:
    start = flagfall.game("mini/3x4").new(seed=3)
    assert start.setups is not None
    final = flagfall.play("random", "random", "mini/3x4", setups=start.setups, seed=1)
    assert final.setups == start.setups


def test_the_same_seed_plays_the_same_game() -> None:
    one, other = (flagfall.play("greedy", "random", "barrage/classic", seed=9) for _ in range(2))
    assert one.record() == other.record()
    assert flagfall.play("greedy", "random", "barrage/classic", seed=10).record() != one.record()


def test_a_player_lives_through_a_game_and_starts_anew_on_another_line() -> None:
    bot = flagfall.player("greedy", seed=1)
    position = flagfall.game("barrage/classic").new(seed=1)
    branch = position.copy()
    for _ in range(2):
        position.push(bot.choose_action(position))
        position.push(position.legal_actions[0])
    (first,) = bot._seats
    position.push(bot.choose_action(position))
    assert bot._seats == [first]
    branch.push(branch.legal_actions[-1])
    branch.push(branch.legal_actions[-1])
    assert branch.history("south") != position.history("south")[: len(branch.history("south"))]
    assert bot.choose_action(branch) in branch.legal_actions
    assert bot._seats[0] is not first


def test_one_player_plays_many_games_of_different_boxes() -> None:
    bot = flagfall.player("greedy", seed=1)
    for number in range(30):
        position = flagfall.game(("mini/3x3", "barrage/classic", "onyx/classic")[number % 3]).new(seed=number)
        while not position.is_over and position.turns < 4:
            position.push(bot.choose_action(position))
    assert len(bot._seats) <= MAX_SEATS


def test_copies_and_pickles_are_independent() -> None:
    position = flagfall.play("random", "random", "lotr/special-powers", seed=2, max_turns=30)
    for other in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert other.pieces == position.pieces
        assert other.actions == position.actions
        turns = position.turns
        other.push(other.legal_actions[0])
        assert position.turns == turns
    by_hand = flagfall.game("onyx/classic").position({"a1": "flag", "b1": "spy"}, {"a9": "flag", "b9": "spy"})
    with pytest.raises(flagfall.UserError, match="by hand cannot be pickled"):
        pickle.dumps(by_hand)


def test_positions_are_equal_if_they_came_about_in_the_same_way() -> None:
    game = flagfall.game("barrage/classic")
    position = flagfall.play("random", "random", game, seed=3, max_turns=12)
    again = Position.from_record(position.record())
    for other in (copy.copy(position), pickle.loads(pickle.dumps(position)), again):
        assert other == position
    again.push(again.legal_actions[0])
    assert again != position
    again.pop()
    assert again == position
    assert game.new(seed=1) == game.new(seed=1) != game.new(seed=2)
    assert game.new(seed=1) != flagfall.game("barrage/classic", memory="notes").new(seed=1)
    armies = ({"a1": "flag", "b1": "spy"}, {"a9": "flag", "b9": "spy"})
    onyx = flagfall.game("onyx/classic")
    assert onyx.position(*armies) == onyx.position(*armies) != onyx.position(*armies, known=["b1"])
    assert position != "a1-a2"


def test_a_setup_belongs_to_one_side_of_one_game() -> None:
    game, other = flagfall.game("mini/3x3"), flagfall.game("mini/3x4")
    south, north = game.random_setup("south", 1), game.random_setup("north", 1)
    with pytest.raises(flagfall.SetupError, match="This is North's setup of mini/3x3, not South's"):
        game.new(north, south)
    with pytest.raises(flagfall.SetupError, match="not South's of mini/3x4"):
        other.new(south)
    with pytest.raises(flagfall.SetupError, match="The styles are"):
        flagfall.game("onyx/classic").new("balanced")


def test_nobody_can_change_a_history() -> None:
    position = flagfall.game("mini/3x3").new("XsF", "FsX")
    position.push("a1-a2")
    assert isinstance(position.history("south"), tuple)
    with pytest.raises(flagfall.UserError, match="There is no viewer 'truth' here"):
        position.history("truth")


def test_a_record_keeps_how_the_game_ended() -> None:
    position = flagfall.game("mini/3x3").new("XsF", "FsX")
    position.push("a1-a2")
    text = flagfall.write_record(position.record("Anna", "Ben"))
    resigned = text.replace("result: unfinished", "result: north wins, resigned")
    ended = Position.from_record(resigned.encode())
    assert ended.outcome == flagfall.Result("north", "resigned")
    assert ended.legal_actions == ()
    assert flagfall.write_record(ended.record("Anna", "Ben")) == resigned
    with pytest.raises(flagfall.UserError, match="but on the board it is"):
        Position.from_record(text.replace("result: unfinished", "result: south wins, flag captured"))


def test_a_record_of_a_box_of_your_own_needs_its_game() -> None:
    game = flagfall.game(str(PAGE.parents[1] / "examples" / "harbour.toml") + "#high-tide")
    text = flagfall.write_record(flagfall.play("random", "random", game, seed=1, max_turns=8).record())
    assert Position.from_record(text, game).turns == 8
    assert pickle.loads(pickle.dumps(game)).id == game.id
    with pytest.raises(flagfall.UnknownGameError):
        Position.from_record(text)
    with pytest.raises(flagfall.UserError, match="not of mini/3x3"):
        Position.from_record(text, flagfall.game("mini/3x3"))


@pytest.mark.parametrize("wrong", [None, 5, [], (), b"a1-a2", "a1-c9", Action(99)])
def test_a_bot_that_returns_nonsense_is_named(wrong: object) -> None:
    class Broken:
        def choose(self, view: flagfall.View, history: Sequence[flagfall.SeenEvent]) -> Any:
            return wrong

    with pytest.raises(flagfall.RefusedError, match="South's player in turn 1: "):
        flagfall.play(Broken(), "random", "mini/3x3", seed=1)


def test_wrong_arguments_get_a_sentence() -> None:
    game = flagfall.game("mini/3x3")
    position = game.new("XsF", "FsX")
    cases: list[Any] = [
        lambda: game.random_setup("east"),  # type: ignore[arg-type]
        lambda: game.position({"k77": "flag"}, {}),
        lambda: Action.of("fly", "a1", "a2"),
        lambda: Action.of("move", "zz", "a2"),
        lambda: position.parse("a1-c3"),
        lambda: position.text(None),  # type: ignore[arg-type]
        lambda: position.piece_at("zz"),
        lambda: flagfall.player("greedy", nodes=0),
        lambda: flagfall.play(object(), "random", game),  # type: ignore[arg-type]
        lambda: flagfall.play("random", "random", game, setups=("XsF",)),
        lambda: flagfall.game(None),  # type: ignore[arg-type]
        lambda: game.new(5),  # type: ignore[arg-type]
        lambda: position.record("Anna\nBen"),
        lambda: flagfall.player("random").choose_action(None),  # type: ignore[arg-type]
        lambda: game.position({"a1": "flag", "b1": "marshal", "c1": "marshal"}, {"a3": "flag"}),
        lambda: game.position({}, {}),
    ]
    for case in cases:
        with pytest.raises(flagfall.FlagfallError, match=r"[.!?]$"):
            case()


def test_positions_answer_questions() -> None:
    position = flagfall.game("mini/3x3").new("XsF", "FsX")
    assert position.is_legal("a1-a2")
    assert not position.is_legal("a1-a3")
    piece = position.piece_at("a1")
    assert piece is not None
    assert piece.side is Side.SOUTH
    assert position.piece_at("b2") is None
    assert not position.is_turn_open
    assert flagfall.player_names()[:2] == ("recruit", "scout")
    assert flagfall.match.Match is flagfall.Match


def test_unknown_names_are_told_with_a_hint() -> None:
    with pytest.raises(flagfall.UnknownGameError, match="onyx/classic"):
        flagfall.game("onyx/clasic")
    with pytest.raises(flagfall.UnknownPlayerError, match="marshal"):
        flagfall.player("marshall")
    with pytest.raises(flagfall.OptionError, match="rescue"):
        flagfall.game("onyx/classic", rescu=True)
    assert issubclass(flagfall.UnknownPlayerError, flagfall.FlagfallError)


def test_a_time_that_no_player_takes_is_not_accepted_in_silence() -> None:
    with pytest.warns(RuntimeWarning, match="1900 ms at most, not 5000"):
        flagfall.player("greedy", time_ms=5000)
    assert LONGEST_MS == HARD_CAP_MS
