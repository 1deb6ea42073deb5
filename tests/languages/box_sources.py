"""The English texts of the bundled boxes, which every other language has to have.

``python -m tests.languages.box_sources DE`` prints those that a language does not have, as TOML.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping

from flagfall.edition import Edition, editions
from flagfall.edition.guides import guide_book
from flagfall.edition.lessons import lesson_book
from flagfall.edition.schema import DEFAULT_WORDS
from flagfall.languages.boxes import box_texts

Texts = str | Mapping[str, str]


def sources() -> dict[str, str]:
    """Return every text of the bundled boxes with its box, or ``common`` if several have it."""
    found: dict[str, str] = {}
    for edition in editions():
        for text in _plain(_texts(edition)):
            found[text] = edition.id if found.get(text, edition.id) == edition.id else "common"
    return found


def _plain(texts: Iterable[Texts]) -> Iterator[str]:
    for text in texts:
        yield from filter(None, [text] if isinstance(text, str) else text.values())


def _texts(edition: Edition) -> Iterator[Texts]:
    yield from (edition.name, edition.tagline, edition.story, edition.hints, edition.words, DEFAULT_WORDS)
    yield from edition.hints
    for army in edition.armies:
        yield from (army.name, army.text)
    for kind in edition.kinds.values():
        yield from (kind.names, kind.plurals, kind.text)
    for power in edition.powers.values():
        yield from (power.name, power.text)
    for game in edition.games.values():
        yield from (game.name, game.text, game.hints)
        yield from game.hints
    for option in edition.options.values():
        yield from (option.title, option.help, option.labels, option.sentences, option.number_sentence)
    for lesson in lesson_book(edition).values():
        yield from (lesson.course.name, lesson.course.text, lesson.title, lesson.goal, lesson.done)
        for step in lesson.steps:
            yield from (step.text, step.praise, step.wrong, step.mistakes)
    for guide in guide_book(edition).values():
        yield from (guide.title, guide.goal, guide.words, guide.course.name, guide.course.text)
        yield from (step.text for step in guide.steps)


def main() -> None:
    """Print what is missing."""
    known = box_texts(sys.argv[1])
    box = ""
    for text, owner in sorted(sources().items(), key=lambda one: one[1]):
        if text not in known:
            if owner != box:
                print(f"\n# boxes/{owner}.toml\n[{owner}]")  # noqa: T201
                box = owner
            print(f"{json.dumps(text, ensure_ascii=False)} = ''")  # noqa: T201


if __name__ == "__main__":
    main()
