"""`flagfall tune weights --stage design`: which weights matter, by random ones in every game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from flagfall.arena.plan import read_setup_rule
from flagfall.arena.run_file import RunFile
from flagfall.cli.output import print_json, print_table, progress, resumable, say, warm_up_for, warn
from flagfall.cli.weights import CHECK_GAME, FEWEST, TuneSettings, opponents_in, tell_places
from flagfall.errors import UserError
from flagfall.players.evaluation.piece_values import Weights
from flagfall.players.evaluation.weights_file import written
from flagfall.tuning.designs import (
    MAX_SIZE,
    DesignGame,
    DesignPlan,
    Effects,
    effects,
    first_games,
    gather,
)
from flagfall.tuning.report import design_page
from flagfall.tuning.weight_space import movable, unit

COLUMNS = ("weight", "in use", "effect, %", "± %", "z", "expected, %", "move", "new")


def design(settings: TuneSettings, games: int, opponents: list[str] | None, size: float, step: float) -> None:
    """Play games with random weights, and tell what each weight does."""
    if size == 0.0:
        raise UserError("With a --size of 0 nothing moves; give more than 0.")
    if size > MAX_SIZE:
        raise UserError(
            f"With a --size of {size:g} armies could be worth as much as games; give {MAX_SIZE:g} or less."
        )
    names, options, start = settings.begin((CHECK_GAME,))
    if unit() in settings.names:
        raise UserError(f"“{unit()}” is the unit of all weights and stays fixed; leave it out of --weights.")
    others = opponents_in(opponents, ())
    plan = DesignPlan(
        games=names,
        player=settings.player,
        opponents=others,
        names=settings.names or movable(start, with_off=True),
        start=asdict(start),
        nodes=settings.nodes,
        size=size,
        seed=settings.seed,
        setups=read_setup_rule(settings.setups),
        max_turns=settings.max_turns,
        options=options,
    )
    plan.space()
    fewest = 2 * len(plan.names) + FEWEST
    if games < fewest:
        raise UserError(
            f"{games} games are too few for {len(plan.names)} weights; play {fewest} or more (--games), or "
            "name fewer --weights."
        )
    with RunFile(DesignGame, plan, settings.log_file("design"), restarts=settings.restarts) as log:
        try:
            _play(plan, games, log, settings)
        finally:
            played = first_games(log, games)
            if len(played) >= fewest:
                _keep(settings, plan, effects(plan, played), step)
            elif settings.out is not None or settings.plot is not None:
                warn(f"{len(played)} games are too few for weights and plots; {fewest} are needed.")
    _tell(settings, plan, effects(plan, played), step)


def _play(plan: DesignPlan, games: int, log: RunFile[DesignGame], settings: TuneSettings) -> None:
    if len(first_games(log, games)) == games:
        return
    warm_up_for(settings.on)
    with (
        resumable(log, games, "games", log.file),
        settings.executor(plan.games, plan.opponents) as executor,
        progress("games") as advance,
    ):
        gather(plan, games, log, executor, advance)


def _moved(plan: DesignPlan, found: Effects, step: float) -> Weights:
    return plan.moved(found.moves(step))


def _keep(settings: TuneSettings, plan: DesignPlan, found: Effects, step: float) -> None:
    """Write weights and plot, also of an interrupted run."""
    if settings.out is not None:
        settings.out.write_text(written(_moved(plan, found, step)), encoding="utf-8")
    if settings.plot is not None:
        page = design_page(_title(plan, found), COLUMNS, _rows(plan, found, step), found.effects)
        settings.plot.write_text(page, encoding="utf-8")


def _title(plan: DesignPlan, found: Effects) -> str:
    return f"{found.games} games of {', '.join(plan.games)} with random weights, {found.drawn} drawn"


def _rows(plan: DesignPlan, found: Effects, step: float) -> Sequence[tuple[str, ...]]:
    """Return a row for each weight, the most certain effect first."""
    new = asdict(_moved(plan, found, step))
    both = zip(found.effects, found.moves(step), strict=True)
    return [
        (
            effect.name,
            f"{plan.start[effect.name]:.4g}",
            f"{100 * effect.points:+.1f}",
            f"{100 * effect.error:.1f}",
            f"{effect.z:+.1f}",
            f"{100 * effect.expected:+.1f}",
            f"{move:+.2f}",
            f"{new[effect.name]:.4g}",
        )
        for effect, move in sorted(both, key=lambda each: -abs(each[0].z))
    ]


def _tell(settings: TuneSettings, plan: DesignPlan, found: Effects, step: float) -> None:
    if settings.as_json:
        facts = {
            effect.name: {"points": effect.points, "error": effect.error, "expected": effect.expected}
            for effect in found.effects
        }
        print_json(
            {
                "games": found.games,
                "drawn": found.drawn,
                "effects": facts,
                "weights": asdict(_moved(plan, found, step)),
            }
        )
        return
    print_table(
        _title(plan, found), COLUMNS, _rows(plan, found, step), right=range(1, len(COLUMNS)), is_wide=True
    )
    say(
        f"The squares of all z add up to {found.sum_z_squared:.0f}; by chance alone it would be about "
        f"{len(found.effects)}. Try the new weights before you trust them: "
        "flagfall tune weights --check NEW OLD."
    )
    tell_places(settings, "design")
