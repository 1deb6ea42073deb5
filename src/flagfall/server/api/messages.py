"""What the server sends: frozen values, as JSON, described in the OpenAPI schema under these names."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from flagfall.sides import Side
from flagfall.view.view import Result, SeenEvent, SeenPiece, View, ViewerName

Phase = Literal["waiting", "setup", "playing", "over"]
Opponent = Literal["computer", "hot-seat", "friend", "lobby"]
CommandName = Literal[
    "seal", "act", "resign", "offer-draw", "answer-draw", "abort", "rematch", "chat", "note"
]


class Refused(Struct, frozen=True, tag_field="what", tag="refused"):
    """The server says no: a code for programs and one sentence for people."""

    code: str
    sentence: str
    reply_to: str = ""
    """the ``id`` of the socket message that was refused"""


class Health(Struct, frozen=True):
    """The server is well."""

    status: Literal["ok"]
    version: str


class Guest(Struct, frozen=True):
    """Somebody with a name and a cookie."""

    id: str
    name: str


class SeatInfo(Struct, frozen=True):
    """Who sits there."""

    name: str
    is_computer: bool
    level: str
    """of a computer player, else empty"""
    army: str
    """army id"""
    is_sealed: bool
    is_here: bool
    """the page is open somewhere; a computer is always here"""


class Seats(Struct, frozen=True):
    """Both seats."""

    south: SeatInfo
    north: SeatInfo


class ClockState(Struct, frozen=True):
    """The clocks at ``at_ms`` (the server's time); nothing in them without a clock."""

    text: str
    """as the option says: none, 10m+5s, 30s/move, 3d"""
    style: Literal["none", "total", "move", "days"]
    at_ms: int
    running: Side | None
    south_ms: int | None
    north_ms: int | None


class Choice(Struct, frozen=True):
    """One thing the viewer may do now. Send back ``action`` or ``text``."""

    action: int
    text: str
    verb: str
    """move, attack, done, choose kind, choose square, spot, rescue, two-step, leap, teleport, shoot, detect,
    convert, swing, rampage, advance"""
    origin: str
    """square of the piece; empty where there is none"""
    target: str
    """square where it goes or which it strikes, spots or chooses; empty where there is none"""
    stands: str
    """square on which the piece stands before it uses a power, where that is neither origin nor target"""
    kind: str
    """kind id to guess or to rescue"""
    power: str
    """id of the power that is used; empty for plain moves and attacks"""
    is_attack: bool
    """an enemy stands on ``target``"""
    is_likely: bool
    """false: allowed, but what you have seen rules it out (a guess)"""
    words: str
    """what it would do, as a sentence"""


class News(Struct, frozen=True):
    """What the viewer saw of one entry of the log."""

    number: int
    text: str
    events: tuple[SeenEvent, ...]


class ChatLine(Struct, frozen=True):
    """A preset phrase somebody said."""

    seat: Side
    phrase: str
    text: str
    at_ms: int


class Rematch(Struct, frozen=True):
    """Who asks for another game, and that game once both have."""

    asked: tuple[Side, ...]
    match: str


class Invitation(Struct, frozen=True):
    """A match that waits for its second player."""

    match: str
    game: str
    host: str
    """name of the player who waits"""
    options: dict[str, str]
    """only what differs from the game's defaults"""
    clock: str
    side: Literal["south", "north", "lot"]
    """what the guest who accepts would play"""
    is_yours: bool


class State(Struct, frozen=True, tag_field="what", tag="state"):
    """Everything one viewer may know of a match now, and what happened since the number it named."""

    match: str
    game: str
    game_name: str
    opponent: Opponent
    viewer: ViewerName
    yours: tuple[Side, ...]
    """the seats that belong to this guest"""
    number: int
    """ask for what comes later with ``since=number``; an action expects this number"""
    since: int
    """``news`` are complete from this number on; ask for older ones with ``/news?before=``"""
    phase: Phase
    turn: int
    to_move: Side | None
    seats: Seats | None
    """None while somebody is awaited"""
    options: dict[str, str]
    chips: tuple[str, ...]
    """short words for every option that differs from the game's defaults"""
    clocks: ClockState
    view: View | None
    """``legal`` is left out: see ``choices``"""
    prompt_words: str
    """what is asked of this viewer now, or whom everybody waits for; empty when it is over"""
    steps: tuple[str, ...]
    """what the viewer has done so far in an open turn, in short words; nobody else is told"""
    choices: tuple[Choice, ...]
    notes: dict[str, str]
    """the viewer's own notes: name of a piece → text"""
    news: tuple[News, ...]
    offer: Side | None
    """who has a draw offer on the table"""
    can: tuple[CommandName, ...]
    """what this viewer may do now"""
    result: Result | None
    is_open: bool
    """the game was played to a result: everybody may see record, replay and truth"""
    verdict: str
    """the result as a sentence from the viewer's chair"""
    commitments: dict[str, str]
    """fingerprints of the sealed setups"""
    invitation: str
    """token of the link, for the host while somebody is awaited"""
    rematch: Rematch
    chat: tuple[ChatLine, ...]


class Change(Struct, frozen=True, tag_field="what", tag="change"):
    """What differs from the State that was sent before, for sockets that ask with ``changes=1``."""

    number: int
    state: dict[str, Any]
    """fields of the State, except ``view``, with their new values"""
    view: dict[str, Any]
    """fields of its View, except ``pieces``"""
    squares: dict[str, SeenPiece | None]
    """the piece that stands on a square now; null: the square has become empty"""


class NewsPage(Struct, frozen=True):
    """Older news of one viewer."""

    match: str
    viewer: ViewerName
    since: int
    """complete from this number on; 0: there is nothing older"""
    news: tuple[News, ...]


class Done(Struct, frozen=True, tag_field="what", tag="done"):
    """A socket message was carried out; the new state comes by itself."""

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
    """A setup: as text code, by squares, and what a careful friend would say about it."""

    code: str
    squares: dict[str, str]
    """square → kind id"""
    warnings: tuple[str, ...]


class SavedSetup(Struct, frozen=True):
    """A setup that you have kept."""

    id: str
    game: str
    side: Side
    name: str
    code: str


class SavedSetups(Struct, frozen=True):
    """The setups that you have kept, oldest first."""

    setups: tuple[SavedSetup, ...]


class ReplayStep(Struct, frozen=True):
    """A finished game after so many turns, through somebody's eyes."""

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
    """how many turns the game has; steps run from 0 to this"""
    first: int
    steps: tuple[ReplayStep, ...]


class OpeningShown(Struct, frozen=True):
    """What a commitment was made from."""

    salt: str
    setup: str
    commitment: str


class Openings(Struct, frozen=True):
    """Both setups, when the game is over: SHA-256 of salt + setup is the commitment."""

    south: OpeningShown
    north: OpeningShown


class Phrase(Struct, frozen=True):
    """Something that can be said at the table."""

    id: str
    text: str


class Phrases(Struct, frozen=True):
    """All of them."""

    phrases: tuple[Phrase, ...]


# ---------------------------------------------------------------------- the catalogue


class GameLine(Struct, frozen=True):
    """A game in the list."""

    id: str
    name: str
    text: str
    columns: int
    rows: int
    pieces: int
    """in South's army"""
    has_powers: bool
    is_for_newcomers: bool


class ArmyInfo(Struct, frozen=True):
    """One side of a box."""

    id: str
    name: str
    colour: str
    text: str
    side: Side


class BoxInfo(Struct, frozen=True):
    """A box in the list."""

    id: str
    name: str
    tagline: str
    story: str
    is_small: bool
    """a box for tests and lessons, not for the first page"""
    armies: tuple[ArmyInfo, ...]
    games: tuple[GameLine, ...]


class LevelInfo(Struct, frozen=True):
    """A computer player that people can choose."""

    id: str
    name: str
    character: str
    """one line about how it plays"""
    pace_ms: int
    """it takes at least so long over a turn, as a person would"""


class Catalogue(Struct, frozen=True):
    """Every box with its games, and the computer players."""

    boxes: tuple[BoxInfo, ...]
    levels: tuple[LevelInfo, ...]


class HomeRows(Struct, frozen=True):
    """A side's home squares, row by row, own back row first; setup codes follow this order."""

    south: tuple[tuple[str, ...], ...]
    north: tuple[tuple[str, ...], ...]


class BoardInfo(Struct, frozen=True):
    """The board; columns are lettered from a, rows numbered from South."""

    columns: int
    rows: int
    zones: tuple[str, ...]
    """squares nobody may enter"""
    zone_word: str
    home: HomeRows
    fills_home: bool
    """every home square is filled at the start"""


class PowerInfo(Struct, frozen=True):
    """A power and its text."""

    id: str
    name: str
    verb: str
    text: str


class KindSide(Struct, frozen=True):
    """A kind as one army has it."""

    name: str
    count: int
    icon: str
    card: str
    """Markdown; empty where that army has none"""


class KindInfo(Struct, frozen=True):
    """A sort of piece."""

    id: str
    label: str
    code: str
    rank: int
    role: Literal["soldier", "bomb", "flag"]
    is_mobile: bool
    text: str
    south: KindSide
    north: KindSide
    powers: tuple[PowerInfo, ...]


class OptionLine(Struct, frozen=True):
    """An option of this game."""

    name: str
    values: tuple[str, ...]
    range: str
    """what else may be written, in words"""
    default: str
    help: str
    needs: str
    """the option that must be on for this one to matter"""


class StyleInfo(Struct, frozen=True):
    """A style of setup."""

    name: str
    text: str


class Hint(Struct, frozen=True):
    """A strategy hint."""

    heading: str
    text: str


class Fight(Struct, frozen=True):
    """How one kind fares when it attacks, before any option or power; kind ids."""

    side: Side
    attacker: str
    beats: tuple[str, ...]
    ties: tuple[str, ...]
    loses_to: tuple[str, ...]


class GameInfo(Struct, frozen=True):
    """Everything about a game."""

    id: str
    box: str
    box_name: str
    name: str
    text: str
    tagline: str
    story: str
    low_is_strong: bool
    """the box prints 1 on its strongest piece"""
    has_powers: bool
    sides: Literal["lot", "chosen"]
    board: BoardInfo
    armies: tuple[ArmyInfo, ArmyInfo]
    """South's, which moves first, and North's"""
    kinds: tuple[KindInfo, ...]
    fights: tuple[Fight, ...]
    options: tuple[OptionLine, ...]
    styles: tuple[StyleInfo, ...]
    hints: tuple[Hint, ...]
    words: dict[str, str]
    """what this box calls a zone, a bomb, an attack"""
    levels: tuple[LevelInfo, ...]
    """computer players"""
    rules: str
    """the rules page under the default options, Markdown"""


class RulesPage(Struct, frozen=True):
    """The rules of a game under chosen options."""

    game: str
    options: dict[str, str]
    markdown: str
