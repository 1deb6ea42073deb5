"""A person at a browser: opens pages, plays by mouse or by keyboard, and knows what the page knows.

What a person knows of a match is the newest State that the page's own socket was sent; the page says with
``data-number`` which one it shows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Literal

from playwright.sync_api import ConsoleMessage, Locator, Page, WebSocket, expect

from flagfall.server.store.rows import GuestRow
from tests.server.served import Json, Served, merged

Way = Literal["mouse", "keys"]
PLAIN = ("move", "attack")
MAX_TABS = 150
NUMBER_KEYS = 9
FOLLOW = "path => (history.pushState(null, '', path), dispatchEvent(new PopStateEvent('popstate')))"
EXPECTED_FAULTS = re.compile(r"WebSocket connection|Failed to load resource|ERR_CONNECTION")


class Person:
    """A guest with a browser profile of their own."""

    def __init__(self, page: Page, served: Served, name: str) -> None:
        self.page, self.context, self.served, self.name = page, page.context, served, name
        self.heard: list[str] = []
        self.state: Json = {}
        self.faults: list[str] = []
        self.is_altered = False
        self._handlers: list[tuple[str, Callable[[Any], None]]] = []
        self.on("websocket", self._listen)
        self.on("pageerror", lambda error: self.faults.append(str(error)))
        self.on("console", self._read_console)

    def on(self, event: str, handler: Callable[[Any], None]) -> None:
        """Call the handler at every such event of the page, until the person leaves."""
        page: Any = self.page
        page.on(event, handler)
        self._handlers.append((event, handler))

    def runs_first(self, script: str) -> None:
        """Run a script before those of the page; nobody else can have this page afterwards."""
        self.page.add_init_script(script)
        self.is_altered = True

    def leaves(self) -> None:
        """Hear no more of the page; another person will have it."""
        for event, handler in self._handlers:
            self.page.remove_listener(event, handler)

    def _read_console(self, said: ConsoleMessage) -> None:
        if said.type == "error" and not EXPECTED_FAULTS.search(said.text):
            self.faults.append(said.text)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: self._hear(str(payload)))

    def _hear(self, text: str) -> None:
        self.heard.append(text)
        message: Json = json.loads(text)
        if message["what"] == "state":
            self.state = message
        elif message["what"] == "change" and self.state:
            self.state = merged(self.state, message)

    # ------------------------------------------------------------------ who

    def guest(self) -> GuestRow:
        """This person as a guest of the server."""
        answer = self.context.request.post("/api/guests", data={"name": self.name})
        said = answer.json()
        return GuestRow(said["id"], said["name"])

    # ------------------------------------------------------------------ going somewhere

    def open(self, path: str) -> Person:
        """Go to a page."""
        self.page.goto(path)
        return self

    def follows(self, path: str) -> Person:
        """Go to a page as a link does, without loading the client anew if it is there already."""
        if not self.page.url.startswith(self.served.url):
            return self.open(path)
        self.state = {}
        self.page.evaluate(FOLLOW, path)
        return self

    def sit(self, match: str) -> Person:
        """Go to a table where a game is played."""
        self.follows(f"/play/{match}")
        self.sees_number()
        return self

    def begins(self, game: str, *, against: str = "Recruit", way: str = "", side: str = "") -> Person:
        """From the first page: choose a game and an opponent, play."""
        self.open("/")
        self.page.locator(f'button[data-game="{game}"]').click()
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_text(against, exact=True).click()
        if way:
            dialog.get_by_text(way, exact=True).click()
        if side:
            dialog.get_by_text("More options").click()
            dialog.locator(f'input[type="radio"][value="{side}"]').check()
        dialog.locator("button[type=submit]").click()
        self.page.wait_for_url("**/play/*")
        return self

    def faces(self, player: str, game: str) -> Person:
        """Play a computer player that is not on the new-game page, but quick."""
        self.guest()
        request = {"game": game, "opponent": "computer", "level": player}
        made: Json = self.context.request.post("/api/matches", data=request).json()
        return self.open(f"/play/{made['match']}")

    def is_ready(self) -> None:
        """Hand in the setup that is on the board."""
        self.button(re.compile("^Ready")).click()

    def reload(self) -> None:
        """Load the page anew; everything the page knew is gone."""
        self.state = {}
        self.page.reload()

    # ------------------------------------------------------------------ seeing

    @property
    def table(self) -> Locator:
        """The game on the page."""
        return self.page.locator("main[data-number]")

    def cell(self, square: str) -> Locator:
        """A square of the board."""
        return self.page.locator(f'[role="gridcell"][data-cell="{square}"]')

    def sees_number(self, above: int = -1) -> int:
        """Wait until the page shows a State with a number above that; the number."""
        self.page.wait_for_function(
            "above => Number(document.querySelector('main[data-number]')?.dataset.number ?? -1) > above",
            arg=above,
        )
        shown = int(self.table.get_attribute("data-number") or -1)
        while self.state.get("number", -1) < shown:
            self.page.evaluate("0")
        return shown

    def awaits_turn(self, above: int = -1) -> bool:
        """Wait until this person is to move, or the game is over; whether there is something to do."""
        number = self.sees_number(above)
        while self.state["phase"] != "over" and self.state["to_move"] not in self.state["yours"]:
            number = self.sees_number(number)
        return bool(self.state["phase"] != "over")

    def standing(self) -> dict[str, str]:
        """Where the page shows pieces, and whose they are."""
        found: dict[str, str] = self.page.evaluate(
            """() => Object.fromEntries(
                [...document.querySelectorAll('[role="gridcell"] .tile')].map(tile => [
                    tile.closest("[data-cell]").dataset.cell,
                    tile.classList.contains("south") ? "south" : "north",
                ]))"""
        )
        return found

    def choice(self, text: str) -> Json:
        """One of the choices, by its notation."""
        return next(one for one in self.state["choices"] if one["text"] == text)

    # ------------------------------------------------------------------ playing

    def play(self, choice: Json, way: Way = "mouse") -> None:
        """Play a choice, as a person would, and see it done."""
        before = int(self.state["number"])
        hand: Hand = Mouse(self) if way == "mouse" else Keys(self)
        hand.play(choice)
        self.sees_number(before)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button by what it says."""
        return self.page.get_by_role("button", name=name)

    def resigns(self) -> None:
        """Give the game up, and mean it."""
        if (more := self.button("More")).is_visible():
            more.click()
        self.button("Resign").first.click()
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_role("button", name="Resign").click()
        expect(self.page.get_by_label("Result")).to_contain_text("You lose")


class Hand:
    """How choices are played; what differs between mouse and keyboard is below."""

    def __init__(self, person: Person) -> None:
        self.person, self.page = person, person.page

    def play(self, choice: Json) -> None:
        """Do what leads to this choice."""
        verb = choice["verb"]
        if verb in PLAIN:
            self._take(choice["origin"])
            self.square(choice["target"])
        elif verb == "choose square":
            self.square(choice["target"])
        elif verb == "choose kind":
            self.kind(choice)
        elif verb == "done":
            self.listed(choice)
        else:
            self._special(choice)
        if choice.get("preview", {}).get("question"):
            self.confirm(choice["preview"]["question"])

    def _special(self, choice: Json) -> None:
        if choice["origin"]:
            self._take(choice["origin"])
        self.power(f"{choice['verb']} {choice['power']}")
        alike = [
            one
            for one in self.person.state["choices"]
            if all(one[field] == choice[field] for field in ("verb", "power", "origin"))
        ]
        if len({_stands(one) for one in alike}) > 1:
            self.square(_stands(choice))
        if re.fullmatch(r"[a-j]\d+", choice["target"]):
            self.square(choice["target"])
        else:
            self.listed(choice)

    def _take(self, square: str) -> None:
        if self.person.cell(square).get_attribute("aria-selected") != "true":
            self.square(square)
        expect(self.person.cell(square)).to_have_attribute("aria-selected", "true")

    def square(self, square: str) -> None:
        """Choose a square of the board."""
        raise NotImplementedError

    def power(self, key: str) -> None:
        """Begin a power of the piece that is taken."""
        raise NotImplementedError

    def listed(self, choice: Json) -> None:
        """Choose from the list next to the board."""
        raise NotImplementedError

    def kind(self, choice: Json) -> None:
        """Say a kind."""
        raise NotImplementedError

    def confirm(self, question: str) -> None:
        """Read what it would cost, and do it."""
        asked = self.page.get_by_role("group", name="Do it?")
        expect(asked).to_contain_text(question)
        self._confirm(asked.get_by_role("button", name="Do it"))

    def _confirm(self, button: Locator) -> None:
        raise NotImplementedError

    def _listed(self, choice: Json) -> Locator:
        return self.page.locator(f'[data-action="{choice["action"]}"]')

    def _kind(self, choice: Json) -> Locator:
        at = [one["action"] for one in self.person.state["choices"] if one["kind"]].index(choice["action"])
        return self.page.get_by_role("group", name="Kinds").get_by_role("button").nth(at)


class Mouse(Hand):
    """By mouse alone."""

    def square(self, square: str) -> None:
        self.person.cell(square).click()

    def power(self, key: str) -> None:
        self.page.locator(f'[data-special="{key}"]').click()

    def listed(self, choice: Json) -> None:
        self._listed(choice).click()

    def _confirm(self, button: Locator) -> None:
        button.click()

    def kind(self, choice: Json) -> None:
        self._kind(choice).click()
        self.page.locator("button.confirm").click()


class Keys(Hand):
    """By keyboard alone."""

    def square(self, square: str) -> None:
        self._to_board()
        across, down = self._way(square)
        for key, steps in (("Right", across), ("Left", -across), ("Down", down), ("Up", -down)):
            for _ in range(steps):
                self.page.keyboard.press(f"Arrow{key}")
        expect(self.person.cell(square)).to_be_focused()
        self.page.keyboard.press("Enter")

    def power(self, key: str) -> None:
        expect(self.page.locator(f'[data-special="{key}"]')).to_be_visible()
        self.page.keyboard.press("p")
        self._tab_to(self.page.locator(f'[data-special="{key}"]'))
        self.page.keyboard.press("Enter")

    def listed(self, choice: Json) -> None:
        button = self._listed(choice)
        expect(button).to_be_visible()
        if choice["verb"] == "advance":
            arrow = re.search(r"Arrow\w+", button.get_attribute("class") or "")
            assert arrow
            self.page.keyboard.press(arrow[0])
            if not choice["preview"].get("question"):
                self._confirm(self.person.button("Do it"))
            return
        at = button.evaluate("one => [...one.closest('ul').querySelectorAll('button')].indexOf(one)")
        if at < NUMBER_KEYS:
            self.page.keyboard.press(str(at + 1))
        else:
            self._tab_to(button)
            self.page.keyboard.press("Enter")

    def _confirm(self, button: Locator) -> None:
        expect(button).to_be_focused()
        self.page.keyboard.press("Enter")

    def kind(self, choice: Json) -> None:
        button = self._kind(choice)
        expect(button).to_be_visible()
        self._tab_to(button)
        self.page.keyboard.press("Enter")
        expect(button).to_have_attribute("aria-pressed", "true")
        self._tab_to(self.page.locator("button.confirm"))
        self.page.keyboard.press("Enter")

    def _to_board(self) -> None:
        self._tab_to(self.page.locator('[role="gridcell"][tabindex="0"]'))

    def _tab_to(self, wanted: Locator) -> None:
        """Press Tab until it has the focus."""
        for _ in range(MAX_TABS):
            if wanted.evaluate("one => one === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("Tab does not lead there")

    def _way(self, square: str) -> tuple[int, int]:
        """Columns and rows on the screen from the square under the cursor."""
        found: list[int] = self.person.cell(square).evaluate(
            """to => {
                const place = (cell) => [
                    Number(cell.ariaColIndex), Number(cell.parentElement.ariaRowIndex)];
                const [a, b] = place(document.activeElement), [c, d] = place(to);
                return [c - a, d - b];
            }"""
        )
        return found[0], found[1]


def _stands(choice: Json) -> str:
    return str(choice["stands"] or choice["origin"])
