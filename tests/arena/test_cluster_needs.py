"""What a node of a cluster must have: what is sent to it, and what it is refused for. No Ray is started."""

from __future__ import annotations

import pickle
import socket
import sys
from pathlib import Path

import pytest

from flagfall import extras, files
from flagfall.arena.cluster import node
from flagfall.arena.cluster.executor import address_of, check_answers
from flagfall.arena.cluster.needs import Needs, fingerprint, needs_of, program_digest
from flagfall.arena.executor import WorkerError, check_place, executor_for, nothing_to_prepare
from flagfall.edition import EditionError, load_game
from flagfall.errors import UserError

BOT = "from flagfall.players import RandomPlayer\n\nclass Bot(RandomPlayer):\n    pass\n"


@pytest.fixture(autouse=True)
def _like_a_new_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_sent", {})
    monkeypatch.setattr(node, "_checked", [])
    monkeypatch.setattr(node, "_prepared", [])
    monkeypatch.setenv("FLAGFALL_KERNELS", "interpreted")


def orders(**changed: object) -> node.Orders:
    told: dict[str, object] = {
        "fingerprint": fingerprint(),
        "needs": needs_of([], []),
        "environment": {},
        "begin": pickle.dumps(nothing_to_prepare),
    }
    return node.Orders(**{**told, **changed})  # type: ignore[arg-type]


def test_a_box_and_its_lessons_are_sent_and_loaded_without_the_files(tmp_path: Path) -> None:
    box, lessons = tmp_path / "own.toml", tmp_path / "own-lessons.toml"
    example = Path(__file__).resolve().parents[2] / "examples" / "harbour.toml"
    rules, table, tasks = example.read_text().partition("[lesson.fog]")
    box.write_text('lessons = "own-lessons.toml"\n' + rules)
    lessons.write_text(table + tasks)
    needs = needs_of([f"{box}#classic", "onyx/classic"], [])
    assert set(needs.files) == {str(box), str(lessons)}
    box.unlink()
    lessons.unlink()
    with pytest.raises(EditionError):
        load_game(f"{box}#classic")
    node.look(orders(needs=needs))
    assert load_game(f"{box}#classic").name == load_game(f"{example}#classic").name


def test_other_files_are_sent_too(tmp_path: Path) -> None:
    checkpoint = tmp_path / "checkpoint.bin"
    checkpoint.write_bytes(b"weights")
    needs = needs_of([], [], [str(checkpoint)])
    checkpoint.unlink()
    node.look(orders(needs=needs))
    assert files.read_bytes(checkpoint) == b"weights"


def test_a_node_without_the_module_of_a_player_or_with_another_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "harbour_bot.py").write_text(BOT)
    monkeypatch.syspath_prepend(tmp_path)
    needs = needs_of([], ["greedy", "mix:17", "harbour_bot:Bot", "harbour_bot:Bot@nodes=5"])
    assert set(needs.modules) == {"harbour_bot"}
    assert node.refusal_of(orders(needs=needs)) == ""
    (tmp_path / "harbour_bot.py").write_text(BOT + "# stronger\n")
    assert "another version of the module “harbour_bot”" in node.refusal_of(orders(needs=needs))
    (tmp_path / "harbour_bot.py").unlink()
    sys.modules.pop("harbour_bot", None)
    assert "no module “harbour_bot”" in node.refusal_of(orders(needs=needs))


def test_a_node_with_another_version_is_refused_and_runs_nothing() -> None:
    other = {**fingerprint(), "NumPy": "1.0"}
    ran = node.run(orders(fingerprint=other), pickle.dumps(abs), [pickle.dumps(-1)])
    assert not ran.outcomes
    assert f"The node {socket.gethostname()} would play other games: it has NumPy" in ran.refusal
    assert "this machine 1.0" in ran.refusal


def test_a_node_without_a_package_that_the_tasks_compute_with_is_refused() -> None:
    needs = needs_of([], [], packages=["numpy"])
    assert node.refusal_of(orders(needs=needs)) == ""
    for package, wanted, trouble in (("numpy", "1.0", "has numpy"), ("no-such", "2.1", "has no no-such")):
        told = node.refusal_of(orders(needs=Needs(packages={package: wanted})))
        assert f"The node {socket.gethostname()} {trouble}" in told
        assert f"this machine {wanted}; install the same there" in told


def test_every_source_file_of_games_counts_and_no_other(tmp_path: Path) -> None:
    for place in ("engine", "server"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "rules.py").write_text("1")
    before = program_digest(tmp_path)
    (tmp_path / "server" / "rules.py").write_text("2")
    assert program_digest(tmp_path) == before
    (tmp_path / "engine" / "rules.py").write_text("2")
    assert program_digest(tmp_path) != before


def test_a_worker_is_prepared_once() -> None:
    told = orders(begin=pickle.dumps(count_up))
    for _ in range(2):
        ran = node.run(told, pickle.dumps(abs), [pickle.dumps(-5)])
        assert [(fine, pickle.loads(data)) for fine, data in ran.outcomes] == [(True, 5)]
    assert prepared == [1]


prepared: list[int] = []


def count_up() -> None:
    prepared.append(1)


def test_an_error_that_cannot_be_sent_arrives_as_text() -> None:
    [(fine, data)] = node.run(orders(), pickle.dumps(fail), [pickle.dumps(0)]).outcomes
    assert not fine
    assert "secretive" in str(pickle.loads(data))


class Secretive(Exception):  # noqa: N818
    def __init__(self, one: int, two: int) -> None:
        super().__init__("secretive")


def fail(number: int) -> None:
    raise Secretive(1, 2)


def test_without_ray_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r'pip install "flagfall\[cluster\]"'):
        executor_for("ray")


def test_programs_stay_on_this_machine() -> None:
    with pytest.raises(UserError, match="is a program of this machine and is not sent to a cluster"):
        executor_for("ray", players=["greedy", "cmd:python bot.py"])


@pytest.mark.parametrize("place", ["", "Ray", "ray://", "ray://host", "ray://host:x", "ray://host:99999"])
def test_an_unknown_place_is_refused(place: str) -> None:
    with pytest.raises(UserError, match="write --on local, --on ray or --on ray://HOST:PORT"):
        check_place(place)


def test_an_address_where_nothing_answers_is_told_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        check_answers(f"ray://127.0.0.1:{port}")
    with pytest.raises(WorkerError, match=f"Nothing answers at ray://127.0.0.1:{port}"):
        check_answers(f"ray://127.0.0.1:{port}")


def test_ray_is_looked_for_where_its_own_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    assert address_of("ray") == "", "none is there: one is started"
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "ray_current_cluster").touch()
    assert address_of("ray") == "auto"
    monkeypatch.setenv("RAY_ADDRESS", "10.0.0.5:6379")
    assert address_of("ray") == "10.0.0.5:6379"
    assert address_of("ray://10.0.0.7:10001") == "ray://10.0.0.7:10001"
