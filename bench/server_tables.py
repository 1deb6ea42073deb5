"""Tables of ``flagfall bench server --live`` and ``--knee``."""

from __future__ import annotations

from typing import Any

from flagfall.cli.output import print_table, say

Figures = dict[str, Any]


def print_live(figures: Figures) -> None:
    """Print the figures of live matches with their units."""
    live, memory = figures["live"], figures["memory"]
    own, opponent = live["own_ms"], live["opponent_ms"]
    rows = [
        ("own new State, p50", _number(own["p50"], 1), "ms"),
        ("own new State, p99", _number(own["p99"], 1), "ms"),
        ("opponent's new State, p50", _number(opponent["p50"], 1), "ms"),
        ("opponent's new State, p99", _number(opponent["p99"], 1), "ms"),
        ("actions", _number(live["actions"]), f"in {live['seconds']:.0f} s"),
        ("server, CPU an action", _number(live["server_cpu_ms_per_action"], 2), "ms"),
        ("server, share of a core", _percent(live["server_cpu_share"]), "%"),
        ("players, share of a core", _percent(live["generator_cpu_share"]), "%"),
        ("State or change, JSON", _number(live["state_bytes"]), "bytes"),
        ("State or change, on the wire", _number(live["wire_bytes_per_state"]), "bytes"),
        ("server, memory before", _number(memory["server_bytes"], 1, 1e6), "MB"),
        ("an idle match", _number(memory["idle_match_bytes"], 0, 1024), "KiB"),
        ("… with both sockets", _number(memory["connected_match_bytes"], 0, 1024), "KiB"),
        ("… after the play", _number(memory["played_match_bytes"], 0, 1024), "KiB"),
    ]
    if "listing" in figures:
        rows += _more(figures)
    title = f"{live['matches']} live matches of {figures['game']}, an action every {figures['every_s']:g} s"
    print_table(title, ("figure", "value", "unit"), rows, right=(1,))
    _say_errors(live["errors"])
    say(_machine(figures))


def _more(figures: Figures) -> list[tuple[str, str, str]]:
    listing, game, loaded = figures["listing"], figures["long_game"], figures["long_match_bytes"]
    of_turns = f"of {game['turns']} turns"
    return [
        (f"list of {listing['games']} games, first", _number(listing["first"]["ms"], 1), "ms"),
        (f"list of {listing['games']} games, again", _number(listing["second"]["ms"], 1), "ms"),
        (f"whole State {of_turns}, from disk", _number(game["state_from_database"]["ms"], 1), "ms"),
        (f"whole State {of_turns}, again", _number(game["state"]["ms"], 1), "ms"),
        (f"whole State {of_turns}", _number(game["state"]["bytes"]), "bytes"),
        (f"last page of the replay {of_turns}", _number(game["replay_last_page"]["ms"], 1), "ms"),
        (f"a match of {loaded['turns']} turns in memory", _number(loaded["bytes"], 0, 1024), "KiB"),
    ]


def print_knee(figures: Figures) -> None:
    """Print a line for every step, and the last good number of matches."""
    rows = [
        (
            step["matches"],
            _number(step["actions_per_s"], 1),
            _number(step["own_ms"]["p50"], 1),
            _number(step["own_ms"]["p99"], 1),
            _number(step["opponent_ms"]["p99"], 1),
            _number(step["server_cpu_ms_per_action"], 2),
            _percent(step["server_cpu_share"]) + " %",
            _percent(step["generator_cpu_share"]) + " %",
            sum(step["errors"].values()),
            "yes" if step["is_good"] else "no",
        )
        for step in figures["steps"]
    ]
    columns = (
        "live",
        "act/s",
        "own p50",
        "p99",
        "other p99",
        "CPU ms",
        "server",
        "players",
        "errors",
        "good",
    )
    title = (
        f"Live matches of {figures['game']}, an action every {figures['every_s']:g} s: milliseconds from an "
        "action to the new State (own, opponent's), CPU time an action, shares of a core"
    )
    print_table(title, columns, rows, right=range(9), is_wide=True)
    for step in figures["steps"]:
        _say_errors(step["errors"])
    good, limit = figures["last_good"], f"{figures['limit_ms']:g} ms"
    if not good:
        say(f"Even the first step passed the limit of {limit}.")
    elif figures["steps"][-1]["is_good"]:
        say(f"{good} matches are within the limit of {limit}; more were not tried.")
    else:
        say(f"{good} matches are the last step within the limit of {limit}.")
    say(_machine(figures))


def _say_errors(errors: dict[str, int]) -> None:
    if errors:
        say("Errors: " + ", ".join(f"{name} × {count}" for name, count in sorted(errors.items())) + ".")


def _machine(figures: Figures) -> str:
    before, after = (_number(value, 2) for value in figures["load_average"])
    pinned = "each on a core of its own" if figures["is_pinned"] else "not tied to cores"
    packed = "compressed" if figures["is_compressed"] else "plain"
    return (
        f"Server and players {pinned} of {figures['cores']}, {packed} messages; "
        f"load average {before} before, {after} after."
    )


def _number(value: float | None, digits: int = 0, unit: float = 1.0) -> str:
    return "–" if value is None else f"{value / unit:.{digits}f}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f}"
