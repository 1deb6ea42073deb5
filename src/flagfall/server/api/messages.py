"""Messages: what the server sends, as JSON; the OpenAPI schema has the same names."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from flagfall.engine.action import VERB_NAMES
from flagfall.match.summary import Summary
from flagfall.server.api.game_messages import BoardInfo
from flagfall.sides import Side
from flagfall.view.view import Result, SeenEvent, SeenPiece, View, ViewerName

Phase = Literal["waiting", "setup", "playing", "over"]
Opponent = Literal["computer", "hot-seat", "friend", "lobby"]
CommandName = Literal[
    "seal",
    "act",
    "take-back",
    "hint",
    "resign",
    "offer-draw",
    "answer-draw",
    "abort",
    "rematch",
    "chat",
    "note",
]


class Refused(Struct, frozen=True, tag_field="what", tag="refused"):
    """The server refuses a request: a code for programs and one sentence for people."""

    code: str
    sentence: str
    reply_to: str = ""
    """the ``id`` of the socket request that was refused"""
    retry_after_s: int | None = None
    """seconds after which to try again, where that may help"""


class Health(Struct, frozen=True):
    """The server is alive, or ready."""

    status: Literal["ok"]
    version: str


class Guest(Struct, frozen=True):
    """A person with a name and a cookie."""

    id: str
    name: str


class Visitor(Struct, frozen=True):
    """A visitor, who may be a guest already."""

    guest: Guest | None


class SeatInfo(Struct, frozen=True):
    """The player of one side."""

    name: str
    is_computer: bool
    level: str
    """the id of a computer player; empty for people"""
    army: str
    """army id"""
    is_sealed: bool
    is_here: bool
    """the player has the match open; a computer player always has"""
    is_warming_up: bool = False
    """a computer player that is weaker until the server has compiled what it needs"""


class Seats(Struct, frozen=True):
    """The players of both sides."""

    south: SeatInfo
    north: SeatInfo


class ClockState(Struct, frozen=True):
    """The clocks at ``at_ms``, the server's time; null where there is no clock."""

    text: str
    """the value of the option: none, 10m+5s, 30s/move, 3d"""
    style: Literal["none", "total", "move", "days"]
    at_ms: int
    running: Side | None
    south_ms: int | None
    north_ms: int | None


Verb = Annotated[str, Meta(extra_json_schema={"enum": list(VERB_NAMES[1:])})]
"""the name of an action's verb; the schema lists them all"""


class Choice(Struct, frozen=True):
    """A legal action of the viewer. Send back ``action`` or ``text``."""

    action: int
    text: str
    verb: Verb
    origin: str
    """square of the piece; may be empty"""
    target: str
    """square to which it moves, or which it strikes, spots or chooses; may be empty"""
    stands: str
    """square from which the piece uses a power, if that is neither origin nor target"""
    kind: str
    """id of the kind to guess or to rescue"""
    power: str
    """id of the power; empty for plain moves and attacks"""
    is_attack: bool
    """an enemy stands on ``target``"""
    is_likely: bool
    """false: a guess that is legal, but ruled out by what you have seen"""
    words: str
    """what the action does, as a sentence"""


class News(Struct, frozen=True):
    """What the viewer saw of one entry of the log."""

    number: int
    text: str
    events: tuple[SeenEvent, ...]


class ChatLine(Struct, frozen=True):
    """A preset phrase that a player sent."""

    seat: Side
    phrase: str
    text: str
    at_ms: int


class Rematch(Struct, frozen=True):
    """The sides that have asked for another game, and its id once both have."""

    asked: tuple[Side, ...]
    match: str


class Invitation(Struct, frozen=True):
    """A match that waits for its second player."""

    match: str
    game: str
    host: str
    """name of the host"""
    options: dict[str, str]
    """only what differs from the game's defaults"""
    clock: str
    side: Literal["south", "north", "lot"]
    """the side of the guest who accepts; lot: at random"""
    is_yours: bool


class State(Struct, frozen=True, tag_field="what", tag="state"):
    """Everything one viewer may know of a match now, and its news since a number."""

    match: str
    game: str
    game_name: str
    opponent: Opponent
    viewer: ViewerName
    yours: tuple[Side, ...]
    """the sides of this guest"""
    number: int
    """ask for later news with ``since=number``; an action must name this number"""
    since: int
    """``news`` is complete from this number on; ask for older news with ``/news?before=``"""
    phase: Phase
    turn: int
    to_move: Side | None
    seats: Seats | None
    """null until both players are known"""
    options: dict[str, str]
    chips: tuple[str, ...]
    """labels of the options that differ from the game's defaults"""
    clocks: ClockState
    view: View | None
    """``legal`` is empty; see ``choices``"""
    prompt_words: str
    """what the viewer is asked to do, or whose turn it is; empty when the game is over"""
    steps: tuple[str, ...]
    """what the viewer has done so far in an open turn; only the mover is sent this"""
    choices: tuple[Choice, ...]
    notes: dict[str, str]
    """the viewer's own notes: name of a piece → text"""
    news: tuple[News, ...]
    offer: Side | None
    """the side that has offered a draw"""
    can: tuple[CommandName, ...]
    """commands that this viewer may send now"""
    result: Result | None
    is_open: bool
    """the game has a result, so record, replay and truth are public"""
    verdict: str
    """the result as a sentence for the viewer"""
    commitments: dict[str, str]
    """hashes of the sealed setups"""
    invitation: str
    """token of the invitation link; only for the host of a waiting match"""
    rematch: Rematch
    chat: tuple[ChatLine, ...]
    training: bool = False
    """a training game: hints and taking back are allowed"""
    summary: Summary | None = None
    """everything that was hidden; null until the game is over and open"""


class Change(Struct, frozen=True, tag_field="what", tag="change"):
    """The difference to the State before, for sockets opened with ``changes=1``."""

    number: int
    state: dict[str, Any]
    """changed fields of the State, except ``view``"""
    view: dict[str, Any]
    """changed fields of its View, except ``pieces``"""
    squares: dict[str, SeenPiece | None]
    """changed squares: the piece there now, or null"""


class NewsPage(Struct, frozen=True):
    """Older news of one viewer."""

    match: str
    viewer: ViewerName
    since: int
    """complete from this number on; 0: there is no older news"""
    news: tuple[News, ...]


class Done(Struct, frozen=True, tag_field="what", tag="done"):
    """A socket command was executed; the new State follows."""

    reply_to: str
    number: int


class Pong(Struct, frozen=True, tag_field="what", tag="pong"):
    """The answer to a ping."""

    reply_to: str


SocketAnswer = State | Change | Refused | Done | Pong


class MatchLine(Struct, frozen=True):
    """One match in a list."""

    match: str
    game: str
    opponent: Opponent
    phase: Phase
    south: str
    north: str
    clock: str
    yours: tuple[Side, ...]
    is_your_turn: bool
    created_ms: int
    result: Result | None


class Lobby(Struct, frozen=True):
    """Open invitations, and public games that can be watched."""

    invitations: tuple[Invitation, ...]
    running: tuple[MatchLine, ...]


class MatchList(Struct, frozen=True):
    """A guest's matches, newest first."""

    matches: tuple[MatchLine, ...]


class SetupAnswer(Struct, frozen=True):
    """A setup as text code and by squares, with warnings about its weaknesses."""

    code: str
    squares: dict[str, str]
    """square → kind id"""
    warnings: tuple[str, ...]


class SavedSetup(Struct, frozen=True):
    """A saved setup."""

    id: str
    game: str
    side: Side
    name: str
    code: str


class SavedSetups(Struct, frozen=True):
    """Your saved setups, oldest first."""

    setups: tuple[SavedSetup, ...]


class ReplayStep(Struct, frozen=True):
    """A finished game after a number of turns, for one viewer."""

    turn: int
    label: str
    text: str
    """the turn in notation; empty at the start"""
    words: str
    view: View


class Replay(Struct, frozen=True):
    """Some steps of a finished game."""

    match: str
    viewer: ViewerName
    turns: int
    """number of turns of the game; steps run from 0 to this"""
    first: int
    steps: tuple[ReplayStep, ...]


class OpeningShown(Struct, frozen=True):
    """The salt and setup behind a commitment."""

    salt: str
    setup: str
    commitment: str


class Openings(Struct, frozen=True):
    """Both setups of a finished game: the commitment is the SHA-256 of salt + setup."""

    south: OpeningShown
    north: OpeningShown


class Phrase(Struct, frozen=True):
    """A phrase that can be sent as chat."""

    id: str
    text: str


class Phrases(Struct, frozen=True):
    """All phrases."""

    phrases: tuple[Phrase, ...]


# ---------------------------------------------------------------------- the coach


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


# ---------------------------------------------------------------------- lessons


class LessonLine(Struct, frozen=True):
    """A lesson in the list."""

    id: str
    title: str
    goal: str
    game: str
    """id of the game whose rules it teaches"""
    game_name: str


class CourseInfo(Struct, frozen=True):
    """Lessons that belong together, in order."""

    id: str
    name: str
    text: str
    box: str
    game: str
    """id of a game to play after the course; may be empty"""
    lessons: tuple[LessonLine, ...]


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
    verdict: Literal["", "right", "wrong", "done"]
    """what the last action was; the board stays as it was before a wrong one"""
    words: str
    """the answer to the last action"""
    text: str
    """what to try now; at the end, what was learnt"""
    state: State
    """the position as in a match; there is no match, so only ``act`` is possible, through this address"""
