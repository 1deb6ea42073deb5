"""Make puzzles from games of computer players: look for positions, and keep those with a clear answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import msgspec

from flagfall.analysis.blind_proof import (
    SEER_NODES,
    BlindProver,
    Games,
    NotProvedError,
    TooManyArmiesError,
    fitting_games,
    possible_armies,
)
from flagfall.analysis.proof import Prover, TooManyNodesError
from flagfall.board import cell_name
from flagfall.edition import Game, Options
from flagfall.engine import state as S
from flagfall.engine.action import ATTACK, MOVE, Action
from flagfall.engine.state import State
from flagfall.engine.tables import PIECES
from flagfall.match.play import GameRunner
from flagfall.notation import action_text
from flagfall.notation.actions import write_turn
from flagfall.players import Budget, make_player
from flagfall.players.belief import Belief
from flagfall.players.belief.assignments import TABLE_LIMIT
from flagfall.players.chances import duel
from flagfall.players.explain import estimate_of, explain
from flagfall.players.levels import level_of
from flagfall.players.searcher import SearchingPlayer
from flagfall.puzzles.puzzle import KINDS, Branch, Kind, Puzzle
from flagfall.setups import write_setup
from flagfall.sides import BySide, Side
from flagfall.view.view import SeenEvent, View

MAX_TURNS = 400
"""a longer game is given up"""
GAME_NODES = 1_500
"""searched for each action of the games"""
MIN_TURNS = {"mini": 2}
"""turns before the first question, by box; six elsewhere"""
DEPTHS = (2, 3)
SURE_MOMENTS = 8
"""turns before the capture of the Flag that are searched for a sure win"""
MIN_ARMIES = 2
"""armies that fit what the solver has seen; with one there is nothing left to guess"""
MAX_RIGHT = 2
"""right first turns of a forced win"""
MIN_FLAG_CHANCE = 0.5
MIN_FLAG_SQUARES = 3
MARGIN = 0.15
"""the least difference in the chance to win between attacking and leaving"""
FIGHT_NODES = (6_000, 20_000)
"""the two budgets at which the decision has to be the same"""
MAX_TRIES = 6
"""positions of one game that are searched for one kind"""


@dataclass
class Seen:
    """A moment of a game: who is to move, and what that side knows."""

    turns: int
    side: Side
    view: View
    history: Sequence[SeenEvent]
    state: State


def puzzles_of_game(
    game: Game, options: Options, kinds: Sequence[Kind], seed: int, players: tuple[str, str]
) -> list[Puzzle]:
    """Play one game and return the puzzles in it, without ids."""
    rng = Random(f"puzzles/{game.id}/{seed}")
    seated = BySide.of(
        lambda side: make_player(
            players[side], game, options, Random(rng.getrandbits(64)), Budget(nodes=GAME_NODES)
        )
    )
    setups = [seated[side].set_up(int(side)) for side in Side]
    running = GameRunner(game, options, setups)
    moments = [
        Seen(running.turns, moment.side, moment.view, tuple(moment.history), running.state.copy())
        for moment in running.moments(seated, max_turns=MAX_TURNS)
        if running.referee.is_fresh
    ]
    texts = [write_turn(game, turn.actions, is_attack=turn.is_attack) for turn in running.referee.turns]
    first = MIN_TURNS.get(game.edition.id, 6)
    moments = [moment for moment in moments if moment.turns >= first]
    finders: dict[Kind, Callable[[], list[Puzzle]]] = {
        "win": lambda: find_wins(running, moments),
        "sure": lambda: find_sure_wins(running, moments),
        "power": lambda: find_powers(running, moments, rng),
        "flag": lambda: find_flags(running, moments, rng),
        "fight": lambda: find_fights(running, moments, rng),
    }
    found = [puzzle for kind in kinds for puzzle in finders[kind]()]
    source = f"{players[0]} and {players[1]}, seed {seed}"
    texts_of = BySide(*setups).map(write_setup)
    return [
        msgspec.structs.replace(
            puzzle,
            setups=tuple(texts_of),
            turns=tuple(texts[: int(puzzle.id)]),
            source=source,
            options=dict(options.changed(game)),
        )
        for puzzle in found
    ]


def _puzzle(moment: Seen, kind: Kind, game: Game, **answer: object) -> Puzzle:
    """Return a puzzle whose id is, for the time being, the number of turns before it."""
    found = {
        "id": str(moment.turns),
        "kind": kind,
        "game": game.id,
        "setups": ("", ""),
        "turns": (),
        **answer,
    }
    return msgspec.convert(found, Puzzle)


def possible_kinds(game: Game) -> list[Kind]:
    """Return the kinds of puzzles that a game can have: best turns only with powers other than running."""
    has_powers = any(power.verb != "run" for kind in game.kinds for power in game.abilities(kind))
    return [kind for kind in KINDS if has_powers or kind != "power"]


# ---------------------------------------------------------------------- forced wins


def find_wins(running: GameRunner, moments: Sequence[Seen]) -> list[Puzzle]:
    """Return the longest forced win before the Flag was captured, if its first turn is clear."""
    result = running.result
    if result is None or result.side is None or result.reason != "flag captured":
        return []
    own = [moment for moment in moments if moment.side is result.side]
    for depth in reversed(DEPTHS):
        if len(own) < depth:
            continue
        moment = own[-depth]
        if (right := forced_win(running, moment.state, depth)) is not None:
            return [_puzzle(moment, "win", running.game, depth=depth, right=msgspec.to_builtins(right))]
    return []


def forced_win(running: GameRunner, state: State, depth: int) -> dict[str, object] | None:
    """Return the right turns if the win takes exactly ``depth`` turns and few first turns are right."""
    prover = Prover(running.referee, state.side)
    try:
        if depth > 1 and prover.winning_turns(state, depth - 1):
            return None
        first = prover.winning_turns(state, depth)
        if not 1 <= len(first) <= MAX_RIGHT or len(prover.turns(state)) < 3 * len(first):
            return None
        return dict(solution(prover, state, depth))
    except TooManyNodesError:
        return None


def solution(prover: Prover, state: State, depth: int) -> dict[str, Branch]:
    """Return every right turn with the most stubborn reply to it, down to the capture."""
    found = {}
    for turn in prover.winning_turns(state, depth):
        text = turn.text(prover.game)
        if turn.after.is_over:
            found[text] = Branch()
        elif (reply := prover.most_stubborn(turn.after, depth - 1)) is not None:
            found[text] = Branch(reply.text(prover.game), solution(prover, reply.after, depth - 1))
    return found


# ---------------------------------------------------------------------- wins from a side's own knowledge


def find_sure_wins(running: GameRunner, moments: Sequence[Seen]) -> list[Puzzle]:
    """Return the longest win before the Flag was captured that needs no guess, if its first turn is clear."""
    result = running.result
    if result is None or result.side is None or result.reason != "flag captured":
        return []
    own = [moment for moment in moments if moment.side is result.side][-SURE_MOMENTS:]
    for depth in reversed(DEPTHS):
        for moment in own[: len(own) - depth + 1]:
            answer = sure_win(replayed(running, moment.turns), depth)
            if answer is not None:
                return [_puzzle(moment, "sure", running.game, depth=depth, **answer)]
    return []


def replayed(running: GameRunner, turns: int) -> GameRunner:
    """Return a game as it was after so many turns."""
    before = GameRunner(running.game, running.options, running.setups)
    for turn in running.referee.turns[:turns]:
        for action in turn.actions:
            before.play(action)
    return before


def sure_win(running: GameRunner, depth: int) -> dict[str, object] | None:
    """Return the answer if the side to move wins in exactly ``depth`` turns against every army that fits."""
    side = running.mover
    prover = BlindProver(side)
    try:
        possible_armies(running, side)  # first, as there may be too many
        if not Prover(running.referee, int(side), SEER_NODES).wins(running.state, depth):
            return None
        games = fitting_games(running, side)
        if len(games) < MIN_ARMIES or (depth > 1 and prover.winning_turns(games, depth - 1)):
            return None
        first = prover.winning_turns(games, depth)
        if not 1 <= len(first) <= MAX_RIGHT or len(running.view(side).legal) < 3 * len(first):
            return None
        return {"right": msgspec.to_builtins(sure_solution(prover, games, depth)), "armies": len(games)}
    except (TooManyNodesError, TooManyArmiesError, NotProvedError):
        return None


def sure_solution(prover: BlindProver, games: Games, depth: int) -> dict[str, Branch]:
    """Return every right turn with the reply after which the fewest turns are right, down to the capture.

    The reply is one of the true game, the first of ``games``.
    """
    found = {}
    for action in prover.winning_turns(games, depth):
        text = _text(games[0], (action,))
        groups = [group for group in prover.followed(games, action) or () if group.reply is not None]
        if not groups:  # the Flag is captured
            found[text] = Branch()
            continue
        reply, then = min(
            ((group.reply, sure_solution(prover, group.games, depth - 1)) for group in groups),
            key=lambda pair: (-_length(pair[1]), len(pair[1])),
        )
        after = games[0].copy()
        after.play(action)
        found[text] = Branch(_text(after, reply or ()), then)
    return found


def _text(running: GameRunner, actions: Sequence[Action]) -> str:
    """Return a turn in notation."""
    is_attack = running.referee.strikes(actions[0])
    return write_turn(running.game, tuple(actions), is_attack=is_attack)


def _length(branches: Mapping[str, Branch]) -> int:
    """Return how many turns of the solver there are still to come."""
    return 1 + max((_length(branch.then) for branch in branches.values() if branch.reply), default=0)


# ---------------------------------------------------------------------- powers


def find_powers(running: GameRunner, moments: Sequence[Seen], rng: Random) -> list[Puzzle]:
    """Return a position in which one turn with a power gains more pieces than every other turn."""
    for moment in rng.sample(moments, min(len(moments), 8 * MAX_TRIES)):
        if (best := best_turn(running, moment.state)) is not None:
            gain, text = best
            return [_puzzle(moment, "power", running.game, gain=gain, right={text: {}})]
    return []


def best_turn(running: GameRunner, state: State) -> tuple[int, str] | None:
    """Return the gain and the text of the one best turn, if it uses a power and the next is worse."""
    prover = Prover(running.referee, state.side, max_nodes=4_000)
    try:
        gains = sorted(prover.gains(state), key=lambda pair: -pair[0])
    except TooManyNodesError:
        return None
    if len(gains) < 2 or gains[0][0] < 1 or gains[0][0] == gains[1][0]:
        return None
    gain, turn = gains[0]
    if turn.after.is_over or (turn.actions[0] >> 24 in (MOVE, ATTACK) and len(turn.actions) == 1):
        return None
    return gain, turn.text(running.game)


# ---------------------------------------------------------------------- the hidden Flag


def find_flags(running: GameRunner, moments: Sequence[Seen], rng: Random) -> list[Puzzle]:
    """Return a position in which the belief finds the hidden Flag."""
    late = moments[len(moments) // 3 :]
    for moment in rng.sample(late, min(len(late), MAX_TRIES)):
        square = _true_flag(running.game, moment)
        if square and (chance := flag_chance(running, moment, square)):
            answer = {"square": square, "chance": round(chance, 3)}
            return [_puzzle(moment, "flag", running.game, **answer)]
    return []


def _true_flag(game: Game, moment: Seen) -> str:
    """Return the square of the enemy Flag if the side to move does not know it."""
    flags = {index for index, kind in enumerate(game.kinds) if kind.role == "flag"}
    s = moment.state.buffer
    cells = [
        cell_name(int(s[S.PIECE_CELL + piece]))
        for piece in range(1, PIECES)
        if s[S.PIECE_CELL + piece]
        and S.owner_of(s, piece) != int(moment.side)
        and S.kind_of(s, piece) in flags
    ]
    if len(cells) != 1:
        return ""
    piece = moment.view.at(cells[0])
    return "" if piece is None or piece.kind else cells[0]


def flag_chance(running: GameRunner, moment: Seen, square: str) -> float:
    """Return the chance of the Flag's square; 0 unless it is clearly the likeliest at two table sizes."""
    chances = []
    for limit in (TABLE_LIMIT, TABLE_LIMIT // 4):
        belief = Belief(running.game, running.options, moment.side, limit=limit)
        belief.update(moment.view, moment.history)
        by_name = belief.flag_chances()
        here = moment.view.at(square)
        assert here is not None
        true = by_name.get(here.name, 0.0)
        others = [chance for name, chance in by_name.items() if name != here.name]
        if true < MIN_FLAG_CHANCE or len(by_name) < MIN_FLAG_SQUARES or true < 2 * max(others):
            return 0.0
        chances.append(true)
    return min(chances)


# ---------------------------------------------------------------------- fights


def find_fights(running: GameRunner, moments: Sequence[Seen], rng: Random) -> list[Puzzle]:
    """Return a position in which attacking a hidden piece is clearly right or clearly wrong.

    Where leaving is right although the Flag stood there, the answer would look like a joke.
    """
    tries = 0
    for moment in rng.sample(moments, len(moments)):
        attacks = [act for act in moment.view.legal if _is_blind(moment.view, act)]
        if not attacks or len(moment.view.legal) < 2 * len(attacks):
            continue
        tries += 1
        if tries > MAX_TRIES:
            return []
        action = rng.choice(attacks)
        is_flag = _true_flag(running.game, moment) == action.target_square
        answer = decide(running, moment, action)
        if answer is not None and (answer["attacks"] or not is_flag):
            return [_puzzle(moment, "fight", running.game, **answer)]
    return []


def _is_blind(view: View, action: Action) -> bool:
    if action.verb != ATTACK:
        return False
    struck = view.at(action.target_square)
    return struck is not None and not struck.kind and len(struck.possible) != 1


def decide(running: GameRunner, moment: Seen, action: Action) -> dict[str, object] | None:
    """Return the answer if both budgets agree by the margin on whether to attack."""
    margins, odds = [], None
    for nodes in FIGHT_NODES:
        rng = Random(f"fight/{nodes}")
        player = SearchingPlayer(running.game, running.options, rng, Budget(nodes=nodes), level_of("marshal"))
        told = explain(player, moment.view, moment.history, turns=0)
        assert player.result is not None
        attack = estimate_of(player, player.result, action)
        leave = next(
            (
                estimate_of(player, player.result, one.action)
                for one in told.candidates
                if one.action != action and not _is_same_target(one.action, action)
            ),
            None,
        )
        fight = duel(running.game, player.sampler.tables, player.result, action)
        if leave is None or fight is None or abs(attack - leave) < MARGIN:
            return None
        margins.append(attack - leave)
        odds = fight.odds
    if min(margins) * max(margins) < 0 or odds is None or odds.in_vain:
        return None
    return {
        "square": action.target_square,
        "attack": action_text(running.game, moment.view, action),
        "attacks": margins[0] > 0,
        "odds": [round(chance, 3) for chance in (odds.wins, odds.both_fall, odds.loses)],
        "margin": round(min(map(abs, margins)), 3),
    }


def _is_same_target(one: Action, other: Action) -> bool:
    return one.verb == ATTACK and one.target == other.target


def numbered(puzzles: Sequence[Puzzle], found: Puzzle) -> Puzzle:
    """Return a found puzzle with an id: its game, its kind and the next number of that kind."""
    counts = Counter((puzzle.game, puzzle.kind) for puzzle in puzzles)
    number = counts[found.game, found.kind] + 1
    return msgspec.structs.replace(found, id=f"{found.game.replace('/', '-')}-{found.kind}-{number}")
