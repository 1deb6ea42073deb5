"""A puzzle: the turns of a game up to a position, a question about it, and the answer.

The shipped ones are JSON lines in ``data/``, one file per box. `start` replays the game; `play_turns` judges
the solver's turns by the stored answer, so nothing is searched while people solve.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from math import gcd
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from flagfall.board import parse_cell
from flagfall.edition import Game, Options, load_game, resolve
from flagfall.engine.action import Action
from flagfall.errors import UserError
from flagfall.languages import Phrase, say
from flagfall.match import RefusedError, explain_illegal
from flagfall.match.referee import Referee, Seen, read_actions
from flagfall.notation import NotationError, describe_turn, read_turn
from flagfall.notation.actions import write_turn
from flagfall.notation.names import at_phrase, kind_word
from flagfall.players.chances import percent
from flagfall.setups import read_setup
from flagfall.sides import Side
from flagfall.view.view import SeenEvent, View

Kind = Literal["win", "sure", "power", "flag", "fight"]
KINDS: tuple[Kind, ...] = ("win", "sure", "power", "flag", "fight")
MAX_PICKS = 3
"""squares that may be picked where the Flag is sought"""
CACHED = 512
"""positions kept after they were replayed; more than are shipped"""


class Branch(Struct, frozen=True, omit_defaults=True):
    """What follows a right turn: the opponent's reply and the right turns after it; empty at the end."""

    reply: str = ""
    then: dict[str, Branch] = {}


class Puzzle(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A position of a game and a question about it."""

    id: str
    kind: Kind
    game: str
    options: dict[str, str] = {}
    setups: tuple[str, str]
    turns: tuple[str, ...]
    """the turns of the game before the question, in notation"""
    source: str = ""
    """who played the game, and its seed"""
    depth: int = 0
    """``win``, ``sure``: the solver's turns until the Flag is captured"""
    right: dict[str, Branch] = {}
    """``win``, ``sure``, ``power``: the right turns"""
    armies: int = 0
    """``sure``: the enemy armies that fit what the solver has seen; the turns win against each"""
    gain: int = 0
    """``power``: enemy pieces captured less own pieces lost"""
    square: str = ""
    """``flag``: where the Flag stands; ``fight``: the square of the hidden piece"""
    chance: float = 0.0
    """``flag``: the chance of that square by the belief"""
    attack: str = ""
    """``fight``: the attack in notation"""
    attacks: bool = False
    """``fight``: whether attacking is right"""
    odds: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """``fight``: chances that the attacker wins, that both fall, that it loses"""
    margin: float = 0.0
    """``fight``: how much the right decision adds to the chance to win the game"""

    @property
    def box(self) -> str:
        """The id of the box."""
        return self.game.partition("/")[0]

    @property
    def title(self) -> str:
        """What it asks, in a few words."""
        return say(f"puzzles.title.{self.kind}", number=self.depth)

    @property
    def is_open(self) -> bool:
        """Whether the kinds of all pieces are shown."""
        return self.kind in ("win", "power")

    @property
    def is_played(self) -> bool:
        """Whether it is solved by playing turns."""
        return self.is_open or self.kind == "sure"


@dataclass
class Position:
    """A puzzle's position, after some of the solver's actions."""

    puzzle: Puzzle
    game: Game
    options: Options
    side: Side
    """the solver's side"""
    referee: Referee
    events: list[tuple[SeenEvent, ...]]
    """what the solver saw of each action of both sides"""
    verdict: Literal["", "solved", "failed"] = ""
    played: tuple[str, ...] = ()
    """the solver's actions, in notation"""

    def copy(self) -> Position:
        """Return an independent copy."""
        return Position(self.puzzle, self.game, self.options, self.side, self.referee.copy(), [*self.events])

    @property
    def view(self) -> View:
        """What the solver may know and do; everything that was shown in the game is remembered."""
        return self.referee.view(self.side, forgets=False)

    @property
    def question(self) -> str:
        """The task in a sentence or two."""
        puzzle, army = self.puzzle, self.game.armies[self.side].name
        if puzzle.kind in ("win", "sure"):
            return say(f"puzzles.question.{puzzle.kind}", army=army, turns=str(puzzle.depth))
        if puzzle.kind == "power":
            return say("puzzles.question.power", army=army)
        if puzzle.kind == "flag":
            return say("puzzles.question.flag", army=army, number=MAX_PICKS)
        first = read_turn(self.game, puzzle.attack)[0]
        who = at_phrase(self.game, self.view, first.origin_square)
        return say("puzzles.question.fight", army=army, who=who, square=puzzle.square)


def read_puzzles(data: bytes, name: str) -> list[Puzzle]:
    """Read puzzles from JSON lines; `UserError` names the line that cannot be read."""
    found, ids = [], set()
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            puzzle = msgspec.json.decode(line, type=Puzzle)
        except msgspec.MsgspecError as error:
            raise UserError(f"{name}, line {number} is not a puzzle: {error}.") from None
        if puzzle.id in ids:
            raise UserError(f"{name}, line {number}: there is another puzzle {puzzle.id}.")
        ids.add(puzzle.id)
        found.append(puzzle)
    return found


def write_puzzles(puzzles: Iterable[Puzzle]) -> bytes:
    """Return puzzles as JSON lines."""
    return b"".join(msgspec.json.encode(puzzle) + b"\n" for puzzle in puzzles)


def read_puzzle_file(file: Path) -> list[Puzzle]:
    """Read a file of puzzles."""
    try:
        return read_puzzles(file.read_bytes(), str(file))
    except OSError as error:
        raise UserError(f"{file} cannot be read ({error.strerror}).") from None


@cache
def all_puzzles() -> dict[str, Puzzle]:
    """Return the shipped puzzles by id."""
    folder = files("flagfall.puzzles") / "data"
    shipped = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".jsonl")), key=lambda f: f.name
    )
    return {puzzle.id: puzzle for file in shipped for puzzle in read_puzzles(file.read_bytes(), file.name)}


def puzzle_of_day(day: int) -> Puzzle:
    """Return the puzzle of a day, counted from 1 January 1970 in UTC; the same for everyone.

    A step that shares no divisor with their number goes through all puzzles before one comes again.
    """
    puzzles = list(all_puzzles().values())
    return puzzles[day * _step(len(puzzles)) % len(puzzles)]


def _step(count: int) -> int:
    return next(step for step in range(int(count * 0.618) or 1, 2 * count + 2) if gcd(step, count) == 1)


def start(puzzle: Puzzle) -> Position:
    """Return the position of the question; `UserError` if the turns before it cannot be played."""
    try:
        game = load_game(puzzle.game, allow_files=False)
        options = resolve(game, puzzle.options)
        south, north = (read_setup(game, side, text) for side, text in enumerate(puzzle.setups))
        referee = Referee(game, options, south, north)
        seen = []
        for text in puzzle.turns:
            seen += _play(referee, text)
    except (RefusedError, NotationError, ValueError, LookupError) as error:
        raise UserError(f"The game of puzzle {puzzle.id} cannot be played: {error}") from None
    if referee.result is not None or not referee.is_fresh:
        raise UserError(f"The game of puzzle {puzzle.id} does not stop at the start of a turn.")
    if puzzle.is_open:
        referee.show(parse_cell(piece.cell) for piece in referee.view("truth").pieces)
    side = referee.mover
    return Position(puzzle, game, options, side, referee, [events[side] for events in seen])


def _play(referee: Referee, text: str) -> list[Seen]:
    """Play a whole turn in notation; `ValueError` if an action is not legal."""
    seen = []
    for action in read_turn(referee.game, text):
        if not referee.is_legal(action):
            raise ValueError(f"{text} is not legal after {len(referee.turns)} turns")
        seen.append(referee.play(action))
    return seen


@lru_cache(maxsize=CACHED)
def _started(puzzle_id: str) -> Position:
    return start(all_puzzles()[puzzle_id])


def begin(puzzle: Puzzle) -> Position:
    """Return the position of a shipped puzzle; its game is replayed only once."""
    shipped = all_puzzles().get(puzzle.id) is puzzle
    return (_started(puzzle.id) if shipped else start(puzzle)).copy()


def play_turns(puzzle: Puzzle, actions: Sequence[str]) -> Position:
    """Play the solver's actions and the replies to them; a last turn that is wrong is not played.

    `RefusedError` if an action is not legal, or if something follows the end.
    """
    position, branches = begin(puzzle), puzzle.right
    open_actions: tuple[Action, ...] = ()
    before, kept = position.copy(), position.played
    for text in actions:
        if position.verdict or not branches:
            raise RefusedError("finished", say("puzzles.refusal.over"))
        referee = position.referee
        if referee.is_fresh:
            before, kept = position.copy(), position.played
        action = _legal(position, text)
        is_attack = referee.strikes(action) if referee.is_fresh else referee.turns[-1].is_attack
        position.events.append(referee.play(action)[position.side])
        position.played = (*position.played, text)
        open_actions = (*open_actions, action)
        if referee.result is None and not referee.is_fresh:
            continue
        branch = branches.get(write_turn(position.game, open_actions, is_attack=is_attack))
        open_actions = ()
        if branch is None:
            before.played, before.verdict = kept, "failed"
            position = before
        elif branch.reply:
            position.events += [seen[position.side] for seen in _play(referee, branch.reply)]
            branches = branch.then
        else:
            position.verdict = "solved"
    return position


def _legal(position: Position, text: str) -> Action:
    """Return the legal action of a text."""
    referee, view = position.referee, position.view
    actions = read_actions(referee, text)
    if len(actions) > 1:
        raise RefusedError("one-at-a-time", say("puzzles.refusal.one-at-a-time"))
    if not referee.is_legal(actions[0]):
        raise RefusedError("illegal", explain_illegal(referee.game, view, actions[0], position.options))
    return actions[0]


def solution_words(puzzle: Puzzle) -> str:
    """Return the answer and why it is right, in sentences."""
    position = begin(puzzle)
    game, side = position.game, position.side
    if puzzle.kind == "win":
        return _line_words(position)
    if puzzle.kind == "sure":
        return say("puzzles.answer.sure", line=_line_words(position), number=str(puzzle.armies))
    if puzzle.kind == "power":
        text = next(iter(puzzle.right))
        return say("puzzles.answer.power", turn=_played_words(position, text), number=puzzle.gain)
    if puzzle.kind == "flag":
        return say("puzzles.answer.flag", square=puzzle.square, chance=percent(puzzle.chance))
    wins, both, loses = puzzle.odds
    true = position.referee.view("truth").at(puzzle.square)
    assert true is not None
    parts = [("win", wins), ("both", both), ("lose", loses)]
    odds = ", ".join(say(f"puzzles.odds.{end}", chance=percent(chance)) for end, chance in parts if chance)
    kind = kind_word(game, true.kind, side.other)
    begins = "vowel" if kind[:1].lower() in "aeiou" else "consonant"
    return say(
        "puzzles.answer.attack" if puzzle.attacks else "puzzles.answer.leave",
        odds=odds,
        margin=percent(puzzle.margin),
        kind=Phrase("puzzles.kind", kind, {"begins": begins}),
    )


def _line_words(position: Position) -> str:
    """Return the first right turn, the reply to it, and so on to the Flag."""
    branches, words = position.puzzle.right, []
    while branches:
        text, branch = next(iter(branches.items()))
        words.append(_played_words(position, text))
        if branch.reply:
            words.append(_played_words(position, branch.reply))
        branches = branch.then
    return " ".join(words)


def _played_words(position: Position, text: str) -> str:
    """Play a turn and return it in words for the solver."""
    referee, before = position.referee, position.view
    seen: list[SeenEvent] = []
    for events in _play(referee, text):
        seen += events[position.side]
    return describe_turn(
        position.game, [event for event in seen if event.what != "result"], position.side, before
    )


def judge_picks(puzzle: Puzzle, squares: Sequence[str]) -> float:
    """Return the chance that the picks give to the true square: 1 for one right pick, ½ for two."""
    position = begin(puzzle)
    hidden = {piece.cell for piece in position.view.pieces if piece.side != position.side and not piece.kind}
    if not 1 <= len(set(squares)) <= MAX_PICKS or not set(squares) <= hidden:
        raise RefusedError("illegal", say("puzzles.refusal.squares", number=MAX_PICKS))
    return 1 / len(set(squares)) if puzzle.square in squares else 0.0
