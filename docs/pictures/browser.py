"""Take the pictures of the web client for the README, with a real browser against a real server."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from docs.pictures.fewer_colours import fewer_colours
from playwright.sync_api import Browser, sync_playwright
from tests.e2e.browsers import PLAIN, found_browser
from tests.e2e.person import Person
from tests.e2e.position import lay
from tests.server.served import Served, serving

from flagfall.edition import load_game, resolve
from flagfall.match import Match, Seating
from flagfall.players import make_player
from flagfall.server.sessions.texts import choices
from flagfall.sides import Side

HERE = Path(__file__).resolve().parent
MOST_BYTES = 250_000
SIDES: tuple[Side, Side] = ("south", "north")


@dataclass(frozen=True)
class Picture:
    """One picture: what is on it and how large it is."""

    name: str
    show: Callable[[Person], None]
    size: tuple[int, int] = (1280, 800)
    is_dark: bool = False
    options: dict[str, str] = field(default_factory=dict)


def played(game_id: str, seed: int, is_enough: Callable[[Match], bool]) -> Match:
    """A game between two greedy players, as far as it is wanted."""
    game = load_game(game_id)
    options = resolve(game, {})
    match = Match.created(game, options, Seating("Anna", "Computer"), 0)
    players = [make_player("greedy", game, options, Random(seed + side)) for side in (0, 1)]
    for number, side in enumerate(SIDES):
        match.seal(side, players[number].set_up(number), 0, f"salt of the {side}")
    while (mover := match.to_move) and not is_enough(match):
        view = match.view(mover, forgets=False)
        match.act(mover, None, players[SIDES.index(mover)].choose(view, match.story(mover)), 0)
    return match


def first_page(person: Person) -> None:
    """The boxes."""
    person.open("/")
    person.page.locator("button[data-game]").first.wait_for()
    person.page.wait_for_load_state("networkidle")


def a_game(game_id: str, seed: int, turns: int) -> Callable[[Person], None]:
    """A game in full swing, a piece in the hand."""

    def show(person: Person) -> None:
        match = played(game_id, seed, lambda one: one.turn >= turns and one.to_move == "south")
        person.sit(lay(person.served.folder, match, {"south": person.guest()}, level="greedy"))
        offered = person.state["choices"]
        attacks = [choice for choice in offered if choice["is_attack"]] or offered
        person.cell(attacks[0]["origin"]).click()
        person.page.mouse.move(0, 0)

    return show


def a_power(game_id: str, seed: int, turns: int, verb: str) -> Callable[[Person], None]:
    """A power is being used: its targets are lit."""

    def is_enough(match: Match) -> bool:
        if match.turn < turns or match.to_move != "south" or match.is_turn_open:
            return False
        offered = choices(match.game, match.view("south"))
        return sum(choice.verb == verb for choice in offered) >= 3

    def show(person: Person) -> None:
        match = played(game_id, seed, is_enough)
        person.sit(lay(person.served.folder, match, {"south": person.guest()}, level="greedy"))
        choice = next(one for one in person.state["choices"] if one["verb"] == verb)
        person.cell(choice["origin"]).click()
        person.page.locator(f'[data-special="{verb} {choice["power"]}"]').click()
        person.page.mouse.move(0, 0)

    return show


PICTURES = (
    Picture("first-page", first_page),
    Picture("game", a_game("onyx/classic", 4, 60)),
    Picture("power", a_power("lotr/special-powers", 2, 30, "shoot")),
    Picture("phone", a_game("fire-and-ice/classic", 6, 30), size=(360, 640)),
    Picture("dark", a_game("spin-master/standard", 8, 40), is_dark=True),
)


def main() -> None:
    """Take them all."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as served, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=found_browser(), args=PLAIN)
        for picture in PICTURES:
            taken = _taken(browser, served, picture)
            if len(taken) > MOST_BYTES:
                raise RuntimeError(f"{picture.name} has {len(taken)} bytes; at most {MOST_BYTES} are wanted")
            (HERE / f"{picture.name}.png").write_bytes(taken)
        browser.close()


def _taken(browser: Browser, served: Served, picture: Picture) -> bytes:
    context = browser.new_context(
        base_url=served.url,
        viewport={"width": picture.size[0], "height": picture.size[1]},
        color_scheme="dark" if picture.is_dark else "light",
        reduced_motion="reduce",
        device_scale_factor=2 if picture.size[0] < 500 else 1,
    )
    person = Person(context, served, "Anna")
    picture.show(person)
    person.page.evaluate("document.fonts.ready")
    shot = person.page.screenshot(animations="disabled")
    taken = fewer_colours(context.new_page(), shot)
    context.close()
    return min(shot, taken, key=len)


if __name__ == "__main__":
    main()
