"""Routes: the list of puzzles, a puzzle, and an attempt at one.

The answer is sent only after an attempt is over. A guest's first outcome counts, and no other.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from flagfall.edition import load_game
from flagfall.languages import say
from flagfall.match import RefusedError
from flagfall.match.log import Seating
from flagfall.match.observations import told
from flagfall.notation import read_turn
from flagfall.puzzles.puzzle import (
    MAX_PICKS,
    Position,
    Puzzle,
    all_puzzles,
    begin,
    judge_picks,
    play_turns,
    puzzle_of_day,
    solution_words,
)
from flagfall.server.api.catalogue import board_info
from flagfall.server.api.http import Operations, json_response, read_body, registry_of
from flagfall.server.api.messages.learning import PuzzleAnswer, PuzzleLine, PuzzleList, PuzzleState
from flagfall.server.api.messages.matches import News, State
from flagfall.server.api.requests import PuzzleRequest
from flagfall.server.api.routes.guests import current_guest, require_guest
from flagfall.server.api.routes.lessons import practice_state
from flagfall.server.errors import RequestError
from flagfall.server.sessions.presenter import MAX_NEWS

DAY_MS = 86_400_000
COUNTS_FOR_S = 20.0
"""how long the counts of all guests are kept before they are read again"""
SOLVED_SCORE = 0.3
"""the chance that picks must give to the true square"""

operations = Operations("puzzles")
Counts = Mapping[str, tuple[int, int]]


@operations.add("GET", "/api/puzzles", PuzzleList)
async def puzzles(request: Request) -> Response:
    """List every puzzle, with today's, and how many guests have solved each."""
    registry = registry_of(request)
    guest = await current_guest(request)
    counts = await _counts(request)
    yours = await registry.store.attempts_of(guest.id) if guest else {}
    today = puzzle_of_day(registry.now_ms() // DAY_MS)
    lines = tuple(_line(puzzle, counts, yours) for puzzle in all_puzzles().values())
    return json_response(PuzzleList(today.id, lines))


@operations.add("GET", "/api/puzzles/{puzzle}", PuzzleState, 404)
async def puzzle(request: Request, puzzle: str) -> Response:
    """Return a puzzle to solve, without its answer."""
    found = _find(puzzle)
    line = await _line_for(request, found)
    position = await asyncio.to_thread(begin, found)
    return json_response(await asyncio.to_thread(puzzle_state, line, position, None))


@operations.add("POST", "/api/puzzles/{puzzle}", PuzzleState, 401, 404, 409, 422, request=PuzzleRequest)
async def try_puzzle(request: Request, puzzle: str) -> Response:
    """Try a puzzle: the answer is sent when the attempt is over. Your first outcome is counted."""
    guest = await require_guest(request)
    body = await read_body(request, PuzzleRequest)
    found = _find(puzzle)
    store = registry_of(request).store
    try:
        position, score = await asyncio.to_thread(attempt, found, body)
    except RefusedError as refused:
        if refused.code == "finished":
            is_solved = await asyncio.to_thread(_had_solved, found, body)
            await store.add_attempt(guest.id, found.id, is_solved=is_solved)
        raise
    if score is not None:
        await store.add_attempt(guest.id, found.id, is_solved=score >= SOLVED_SCORE)
    line = await _line_for(request, found)
    return json_response(await asyncio.to_thread(puzzle_state, line, position, score))


def _find(puzzle_id: str) -> Puzzle:
    found = all_puzzles().get(puzzle_id)
    if found is None:
        raise RequestError("not-found", say("puzzles.not-found"))
    return found


async def _line_for(request: Request, puzzle: Puzzle) -> PuzzleLine:
    """Return the line of a puzzle for the guest who asks."""
    guest = await current_guest(request)
    yours = await registry_of(request).store.attempts_of(guest.id) if guest else {}
    return _line(puzzle, await _counts(request), yours)


async def _counts(request: Request) -> Counts:
    """Return how many guests tried and solved each puzzle; at most `COUNTS_FOR_S` old."""
    kept: tuple[float, Counts] | None = getattr(request.app.state, "puzzle_counts", None)
    if kept is not None and time.monotonic() < kept[0]:
        return kept[1]
    counts = await registry_of(request).store.attempt_counts()
    request.app.state.puzzle_counts = time.monotonic() + COUNTS_FOR_S, counts
    return counts


def _line(puzzle: Puzzle, counts: Counts, yours: Mapping[str, bool]) -> PuzzleLine:
    tried, solved = counts.get(puzzle.id, (0, 0))
    outcome = yours.get(puzzle.id)
    return PuzzleLine(
        id=puzzle.id,
        kind=puzzle.kind,
        title=puzzle.title,
        box=puzzle.box,
        game=puzzle.game,
        game_name=load_game(puzzle.game, allow_files=False).name,
        tried=tried,
        solved=solved,
        yours="" if outcome is None else "solved" if outcome else "failed",
    )


def attempt(puzzle: Puzzle, body: PuzzleRequest) -> tuple[Position, float | None]:
    """Return the position after an attempt and its score from 0 to 1; None while the attempt goes on."""
    if puzzle.is_played:
        position = play_turns(puzzle, body.actions)
        return position, {"": None, "solved": 1.0, "failed": 0.0}[position.verdict]
    if puzzle.kind == "flag":
        return begin(puzzle), judge_picks(puzzle, body.squares)
    if not body.choice:
        raise RequestError("malformed", "Choose “attack” or “leave”.")
    return begin(puzzle), float((body.choice == "attack") is puzzle.attacks)


def _had_solved(puzzle: Puzzle, body: PuzzleRequest) -> bool:
    """Return how an attempt had ended before the actions that followed its end; it counts like any other."""
    for length in range(1, len(body.actions)):
        verdict = play_turns(puzzle, body.actions[:length]).verdict
        if verdict:
            return verdict == "solved"
    return False


def puzzle_state(line: PuzzleLine, position: Position, score: float | None) -> PuzzleState:
    """Return what the solver sees; only with a score does it hold the answer and what was hidden."""
    puzzle = position.puzzle
    return PuzzleState(
        puzzle=line,
        question=begin(puzzle).question,
        all_shown=puzzle.is_open,
        picks=MAX_PICKS if puzzle.kind == "flag" else 0,
        attack=puzzle.attack,
        board=board_info(position.game),
        actions=position.played,
        verdict="" if score is None else "solved" if score >= SOLVED_SCORE else "failed",
        answer=None if score is None else _answer(puzzle, score),
        state=_state(position, is_over=score is not None),
    )


def _answer(puzzle: Puzzle, score: float) -> PuzzleAnswer:
    text = next(iter(puzzle.right), puzzle.attack)
    squares: tuple[str, ...] = (puzzle.square,)
    if text:
        first = read_turn(load_game(puzzle.game, allow_files=False), text)[0]
        squares = (first.origin_square, first.target_square)
    return PuzzleAnswer(solution_words(puzzle), tuple(filter(None, squares)), round(score, 3))


def _state(position: Position, *, is_over: bool) -> State:
    """Return the position as a match; nobody moves where squares or a decision are asked for."""
    view, events = position.view, position.events
    if is_over:
        view = position.referee.view(position.side, is_open=True)
    seating, first = Seating("South", "North"), max(len(events) - MAX_NEWS, 0)
    news = [
        News(at, told(position.game, seating, view, seen), seen)
        for at, seen in enumerate(events[first:], start=first)
        if seen
    ]
    if not position.puzzle.is_played:
        view = msgspec.structs.replace(view, legal=())
    return practice_state(
        position.referee,
        position.options,
        view,
        position.side,
        news,
        number=len(events),
        is_over=is_over,
    )
