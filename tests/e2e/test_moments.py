"""From a moment of a replay: play on, save pictures, and show the board on a page of another site."""

from __future__ import annotations

import functools
import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewPerson
from tests.e2e.test_access import Examiner
from tests.server.served import Served
from tests.server.test_reviews import finished

GAME = "spin-master/duel"


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder that another site serves, and its address."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield tmp_path, f"http://localhost:{site.server_port}/page.html"
        site.shutdown()


def test_from_a_moment_people_save_pictures_and_play_on(new_person: NewPerson, served: Served) -> None:
    _, match = finished(served, 4, GAME)
    anna = new_person("Anna", bypass_csp=True)
    anna.open(f"/replay/{match}?turn=2&eyes=north")
    page = anna.page
    expect(page.get_by_role("grid", name="Board after turn 2")).to_be_visible()
    page.keyboard.press("h")
    panel = page.get_by_role("dialog", name="From turn 2")
    expect(panel.get_by_label("Link to this moment")).to_have_value(
        re.compile(rf"/replay/{match}\?turn=2&eyes=north$")
    )
    for button, start in (("PNG", b"\x89PNG"), ("SVG", b"<svg"), ("Animated GIF", b"GIF89a")):
        with page.expect_download() as saved:
            panel.get_by_role("button", name=button).click()
        assert Path(saved.value.path()).read_bytes().startswith(start)
    examiner = Examiner(anna)
    examiner.glance("From here")
    assert examiner.found == {}
    expect(panel.get_by_label("You play")).to_have_value("north")
    panel.get_by_label("Against").select_option("Recruit")
    panel.get_by_role("button", name="Play on").click()
    expect(page).to_have_url(re.compile("/play/"))
    expect(page.get_by_text("Continued from turn 2 of an earlier game")).to_be_visible()
    expect(page.get_by_role("link", name="Open that moment")).to_have_attribute(
        "href", f"/replay/{match}?turn=2"
    )


def test_another_site_may_frame_the_board_but_no_other_page(
    new_person: NewPerson, served: Served, other_site: tuple[Path, str]
) -> None:
    _, match = finished(served, 4, GAME)
    folder, address = other_site
    frames = (f"/embed/replay/{match}?turn=2", f"/replay/{match}")
    (folder / "page.html").write_text(
        "".join(f'<iframe src="{served.url}{path}" height="600"></iframe>' for path in frames)
    )
    anna = new_person()
    asked: list[str] = []
    anna.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    page = anna.page
    page.goto(address)
    board = page.frame_locator("iframe >> nth=0")
    expect(board.get_by_role("grid", name="Board after turn 2")).to_be_visible()
    board.get_by_role("button", name="Next turn").click()
    expect(board.get_by_role("grid", name="Board after turn 3")).to_be_visible()
    expect(page.frame_locator("iframe >> nth=1").locator("main")).to_have_count(0)
    assert [fault for fault in anna.faults if "frame-ancestors" in fault] == anna.faults != []
    anna.faults.clear()
    assert all(line.startswith("GET ") for line in asked)
    assert not any("/api/guests" in line for line in asked)
    assert page.context.cookies() == []
