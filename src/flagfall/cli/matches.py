"""`flagfall match` and `league`: progress, score so far, and tables at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from random import Random

from msgspec import to_builtins
from msgspec.structs import replace

from flagfall.arena.contest import play_all
from flagfall.arena.contestants import Contestant, seated
from flagfall.arena.executor import LOCAL, check_place
from flagfall.arena.plan import GameResult, Plan, read_setup_rule, rounds
from flagfall.arena.report import COST_COLUMNS, cost_rows, html_report, rating_words
from flagfall.arena.run_file import ResultsFile
from flagfall.arena.sprt import Sprt, read_sprt
from flagfall.arena.tally import Tally, costs, elo, first_pairs, tally, wilson
from flagfall.cli.output import (
    print_json,
    print_place,
    print_table,
    progress,
    resumable,
    say,
    warm_up_for,
    warn,
)
from flagfall.edition import Game, Options, load_game, parse_pairs, resolve
from flagfall.edition.compile import compile_game
from flagfall.errors import UserError
from flagfall.players.evaluation.value_net import digest_of
from flagfall.players.evaluation.weights_file import check_for, read_weights

Note = Callable[[ResultsFile], str]
Stop = Callable[[ResultsFile], bool]


def planned(
    address: str,
    players: list[str],
    pairs: list[str],
    seed: int,
    time_ms: int | None,
    nodes: int | None,
    setups: str,
    max_turns: int,
    allows_cheater: bool,
) -> Plan:
    """Return the plan of a command line, after checking that every player can play."""
    game = load_game(address)
    options = resolve(game, parse_pairs(pairs))
    plan = Plan(
        game=address,
        options=dict(options.changed(game)),
        players=tuple(name.strip() for name in players),
        seed=seed,
        time_ms=1000 if time_ms is None and nodes is None else time_ms,
        nodes=nodes,
        setups=read_setup_rule(setups),
        max_turns=max_turns,
        allows_cheater=allows_cheater,
    )
    plan = with_weights(plan, game, options)
    for contestant in plan.contestants():
        if not contestant.command:
            seated(contestant, game, options, Random(0), plan.budget, plan.weights)
    return plan


def with_weights(plan: Plan, game: Game, options: Options) -> Plan:
    """Return the plan with what is in the files of weights and networks that its players name."""
    nets = {contestant.net: digest_of(contestant.net) for contestant in plan.contestants() if contestant.net}
    return replace(plan, weights=weights_of(plan.contestants(), game, options), nets=nets)


def weights_of(
    contestants: Iterable[Contestant], game: Game, options: Options
) -> dict[str, dict[str, float]]:
    """Return the contents of the weights files that players name, by name."""
    files = {contestant.weights for contestant in contestants if contestant.weights}
    found = {file: read_weights(Path(file)) for file in sorted(files)}
    for file, weights in found.items():
        check_for(game, compile_game(game, options), weights, file)
    return {file: asdict(weights) for file, weights in found.items()}


def match(
    plan: Plan,
    games: int,
    jobs: int | None,
    out: Path | None,
    sprt: str,
    *,
    on: str = LOCAL,
    restarts: bool,
    as_json: bool,
) -> None:
    """Play a match between two players and print the score."""
    check_place(on)
    test = read_sprt(sprt) if sprt else None
    with ResultsFile(plan, out, restarts=restarts) as results:
        _play(results, games, jobs, on, lambda it: _score_line(it, test), lambda it: _is_decided(it, test))
        score = _score(results)
        if as_json:
            print_json(_match_facts(results, score, test))
            return
        say(f"{plan.game}: {plan.players[0]} against {plan.players[1]}, {score.games} games")
        say(f"{plan.players[0]}: {score.words()}")
        if test:
            say(_test_words(results, test))
        _print_costs(results)
        _print_troubles(results)
        print_place(out, plan.game)


def league(
    plan: Plan,
    games: int,
    jobs: int | None,
    out: Path | None,
    html: Path | None,
    *,
    on: str = LOCAL,
    restarts: bool,
    as_json: bool,
) -> None:
    """Play a league and print the cross-table."""
    check_place(on)
    if len(plan.players) < 2:
        raise UserError("A league needs two players or more; write for example --players random,greedy.")
    if len(set(plan.players)) < len(plan.players):
        raise UserError("A player is named twice; name each one once.")
    with ResultsFile(plan, out, restarts=restarts) as results:
        _play(results, games, jobs, on, _leader_line, lambda it: False)
        played = results.in_order()
        if html is not None:
            html.write_text(html_report(plan, played), encoding="utf-8")
        if as_json:
            print_json(_league_facts(plan, played))
            return
        _print_cross_table(plan, played)
        _print_costs(results)
        _print_troubles(results)
        print_place(out, plan.game)
        if html is not None:
            say(f"The report is {html}.")


def _play(results: ResultsFile, games: int, jobs: int | None, on: str, note: Note, is_done: Stop) -> None:
    """Play the games that are not in the results file yet."""
    plan = results.plan
    wanted = list(rounds(len(plan.players), games))
    missing = [at for at in wanted if at not in results.games]
    warm_up_for(on)
    running = play_all(plan, missing, jobs, on, warn)
    with (
        closing(running),
        resumable(results, len(wanted), "games", results.file, lambda: note(results)),
        progress(plan.game) as advance,
    ):
        advance(len(results), len(wanted), note(results))
        if is_done(results):
            return
        for played in running:
            results.add(played)
            advance(len(results), len(wanted), note(results))
            if is_done(results):
                return


def _score(results: ResultsFile) -> Tally:
    return tally(results.games.values(), 0, 1)


def _is_decided(results: ResultsFile, test: Sprt | None) -> bool:
    return test is not None and test.verdict(first_pairs(results.games.values())) != ""


def _score_line(results: ResultsFile, test: Sprt | None) -> str:
    return _score(results).words() + (f"  {test.words(first_pairs(results.games.values()))}" if test else "")


def _test_words(results: ResultsFile, test: Sprt) -> str:
    pairs = first_pairs(results.games.values())
    verdict = {
        "": "not decided yet",
        "H0": f"no better than {test.elo0:g} Elo is accepted",
        "H1": f"at least {test.elo1:g} Elo is accepted",
    }[test.verdict(pairs)]
    return f"SPRT, pentanomial, {sum(pairs)} pairs: {test.words(pairs)}, {verdict}."


def _leader_line(results: ResultsFile) -> str:
    if not results.games:
        return ""
    points = [0.0] * len(results.plan.players)
    for played in results.games.values():
        points[played.round.first] += played.score
        points[played.round.second] += 1 - played.score
    best = sorted(range(len(points)), key=lambda player: -points[player])[:4]
    return "  ".join(f"{results.plan.players[player]} {points[player]:g}" for player in best)


def _print_cross_table(plan: Plan, played: list[GameResult]) -> None:
    standing = rating_words(plan, played)
    order = [plan.players.index(name) for name, _, _ in standing]
    rows = []
    for player, (name, rating, interval) in zip(order, standing, strict=True):
        scores = [
            "–" if other == player else f"{100 * tally(played, player, other).score:.1f}" for other in order
        ]
        rows.append((name, rating, interval, *scores))
    columns = ("player", "Elo", "95 %", *(plan.players[player] for player in order))
    print_table(f"{plan.game}: {len(played)} games", columns, rows, right=range(1, len(columns)))


def _print_costs(results: ResultsFile) -> None:
    rows = [row[:-2] for row in cost_rows(results.plan, results.in_order())]
    print_table("Time and nodes per action", COST_COLUMNS[:-2], rows, right=range(1, 7))


def _print_troubles(results: ResultsFile) -> None:
    troubled = [played for played in results.in_order() if played.trouble]
    for played in troubled[:10]:
        slot = played.round
        loser = results.plan.players[slot.north if played.winner == "south" else slot.south]
        warn(f"{loser} loses pair {slot.pair}, game {slot.leg + 1} ({played.reason}): {played.trouble}")
    if len(troubled) > 10:
        warn(f"… and {len(troubled) - 10} more such games.")


def _match_facts(results: ResultsFile, score: Tally, test: Sprt | None) -> dict[str, object]:
    low, high = score.interval()
    facts: dict[str, object] = {
        "game": results.plan.game,
        "players": list(results.plan.players),
        "games": score.games,
        "won": score.won,
        "drawn": score.drawn,
        "lost": score.lost,
        "pairs": list(score.pairs),
        "score": round(score.score, 4),
        "score_95": [round(low, 4), round(high, 4)],
        "wins_95": [round(bound, 4) for bound in wilson(score.won, score.games)],
        "elo": _finite(elo(score.score)),
        "elo_95": [_finite(elo(low)), _finite(elo(high))],
        "costs": _cost_facts(results.plan, results.in_order()),
        "forfeits": sum(bool(played.trouble) for played in results.games.values()),
    }
    if test:
        pairs = first_pairs(results.games.values())
        facts["sprt"] = {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "llr": round(test.llr(pairs), 3),
            "verdict": test.verdict(pairs),
        }
    return facts


def _league_facts(plan: Plan, played: list[GameResult]) -> dict[str, object]:
    numbers = range(len(plan.players))
    return {
        "game": plan.game,
        "games": len(played),
        "ratings": [
            {"player": name, "elo": rating, "interval": interval}
            for name, rating, interval in rating_words(plan, played)
        ],
        "scores": {
            plan.players[a]: {plan.players[b]: tally(played, a, b).score for b in numbers if b != a}
            for a in numbers
        },
        "costs": _cost_facts(plan, played),
    }


def _cost_facts(plan: Plan, played: list[GameResult]) -> list[dict[str, object]]:
    return [to_builtins(cost) for cost in costs(plan, played)]


def _finite(value: float) -> float | None:
    return round(value, 1) if abs(value) < float("inf") else None
