"""The pieces: nothing covers anything else on a phone, all captured ones are seen, colours are not forced."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import expect

from flagfall.edition import load_game, resolve
from flagfall.match import Match, Seating
from flagfall.server.sessions.texts import choices
from flagfall.setups import random_setup
from flagfall.sides import SIDES, Side
from tests.e2e.conftest import PHONE, NewPerson
from tests.e2e.person import Person
from tests.e2e.position import OTHER, lay, position

GAMES = {
    "spin-master.standard.spotting": {"Figures": "corner", "Numbers": "numeral"},
    "duel-masters.elemental-powers.seeing": {"Figures": "plate", "Numbers": "thousands"},
}
"""a position of a game, and the layout of its ranks in either set"""
COVERED = """tiles => {
    const box = one => { const {left, right, top, bottom} = one.getBoundingClientRect();
        return {left, right, top, bottom, name: one.getAttribute("class")}; };
    const found = [];
    for (const tile of tiles) {
        const around = box(tile);
        const parts = [...tile.querySelectorAll(".figure, .numeral, .eye, .foot, .note, .warning")].map(box);
        parts.forEach((one, at) => {
            if (one.left < around.left || one.right > around.right || one.top < around.top
                || one.bottom > around.bottom) found.push(`${one.name} is not on its tile`);
            for (const other of parts.slice(at + 1))
                if (one.left < other.right && other.left < one.right && one.top < other.bottom
                    && other.top < one.bottom) found.push(`${one.name} covers ${other.name}`);
        });
        for (const text of tile.querySelectorAll(".numeral text")) {
            const [ink, room] = [text, text.parentNode].map(one => one.getBoundingClientRect().width);
            if (ink > room * 1.15) found.push(`${text.textContent} is ${ink} wide, not ${room}`);
        }
    }
    return found;
}"""


def test_nothing_on_a_piece_covers_anything_else_on_a_phone(new_person: NewPerson) -> None:
    anna = new_person("Anna", PHONE)
    for name, layouts in GAMES.items():
        standing = position(name)
        match = standing.match(("Anna", "Anna"))
        anna.sit(lay(anna.served.folder, match, {standing.seat: anna.guest()}, level="greedy"))
        _note(anna, OTHER[standing.seat], "major")
        for chosen, layout in layouts.items():
            _choose(anna, chosen)
            tiles = anna.page.locator('[role="grid"] .tile')
            expect(tiles.and_(anna.page.locator(f'[data-layout="{layout}"]')).first).to_be_visible()
            assert tiles.evaluate_all(COVERED) == []
    anna.reload()
    expect(anna.page.locator('[role="grid"] [data-layout="thousands"]').first).to_be_visible()


def test_captured_pieces_of_many_kinds_are_all_on_a_phone(new_person: NewPerson) -> None:
    anna = new_person("Anna", PHONE)
    match = _after_many_fights("fire-and-ice/special-powers", kinds=8)
    anna.sit(lay(anna.served.folder, match, {Side.SOUTH: anna.guest()}, level="greedy"))
    captured = anna.page.get_by_role("list", name="Captured: Everwinter").get_by_role("listitem")
    assert captured.count() >= 8
    for one in captured.all():
        expect(one).to_be_in_viewport(ratio=1)


def test_what_happened_is_said_on_a_phone_also_where_the_army_has_a_power(new_person: NewPerson) -> None:
    anna = new_person("Anna", PHONE)
    standing = position("duel-masters.elemental-powers.energy-blast")
    match = standing.match(("Anna", "Ben"))
    anna.sit(lay(anna.served.folder, match, {standing.seat: anna.guest()}, level="greedy"))
    expect(anna.button(re.compile("^Ferocious Advance"))).to_be_visible()
    expect(anna.page.get_by_text("Your turn. Choose a piece.")).to_be_visible()
    expect(anna.page.get_by_role("group", name="Battle")).to_be_visible()


def test_forced_colours_leave_boards_and_pieces_alone(new_person: NewPerson) -> None:
    anna = new_person("Anna")
    anna.page.emulate_media(forced_colors="active")
    standing = position("spin-master.standard.spotting")
    match = standing.match(("Anna", "Ben"))
    anna.sit(lay(anna.served.folder, match, {standing.seat: anna.guest()}, level="greedy"))
    back = anna.page.locator('[role="grid"] .tile.back').first
    expect(back).to_have_css("background-color", "rgb(217, 54, 62)")
    anna.page.emulate_media(forced_colors="none")


def _after_many_fights(game_id: str, kinds: int) -> Match:
    """Return a match of random turns, fights first, with South to move and so many captured kinds."""
    game, rng = load_game(game_id), Random(13)
    match = Match.created(game, resolve(game, {}), Seating("Anna", "Computer"), 0)
    for side in SIDES:
        match.seal(side, random_setup(game, side, rng), 0, f"salt of the {side}")
    while match.to_move:
        captured = {piece.kind for piece in match.view(Side.SOUTH).tray if piece.side == Side.NORTH}
        if match.to_move == Side.SOUTH and not match.is_turn_open and len(captured) >= kinds:
            return match
        offered = choices(game, match.view(match.to_move), match.options)
        fights = [choice for choice in offered if choice.is_attack and choice.is_likely]
        match.act(match.to_move, None, rng.choice(fights or list(offered)).text, 0)
    raise AssertionError("the game ended first")


def _choose(person: Person, chosen: str) -> None:
    person.button("Settings").click()
    dialog = person.page.get_by_role("dialog", name="Settings")
    choice = dialog.get_by_role("radio", name=chosen)
    dialog.locator("label").filter(has=person.page.get_by_role("radio", name=chosen)).click()
    expect(choice).to_be_checked()
    person.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def _note(person: Person, side: Side, text: str) -> None:
    """Write a note on the first piece of a side."""
    person.page.locator(f'[role="gridcell"]:has(.tile.{side})').first.click()
    if (details := person.button("Piece")).is_visible():
        details.click()
    field = person.page.locator("[data-note]")
    field.fill(text)
    field.press("Enter")
    expect(person.page.locator('[role="grid"] .note')).to_have_text(text)
    person.page.keyboard.press("Escape")
    expect(field).to_be_hidden()
