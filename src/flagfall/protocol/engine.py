"""A player behind the engine protocol: reads lines, follows the game, answers with actions.

It never needs the referee's State. Errors are reported in ``error`` lines, and play continues: if the player
fails, a simple one answers; after an inconsistency, ``position`` resynchronises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import version
from random import Random

from flagfall.board import parse_cell
from flagfall.edition import Game, Options, load_game, resolve
from flagfall.engine.action import Action
from flagfall.errors import UNPRINTABLE
from flagfall.notation import action_text
from flagfall.players import Budget, Player, make_player
from flagfall.players.explain import Explanation, explained
from flagfall.players.searcher import SearchingPlayer
from flagfall.protocol.follower import Follower, FollowError
from flagfall.protocol.messages import (
    HELLO,
    READY,
    VERSION,
    ProtocolError,
    action_of,
    read_event,
    read_pairs,
    read_side,
    split_line,
    whole,
)
from flagfall.protocol.resync import from_position
from flagfall.protocol.shorthand import played
from flagfall.setups import Setup, read_setup, write_setup
from flagfall.view.view import SeenEvent, View

Say = Callable[[str], None]
MAX_COMPLAINT = 400
"""characters of an ``error`` line"""
_SPARED_MS = 40
"""part of an action's time that is kept for explaining it"""
_NEED_READINESS = frozenset({"isready", "newgame", "setup", "go"})


class Engine:
    """A player that answers one line at a time."""

    def __init__(
        self,
        address: str,
        name: str,
        pairs: dict[str, str],
        say: Say,
        prepare: Callable[[Game, Options, str], None] | None = None,
        *,
        explains: bool = False,
    ) -> None:
        """``prepare`` is called once, before ``readyok`` or the first game, for work that takes time.

        ``explains``: also print the best line and the chances of hidden pieces.
        """
        self.address, self.name, self.pairs, self._say = address, name, dict(pairs), say
        self._prepare, self._explains = prepare, explains
        self.game: Game = load_game(address)
        self.options: Options = resolve(self.game, self.pairs)
        self.budget = Budget()
        self._begin({})

    def _begin(self, facts: dict[str, str]) -> None:
        self.seed = facts.get("seed", "1")
        self.side = 0
        self.setup: Setup | None = None
        self.enemy: list[int] | None = None
        self.follower: Follower | None = None
        self.offered: list[str] = []
        self._player: Player | None = None
        self._rng = Random(self.seed)

    def run(self, lines: Iterable[str]) -> None:
        """Answer line by line until the end or ``quit``."""
        for line in lines:
            try:
                words = split_line(line)
                if words[:1] == ["quit"]:
                    return
                if words:
                    self._hear(words, line)
            except Exception as problem:  # play continues after any error
                is_ours = isinstance(problem, (ValueError, LookupError)) and str(problem)
                self._complain(str(problem) if is_ours else type(problem).__name__)

    def _complain(self, text: str) -> None:
        """Print an error as one line of printable characters."""
        line = " ".join(text[: 2 * MAX_COMPLAINT].split())[:MAX_COMPLAINT]
        self._say("error " + "".join(letter if letter.isprintable() else UNPRINTABLE for letter in line))

    def _hear(self, words: list[str], line: str) -> None:
        command, rest = words[0], words[1:]
        if command in _NEED_READINESS and self._prepare is not None:
            prepare, self._prepare = self._prepare, None
            prepare(self.game, self.options, self.name)
        if command == HELLO:
            self._greet()
        elif command == "isready":
            self._say("readyok")
        elif command == "option":
            self._set_options(rest)
        elif command == "newgame":
            self._new_game(read_pairs(rest))
        elif command == "setup":
            self._set_up(rest)
        elif command == "enemy":
            self.enemy = [parse_cell(square) for square in ",".join(rest).split(",") if square]
        elif command == "event":
            self._tell([read_event(rest, self._following().knowledge.turn)])
        elif command == "played":
            self._tell(played(self._following(), rest))
        elif command == "position":
            self._resynchronise(rest)
        elif command == "legal":
            self.offered = [text.strip() for text in line.partition("legal")[2].split(",") if text.strip()]
        elif command == "go":
            self._go(rest)
        elif command not in ("stop", "result", "info", "error"):
            self._complain(f"unknown command {command[:40]}")

    def _greet(self) -> None:
        self._say(f"id name {self.name}")
        self._say(f"id version {version('flagfall')}")
        self._say(f"id protocol {VERSION}")
        self._say(f"id game {self.game.id}")
        for name, value in self.options.pairs:
            self._say(f"option {name}={value}")
        self._say(READY)

    def _set_options(self, words: list[str]) -> None:
        pairs = self.pairs | read_pairs(words)
        self.options = resolve(self.game, pairs)
        self.pairs = pairs

    def _new_game(self, facts: dict[str, str]) -> None:
        self._begin(facts)
        facts.pop("seed", None)
        side = read_side(facts.pop("side", "south"))
        address = facts.pop("game", self.address)
        budget = _budget(facts.pop("time", ""), facts.pop("nodes", ""), self.budget)
        game = self.game if address == self.address else load_game(address)
        pairs = (self.pairs if game is self.game else {}) | facts
        self.options = resolve(game, pairs)
        self.address, self.game, self.pairs = address, game, pairs
        self.side, self.budget = int(side), budget

    def _set_up(self, words: list[str]) -> None:
        if words:
            self.setup = read_setup(self.game, self.side, " ".join(words))
        else:
            self.setup = self._thinker().set_up(self.side)
            self._say(f"setup {write_setup(self.setup)}")
        self.follower = None

    def _thinker(self) -> Player:
        if self._player is None:
            budget = sparing(self.budget) if self._explains else self.budget
            self._player = make_player(self.name, self.game, self.options, self._rng, budget)
        return self._player

    def _following(self) -> Follower:
        """Return the follower of this game, made from the setup and the enemy's squares."""
        if self.follower is None:
            if self.setup is None:
                raise ProtocolError("No setup yet; say setup, or setup CODE.")
            squares = self.enemy
            if squares is None:
                squares = self.game.board.home(1 - self.side)
                if not self.game.fills_home:
                    raise ProtocolError("Say where the enemy's pieces stand: enemy a7,b7,…")
            self.follower = Follower(self.game, self.options, self.setup, squares)
        return self.follower

    def _tell(self, events: list[SeenEvent]) -> None:
        follower = self._following()
        doubt = follower.doubt
        for event in events:
            follower.tell(event)
        if follower.doubt and not doubt:
            self._say(f"error {follower.doubt} Send a position to continue.")

    def _resynchronise(self, words: list[str]) -> None:
        self.follower = from_position(self.game, self.options, self.side, words)
        self._player = None

    def _go(self, words: list[str]) -> None:
        limits = dict(zip(words[::2], words[1::2], strict=False))
        budget = _budget(limits.get("time", ""), limits.get("nodes", ""), self.budget)
        if budget != self.budget:
            self.budget, self._player = budget, None
        offered, self.offered = self.offered, []
        try:
            answer = self._answer(offered)
        except Exception as problem:
            if not offered:
                self._say("bestaction none")
                raise
            self._complain(str(problem))
            answer = self._rng.choice(offered)
        self._say(f"bestaction {answer}")

    def _answer(self, offered: list[str]) -> str:
        follower = self._following()
        if not follower.is_mover:
            self._say("error by the events so far it is not my turn")
        view = follower.view()
        allowed = self._allowed(view, offered)
        action = self._chosen(view, follower)
        if action not in allowed:
            if action is not None:
                self._say(f"error {action_text(self.game, view, action)} was not offered")
            action = self._spare(view, follower, allowed)
        follower.acted(action)
        return action_text(self.game, view, action)

    def _allowed(self, view: View, offered: list[str]) -> list[Action]:
        """Return the offered actions that are legal here, or all offered ones if none is."""
        if not offered:
            if not view.legal:
                raise FollowError("By the events so far there is no legal action.")
            return list(view.legal)
        readable = []
        for text in offered:
            try:
                readable.append(action_of(self.game, view, text))
            except ProtocolError as problem:
                self._complain(str(problem))
        both = [action for action in readable if action in view.legal]
        if not both:
            self._say("error by the events so far none of the offered actions is legal")
        return both or readable

    def _chosen(self, view: View, follower: Follower) -> Action | None:
        """Return the player's choice; None if it fails."""
        try:
            player = self._thinker()
            action = player.choose(view, follower.history)
        except Exception as problem:
            self._say(f"error the player stops with {type(problem).__name__}")
            self._player = None
            return None
        for line in info_lines(player, self._explains):
            self._say(line)
        return action

    def _spare(self, view: View, follower: Follower, allowed: list[Action]) -> Action:
        """Return a simple player's choice, or a random one."""
        spare = make_player("greedy", self.game, self.options, self._rng, self.budget)
        try:
            action = spare.choose(view, follower.history)
        except Exception:
            action = self._rng.choice(allowed)
        return action if action in allowed else self._rng.choice(allowed)


def _budget(time: str, nodes: str, known: Budget) -> Budget:
    if not time and not nodes:
        return known
    time_ms = max(1, whole(time, "time")) if time else None
    return Budget(time_ms, max(1, whole(nodes, "nodes")) if nodes else None)


def info_lines(player: Player, explains: bool) -> list[str]:
    """Return what a player can say about its last choice; it is for its own side only."""
    if not isinstance(player, SearchingPlayer) or player.result is None:
        nodes = getattr(player, "nodes", None)
        return [] if nodes is None else [f"info nodes {nodes}"]
    told = explained(player, player.result) if explains else explained(player, player.result, turns=0)
    lines = [_summary(told)]
    if explains:
        lines += [f"info hidden {piece.cell} {_chances(piece.kinds)}" for piece in told.hidden]
    return lines


def _summary(told: Explanation) -> str:
    line = ", ".join(turn.text for turn in told.line) or told.candidates[0].text
    return f"info nodes {told.nodes} depth {told.depth} score {per_mille(told.estimate)} line {line}"


def _chances(kinds: tuple[tuple[str, float], ...]) -> str:
    return " ".join(f"{kind.replace(' ', '_')}={per_mille(chance)}" for kind, chance in kinds)


def per_mille(chance: float) -> int:
    """Return a chance as the protocol writes it.

    >>> per_mille(0.5234)
    523
    """
    return round(1000 * chance)


def sparing(budget: Budget) -> Budget:
    """Return a budget that leaves time for explaining."""
    if budget.time_ms is None:
        return budget
    return Budget(max(budget.time_ms - _SPARED_MS, budget.time_ms // 2, 1), budget.nodes)
