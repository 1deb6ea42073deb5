"""The figures of `flagfall bench belief` as tables."""

from __future__ import annotations

from bench import belief as bench
from bench import belief_opponents
from bench.belief_opponents import BELIEFS, CLASSES, Losses
from flagfall.cli.output import print_json, print_table, progress, warm_up_kernels
from flagfall.edition import game_ids, load_game
from flagfall.players import check_player
from flagfall.players.zoo.panel import EARLIER, PANEL, is_held_out


def print_beliefs(
    chosen: list[str], games: int, player: str, samples: int, seed: int, *, as_json: bool
) -> None:
    """Measure beliefs through games."""
    played = [load_game(name) for name in chosen or game_ids()]
    check_player(player)
    warm_up_kernels()
    with progress("bench belief") as advance:
        figures = bench.measure(played, player, games, samples, seed, advance)
    if as_json:
        print_json(figures)
        return
    rows = []
    for name, found in figures.items():
        loss, counting = found["loss"], found["counting"]
        assert isinstance(loss, dict)
        assert isinstance(counting, dict)
        through = "  ".join(f"{stop}: {loss[stop]:.2f}/{counting[stop]:.2f}" for stop in loss)
        impossible = f"{found['impossible']} of {found['drawn']}"
        rows.append((name, through, found["first_ms"], found["update_ms"], found["draw_us"], impossible))
    columns = (
        "game",
        "nats: belief/counting by turn",
        "first ms",
        "update ms",
        "a sample µs",
        "impossible samples",
    )
    print_table("Beliefs through games", columns, rows, right=(2, 3, 4, 5))


def print_opponents(
    chosen: list[str], opponents: list[str], games: int, player: str, jobs: int, seed: int, *, as_json: bool
) -> None:
    """Measure what a player believes of each opponent: with habits, without them, and by counting."""
    named = [name for said in opponents for name in (_believable_panel() if said == "panel" else [said])]
    for name in (player, *named):
        check_player(name)
    warm_up_kernels()
    for game in chosen:
        with progress(f"bench belief {game}") as advance:
            found = belief_opponents.measure(load_game(game).id, named, player, games, jobs, seed, advance)
        if as_json:
            print_json({"game": game, "opponents": {name: _facts(found[name]) for name in named}})
            continue
        rows = [(_titled(name), *(_cell(found[name], which) for which in CLASSES)) for name in named]
        print_table(
            f"Beliefs of {player} in {game}, {games} games each: nats a hidden piece with habits of all "
            "styles / without habits / by counting",
            ("opponent", *CLASSES),
            rows,
        )


def _believable_panel() -> list[str]:
    """Return the panel without the player that a process of its own plays."""
    return [name for name in PANEL if name != EARLIER]


def _titled(name: str) -> str:
    return f"{name} (held out)" if is_held_out(name) else name


def _cell(losses: Losses, which: str) -> str:
    nats = losses.mean(which)
    return " / ".join(f"{nats[belief]:.2f}" for belief in BELIEFS) if nats else "–"


def _facts(losses: Losses) -> dict[str, object]:
    """Return the nats by class and turn, and over all turns."""
    return {
        which: {
            "all": losses.mean(which),
            **{str(at): losses.mean(which, at) for at in belief_opponents.STOPS},
        }
        for which in CLASSES
    }
