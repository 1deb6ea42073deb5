"""The box workshop: boxes of guests are checked, saved, shared by link, simulated and played."""

from __future__ import annotations

import io
import os
import sqlite3
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from flagfall.edition import load
from flagfall.edition.load import MAX_BOX_CHARS
from flagfall.edition.schema import OutdatedBoxError
from flagfall.edition.versions import VERSIONS, Versions, version_id_of
from flagfall.server.admin.prune import prune
from flagfall.server.admin.verify import verify
from flagfall.server.api.messages.workshop import BoxTemplate
from flagfall.server.api.requests import NewMatch
from flagfall.server.api.routes.lessons import courses_of
from flagfall.server.api.routes.workshop import schema
from flagfall.server.errors import RequestError
from flagfall.server.sessions import registry as registry_module
from flagfall.server.store.database import NotReadError
from flagfall.server.store.match_store import FILE_NAME
from flagfall.server.workers import BoxJob, Job, ThinkingError, Workers, pool
from flagfall.server.workers.box_check import check_text
from flagfall.server.workers.processes import ProcessDiedError, WorkerProcess
from tests.server.served import Guest, Json, Served, pick, serving
from tests.server.test_match_store import ANNA, _registry
from tests.server.test_workers import run

TEMPLATE = (files("flagfall.edition") / "data" / "new-box.template").read_text(encoding="utf-8")
BROKEN = TEMPLATE.replace("home_rows = 2", "home_row = 2")
WORKSHOP = "/api/workshop"
BOXES = Path(__file__).parents[1] / "edition"
GUIDED = "".join((BOXES / name).read_text(encoding="utf-8") for name in ("small.toml", "small_guide.toml"))
HARBOUR = Path(__file__).parents[2] / "examples/harbour.toml"


def other(number: int) -> str:
    """Return a text that is valid and different from all others."""
    return f"{TEMPLATE}\n# {number} {time.monotonic_ns()}\n"


@pytest.fixture
def anna(served: Served) -> Iterator[Guest]:
    with Guest(served, "Anna") as guest:
        yield guest


def made(guest: Guest, text: str = TEMPLATE) -> Json:
    box: Json = guest.post(WORKSHOP, text=text)["box"]
    return box


def until(guest: Guest, address: str, is_so: Callable[[Json], bool]) -> Json:
    end = time.monotonic() + 60
    while not is_so(state := guest.get(address)["run"]):
        assert time.monotonic() < end, state
        time.sleep(0.05)
    found: Json = state
    return found


# ---------------------------------------------------------------------- check and save


def test_a_right_text_gives_the_game_with_board_armies_and_fights(anna: Guest) -> None:
    checked = anna.post(f"{WORKSHOP}/check", text=TEMPLATE)
    assert checked["problems"] == []
    assert checked["box"]["name"] == "My own box"
    assert checked["game"]["fights"]
    assert checked["game"]["id"].startswith(version_id_of(TEMPLATE))
    assert anna.get(WORKSHOP)["boxes"] == []


def test_a_wrong_text_gives_problems_with_lines(anna: Guest) -> None:
    (problem,) = anna.post(f"{WORKSHOP}/check", text=BROKEN)["problems"]
    line = BROKEN[: BROKEN.index("home_row =")].count("\n") + 1
    assert (problem["line"], problem["column"], problem["table"]) == (line, 1, "board")


def test_a_draft_with_problems_is_saved_and_keeps_the_last_version(anna: Guest) -> None:
    box = made(anna)
    saved = anna.put(f"{WORKSHOP}/{box['id']}", text=BROKEN, base=box["revision"])
    assert not saved["box"]["is_valid"]
    assert saved["problems"]
    assert saved["box"]["version"] == box["version"]
    opened = anna.get(f"{WORKSHOP}/{box['id']}")
    assert (opened["text"], opened["problems"]) == (BROKEN, saved["problems"])


def test_a_second_window_cannot_overwrite_by_mistake(anna: Guest) -> None:
    box = made(anna)
    address = f"{WORKSHOP}/{box['id']}"
    anna.put(address, text=other(1), base=box["revision"])
    refused = anna.put(address, 409, text=other(2), base=box["revision"])
    assert refused["code"] == "stale-box"
    assert anna.put(address, text=BROKEN)["text"] == BROKEN


def test_boxes_are_limited_in_number_and_size(tmp_path: Path) -> None:
    with serving(tmp_path, max_boxes="2", box_checks_per_minute="4") as served:
        anna = Guest(served, "Anna")
        works, broken = made(anna, other(1)), made(anna, BROKEN)
        assert anna.post(WORKSHOP, 409, text=other(3))["code"] == "full"
        assert anna.post(WORKSHOP, 400, text="#" * (MAX_BOX_CHARS + 1))["code"] == "malformed"
        assert anna.post(WORKSHOP, 413, text="#" * 700_000)["code"] == "too-large"
        assert anna.post(f"{WORKSHOP}/check", text="#" * MAX_BOX_CHARS)["problems"]
        assert anna.post(f"{WORKSHOP}/check", 429, text="")["code"] == "too-many"
        assert anna.get(f"{WORKSHOP}/{broken['id']}", 429)["code"] == "too-many", (
            "its problems are looked for"
        )
        assert anna.get(f"{WORKSHOP}/{works['id']}")["problems"] == []


def test_the_schema_offers_keys_verbs_icons_and_a_template_that_works(anna: Guest) -> None:
    facts = anna.get(f"{WORKSHOP}/schema")
    kind = next(section for section in facts["sections"] if section["path"] == "kind.*")
    role = next(key for key in kind["keys"] if key["name"] == "role")
    assert role["values"] == ["soldier", "bomb", "flag"]
    assert {"run", "bearer"} <= {verb["name"] for verb in facts["verbs"]}
    assert "barbarian" in facts["icons"]
    assert anna.post(f"{WORKSHOP}/check", text=facts["templates"][0]["text"])["problems"] == []


# ---------------------------------------------------------------------- who may see and change it


def test_only_the_author_edits_and_whoever_has_the_link_looks(served: Served, anna: Guest) -> None:
    box = made(anna, other(4))
    with Guest(served, "Ben") as ben:
        address = f"{WORKSHOP}/{box['id']}"
        assert ben.get(address, 404)["code"] == "not-found"
        assert ben.put(address, 404, text=TEMPLATE)["code"] == "not-found"
        assert ben.delete(address, 404)["code"] == "not-found"
        assert ben.post(f"{address}/simulate", 404)["code"] == "not-found"
        assert ben.get(WORKSHOP)["boxes"] == []
        shared = ben.get(f"/api/boxes/{box['id']}")
        assert (shared["author"], shared["is_yours"], shared["can_be_played"]) == ("Anna", False, True)
        assert box["version"] not in str(ben.get("/api/games"))
    assert anna.get(f"/api/boxes/{box['id']}")["is_yours"]
    assert anna.get("/api/boxes/nothing", 404)["code"] == "not-found"


def test_a_guessed_version_and_a_bundled_id_give_nothing(anna: Guest) -> None:
    assert anna.get(f"/api/games/box-{'a' * 26}/classic", 404)["code"] == "not-found"
    checked = anna.post(f"{WORKSHOP}/check", text=TEMPLATE.replace('id = "my-box"', 'id = "onyx"'))
    assert "already a box with the id “onyx”" in checked["problems"][0]["message"]


def test_a_box_of_a_guest_is_not_offered_in_the_lobby(anna: Guest) -> None:
    game = made(anna, other(5))["box"]["games"][0]["id"]
    assert anna.post("/api/matches", 400, game=game, opponent="lobby")["code"] == "option"
    assert anna.post("/api/matches", game=game, opponent="friend")["invitation"]


# ---------------------------------------------------------------------- play


def play(guest: Guest, game: str, turns: int = 400) -> str:
    """Play a game on one screen to its end, or resign after some turns."""
    match: str = guest.post("/api/matches", game=game, opponent="hot-seat")["match"]
    for side in ("south", "north"):
        guest.post(f"/api/matches/{match}/setup", seat=side, code=guest.code(game, side))
    rng = Random(3)
    for _ in range(turns):
        side = guest.state(match, as_="watcher")["view"]["to_move"]
        state = guest.state(match, as_=side)
        if state["phase"] == "over":
            return match
        choice = pick(state, rng)
        guest.post(f"/api/matches/{match}/act", seat=side, number=state["number"], action=choice["action"])
    guest.post(f"/api/matches/{match}/resign", seat="south")
    return match


def test_a_match_outlives_changes_of_its_box_and_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        anna = Guest(served, "Anna")
        box = made(anna)
        game = box["box"]["games"][0]["id"]
        match = play(anna, game, 6)
        unfinished = anna.post("/api/matches", game=game, opponent="computer", level="random")["match"]
        anna.put(f"{WORKSHOP}/{box['id']}", text=other(6), base=1)
        anna.delete(f"{WORKSHOP}/{box['id']}")
        served.stop()
        assert verify(tmp_path).problems == ()
        served.start()
        assert anna.get(f"/api/games/{game}")["box_name"] == "My own box"
        assert len(anna.get(f"/api/matches/{match}/replay", as_="truth")["steps"]) == 7
        anna.post(f"/api/matches/{unfinished}/setup", code=anna.code(game, "south"))
        assert anna.state(unfinished, wait_s=5)["phase"] in ("setup", "playing")
        listed = anna.get("/api/me/games")
        assert "My own box" in str(listed)
        archive = zipfile.ZipFile(io.BytesIO(anna.http.get("/api/me/export").content))
        assert archive.read(f"boxes/{box['version']}.toml").decode() == TEMPLATE


def test_versions_that_nobody_needs_are_deleted(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        anna = Guest(served, "Anna")
        box, kept = made(anna, other(7)), made(anna, other(8))
        anna.post("/api/matches", game=kept["box"]["games"][0]["id"], opponent="friend")
        for number in range(3):
            anna.put(f"{WORKSHOP}/{box['id']}", text=other(number))
        anna.delete(f"{WORKSHOP}/{kept['id']}")
        anna.delete(f"{WORKSHOP}/{box['id']}")
        served.stop()
    with sqlite3.connect(tmp_path / FILE_NAME) as database:
        assert database.execute("SELECT id FROM box_versions").fetchall() == [(kept["version"],)]
    prune(tmp_path, -(10**9), is_applied=True)
    with sqlite3.connect(tmp_path / FILE_NAME) as database:
        assert database.execute("SELECT count(*) FROM box_versions").fetchone() == (0,)


def test_a_box_of_the_operator_is_in_the_catalogue_and_played(tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    (tmp_path / "data").mkdir()
    file.write_text(TEMPLATE.replace('id = "my-box"', 'id = "tiny"'), encoding="utf-8")
    with serving(tmp_path / "data", boxes=str(file)) as served:
        anna = Guest(served, "Anna")
        (box,) = [box for box in anna.get("/api/games")["boxes"] if box["id"] == "tiny"]
        game = box["games"][0]["id"]
        assert game.startswith("tiny/")
        match = play(anna, game, 4)
        version = anna.state(match, as_="truth")["game"]
        assert version.startswith("box-")
        assert anna.post("/api/matches", game=game, opponent="lobby")["match"]
        served.stop()
        file.write_text(file.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
        served.start()
        assert anna.get(f"/api/games/{version}")["name"]
        assert len(anna.get(f"/api/matches/{match}/replay", as_="truth")["steps"]) == 5


# ---------------------------------------------------------------------- simulation


def test_a_simulation_tells_who_wins_how_long_and_what_pieces_are_worth(anna: Guest) -> None:
    address = f"{WORKSHOP}/{made(anna)['id']}/simulate"
    assert anna.get(address) == {"run": None}
    assert anna.post(address, games=42, player="random")["run"]["state"] == "running"
    assert anna.post(address, 409, games=1)["code"] == "one-run"
    assert anna.post("/api/lab/run", 409, **_lab(anna))["code"] == "one-run"
    done = until(anna, address, lambda found: found["state"] != "running")
    assert (done["state"], done["played"], done["is_current"]) == ("done", 42, True)
    assert sum(done[side]["games"] for side in ("south", "north", "draws")) == 42
    assert sum(step["games"] for step in done["turns"]) == 42
    assert sum(ending["games"] for ending in done["endings"]) == 42
    assert done["south"]["low"] <= done["south"]["share"] <= done["south"]["high"]
    flags = [kind for kind in done["kinds"] if kind["kind"] == "treasure" or kind["captures"] == 0]
    assert flags
    assert any(kind["worth"] is not None for kind in done["kinds"])
    assert "42 games" in done["sentence"]


def _lab(guest: Guest) -> dict[str, Any]:
    return {"game": "mini/3x3", "side": "south", "code": guest.code("mini/3x3", "south"), "games": 1}


def test_a_simulation_is_cancelled_by_its_author_and_with_its_box(anna: Guest) -> None:
    box = made(anna, other(9))
    address = f"{WORKSHOP}/{box['id']}/simulate"
    anna.post(address, games=200)
    assert anna.delete(address)["run"]["state"] == "cancelled"
    anna.post(address, games=200)
    anna.delete(f"{WORKSHOP}/{box['id']}")
    assert anna.post("/api/lab/run", **_lab(anna))["run"]["state"] == "running"


def test_a_simulation_goes_on_after_a_restart_although_its_box_has_changed(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        anna = Guest(served, "Anna")
        box = made(anna, other(1))
        address = f"{WORKSHOP}/{box['id']}/simulate"
        anna.post(address, games=60, player="random")
        until(anna, address, lambda found: found["played"] >= 5)
        anna.put(f"{WORKSHOP}/{box['id']}", text=other(2))
        served.kill()
        served.start()
        found = anna.get(address)["run"]
        assert (found["state"], found["is_current"]) == ("running", False)
        assert found["played"] >= 5
        done = until(anna, address, lambda found: found["state"] != "running")
        assert (done["state"], done["played"]) == ("done", 60)


def test_a_box_that_was_never_right_cannot_be_simulated_or_played(anna: Guest) -> None:
    box = made(anna, BROKEN)
    assert (box["is_valid"], box["version"], box["box"]) == (False, "", None)
    assert anna.post(f"{WORKSHOP}/{box['id']}/simulate", 409)["code"] == "not-playable"
    assert not anna.get(f"/api/boxes/{box['id']}")["can_be_played"]


# ---------------------------------------------------------------------- hostile texts


def test_a_box_cannot_name_a_file(anna: Guest) -> None:
    text = TEMPLATE.replace('id = "my-box"', 'id = "my-box"\nlessons = "passwords.toml"')
    (problem,) = anna.post(f"{WORKSHOP}/check", text=text)["problems"]
    assert "names a file" in problem["message"]


def test_a_check_that_is_late_is_ended_and_the_next_one_works() -> None:
    async def play_through() -> None:
        workers = Workers(1, thinking_timeout_s=0.2, compiles=False)
        try:
            good = await workers.check_box("anna", BoxJob(TEMPLATE))
            assert b'"problems":[]' in good
            with pytest.raises(ThinkingError):  # the time is over before the answer can come
                await workers.check_box("anna", BoxJob(TEMPLATE, time_ms=-200))
            assert b'"problems":[]' in await workers.check_box("anna", BoxJob(TEMPLATE))
        finally:
            workers.close()

    run(play_through)


def test_a_process_that_checks_has_no_right_to_open_files_or_take_memory() -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        found = "nothing"
        try:
            from flagfall.server.workers import box_check

            box_check.check_safely(TEMPLATE, "")
            found = _forbidden()
        finally:
            os.write(writer, found.encode())
            os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    assert os.read(reader, 1000).decode() == "no files, no memory"
    os.close(reader)


def _forbidden() -> str:
    try:
        with Path("/etc/hostname").open(encoding="utf-8"):
            return "files"
    except OSError:
        pass
    try:
        bytearray(1 << 30)
    except MemoryError:
        return "no files, no memory"
    return "memory"


def test_the_text_of_a_box_is_never_part_of_the_log(served: Served, anna: Guest) -> None:
    secret = "a-secret-name-of-a-piece"
    made(anna, TEMPLATE + f"\n# {secret}\n")
    anna.post(f"{WORKSHOP}/check", text=f"{secret} = = 1")
    assert secret not in served.log()


def test_check_text_answers_the_game_that_was_asked_for() -> None:
    names = list(_games(TEMPLATE))
    game = check_text(TEMPLATE, names[-1]).game
    assert game is not None
    assert game.id.endswith(f"/{names[-1]}")


def _games(text: str) -> list[str]:
    box = check_text(text, "").box
    assert box is not None
    return [game.id.partition("/")[2] for game in box.games]


def test_a_match_is_not_damaged_because_its_box_cannot_be_read_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        game = f"{VERSIONS.add(other(1))}/classic"
        match = (await registry.new_matches.create(ANNA, NewMatch(game=game, opponent="hot-seat"))).row.id
        versions = Versions()
        monkeypatch.setattr(load, "VERSIONS", versions)  # a process that remembers nothing
        read = registry.store.boxes.version_text

        async def fails(_: str) -> str | None:
            raise NotReadError("busy")

        monkeypatch.setattr(registry.store.boxes, "version_text", fails)
        with pytest.raises(NotReadError):
            await registry.load_match(match)
        monkeypatch.setattr(registry.store.boxes, "version_text", read)
        monkeypatch.setattr(registry_module, "VERSIONS", versions)
        row, _ = await registry.load_match(match)
        assert row.status == "running"
        await registry.close()

    run(history)


# ---------------------------------------------------------------------- lessons, and later releases


def test_the_lessons_of_a_box_are_listed_and_played_by_everybody_with_its_version(
    anna: Guest, served: Served
) -> None:
    box = made(anna, HARBOUR.read_text(encoding="utf-8"))
    with Guest(served, "Ben") as ben:
        (course,) = ben.get(f"/api/lessons/{box['version']}")["courses"]
        (lesson,) = course["lessons"]
        assert (course["name"], lesson["game"]) == ("Harbour", f"{box['version']}/high-tide")
        done = ben.post(f"/api/lessons/{lesson['id']}", actions=["c2-c3 spot c4", "keg"])
        assert done["verdict"] == "done"
        assert ben.get("/api/lessons/spin-master")["courses"]
        assert box["version"] not in str(ben.get("/api/lessons"))
        assert ben.get("/api/lessons/box-aaaaaaaaaaaaaaaaaaaaaaaaaa", 404)["code"] == "not-found"
        assert ben.get("/api/lessons/nowhere", 404)["code"] == "not-found"


def test_the_guided_game_of_a_box_is_offered_with_its_lessons() -> None:
    version = VERSIONS.add(GUIDED)
    (course,) = courses_of(version).courses
    (guide,) = course.guides
    assert (course.name, guide.title, guide.id) == ("Small", "First game", f"{version}/first")
    assert (guide.game, guide.setup["a1"]) == (f"{version}/full", "flag")
    assert not any(course.guides for course in courses_of(VERSIONS.add(TEMPLATE)).courses)


def test_a_box_without_lessons_has_no_course(anna: Guest) -> None:
    assert anna.get(f"/api/lessons/{made(anna)['version']}")["courses"] == []


def test_a_stored_box_that_a_later_release_refuses_is_said_to_be_outdated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        version = VERSIONS.add(other(1))
        wanted = NewMatch(game=f"{version}/classic", opponent="hot-seat")
        match = (await registry.new_matches.create(ANNA, wanted)).row.id
        load._version_of.cache_clear()
        monkeypatch.setattr(load, "MAX_BOX_CHARS", 1000)  # a release that refuses such a text
        with pytest.raises(OutdatedBoxError) as outdated:
            await registry.new_matches.create(ANNA, wanted)
        told = RequestError.of(outdated.value)
        assert (told.status, told.code) == (409, "outdated-box")
        assert told.sentence.startswith("This box was written for an earlier release")
        with pytest.raises(OutdatedBoxError):
            courses_of(version)
        with pytest.raises(RequestError) as damaged:
            await registry.load_match(match)
        assert damaged.value.code == "damaged"
        await registry.close()

    run(history)


class NoWorkers:
    """A group in which no worker can be started."""

    is_closed = True

    async def fork(self) -> WorkerProcess:
        raise ProcessDiedError


def test_the_text_of_a_box_is_read_off_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    readers: list[threading.Thread] = []

    def read(_: str) -> str:
        readers.append(threading.current_thread())
        return ""

    async def history() -> None:
        job = Job(f"{version_id_of(TEMPLATE)}/classic", {}, "random", "seed")
        with pytest.raises(ThinkingError):
            await pool.Slot(cast(pool.Group, NoWorkers())).ask(job)

    monkeypatch.setattr(pool, "text_of_game", read)
    run(history)
    (reader,) = readers
    assert reader is not threading.main_thread()


@pytest.mark.parametrize("template", schema().templates, ids=lambda template: template.id)
def test_every_template_can_be_played_as_it_is(template: BoxTemplate) -> None:
    checked = check_text(template.text, "")
    assert checked.problems == ()
    assert checked.game is not None
    assert checked.game.has_powers == (template.id == "powers")
    assert template.help.endswith(".")
