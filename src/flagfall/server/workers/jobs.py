"""What a worker is asked, what it answers, and the players that live in it.

A job is bytes and text: the View and everything its seat has seen as JSON, the id of the game, its options,
the player's name, its budget and a seed. The answer is one packed action, or the code of a setup.

A player lives through its match, as it does in the arena: the worker that made it keeps it, so that its
belief, its search tables and its solved endgames grow with the game. A worker that does not have the player
makes it from the whole history, which takes longer and gives as good an answer.
"""

from __future__ import annotations

import ctypes
import gc
import os
import struct
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

import msgspec
from msgspec import Struct

from flagfall.edition import load_game, resolve
from flagfall.edition.versions import VERSIONS
from flagfall.languages import ENGLISH, use_language
from flagfall.notation import from_json
from flagfall.players import BUILT_IN, NETWORK, Budget, Player, UnknownPlayerError, make_player
from flagfall.setups import write_setup
from flagfall.view.view import SeenEvent, View

if TYPE_CHECKING:
    from flagfall.analysis.review import Step

LENGTH = struct.Struct(">I")
"""Each message on a worker's socket is preceded by its length in bytes."""
LOW_PRIORITY = 19
"""how nice a worker is that reviews finished games, so that players in running games are not delayed"""
MAX_PLAYERS = 64
"""players that a worker keeps; the least recently used is dropped first"""
MAX_PLAYER_BYTES = 256 << 20
"""memory that a worker may gain before it drops players; a solved endgame alone may take 120 MB"""


class Job(Struct, frozen=True, tag=True):
    """A question to a worker."""

    game: str
    options: dict[str, str]
    player: str
    seed: str
    """for a player that has to be made; one that lives goes on with its own random numbers"""
    view: bytes = b""
    """empty: a setup is wanted"""
    side: int = 0
    history: bytes = b"[]"
    """all that the seat has seen on the board, oldest first"""
    time_ms: int | None = 1000
    nodes: int | None = None
    match: str = ""
    """id of the match, to find its player again; empty: the player is not kept"""
    coach: Literal["", "hint", "chances", "quick-game", "placements", "box-game"] = ""
    """a question to the coach or to the setup lab instead of a player"""
    setup: str = ""
    """the setup of ``side``, for a quick game"""
    square: str = ""
    """of the piece whose chances are wanted"""
    language: str = ENGLISH
    """in which the coach answers"""
    box: str = ""
    """text of the game's box, if it does not come with the program; the pool adds it"""
    network: str = ""
    """the file of the network that plays; empty for other players"""


class ReviewJob(Struct, frozen=True, tag=True):
    """One turn of a finished game to analyse; the worker keeps the game for the next turn."""

    match: str
    record: str
    """as JSON"""
    turn: int
    level: str
    nodes: int
    player: str = "review"
    """names no player"""
    time_ms: int | None = 60_000
    """time limit; the work itself is limited by nodes"""
    game: str = ""
    box: str = ""
    """as in a `Job`"""


class BoxJob(Struct, frozen=True, tag=True):
    """The text of a box to check, in a worker that does nothing else (`box_check`)."""

    text: str
    wanted: str = ""
    """the game to return in full, without the box; empty: the first"""
    language: str = ENGLISH
    """in which the game is returned"""
    player: str = "box check"
    """names no player"""
    time_ms: int | None = 4_000
    game: str = ""
    box: str = ""


class Forget(Struct, frozen=True, tag=True):
    """Matches whose players are no longer needed; it has no answer."""

    matches: list[str]


class Answer(Struct, frozen=True):
    """What a worker answers: an action, a setup or an error."""

    action: int | None = None
    setup: str = ""
    error: str = ""
    """the kind of error and nothing else: its message may hold what the player knows"""
    advice: bytes = b""
    """what the coach says, as JSON"""
    new_events: int = 0
    """how many events of the history were new to the player"""


class HintAnswer(Struct, frozen=True):
    """The best action, packed, why it is good, and the estimated chance to win."""

    action: int
    reason: str
    win_percent: int


class ChancesAnswer(Struct, frozen=True):
    """The likeliest kinds of a hidden piece with their percentages, and that of all others together."""

    kinds: tuple[tuple[str, int], ...]
    others: int


@runtime_checkable
class _HasBudget(Protocol):
    budget: Budget


@dataclass
class _LivePlayer:
    """A player and what it was made for."""

    player: Player
    game: str
    options: dict[str, str]
    name: str
    history: bytes = b"["
    """the JSON of all events it has been told of, without the closing bracket"""
    events: list[SeenEvent] = field(default_factory=list)

    def fits(self, job: Job) -> bool:
        """Whether the job is for this player and its history continues what the player was told."""
        made_for = (self.game, self.options, self.name)
        return made_for == (job.game, job.options, job.player) and job.history.startswith(self.history)

    def read(self, history: bytes) -> int:
        """Read the events after those it knows, and return how many they are."""
        rest = history[len(self.history) : -1].removeprefix(b",")
        new = msgspec.json.decode(b"[" + rest + b"]", type=list[SeenEvent])
        self.history = history[:-1]
        self.events += new
        return len(new)


class Reviewer:
    """The finished game that a worker is analysing."""

    def __init__(self) -> None:
        self._game: tuple[str, str, int] | None = None
        self._steps: Iterator[Step] = iter(())
        self._next = 0

    def analyse(self, job: ReviewJob) -> bytes:
        """Return the step of a turn as JSON; the turns before it are replayed if they were not asked for."""
        from flagfall.analysis.review import prepared  # makes searching players: only when asked

        game = (job.match, job.level, job.nodes)
        if self._game != game or self._next != job.turn:
            if self._game is None:
                os.nice(LOW_PRIORITY)  # this worker does nothing else
            analysis = prepared(
                from_json(job.record),
                lambda name: load_game(name, allow_files=False),
                job.level,
                Budget(nodes=job.nodes),
            )
            self._game, self._next, self._steps = game, job.turn, analysis.steps_from(job.turn)
        step = next(self._steps)
        self._next += 1
        return msgspec.json.encode(step)


class LivePlayers:
    """The players in one worker, one for each match and seat."""

    def __init__(self, max_players: int = MAX_PLAYERS, max_bytes: int = MAX_PLAYER_BYTES) -> None:
        self._max_players, self._max_bytes = max_players, max_bytes
        self._bytes_before = resident_bytes()
        self._players: OrderedDict[tuple[str, int], _LivePlayer] = OrderedDict()
        """by match and side, least recently used first"""
        self._reviewer = Reviewer()

    def __len__(self) -> int:
        return len(self._players)

    def answer(self, message: bytes) -> bytes | None:
        """Do the job in a message and return the answer, both encoded; an error is an answer too."""
        request = msgspec.msgpack.decode(message, type=Job | ReviewJob | BoxJob | Forget)
        if isinstance(request, Forget):
            self.forget(request.matches)
            return None
        try:
            if request.box:
                VERSIONS.add(request.box)
            if isinstance(request, BoxJob):
                answer = Answer(advice=_check(request))
            elif isinstance(request, ReviewJob):
                answer = Answer(advice=self._reviewer.analyse(request))
            elif request.coach:
                answer = Answer(advice=advise(request))
            else:
                answer = self.think(request) if request.view else self.set_up(request)
        except Exception as error:
            answer = Answer(error=type(error).__name__)
        return msgspec.msgpack.encode(answer)

    def think(self, job: Job) -> Answer:
        """Return the action that the player chooses."""
        view = msgspec.json.decode(job.view, type=View)
        return self._ask(job, lambda live: Answer(action=live.player.choose(view, live.events).pack()))

    def set_up(self, job: Job) -> Answer:
        """Return the setup that the player makes."""
        return self._ask(job, lambda live: Answer(setup=write_setup(live.player.set_up(job.side))))

    def forget(self, matches: list[str]) -> None:
        """Drop the players of these matches."""
        for key in [key for key in self._players if key[0] in matches]:
            del self._players[key]
        free_memory()

    def _ask(self, job: Job, question: Callable[[_LivePlayer], Answer]) -> Answer:
        """Ask the player of the job's match and seat; one that fails is not kept."""
        key = (job.match, job.side)
        live = self._players.pop(key, None)
        if live is None or not live.fits(job):
            live = _new_player(job)
        elif isinstance(live.player, _HasBudget):
            live.player.budget = replace(live.player.budget, time_ms=job.time_ms)
        new_events = live.read(job.history)
        answer = msgspec.structs.replace(question(live), new_events=new_events)
        if job.match:
            self._players[key] = live
            self._drop_oldest()
        return answer

    def _drop_oldest(self) -> None:
        while len(self._players) > self._max_players:
            self._players.popitem(last=False)
        while len(self._players) > 1 and resident_bytes() - self._bytes_before > self._max_bytes:
            self._players.popitem(last=False)
            free_memory()


def advise(job: Job) -> bytes:
    """Return the answer of the coach or of the setup lab as JSON."""
    if job.coach in ("quick-game", "placements", "box-game"):
        from flagfall.server.workers import lab  # it may never be used

        tasks = {"quick-game": lab.quick_game, "placements": lab.placements, "box-game": lab.box_game}
        return msgspec.json.encode(tasks[job.coach](job))
    from flagfall.server.workers.coach import chances, hint  # makes a searching player: only when asked

    with use_language(job.language):
        return msgspec.json.encode(hint(job) if job.coach == "hint" else chances(job))


def _check(job: BoxJob) -> bytes:
    from flagfall.server.workers.box_check import check_safely  # the workshop may never be used

    return msgspec.json.encode(check_safely(job.text, job.wanted, job.language))


def _new_player(job: Job) -> _LivePlayer:
    if job.player not in BUILT_IN and not job.network:  # a stored row may not name a module to import
        raise UnknownPlayerError(f"“{job.player}” is not a player of this server.")
    game = load_game(job.game, allow_files=False)
    options = resolve(game, job.options)
    name = f"{NETWORK}{job.network}" if job.network else job.player
    player = make_player(name, game, options, Random(job.seed), Budget(job.time_ms, job.nodes))
    return _LivePlayer(player, job.game, job.options, job.player)


def resident_bytes() -> int:
    """Return how much memory this process uses; 0 where the system does not tell."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    return 0


def free_memory() -> None:
    """Give freed memory back to the system, where the C library can."""
    gc.collect()
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
