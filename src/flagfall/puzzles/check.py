"""Check puzzles: replay each, and prove or estimate its answer again."""

from __future__ import annotations

import msgspec

from flagfall.analysis.proof import Prover, TooManyNodesError
from flagfall.edition import load_game, resolve
from flagfall.errors import UserError
from flagfall.match import RefusedError
from flagfall.match.play import GameRunner
from flagfall.notation import action_text, read_turn
from flagfall.puzzles import make
from flagfall.puzzles.puzzle import Branch, Puzzle, judge_picks, play_turns, start
from flagfall.setups import read_setup


def check_legal(puzzle: Puzzle) -> None:
    """Replay a puzzle and play its answer in every right way; `UserError` says what is wrong."""
    position = start(puzzle)
    if puzzle.is_played:
        if not puzzle.right:
            raise UserError(f"Puzzle {puzzle.id} has no answer.")
        _walk(puzzle, puzzle.right, ())
    elif puzzle.kind == "flag":
        flag = position.referee.view("truth").at(puzzle.square)
        kinds = {kind.id for kind in position.game.kinds if kind.role == "flag"}
        if flag is None or flag.kind not in kinds or judge_picks(puzzle, (puzzle.square,)) != 1:
            raise UserError(f"Puzzle {puzzle.id}: no hidden Flag stands on {puzzle.square}.")
    else:
        (action,) = read_turn(position.game, puzzle.attack)
        struck = position.view.at(puzzle.square)
        if not position.referee.is_legal(action) or action.target_square != puzzle.square:
            raise UserError(f"Puzzle {puzzle.id}: {puzzle.attack} is not a legal attack on {puzzle.square}.")
        if struck is None or struck.kind:
            raise UserError(f"Puzzle {puzzle.id}: the piece on {puzzle.square} is not hidden.")


def _walk(puzzle: Puzzle, branches: dict[str, Branch], played: tuple[str, ...]) -> None:
    """Play every right way through a puzzle to its end."""
    for text, branch in branches.items():
        actions = (*played, *_actions(puzzle, played, text))
        try:
            position = play_turns(puzzle, actions)
        except (RefusedError, ValueError) as error:
            raise UserError(f"Puzzle {puzzle.id}: {text} cannot be played: {error}") from None
        expected = "" if branch.reply else "solved"
        if position.verdict != expected:
            raise UserError(f"Puzzle {puzzle.id}: {text} should be right, but is not.")
        result = position.referee.result
        if puzzle.kind != "power" and expected and (result is None or result.side is not position.side):
            raise UserError(f"Puzzle {puzzle.id}: after {text} the Flag is not captured.")
        _walk(puzzle, branch.then, actions)


def _actions(puzzle: Puzzle, played: tuple[str, ...], text: str) -> list[str]:
    """Return the actions of a turn as the solver plays them, one by one."""
    position = play_turns(puzzle, played)
    texts = []
    for action in read_turn(position.game, text):
        texts.append(action_text(position.game, position.view, action))
        position.referee.play(action)
    return texts


def check_answer(puzzle: Puzzle) -> None:
    """Prove the answer again, or estimate it again at both budgets; `UserError` if it is not clear."""
    check_legal(puzzle)
    running = game_of(puzzle)
    side = running.mover
    moment = make.Seen(running.turns, side, running.view(side), running.history(side), running.state)
    if not _is_clear(puzzle, running, moment):
        raise UserError(f"Puzzle {puzzle.id}: the answer is not clear any more.")


def game_of(puzzle: Puzzle) -> GameRunner:
    """Return the game of a puzzle, up to the question."""
    game = load_game(puzzle.game, allow_files=False)
    setups = (read_setup(game, side, text) for side, text in enumerate(puzzle.setups))
    running = GameRunner(game, resolve(game, puzzle.options), setups)
    for text in puzzle.turns:
        for action in read_turn(game, text):
            running.play(action)
    return running


def _is_clear(puzzle: Puzzle, running: GameRunner, moment: make.Seen) -> bool:
    if puzzle.kind == "win":
        prover = Prover(running.referee, moment.side.__index__())
        try:
            sooner = puzzle.depth > 1 and prover.winning_turns(moment.state, puzzle.depth - 1)
            return not sooner and make.solution(prover, moment.state, puzzle.depth) == puzzle.right
        except TooManyNodesError:
            return False
    if puzzle.kind == "sure":
        answer = make.sure_win(running, puzzle.depth)
        return answer == {"right": msgspec.to_builtins(puzzle.right), "armies": puzzle.armies}
    if puzzle.kind == "power":
        return make.best_turn(running, moment.state) == (puzzle.gain, next(iter(puzzle.right)))
    if puzzle.kind == "flag":
        return make.flag_chance(running, moment, puzzle.square) > 0
    (action,) = read_turn(running.game, puzzle.attack)
    answer = make.decide(running, moment, action)
    return answer is not None and answer["attacks"] is puzzle.attacks
