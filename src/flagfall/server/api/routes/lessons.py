"""Routes: the list of lessons, and a lesson after some actions. Nothing is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from flagfall.edition import EditionError, Options, all_editions, editions
from flagfall.edition.guides import Guide, guide_book
from flagfall.edition.lessons import Course, Lesson, lesson_book
from flagfall.edition.load import OUTDATED, stored_version
from flagfall.edition.schema import OutdatedBoxError
from flagfall.edition.versions import is_version
from flagfall.languages import cached_by_language, say
from flagfall.match.errors import RefusedError
from flagfall.match.lessons import LessonPosition, play_lesson
from flagfall.match.referee import Referee
from flagfall.notation import describe_steps
from flagfall.server.api.catalogue import FOR_NEWCOMERS, board_info
from flagfall.server.api.http import Operations, json_response, read_body
from flagfall.server.api.messages.learning import (
    CourseInfo,
    Courses,
    GuideInfo,
    GuideStep,
    LessonLine,
    LessonState,
)
from flagfall.server.api.messages.matches import ClockState, News, Rematch, State
from flagfall.server.api.requests import LessonRequest
from flagfall.server.errors import RequestError
from flagfall.server.sessions.texts import changed_options, choices, turn_words
from flagfall.sides import Side
from flagfall.view.view import View, viewer_name

operations = Operations("lessons")


@operations.add("GET", "/api/lessons", Courses)
async def lessons(request: Request) -> Response:
    """List the courses with their lessons; those of boxes of guests are not among them."""
    return json_response(await asyncio.to_thread(courses))


@operations.add("GET", "/api/lessons/{box}", Courses, 404, 409)
async def box_lessons(request: Request, box: str) -> Response:
    """List the courses of one box; a box of a guest is named by its version."""
    return json_response(await asyncio.to_thread(courses_of, box))


@operations.add("POST", "/api/lessons/{box}/{lesson}", LessonState, 404, 409, 422, request=LessonRequest)
async def lesson(request: Request, box: str, lesson: str) -> Response:
    """Replay your actions in a lesson and answer the last one; without actions, begin the lesson."""
    body = await read_body(request, LessonRequest)
    found = (await asyncio.to_thread(lessons_of, box)).get(f"{box}/{lesson}")
    if found is None:
        raise RequestError("not-found", say("server.lesson.not-found"))
    return json_response(await asyncio.to_thread(lesson_state, found, body.actions, body.explain))


def lessons_of(box: str) -> Mapping[str, Lesson]:
    """Return the lessons among which those of a box are: of a version its own, else of every box."""
    if not is_version(box):
        return all_lessons()
    edition = stored_version(box)
    if edition is None:
        raise RequestError("not-found", say("lab.box.not-found"))
    try:
        return lesson_book(edition)
    except EditionError:
        raise OutdatedBoxError(OUTDATED) from None


def courses_of(box: str) -> Courses:
    """Return the courses of one box with their guided games."""
    if is_version(box):
        return Courses(_courses(lessons_of(box).values(), _guides_of(box)))
    found = tuple(course for course in courses().courses if course.box == box)
    if not found and box not in {edition.id for edition in all_editions()}:
        raise RequestError("not-found", say("lab.box.not-found"))
    return Courses(found)


def _guides_of(version: str) -> Mapping[Course, Sequence[GuideInfo]]:
    """Return the guided games of a guest's box by course."""
    edition, found = stored_version(version), dict[Course, list[GuideInfo]]()
    if edition is None:
        return found
    try:
        for guide in guide_book(edition).values():
            found.setdefault(guide.course, []).append(_guide_info(guide))
    except EditionError:
        raise OutdatedBoxError(OUTDATED) from None
    return found


@cache
def all_lessons() -> dict[str, Lesson]:
    """Return the lessons of every box by id."""
    return {name: lesson for edition in all_editions() for name, lesson in lesson_book(edition).items()}


@cached_by_language(maxsize=None)
def courses() -> Courses:
    """Return every course, the one for newcomers first."""
    guides: dict[Course, list[GuideInfo]] = {}
    for edition in editions():
        for guide in guide_book(edition).values():
            guides.setdefault(guide.course, []).append(_guide_info(guide))
    found = _courses(all_lessons().values(), guides)
    return Courses(tuple(sorted(found, key=lambda course: course.game != FOR_NEWCOMERS)))


def _courses(found: Iterable[Lesson], guides: Mapping[Course, Sequence[GuideInfo]]) -> tuple[CourseInfo, ...]:
    """Return the courses with their lessons and guided games, in the order in which they are found."""
    lessons: dict[Course, list[LessonLine]] = {}
    for lesson in found:
        line = LessonLine(lesson.id, lesson.title, lesson.goal, lesson.game.id, lesson.game.name)
        lessons.setdefault(lesson.course, []).append(line)
    return tuple(
        CourseInfo(
            course.id,
            course.name,
            course.text,
            course.edition.id,
            course.game,
            tuple(lessons.get(course, ())),
            tuple(guides.get(course, ())),
        )
        for course in dict.fromkeys((*lessons, *guides))
    )


def _guide_info(guide: Guide) -> GuideInfo:
    steps = tuple(GuideStep(step.text, step.squares) for step in guide.steps)
    return GuideInfo(guide.id, guide.title, guide.goal, guide.game.id, guide.side, dict(guide.setup), steps)


def lesson_state(lesson: Lesson, actions: tuple[str, ...], explain: bool = False) -> LessonState:
    """Return what the learner sees after these actions, or refuse one that is not legal.

    With ``explain``, the answer to an illegal last action says why it is not legal.
    """
    try:
        position = play_lesson(lesson, actions)
    except RefusedError as error:
        if not explain or error.code != "illegal":
            raise
        before = lesson_state(lesson, actions[:-1])
        return msgspec.structs.replace(before, verdict="illegal", words=error.sentence)
    return LessonState(
        lesson=lesson.id,
        title=lesson.title,
        goal=lesson.goal,
        course=lesson.course.id,
        board=board_info(lesson.game),
        actions=actions[:-1] if position.verdict == "wrong" else actions,
        step=position.step,
        steps=len(lesson.steps),
        verdict=position.verdict,
        words=position.words,
        text=position.text,
        state=_state(position),
    )


def _state(position: LessonPosition) -> State:
    lesson, referee, view = position.lesson, position.referee, position.view
    remembered = 0 if lesson.options["memory"] == "assisted" else view.turn - len(Side)
    return practice_state(
        referee,
        lesson.options,
        view,
        lesson.side,
        [
            News(at, position.describe(events), events)
            for at, events in enumerate(position.events)
            if events and events[0].turn >= remembered
        ],
        number=len(position.events),
        is_over=referee.result is not None or position.is_done,
        prompt=say("table.setting-up-lesson") if lesson.is_setup else "",
    )


def practice_state(
    referee: Referee,
    options: Options,
    view: View,
    side: Side,
    news: Iterable[News],
    *,
    number: int,
    is_over: bool,
    prompt: str = "",
) -> State:
    """Return a position without a match in the message that clients draw a match from."""
    game = referee.game
    is_turn_open = not referee.is_fresh and referee.mover is side
    return State(
        match="",
        game=game.id,
        game_name=game.name,
        opponent="computer",
        viewer=viewer_name(side),
        yours=(side,),
        number=number,
        since=0,
        phase="over" if is_over else "playing",
        turn=len(referee.turns),
        to_move=None if is_over else referee.mover,
        seats=None,
        options=dict(options.items()),
        chips=changed_options(game.id, options),
        clocks=ClockState("none", "none", 0, None, None, None),
        view=msgspec.structs.replace(view, legal=()),
        prompt_words="" if is_over else prompt or turn_words(view),
        steps=describe_steps(game, side, referee.turns[-1].actions) if is_turn_open else (),
        choices=() if is_over else choices(game, view, options),
        notes={},
        news=tuple(news),
        offer=None,
        can=() if is_over else ("act",),
        result=referee.result,
        is_open=False,
        verdict="",
        commitments={},
        invitation="",
        rematch=Rematch((), ""),
        chat=(),
    )
