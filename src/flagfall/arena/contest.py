"""Play the games of a plan, in this process or in several, and yield each as soon as it is over."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from random import Random
from time import perf_counter_ns
from typing import Literal

import msgspec

from flagfall.arena.cheater import Cheater
from flagfall.arena.contestants import Contestant, seated, warm_up_player
from flagfall.arena.executor import LOCAL, executor_for, say_nothing
from flagfall.arena.plan import TURN_LIMIT, GameResult, GameSlot, Plan, Spent
from flagfall.arena.simulate import prepared
from flagfall.edition import Game, Options
from flagfall.engine.action import Action
from flagfall.engine.mode import is_compiled
from flagfall.match.play import GameRunner, play_game
from flagfall.notation import to_json, write_action
from flagfall.players import Player
from flagfall.protocol.external_player import EngineSeat, Forfeit
from flagfall.setups import Setup, any_style
from flagfall.sides import BySide, Side, SideName
from flagfall.view.view import SeenEvent, View


def play_all(
    plan: Plan,
    wanted: Iterable[GameSlot],
    jobs: int | None,
    on: str = LOCAL,
    note: Callable[[str], None] = say_nothing,
) -> Generator[GameResult, None, None]:
    """Play these games and yield them as they end; closing the iterator stops the others."""
    rounds = list(wanted)
    jobs = None if jobs is None else min(jobs, max(1, len(rounds)))
    files = sorted(plan.nets)
    with executor_for(on, jobs, games=[plan.game], players=plan.players, files=files, note=note) as executor:
        for line in executor.results(_Worker(plan), rounds):
            yield msgspec.json.decode(line, type=GameResult)


class _Worker:
    def __init__(self, plan: Plan) -> None:
        self.plan = msgspec.json.encode(plan)

    def __call__(self, slot: GameSlot) -> bytes:
        return msgspec.json.encode(play_round(msgspec.json.decode(self.plan, type=Plan), slot))


def play_round(plan: Plan, slot: GameSlot) -> GameResult:
    """Play one game of the plan."""
    game, options, _ = prepared(plan.game, tuple(sorted(plan.options.items())))
    played = _Game(plan, slot, game, options)
    with ExitStack() as stack:
        try:
            played.play(stack)
        except _Forfeited as forfeited:
            played.forfeit(forfeited)
        return played.result_line()


@lru_cache(maxsize=64)
def _warmed_up(address: str, pairs: tuple[tuple[str, str], ...], name: str) -> None:
    """Compile a player once in each process, so that nothing is compiled while its time runs."""
    game, options, _ = prepared(address, pairs)
    if is_compiled():
        warm_up_player(game, options, name)


class _Forfeited(Exception):  # noqa: N818
    """A side has forfeited."""

    def __init__(self, side: Side, forfeit: Forfeit) -> None:
        super().__init__(str(forfeit))
        self.side, self.forfeit = side, forfeit


class _Seat:
    """A player in one game; it forfeits the game if it fails, and its choices are measured."""

    def __init__(self, side: Side, player: Player, game: Game) -> None:
        self.side, self.player, self.game = side, player, game
        self.spent = Spent()
        self.running: GameRunner | None = None

    @contextmanager
    def _forfeiting(self) -> Iterator[None]:
        try:
            yield
        except Forfeit as forfeit:
            raise _Forfeited(self.side, forfeit) from forfeit
        except Exception as problem:
            raise _Forfeited(self.side, _crash(problem)) from problem

    def set_up(self) -> Setup:
        """Return the player's own setup."""
        with self._forfeiting():
            setup = self.player.set_up(int(self.side))
            if not isinstance(setup, Setup) or setup.game is not self.game or setup.side != self.side:
                raise Forfeit("illegal action", "It did not set up its own army.")
            return setup

    def start(self) -> None:
        """Start the player's program, if it is one."""
        if isinstance(self.player, EngineSeat):
            with self._forfeiting():
                self.player.start()

    def begin(self, running: GameRunner) -> None:
        """Tell the player's program its setup and where the enemy stands."""
        self.running = running
        if isinstance(self.player, EngineSeat):
            setups, side = running.setups, self.side
            with self._forfeiting():
                self.player.begin(int(side), setups[side], sorted(setups[side.other].kinds))

    def choose(self, view: View, history: Sequence[SeenEvent]) -> Action:
        """Return the player's choice and note its cost."""
        if isinstance(self.player, Cheater):
            assert self.running is not None
            self.player.peek(self.running.view(self.side.other))
        before = perf_counter_ns()
        try:
            with self._forfeiting():
                action = self.player.choose(view, history)
        finally:
            self.spent.us.append((perf_counter_ns() - before) // 1000)
        if (nodes := getattr(self.player, "nodes", None)) is not None:
            self.spent.nodes.append(int(nodes))
        if action not in view.legal:
            forfeit = Forfeit("illegal action", f"It plays {self._named(action)}, which is not legal.")
            raise _Forfeited(self.side, forfeit)
        return action

    def _named(self, action: object) -> str:
        try:
            return f"“{write_action(self.game, action)}”"  # type: ignore[arg-type]
        except (ValueError, TypeError, AttributeError):
            return "something that is not an action of this board"

    def end(self, running: GameRunner) -> None:
        """Tell the player's program how the game ended."""
        if isinstance(self.player, EngineSeat):
            self.player.end(running.history(self.side))


class _Game:
    """One game of a plan, from seating the players to the record."""

    def __init__(self, plan: Plan, slot: GameSlot, game: Game, options: Options) -> None:
        self.plan, self.slot, self.game, self.options = plan, slot, game, options
        self.running: GameRunner | None = None
        self.winner: SideName | Literal[""] = ""
        self.reason = TURN_LIMIT
        self.trouble = ""
        self.spent = BySide(Spent(), Spent())

    def play(self, stack: ExitStack) -> None:
        """Seat the players and let them play; `_Forfeited` if one of them forfeits."""
        contestants = self.plan.contestants()
        seats = BySide.of(
            lambda side: self._seat(
                side, contestants[self.slot.south if side is Side.SOUTH else self.slot.north]
            )
        )
        self.spent = seats.map(lambda seat: seat.spent)
        for seat in seats:
            if isinstance(seat.player, EngineSeat):
                stack.callback(seat.player.close)
            seat.start()
        setups = seats.map(_Seat.set_up) if self.plan.setups == "own" else self._shared_setups()
        self.running = running = GameRunner(self.game, self.options, setups)
        for seat in seats:
            seat.begin(running)
        result = play_game(running, seats, max_turns=self.plan.max_turns + 1)
        for seat in seats:
            seat.end(running)
        if result is not None:
            self.winner, self.reason = result.winner, result.reason

    def _seat(self, side: Side, contestant: Contestant) -> _Seat:
        """Return a player; its randomness is the same in both games of a pair."""
        plan, number = self.plan, self.slot.south if side is Side.SOUTH else self.slot.north
        seed = f"{plan.seed}/{self.slot.pair}/{number}"
        budget = contestant.budget(plan.budget)
        player: Player
        if contestant.command:
            player = EngineSeat(contestant.command, self.game, self.options, budget, seed, address=plan.game)
        else:
            _warmed_up(plan.game, tuple(sorted(plan.options.items())), contestant.name)
            player = seated(contestant, self.game, self.options, Random(seed), budget, plan.weights)
        return _Seat(side, player, self.game)

    def _shared_setups(self) -> BySide[Setup]:
        """Return sound random setups: the same in every pair of this number."""
        rng = Random(f"{self.plan.seed}/{self.slot.pair}/setups")
        return BySide.of(lambda side: any_style(self.game, int(side), rng))

    def forfeit(self, forfeited: _Forfeited) -> None:
        """Record a loss for the side that forfeited."""
        self.winner, self.reason = forfeited.side.other.value, forfeited.forfeit.fault
        self.trouble = forfeited.forfeit.sentence

    def result_line(self) -> GameResult:
        """Return the game as a line of the results file."""
        names = (self.plan.players[self.slot.south], self.plan.players[self.slot.north])
        running = self.running or GameRunner(self.game, self.options, self._shared_setups())
        comments: tuple[str, ...] = (
            f"seed {self.plan.seed}, pair {self.slot.pair}, game {self.slot.leg + 1}",
        )
        if running.result is None:
            why = f"{self.winner or 'nobody'} wins: {self.reason}"
            comments += (" ".join(f"{why}. {self.trouble}".split()),)
        record = running.record(names, comments)
        return GameResult(
            plan=self.plan,
            round=self.slot,
            winner=self.winner,
            reason=self.reason,
            trouble=self.trouble,
            turns=running.turns,
            south=self.spent.south,
            north=self.spent.north,
            record=msgspec.Raw(msgspec.json.format(to_json(record).encode(), indent=-1)),
        )


def _crash(problem: Exception) -> Forfeit:
    text = " ".join(str(problem).split())[:300]
    return Forfeit("crashed", f"It stops with {type(problem).__name__}{f': {text}' if text else ''}.")
