"""`flagfall admin …`: what the operator of a server does to its database.

Each command imports what it needs when it is run.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flagfall.cli.arguments import AsJson

if TYPE_CHECKING:
    from flagfall.server.admin.prune import Pruned
    from flagfall.server.admin.repair import Repaired
    from flagfall.server.admin.verify import Report
    from flagfall.server.store.rows import BanRow

UNIT_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000}
MAX_SPAN_MS = 36_500 * 86_400_000

Data = Annotated[Path | None, typer.Option("--data", help="Folder of the database, as for serve.")]
Config = Annotated[Path | None, typer.Option("--config", help="A file of settings in TOML, as for serve.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do it; otherwise only say what would be done.")]
OneMatch = Annotated[str, typer.Option("--match", metavar="ID", help="Only this match.")]

app = typer.Typer(help="Maintain the database of a server.", no_args_is_help=True)


@app.command(short_help="Copy the database while the server runs.")
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the copy.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    data: Data = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Copy the database into one file, also while the server runs; the copy is checked before it appears."""
    from flagfall.cli.output import progress, say
    from flagfall.server.admin import backup as work

    with progress("backup") as advance:
        made = work.back_up(_folder(data, config), file, overwrites=force, advance=advance)
    if not _as_json(made, as_json):
        say(f"{made.file}: {made.matches} matches, {made.guests} guests, {made.bytes:,} bytes, checked.")
        say("It holds setups and hashes of cookies: keep it where only you can read it.")


@app.command(short_help="Put a backup in place of the database.")
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that backup has made.")],
    data: Data = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Put a backup in place of the database; stop the server first. The old database is kept."""
    from flagfall.cli.output import progress, say
    from flagfall.server.admin import backup as work

    with progress("restore") as advance:
        done = work.restore(_folder(data, config), file, advance=advance)
    if not _as_json(done, as_json):
        say(f"{done.file}: {done.matches} matches, {done.guests} guests.")
        if done.kept:
            say(f"The old database is {done.kept}; remove it when you no longer need it.")


@app.command(short_help="Check the file, every log and every row.")
def verify(match: OneMatch = "", data: Data = None, config: Config = None, as_json: AsJson = False) -> None:
    """Check the file, every log and every row; exit code 1 if anything is wrong. Changes nothing."""
    from flagfall.cli.output import progress
    from flagfall.server.admin import verify as work

    with progress("verify") as advance:
        report = work.verify(_folder(data, config), match, advance)
    if not _as_json(report, as_json):
        _print_report(report)
    if report.problems:
        raise typer.Exit(1)


def _print_report(report: Report) -> None:
    from flagfall.cli.output import print_table, say

    if report.problems:
        rows = [
            (one.match or "–", "–" if one.entry is None else one.entry, one.code, one.sentence)
            for one in report.problems
        ]
        print_table("Problems", ("match", "entry", "kind", "what"), rows, right=(1,))
    wrong = f"{len(report.problems)} problem(s); flagfall admin repair says what can be done."
    say(f"{report.matches} matches, {report.entries} entries: {wrong if report.problems else 'all valid.'}")


@app.command(short_help="Repair what verify finds.")
def repair(
    match: OneMatch = "", yes: Yes = False, data: Data = None, config: Config = None, as_json: AsJson = False
) -> None:
    """Repair what verify finds: cut logs back to valid entries, correct rows, rescue a damaged file.

    What is removed is kept in a file next to the database that only its owner can read. Only a damaged file
    needs the server to be stopped.
    """
    from flagfall.cli.output import progress
    from flagfall.server.admin import repair as work

    with progress("repair") as advance:
        done = work.repair(_folder(data, config), match, is_applied=yes, advance=advance)
    if not _as_json(done, as_json):
        _print_repairs(done)
    if not done.is_complete:
        raise typer.Exit(1)


def _print_repairs(done: Repaired) -> None:
    from flagfall.cli.output import print_table, say

    if not done.repairs:
        say("No problems.")
        return
    rows = [(one.match or "–", one.action, one.sentence) for one in done.repairs]
    title = "Repairs done" if done.is_done else "Repairs that would be done"
    print_table(title, ("match", "action", "what"), rows)
    if not done.is_done:
        say("Nothing was changed; add --yes to do it. Make a backup first.")
    if done.kept:
        say(f"What was removed is in {done.kept}: it holds setups, so only you can read it.")
    if done.old_file:
        say(f"The damaged database is {done.old_file}.")


@app.command(short_help="Delete old matches, guests and bans.")
def prune(
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="SPAN", help="Not updated for this time: 90d, 12w.")
    ] = "90d",
    finished: Annotated[bool, typer.Option("--finished", help="Finished matches too.")] = False,
    damaged: Annotated[bool, typer.Option("--damaged", help="Damaged matches too.")] = False,
    yes: Yes = False,
    data: Data = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Delete old unfinished matches, guests without matches and setups, and bans that have ended."""
    from flagfall.cli.output import progress
    from flagfall.server.admin import prune as work

    span = _span(older_than, "--older-than")
    with progress("prune") as advance:
        done = work.prune(
            _folder(data, config), span, finished=finished, damaged=damaged, is_applied=yes, advance=advance
        )
    if not _as_json(done, as_json):
        _print_pruned(done, older_than)


def _print_pruned(done: Pruned, older_than: str) -> None:
    from flagfall.cli.output import say

    verb = "Deleted" if done.is_done else "Would delete"
    counts = (
        (done.unfinished, "unfinished matches"),
        (done.finished, "finished matches"),
        (done.damaged, "damaged matches"),
        (done.guests, "guests without matches and setups"),
        (done.bans, "ended bans"),
    )
    say(f"{verb}: {', '.join(f'{count} {what}' for count, what in counts)} (older than {older_than}).")
    if not done.is_done:
        say("Nothing was changed; add --yes to do it.")
    elif done.free_bytes:
        say(
            f"{done.free_bytes:,} bytes inside the file are free and will be used again. To make the file "
            "smaller, stop the server and run VACUUM with sqlite3."
        )


@app.command(short_help="List matches.")
def matches(
    status: Annotated[
        str, typer.Option("--status", help="Only these: waiting, running, over or damaged.")
    ] = "",
    game: Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="Only this game.")] = "",
    guest: Annotated[str, typer.Option("--guest", metavar="ID", help="Only of this guest.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100_000, help="Maximum number.")] = 50,
    data: Data = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """List matches, the last updated first: players, times, number of entries, result."""
    from flagfall.cli.output import print_table, say
    from flagfall.server.admin.matches import list_matches
    from flagfall.server.middleware.bans import time_text

    found = list_matches(_folder(data, config), status=status, game=game, guest=guest, limit=limit)
    if _as_json(found, as_json):
        return
    if not found:
        say("No matches.")
        return
    rows = [
        (
            f"{one.match}\n{one.game}\n{one.opponent}",
            f"{one.south or '–'} ({one.south_guest or '–'})\n{one.north or '–'} ({one.north_guest or '–'})",
            f"{time_text(one.created_ms)}\n{time_text(one.updated_ms)}",
            f"{one.status}, {one.entries} entries\n{_result(one.winner, one.reason, one.closed_because)}",
        )
        for one in found
    ]
    columns = ("match, game, opponent", "South and North (guest)", "created, last activity", "status")
    print_table(f"{len(rows)} matches", columns, rows)


def _result(winner: str, reason: str, note: str) -> str:
    if not reason:
        return ""
    text = f"{winner} wins ({reason})" if winner else reason
    return f"{text}: {note}" if note else text


@app.command(short_help="Abort a match, or end an invitation.")
def close(
    match: Annotated[str, typer.Argument(metavar="MATCH", help="Id of a match.")],
    reason: Annotated[
        str, typer.Option("--reason", help="Why, for the list of matches; players do not see it.")
    ] = "",
    data: Data = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Abort a match as the referee, or end an invitation; a running server tells the players at once."""
    from flagfall.cli.output import say
    from flagfall.server.admin.matches import close_match

    closed = close_match(_folder(data, config), match, reason)
    if not _as_json(closed, as_json):
        what = "was aborted" if closed.entries else "was an invitation and is ended"
        say(f"{closed.match} ({closed.game}) {what}.")


@app.command(short_help="Stop serving a guest, an address or a network.")
def ban(
    subject: Annotated[
        str, typer.Argument(metavar="GUEST|ADDRESS|CIDR", help="Guest id, address or network.")
    ] = "",
    span: Annotated[
        str, typer.Option("--for", metavar="SPAN", help="Duration: 12h, 7d; without it: permanently.")
    ] = "",
    reason: Annotated[str, typer.Option("--reason", help="Why, for the list of bans.")] = "",
    tell: Annotated[bool, typer.Option("--tell", help="Tell the player the reason too.")] = False,
    lists: Annotated[bool, typer.Option("--list", help="List the bans.")] = False,
    lift: Annotated[str, typer.Option("--lift", metavar="SUBJECT", help="End a ban.")] = "",
    data: Data = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Stop serving a guest, an address or a network; a running server follows within seconds."""
    from flagfall.cli.output import say
    from flagfall.errors import UserError
    from flagfall.server.admin import bans

    if sum(map(bool, (subject, lists, lift))) != 1:
        raise UserError("Name a guest, address or network, or use --list or --lift")
    folder = _folder(data, config)
    if lists:
        _print_bans(*bans.list_bans(folder), as_json=as_json)
    elif lift:
        lifted = bans.unban(folder, lift)
        if not _as_json(lifted, as_json):
            say(f"{lifted.subject} is served again.")
    else:
        for_ms = _span(span, "--for") if span else None
        made = bans.ban(folder, subject, for_ms=for_ms, reason=reason, is_told=tell)
        if not _as_json(made, as_json):
            say(f"{made.subject} is not served {_until(made.until_ms)}.")


def _print_bans(bans: list[BanRow], now_ms: int, *, as_json: bool) -> None:
    from flagfall.cli.output import print_table
    from flagfall.server.middleware.bans import PUBLIC_REASON, time_text

    if _as_json(bans, as_json):
        return
    rows = [
        (
            one.subject,
            time_text(one.created_ms),
            _until(one.until_ms) if one.until_ms is None or one.until_ms > now_ms else "ended",
            one.reason.removeprefix(PUBLIC_REASON),
            "yes" if one.reason.startswith(PUBLIC_REASON) else "no",
        )
        for one in bans
    ]
    print_table(f"{len(rows)} bans", ("subject", "since", "until", "reason", "told"), rows)


def _until(until_ms: int | None) -> str:
    from flagfall.server.middleware.bans import time_text

    return "any more" if until_ms is None else f"until {time_text(until_ms)}"


# ---------------------------------------------------------------------- arguments and output


def _folder(data: Path | None, config: Path | None) -> Path:
    """Return the data folder, as `flagfall serve` would find it."""
    from flagfall.server.settings import load_settings

    flags = {"data": str(data) if data else None}
    return load_settings(flags, os.environ, str(config) if config else "").folder


def _as_json(facts: object, as_json: bool) -> bool:
    """Print facts as JSON if that is asked for; return whether it was."""
    if as_json:
        import msgspec

        from flagfall.cli.output import print_json

        print_json(msgspec.to_builtins(facts))
    return as_json


def _span(text: str, option: str) -> int:
    """Return a span of time in milliseconds.

    >>> _span("90d", "--for"), _span("12h", "--for")
    (7776000000, 43200000)
    """
    from flagfall.errors import UserError

    found = re.fullmatch(r"(\d{1,9})([smhdw])", text.strip().lower())
    if found is None:
        raise UserError(f"{option} is “{text}”; write a number and a unit, such as 30m, 12h, 7d or 4w")
    span = int(found[1]) * UNIT_MS[found[2]]
    if not 0 < span <= MAX_SPAN_MS:
        raise UserError(f"{option} is “{text}”; choose a span between a second and a hundred years")
    return span
