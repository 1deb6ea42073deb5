"""Bans: adding, listing and lifting them; a running server follows within seconds."""

from __future__ import annotations

from pathlib import Path

from flagfall.server.admin.database_file import AdminError, open_database, server_now_ms, transaction
from flagfall.server.middleware.bans import PUBLIC_REASON, BanError, network_of
from flagfall.server.store.rows import BanRow

MAX_REASON = 150


def ban(
    folder: Path, subject: str, *, for_ms: int | None = None, reason: str = "", is_told: bool = False
) -> BanRow:
    """Ban a guest, an address or a network, in place of an older ban of the same."""
    if len(reason) > MAX_REASON or not reason.isprintable():
        raise AdminError(f"A reason is one line of at most {MAX_REASON} characters")
    if is_told and not reason:
        raise AdminError("There is no reason to tell the player; give one with --reason")
    network = _network(subject)
    with open_database(folder, writes=True) as connection:
        if network is None:
            known = connection.execute("SELECT 1 FROM guests WHERE id = ?", (subject,)).fetchone()
            if known is None:
                raise AdminError(
                    f"There is no guest {subject}; name a guest by id (flagfall admin matches shows them), "
                    "an address or a network"
                )
        now = server_now_ms(connection)
        until = None if for_ms is None else now + for_ms
        row = BanRow(network or subject, f"{PUBLIC_REASON if is_told else ''}{reason}", now, until)
        with transaction(connection):
            connection.execute(
                "INSERT OR REPLACE INTO bans (subject, reason, created_ms, until_ms) VALUES (?, ?, ?, ?)",
                (row.subject, row.reason, row.created_ms, row.until_ms),
            )
    return row


def unban(folder: Path, subject: str) -> BanRow:
    """End a ban."""
    wanted = _network(subject) or subject
    with open_database(folder, writes=True) as connection, transaction(connection):
        row = connection.execute(
            "SELECT subject, reason, created_ms, until_ms FROM bans WHERE subject IN (?, ?)",
            (wanted, subject),
        ).fetchone()
        if row is None:
            raise AdminError(f"{subject} is not banned; flagfall admin ban --list shows who is")
        connection.execute("DELETE FROM bans WHERE subject = ?", (row[0],))
    return BanRow(*row)


def list_bans(folder: Path) -> tuple[list[BanRow], int]:
    """Return all bans, those that have ended too, and the server's time."""
    query = "SELECT subject, reason, created_ms, until_ms FROM bans ORDER BY created_ms, subject"
    with open_database(folder) as connection:
        return [BanRow(*row) for row in connection.execute(query)], server_now_ms(connection)


def _network(subject: str) -> str | None:
    try:
        return network_of(subject)
    except BanError as error:
        raise AdminError(str(error)) from None
