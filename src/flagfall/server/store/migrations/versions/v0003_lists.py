"""What lists show without the log, facts about the database, and who is not served."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns and tables; whose turn it is in old matches is filled in by the server."""
    op.add_column("matches", sa.Column("to_move", sa.String(8), nullable=True))
    op.add_column("matches", sa.Column("updated_ms", sa.BigInteger, nullable=False, server_default="0"))
    op.execute("UPDATE matches SET updated_ms = created_ms")
    op.execute("UPDATE matches SET to_move = '' WHERE status <> 'running'")
    op.create_table(
        "meta",
        sa.Column("key", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "bans",
        sa.Column("subject", sa.String(64), primary_key=True),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=True),
    )
