"""`flagfall bench players`: a progress bar for each trial, the score so far, and the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.durations import in_words
from bench.gates import worst
from bench.measures import Measure, measures
from bench.players import Bench, Folder, Standing
from bench.strength_report import gates, html, markdown, row, together
from bench.trials import Trial, chosen, trials
from flagfall.arena.tally import wilson
from flagfall.cli.output import print_json, print_table, progress, say, warm_up_kernels, warn
from flagfall.edition import load_game

_SHORT = {"reached": "yes", "not reached": "no", "not enough games": "open", "reported": "–"}


def prepared(
    game: str,
    out: Path,
    only: Sequence[str],
    seed: int,
    level_time_ms: int,
    scale: float,
    budget_s: float | None,
    data: Path | None = None,
    *,
    restarts: bool = False,
) -> Bench:
    """Return the bench of a command line; with ``restarts`` the games of its trials are deleted."""
    everything = trials(load_game(game).id if ".toml" not in game else game, level_time_ms)
    measured = measures(game, data, scale)
    entries: list[Trial | Measure] = [*measured, *everything]
    names = {entry.name for entry in chosen(entries, only)}
    folder = Folder(out, seed)
    if restarts:
        folder.forget([entry.name for entry in entries if entry.name in names])
    return Bench(folder, everything, measured, names, scale, budget_s)


def list_trials(bench: Bench, jobs: int, *, as_json: bool) -> None:
    """Print the trials, their progress, and how long the rest takes."""
    if as_json:
        print_json(facts(bench, jobs))
        return
    rows = [_measure_row(bench, measure) for measure in bench.measures]
    rows += [
        (
            each.trial.name,
            f"{len(each.games)}/{each.trial.games}",
            each.trial.gate.words().removesuffix(" won").removesuffix(" accepted"),
            _SHORT[each.verdict] if each.games else "–",
            ("" if each.games else "~") + in_words(each.left_s / jobs),
        )
        for each in bench.standings
    ]
    columns = ("trial", "games", "asked", "met", "rest")
    print_table(f"{len(rows)} trials, {jobs} processes", columns, rows, right=(1, 4), is_wide=True)
    spent, left = (sum(getattr(each, what) for each in bench.standings) for what in ("spent_s", "left_s"))
    rest = (
        f"about {in_words(left / jobs)}; ~ is a guess, nothing of that was played yet" if left else "nothing"
    )
    say(f"Played: {in_words(spent / jobs)}. Still to play: {rest}.")


def _measure_row(bench: Bench, measure: Measure) -> tuple[str, str, str, str, str]:
    found = bench.measured[measure.name]
    verdict = worst([each.verdict for each in measure.judge(found.figures)]) if found else "–"
    still = f"~{in_words(measure.guessed_s)}" if measure.take else "needs --data"
    return measure.name, "", "", _SHORT.get(verdict, verdict), "0 s" if bench.is_measured(measure) else still


def run(bench: Bench, jobs: int, *, mixes: bool, as_json: bool) -> None:
    """Play the missing games, trial by trial; write the report after each."""
    bench.folder.require_same_program(bench.standings, mixes=mixes)
    bench.folder.place.mkdir(parents=True, exist_ok=True)
    if bench.measures or any(not each.is_over for each in bench.standings):
        warm_up_kernels()
    try:
        for measure in bench.measures:
            with progress(measure.name) as advance:
                bench.measure(measure, advance)
        if bench.budget_s is not None:
            for at in range(len(bench.wanted)):
                _play(bench, bench.first_pair(at), at, jobs)
        for at in range(len(bench.wanted)):
            standing = bench.begin(at)
            _play(bench, standing, at, jobs)
            warn(f"{standing.trial.name}: {_line(standing)}")
    except KeyboardInterrupt:
        warn(f"Stopped. What was played is in {bench.folder.place}, and the same command resumes.")
        raise
    finally:
        _write(bench)
    if as_json:
        print_json(facts(bench, jobs))
        return
    for gate in (*together(bench.reported()), *bench.judged()):
        say(gate.words())
    missed = [gate.name for gate in gates(bench) if gate.verdict == "not reached"]
    say(f"Missed: {', '.join(missed)}." if missed else "No gate was missed.")
    say(f"The report is {bench.folder.place / 'report.md'}, with plots {bench.folder.place / 'report.html'}.")


def _play(bench: Bench, standing: Standing, at: int, jobs: int) -> None:
    if standing.is_over:
        return
    with progress(f"{at + 1}/{len(bench.wanted)} {standing.trial.name}") as advance:
        advance(len(standing.games), standing.trial.games, _note(bench, standing, jobs))
        for _ in bench.folder.play(standing, jobs):
            advance(len(standing.games), standing.trial.games, _note(bench, standing, jobs))
    _write(bench)


def _note(bench: Bench, standing: Standing, jobs: int) -> str:
    """Return the score so far, and the remaining time."""
    left = sum(each.left_s for each in bench.standings) / jobs
    return f"{standing.score.words() if standing.games else ''}  all: {in_words(left)} left"


def _line(standing: Standing) -> str:
    score = standing.score
    low, high = (100 * bound for bound in wilson(score.won, score.games))
    asked = standing.trial.gate.words()
    return (
        f"{standing.trial.players}, {score.games} games: +{score.won} ={score.drawn} -{score.lost}, "
        f"won {low:.1f}–{high:.1f} %, asked {asked}: {standing.verdict}"
    )


def _write(bench: Bench) -> None:
    place = bench.folder.place
    (place / "report.md").write_text(markdown(bench), encoding="utf-8")
    (place / "report.html").write_text(html(bench), encoding="utf-8")


def facts(bench: Bench, jobs: int) -> dict[str, object]:
    """Return the results for programs."""
    names = ("who", "game", "ms", "games", "won", "drawn", "lost", "share", "wilson_95", "asked", "verdict")
    return {
        "folder": str(bench.folder.place),
        "program": bench.folder.digest,
        "seed": bench.folder.seed,
        "left_s": round(sum(each.left_s for each in bench.standings) / jobs),
        "trials": [
            {"trial": each.trial.name, "planned": each.trial.games, "asked_games": each.asked}
            | dict(zip(names, row(each), strict=True))
            for each in bench.standings
        ],
        "other_gates": [
            {"name": gate.name, "asked": gate.asked, "result": gate.result, "verdict": gate.verdict}
            for gate in (*together(bench.reported()), *bench.judged())
        ],
    }
