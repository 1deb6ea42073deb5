"""Messages about learning: the coach, lessons and puzzles."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from flagfall.server.api.messages.games import BoardInfo
from flagfall.server.api.messages.matches import Choice, State
from flagfall.sides import Side


class Advice(Struct, frozen=True):
    """A good action for the viewer, and why, from nothing but the viewer's own View."""

    number: int
    """of the State that it is for"""
    choice: Choice
    reason: str
    """one to three sentences"""
    win_percent: int
    """the estimated chance that the viewer wins"""


class KindChance(Struct, frozen=True):
    """How likely a hidden piece is of a kind."""

    kind: str
    name: str
    percent: int


class PieceChances(Struct, frozen=True):
    """What a hidden enemy piece might be, the likeliest kinds first."""

    number: int
    square: str
    kinds: tuple[KindChance, ...]
    others_percent: int
    """all other kinds together"""


class LessonLine(Struct, frozen=True):
    """A lesson in the list."""

    id: str
    title: str
    goal: str
    game: str
    """id of the game whose rules it teaches"""
    game_name: str


class GuideStep(Struct, frozen=True):
    """A text about the ready setup of a guided game, and the squares it is about."""

    text: str
    squares: tuple[str, ...]


class GuideInfo(Struct, frozen=True):
    """A whole game with a guide: create a training game and hand in ``setup``; its State has ``guide``."""

    id: str
    title: str
    goal: str
    game: str
    side: Side
    setup: dict[str, str]
    """square → kind id"""
    steps: tuple[GuideStep, ...]


class CourseInfo(Struct, frozen=True):
    """Lessons that belong together, in order."""

    id: str
    name: str
    text: str
    box: str
    game: str
    """id of a game to play after the course; may be empty"""
    lessons: tuple[LessonLine, ...]
    guides: tuple[GuideInfo, ...] = ()
    """guided games to play after the lessons"""


class Courses(Struct, frozen=True):
    """Every course, the one for newcomers first."""

    courses: tuple[CourseInfo, ...]


class LessonState(Struct, frozen=True):
    """A lesson after some actions of the learner."""

    lesson: str
    title: str
    goal: str
    course: str
    board: BoardInfo
    """the board of this lesson"""
    actions: tuple[str, ...]
    """the learner's actions that were right, in notation; send them again with the next one"""
    step: int
    """number of steps that are done"""
    steps: int
    verdict: Literal["", "right", "wrong", "done", "illegal"]
    """what the last action was; the board stays as it was before a wrong or illegal one"""
    words: str
    """the answer to the last action"""
    text: str
    """what to try now; at the end, what was learnt"""
    state: State
    """the position as in a match; there is no match, so only ``act`` is possible, through this address"""


PuzzleKind = Literal["win", "sure", "power", "flag", "fight"]


class PuzzleLine(Struct, frozen=True):
    """A puzzle in a list."""

    id: str
    kind: PuzzleKind
    title: str
    box: str
    game: str
    game_name: str
    tried: int
    """guests who have tried it"""
    solved: int
    """guests whose first attempt solved it"""
    yours: Literal["", "solved", "failed"]
    """the outcome of your first attempt"""


class PuzzleList(Struct, frozen=True):
    """Every puzzle."""

    today: str
    """the id of today's puzzle, by the date in UTC"""
    puzzles: tuple[PuzzleLine, ...]


class PuzzleAnswer(Struct, frozen=True):
    """The answer to a puzzle; sent only after an attempt."""

    words: str
    """the answer and why it is right"""
    squares: tuple[str, ...]
    """the squares it is about: from and to, or where the Flag stands"""
    score: float
    """the chance that your attempt gave to the truth, or 1 if it was right"""


class PuzzleState(Struct, frozen=True):
    """A puzzle after some of your actions."""

    puzzle: PuzzleLine
    question: str
    all_shown: bool
    """whether you see the kinds of all pieces"""
    picks: int
    """how many squares may be picked; 0 if none"""
    attack: str
    """the attack in question, in notation, or empty"""
    board: BoardInfo
    actions: tuple[str, ...]
    """your actions so far that were right or whose turn is still open; send them again with the next one"""
    verdict: Literal["", "solved", "failed"]
    answer: PuzzleAnswer | None
    """None before an attempt is over"""
    state: State
    """the position as in a match; there is no match, so only ``act`` is possible, through this address"""
