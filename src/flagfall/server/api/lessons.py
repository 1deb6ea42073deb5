"""Routes: the list of lessons, and a lesson after some actions. Nothing is stored."""

from __future__ import annotations

import asyncio
from functools import cache

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from flagfall.edition import editions
from flagfall.edition.lessons import Lesson, lesson_book
from flagfall.match.lessons import LessonPosition, play_lesson
from flagfall.notation import describe_steps
from flagfall.server.api.catalogue import FOR_NEWCOMERS, board_info
from flagfall.server.api.http import Operations, json_response, read_body
from flagfall.server.api.messages import (
    ClockState,
    CourseInfo,
    Courses,
    LessonLine,
    LessonState,
    News,
    Rematch,
    State,
)
from flagfall.server.api.requests import LessonRequest
from flagfall.server.errors import RequestError
from flagfall.server.sessions.texts import changed_options, choices, turn_words
from flagfall.view.view import viewer_name

operations = Operations("lessons")


@operations.add("GET", "/api/lessons", Courses)
async def lessons(request: Request) -> Response:
    """List the courses with their lessons."""
    return json_response(await asyncio.to_thread(courses))


@operations.add("POST", "/api/lessons/{box}/{lesson}", LessonState, 404, 409, 422, request=LessonRequest)
async def lesson(request: Request, box: str, lesson: str) -> Response:
    """Replay your actions in a lesson and answer the last one; without actions, begin the lesson."""
    body = await read_body(request, LessonRequest)
    found = (await asyncio.to_thread(all_lessons)).get(f"{box}/{lesson}")
    if found is None:
        raise RequestError("not-found", "There is no such lesson.")
    return json_response(await asyncio.to_thread(lesson_state, found, body.actions))


@cache
def all_lessons() -> dict[str, Lesson]:
    """Return the lessons of every box by id."""
    return {name: lesson for edition in editions() for name, lesson in lesson_book(edition).items()}


@cache
def courses() -> Courses:
    """Return every course, the one for newcomers first."""
    found: dict[str, CourseInfo] = {}
    for lesson in all_lessons().values():
        course = lesson.course
        line = LessonLine(lesson.id, lesson.title, lesson.goal, lesson.game.id, lesson.game.name)
        info = found.get(course.id) or CourseInfo(
            course.id, course.name, course.text, course.edition.id, course.game, ()
        )
        found[course.id] = msgspec.structs.replace(info, lessons=(*info.lessons, line))
    return Courses(tuple(sorted(found.values(), key=lambda course: course.game != FOR_NEWCOMERS)))


def lesson_state(lesson: Lesson, actions: tuple[str, ...]) -> LessonState:
    """Return what the learner sees after these actions, or refuse one that is not legal."""
    position = play_lesson(lesson, actions)
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
    """Return the position in the message that clients draw a match from."""
    lesson, referee, view = position.lesson, position.referee, position.view
    side, result, number = lesson.side, referee.result, len(position.events)
    is_over = result is not None or position.is_done
    is_open = not referee.is_fresh and referee.mover is side
    return State(
        match="",
        game=lesson.game.id,
        game_name=lesson.game.name,
        opponent="computer",
        viewer=viewer_name(side),
        yours=(side,),
        number=number,
        since=0,
        phase="over" if is_over else "playing",
        turn=len(referee.turns),
        to_move=None if is_over else referee.mover,
        seats=None,
        options=dict(lesson.options.items()),
        chips=changed_options(lesson.game.id, lesson.options),
        clocks=ClockState("none", "none", 0, None, None, None),
        view=msgspec.structs.replace(view, legal=()),
        prompt_words="" if is_over else "Setting up." if lesson.is_setup else turn_words(view),
        steps=describe_steps(lesson.game, side, referee.turns[-1].actions) if is_open else (),
        choices=() if is_over else choices(lesson.game, view),
        notes={},
        news=tuple(
            News(at, position.describe(events), events) for at, events in enumerate(position.events) if events
        ),
        offer=None,
        can=() if is_over else ("act",),
        result=result,
        is_open=False,
        verdict="",
        commitments={},
        invitation="",
        rematch=Rematch((), ""),
        chat=(),
    )
