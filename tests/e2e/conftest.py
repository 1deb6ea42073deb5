"""A real server and a real browser for every process that runs tests; an empty profile for every test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from flagfall.server.settings import load_settings
from tests.e2e.browsers import PLAIN, found_browser
from tests.e2e.person import Person
from tests.server.served import Served, serving

PATIENCE_MS = 40_000
DESK, PHONE = (1280, 800), (360, 640)

SILENT = "delete globalThis.AudioContext"
"""an open sound device costs the browser work all the time"""
UNDRAWN = """const sheet = new CSSStyleSheet();
sheet.replaceSync("html { opacity: 0 }");
document.adoptedStyleSheets = [sheet];"""
"""pages are laid out, clicked and read as ever, but the browser draws no pixels, a third of its work"""

NewPerson = Callable[..., Person]


class Look(NamedTuple):
    """What kind of browser a person has, and for which server."""

    url: str
    size: tuple[int, int]
    is_dark: bool
    has_motion: bool
    bypass_csp: bool

    @property
    def is_drawn(self) -> bool:
        """Whether pixels matter: where things move, and where axe looks at colours."""
        return self.has_motion or self.bypass_csp


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


class Profiles:
    """Browser profiles that are used again: emptied, but with the client's scripts compiled and at hand."""

    def __init__(self, browser: Browser) -> None:
        self._browser, self._idle = browser, dict[Look, list[Page]]()

    def page(self, look: Look) -> Page:
        """Return an empty page of a profile that nobody uses."""
        if idle := self._idle.get(look):
            return idle.pop()
        context = self._browser.new_context(
            base_url=look.url,
            color_scheme="dark" if look.is_dark else "light",
            reduced_motion="no-preference" if look.has_motion else "reduce",
            viewport={"width": look.size[0], "height": look.size[1]},
            has_touch=look.size == PHONE,
            bypass_csp=look.bypass_csp,
            locale="en-GB",
            service_workers="block",  # test_offline.py has its own profile
        )
        context.set_default_timeout(PATIENCE_MS)
        if not look.has_motion:
            context.add_init_script(SILENT)
        if not look.is_drawn:
            context.add_init_script(UNDRAWN)
        return context.new_page()

    def give_back(self, look: Look, page: Page, *, is_altered: bool) -> None:
        """Empty a profile for the next person; a page with scripts of its own is replaced."""
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.set_viewport_size({"width": look.size[0], "height": look.size[1]})
        if page.url.startswith(look.url):
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
        if is_altered:
            altered, page = page, page.context.new_page()
            altered.close()
        else:
            page.goto("about:blank")
        page.context.clear_cookies()
        page.context.clear_permissions()
        self._idle.setdefault(look, []).append(page)


@pytest.fixture(scope="package")
def profiles(browser: Browser) -> Profiles:
    return Profiles(browser)


@pytest.fixture
def new_person(profiles: Profiles, served: Served, request: pytest.FixtureRequest) -> Iterator[NewPerson]:
    """Give another person an empty browser profile: ``new_person("Anna", size=PHONE, is_dark=True)``."""
    people: list[tuple[Person, Look]] = []

    def _new_person(
        name: str = "Anna",
        size: tuple[int, int] = DESK,
        *,
        is_dark: bool = False,
        has_motion: bool = False,
        bypass_csp: bool = False,
        at: Served | None = None,
    ) -> Person:
        look = Look((at or served).url, size, is_dark, has_motion, bypass_csp)
        people.append((Person(profiles.page(look), at or served, name), look))
        return people[-1][0]

    failures = request.session.testsfailed
    yield _new_person
    faults = [fault for person, _ in people for fault in person.faults]
    for person, look in people:
        person.leaves()
        if look.url != served.url or faults or request.session.testsfailed > failures:
            person.context.close()
        else:
            profiles.give_back(look, person.page, is_altered=person.is_altered)
    assert not faults, faults
