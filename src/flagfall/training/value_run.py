"""A run of `flagfall train value`: rounds of playing, fitting and a gate, in a folder.

======================  ================================================================
file                    what
======================  ================================================================
rounds.jsonl            a line for each finished round
round-1/games.jsonl     the games of a round; unfinished ones go on
round-1/net…            the network that was fitted to all games so far, and fit.json how
round-1/gate.jsonl      the match against the player as it was
best.safetensors        the last network that passed its gate
report.html             curves, calibration and matches of all rounds
======================  ================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from flagfall.arena import charts
from flagfall.arena.contest import play_all
from flagfall.arena.executor import LOCAL, executor_for, say_nothing
from flagfall.arena.plan import Plan, rounds
from flagfall.arena.run_file import ResultsFile, RunFile, RunFileError, complete_lines
from flagfall.arena.sprt import Verdict, read_sprt
from flagfall.arena.tally import Tally, first_pairs, tally
from flagfall.edition import load_game
from flagfall.files import write_atomically
from flagfall.players.evaluation.value_net import (
    MAX_HIDDEN,
    ValueNet,
    digest_of,
    value_net_of,
    write_value_net,
)
from flagfall.players.zoo.panel import require_fit_half
from flagfall.training.recipe import TrainingError
from flagfall.training.value_games import ValueGame, ValuePlan, gather

ROUNDS, GAMES, NET, FIT, GATE = "rounds.jsonl", "games.jsonl", "net.safetensors", "fit.json", "gate.jsonl"
BEST, REPORT = "best.safetensors", "report.html"
_FEWEST = 16
"""games that a fit needs"""
_APART = 16_000_000
"""between the numbers of games of two rounds"""
Progress = Callable[[str, int, int, str], None]
"""what is done (games, passes, gate), how much of how much, and a remark"""


class ValueRecipe(Struct, frozen=True, kw_only=True):
    """Everything that decides a run."""

    game: str
    options: dict[str, str]
    player: str = "marshal"
    opponents: tuple[str, ...] = ()
    games: int = 400
    nodes: int = 1500
    hidden: int = 16
    decay: float = 0.9
    """how much later estimates, and the result, count against nearer ones"""
    positions: int = 60
    """of a game that are fitted, at most"""
    passes: int = 8
    rate: float = 0.005
    gate_games: int = 200
    gate_nodes: int | None = 4000
    gate_time_ms: int | None = None
    sprt: str = "0,20"
    max_turns: int = 1000
    seed: int = 1


class ValueRound(Struct, frozen=True, kw_only=True):
    """A finished round: a line of the log."""

    plan: ValueRecipe
    number: int
    fit: dict[str, Any]
    """`value_fit.ValueFit` by name"""
    gate: Tally
    verdict: Verdict
    is_kept: bool


def check(recipe: ValueRecipe) -> None:
    """Refuse numbers that cannot be."""
    require_fit_half(recipe.opponents)
    read_sprt(recipe.sprt)
    if not 0 <= recipe.hidden <= MAX_HIDDEN:
        raise TrainingError(f"--hidden is {recipe.hidden}; write 0 to {MAX_HIDDEN}.")
    if not 0 <= recipe.decay <= 1:
        raise TrainingError(f"--decay is {recipe.decay}; it is a share, from 0 to 1.")
    if recipe.games < _FEWEST:
        raise TrainingError(f"{recipe.games} games are too few for a fit; play {_FEWEST} or more.")


class ValueRun:
    """A run in a folder."""

    def __init__(
        self,
        folder: Path,
        recipe: ValueRecipe,
        jobs: int | None = None,
        on: str = LOCAL,
        *,
        progress: Progress = lambda what, done, total, remark: None,
        note: Callable[[str], None] = say_nothing,
    ) -> None:
        check(recipe)
        self.folder, self.recipe, self.jobs, self.on = folder, recipe, jobs, on
        self._progress, self._note = progress, note
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with RunFile(ValueRound, recipe, folder / ROUNDS) as log:
                self.rounds = list(log.lines)
        except RunFileError:
            raise TrainingError(
                f"The run in {folder} has another recipe. Give the same options, or choose another folder."
            ) from None

    @property
    def best(self) -> Path | None:
        """The network that passed its gate last."""
        file = self.folder / BEST
        return file if file.exists() else None

    def player(self, net: Path | None) -> str:
        """Return the name of the player with a network."""
        return f"{self.recipe.player}@net={net}" if net else self.recipe.player

    def go_on(self) -> ValueRound:
        """Play, fit and gate one round, or finish the one that was stopped."""
        number = len(self.rounds) + 1
        place = self.folder / f"round-{number}"
        place.mkdir(exist_ok=True)
        self._play(number, place / GAMES)
        facts = self._fit(place)
        gate, verdict = self._gate(number, place)
        is_kept = verdict == "H1" or (verdict == "" and gate.interval()[0] > 0.5)
        done = ValueRound(
            plan=self.recipe, number=number, fit=facts, gate=gate, verdict=verdict, is_kept=is_kept
        )
        if is_kept:
            self._keep(place / NET, done)
        with RunFile(ValueRound, self.recipe, self.folder / ROUNDS) as log:
            log.add(done)
        self.rounds.append(done)
        write_atomically(self.folder / REPORT, report_page(self.recipe, self.rounds).encode())
        return done

    def _play(self, number: int, file: Path) -> None:
        recipe = self.recipe
        rival = None
        if self.rounds and not self.rounds[-1].is_kept:
            rival = self.folder / f"round-{number - 1}" / NET
        plan = ValuePlan(
            game=recipe.game,
            options=recipe.options,
            player=self.player(self.best),
            net=digest_of(str(self.best)) if self.best else "",
            rival=self.player(rival) if rival else "",
            opponents=recipe.opponents,
            nodes=recipe.nodes,
            seed=1000 * recipe.seed + number,
            max_turns=recipe.max_turns,
        )
        with RunFile(ValueGame, plan, file) as log:
            there = {line.index for line in log.lines}
            missing = [index for index in range(recipe.games) if index not in there]
            if not missing:
                return
            players = (plan.player, *plan.opponents)
            files = [str(net) for net in (self.best, rival) if net]
            with executor_for(
                self.on, self.jobs, games=[plan.game], players=players, files=files, note=self._note
            ) as executor:
                for one in gather(plan, missing, executor):
                    log.add(one)
                    self._progress("games", len(log), recipe.games, f"{one.turns} turns")

    def _fit(self, place: Path) -> dict[str, Any]:
        from flagfall.training import value_fit

        if (place / NET).exists() and (place / FIT).exists():
            found: dict[str, Any] = msgspec.json.decode((place / FIT).read_bytes())
            return found
        recipe = self.recipe
        game = load_game(recipe.game)
        played = [
            structs.replace(one, index=one.index + number * _APART)
            for number in range(1, len(self.rounds) + 2)
            for one in sorted(_games(self.folder / f"round-{number}" / GAMES), key=lambda one: one.index)
        ]
        every = value_fit.examples(game, played, recipe.decay, recipe.positions, recipe.seed)
        net, fitted = value_fit.fit(
            game,
            every,
            recipe.hidden,
            passes=recipe.passes,
            rate=recipe.rate,
            seed=recipe.seed,
            progress=lambda number, loss: self._progress("passes", number, recipe.passes, f"{loss:.4f} nats"),
        )
        write_value_net(place / NET, net)
        written = msgspec.json.encode(fitted)
        write_atomically(place / FIT, written)
        facts: dict[str, Any] = msgspec.json.decode(written)
        return facts

    def _gate(self, number: int, place: Path) -> tuple[Tally, Verdict]:
        recipe, candidate, test = self.recipe, place / NET, read_sprt(self.recipe.sprt)
        nets = [candidate, *([self.best] if self.best else [])]
        plan = Plan(
            game=recipe.game,
            options=recipe.options,
            players=(self.player(candidate), self.player(self.best)),
            seed=1000 * recipe.seed + number,
            time_ms=recipe.gate_time_ms,
            nodes=recipe.gate_nodes,
            setups="own",
            max_turns=recipe.max_turns,
            nets={str(net): digest_of(str(net)) for net in nets},
        )
        with ResultsFile(plan, place / GATE) as results:
            wanted = [slot for slot in rounds(2, recipe.gate_games) if slot not in results.games]
            verdict = test.verdict(first_pairs(results.in_order()))
            if not verdict and wanted:
                with closing(play_all(plan, wanted, self.jobs, self.on, self._note)) as games:
                    for one in games:
                        results.add(one)
                        score = tally(results.in_order(), 0, 1)
                        self._progress("gate", len(results), recipe.gate_games, score.words())
                        verdict = test.verdict(first_pairs(results.in_order()))
                        if verdict:
                            break
            return tally(results.in_order(), 0, 1), verdict

    def _keep(self, file: Path, done: ValueRound) -> None:
        net = value_net_of(str(file))
        limit = (
            f"{self.recipe.gate_nodes} nodes" if self.recipe.gate_nodes else f"{self.recipe.gate_time_ms} ms"
        )
        words = f"gate at {limit}: {done.gate.won} won, {done.gate.drawn} drawn, {done.gate.lost} lost"
        header = structs.replace(net.header, figures=(*net.header.figures, words))
        write_value_net(self.folder / BEST, ValueNet(header, net.arrays))


def _games(file: Path) -> list[ValueGame]:
    return [msgspec.json.decode(line, type=ValueGame) for line in complete_lines(file, "--run")]


def report_page(recipe: ValueRecipe, done: list[ValueRound]) -> str:
    """Return a page with the curve and the calibration of the last fit, and the gates of all rounds."""
    last = done[-1].fit
    title = f"{recipe.game}: a learned correction of the evaluation"
    rows = [
        (
            one.number,
            one.fit["games"],
            f"{one.fit['hand_made']:.4f}",
            f"{one.fit['loss']:.4f}",
            f"{one.fit['results_hand_made']:.4f}",
            f"{one.fit['results_loss']:.4f}",
            one.gate.words(),
            "kept" if one.is_kept else "thrown away",
        )
        for one in done
    ]
    columns = (
        "round",
        "games fitted",
        "hand-made, nats",
        "corrected, nats",
        "results: hand-made",
        "results: corrected",
        "gate",
        "network",
    )
    curves = [
        (name, [(float(number), losses[index]) for number, losses in enumerate(last["curve"], start=1)])
        for index, name in enumerate(("fitted games", "held-out games"))
    ]
    said = [(one["said"], one["happened"]) for one in last["bins"]]
    ideal = ("as it should be", [(0.0, 0.0), (1.0, 1.0)])
    bins = [
        (f"{100 * one['said']:.1f} %", f"{100 * one['happened']:.1f} %", one["positions"])
        for one in last["bins"]
    ]
    parts = [
        f"<h1>{title}</h1>",
        charts.table(columns, rows),
        charts.figure(charts.lines(curves, "nats"), "Loss of the last fit, by pass"),
        charts.figure(
            charts.lines([ideal, ("held-out games", said)], "result"),
            "Calibration of the last fit: the chance said, across, and what happened",
        ),
        charts.table(("chance said", "games won", "positions"), bins),
    ]
    return charts.page(title, parts)
