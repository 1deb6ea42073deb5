"""Players by name, registered, installed or by path; compiled kernels, or a warning."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

import flagfall
from flagfall.edition import load_game, resolve
from flagfall.engine.action import MOVE, Action
from flagfall.match import Match, Seating
from flagfall.players import (
    Player,
    PlayerError,
    UnknownPlayerError,
    check_player,
    make_player,
    needs_compiled,
    player_names,
    register_player,
    registry,
)
from flagfall.players.greedy import GreedyPlayer
from flagfall.players.levels import player_in_seat
from flagfall.sides import SIDES
from flagfall.view.view import SeenEvent, View

EXAMPLES = Path(__file__).parents[2] / "examples"
GAME = load_game("barrage/classic")
OPTIONS = resolve(GAME, {})


@pytest.fixture(autouse=True)
def _clean_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_searching", set())
    monkeypatch.setattr(registry, "_has_warned", False)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield
    for module in ("my_player", "bots"):
        sys.modules.pop(module, None)


class Cautious(GreedyPlayer):
    """Greedy under another name."""


class Mute:
    """Has no way to choose."""

    def set_up(self, side: int) -> None:
        """Set nothing up."""


class Narrow:
    """Takes the wrong arguments."""

    def __init__(self, game: object) -> None:
        """Take a game only."""

    def set_up(self, side: int) -> None:
        """Set nothing up."""

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return the first action."""
        return view.legal[0]


NUMBER = 7


def _make(name: str) -> Player:
    return make_player(name, GAME, OPTIONS, Random(1))


def test_the_example_player_plays_a_game() -> None:
    match = Match.created(GAME, OPTIONS, Seating("Anna", "Ben"), 0)
    players = [_make("my_player:MyPlayer"), _make("greedy")]
    for index, side in enumerate(SIDES):
        match.seal(side.value, players[index].set_up(index), 0)
    while (mover := match.to_move) and match.turn < 60:
        player = players[SIDES.index(mover)]
        match.act(mover, None, player.choose(match.view(mover, forgets=False), match.history(mover)), 0)
    assert match.turn == 60 or match.result


@pytest.mark.parametrize("enemy", ["marshal", "bomb", "flag", "scout"])
def test_the_example_player_captures_what_its_piece_takes(enemy: str) -> None:
    attacker = {"marshal": "spy", "bomb": "miner"}.get(enemy, "general")
    position = flagfall.game(GAME.id).position(
        south={"a1": "flag", "e4": attacker},
        north={"a10": "flag", "e5": enemy, "j9": "miner"} | ({"a10": "spy"} if enemy == "flag" else {}),
        known=["e5"],
    )
    view = position.view("south")
    assert _make("my_player:MyPlayer").choose(view, ()) == Action.of("attack", "e4", "e5")


def test_the_example_player_spares_a_bomb_that_it_cannot_take() -> None:
    position = flagfall.game(GAME.id).position(
        south={"a1": "flag", "e4": "marshal"},
        north={"a10": "flag", "e5": "bomb", "j9": "miner"},
        known=["e5"],
    )
    assert _make("my_player:MyPlayer").choose(position.view("south"), ()).verb == MOVE


def test_a_registered_player_is_made_by_its_name() -> None:
    register_player("cautious", Cautious)
    assert isinstance(_make("cautious"), Cautious)
    assert "cautious" in player_names()
    assert not needs_compiled("cautious")
    register_player("deep", Cautious, searches=True)
    assert needs_compiled("deep")


@pytest.mark.parametrize("name", ["greedy", "marshal", "", "my:player", "me@home"])
def test_a_name_that_is_taken_or_means_something_else_cannot_be_registered(name: str) -> None:
    with pytest.raises(PlayerError):
        register_player(name, Cautious)


def test_a_name_is_not_registered_twice() -> None:
    register_player("cautious", Cautious)
    register_player("cautious", Cautious)
    with pytest.raises(PlayerError, match="already"):
        register_player("cautious", GreedyPlayer)


def _install(folder: Path, **players: str) -> None:
    """Write a distribution that offers players as entry points, as pip would."""
    (folder / "bots.py").write_text(f"from {__name__} import Cautious, Mute\n", encoding="utf-8")
    info = folder / "bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bots\nVersion: 1.0\n", encoding="utf-8")
    lines = [f"[{registry.ENTRY_POINTS}]", *(f"{name} = {path}" for name, path in players.items())]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


def test_installed_packages_offer_players_as_entry_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(tmp_path, cautious="bots:Cautious", greedy="bots:Mute")
    assert "cautious" not in player_names()
    monkeypatch.syspath_prepend(tmp_path)
    assert "cautious" in player_names()
    check_player("cautious")
    assert isinstance(_make("cautious"), Cautious)
    assert type(_make("greedy")) is GreedyPlayer, "a package cannot replace a player that is built in"
    with pytest.raises(UnknownPlayerError, match="did you mean “cautious”"):
        check_player("cautios")


@pytest.mark.parametrize(
    ("path", "error", "sentence"),
    [
        ("no_such_bots:Player", UnknownPlayerError, "There is no module “no_such_bots”"),
        ("bots:Missing", UnknownPlayerError, "Module “bots” has no “Missing”"),
        ("bots:Mute", PlayerError, r"it has no method choose\(view, history\)"),
    ],
)
def test_a_broken_entry_point_gets_a_sentence(
    path: str, error: type[Exception], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(tmp_path, broken=path)
    monkeypatch.syspath_prepend(tmp_path)
    for use in (check_player, _make):
        with pytest.raises(error, match=sentence):
            use("broken")


@pytest.mark.parametrize(
    ("path", "error", "sentence"),
    [
        ("no_such_module:Player", UnknownPlayerError, "There is no module “no_such_module”"),
        ("flagfall.nowhere:Player", UnknownPlayerError, "There is no module “flagfall.nowhere”"),
        (":Player", UnknownPlayerError, "write package.module:Class"),
        (f"{__name__}:Nobody", UnknownPlayerError, "has no “Nobody”; it has Cautious, Mute, Narrow"),
        (f"{__name__}:NUMBER", PlayerError, "not a class or function that makes a player"),
        (f"{__name__}:Mute", PlayerError, r"it has no method choose\(view, history\)"),
        (f"{__name__}:Narrow", PlayerError, "four arguments: game, options, rng, budget"),
    ],
)
def test_the_error_says_what_is_wrong_with_a_path(path: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        _make(path)
    with pytest.raises(error, match=sentence):
        check_player(path)


def test_the_name_of_a_seat_cannot_name_a_module() -> None:
    assert player_in_seat("Computer (os:system)") == ""


def _script(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {key: value for key, value in os.environ.items() if key != "FLAGFALL_KERNELS"}
    command = [sys.executable, "-W", "always", "-c", code]
    return subprocess.run(command, env=env | environment, capture_output=True, text=True, check=True)


START = """
from random import Random
from flagfall.edition import load_game, resolve
from flagfall.players import make_player, registry
from flagfall.engine import mode
import sys
game = load_game("mini/3x3")
def make(name): return make_player(name, game, resolve(game, {}), Random(1))
"""


def test_nothing_heavy_is_imported_before_a_player_is_made() -> None:
    found = _script(START + "print('numba' in sys.modules, 'flagfall.engine.kernel' in sys.modules)")
    assert found.stdout.split() == ["False", "False"]


def test_a_searching_player_chooses_compiled_kernels_by_itself() -> None:
    code = START + "registry._prefer_compiled('marshal'); print(mode.mode(), mode.is_compiled())"
    found = _script(code)
    assert found.stdout.split() == ["compiled", "True"]
    assert not found.stderr


def test_a_simple_player_chooses_nothing() -> None:
    assert _script(START + "make('greedy'); print(mode.mode())").stdout.split() == ["interpreted"]


def test_a_searching_player_that_comes_too_late_warns_once() -> None:
    found = _script(START + "import flagfall.match\nmake('marshal'); make('marshal')")
    assert found.stderr.count("RuntimeWarning") == 1
    assert "FLAGFALL_KERNELS=compiled" in found.stderr


@pytest.mark.parametrize("value", ["", "interpreted"])
def test_who_chooses_interpreted_kernels_is_not_warned(value: str) -> None:
    found = _script(START + "import flagfall.match\nmake('marshal')", FLAGFALL_KERNELS=value)
    assert not found.stderr


def test_a_level_made_after_a_simple_player_is_still_compiled() -> None:
    code = "import flagfall, sys\nflagfall.player('greedy', seed=1)\n" + START
    found = _script(code + "registry._prefer_compiled('marshal'); print(mode.mode())")
    assert found.stdout.split() == ["compiled"]
    assert not found.stderr


def test_a_game_with_a_level_is_compiled_although_another_player_is_made_first() -> None:
    code = """
import flagfall
from flagfall.engine import mode
from flagfall.library import players
def made(name, seed):
    print(name, mode.mode())
    raise SystemExit
players.player = made
flagfall.play("greedy", "recruit", "mini/3x3")
"""
    assert _script(code).stdout.split() == ["greedy", "compiled"]
