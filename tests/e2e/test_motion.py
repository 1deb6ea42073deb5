"""Turns play with motion and sound, are skipped by a click or key, and not drawn for who wants none."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import DESK, PHONE, NewPerson
from tests.e2e.person import Person
from tests.e2e.position import OTHER, lay, position

FIGHT = "lotr.special-powers.repeat-attack"
"""the Uruk-hai on f5 attacks the Rider on e5, wins, and may attack again"""
HOLD = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (...all) {
    const animation = animate.apply(this, all);
    animation.pause();
    return animation;
};
"""
"""motion begins and stays at its first frame, so that no test depends on time"""
FINISH = """() => document.getAnimations()
    .filter(one => one.effect.target.closest("[data-step]")).forEach(one => one.finish())"""
RECORD = """
window.drawn = [];
new MutationObserver(changes => changes.forEach(change => {
    const step = change.target.dataset?.step ?? change.target.querySelector?.("[data-step]")?.dataset.step;
    if (step && drawn.at(-1) !== step) drawn.push(step);
})).observe(document, {subtree: true, childList: true, attributes: true});
"""
"""the names of all steps that were drawn, in order"""
LISTEN = """
window.contexts = 0;
let hasBeenActive = false;
for (const gesture of ["pointerdown", "keydown"])
    addEventListener(gesture, () => (hasBeenActive = true), {capture: true, once: true});
Object.defineProperty(navigator, "userActivation", {value: {get hasBeenActive() { return hasBeenActive; }}});
window.AudioContext = class extends AudioContext {
    constructor(...all) { super(...all); contexts += 1; }
};
"""
"""how often the page has opened the sound device; what tests evaluate must not count as a click"""


def _layer(person: Person) -> Locator:
    return person.page.locator("[data-step]")


def _sits(person: Person, name: str, *scripts: str) -> Person:
    """Sit down at a position, whose turn it is, with scripts that run before those of the page."""
    for script in scripts:
        person.runs_first(script)
    stands = position(name)
    played = stands.match(("Anna", "Ben"))
    return person.sit(lay(person.served.folder, played, {stands.seat: person.guest()}))


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_fight_plays_above_the_final_board(new_person: NewPerson, size: tuple[int, int]) -> None:
    anna = _sits(new_person("Anna", size, has_motion=True), FIGHT, HOLD)
    for text in position(FIGHT).turn:
        anna.play(anna.choice(text))
    layer = _layer(anna)
    expect(layer).to_have_attribute("data-step", "fight")
    expect(layer).to_have_attribute("aria-hidden", "true")
    expect(layer.locator('[data-part="piece e5"] .numeral')).to_have_text("6")
    expect(layer.locator('[data-part="old e4"] .tile.back')).to_have_count(1)
    expect(layer.locator('[data-part="new e4"] .tile:not(.back) .numeral')).to_have_text("5")
    after = position(FIGHT).match(("Anna", "Ben"), 2).view("south")
    assert anna.standing() == {piece.cell: piece.side for piece in after.pieces}
    expect(anna.cell("e4")).to_have_attribute("aria-label", re.compile("^e4, yours, Uruk-hai"))
    expect(anna.cell("e4").locator(".tile")).to_be_hidden()
    anna.page.evaluate(FINISH)
    expect(layer).to_have_count(0)
    expect(anna.cell("e4").locator(".tile")).to_be_visible()


@pytest.mark.parametrize("way", ["click", "key"])
def test_the_next_click_or_key_skips_it_and_counts(new_person: NewPerson, way: str) -> None:
    anna = _sits(new_person("Anna", has_motion=True), FIGHT, HOLD)
    anna.play(anna.choice("f5xe5"))
    expect(_layer(anna)).to_have_count(1)
    if way == "click":
        anna.cell("b6").click()
        expect(anna.page.get_by_label("Selected piece")).to_contain_text("b6")
    else:
        anna.page.keyboard.press("?")
        expect(anna.page.get_by_role("dialog")).to_contain_text("Keys and symbols")
    expect(_layer(anna)).to_have_count(0)
    expect(anna.cell("e5").locator(".tile")).to_be_visible()


def test_events_play_one_after_the_other_and_end_by_themselves(new_person: NewPerson) -> None:
    anna = _sits(new_person("Anna", has_motion=True), "lotr.destroy-the-ring.rampage", RECORD)
    anna.play(anna.choice("f5-f6 rampage"))
    anna.page.wait_for_function("() => drawn.includes('sweep')")
    expect(_layer(anna)).to_have_count(0)
    assert anna.page.evaluate("drawn") == ["step", "sweep"]


@pytest.mark.parametrize("wants", ["reduced motion", "the setting"])
def test_who_wants_no_motion_sees_none(new_person: NewPerson, wants: str) -> None:
    anna = new_person("Anna", has_motion=wants == "the setting")
    stored = json.dumps(json.dumps({"motion": "off"}))
    off = f"localStorage.setItem('flagfall.settings', {stored});" if wants == "the setting" else ""
    _sits(anna, FIGHT, RECORD, off)
    for text in position(FIGHT).turn:
        anna.play(anna.choice(text))
    expect(anna.cell("e4")).to_have_attribute("aria-label", re.compile("^e4, yours, Uruk-hai"))
    expect(anna.cell("e4").locator(".tile")).to_be_visible()
    assert anna.page.evaluate("drawn") == []


def test_a_replay_moves_on_a_step_and_not_on_a_jump(new_person: NewPerson) -> None:
    anna = new_person("Anna", has_motion=True)
    anna.runs_first(HOLD)
    stands = position(FIGHT)
    played = stands.match(("Anna", "Ben"), len(stands.turn))
    played.resign(OTHER[stands.seat], 0)
    match = lay(anna.served.folder, played, {stands.seat: anna.guest()})
    turns = len(stands.played)
    anna.open(f"/replay/{match}?turn={turns}&eyes=south")
    board = anna.page.get_by_role("grid")
    expect(board).to_have_accessible_name(f"Board after turn {turns}")
    anna.button("Next turn").click()
    expect(_layer(anna)).to_have_attribute("data-step", "fight")
    expect(board).to_have_accessible_name(f"Board after turn {turns + 1}")
    anna.page.keyboard.press("Home")
    expect(board).to_have_accessible_name("Board after turn 0")
    expect(_layer(anna)).to_have_count(0)
    anna.page.keyboard.press("End")
    expect(board).to_have_accessible_name(f"Board after turn {turns + 1}")
    expect(_layer(anna)).to_have_count(0)


def test_there_is_no_sound_before_the_first_click(new_person: NewPerson) -> None:
    stands = position(FIGHT)
    anna, ben = new_person("Anna", has_motion=True), new_person("Ben")
    anna.runs_first(LISTEN)
    played = stands.match(("Anna", "Ben"), len(stands.turn))
    seats = {stands.seat: anna.guest(), OTHER[stands.seat]: ben.guest()}
    match = lay(anna.served.folder, played, seats)
    ben.sit(match)
    anna.sit(match)
    before = anna.state["number"]
    ben.play(next(one for one in ben.state["choices"] if one["verb"] == "move"))
    anna.sees_number(before)
    assert anna.page.evaluate("contexts") == 0
    anna.play(next(one for one in anna.state["choices"] if one["verb"] == "move"))
    anna.page.wait_for_function("() => contexts === 1")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_mute_button_is_in_sight_and_remembered(new_person: NewPerson, size: tuple[int, int]) -> None:
    anna = _sits(new_person("Anna", size, has_motion=True), FIGHT, LISTEN)
    mute = anna.button("Mute")
    expect(mute).to_be_in_viewport()
    expect(mute).to_have_attribute("aria-pressed", "false")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    anna.reload()
    anna.sees_number()
    expect(mute).to_have_attribute("aria-pressed", "true")
    anna.play(anna.choice("f5xe5"))
    assert anna.page.evaluate("contexts") == 0
    anna.button("Settings").click()
    expect(anna.page.get_by_role("dialog").get_by_label("Volume")).to_be_disabled()
    anna.page.get_by_role("dialog").get_by_label("Sound").check()
    expect(mute).to_have_attribute("aria-pressed", "false")
