"""Measure the time from a mouse click to the new board on the screen: python -m bench.click.

A real browser plays against a server on this machine. Two times are taken: from taking a piece to the marks
of where it may go (the page alone), and from choosing its square to the moved piece (there and back through
referee and database). The clock is the browser's own; it stops when the frame with the change has been drawn.
The processor time for styles and layout is the page's own account.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from random import Random

from playwright.sync_api import CDPSession, Page, sync_playwright
from tests.e2e.browsers import PLAIN, found_browser
from tests.e2e.person import Person
from tests.e2e.position import lay
from tests.e2e.steer import steer
from tests.server.served import serving

from flagfall.sides import Side

CLICKS = 30
GAME = "spin-master/standard"
WATCH = """() => {
    window.times = {};
    const drawn = (what) => requestAnimationFrame(() => {
        const line = new MessageChannel();
        line.port1.onmessage = () => { window.times[what] ??= performance.now() - window.up; };
        line.port2.postMessage(0);
    });
    document.addEventListener("pointerup", (event) => {
        window.up = performance.now();
        window.times = {};
    }, {capture: true});
    new MutationObserver((changes) => {
        for (const change of changes) {
            const one = change.target;
            if (change.attributeName === "aria-selected" && one.ariaSelected === "true") drawn("marks");
            if (change.attributeName === "data-number") drawn("move");
        }
    }).observe(document.body, {subtree: true, attributes: true,
                               attributeFilter: ["aria-selected", "data-number"]});
}"""


def main() -> None:
    """Measure and print one line for each time."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as served, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=found_browser(), args=PLAIN)
        context = browser.new_context(base_url=served.url, viewport={"width": 1280, "height": 800})
        person = Person(context.new_page(), served, "Anna")
        times = _measured(person)
        browser.close()
    sys.stdout.write(
        f"style and layout: {statistics.median(times.pop('layout')):.1f} ms for a move and its answer\n"
    )
    for what, words in (("marks", "click to marks"), ("move", "click to the moved piece")):
        values = sorted(times[what])
        slow = values[int(0.95 * (len(values) - 1))]
        sys.stdout.write(
            f"{words}: median {statistics.median(values):.0f} ms, p95 {slow:.0f} ms, {len(values)} clicks\n"
        )


def _measured(person: Person) -> dict[str, list[float]]:
    from flagfall.edition import load_game, resolve
    from flagfall.match import Match, Seating
    from flagfall.setups import random_setup

    rng, game = Random(5), load_game(GAME)
    match = Match.created(game, resolve(game, {}), Seating("Anna", "Computer"), 0)
    match.seal("south", random_setup(game, 0, rng), 0, "salt of the south")
    match.seal("north", random_setup(game, 1, rng), 0, "salt of the north")
    person.sit(lay(person.served.folder, match, {Side.SOUTH: person.guest()}, level="random"))
    person.page.evaluate(WATCH)
    times: dict[str, list[float]] = {"marks": [], "move": [], "layout": []}
    tools = person.context.new_cdp_session(person.page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    for _ in range(CLICKS):
        person.awaits_turn()
        spent = _layout_ms(tools)
        steps = [one for one in person.state["choices"] if one["verb"] in ("move", "attack")]
        choice = steer({**person.state, "choices": steps}, rng)
        before = person.state["number"]
        person.cell(choice["origin"]).click()
        times["marks"].append(_time(person.page, "marks"))
        person.cell(choice["target"]).click()
        times["move"].append(_time(person.page, "move"))
        if not person.awaits_turn(before):
            break
        times["layout"].append(_layout_ms(tools) - spent)
    return times


def _layout_ms(tools: CDPSession) -> float:
    """Return the processor time that the page has spent on styles and layout so far."""
    found = {one["name"]: one["value"] for one in tools.send("Performance.getMetrics")["metrics"]}
    return float(1000 * (found["LayoutDuration"] + found["RecalcStyleDuration"]))


def _time(page: Page, what: str) -> float:
    return float(page.wait_for_function("what => window.times[what]", arg=what).json_value())


if __name__ == "__main__":
    main()
