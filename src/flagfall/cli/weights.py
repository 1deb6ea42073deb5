"""`flagfall tune weights`: fit on results, tune by SPSA, or compare two files of weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from flagfall.arena.executor import Executor, check_place, executor_for
from flagfall.arena.plan import read_setup_rule
from flagfall.arena.run_file import RunFile
from flagfall.cli import fit_report, matches
from flagfall.cli.output import print_json, print_table, progress, resumable, say, warm_up_for, warn
from flagfall.edition import load_game, parse_pairs, resolve
from flagfall.edition.compile import compile_game
from flagfall.errors import UserError
from flagfall.players import SEARCHING, check_player
from flagfall.players.evaluation.piece_values import Weights, standard_weights
from flagfall.players.evaluation.weights_file import (
    check_for,
    current_name,
    read_weights,
    weight_names,
    written,
)
from flagfall.players.zoo.panel import require_fit_half
from flagfall.tuning import spsa as by_playing
from flagfall.tuning import weights as by_results
from flagfall.tuning.examples import examples
from flagfall.tuning.positions import GamesPlan, Sampled, Task, gather, tasks
from flagfall.tuning.report import fit_page, spsa_page
from flagfall.tuning.weight_space import movable

CHECK_GAME = "onyx/classic"
STAGES = ("fit", "design", "spsa")
FEWEST = 10
"""games with a quiet position that a fit needs"""


@dataclass(frozen=True)
class TuneSettings:
    """The arguments that all stages share."""

    games: list[str]
    player: str
    nodes: int
    jobs: int | None
    on: str
    seed: int
    options: list[str]
    names: tuple[str, ...]
    start: Path | None
    out: Path | None
    log: Path | None
    plot: Path | None
    setups: str
    max_turns: int
    restarts: bool
    as_json: bool

    def log_file(self, stage: str) -> Path:
        """Return the log of a stage; there always is one, because a run takes hours."""
        return self.log or Path(f"tune-weights-{stage}.jsonl")

    def executor(self, games: Sequence[str], opponents: Sequence[str] = ()) -> Executor:
        """Return what plays these games, on this machine or on a cluster."""
        players = (self.player, *opponents)
        return executor_for(self.on, self.jobs, games=games, players=players, note=warn)

    def begin(self, usual: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str], Weights]:
        """Return the games, options and starting weights, after checking them."""
        check_place(self.on)
        if self.player not in SEARCHING:
            known = ", ".join(sorted(SEARCHING))
            raise UserError(f"“{self.player}” has no weights; these have: {known}.")
        start = read_weights(self.start) if self.start else standard_weights()
        if twice := [name for name in self.names if self.names.count(name) > 1]:
            raise UserError(f"“{twice[0]}” is named twice in --weights; name every weight once.")
        unknown = [name for name in self.names if name not in weight_names()]
        if unknown:
            raise UserError(f"There is no weight “{unknown[0]}”; there are {', '.join(weight_names())}.")
        chosen: dict[str, str] = {}
        for address in self.games or usual:
            game = load_game(address)
            options = resolve(game, parse_pairs(self.options))
            chosen |= options.changed(game)
            check_for(game, compile_game(game, options), start, str(self.start or "The weights in use"))
        return tuple(self.games or usual), chosen, start


def names_in(text: str) -> tuple[str, ...]:
    """Split names of weights separated by commas."""
    return tuple(current_name(name.strip()) for name in text.split(",") if name.strip())


def opponents_in(given: Sequence[str] | None, usual: Sequence[str]) -> tuple[str, ...]:
    """Return the opponents that were given, or the usual ones, after checking them."""
    others = tuple(usual) if given is None else tuple(name for name in given if name != "none")
    require_fit_half(others)
    for other in others:
        check_player(other)
    return others


def fit(settings: TuneSettings, games: int, opponents: list[str] | None, every: int) -> None:
    """Play games, and fit piece values to their results."""
    names, options, start = settings.begin(by_results.GAMES)
    others = opponents_in(opponents, by_results.OPPONENTS)
    plan = GamesPlan(
        player=settings.player,
        opponents=others,
        nodes=settings.nodes,
        seed=settings.seed,
        every=every,
        max_turns=settings.max_turns,
        options=options,
    )
    wanted = tasks(names, games)
    with RunFile(Sampled, plan, settings.log_file("fit"), restarts=settings.restarts) as log:
        _play(plan, wanted, log, settings, names)
    chosen = set(wanted)
    played = [line for line in log.lines if line.task in chosen]
    if sum(bool(one.positions) for one in played) < FEWEST:
        raise UserError(
            f"Fewer than {FEWEST} games with a quiet position are too few for a fit; play more --games."
        )
    found = examples(played)
    material = by_results.material(found, start)
    if idle := [name for name in settings.names if name not in material]:
        raise UserError(f"“{idle[0]}” is not a material weight here; these are: {', '.join(material)}.")
    with progress("fit") as advance:
        findings = by_results.fit(found, start, settings.names or material, advance)
    _tell_fit(settings, findings, played)


def _play(
    plan: GamesPlan,
    wanted: Sequence[Task],
    log: RunFile[Sampled],
    settings: TuneSettings,
    games: Sequence[str],
) -> None:
    """Play the games that are not in the log yet."""
    there = {line.task for line in log.lines}
    missing = [task for task in wanted if task not in there]
    if not missing:
        return
    warm_up_for(settings.on)
    with (
        resumable(log, len(wanted), "games", log.file),
        settings.executor(games, plan.opponents) as executor,
        progress("games") as advance,
    ):
        for done, one in enumerate(gather(plan, missing, executor), start=len(wanted) - len(missing) + 1):
            log.add(one)
            advance(done, len(wanted), f"{one.task.game}: {one.reason}, {one.turns} turns")


def _tell_fit(settings: TuneSettings, findings: by_results.Findings, played: Sequence[Sampled]) -> None:
    words = fit_report.FitReport(findings, played)
    if settings.out is not None:
        settings.out.write_text(written(findings.fitted.weights), encoding="utf-8")
    if settings.plot is not None:
        page = fit_page(words.title(), words.tables(), words.calibrations(), findings.fitted.history)
        settings.plot.write_text(page, encoding="utf-8")
    if settings.as_json:
        print_json(words.facts())
        return
    say(words.title())
    for title, columns, rows in words.tables():
        print_table(title, columns, rows, right=range(1, len(columns)))
    for sentence in words.sentences():
        say(sentence)
    tell_places(settings, "fit")


def tell_places(settings: TuneSettings, stage: str) -> None:
    """Say where log, weights and plots are."""
    say(f"The log is {settings.log_file(stage)}; the same command resumes from it.")
    if settings.out is not None:
        say(f"The weights are in {settings.out}.")
    if settings.plot is not None:
        say(f"The plots are in {settings.plot}.")


def check_stage(stage: str) -> None:
    """Refuse an unknown stage."""
    if stage not in STAGES:
        raise UserError(f"“{stage}” is not a stage; write {', '.join(STAGES[:-1])} or {STAGES[-1]}.")


def spsa(settings: TuneSettings, pairs: int, iterations: int, rate: float, size: float) -> None:
    """Tune weights by SPSA."""
    if rate == 0.0 or size == 0.0:
        raise UserError("With a --rate or --size of 0 nothing moves; give more than 0.")
    names, options, start = settings.begin((CHECK_GAME,))
    plan = by_playing.SpsaPlan(
        games=names,
        player=settings.player,
        names=settings.names or movable(start),
        start=asdict(start),
        nodes=settings.nodes,
        pairs=pairs,
        rate=rate,
        size=size,
        seed=settings.seed,
        setups=read_setup_rule(settings.setups),
        max_turns=settings.max_turns,
        options=options,
    )
    plan.space()
    with RunFile(by_playing.Iteration, plan, settings.log_file("spsa"), restarts=settings.restarts) as log:
        if len(log) < iterations:
            warm_up_for(settings.on)
        try:
            with (
                resumable(log, iterations, "iterations", log.file),
                settings.executor(names) as executor,
                progress("spsa") as advance,
            ):
                by_playing.run(plan, iterations, log, executor, advance)
        finally:
            _keep_spsa(settings, log)
    _tell_spsa(settings, log)


def _keep_spsa(settings: TuneSettings, log: RunFile[by_playing.Iteration]) -> None:
    """Write the weights and plots so far, also of an interrupted run."""
    if settings.plot is not None:
        page = spsa_page(log.lines)
        settings.plot.write_text(page, encoding="utf-8")
    if settings.out is not None and log.lines:
        last = log.lines[-1]
        settings.out.write_text(written(last.plan.space().at(last.moves)), encoding="utf-8")


def _tell_spsa(settings: TuneSettings, log: RunFile[by_playing.Iteration]) -> None:
    last = log.lines[-1]
    scores = [line.score for line in log.lines]
    recent = scores[-20:]
    if settings.as_json:
        print_json({"iterations": len(scores), "weights": last.weights, "scores": scores})
        return
    rows = [
        (name, f"{last.plan.start[name]:.5g}", f"{last.weights[name]:.5g}", f"{move:+.3f}")
        for name, move in zip(last.plan.names, last.moves, strict=True)
    ]
    print_table(
        f"Weights after {len(scores)} iterations of {2 * last.plan.pairs} games",
        ("weight", "start", "now", "move"),
        rows,
        right=(1, 2, 3),
    )
    say(
        f"Plus against minus in the last {len(recent)} iterations: "
        f"{100 * sum(recent) / len(recent):.1f} %. Try the weights before you trust them: "
        "flagfall tune weights --check NEW OLD."
    )
    tell_places(settings, "spsa")


def check(settings: TuneSettings, files: tuple[Path, Path], games: int, sprt: str) -> None:
    """Play a match between two files of weights."""
    if len(settings.games) > 1:
        raise UserError("A match needs exactly one --game.")
    players = [f"{settings.player}@weights={file}" for file in files]
    if "@" in f"{files[0]}{files[1]}":
        raise UserError("The name of a file of weights must not have an @ in it; rename the file.")
    game = settings.games[0] if settings.games else CHECK_GAME
    limits = settings.seed, None, settings.nodes, settings.setups, settings.max_turns
    plan = matches.planned(game, players, settings.options, *limits, False)
    matches.match(
        plan,
        games,
        settings.jobs,
        settings.out,
        sprt,
        on=settings.on,
        restarts=settings.restarts,
        as_json=settings.as_json,
    )
