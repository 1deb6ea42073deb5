"""Requests: what clients send, the same over HTTP and over the socket, checked while it is decoded."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct, field

from flagfall.edition.load import MAX_BOX_CHARS
from flagfall.puzzles.puzzle import MAX_PICKS
from flagfall.server.errors import RequestError
from flagfall.server.names import MAX_NAME, MAX_NOTE, MAX_SETUP_NAME
from flagfall.server.push.services import MAX_ENDPOINT
from flagfall.sides import Side
from flagfall.view.view import ViewerName

MAX_SAVED_SETUPS = 50
"""of one guest"""

Line = Annotated[str, Meta(max_length=80)]
Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Id = Annotated[str, Meta(max_length=64)]
TurnText = Annotated[str, Meta(max_length=400)]
SetupText = Annotated[str, Meta(max_length=400)]
MAX_RECORD_LENGTH = 250_000
BoxText = Annotated[str, Meta(max_length=MAX_BOX_CHARS)]
MAX_LESSON_ACTIONS = 20
MAX_LAB_GAMES = 200
LessonAction = Annotated[str, Meta(max_length=60)]
Squares = Annotated[dict[Annotated[str, Meta(max_length=4)], Line], Meta(max_length=120)]


class _Request(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class _Command(_Request, frozen=True, kw_only=True, tag_field="do"):
    seat: Side | None = None
    id: Id = ""


class NameRequest(_Request, frozen=True, kw_only=True):
    """Choose or change a name."""

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]


class NewGuest(_Request, frozen=True, kw_only=True):
    """Become a guest."""

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME)] | None = None
    """without one, a new guest gets a friendly name, and a known guest keeps theirs"""


class NewRecord(_Request, frozen=True, kw_only=True):
    """Open the record of a game."""

    text: Annotated[str, Meta(min_length=1, max_length=MAX_RECORD_LENGTH)]
    """the record as text or as JSON"""


class NewMatch(_Request, frozen=True, kw_only=True):
    """Create a match."""

    game: Line
    opponent: Literal["computer", "hot-seat", "friend", "lobby"] = "computer"
    level: Line = "greedy"
    """the id of the computer player"""
    side: Literal["south", "north", "lot", ""] = ""
    """lot: at random; empty: the usual way of this game"""
    options: Annotated[dict[Line, Line], Meta(max_length=40)] = field(default_factory=dict)
    """options that differ from the defaults; memory and clock are options too"""
    second_name: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    """hot-seat: the name of the other player"""
    training: bool = False
    """against the computer, without a clock: hints and taking back are allowed"""


class ContinueRequest(_Request, frozen=True, kw_only=True):
    """Play on from a moment of a finished game."""

    turn: Annotated[int, Meta(ge=0, le=100_000)]
    """how many turns had been played"""
    side: Side
    """yours"""
    level: Line
    """the id of the computer player"""
    deal: Literal["belief", "true"] = "belief"
    """belief: what was hidden from your side is dealt anew; true: both armies as they were"""
    clock: Line = "none"
    training: bool = False
    """without a clock: hints and taking back are allowed"""


class SetupRequest(_Request, frozen=True, kw_only=True):
    """Make or check a setup; give at most one of style, shuffle, code and squares."""

    side: Side
    style: Line = ""
    shuffle: bool = False
    code: SetupText = ""
    squares: Squares = field(default_factory=dict)
    mirror: bool = False
    """exchange left and right"""


class Seal(_Command, frozen=True, kw_only=True, tag="seal"):
    """Submit a setup as a code or by squares; it may be replaced until both sides have submitted."""

    code: SetupText = ""
    squares: Squares = field(default_factory=dict)


class Act(_Command, frozen=True, kw_only=True, tag="act"):
    """Play one or more actions of a turn as text, or one packed action."""

    number: Number
    """the number of the State that the action was chosen in"""
    text: TurnText = ""
    action: Number | None = None


class TakeBack(_Command, frozen=True, kw_only=True, tag="take-back"):
    """Take back your last turn and what followed it; only in a training game."""

    number: Number
    """the number of the State that you see"""


class Resign(_Command, frozen=True, kw_only=True, tag="resign"):
    """Resign."""


class OfferDraw(_Command, frozen=True, kw_only=True, tag="offer-draw"):
    """Offer a draw."""


class AnswerDraw(_Command, frozen=True, kw_only=True, tag="answer-draw"):
    """Accept or decline a draw offer."""

    accepts: bool


class Abort(_Command, frozen=True, kw_only=True, tag="abort"):
    """Abort before your first move, or withdraw an open invitation."""


class AskRematch(_Command, frozen=True, kw_only=True, tag="rematch"):
    """Ask for another game with the sides exchanged."""


class Say(_Command, frozen=True, kw_only=True, tag="chat"):
    """Send a preset phrase as chat."""

    phrase: Line


class TakeNote(_Command, frozen=True, kw_only=True, tag="note"):
    """Write a private note on a piece; an empty text removes it."""

    piece: Annotated[str, Meta(max_length=16)]
    """the name of the piece in the View"""
    text: Annotated[str, Meta(max_length=MAX_NOTE)]


class KeepSetup(_Request, frozen=True, kw_only=True):
    """Save a setup under a name; the same name again replaces it."""

    game: Line
    side: Side
    name: Annotated[str, Meta(min_length=1, max_length=MAX_SETUP_NAME)]
    code: SetupText
    own_tags: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=30)] | None = None
    """words of your own to find it by; null leaves those of the setup that is replaced"""


class DeleteMe(_Request, frozen=True, kw_only=True):
    """Delete everything that is kept of you."""

    guest: Id
    """your guest id, so that no other guest is deleted by mistake"""


class DeviceAddress(_Request, frozen=True, kw_only=True):
    """The address of a device at its push service."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=MAX_ENDPOINT)]


class Device(_Request, frozen=True, kw_only=True):
    """A push subscription, as the browser made it."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=MAX_ENDPOINT)]
    p256dh: Annotated[str, Meta(max_length=100)]
    """the browser's public key, as base64url"""
    auth: Annotated[str, Meta(max_length=40)]
    """the browser's secret, as base64url"""


class LabRequest(_Request, frozen=True, kw_only=True):
    """Play quick games with a setup."""

    game: Line
    side: Side
    code: SetupText
    games: Annotated[int, Meta(ge=1, le=MAX_LAB_GAMES)] = MAX_LAB_GAMES


class CheckBox(_Request, frozen=True, kw_only=True):
    """Check the text of a box."""

    text: BoxText
    game: Annotated[str, Meta(max_length=32)] = ""
    """the game to return in full, without the box: ``classic``; empty: the first"""


class NewBox(_Request, frozen=True, kw_only=True):
    """Save the text of a new box; it may have problems."""

    text: BoxText


class SaveBox(_Request, frozen=True, kw_only=True):
    """Save the text of a box again."""

    text: BoxText
    base: Number | None = None
    """the revision that was changed: refused if there is a newer one; null overwrites it"""


class SimulateBox(_Request, frozen=True, kw_only=True):
    """Play quick games of a box."""

    game: Annotated[str, Meta(max_length=32)] = ""
    """the game without the box: ``classic``; empty: the first"""
    games: Annotated[int, Meta(ge=1, le=MAX_LAB_GAMES)] = MAX_LAB_GAMES
    player: Literal["greedy", "random"] = "greedy"


class LessonRequest(_Request, frozen=True, kw_only=True):
    """The learner's actions so far, in notation: those that were right, and a new one."""

    actions: Annotated[tuple[LessonAction, ...], Meta(max_length=MAX_LESSON_ACTIONS)] = ()
    explain: bool = False
    """answer a last action that is not legal with the verdict ``illegal`` instead of an error"""


class PuzzleRequest(_Request, frozen=True, kw_only=True):
    """An attempt at a puzzle: actions, squares or a choice, as the puzzle asks."""

    actions: Annotated[tuple[LessonAction, ...], Meta(max_length=MAX_LESSON_ACTIONS)] = ()
    """your actions so far, in notation, and a new one"""
    squares: Annotated[tuple[Annotated[str, Meta(max_length=4)], ...], Meta(max_length=MAX_PICKS)] = ()
    choice: Literal["", "attack", "leave"] = ""


class HintRequest(_Request, frozen=True, kw_only=True):
    """Ask the coach what to do now."""

    number: Number
    """the number of the State that you see"""


class ChancesRequest(HintRequest, frozen=True, kw_only=True):
    """Ask the coach what a hidden enemy piece might be."""

    square: Annotated[str, Meta(max_length=4)]


class Look(_Request, frozen=True, kw_only=True, tag_field="do", tag="look"):
    """Socket only: receive the States of this viewer from now on; ``watcher`` hides both armies."""

    viewer: ViewerName
    since: Number = 0
    id: Id = ""


class Ping(_Request, frozen=True, kw_only=True, tag_field="do", tag="ping"):
    """Socket only: ask for a pong."""

    id: Id = ""


Command = Seal | Act | TakeBack | Resign | OfferDraw | AnswerDraw | Abort | AskRematch | Say | TakeNote
SocketRequest = Command | Look | Ping

T = TypeVar("T")


def decode(data: bytes | str, request_type: type[T]) -> T:
    """Decode a request from JSON, or refuse it and name the field."""
    try:
        return msgspec.json.decode(data, type=request_type)
    except msgspec.ValidationError as error:
        raise malformed(error) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise RequestError("malformed", "This is not JSON; send one JSON object in UTF-8.") from None


def malformed(error: msgspec.ValidationError) -> RequestError:
    """Return the error for a request with the wrong fields."""
    text = str(error)
    return RequestError("malformed", f"The request cannot be understood: {text[:1].lower()}{text[1:]}.")
