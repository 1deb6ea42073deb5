"""The pieces on a phone: in both sets, nothing on a piece covers anything else, in every layout."""

from __future__ import annotations

from playwright.sync_api import expect

from flagfall.sides import Side
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
