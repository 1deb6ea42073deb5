"""A whole game in each language on a phone; no page shows a sentence in English there."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from flagfall.languages import ENGLISH, LANGUAGES
from flagfall.languages.boxes import box_texts
from flagfall.languages.messages import messages
from tests.e2e.conftest import PHONE, NewPerson
from tests.e2e.steer import steer
from tests.e2e.test_access import Examiner

CLIENT = Path(__file__).parents[2] / "web/src/languages"
OTHERS = [language for language in LANGUAGES if language != ENGLISH]
PAGES = ("/", "/learn", "/puzzles", "/my-games", "/lab", "/workshop", "/about", "/rules/lotr/special-powers")
IS_TOO_WIDE = "document.documentElement.scrollWidth > window.innerWidth"
MAX_ACTIONS = 300


def _client(language: str) -> dict[str, Any]:
    return {file.stem: tomllib.loads(file.read_text("utf-8")) for file in (CLIENT / language).glob("*.toml")}


def _plain(message: object) -> Iterator[str]:
    """The sentences of a message that have no arguments; one word may be the same in two languages."""
    if isinstance(message, str):
        if "{" not in message and len(message.split()) > 2:
            yield message
    elif isinstance(message, dict):
        for inner in message.values():
            yield from _plain(inner)


@pytest.fixture(scope="module", params=OTHERS)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def english(language: str) -> list[str]:
    """English sentences that are said otherwise in the language."""
    said = {*_plain(dict(messages(ENGLISH))), *_plain(_client(ENGLISH)), *box_texts(language)}
    same = {*_plain(dict(messages(language))), *_plain(_client(language)), *box_texts(language).values()}
    return [text for text in said - same if len(text.split()) > 2]


def test_a_whole_game_on_a_phone(new_person: NewPerson, language: str, english: list[str]) -> None:
    person = new_person("Anna", PHONE, bypass_csp=True)
    person.runs_first(f"localStorage.setItem('flagfall.language', '{language}')")
    examiner, shown = Examiner(person), dict[str, str]()
    for path in PAGES:
        person.open(path)
        person.page.wait_for_load_state("networkidle")
        shown[path] = person.page.locator("body").inner_text()
        assert not person.page.evaluate(IS_TOO_WIDE), f"{path} is wider than the screen"
    person.faces("random", "mini/3x4")
    expect(person.page.locator("html")).to_have_attribute("lang", language)
    person.button(_client(language)["setup"]["ready"]).click()
    goes_on, rng = person.awaits_turn(), Random(language)
    for _ in range(MAX_ACTIONS):
        if not goes_on:
            break
        shown[f"turn {person.state['turn']}"] = person.page.locator("body").inner_text()
        before = person.state["number"]
        person.play(steer(person.state, rng))
        goes_on = person.awaits_turn(before)
    assert person.state["phase"] == "over"
    expect(person.page.get_by_label(_client(language)["ending"]["result"], exact=True)).to_contain_text(
        person.state["verdict"]
    )
    shown["end"] = person.page.locator("body").inner_text()
    examiner.glance("the end of a game")
    assert not examiner.found, json.dumps(examiner.found, indent=1)
    left = {
        where: found for where, text in shown.items() if (found := [one for one in english if one in text])
    }
    assert not any(left.values()), json.dumps(left, indent=1)
