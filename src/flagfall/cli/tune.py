"""`flagfall tune prior` and `tune behaviour`: fit what computer players believe."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from flagfall.arena.executor import check_place, executor_for
from flagfall.arena.run_file import RunFile
from flagfall.cli.output import print_json, print_table, progress, resumable, say, warm_up_for, warn
from flagfall.edition import load_game
from flagfall.errors import UserError
from flagfall.players import check_player
from flagfall.players.belief import setup_types
from flagfall.players.zoo.panel import require_fit_half
from flagfall.tuning import behaviour, prior
from flagfall.tuning.report import rounds_page


def tune_prior(
    data: Path,
    out: Path | None,
    types: int,
    rounds: int,
    seed: int,
    max_setups: int,
    log: Path | None,
    plot: Path | None,
    *,
    check: bool,
    restarts: bool,
    as_json: bool,
) -> None:
    """Fit or check setup types."""
    collection = prior.read_collection(data)
    if min(len(collection.fitted), len(collection.held_out)) < 1 or len(collection.fitted) < types:
        raise UserError(f"{data} has too few setups for {types} types.")
    if check:
        found = setup_types.default_types()
    else:
        found = _fit_types(collection, types, rounds, seed, log, plot, restarts=restarts)
    if out is not None and not check:
        out.write_text(found.to_json(), encoding="utf-8")
    with progress("held-out setups") as advance:
        figures = prior.check(found, collection, max_setups, advance)
    if as_json:
        print_json(figures)
        return
    _print_check(figures)


def _fit_types(
    collection: prior.Collection,
    types: int,
    rounds: int,
    seed: int,
    file: Path | None,
    plot: Path | None,
    *,
    restarts: bool,
) -> setup_types.FittedTypes:
    plan = prior.PriorPlan.of(collection, types, seed)
    with (
        RunFile(prior.PriorRound, plan, file, restarts=restarts) as log,
        resumable(log, rounds, "rounds", file),
    ):
        with progress("setup types") as advance:
            found = prior.fit(collection, types, rounds, seed, advance, prior.Stages(log))
        if plot is not None:
            curve = [(line.number + 1.0, line.nats) for line in log.lines]
            title = "Nats a piece on what is fitted"
            plot.write_text(rounds_page("Setup types", {title: [("nats", curve)]}), encoding="utf-8")
    return setup_types.read(found.to_json())


def _print_check(figures: dict[str, object]) -> None:
    nats, counting = figures["nats"], figures["counting"]
    assert isinstance(nats, dict)
    assert isinstance(counting, dict)
    rows = [
        (shown, f"{counting[shown]:.4f}", f"{nats[shown]:.4f}", f"{counting[shown] - nats[shown]:.4f}")
        for shown in nats
    ]
    columns = ("pieces shown", "counting", "types", "gain")
    print_table(
        f"Nats a hidden piece, {figures['setups']} held-out setups", columns, rows, right=(0, 1, 2, 3)
    )
    whole = figures["whole_setup"]
    assert isinstance(whole, dict)
    say(
        f"A whole setup, nats a piece: counting {whole['counting']:.4f}, types {whole['types']:.4f}, "
        f"gain {whole['counting'] - whole['types']:.4f}."
    )
    say(f"With no piece shown, squares alone can gain at most {figures['most_that_squares_can_tell']}.")


def tune_behaviour(
    chosen: list[str],
    games: int,
    rounds: int,
    players: list[str],
    seed: int,
    jobs: int | None,
    on: str,
    *,
    out: Path | None,
    log_file: Path | None,
    plot: Path | None,
    restarts: bool,
    as_json: bool,
) -> None:
    """Fit the behaviour table."""
    check_place(on)
    names = chosen or list(behaviour.GAMES)
    for name in names:
        load_game(name)
    for player in players:
        check_player(player)
    require_fit_half(players)
    warm_up_for(on)
    plan = behaviour.BehaviourPlan(games=tuple(names), players=tuple(players), each=games, seed=seed)
    total = rounds * games * len(names)
    with (
        RunFile(behaviour.WatchedGame, plan, log_file, restarts=restarts) as log,
        resumable(log, total, "games", log_file),
        executor_for(on, jobs, games=names, players=players, note=warn) as executor,
        progress("habits") as advance,
    ):
        behaviour.fit(plan, rounds, log, executor, advance)
    tables = behaviour.tables(plan, log.lines, rounds)
    table, seen = tables[-1], behaviour.often(log.lines, rounds - 1)
    if plot is not None:
        plot.write_text(_habits_page(tables[1:]), encoding="utf-8")
    if out is not None:
        asked = [f"--game {name}" for name in chosen] + [f"--player {player}" for player in players]
        made = f"flagfall tune behaviour --games {games} --rounds {rounds} --seed {seed} {' '.join(asked)}"
        out.write_text(json.dumps({"made": made, "habits": table}, indent=1) + "\n", encoding="utf-8")
    _tell_habits(table, seen, as_json=as_json)


def _tell_habits(table: behaviour.Table, seen: dict[str, int], *, as_json: bool) -> None:
    if as_json:
        print_json({"habits": table, "seen": seen})
        return
    rows = [
        (habit, seen[habit], ", ".join(f"{sort} {value:+.2f}" for sort, value in row.items()))
        for habit, row in table.items()
    ]
    print_table("Habits: log odds by sort", ("habit", "seen", "odds"), rows, right=(1,))


def _habits_page(tables: Sequence[behaviour.Table]) -> str:
    """Return a page with the odds of every habit over the rounds."""
    return rounds_page(
        "Habits: log odds by sort",
        {
            habit: [
                (sort, [(at + 1.0, table[habit][sort]) for at, table in enumerate(tables)])
                for sort in tables[-1][habit]
            ]
            for habit in tables[-1]
        },
    )
