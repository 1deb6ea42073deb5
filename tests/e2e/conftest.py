"""A real server and a real browser for every process that runs tests; a fresh profile for every test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from flagfall.server.settings import load_settings
from tests.e2e.browsers import PLAIN, found_browser
from tests.e2e.person import Person
from tests.server.served import Served, serving

PATIENCE_MS = 40_000
DESK, PHONE = (1280, 800), (360, 640)

NewPerson = Callable[..., Person]


@pytest.fixture(scope="package")
def _playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(_playwright: Playwright) -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    running = _playwright.chromium.launch(executable_path=found_browser(), args=PLAIN)
    yield running
    running.close()


@pytest.fixture(scope="package")
def site() -> None:
    """The web client must have been built."""
    if not (load_settings({}, os.environ).site_folder / "index.html").is_file():
        raise RuntimeError("The web client has not been built; `make web-build` builds it.")


@pytest.fixture(scope="package")
def served(site: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("table")) as running:
        yield running


@pytest.fixture
def new_person(browser: Browser, served: Served) -> Iterator[NewPerson]:
    """Open a browser profile for another person: ``new_person("Anna", size=PHONE, is_dark=True)``."""
    contexts: list[BrowserContext] = []
    people: list[Person] = []

    def _new_person(
        name: str = "Anna",
        size: tuple[int, int] = DESK,
        *,
        is_dark: bool = False,
        has_motion: bool = False,
        bypass_csp: bool = False,
        at: Served | None = None,
    ) -> Person:
        context = browser.new_context(
            base_url=(at or served).url,
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if is_dark else "light",
            reduced_motion="no-preference" if has_motion else "reduce",
            has_touch=size == PHONE,
            bypass_csp=bypass_csp,
            locale="en-GB",
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        people.append(Person(context, at or served, name))
        return people[-1]

    yield _new_person
    faults = [fault for person in people for fault in person.faults]
    for context in contexts:
        context.close()
    assert not faults, faults
