"""Measure whether a review is honest: python -m bench review.

Two questions are asked of the reviewer at its default strength:

* Positions in which the best action is known without it. Does its verdict, given the truth, name that action?
  Endings with few pieces on small boards, solved by brute force over whole positions; forced wins in two or
  three turns, proved by searching every turn of both sides (the puzzles); Flags that can be captured at once.
* Games in which a side could capture the Flag, was made to play something else, could not do it any more a
  turn later and did not win. Do the turning points name that turn? The Flag may have been hidden.

``--only endings``, ``forced``, ``at-once`` or the name of a game of `THROWN` does one part, ``--share 0.1`` a
tenth of everything; ``--out FILE`` keeps the answers about games, so that a stopped run goes on where it was.
Figures are in README.md.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.players.ending import act_name, brute_force, ending_game

from flagfall.analysis.findings import findings
from flagfall.analysis.judge import Judge
from flagfall.analysis.proof import Prover, TooManyNodesError, WholeTurn
from flagfall.analysis.review import DEFAULT_BUDGET, Analysis
from flagfall.edition import Game, load_game, resolve
from flagfall.engine.action import Action
from flagfall.match.play import GameRunner
from flagfall.notation import action_text, read_turn
from flagfall.players import Budget, Player, make_player
from flagfall.puzzles.puzzle import all_puzzles
from flagfall.setups import read_setup, setup_from_squares
from flagfall.sides import BySide, Side

LEVEL = "marshal"
ENDINGS, FORCED, AT_ONCE = 70, 54, 76
"""positions of each kind: 200 together"""
PROOF_NODES = 30_000
GONE_TURNS = 4
"""a win is gone if no capture of the Flag can be forced in so many more turns of that side"""
GONE_NODES = 400_000
"""for the proof of it"""
FIND_NODES = 2_000
"""to look for a win in two turns"""
TRIED, REPLIES = 12, 6
"""turns that are tried, and replies to each"""
GAME_NODES = 1_500
"""searched for each action of the made games"""
MAX_TURNS = 300
GAMES = (
    "onyx/classic",
    "duel-masters/elemental-powers",
    "lotr/special-powers",
    "fire-and-ice/special-powers",
    "spin-master/standard",
    "spin-master/duel",
    "barrage/classic",
    "mini/3x4",
)
"""games in which Flags can be captured at once"""
THROWN = {
    "mini/3x4": 8,
    "spin-master/duel": 16,
    "barrage/classic": 16,
    "onyx/classic": 2,
    "duel-masters/elemental-powers": 2,
    "lotr/special-powers": 2,
    "fire-and-ice/special-powers": 2,
    "spin-master/standard": 2,
}
"""games, and in how many of each a win is thrown away: 50 together"""
SMALL = ("mini/3x4", "spin-master/duel", "barrage/classic")
"""games in which a Flag that can be captured at once is left

In large ones that hardly ever loses the win, as the Flag can be captured a turn later. There wins in two
turns are thrown away too, in games of a quicker player that may be cut off; the proof goes a turn less far.
"""


def _budget(nodes: int | None) -> Budget:
    return Budget(nodes=nodes) if nodes else DEFAULT_BUDGET


# ---------------------------------------------------------------------- positions


@dataclass(frozen=True)
class Position:
    """A position, and the actions with which a best turn begins."""

    kind: str
    name: str
    running: GameRunner
    right: frozenset[str]
    """in notation"""

    def best(self, nodes: int | None = None) -> str:
        """Return the action that the reviewer calls best, given the truth; usually at full strength."""
        running, side = self.running, self.running.mover
        judge = Judge(running.game, running.options, side, LEVEL, _budget(nodes))
        return judge.verdict(running, running.view(side).legal[:1]).best


def positions(share: float = 1.0, only: str = "positions") -> Iterator[Position]:
    """Yield all positions or one sort of them, or a share of each sort."""
    for sort, (found, count) in SORTS.items():
        if only in (sort, "positions"):
            yield from found(round(count * share))


def endings(count: int) -> Iterator[Position]:
    """Yield endings in which few actions win in the least number of turns, three or more."""
    seed = 0
    while count:
        seed += 1
        rng = Random(f"verdicts/ending/{seed}")
        columns, rows = rng.choice(((3, 4), (4, 4), (3, 6), (5, 4)))
        south, north = (_few_pieces(rng, columns, rows, side) for side in (0, 1))
        game = ending_game(columns, rows, south, north)
        setups = [setup_from_squares(game, side, army) for side, army in enumerate((south, north))]
        running = GameRunner(game, resolve(game, {}), setups)
        try:
            values = brute_force(running.referee.tables, running.state)
        except ValueError:  # a side with nothing to move, which brute force does not solve
            continue
        best = min((value for value in values.values() if value > 0), default=0)
        names = {name for name, value in values.items() if value == best}
        if best < 3 or len(names) > len(values) // 2:
            continue
        view = running.view(running.mover)
        right = frozenset(action_text(game, view, act) for act in view.legal if act_name(act) in names)
        count -= 1
        yield Position("ending", f"{columns} × {rows}, seed {seed}, won in {best}", running, right)


def _few_pieces(rng: Random, columns: int, rows: int, side: int) -> dict[str, str]:
    """Return an army of a Flag, one or two pieces that move and perhaps a Bomb."""
    home = range(1, rows // 2 + 1) if side == 0 else range(rows // 2 + 1, rows + 1)
    squares = [f"{column}{row}" for column in "abcde"[:columns] for row in home]
    movers = rng.choice((1, 1, 2)) if columns * rows == 12 and side == 0 else 1
    kinds = ["flag", *rng.sample(("marshal", "general", "scout", "miner"), movers)]
    kinds += ["bomb"] * rng.choice((0, 1))
    return dict(zip(rng.sample(squares, len(kinds)), kinds, strict=True))


def forced_wins(count: int) -> Iterator[Position]:
    """Yield the forced wins among the puzzles."""
    puzzles = [puzzle for puzzle in all_puzzles().values() if puzzle.kind == "win"]
    for puzzle in (puzzles[at * len(puzzles) // count] for at in range(count)):
        game = load_game(puzzle.game)
        setups = [read_setup(game, side, text) for side, text in enumerate(puzzle.setups)]
        running = GameRunner(game, resolve(game, puzzle.options), setups)
        for text in puzzle.turns:
            for action in read_turn(game, text):
                running.play(action)
        yield Position("forced win", puzzle.id, running, _begun(running, puzzle.right))


def wins_at_once(count: int) -> Iterator[Position]:
    """Yield positions in which a Flag can be captured by one turn."""
    seed = 0
    while count:
        seed += 1
        running = new_game(GAMES[seed % len(GAMES)])
        for moment in running.moments(players_of(running.game, "greedy", seed), max_turns=MAX_TURNS):
            if not running.referee.is_fresh or running.turns < 2:
                continue
            prover = Prover(running.referee, int(moment.side), PROOF_NODES)
            if won := prover.captures(running.state):
                right = _begun(running, (turn.text(running.game) for turn in won))
                count -= 1
                yield Position("one-turn win", f"{running.game.id}, seed {seed}", running, right)
                break


def _begun(running: GameRunner, turns: Iterable[str]) -> frozenset[str]:
    """Return the first actions of turns, in notation."""
    view = running.view(running.mover)
    return frozenset(action_text(running.game, view, read_turn(running.game, text)[0]) for text in turns)


SORTS = {"endings": (endings, ENDINGS), "forced": (forced_wins, FORCED), "at-once": (wins_at_once, AT_ONCE)}
"""sorts of positions, and how many of each"""


def new_game(name: str, seed: int | None = None) -> GameRunner:
    """Return a game that has not begun, between generated setups."""
    game = load_game(name)
    setters = players_of(game, "captain", 0 if seed is None else seed)
    return GameRunner(game, resolve(game, {}), [setters[side].set_up(int(side)) for side in Side])


def players_of(game: Game, name: str, seed: int) -> BySide[Player]:
    """Return two players of the same kind."""
    rng = Random(f"verdicts/{name}/{seed}")
    return BySide.of(
        lambda side: make_player(
            name, game, resolve(game, {}), Random(rng.getrandbits(64)), Budget(nodes=GAME_NODES)
        )
    )


# ---------------------------------------------------------------------- wins that were thrown away


@dataclass(frozen=True)
class ThrownWin:
    """A game in which a forced win was thrown away."""

    name: str
    running: GameRunner
    turn: int
    """the turn that threw it away, from 0"""

    def named(self, nodes: int | None = None) -> Sequence[int]:
        """Return the turns that the reviewer calls turning points, by default at its usual strength."""
        record = self.running.record(("South", "North"))
        analysis = Analysis(self.running.game, self.running.options, record, LEVEL, _budget(nodes))
        for _ in analysis.run():
            pass
        return [point.turn for point in findings(analysis).turning_points]


class Answers:
    """What the reviewer said of the made games, kept in a file if there is one, one line for each seed."""

    def __init__(self, file: Path | None = None) -> None:
        """Read what the file holds already."""
        self.file = file
        self.known: dict[str, tuple[int, Sequence[int]] | None] = {}
        if file is not None and file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                told = json.loads(line)
                self.known[told["game"]] = (told["thrown"], told["named"]) if "thrown" in told else None

    def of(self, name: str, seed: int, nodes: int | None = None) -> tuple[int, Sequence[int]] | None:
        """Return the turn that threw a win away and the turning points; None if nothing was thrown away."""
        key = f"{name}, seed {seed}"
        if key not in self.known:
            thrown = throw_away(name, seed)
            self.known[key] = None if thrown is None else (thrown.turn, thrown.named(nodes))
            self._keep(key)
        return self.known[key]

    def _keep(self, key: str) -> None:
        if self.file is not None:
            answer = self.known[key]
            told = {} if answer is None else {"thrown": answer[0], "named": list(answer[1])}
            with self.file.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"game": key, **told}) + "\n")


def thrown_wins(
    answers: Answers, share: float = 1.0, only: str = "games"
) -> Iterator[tuple[str, int, Sequence[int]]]:
    """Yield the made games, or those of one: the turn that threw the win away, and the turning points."""
    for name, count in THROWN.items():
        left, seed = round(count * share) if only in (name, "games") else 0, 0
        while left:
            seed += 1
            if (told := answers.of(name, seed)) is not None:
                left -= 1
                yield f"{name}, seed {seed}", *told


def throw_away(name: str, seed: int) -> ThrownWin | None:
    """Play a game; when a win is first there, play a turn after which it is gone.

    The other side answers with the reply that proves it; then the game goes on. None if no win is thrown
    away, or if the side wins after all.
    """
    running = new_game(name, seed)
    is_small = name in SMALL
    players = players_of(running.game, "captain" if is_small else "greedy", seed)
    spoiled, loser = -1, Side.SOUTH
    rng = Random(f"verdicts/throw/{name}/{seed}")
    while not running.is_over and running.turns < MAX_TURNS:
        side = running.mover
        if spoiled < 0 and running.referee.is_fresh and running.turns > 3:
            both = _thrown_away(running, rng, is_small=is_small)
            if both is None and is_small:
                return None
            if both:
                spoiled, loser = running.turns, side
                for turn in both:
                    for act in turn.actions:
                        running.play(Action.unpack(act))
                continue
        running.play(players[side].choose(running.view(side), running.history(side)))
    result = running.result
    if spoiled < 0 or (result is None and is_small) or (result and result.winner == loser):
        return None
    return ThrownWin(f"{name}, seed {seed}", running, spoiled)


def _thrown_away(
    running: GameRunner, rng: Random, *, is_small: bool
) -> tuple[WholeTurn, WholeTurn] | tuple[()] | None:
    """Return a turn that throws a win away and the reply that shows it.

    None if there is a win but no such turn is found, nothing if there is no win.
    """
    try:
        prover = Prover(running.referee, int(running.mover), PROOF_NODES if is_small else FIND_NODES)
        if not (won := prover.winning_turns(running.state, 1 if is_small else 2)):
            return ()
        prover = Prover(running.referee, int(running.mover), PROOF_NODES)
        kept = {turn.actions for turn in won}
        others = [turn for turn in prover.turns(running.state) if turn.actions not in kept]
    except TooManyNodesError:
        return ()
    rng.shuffle(others)
    for turn in others[:TRIED]:
        if not turn.after.is_over and (reply := refutation(running, turn, GONE_TURNS - (not is_small))):
            return turn, reply
    return None


def refutation(running: GameRunner, turn: WholeTurn, depth: int) -> WholeTurn | None:
    """Return a reply after which the mover can force no capture of the Flag within ``depth`` turns.

    None if every reply leaves it a forced win, or if that is not decided within the nodes of the proof.
    """
    side, nodes = int(running.mover), GONE_NODES if depth == GONE_TURNS else GONE_NODES // 10
    try:
        prover = Prover(running.referee, side, nodes)
        replies = prover.turns(turn.after)
        for reply in replies:
            if reply.after.is_over and not prover.has_won(reply.after):
                return reply
        left = [reply for reply in replies if not reply.after.is_over and not prover.captures(reply.after)]
        for reply in left[:REPLIES]:
            prover = Prover(running.referee, side, nodes)
            if not any(prover.wins(reply.after, one) for one in range(2, depth + 1)):
                return reply
    except TooManyNodesError:
        pass
    return None


# ---------------------------------------------------------------------- the figures


def measure(share: float, only: str, out: Path | None = None) -> None:
    """Measure, print a line for each miss, and the figures."""
    if not only or only == "positions" or only in SORTS:
        _measure_positions(share, only or "positions")
    if not only or only == "games" or only in THROWN:
        _measure_games(share, only or "games", out)


def _measure_positions(share: float, only: str) -> None:
    count: dict[str, list[bool]] = {}
    began = time.process_time()
    for position in positions(share, only):
        said = position.best()
        count.setdefault(position.kind, []).append(said in position.right)
        if said in position.right:
            _print(f"  {position.kind}, {position.name}: {said}")
        else:
            right = " ".join(sorted(position.right))
            _print(f"  {position.kind}, {position.name}: said {said}, right {right}")
    for kind, answers in count.items():
        _print(f"{kind}: {sum(answers)} of {len(answers)}")
    everything = [answer for answers in count.values() for answer in answers]
    _print_share("positions in which the best action is named", everything, began)


def _measure_games(share: float, only: str, out: Path | None) -> None:
    answers: list[bool] = []
    began = time.process_time()
    for name, thrown, points in thrown_wins(Answers(out), share, only):
        answers.append(thrown in points)
        is_named = "named" if answers[-1] else f"not named, but {points}"
        _print(f"  {name}: thrown away at turn {thrown}, {is_named}")
    _print_share("games whose turning points name the thrown-away win", answers, began)


def _print_share(what: str, answers: Sequence[bool], began: float) -> None:
    share, seconds = 100 * sum(answers) / len(answers), time.process_time() - began
    _print(f"{what}: {sum(answers)} of {len(answers)} ({share:.1f} %), {seconds:.0f} s of processor time")


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
