"""Check the text of a box in a process that can do nothing else.

The text comes from strangers. The process has a limit of memory and of CPU time, opens no file and no
connection any more, and is killed when it is late. What it answers is a message; no object leaves it.
"""

from __future__ import annotations

import resource
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from flagfall.edition import Edition, EditionError, Game, load_text, resolve
from flagfall.edition.compile import compile_game
from flagfall.edition.guides import guide_book
from flagfall.edition.lessons import lesson_book
from flagfall.edition.load import BOXES, load_version, problems_of
from flagfall.edition.options import concerning
from flagfall.edition.schema import Problem
from flagfall.edition.versions import VERSIONS, is_version
from flagfall.languages import ENGLISH, LANGUAGES, load_language, use_language
from flagfall.match.guides import check_guide
from flagfall.match.lessons import check_lesson
from flagfall.server.api.catalogue import box_info, game_info
from flagfall.server.api.messages.games import BoxInfo
from flagfall.server.api.messages.workshop import BoxCheck, BoxProblem

MAX_GAMES = 12
"""games of one box"""
MAX_TABLES_COMPILED = 200
MEMORY_BYTES = 256 << 20
"""that a check may use beyond what the process has at the start"""
CPU_S = 5
FILE = "my-box.toml"

_limited = False


def check_safely(text: str, wanted: str, language: str = ENGLISH) -> BoxCheck:
    """Check a text after giving up everything that a check does not need."""
    global _limited
    if not _limited:
        mini = (Path(__file__).parents[2] / "edition/data/mini.toml").read_text(encoding="utf-8")
        for known in LANGUAGES:
            load_language(known)
        check_text(mini, "")
        _give_up_rights()
        _limited = True
    used = resource.getrusage(resource.RUSAGE_SELF)
    _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + CPU_S + 1)
    return check_text(text, wanted, language)


def check_text(text: str, wanted: str, language: str = ENGLISH) -> BoxCheck:
    """Return the problems of a box, or everything about one of its games, which is in the language.

    The box is in English: it is stored.
    """
    try:
        edition = load_text(text, FILE)
        _check_rules(edition)
        playable = load_version(VERSIONS.add(text))
    except EditionError as error:
        problems = problems_of(text, error)
        return BoxCheck(
            tuple(
                BoxProblem(line, column, problem.table, problem.sentence)
                for line, column, problem in problems
            ),
            None,
            None,
        )
    assert playable is not None
    _compile(playable)
    game = playable.games.get(wanted) or next(iter(playable.games.values()))
    with use_language(language):
        return BoxCheck((), _in_english(playable), game_info(game))


def _in_english(edition: Edition) -> BoxInfo:
    with use_language(ENGLISH):
        return box_info(edition)


def _check_rules(edition: Edition) -> None:
    """Refuse what a box in a file may say, but one of a guest may not."""
    if edition.id in BOXES or is_version(edition.id):
        _refuse(f"there is already a box with the id “{edition.id}”; change it", "id")
    if len(edition.games) > MAX_GAMES:
        _refuse(f"the box has {len(edition.games)} games; at most {MAX_GAMES} are possible here", "game")
    for lesson in lesson_book(edition).values():
        check_lesson(lesson)
    for guide in guide_book(edition).values():
        check_guide(guide)


def _refuse(sentence: str, key: str) -> NoReturn:
    raise EditionError(Problem(sentence, FILE, key=key))


def _compile(edition: Edition) -> None:
    """Compile every game as it is, and with each value of the options of the box."""
    left = MAX_TABLES_COMPILED
    for game in edition.games.values():
        compile_game(game, resolve(game, {}))
        for name, value in _own_values(game):
            if left > 0:
                compile_game(game, resolve(game, {name: value}))
                left -= 1


def _own_values(game: Game) -> list[tuple[str, str]]:
    own = (option for option in concerning(game) if option.name in game.edition.options)
    return [(option.name, value) for option in own for value in option.values]


def _give_up_rights() -> None:
    """Allow this process no more memory than a check needs, and no new file, connection or process."""
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        _limit(resource.RLIMIT_AS, pages * resource.getpagesize() + MEMORY_BYTES)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, 0)
    _limit(resource.RLIMIT_CORE, 0)


def _limit(kind: int, value: int) -> None:
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(kind)
        resource.setrlimit(kind, (value, most if kind == resource.RLIMIT_CPU else value))
