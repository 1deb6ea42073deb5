"""Take the pictures of the web client for the README, with a real browser and a real server."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

from docs.pictures.png import decode, encode
from playwright.sync_api import Browser, BrowserContext, FloatRect, sync_playwright
from tests.e2e.browsers import PLAIN, found_browser
from tests.e2e.person import Person
from tests.e2e.position import lay
from tests.server.served import Served, serving

from flagfall.edition import combat_table, load_game, resolve
from flagfall.match import Match, Seating
from flagfall.players import make_player
from flagfall.server.sessions.texts import choices
from flagfall.sides import Side

HERE = Path(__file__).resolve().parent
MAX_BYTES = 250_000
MAX_ANIMATED_BYTES = 400_000
DESKTOP, PHONE = (1280, 800), (360, 640)
FRAME_MS, SHOWN_MS = 40, 60
"""the time between two frames in the client, and in the picture"""
MAX_FRAMES = 60

# Animations stand still until `advance` moves them on; it returns whether there was one.
STEPPED_ANIMATIONS = """
const start = Element.prototype.animate;
const running = new Set();
Element.prototype.animate = function (...given) {
    const animation = start.apply(this, given);
    animation.pause();
    running.add(animation);
    return animation;
};
window.advance = (ms) => {
    const now = [...running];
    for (const animation of now) {
        const end = animation.effect.getComputedTiming().endTime;
        const next = Number(animation.currentTime ?? 0) + ms;
        if (next < end) animation.currentTime = next;
        else { running.delete(animation); animation.finish(); }
    }
    return now.length > 0;
};
"""


@dataclass(frozen=True)
class Picture:
    """One picture: what is on it and how large it is."""

    name: str
    show: Callable[[Person], None]
    size: tuple[int, int] = DESKTOP
    is_dark: bool = False
    pieces: Literal["figures", "numbers"] = "figures"


def play_until(game_id: str, seed: int, is_enough: Callable[[Match], bool]) -> Match:
    """Return a game between two greedy players at the first position that is enough."""
    game = load_game(game_id)
    options = resolve(game, {})
    match = Match.created(game, options, Seating("Anna", "Computer"), 0)
    players = [make_player("greedy", game, options, Random(seed + number)) for number in (0, 1)]
    for number, side in enumerate(Side):
        match.seal(side, players[number].set_up(number), 0, f"salt of the {side}")
    while (mover := match.to_move) and not is_enough(match):
        view = match.view(mover, forgets=False)
        player = players[0 if mover == Side.SOUTH else 1]
        match.act(mover, None, player.choose(view, match.history(mover)), 0)
    return match


def open_match(person: Person, match: Match, *, level: str = "greedy") -> None:
    """Go to a match as South; without a level, the other seat is empty."""
    person.sit(lay(person.served.folder, match, {Side.SOUTH: person.guest()}, level=level))
    person.page.wait_for_load_state("networkidle")


def show_home(person: Person) -> None:
    """Show the boxes."""
    person.open("/")
    person.page.locator("button[data-game]").first.wait_for()
    person.page.wait_for_load_state("networkidle")


def show_game(game_id: str, seed: int, turns: int) -> Callable[[Person], None]:
    """Return a function that shows a game after some turns, with a piece selected."""

    def show(person: Person) -> None:
        open_match(person, play_until(game_id, seed, lambda match: _is_turn(match, turns)))
        origins = Counter[str]()
        for choice in person.state["choices"]:
            origins[choice["origin"]] += 10 if choice["is_attack"] else 1
        person.cell(origins.most_common(1)[0][0]).click()
        person.page.mouse.move(0, 0)

    return show


def show_power(game_id: str, seed: int, turns: int, verb: str) -> Callable[[Person], None]:
    """Return a function that shows the targets of a power."""

    def is_enough(match: Match) -> bool:
        if not _is_turn(match, turns) or match.is_turn_open:
            return False
        offered = choices(match.game, match.view("south"), match.options)
        return sum(choice.verb == verb for choice in offered) >= 3

    def show(person: Person) -> None:
        open_match(person, play_until(game_id, seed, is_enough))
        choice = next(one for one in person.state["choices"] if one["verb"] == verb)
        person.cell(choice["origin"]).click()
        person.page.locator(f'[data-special="{verb} {choice["power"]}"]').click()
        person.page.mouse.move(0, 0)

    return show


def _is_turn(match: Match, turns: int) -> bool:
    return match.turn >= turns and match.to_move == Side.SOUTH


PICTURES = (
    Picture("first-page", show_home),
    Picture("game", show_game("onyx/classic", 4, 46)),
    Picture("power", show_power("lotr/special-powers", 2, 30, "shoot")),
    Picture("dark", show_game("spin-master/standard", 8, 40), is_dark=True, pieces="numbers"),
    Picture("phone", show_game("fire-and-ice/classic", 6, 18), size=PHONE),
    Picture("phone-numbers", show_game("duel-masters/classic", 4, 46), size=PHONE, pieces="numbers"),
)


def main() -> None:
    """Take them all."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as served, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=found_browser(), args=PLAIN)
        for picture in PICTURES:
            _write(picture.name, _take(browser, served, picture), MAX_BYTES)
        _write("fight", _take_fight(browser, served), MAX_ANIMATED_BYTES)
        browser.close()


def _write(name: str, png: bytes, max_bytes: int) -> None:
    if len(png) > max_bytes:
        raise RuntimeError(f"{name} has {len(png)} bytes; at most {max_bytes} are allowed")
    (HERE / f"{name}.png").write_bytes(png)


def _open_profile(browser: Browser, served: Served, picture: Picture, *, has_motion: bool = False) -> Person:
    context = browser.new_context(
        base_url=served.url,
        viewport={"width": picture.size[0], "height": picture.size[1]},
        color_scheme="dark" if picture.is_dark else "light",
        reduced_motion="no-preference" if has_motion else "reduce",
        device_scale_factor=2 if picture.size == PHONE or has_motion else 1,
    )
    settings = json.dumps(json.dumps({"pieces": picture.pieces}))
    context.add_init_script(f'localStorage.setItem("flagfall.settings", {settings});')
    if has_motion:
        context.add_init_script(STEPPED_ANIMATIONS)
    return Person(context.new_page(), served, "Anna")


def _take(browser: Browser, served: Served, picture: Picture) -> bytes:
    person = _open_profile(browser, served, picture)
    picture.show(person)
    person.page.evaluate("document.fonts.ready")
    shot = person.page.screenshot(animations="disabled")
    png = encode([decode(person.context.new_page(), shot)])
    person.context.close()
    return min(shot, png, key=len)


def _take_fight(browser: Browser, served: Served) -> bytes:
    """Take a picture of every step of an attack that South wins."""
    person = _open_profile(browser, served, Picture("fight", show_home), has_motion=True)
    match = play_until(
        "spin-master/standard", 9, lambda one: _is_turn(one, 12) and _won_attack(one) is not None
    )
    attack = _won_attack(match)
    assert attack is not None
    origin, target = attack
    open_match(person, match, level="")
    clip = _clip(person, target)
    shots: list[bytes] = []
    durations: list[int] = []

    def shoot(duration_ms: int) -> None:
        person.page.mouse.move(0, 0)
        shots.append(person.page.screenshot(clip=clip))
        durations.append(duration_ms)

    shoot(700)
    person.cell(origin).click()
    shoot(700)
    number = person.sees_number()
    person.cell(target).click()
    person.sees_number(number)
    person.page.locator("[data-step]").first.wait_for(state="attached")
    for _ in range(MAX_FRAMES):
        shoot(SHOWN_MS)
        if not person.page.evaluate(f"advance({FRAME_MS})"):
            break
    shoot(1800)
    return _encode_all(person.context, shots, durations)


def _encode_all(context: BrowserContext, shots: list[bytes], durations: list[int]) -> bytes:
    page = context.new_page()
    png = encode([decode(page, shot) for shot in shots], durations)
    context.close()
    return png


def _won_attack(match: Match) -> tuple[str, str] | None:
    """Return origin and target of an attack on an unknown piece that South beats, if there is one."""
    beaten = {(row.attacker.id, kind.id) for row in combat_table(match.game) for kind in row.beats}
    kinds = {one.cell: one.kind for side in Side for one in match.view(side).pieces if one.side == side}
    hidden = {piece.cell for piece in match.view("south").pieces if not piece.kind}
    for choice in choices(match.game, match.view("south"), match.options):
        if choice.verb != "attack" or choice.target not in hidden:
            continue
        is_central = choice.target[0] in "cdefgh"
        if is_central and (kinds[choice.origin], kinds[choice.target]) in beaten:
            return choice.origin, choice.target
    return None


def _clip(person: Person, target: str) -> FloatRect:
    """Return the part of the board around a square: seven columns and five rows."""
    square = person.cell(target).bounding_box()
    board = person.page.locator('[role="grid"]').bounding_box()
    assert square is not None
    assert board is not None
    size = square["width"]
    left = min(max(square["x"] - 3 * size, board["x"]), board["x"] + board["width"] - 7 * size)
    top = min(max(square["y"] - 2 * size, board["y"]), board["y"] + board["height"] - 5 * size)
    return {"x": left, "y": top, "width": 7 * size, "height": 5 * size}


if __name__ == "__main__":
    main()
