"""Workers: late and dead ones are replaced alone, guests take turns, the queue has limits."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from flagfall.edition import load_game, resolve
from flagfall.engine import kernel_cache
from flagfall.engine.action import Action
from flagfall.match import Match, Seating
from flagfall.server.settings import SettingsError, load_settings
from flagfall.server.workers import (
    FairQueue,
    Job,
    JobDroppedError,
    QueueFullError,
    ThinkingError,
    Ticket,
    Workers,
    compilation,
    pool,
    template,
)
from flagfall.server.workers.compilation import Compilation
from flagfall.server.workers.jobs import Answer, LivePlayers
from flagfall.setups import random_setup
from flagfall.view.view import View

GAME = "mini/3x4"
LIVENESS_S = 600.0
"""compiling on a new machine takes minutes"""


def job(player: str = "random", time_ms: int = 1000, game_id: str = GAME) -> Job:
    """What the side to move has to think about at the start of a game."""
    game = load_game(game_id)
    match = Match.created(game, resolve(game, {}), Seating("Anna", "Ben"), 0)
    for number, side in enumerate(("south", "north")):
        match.seal(side, random_setup(game, number, Random(number)), 0)
    mover = match.to_move
    assert mover is not None
    view = msgspec.json.encode(match.view(mover, forgets=False))
    history = msgspec.json.encode(match.history(mover))
    return Job(game=game_id, options={}, player=player, seed="1", view=view, history=history, time_ms=time_ms)


async def ask(workers: Workers, guest: str, asked: Job) -> int:
    """Queue for a worker and have one job done."""
    async with workers.lease(asked.player, Ticket(guest)) as lease:
        return await lease.action(asked)


@contextmanager
def running(count: int, **limits: Any) -> Iterator[Workers]:
    workers = Workers(count, **limits)
    try:
        yield workers
    finally:
        workers.close()


def run(history: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def within() -> None:
        async with asyncio.timeout(LIVENESS_S):
            await history()

    asyncio.run(within())


# ---------------------------------------------------------------------- late and dead workers


def test_a_stopped_worker_is_replaced_and_the_other_one_is_left_alone() -> None:
    async def history() -> None:
        with running(2, thinking_timeout_s=1.0) as workers:
            await ask(workers, "anna", job())
            (stopped,) = workers.pids()
            os.kill(stopped, signal.SIGSTOP)
            order: list[str] = []

            async def note(guest: str) -> None:
                await ask(workers, guest, job(time_ms=100))
                order.append(guest)

            late = asyncio.create_task(note("anna"))
            await asyncio.sleep(0)
            await note("ben")
            (other,) = set(workers.pids()) - {stopped}
            await late
            assert order == ["ben", "anna"]
            assert stopped not in workers.pids()
            assert other in workers.pids()

    run(history)


def test_a_worker_killed_while_it_thinks_is_replaced_alone() -> None:
    async def history() -> None:
        with running(2) as workers:
            await workers.prepare()
            thinking = asyncio.create_task(ask(workers, "anna", job("marshal", game_id="onyx/classic")))
            while not workers.pids():
                await asyncio.sleep(0.01)
            (killed,) = workers.pids()
            await ask(workers, "ben", job("recruit"))
            (other,) = set(workers.pids()) - {killed}
            os.kill(killed, signal.SIGKILL)
            asked = job("marshal", game_id="onyx/classic")
            assert Action.unpack(await thinking) in msgspec.json.decode(asked.view, type=View).legal
            assert killed not in workers.pids()
            assert other in workers.pids()

    run(history)


def test_workers_come_back_when_their_template_is_stopped_or_killed() -> None:
    async def history() -> None:
        with running(1, thinking_timeout_s=0.5) as workers:
            for sign in (signal.SIGKILL, signal.SIGSTOP):
                await ask(workers, "anna", job())
                template = workers._groups["interpreted"]._template
                assert template is not None
                os.kill(template.pid, sign)
                os.kill(workers.pids()[0], signal.SIGKILL)
                await ask(workers, "anna", job(time_ms=100))

    run(history)


def test_a_job_that_no_worker_can_do_is_given_up_and_the_next_one_runs() -> None:
    async def history() -> None:
        with running(1) as workers:
            late = msgspec.structs.replace(job("marshal", 60_000, "onyx/classic"), player="nobody")
            with pytest.raises(ThinkingError, match="UnknownPlayerError"):
                await ask(workers, "anna", late)
            assert await ask(workers, "anna", job()) > 0
        with running(1, thinking_timeout_s=0.01) as workers:
            await workers.prepare()
            late = job("marshal", 60_000, "onyx/classic")
            with pytest.raises(ThinkingError, match="3 attempts"):
                async with workers.lease("marshal", Ticket("anna")) as lease:
                    await lease.action(msgspec.structs.replace(late, time_ms=0, nodes=10**9))

    run(history)


def test_a_cancelled_job_frees_its_place() -> None:
    async def history() -> None:
        with running(1, thinking_timeout_s=30.0) as workers:
            await ask(workers, "anna", job())
            os.kill(workers.pids()[0], signal.SIGSTOP)
            stuck = asyncio.create_task(ask(workers, "anna", job()))
            waiting = asyncio.create_task(ask(workers, "ben", job()))
            await asyncio.sleep(0.1)
            for task in (waiting, stuck):
                task.cancel()
            await asyncio.gather(stuck, waiting, return_exceptions=True)
            await ask(workers, "carla", job())

    run(history)


def test_a_failing_player_tells_the_kind_of_error_and_nothing_it_knows() -> None:
    broken = msgspec.structs.replace(job(), view=b'{"secret": "marshal on a1"}')
    reply = LivePlayers().answer(msgspec.msgpack.encode(broken))
    assert reply is not None
    assert msgspec.msgpack.decode(reply, type=Answer) == Answer(error="ValidationError")


def test_a_worker_forked_from_a_template_has_one_thread() -> None:
    """A process with several threads must not be forked."""

    async def history() -> None:
        with running(1) as workers:
            await workers.prepare()
            template = workers._groups["compiled"]._template
            assert template is not None
            assert len(os.listdir(f"/proc/{template.pid}/task")) == 1  # noqa: PTH208

    run(history)


# ---------------------------------------------------------------------- who is next


def test_one_guest_s_sixty_jobs_do_not_hold_up_another_s_single_one() -> None:
    async def history() -> None:
        with running(1, max_queued_per_guest=100) as workers:
            order: list[str] = []

            async def note(guest: str) -> None:
                await ask(workers, guest, job())
                order.append(guest)

            await note("anna")
            order.clear()
            busy = [asyncio.create_task(note("anna")) for _ in range(60)]
            await asyncio.sleep(0)
            await note("ben")
            assert order.index("ben") <= 10, "a few jobs that were under way, not all sixty"
            await asyncio.gather(*busy)
            assert len(order) == 61

    run(history)


def queue(*, per_guest: int = 100, total: int = 1000, running: int = 1) -> FairQueue:
    return FairQueue(per_guest, total, running)


def served(line: FairQueue, *, ends_at_once: bool = True) -> list[str]:
    """Guests in the order in which their jobs run."""
    order = []
    while (ticket := line.take()) is not None:
        order.append(ticket.guest)
        if ends_at_once:
            line.done(ticket)
    return order


def test_guests_take_turns() -> None:
    async def history() -> None:
        line = queue()
        for guest in ("anna", "anna", "anna", "ben", "carla", "ben"):
            line.add(Ticket(guest))
        assert served(line) == ["anna", "ben", "carla", "anna", "ben", "anna"]

    run(history)


def test_a_guest_gets_a_second_worker_only_if_nobody_else_waits() -> None:
    async def history() -> None:
        line = queue()
        for guest in ("anna", "anna", "anna", "ben"):
            line.add(Ticket(guest))
        assert served(line, ends_at_once=False) == ["anna", "ben", "anna", "anna"]

    run(history)


def test_watched_matches_go_first_and_the_others_are_not_forgotten() -> None:
    async def history() -> None:
        line = queue()
        for at in range(8):
            line.add(Ticket(f"away {at}", is_watched=lambda: False))
            line.add(Ticket(f"here {at}"))
        order = served(line)
        assert [guest[:4] for guest in order[:8]] == ["here"] * 3 + ["away"] + ["here"] * 3 + ["away"]
        assert len(order) == 16

    run(history)


def test_a_guest_s_jobs_beyond_the_limit_are_refused() -> None:
    async def history() -> None:
        line = queue(per_guest=2)
        line.add(Ticket("anna"))
        line.add(Ticket("anna"))
        with pytest.raises(QueueFullError):
            line.add(Ticket("anna"))
        line.add(Ticket("ben"))
        assert len(line) == 3

    run(history)


def test_a_full_queue_makes_room_for_a_guest_with_fewer_jobs() -> None:
    async def history() -> None:
        line = queue(total=3)
        tickets = [Ticket("anna") for _ in range(3)]
        for ticket in tickets:
            line.add(ticket)
        line.add(Ticket("ben"))
        assert isinstance(tickets[-1].granted.exception(), QueueFullError)
        with pytest.raises(QueueFullError):
            line.add(Ticket("anna"))
        with pytest.raises(QueueFullError):
            line.add(Ticket("ben"))
        assert served(line) == ["anna", "ben", "anna"]

    run(history)


def test_a_job_whose_match_has_moved_on_never_runs() -> None:
    async def history() -> None:
        with running(1) as workers:
            is_wanted = True
            asked: list[str] = []

            async def hold() -> None:
                nonlocal is_wanted
                async with workers.lease("random", Ticket("anna")) as lease:
                    await asyncio.sleep(0.05)
                    is_wanted = False
                    await lease.action(job())

            async def stale() -> None:
                async with workers.lease("random", Ticket("anna", is_wanted=lambda: is_wanted)):
                    asked.append("stale")

            held, dropped = asyncio.create_task(hold()), asyncio.create_task(stale())
            await held
            with pytest.raises(JobDroppedError):
                await dropped
            assert not asked

    run(history)


def test_settings_of_workers_are_checked() -> None:
    settings = load_settings(
        {}, {"FLAGFALL_THINKING_TIMEOUT_S": "2.5", "FLAGFALL_MAX_QUEUED_JOBS_PER_GUEST": "4"}
    )
    assert (settings.thinking_timeout_s, settings.max_queued_jobs_per_guest) == (2.5, 4)
    for name in (
        "thinking_timeout_s",
        "worker_start_timeout_s",
        "max_queued_jobs",
        "max_running_jobs_per_guest",
    ):
        with pytest.raises(SettingsError, match=name):
            load_settings({name: -1}, {})


# ---------------------------------------------------------------------- before the kernels are compiled


LEVELS_OF_GAMES = [(level, game) for level in ("recruit", "marshal") for game in (GAME, "onyx/classic")]


class SlowCompilation(Compilation):
    """Compiles nothing until it is told to go on."""

    def __init__(self) -> None:
        super().__init__()
        self.may_finish = asyncio.Event()

    async def finished(self) -> AsyncIterator[bool]:
        await self.may_finish.wait()
        async for has_all in super().finished():
            yield has_all


class CountedCompilation(Compilation):
    """Counts how often it is asked to compile, and compiles nothing."""

    begun = 0

    async def finished(self) -> AsyncIterator[bool]:
        self.begun += 1
        yield True


class ReportingCompilation(Compilation):
    """Reports as a process would; every process sends the same reports and ends."""

    def __init__(self, *reports: bytes) -> None:
        super().__init__()
        self.reports, self.begun = reports, 0

    async def _run(self) -> AsyncIterator[bytes]:
        self.begun += 1
        for report in self.reports:
            yield report


@pytest.mark.parametrize(
    ("reports", "found", "begun"),
    [
        ((b"l", b"a"), [False, True], 1),
        ((b"l", b"u"), [False], 1),
        ((b"u",), [], 1),
        ((), [], compilation.MAX_ATTEMPTS),
    ],
    ids=["all saved", "not all saved", "nothing saved", "always fails"],
)
def test_compiling_is_not_repeated_for_ever(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    reports: tuple[bytes, ...],
    found: list[bool],
    begun: int,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compilation, "MAX_PAUSE_S", 0.0)

    async def history() -> None:
        compiling = ReportingCompilation(*reports)
        assert [has_all async for has_all in compiling.finished()] == found
        assert compiling.begun == begun

    run(history)


def test_a_player_does_not_warm_up_any_more_after_compiling_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pool, "Compilation", lambda: ReportingCompilation(b"u"))

    async def history() -> None:
        with running(1) as workers:
            assert workers.is_warming_up("marshal")
            await workers.prepare()
            assert not workers.is_warming_up("marshal"), "it will never be stronger"

    run(history)


@pytest.mark.parametrize("is_saved", [True, False])
def test_machine_code_is_complete_only_if_all_of_it_was_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_saved: bool
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for name in ("load_levels", "warm_up"):
        monkeypatch.setattr(template, name, lambda: None)
    monkeypatch.setattr(template, "_play_a_little", lambda player: None)
    monkeypatch.setattr(kernel_cache, "_unsaved", [])
    folder = kernel_cache.use_cache_folder()
    if not is_saved:
        kernel_cache.tell_unsaved(folder, OSError(errno.ENOSPC, "No space left on device"))
    template.load_kernels()
    assert kernel_cache.complete_marker().exists() == is_saved


@pytest.mark.parametrize(("level", "game_id"), LEVELS_OF_GAMES)
def test_a_level_answers_where_nothing_is_ever_compiled(
    monkeypatch: pytest.MonkeyPatch, level: str, game_id: str
) -> None:
    monkeypatch.setattr(pool, "Compilation", CountedCompilation)

    async def history() -> None:
        with running(1, compiles=False) as workers:
            asked = job(level, game_id=game_id)
            action = Action.unpack(await ask(workers, "anna", asked))
            assert action in msgspec.json.decode(asked.view, type=View).legal
            assert not workers.is_warming_up(level), "it will never be stronger"
            await workers.prepare()
            compilation = workers._compilation
            assert isinstance(compilation, CountedCompilation)
            assert compilation.begun == 0
            assert workers.pids() == tuple(workers._groups["interpreted"].pids()) != ()

    run(history)


@pytest.mark.xdist_group("compiled")
def test_a_level_plays_while_its_kernels_are_compiled_and_takes_over_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "Compilation", SlowCompilation)

    async def history() -> None:
        with running(1) as workers:
            compilation = workers._compilation
            assert isinstance(compilation, SlowCompilation)
            await ask(workers, "anna", job("marshal"))
            (interpreted,) = workers.pids()
            assert workers.is_warming_up("marshal")
            assert not workers.is_warming_up("random"), "it needs no kernels"
            compilation.may_finish.set()
            await workers.prepare()
            assert not workers.is_warming_up("marshal")
            await ask(workers, "anna", job("marshal"))
            assert set(workers.pids()) > {interpreted}

    run(history)


def test_closing_ends_a_compilation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    async def history() -> None:
        with running(1) as workers:
            preparing = asyncio.create_task(workers.prepare())
            while workers._compilation.process is None:
                await asyncio.sleep(0.01)
            workers.close()
            assert workers._compilation.process.returncode == -signal.SIGKILL
            with pytest.raises(asyncio.CancelledError):
                await preparing

    run(history)
