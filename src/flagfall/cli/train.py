"""`flagfall train`: learning runs, networks as files, and what they can be exploited for."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from msgspec import structs

from flagfall.arena.executor import LOCAL, check_place, executor_for
from flagfall.cli.output import print_json, print_table, progress, say, warm_up_for, warn
from flagfall.edition import Options, load_game, parse_pairs, resolve
from flagfall.edition.compile import compile_game
from flagfall.engine.warm import warm_up as warm_engine
from flagfall.errors import UserError
from flagfall.extras import MODULES, require
from flagfall.files import write_new
from flagfall.players import check_player, needs_compiled
from flagfall.players.warm import warm_up as warm_players
from flagfall.rl.layout import Layout
from flagfall.rl.network import shape_for
from flagfall.rl.network_file import (
    NetworkFile,
    check_fits,
    header_for,
    network_bytes,
    read_network,
    write_network,
)

if TYPE_CHECKING:
    from flagfall.training.examples import Batch
    from flagfall.training.fit import Fitted
    from flagfall.training.recipe import Recipe
    from flagfall.training.run import Line, Run

_HELD_OUT = 10
"""one game of so many is held out"""
_TIME_MS = 50
"""for each action of the games, unless nodes are given"""
_MAX_NAME = 80
"""characters of the name of a dataset in a network file"""


def policy(
    game_id: str,
    folder: Path,
    pairs: list[str],
    changes: list[str],
    start: Path | None,
    minutes: float | None,
    every: tuple[float, int, tuple[str, ...], int],
    jobs: int | None = None,
    on: str = LOCAL,
) -> None:
    """Begin a run, or go on with it."""
    require("train", "Learning")
    check_place(on)
    from flagfall.training.elsewhere import begin_learning
    from flagfall.training.run import CURVES, NETWORK, Evaluation, check_measurable

    evaluation = Evaluation(*every)
    for name in evaluation.opponents:
        check_player(name)
    if evaluation.exploit_every:
        check_measurable(_recipe(game_id, pairs, changes))
    executor = executor_for(
        on,
        jobs,
        begin_learning,
        games=[game_id],
        players=evaluation.opponents,
        packages=MODULES["train"],
        note=warn,
    )
    run = _run(game_id, folder, pairs, changes, start)
    recipe = run.learner.recipe
    with executor, progress(recipe.game) as advance, _stopping() as is_stopped:

        def tell(line: Line) -> None:
            said = [outcome.words() for outcome in line.outcomes]
            if line.exploitability is not None:
                said.append(line.exploitability.words())
            for words in said:
                say(f"{line.seconds / 60:.1f} minutes, update {line.update}: {words}")
            advance(line.update, recipe.updates, f"{line.positions} positions")

        run.go_on(evaluation, executor, minutes=minutes, progress=tell, is_stopped=is_stopped)
    learner = run.learner
    say(
        f"{learner.updates} of {recipe.updates} updates. The network is {folder / NETWORK}: play it as "
        f"net:{folder / NETWORK}. Curves: {folder / CURVES}."
    )
    if learner.updates < recipe.updates:
        warn("The same command goes on.")


def _run(game_id: str, folder: Path, pairs: list[str], changes: list[str], start: Path | None) -> Run:
    from flagfall.training.run import CHECKPOINT, Run

    recipe = _recipe(game_id, pairs, changes)
    game = load_game(recipe.game)
    options = resolve(game, recipe.options)
    if (folder / CHECKPOINT).exists():
        if start is not None:
            raise UserError(f"There is a run in {folder} already; --start is for a new one.")
        run = Run.load(folder)
        if run.learner.recipe != recipe:
            raise UserError(
                f"The run in {folder} has another recipe: {run.learner.recipe!r}. Give the same options, or "
                "choose another folder."
            )
        say(f"Going on with {folder} after {run.learner.updates} updates.")
        return run
    for name in recipe.players:
        check_player(name)
    weights = None
    if start is not None:
        network = read_network(start)
        layout = Layout(game, options, compile_game(game, options), places=recipe.places)
        check_fits(network, layout)
        if network.header.shape != shape_for(layout, recipe.channels, recipe.layers):
            shape = network.header.shape
            raise UserError(
                f"{start} has {shape.channels} channels and {shape.layers} layers; say so with --set "
                f"channels={shape.channels} --set layers={shape.layers}."
            )
        weights = network.weights
    return Run.begin(folder, recipe, weights)


def _recipe(game_id: str, pairs: list[str], changes: list[str]) -> Recipe:
    from flagfall.training.recipes import recipe_for

    game = load_game(game_id)
    return recipe_for(game.id, resolve(game, parse_pairs(pairs)).changed(game), changes)


def fit(
    game_id: str,
    out: Path,
    pairs: list[str],
    players: list[str],
    games: int,
    nodes: int | None,
    passes: int,
    sizes: tuple[int, int],
    seed: int,
    data: Path | None = None,
    jobs: int | None = None,
    on: str = LOCAL,
) -> None:
    """Fit a network to the games of a dataset, or to games that players play now."""
    require("train", "Learning")
    check_place(on)
    from flagfall.training import examples
    from flagfall.training import fit as fitting

    if out.exists():
        raise UserError(f"{out} exists; choose another name. Nothing was written.")
    learned: Callable[[], Iterable[Batch]]
    if data is not None:
        if pairs or players or jobs is not None or on != LOCAL:
            raise UserError(
                "The games of --data are played already; leave --option, --player, --jobs and --on out."
            )
        recorded = examples.Recorded(data, load_game(game_id), _HELD_OUT)
        layout, games, source = recorded.layout, recorded.games, f"the dataset {data.name[:_MAX_NAME]}"
        learned, held_out = recorded.learned, recorded.held_out()
    else:
        layout, batches = _played(game_id, pairs, players or ["greedy"], games, nodes, seed, jobs, on)
        held_out, learning = batches[::_HELD_OUT], [one for at, one in enumerate(batches) if at % _HELD_OUT]
        learned, games, source = lambda: learning, len(learning), ", ".join(players or ["greedy"])
    rows: list[Fitted] = []
    shape = shape_for(layout, *sizes)
    with progress("passes") as advance:

        def tell(fitted: Fitted) -> None:
            rows.append(fitted)
            advance(fitted.number, passes, f"{fitted.nats:.3f} nats")

        weights = fitting.fit(shape, learned, held_out, passes=passes, seed=seed, progress=tell)
    trained = f"{rows[-1].examples} examples of {games} games of {source}, {passes} passes"
    write_network(out, NetworkFile(header_for(layout, shape, trained=trained), weights))
    lines = [(f.number, f"{f.nats:.3f}", f"{100 * f.agrees:.1f} %", f"{f.error:.3f}") for f in rows]
    print_table("Held-out games", ("pass", "nats", "agrees", "error of values"), lines, right=(0, 1, 2, 3))
    say(f"Written to {out}. Play it as net:{out}.")


def _played(
    game_id: str,
    pairs: list[str],
    players: list[str],
    games: int,
    nodes: int | None,
    seed: int,
    jobs: int | None,
    on: str,
) -> tuple[Layout, list[Batch]]:
    """Let players play, and return the examples of each game."""
    from flagfall.training.examples import GamesPlan, played_games

    for name in players:
        check_player(name)
    game = load_game(game_id)
    options = resolve(game, parse_pairs(pairs))
    layout = Layout(game, options, compile_game(game, options), places=True)
    plan = GamesPlan(
        game=game_id,
        options=options.changed(game),
        players=tuple(players),
        seed=seed,
        nodes=nodes,
        time_ms=None if nodes else _TIME_MS,
    )
    searches = any(map(needs_compiled, players))
    jobs = None if jobs is None else min(jobs, games)
    kept: list[Batch] = []
    begin = warm_players if searches else warm_engine
    executor = executor_for(on, jobs, begin, games=[game_id], players=players, note=warn)
    warm_up_for(on, searches=searches)
    with executor, progress("games") as advance:
        for batch in played_games(plan, games, executor):
            kept.append(batch)
            advance(len(kept), games, "")
    return layout, kept


def export(folder: Path, out: Path, temperature: float) -> None:
    """Copy the network of a run, after checking it, with the temperature at which it plays."""
    from flagfall.rl.network_file import NetworkFileError

    file = folder / "network.safetensors"
    if not file.exists():
        raise NetworkFileError(f"There is no run in {folder}: {file.name} is missing.")
    network = read_network(file)
    header = structs.replace(network.header, temperature=temperature)
    write_new(str(out), network_bytes(NetworkFile(header, network.weights)), None)
    say(f"Written to {out}: {network.header.game}, {network.header.trained or 'not trained'}.")


def exploit(named: str, max_turns: int, *, as_json: bool) -> None:
    """Measure the exploitability of a network, or of the random player of a game."""
    from flagfall.training import exploit as exploiting

    options: Options | dict[str, str]
    chosen: exploiting.Policy
    if not Path(named).exists() and "/" in named and not named.endswith(".safetensors"):
        game, options, chosen = load_game(named).id, {}, exploiting.random_policy
    else:
        network = read_network(Path(named))
        if not network.header.places:
            raise UserError(f"{named} does not place its pieces; its setups are random and not measured.")
        game, options = network.header.game, network.header.options
        chosen = exploiting.network_policy(network)
    found = exploiting.exploitability(game, options, chosen, max_turns)
    if as_json:
        print_json({"game": game, "south": found.as_south, "north": found.as_north, "mean": found.mean,
                    "max_turns": max_turns, "positions": found.positions})  # fmt: skip
        return
    say(f"{game}, {found.words()} (0 is perfect play, 1 would be every game). {found.positions} positions.")


@contextmanager
def _stopping() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C, or SIGTERM, stop after the present update; a second one stops at once."""
    stops: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if stops:
            raise KeyboardInterrupt
        stops.append(number)
        warn("Stopping after this update, to save; Ctrl-C again stops at once.")

    before = {each: signal.signal(each, note) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(stops)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
