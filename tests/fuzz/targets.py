"""Every parser with valid texts to start from, and the only errors it may raise."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random

from flagfall.edition import EditionError, Game, OptionError, load_game, load_text, resolve, rules_page
from flagfall.edition.clock import parse_clock
from flagfall.edition.guides import guide_book
from flagfall.edition.lessons import lesson_book
from flagfall.edition.load import BOXES
from flagfall.edition.options import concerning, parse_pairs
from flagfall.edition.schema import UnknownGameError
from flagfall.match import Match, MatchError, Seating, decode_log, encode_log, load, save, to_record
from flagfall.match.guides import check_guide
from flagfall.match.lessons import check_lesson
from flagfall.notation import (
    NotationError,
    check_turn,
    from_json,
    read_damaged_record,
    read_record,
    read_turn,
    record_actions,
    to_json,
    write_record,
)
from flagfall.protocol.engine import Engine
from flagfall.protocol.follower import FollowError
from flagfall.protocol.messages import ProtocolError, action_of, write_event
from flagfall.setups import SetupError, random_setup, read_setup, setup_from_squares, write_setup

HARBOUR = (Path(__file__).parents[2] / "examples/harbour.toml").read_text(encoding="utf-8")
SMALL = (Path(__file__).parents[1] / "edition/small.toml").read_text(encoding="utf-8")
LESSON = (Path(__file__).parents[1] / "edition/small_lesson.toml").read_text(encoding="utf-8")
GUIDE = (Path(__file__).parents[1] / "edition/small_guide.toml").read_text(encoding="utf-8")
GAMES: tuple[Game, ...] = tuple(
    map(load_game, ("lotr/special-powers", "onyx/classic", "spin-master/duel", "mini/3x4"))
)


@dataclass(frozen=True)
class Target:
    """One parser: reads any text; ``errors`` are all it may raise."""

    name: str
    corpus: Callable[[], tuple[str, ...]]
    read: Callable[[str], object]
    errors: tuple[type[Exception], ...]

    def __str__(self) -> str:
        return self.name


@cache
def matches() -> tuple[Match, ...]:
    """A short random game of each game; the last two are not over."""
    return tuple(_played(game, number) for number, game in enumerate(GAMES))


def _played(game: Game, number: int) -> Match:
    rng = Random(number)
    match = Match.created(game, resolve(game, {}), Seating("Anna", "Ben"), 0)
    for side, name in enumerate(("south", "north")):
        match.seal(name, random_setup(game, side, rng), 0)
    for at in range(30):
        if match.to_move is not None:
            match.act(match.to_move, None, rng.choice(match.view(match.to_move).legal), 100 * at)
    if match.to_move and number < 2:
        match.resign(match.to_move, 10_000)
    return match


@cache
def turn_texts() -> tuple[str, ...]:
    """Turns as they were played, and every sort of action."""
    played = [turn.text for match in matches() for turn in to_record(match).turns]
    return (
        *dict.fromkeys(played),
        *("d9-d10 rescue general b2", "d4-d5 spot d6 marshal", "d4 shoot d6 power 2", "c4^c7 c7xc8"),
        *("d4~e6", "d4-d5xe5", "d4-d5 swing c6 e6 done", "advance north c3 d3", "d4 enchant d6"),
        *("=spot", "@b2", "gandalf the white", "d4 – d5", "the black rider"),
    )


def read_any_turn(text: str) -> None:
    """Read a turn with and without a game and a View, and as the single action of an engine."""
    errors: list[Exception] = []
    game, view = GAMES[0], matches()[0].view("south")
    for read in (
        lambda: check_turn(text),
        lambda: read_turn(GAMES[1], text),
        lambda: read_turn(game, text, view),
        lambda: action_of(game, view, text),
    ):
        try:
            read()
        except (NotationError, ProtocolError) as error:
            errors.append(error)
    if errors:
        raise errors[len(text) % len(errors)]


def setup_texts() -> tuple[str, ...]:
    """Setup codes of both sides."""
    return tuple(write_setup(random_setup(game, side, Random(side))) for game in GAMES for side in (0, 1))


def read_code(text: str) -> None:
    """Read a setup code for the game it is likely to be of."""
    for game in GAMES[len(text) % 2 :: 2]:
        read_setup(game, len(text) // 2 % 2, text)


def square_texts() -> tuple[str, ...]:
    """Setups by squares, as JSON."""
    found = []
    for game in GAMES:
        setup = random_setup(game, 0, Random(3))
        names = (game.kinds[kind].id for kind in setup.kinds.values())
        found.append(json.dumps(dict(zip(game.board.names(setup.kinds), names, strict=True))))
    return tuple(found)


def read_squares(text: str) -> None:
    """Read a setup by squares: whatever mapping of texts can still be found in the JSON."""
    words = [part.strip('"{} ') for part in text.split(",")]
    squares = {word.partition('": "')[0]: word.partition('": "')[2] for word in words}
    for game in GAMES[len(text) % 2 :: 2]:
        setup_from_squares(game, 0, squares)


def record_texts() -> tuple[str, ...]:
    """Records as text files."""
    return tuple(write_record(to_record(match)) for match in matches())


def read_any_record(text: str) -> None:
    """Read a record in both ways; what was read once can be written and read again."""
    try:
        record, losses = read_damaged_record(text)
    except NotationError:
        record, losses = None, []
    if record is not None:
        assert read_record(write_record(record)) == record
        assert all(len(loss) < 500 and "\n" not in loss for loss in losses)
    record_actions(GAMES[0], read_record(text))


def json_texts() -> tuple[str, ...]:
    """Records as JSON."""
    return tuple(to_json(to_record(match)) for match in matches())


def read_json(text: str) -> None:
    """Read the JSON of a record, as text and as bytes."""
    record = from_json(text)
    assert read_record(write_record(record)) == record
    from_json(text.encode("utf-8", "surrogatepass"))


def box_texts() -> tuple[str, ...]:
    """Box files: small ones more often, because they are read faster."""
    boxes = tuple(
        (files("flagfall.edition") / "data" / f"{box}.toml").read_text(encoding="utf-8") for box in BOXES
    )
    return (SMALL, SMALL, SMALL, SMALL, HARBOUR, *boxes)


def read_box(text: str) -> None:
    """Read a box, and write the rules of its games."""
    for game in load_text(text).games.values():
        assert rules_page(game, resolve(game, {}))


def read_lesson(text: str) -> None:
    """Read a box with these lessons and guides and check them."""
    edition = load_text(SMALL + text)
    for lesson in lesson_book(edition).values():
        check_lesson(lesson)
    for guide in guide_book(edition).values():
        check_guide(guide)


def saved_texts() -> tuple[str, ...]:
    """Saved matches."""
    return tuple(save(match, 20_000).decode() for match in matches())


def read_saved(text: str) -> None:
    """Take a saved match up again; what was taken up can be saved."""
    assert save(load(text))
    load(text.encode("utf-8", "surrogatepass"))


def log_texts() -> tuple[str, ...]:
    """Logs of matches."""
    return tuple(encode_log(match.log).decode() for match in matches())


def read_log(text: str) -> None:
    """Read a log and play it again."""
    Match.rebuilt(decode_log(text)).digest()


@cache
def engine_scripts() -> tuple[str, ...]:
    """What a referee says to an engine in a game."""
    scripts = []
    for game, match in zip(GAMES, matches(), strict=True):
        setups = to_record(match).setups
        enemy = ",".join(game.board.names(read_setup(game, 1, setups[1]).kinds))
        events = [write_event(event) for event in match.history("south")]
        head = [f"newgame game={game.id} side=south seed=7 nodes=5", f"setup {setups[0]}", f"enemy {enemy}"]
        told = ["option memory=notes", "played north d7-d6", "legal d4-d5, a1-a2", "go nodes 3", *events]
        scripts.append("\n".join(["flagfall", "isready", *head, "go", *told[-12:], "go nodes 3"]))
    scripts.append(
        "newgame game=mini/3x3 side=south\n"
        "position turn=31 south:b2=scout south:a1=flag north:b3=? north:a3=?,moved lost=north:spy\ngo"
    )
    return tuple(scripts)


class EngineComplaintError(ValueError):
    """The complaint of an engine; it never raises anything itself."""


def say_to_engine(text: str) -> None:
    """Say all lines to an engine; its last complaint is raised."""
    answers: list[str] = []
    Engine("mini/3x4", "random", {}, answers.append).run(text.split("\n"))
    for answer in answers:
        assert "\n" not in answer
        assert len(answer) < 20_000
        first, _, rest = answer.partition(" ")
        if first == "error":
            assert not rest.endswith(("Error", "Exception", "Iteration")), answer
    complaints = [answer for answer in answers if answer.startswith("error ")]
    if complaints:
        raise EngineComplaintError(complaints[-1].removeprefix("error "))


def option_texts() -> tuple[str, ...]:
    """Options as they are typed."""
    usual = [" ".join(f"{info.name}={info.default}" for info in concerning(game)) for game in GAMES]
    return (*usual, "clock=10m+5s memory=notes", "clock=36h/move two_square_limit=3")


def read_options(text: str) -> None:
    """Read options and give them to two games."""
    for game in GAMES[:2]:
        resolve(game, parse_pairs(text.split(" ")))


def read_game_id(text: str) -> None:
    """Find a game by its id."""
    load_game(text, allow_files=False)


TARGETS = (
    Target("turn", turn_texts, read_any_turn, (NotationError, ProtocolError)),
    Target("setup code", setup_texts, read_code, (SetupError,)),
    Target("setup by squares", square_texts, read_squares, (SetupError,)),
    Target("record text", record_texts, read_any_record, (NotationError,)),
    Target("record JSON", json_texts, read_json, (NotationError,)),
    Target("box", box_texts, read_box, (EditionError,)),
    Target("lesson", lambda: (LESSON, GUIDE), read_lesson, (EditionError,)),
    Target("saved match", saved_texts, read_saved, (MatchError,)),
    Target("log", log_texts, read_log, (MatchError,)),
    Target("engine protocol", engine_scripts, say_to_engine, (EngineComplaintError, FollowError)),
    Target("options", option_texts, read_options, (OptionError,)),
    Target("clock", lambda: ("none", "10m+5s", "30s/move", "3d", "1h30m"), parse_clock, (ValueError,)),
    Target("game id", lambda: ("onyx/classic", "lotr/special-powers"), read_game_id, (UnknownGameError,)),
)
