"""Playing a lesson: the real referee, the learner's View, and an answer to every action.

Nothing is kept between two actions: `play_lesson` replays the learner's actions from the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Literal

from msgspec.structs import replace

from flagfall.board import DIRECTIONS, cell_name
from flagfall.edition.lessons import Lesson, Step
from flagfall.edition.verbs import VERB_BY_CODE
from flagfall.engine.action import MOVE, Action
from flagfall.errors import quoted
from flagfall.languages import ENGLISH, say, use_language
from flagfall.match.errors import RefusedError
from flagfall.match.explanations import explain_illegal
from flagfall.match.log import Seating
from flagfall.match.observations import told
from flagfall.match.referee import Pieces, Referee, perform, read_actions
from flagfall.notation.actions import action_text
from flagfall.sides import BySide
from flagfall.view.view import SeenEvent, View

Verdict = Literal["", "right", "wrong", "done"]
FLAG_CAPTURED = "flag captured"
MAX_WAYS = 300
"""right ways through a lesson, counted at every step"""


@dataclass
class LessonPosition:
    """A lesson after some actions of the learner."""

    lesson: Lesson
    referee: Referee
    pieces: BySide[Mapping[int, int]]
    """where the pieces stood at the start: cell → kind; a lesson about setups exchanges them"""
    events: list[tuple[SeenEvent, ...]]
    """what the learner saw of each action of both sides"""
    step: int = 0
    """number of steps that are done"""
    verdict: Verdict = ""
    """what the last action was"""
    words: str = ""
    """the answer to the last action"""

    @property
    def is_done(self) -> bool:
        """Whether the lesson is over."""
        return self.step == len(self.lesson.steps)

    @property
    def text(self) -> str:
        """What to try now, or the words at the end."""
        return self.lesson.done if self.is_done else self.lesson.steps[self.step].text

    @property
    def view(self) -> View:
        """What the learner may know and do."""
        view = self.referee.view(self.lesson.side)
        return replace(view, legal=self._exchanges()) if self.lesson.is_setup else view

    def _exchanges(self) -> tuple[Action, ...]:
        """Return every exchange of two different pieces, written like a move."""
        own = self.pieces[self.lesson.side]
        pairs = permutations(sorted(own), 2)
        return tuple(Action(MOVE, one, other) for one, other in pairs if own[one] != own[other])

    def exchanged(self, action: Action) -> LessonPosition:
        """Return the position with two pieces of the learner's exchanged."""
        side = self.lesson.side
        own = dict(self.pieces[side])
        own[action.origin], own[action.target] = own[action.target], own[action.origin]
        pieces = self.pieces.replaced(side, own)
        return LessonPosition(
            self.lesson, _referee(self.lesson, pieces), pieces, [*self.events, ()], self.step
        )

    def describe(self, events: tuple[SeenEvent, ...]) -> str:
        """Return events in sentences for the learner."""
        return told(self.lesson.game, Seating("South", "North"), self.view, events)


def play_lesson(lesson: Lesson, actions: Sequence[str]) -> LessonPosition:
    """Return the position after the learner's actions; a last action that is wrong is not played.

    `RefusedError` if an action is not legal, or if one before the last is wrong.
    """
    position = LessonPosition(lesson, _start(lesson).copy(), lesson.pieces, [])
    for number, text in enumerate(actions, start=1):
        if position.is_done:
            raise RefusedError("finished", say("match.lesson.done"))
        position = _answer(position, _read(position, text))
        if position.verdict == "wrong" and number < len(actions):
            raise RefusedError("wrong-action", say("match.lesson.wrong-action", number=number))
    return position


@lru_cache(maxsize=256)
def _start(lesson: Lesson) -> Referee:
    return _referee(lesson, lesson.pieces)


def _referee(lesson: Lesson, pieces: BySide[Mapping[int, int]]) -> Referee:
    south, north = pieces.map(Pieces)
    referee = Referee(lesson.game, lesson.options, south, north, to_move=int(lesson.side))
    referee.show(lesson.known)
    return referee


def _read(position: LessonPosition, text: str) -> Action:
    """Return the legal action of a text."""
    lesson, referee, view = position.lesson, position.referee, position.view
    actions = read_actions(referee, text)
    if len(actions) > 1:
        raise RefusedError("one-at-a-time", say("match.lesson.one-at-a-time"))
    if actions[0] in view.legal:
        return actions[0]
    if lesson.is_setup:
        raise RefusedError("illegal", say("match.lesson.exchange"))
    raise RefusedError("illegal", explain_illegal(referee.game, view, actions[0], lesson.options))


def _answer(before: LessonPosition, action: Action) -> LessonPosition:
    """Return the position after an action and the replies to it; the one before if the action is wrong."""
    lesson, step = before.lesson, before.lesson.steps[before.step]
    if lesson.is_setup:
        after = before.exchanged(action)
    else:
        after = LessonPosition(lesson, before.referee.copy(), before.pieces, [*before.events], before.step)
        after.events.append(after.referee.play(action)[lesson.side])
    text = action_text(lesson.game, before.view, action)
    if not _is_right(step, action, text, before.view, after):
        before.verdict, before.words = "wrong", step.mistakes.get(text, step.wrong)
        return before
    referee = after.referee
    for reply in step.reply:
        after.events.append(perform(referee, lesson.options, read_actions(referee, reply))[1][lesson.side])
    after.step, after.words = before.step + 1, step.praise
    after.verdict = "done" if after.is_done else "right"
    return after


def _is_right(step: Step, action: Action, text: str, view: View, after: LessonPosition) -> bool:
    """Return whether an action meets the conditions of a step; ``after`` is the position it leads to."""
    lesson, target, result = after.lesson, cell_name(action.target), after.referee.result
    if step.right and text not in step.right:
        return False
    if step.captures:
        struck = view.at(step.captures)
        lost = {event.piece for event in after.events[-1] if event.what == "removed"}
        if struck is None or struck.name not in lost:
            return False
    if step.reaches:
        arrived = after.view.at(target)
        if target not in step.reaches or arrived is None or arrived.side != lesson.side:
            return False
    if step.power and not _uses(lesson, view, action, step.power):
        return False
    if step.walls_flag and not _is_walled(lesson, after.pieces[lesson.side]):
        return False
    has_won = result is not None and result.side is lesson.side and result.reason == FLAG_CAPTURED
    return has_won or not step.takes_flag


def _is_walled(lesson: Lesson, pieces: Mapping[int, int]) -> bool:
    """Return whether a Flag has Bombs on all sides."""
    roles = {cell: lesson.game.kinds[kind].role for cell, kind in pieces.items()}
    flag = next(cell for cell, role in roles.items() if role == "flag")
    around = [flag + direction for direction in DIRECTIONS]
    open_cells = set(lesson.game.board.open_cells())
    return all(roles.get(cell) == "bomb" for cell in around if cell in open_cells)


def _uses(lesson: Lesson, view: View, action: Action, power_id: str) -> bool:
    """Return whether an action uses a power."""
    game, power = lesson.game, lesson.game.edition.powers[power_id]
    if VERB_BY_CODE[action.verb].primitive != power.verb:
        return False
    user = view.at(cell_name(action.origin)) if action.origin else None
    return user is None or power in game.abilities(game.kinds[game.kind_index(user.kind)])


@use_language(ENGLISH)
def check_lesson(lesson: Lesson) -> None:
    """Play a lesson in every right way; `EditionError` if one ends before its end or a text is never used."""
    ways: list[tuple[str, ...]] = [()]
    solution = tuple(step.solution for step in lesson.steps)
    for played in ways:
        if len(played) < len(lesson.steps):
            ways += [(*played, text) for text in _check_step(lesson, played, solution)]
        if len(ways) > MAX_WAYS:
            lesson.table.fail(f"there are more than {MAX_WAYS} right ways through this lesson; allow fewer")


def _check_step(lesson: Lesson, played: tuple[str, ...], solution: tuple[str, ...]) -> list[str]:
    """Check the step after some right actions and return the actions that are right in it."""
    position, step = play_lesson(lesson, played), lesson.steps[len(played)]
    referee, after = position.referee, f" after {played[-1]}" if played else ""
    if referee.result is not None:
        step.table.fail(f"the game is over{after}, before this step: {referee.result.reason}")
    if referee.mover is not lesson.side:
        step.table.fail(f"it is {referee.mover.title}’s turn{after}; write “reply” in the step before")
    verdicts = {}
    for action in position.view.legal:
        text = action_text(lesson.game, position.view, action)
        try:
            verdicts[text] = play_lesson(lesson, [*played, text]).verdict
        except RefusedError as error:
            step.table.fail(f"the reply to {text} is refused: {error.sentence}")
    if played == solution[: len(played)]:
        _check_words(step, verdicts)
    right = [text for text, verdict in verdicts.items() if verdict != "wrong"]
    if not right:
        step.table.fail(f"nothing is right{after}; legal are {', '.join(list(verdicts)[:12])}")
    return right


def _check_words(step: Step, verdicts: Mapping[str, Verdict]) -> None:
    """Refuse a step whose words cannot all be reached, or that has no words for some action."""
    for text in (step.solution, *step.right, *step.mistakes):
        if text not in verdicts:
            legal = ", ".join(list(verdicts)[:12])
            step.table.fail(f"{quoted(text)} is not a legal action here; legal are {legal}")
    if verdicts[step.solution] == "wrong":
        step.table.fail(f"the solution {quoted(step.solution)} is not right by the conditions of this step")
    for text in step.mistakes:
        if verdicts[text] != "wrong":
            step.table.fail(f"“mistakes” names {quoted(text)}, which is right")
    others = [text for text in verdicts if verdicts[text] == "wrong" and text not in step.mistakes]
    if others and not step.wrong:
        step.table.fail(f"“wrong” is missing, but {others[0]} is wrong; write what the player is told")
    if step.wrong and not others:
        step.table.fail("“wrong” is never used: every action is right or one of the mistakes; leave it out")
