"""What is measured besides games: the search and its time, beliefs, and people's setups.

The figures of a measure are kept in the folder of the trials; a resumed run does not measure them again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bench import belief, search
from bench.gates import Judged, Verdict
from flagfall.edition import Game, game_ids, load_game
from flagfall.players.belief import setup_types
from flagfall.tuning import prior

Report = Callable[[int, int, str], None]
Figures = dict[str, Any]
BUDGETS_MS = (20, 50, 200, 1000)
MOVES = 208
ASKED_LOTS = 100_000
ASKED_NATS = 0.20
ASKED_CHOICES = 200
_GAMES = 6
_SAMPLES_PER_TURN = 64
_HELD_OUT = 400


class Measure(Struct, frozen=True):
    """Something to measure, and how to judge it."""

    name: str
    guessed_s: float
    take: Callable[[Report], Figures] | None
    """None if something it needs is missing"""
    judge: Callable[[Figures], list[Judged]]


class Kept(Struct):
    """The figures of a measurement, as stored in its file."""

    program: str
    scale: float
    """the share of games and choices used; 1 for all"""
    took_s: float
    figures: Figures


def measures(classic: str, data: Path | None = None, scale: float = 1.0) -> list[Measure]:
    """Return all measurements; people's setups only if their file is given."""
    games = [load_game(name) for name in dict.fromkeys((classic, *game_ids()))]
    found = [
        Measure(
            "measures.search",
            450.0 * scale,
            lambda report: _search(games, scale, report),
            lambda figures: _judge_search(figures, games[0].id),
        ),
        Measure(
            "measures.belief", 300.0 * scale, lambda report: _belief(games, scale, report), _judge_belief
        ),
    ]
    setups = None if data is None else lambda report: _setups(data, report)
    return [*found, Measure("measures.setups", 60.0, setups, _judge_setups)]


def kept(measure: Measure, folder: Path) -> Kept | None:
    """Return what its file says, if there is one."""
    file = folder / f"{measure.name}.json"
    return msgspec.json.decode(file.read_bytes(), type=Kept) if file.exists() else None


def take(measure: Measure, folder: Path, program: str, scale: float, report: Report) -> Kept:
    """Measure, and write the figures to a file."""
    assert measure.take is not None
    begun = time.monotonic()
    figures = measure.take(report)
    found = Kept(program, scale, round(time.monotonic() - begun, 1), figures)
    folder.mkdir(parents=True, exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(found), indent=1)
    (folder / f"{measure.name}.json").write_bytes(text + b"\n")
    return msgspec.json.decode(text, type=Kept)


def _said(is_kept: bool, *, is_enough: bool = True) -> Verdict:
    if not is_kept:
        return "not reached"
    return "reached" if is_enough else "not enough games"


# ---------------------------------------------------------------- the search


def _search(games: Sequence[Game], scale: float, report: Report) -> Figures:
    moves, rounds = max(1, round(MOVES * scale)), max(1, round(5 * min(scale, 1.0)))
    found: Figures = dict(search.measure(games, BUDGETS_MS, moves, rounds, 0.5, report))
    loaded = max(2, round(search.LOADED_MOVES * scale))
    return found | {"under_load": search.under_load(games[0], loaded, report)}


def _judge_search(figures: Figures, classic: str) -> list[Judged]:
    speed, least = figures["speed"], search.ASKED_RATIO
    ratios = ", ".join(f"{name} {row['ratio']:.2f}" for name, row in speed.items())
    asked = f"≥ {least} × the engine's plies a second in {classic}"
    found = [Judged("Search nodes a second", asked, ratios, _said(speed[classic]["ratio"] >= least))]
    for row in figures["time_kept"]:
        result = (
            f"median {row['median_ms']:+} ms, 95 % {row['p95_ms']:+} ms, worst {row['worst_ms']:+} ms "
            f"({row['worst_processor_ms']:+} ms by processor time); {row['more_than_50_late']} of "
            f"{row['choices']} choices later than asked"
        )
        verdict = _said(not row["more_than_50_late"], is_enough=row["choices"] >= ASKED_CHOICES)
        found.append(Judged(f"Time kept at {row['budget_ms']} ms", "within 50 ms", result, verdict))
    for row in figures["under_load"]:
        result = f"slowest {row['budget_ms'] + row['worst_ms']:.0f} ms of {row['choices']} choices"
        verdict = _said(not row["over_the_cap"], is_enough=row["choices"] >= search.LOADED_MOVES)
        found.append(Judged(f"Under load, {row['budget_ms']} ms given", "2 s at most", result, verdict))
    return found


# ---------------------------------------------------------------- beliefs


def _belief(games: Sequence[Game], scale: float, report: Report) -> Figures:
    found: Figures = {}
    for number, game in enumerate(games):
        report(number, len(games), game.id)
        found[game.id] = _enough_lots(game, max(1, round(_GAMES * scale)), round(ASKED_LOTS * scale))
    report(len(games), len(games), "")
    return found


def _enough_lots(game: Game, games: int, wanted: int) -> Figures:
    """Measure some games with enough samples per turn."""
    samples = _SAMPLES_PER_TURN
    while True:
        figures = belief.measure([game], "greedy", games, samples, 1, lambda done, total, what: None)
        drawn = int(str(figures[game.id]["drawn"]))
        if drawn >= wanted:
            return figures[game.id]
        samples = 1 + int(1.1 * samples * wanted / max(drawn, 1))


def _judge_belief(figures: Figures) -> list[Judged]:
    impossible = sum(row["impossible"] for row in figures.values())
    fewest = min(row["drawn"] for row in figures.values())
    result = f"{impossible} impossible; in each of {len(figures)} games {fewest} or more drawn"
    asked = f"none impossible of {ASKED_LOTS} in every game"
    verdict = _said(not impossible, is_enough=fewest >= ASKED_LOTS)
    rising = [name for name, row in figures.items() if not _falls(row["loss"])]
    words = f"rises once or more in {', '.join(rising)}" if rising else "falls from stop to stop everywhere"
    return [
        Judged("Sampled armies", asked, result, verdict),
        Judged("Belief through games", "log-loss falls", words, _said(not rising)),
    ]


def _falls(loss: dict[str, float]) -> bool:
    return all(later <= sooner for sooner, later in pairwise(loss[stop] for stop in sorted(loss, key=int)))


# ---------------------------------------------------------------- setups of people


def _setups(data: Path, report: Report) -> Figures:
    collection = prior.read_collection(data)
    return dict(prior.check(setup_types.default_types(), collection, _HELD_OUT, report))


def _judge_setups(figures: Figures) -> list[Judged]:
    gain = figures["counting"]["0"] - figures["nats"]["0"]
    result = f"{gain:.3f} over {figures['setups']} held-out setups"
    asked = f"≥ {ASKED_NATS:.2f} nats a piece better than counting"
    return [Judged("Belief at the first move", asked, result, _said(gain >= ASKED_NATS))]
