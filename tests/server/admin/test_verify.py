"""Damage in logs, rows and references is found and repaired."""

from __future__ import annotations

import json
import stat
import time
from pathlib import Path

import pytest

from tests.cli.run import one_sentence
from tests.server.admin.data_folder import GAME, SOON_S, DataFolder, play_actions
from tests.server.admin.operator import Operator
from tests.server.served import seal_both, serving

LOG_DAMAGE = {
    "cut short": ("UPDATE log SET entry = substr(entry, 1, 20) WHERE match_id = ? AND number = 4", 4),
    "no JSON object": ("UPDATE log SET entry = 'null' WHERE match_id = ? AND number = 3", 3),
    "not text": ("UPDATE log SET entry = x'00ff' WHERE match_id = ? AND number = 3", 3),
    "not UTF-8": ("UPDATE log SET entry = cast(x'ff22' AS TEXT) WHERE match_id = ? AND number = 3", 3),
    "two in one": ("UPDATE log SET entry = entry || ',' || entry WHERE match_id = ? AND number = 3", 3),
    "missing": ("DELETE FROM log WHERE match_id = ? AND number = 5", 5),
    "another number": (
        "UPDATE log SET entry = replace(entry, '\"number\":4', '\"number\":7') "
        "WHERE match_id = ? AND number = 4",
        4,
    ),
    "cannot be": (
        'UPDATE log SET entry = \'{"what":"acted","number":4,"at_ms":99999999999999,"seat":"north",'
        '"text":"a1-a9"}\' WHERE match_id = ? AND number = 4',
        4,
    ),
    "earlier": (
        "UPDATE log SET entry = json_set(entry, '$.at_ms', 5) WHERE match_id = ? AND number = 5",
        5,
    ),
    "other setup": (
        "UPDATE log SET entry = json_set(entry, '$.setup', 'F') WHERE match_id = ? AND number = 2",
        2,
    ),
    "first entry": ("UPDATE log SET entry = '{}' WHERE match_id = ? AND number = 0", 0),
    "no log": ("DELETE FROM log WHERE match_id = ?", 0),
}
ROW_DAMAGE = {
    "status": "UPDATE matches SET status = 'over' WHERE id = ?",
    "waiting": "UPDATE matches SET status = 'waiting' WHERE id = ?",
    "set aside": "UPDATE matches SET status = 'damaged' WHERE id = ?",
    "no status": "UPDATE matches SET status = 'whatever' WHERE id = ?",
    "winner": "UPDATE matches SET winner = 'south' WHERE id = ?",
    "reason": "UPDATE matches SET reason = 'resigned' WHERE id = ?",
    "to_move": "UPDATE matches SET to_move = '' WHERE id = ?",
    "falls_at_ms": "UPDATE matches SET falls_at_ms = 5 WHERE id = ?",
    "options": "UPDATE matches SET options = '{' WHERE id = ?",
    "game": "UPDATE matches SET game = 'no/such' WHERE id = ?",
    "other game": "UPDATE matches SET game = 'mini/3x3' WHERE id = ?",
    "host_side": "UPDATE matches SET host_side = 'up' WHERE id = ?",
    "opponent": "UPDATE matches SET opponent = 'dog' WHERE id = ?",
    "created_ms": "UPDATE matches SET created_ms = 'then' WHERE id = ?",
    "seed": "UPDATE matches SET seed = x'00' WHERE id = ?",
    "name": "UPDATE matches SET south_name = '' WHERE id = ?",
}


def test_a_sound_database_is_sound(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    facts = admin.facts(kept.folder, "verify")
    assert facts["problems"] == []
    assert facts["matches"] == 5
    assert admin.facts(kept.folder, "repair", "--yes")["repairs"] == []
    assert "no match" in one_sentence(admin(kept.folder, "verify", "--match", "nothing"))
    assert "no match" in one_sentence(admin(kept.folder, "repair", "--match", "nothing"))


@pytest.mark.parametrize("kind", LOG_DAMAGE)
def test_damage_in_a_log_is_found_and_cut_out(
    tmp_path: Path, made: DataFolder, admin: Operator, kind: str
) -> None:
    kept = made.copy(tmp_path)
    before = kept.rows("SELECT number, entry FROM log WHERE match_id = ? ORDER BY number", kept.running)
    sql, entry = LOG_DAMAGE[kind]
    kept.execute(sql, kept.running)
    (problem,) = admin.facts(kept.folder, "verify", code=1)["problems"]
    assert (problem["match"], problem["entry"]) == (kept.running, entry)
    damaged = kept.rows("SELECT number, hex(entry) FROM log ORDER BY match_id, number")
    assert admin(kept.folder, "repair").code == 0
    assert kept.rows("SELECT number, hex(entry) FROM log ORDER BY match_id, number") == damaged, "a dry run"
    facts = admin.facts(kept.folder, "repair", "--yes")
    assert [one["match"] for one in facts["repairs"]] == [kept.running]
    assert stat.S_IMODE(Path(facts["kept"]).stat().st_mode) == 0o600
    assert json.loads(Path(facts["kept"]).read_text())["match"] == kept.running
    assert admin.facts(kept.folder, "verify")["problems"] == []
    after = kept.rows("SELECT number, entry FROM log WHERE match_id = ? ORDER BY number", kept.running)
    if entry:
        assert after == before[:entry], "all that was sound is still there"
    assert kept.rows("SELECT status FROM matches WHERE id = ?", kept.running) == [("running",)]
    assert kept.rows("SELECT count(*) FROM log WHERE match_id <> ?", kept.running) == made.rows(
        "SELECT count(*) FROM log WHERE match_id <> ?", kept.running
    )


@pytest.mark.parametrize("kind", ROW_DAMAGE)
def test_a_row_that_disagrees_with_its_log_is_found_and_mended(
    tmp_path: Path, made: DataFolder, admin: Operator, kind: str
) -> None:
    kept = made.copy(tmp_path)
    columns = "game, options, status, to_move, falls_at_ms, winner, reason, south_name, created_ms"
    before = kept.rows(f"SELECT {columns} FROM matches WHERE id = ?", kept.timed)
    kept.execute(ROW_DAMAGE[kind], kept.timed)
    (problem,) = admin.facts(kept.folder, "verify", "--match", kept.timed, code=1)["problems"]
    assert (problem["match"], problem["entry"]) == (kept.timed, None)
    assert admin(kept.folder, "verify", "--match", kept.running).code == 0
    assert admin.facts(kept.folder, "repair", "--match", kept.timed, "--yes")["is_done"]
    assert admin.facts(kept.folder, "verify")["problems"] == []
    (after,) = kept.rows(f"SELECT {columns} FROM matches WHERE id = ?", kept.timed)
    if kind == "created_ms":
        assert abs(after[-1] - before[0][-1]) < 60_000
        after = (*after[:-1], before[0][-1])
    assert after == before[0]


def test_references_to_nothing_are_found_and_mended(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    kept = made.copy(tmp_path)
    guest = kept.rows("SELECT north FROM matches WHERE id = ?", kept.running)[0][0]
    kept.execute("DELETE FROM guests WHERE id = ?", guest)
    kept.execute("DELETE FROM matches WHERE id = ?", kept.timed)
    kept.execute("UPDATE setups SET guest = 'nobody'")
    found = admin.facts(kept.folder, "verify", code=1)["problems"]
    assert {problem["code"] for problem in found} == {"reference"}
    assert kept.timed in {problem["match"] for problem in found}
    facts = admin.facts(kept.folder, "repair", "--yes")
    assert {one["action"] for one in facts["repairs"]} == {"guest", "rows"}
    assert admin.facts(kept.folder, "verify")["problems"] == []


def test_what_cannot_be_mended_stays_set_aside(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    kept.execute("DELETE FROM log WHERE match_id = ?", kept.running)
    kept.execute("UPDATE matches SET game = 'no/such' WHERE id = ?", kept.running)
    (one,) = admin.facts(kept.folder, "repair", "--yes", code=1)["repairs"]
    assert one["action"] == "none"
    assert kept.rows("SELECT status FROM matches WHERE id = ?", kept.running) == [("damaged",)]
    kept.execute("UPDATE matches SET updated_ms = 5 WHERE id = ?", kept.running)
    assert admin.facts(kept.folder, "prune", "--yes")["damaged"] == 0
    assert admin.facts(kept.folder, "prune", "--damaged", "--yes")["damaged"] == 1
    assert admin.facts(kept.folder, "verify")["problems"] == []


def test_a_damaged_invitation_is_ended(tmp_path: Path, made: DataFolder, admin: Operator) -> None:
    kept = made.copy(tmp_path)
    kept.execute("UPDATE matches SET status = 'damaged' WHERE id = ?", kept.waiting)
    (one,) = admin.facts(kept.folder, "repair", "--yes")["repairs"]
    assert one["action"] == "end"
    assert admin.facts(kept.folder, "verify")["problems"] == []


def test_a_match_is_mended_while_the_server_runs_and_played_on(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    kept = made.copy(tmp_path)
    kept.execute("UPDATE log SET entry = 'null' WHERE match_id = ? AND number = 7", kept.running)
    kept.execute("DELETE FROM log WHERE match_id = ?", kept.timed)
    with serving(kept.folder) as served:
        anna, ben = kept.guests(served)
        for match in (kept.running, kept.timed):
            assert anna.state(match, status=409)["code"] == "damaged"
        assert len(admin.facts(kept.folder, "verify", code=1)["problems"]) == 2
        assert len(admin.facts(kept.folder, "repair", "--yes")["repairs"]) == 2
        state = anna.state(kept.running)
        assert state["phase"] == "playing"
        assert play_actions(anna, ben, kept.running, 3) == 3
        assert anna.state(kept.timed)["phase"] == "setup"
        seal_both(anna, ben, kept.timed, GAME)
        assert play_actions(anna, ben, kept.timed, 2) == 2
        assert admin.facts(kept.folder, "verify")["problems"] == []
        kept.execute("UPDATE log SET entry = 'null' WHERE match_id = ? AND number = 5", kept.running)
        admin.facts(kept.folder, "repair", "--yes")
        until = time.monotonic() + SOON_S
        while anna.state(kept.running)["turn"] > 2 and time.monotonic() < until:
            time.sleep(0.2)
        assert play_actions(anna, ben, kept.running, 2) == 2, "a match in memory follows its mended log"
        assert admin.facts(kept.folder, "verify")["problems"] == []


def test_bytes_that_are_no_text_damage_one_match_only(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    """Neither lists nor the clocks of other matches stop for them, also at the start of the server."""
    kept = made.copy(tmp_path)
    copies = {"utf8": "log", "blob": "log", "row": "matches"}
    columns = [row[1] for row in kept.rows("PRAGMA table_info(matches)")]
    values = ", ".join({"id": "?", "invitation": "NULL"}.get(name, name) for name in columns)
    for one in copies:
        kept.execute(f"INSERT INTO matches SELECT {values} FROM matches WHERE id = ?", one, kept.timed)
        kept.execute("INSERT INTO log SELECT ?, number, entry FROM log WHERE match_id = ?", one, kept.timed)
    kept.execute("UPDATE log SET entry = cast(x'ff22' AS TEXT) WHERE match_id = 'utf8' AND number = 3")
    kept.execute("UPDATE log SET entry = x'00ff' WHERE match_id = 'blob' AND number = 3")
    kept.execute("UPDATE matches SET south_name = cast(x'ff22' AS TEXT) WHERE id = 'row'")
    kept.execute("UPDATE matches SET created_ms = created_ms + 1 WHERE id = ?", kept.timed)
    with serving(kept.folder) as served:
        anna, ben = kept.guests(served)
        for one in copies:
            assert anna.state(one, status=409)["code"] == "damaged"
        assert kept.timed in {line["match"] for line in anna.get("/api/lobby")["running"]}
        assert kept.timed in {line["match"] for line in anna.get("/api/me/matches")["matches"]}
        assert {one["match"] for one in admin.facts(kept.folder, "verify", code=1)["problems"]} == set(copies)
        assert len(admin.facts(kept.folder, "repair", "--yes")["repairs"]) == 3
        for one in copies:
            assert anna.state(one)["phase"] == "playing"
            assert play_actions(anna, ben, one, 1) == 1
        log = served.log()
        assert "Traceback" not in log
        assert "status=50" not in log
