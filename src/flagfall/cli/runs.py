"""`flagfall simulate`, `perft` and `signature`; progress goes to standard error."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random

from flagfall.arena.executor import LOCAL, check_place
from flagfall.arena.run_file import complete_lines, drop_incomplete_line
from flagfall.arena.simulate import Simulation, run
from flagfall.cli.output import (
    console,
    print_json,
    print_place,
    print_table,
    progress,
    resumable,
    say,
    warm_up_for,
    warm_up_kernels,
    warn,
)
from flagfall.edition import game_ids, load_game, parse_pairs, resolve
from flagfall.engine.kernel_cache import cache_folder, is_saved
from flagfall.errors import UserError
from flagfall.notation import NotationError, from_json
from flagfall.players import check_player, needs_compiled
from flagfall.setups import random_setup


def warm_players(game_id: str | None) -> None:
    """Compile everything that the computer players need, and say where it is kept."""
    if game_id is not None:
        load_game(game_id)
    warm_up_kernels()
    if not is_saved():
        raise UserError("The computer players are compiled, but could not be saved for the next start.")
    say(f"The computer players are ready. Their machine code is in {cache_folder()}.")


def simulate(
    game_id: str,
    games: int,
    seed: int,
    jobs: int | None,
    out: Path | None,
    players: tuple[str, str],
    pairs: list[str],
    *,
    on: str = LOCAL,
    as_json: bool,
) -> None:
    """Play games, count the results and write the games to a file."""
    check_place(on)
    game = load_game(game_id)
    options = resolve(game, parse_pairs(pairs))
    for name in players:
        check_player(name)
    plan = Simulation(game_id, tuple(options.changed(game).items()), seed, players)
    done = _already_played(out, plan, game.id) if out else []
    warm_up_for(on, searches=any(map(needs_compiled, players)))
    results: Counter[tuple[str, str]] = Counter((winner, reason) for winner, reason, _ in done)
    turns = [length for _, _, length in done]
    with ExitStack() as stack:
        file = stack.enter_context(out.open("a", encoding="utf-8")) if out else None
        stack.enter_context(resumable(turns, games, "games", out))
        advance = stack.enter_context(progress(game.id))
        advance(len(done), games, "")
        for played in stack.enter_context(closing(run(plan, len(done), games, jobs, on, warn))):
            if file:
                file.write(played.line + "\n")
                file.flush()
            results[played.winner, played.reason] += 1
            turns.append(played.turns)
            advance(played.index + 1, games, _tally(results))
    _print_results(game_id, game.id, results, turns, out, as_json=as_json)


def _tally(results: Counter[tuple[str, str]]) -> str:
    count = {
        side: sum(n for (winner, _), n in results.items() if winner == side)
        for side in ("south", "north", "")
    }
    return f"south {count['south']}  north {count['north']}  drawn {count['']}"


def _already_played(out: Path, plan: Simulation, game_id: str) -> list[tuple[str, str, int]]:
    """Return the results in the file; an incomplete last line is dropped and played again."""
    if not out.exists():
        return []
    done: list[tuple[str, str, int]] = []
    for number, line in enumerate(complete_lines(out, "--out"), start=1):
        try:
            record = from_json(line)
        except NotationError as error:
            raise UserError(f"{out}: {error.moved(number, 1)}") from None
        seed_line = f"seed {plan.seed}, game {number - 1}"
        is_same = record.game == game_id and dict(record.options) == dict(plan.options)
        if not is_same or record.players != plan.players or seed_line not in record.comments:
            raise UserError(
                f"{out}, line {number}: this is another run; repeat its game, seed, options and "
                f"players, or choose another --out."
            )
        result = record.result
        done.append(
            (result.winner if result else "", result.reason if result else "unfinished", len(record.turns))
        )
    drop_incomplete_line(out)
    return done


def _print_results(
    address: str,
    game_id: str,
    results: Counter[tuple[str, str]],
    turns: list[int],
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    games = sum(results.values())
    average = sum(turns) / games if games else 0.0
    if as_json:
        table = [{"winner": w or "draw", "reason": r, "games": n} for (w, r), n in sorted(results.items())]
        print_json({"game": game_id, "games": games, "turns": round(average, 1), "results": table})
        return
    rows = [
        (winner or "draw", reason, count, f"{100 * count / games:.1f} %")
        for (winner, reason), count in sorted(results.items(), key=lambda item: -item[1])
    ]
    print_table(
        f"{game_id}: {games} games, {average:.0f} turns on average",
        ("winner", "reason", "games", "share"),
        rows,
        right=(2, 3),
    )
    print_place(out, address)


def perft(game_id: str, depth: int, seed: int, pairs: list[str], *, as_json: bool) -> None:
    """Count action sequences from a seeded setup, for each depth."""
    from flagfall.arena.perft import perft as count

    game = load_game(game_id)
    options = resolve(game, parse_pairs(pairs))
    rng = Random(seed)
    setups = random_setup(game, 0, rng), random_setup(game, 1, rng)
    warm_up_kernels(searches=False)
    counts = {}
    with progress(f"perft {game.id}") as advance:
        for level in range(1, depth + 1):
            advance(level - 1, depth, f"depth {level}")
            counts[level] = count(game, options, (setups[0].kinds, setups[1].kinds), level)
    if as_json:
        print_json({"game": game.id, "seed": seed, "options": options.changed(game), "counts": counts})
    else:
        print_table(f"{game.id}, seed {seed}", ("depth", "sequences"), list(counts.items()), right=(0, 1))


def signature(file: Path, *, check: bool, write: bool, as_json: bool) -> bool:
    """Hash seeded games; return whether they match the file."""
    from flagfall.arena import signature as hashes

    warm_up_kernels(searches=False)
    with progress("signature") as advance:
        total = sum(len(hashes.option_sets(load_game(game))) for game in game_ids())
        done: list[str] = []

        def report(name: str, value: str) -> None:
            done.append(value)
            advance(len(done), total, name)

        lines = hashes.signatures(report=report)
    tell = warn if as_json else say
    if as_json:
        print_json(lines)
    elif not check and not write:
        console.file.write(hashes.written(lines))
    if write:
        hashes.write(file, lines)
        tell(f"Wrote {file}.")
    if not check:
        return True
    kept = hashes.read(file)
    changed = [name for name in sorted({*kept, *lines}) if kept.get(name) != lines.get(name)]
    for name in changed:
        tell(f"{name}: {kept.get(name, 'not in the file')} → {lines.get(name, 'no longer a game')}")
    tell("The signature differs." if changed else "The signature matches the file.")
    return not changed
