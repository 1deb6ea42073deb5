"""Messages: what the server sends, as JSON; the OpenAPI schema has the same names."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from flagfall.analysis.findings import Findings
from flagfall.engine.action import VERB_NAMES
from flagfall.match.previews import Preview
from flagfall.match.summary import Summary
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


class PushState(Struct, frozen=True):
    """Notifications of a guest."""

    key: str
    """the server's public key, to subscribe with; empty: this server sends no notifications"""
    devices: int
    waiting: int
    """games against people in which it is your turn"""


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
    is_missing: bool = False
    """a network that this server no longer offers; the match waits until it does again"""


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
    preview: Preview | UnsetType = UNSET
    """what a power would do; plain moves and attacks have none"""


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


class GuideLine(Struct, frozen=True):
    """What a guide says of an event, and the squares it is about."""

    event: str
    words: str
    squares: tuple[str, ...]


class ContinuedFrom(Struct, frozen=True):
    """The moment of an earlier game from which a match goes on."""

    sentence: str
    turn: int
    match: str = ""
    """the id of the earlier match; watchers are told it when the game is over"""


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
    guide: tuple[GuideLine, ...] = ()
    """what a guide can say to you now, the most important first; only in a training game"""
    continued: ContinuedFrom | None = None
    """the moment of an earlier game from which this one goes on"""


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


class OpenedRecord(Struct, frozen=True):
    """A record of a game that you have opened."""

    id: str
    """works in the addresses of a finished match: replay, record and review"""
    game: str
    south: str
    north: str
    date: str
    """as the record says it; may be empty"""
    options: dict[str, str]
    turns: int
    result: Result | None
    verdict: str
    """how the game ended, in a sentence; empty in a list"""
    created_ms: int


class OpenedRecords(Struct, frozen=True):
    """The records that you have opened."""

    records: tuple[OpenedRecord, ...]
    limit: int
    """when there are more, the oldest go"""


class Review(Struct, frozen=True):
    """How far the review of a finished game is, and what it found."""

    match: str
    viewer: Literal["south", "north", "truth"]
    status: Literal["none", "waiting", "running", "stopped", "failed", "done"]
    done: int
    """turns that are analysed"""
    turns: int
    ahead: int
    """reviews that are worked out before it"""
    findings: Findings | None
    """None until the review is done"""


class PieceBelief(Struct, frozen=True):
    """What a side believed of a hidden piece."""

    piece: str
    """its name"""
    kinds: tuple[tuple[str, float], ...]
    """kinds with their chances, likeliest first"""


class Beliefs(Struct, frozen=True):
    """What the sides believed of hidden pieces, the last time that they were to move."""

    match: str
    viewer: Literal["south", "north", "truth"]
    turn: int
    south: tuple[PieceBelief, ...]
    north: tuple[PieceBelief, ...]


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
