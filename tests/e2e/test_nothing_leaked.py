"""What a page is sent, shows, says and keeps does not depend on what its player cannot know.

Twins: two matches whose hidden armies differ by two exchanged pieces that nobody has seen, with the same
turns. Everything that can be found in the browser is collected after every turn, and is the same.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Response, expect

from tests.e2e.conftest import NewPerson
from tests.e2e.person import Person
from tests.server.served import Guest
from tests.server.test_nothing_leaked import twins

AT_REST = """ms => new Promise(done => {
    let timer = setTimeout(done, ms);
    new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(done, ms); })
        .observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
})"""
"""resolves when nothing on the page has changed for so long"""
REST_MS = 200
EVERYTHING = """async () => ({
    page: document.body.outerHTML,
    head: [...document.head.children].map(one => one.outerHTML).sort(),
    values: [...document.querySelectorAll("input, select, textarea")].map(one => one.value),
    title: document.title,
    local: {...localStorage},
    session: {...sessionStorage},
    databases: (await indexedDB.databases()).map(one => one.name),
    caches: await caches.keys(),
    cookies: document.cookie,
    address: location.pathname,
})"""
"""what a program in the page could read"""
OWN_SETUP = re.compile(r"/api/games/.*/setup$|/api/setups")
NOTE = "zanzibar"


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("spin-master/duel", {}),
        ("spin-master/duel", {"memory": "strict"}),
        ("onyx/classic", {"silent_defense": "on"}),
    ],
    ids=["assisted", "strict", "silent"],
)
def test_twins(new_person: NewPerson, game: str, options: dict[str, str]) -> None:
    south, twin, north, texts = twins(game, options)
    assert south != twin
    first = _found(new_person, game, options, (south, north), texts)
    second = _found(new_person, game, options, (twin, north), texts)
    assert first.keys() == second.keys()
    for where in ("page before", "local before", "socket change", "answer GET"):
        assert any(what.startswith(where) for what in first), where
    for what in first:
        assert _parting(first[what], second[what]) is None, what


def _parting(one: str, other: str) -> tuple[str, str] | None:
    """Where two texts part, with some letters about it; None when they are the same."""
    if one == other:
        return None
    parted = (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    at = next(parted, min(len(one), len(other)))
    return one[max(0, at - 120) : at + 200], other[max(0, at - 120) : at + 200]


def _found(
    new_person: NewPerson, game: str, options: dict[str, str], setups: tuple[str, str], texts: list[str]
) -> dict[str, str]:
    """Everything in North's browser, by when and where it was found, without ids and times."""
    ben = new_person("Ben")
    mine = ben.guest().id
    found: dict[str, str] = {}
    answers: list[Response] = []
    ben.on("response", lambda answer: answers.append(answer))
    with Guest(ben.served, "Anna") as anna:
        made = anna.post("/api/matches", game=game, opponent="friend", side="south", options=options)
        match = made["match"]
        ben.context.request.post(f"/api/invitations/{made['invitation']}")
        ben.open(f"/play/{match}")
        expect(ben.button(re.compile("^Ready"))).to_be_enabled()
        anna.post(f"/api/matches/{match}/setup", code=setups[0])
        ben.context.request.post(f"/api/matches/{match}/setup", data={"code": setups[1]})
        ben.sees_number()
        for at, text in enumerate(texts):
            _keep(found, ben, f"before {at}")
            before = ben.state["number"]
            if anna.state(match)["to_move"] == "north":
                ben.play(ben.choice(text))
            else:
                anna.post(f"/api/matches/{match}/act", number=anna.state(match)["number"], text=text)
                if anna.state(match)["news"][-1]["number"] >= before and _is_seen(ben, match, before):
                    ben.sees_number(before)
        _keep(found, ben, "at the end")
    for answer in answers:
        if "/api/" in answer.url and not OWN_SETUP.search(answer.url):
            found[f"answer {answer.request.method} {answer.url.replace(match, 'MATCH')}"] = answer.text()
    for text in ben.heard:
        message: dict[str, Any] = json.loads(text)
        if message["what"] == "state":
            found[f"socket {message['phase']} {message['number']}"] = text
        elif message["what"] == "change":
            found[f"socket change {message['number']}"] = text
    return {what: _plain(text, match, mine) for what, text in found.items()}


def _is_seen(person: Person, match: str, before: int) -> bool:
    """Whether the last action was something that person could see."""
    state = person.context.request.get(f"/api/matches/{match}/state").json()
    return int(state["number"]) > before


def _keep(found: dict[str, str], person: Person, when: str) -> None:
    expect(person.page.locator('main[aria-busy="false"]')).to_be_visible()
    person.page.evaluate(AT_REST, REST_MS)
    everything: dict[str, object] = person.page.evaluate(EVERYTHING)
    for what, value in everything.items():
        found[f"{what} {when}"] = json.dumps(value, ensure_ascii=False)


def _plain(text: str, match: str, guest: str) -> str:
    text = text.replace(match, "MATCH").replace(guest, "GUEST")
    text = re.sub(r'"(at_ms|created_ms)":\d+', r'"\1":0', text)
    return re.sub(r'"commitments":\{[^}]*\}', '"commitments":{}', text)


def test_behind_the_curtain_the_memory_is_empty(new_person: NewPerson) -> None:
    """A note that only South's page knew is nowhere in the page's memory once the curtain has fallen."""
    anna = new_person("Anna").begins("mini/3x4", against="A friend", way="Share this screen")
    for _ in range(2):
        anna.button(re.compile("lift the curtain")).click()
        anna.is_ready()
    anna.state = {}
    anna.button(re.compile("lift the curtain")).click()
    anna.awaits_turn()
    enemy = next(piece["cell"] for piece in anna.state["view"]["pieces"] if piece["side"] == "north")
    box = anna.page.get_by_label("Command")
    box.fill(f"note {enemy} {NOTE}")
    box.press("Enter")
    expect(anna.cell(enemy)).to_have_attribute("aria-label", re.compile(NOTE))
    assert NOTE in _memory(anna)
    move = next(one for one in anna.state["choices"] if not one["is_attack"])
    anna.play(move)
    anna.button(re.compile("pass the device")).click()
    expect(anna.page.get_by_role("heading", name=re.compile("Pass the device"))).to_be_visible()
    assert NOTE not in _memory(anna)


def _memory(person: Person) -> str:
    """Everything that scripts of the page still hold."""
    tool = person.context.new_cdp_session(person.page)
    chunks: list[str] = []
    tool.on("HeapProfiler.addHeapSnapshotChunk", lambda part: chunks.append(part["chunk"]))
    tool.send("HeapProfiler.enable")
    tool.send("HeapProfiler.collectGarbage")
    tool.send("HeapProfiler.takeHeapSnapshot")
    tool.detach()
    return "".join(chunks)
