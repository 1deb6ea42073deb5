"""The panel of strangers: `flagfall bench players --panel outside`.

The strongest level plays every member of the panel (`flagfall.players.zoo.panel`). Numbers may be fitted on
games of one half; targets are asked of the other half only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from math import log

from bench.frozen import FROZEN
from bench.gates import Gate, Judged, at_least
from bench.players import Bench, Folder, Standing
from bench.trials import STRONGEST, Trial, TrialError, chosen
from flagfall.arena.tally import Tally, wilson
from flagfall.cli.output import print_table, say
from flagfall.edition import Game, load_game
from flagfall.players.evaluation.piece_values import standard_weights
from flagfall.players.zoo.mixture import Mixture, mixture
from flagfall.players.zoo.panel import EARLIER, HELD_OUT, PANEL, TO_FIT, is_held_out

OUTSIDE = "outside"
GAMES = 200
"""of each member, for a verdict"""
CLASSIC = "lotr/classic"
MAX_DRAWS = 0.04
COLUMNS = ("against", "games", "won", "drawn", "lost", "won, %", "95 %", "drawn, %", "95 %")
_FIT_HALF = "to fit on"
_HELD_OUT_HALF = "held out"


def panel_trials(game: Game, time_ms: int, player: str = STRONGEST) -> list[Trial]:
    """Return a trial against every member, the held-out half last."""
    return [
        Trial(
            name=f"{OUTSIDE}.{game.id.replace('/', '-')}.{time_ms}ms.{member.replace(':', '-')}",
            group=f"{OUTSIDE}, {game.id}, {time_ms} ms, {half}",
            game=game.id,
            first=player,
            second=member,
            games=GAMES,
            gate=_gate(game, member),
            time_ms=time_ms,
        )
        for half, members in ((_FIT_HALF, TO_FIT), (_HELD_OUT_HALF, HELD_OUT))
        for member in members
    ]


def _gate(game: Game, member: str) -> Gate:
    if member == EARLIER:
        return at_least(0.65) if game.has_powers else at_least(0.70) if game.id == CLASSIC else Gate()
    return at_least(0.95) if member in HELD_OUT and game.id == CLASSIC else Gate()


def prepared_panel(
    name: str, game: str, folder: Folder, only: Sequence[str], time_ms: int, games: int, *, restarts: bool
) -> Bench:
    """Return the bench of the panel; with ``restarts`` the games of its trials are deleted."""
    if name != OUTSIDE:
        raise TrialError(f"There is no panel “{name}”; there is {OUTSIDE}.")
    everything = panel_trials(load_game(game), time_ms)
    names = {trial.name for trial in chosen(everything, only)}
    if restarts:
        folder.forget([trial.name for trial in everything if trial.name in names])
    return Bench(folder, everything, (), names, games / GAMES)


def prepare_programs(bench: Bench) -> None:
    """Unpack the players of earlier versions that are still to be played."""
    for each in bench.standings:
        if not each.is_over and each.trial.second in FROZEN:
            FROZEN[each.trial.second].prepare()


def panel_rows(standings: Sequence[Standing]) -> list[tuple[str, ...]]:
    """Return a row for every member and one for each half and for all."""
    rows: list[tuple[str, ...]] = []
    played = [each for each in standings if each.trial.second in PANEL and each.games]
    for half, members in ((_FIT_HALF, TO_FIT), (_HELD_OUT_HALF, HELD_OUT), ("all", ())):
        found = [each for each in played if each.trial.second in (members or PANEL)]
        if members:
            rows += [score_row(each.trial.second, each.score) for each in found]
        if found:
            rows.append(score_row(f"all: {half}" if members else "all", together([e.score for e in found])))
    return rows


def together(scores: Sequence[Tally]) -> Tally:
    """Return several scores added up."""
    return Tally(*(sum(getattr(one, what) for one in scores) for what in ("won", "drawn", "lost")))


def score_row(name: str, score: Tally) -> tuple[str, ...]:
    """Return a score as a row: its shares of wins and of draws with their intervals.

    >>> score_row("walker", Tally(18, 1, 1))
    ('walker', '20', '18', '1', '1', '90.0', '69.9–97.2', '5.0', '0.9–23.6')
    """
    cells = [name, str(score.games), str(score.won), str(score.drawn), str(score.lost)]
    for count in (score.won, score.drawn):
        low, high = wilson(count, score.games)
        cells += [f"{100 * count / score.games:.1f}", f"{100 * low:.1f}–{100 * high:.1f}"]
    return tuple(cells)


def draws(standings: Sequence[Standing]) -> Judged | None:
    """Return the verdict on the draws against the held-out half in classic."""
    held_out = [
        each
        for each in standings
        if each.trial.name.startswith(f"{OUTSIDE}.") and each.trial.second in HELD_OUT and each.games
    ]
    if not held_out or held_out[0].trial.game != CLASSIC:
        return None
    score = together([each.score for each in held_out])
    low, high = (100 * bound for bound in wilson(score.drawn, score.games))
    result = (
        f"{score.drawn} of {score.games}, {100 * score.drawn / score.games:.1f} % [{low:.1f}–{high:.1f} %]"
    )
    decided = Tally(score.games - score.drawn, score.drawn, 0)
    verdict = at_least(1 - MAX_DRAWS).verdict(decided, GAMES * len(HELD_OUT))
    return Judged("Draws against the held-out half", f"≤ {100 * MAX_DRAWS:.0f} %", result, verdict)


def print_panel(bench: Bench) -> None:
    """Print the table of the panel."""
    if rows := panel_rows(bench.standings):
        trial = bench.standings[0].trial
        title = f"{trial.first} against the panel, {trial.game}, {trial.time_ms} ms an action"
        print_table(title, COLUMNS, rows, right=tuple(range(1, len(COLUMNS))), is_wide=True)


# ---------------------------------------------------------------------- the population


def print_population(numbers: Sequence[int]) -> None:
    """Print what was drawn for these members of the population."""
    for one in map(mixture, numbers):
        half = _HELD_OUT_HALF if is_held_out(one.name) else _FIT_HALF
        say(f"{one.name} ({half}): depth {one.max_depth}, {one.worlds} Worlds, {one.nodes} nodes,")
        say(f"    {'infers' if one.infers else 'counts'}, {_memory(one)}, near best {one.near_best:g},")
        say(f"    {_extremes(one)}")
    say("A name is enough to make the same player again, wherever players are named.")


def _memory(one: Mixture) -> str:
    return "forgets nothing" if one.memory is None else f"remembers {one.memory} turns"


def _extremes(one: Mixture) -> str:
    """Return the four weights that differ most from those in use, as factors; what is off stays off."""
    usual = asdict(standard_weights())
    factors = {name: value / usual[name] for name, value in one.weights.items() if usual[name]}
    far = sorted(factors, key=lambda name: -abs(log(max(factors[name], 1e-9))))[:4]
    return ", ".join(f"{name} × {factors[name]:.2f}" for name in far)
