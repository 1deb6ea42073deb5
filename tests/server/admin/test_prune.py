"""Old rows are deleted and nothing else; help starts quickly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.run import one_sentence
from tests.server.admin.data_folder import DataFolder, soon
from tests.server.admin.operator import Operator
from tests.server.served import serving


def test_prune_deletes_what_is_old_and_nothing_else(
    tmp_path: Path, made: DataFolder, admin: Operator
) -> None:
    kept = made.copy(tmp_path)
    kept.execute("UPDATE matches SET updated_ms = 5 WHERE id IN (?, ?)", kept.timed, kept.over)
    kept.execute("INSERT INTO guests VALUES ('old', 'Old', 'hash of old', 5)")
    kept.execute("INSERT INTO guests VALUES ('new', 'New', 'hash of new', 99999999999999)")
    kept.execute("INSERT INTO bans VALUES ('ended', '', 5, 6), ('lasting', '', 5, NULL)")
    kept.execute("INSERT INTO reminders VALUES (?, 7), (?, 8)", kept.timed, kept.over)
    kept.execute(
        "INSERT INTO runs VALUES ('old', 'lab', 's', 1, '{}', 'done', '[]', 5), "
        "('new', 'lab', 't', 1, '{}', 'done', '[]', 5)"
    )
    spared = admin.facts(kept.folder, "prune")["unfinished"]
    assert spared == 0, "its clock still runs"
    kept.execute("UPDATE matches SET falls_at_ms = 6 WHERE id = ?", kept.timed)
    with serving(kept.folder) as served:
        anna, _ = kept.guests(served)
        anna.state(kept.timed)
        counts = {"unfinished": 1, "finished": 0, "damaged": 0, "guests": 1, "bans": 1}
        facts = admin.facts(kept.folder, "prune")
        assert {name: facts[name] for name in counts} == counts
        assert not facts["is_done"]
        assert kept.rows("SELECT count(*) FROM matches") == [(5,)]
        assert admin(kept.folder, "prune", "--older-than", "2w").code == 0
        facts = admin.facts(kept.folder, "prune", "--yes")
        assert {name: facts[name] for name in counts} == counts
        assert kept.rows("SELECT id FROM guests WHERE id IN ('old', 'new')") == [("new",)]
        assert kept.rows("SELECT subject FROM bans") == [("lasting",)]
        assert kept.rows("SELECT guest FROM runs") == [("new",)]
        soon(lambda: anna.http.get(f"/api/matches/{kept.timed}/state").status_code == 404)
        assert anna.state(kept.running)["phase"] == "playing"
        assert admin.facts(kept.folder, "prune", "--finished", "--yes")["finished"] == 1
        assert admin(kept.folder, "prune", "--yes").code == 0
        assert admin.facts(kept.folder, "verify")["problems"] == []
        assert "such as 30m" in one_sentence(admin(kept.folder, "prune", "--older-than", "always"))
        log = served.log()
        assert "Traceback" not in log
        assert "status=500" not in log


def test_help_is_quick() -> None:
    code = (
        "import sys\nfrom flagfall.cli import main\n"
        "try: main(['admin', '--help'])\nexcept SystemExit: pass\n"
        "print([name for name in ('sqlalchemy', 'fastapi', 'numpy', 'alembic') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.rstrip().endswith("[]")
