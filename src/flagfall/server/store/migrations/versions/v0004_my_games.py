"""Facts of finished games, for statistics, and games that a guest has removed from their list."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make both tables; the facts of old games are filled in by the server."""
    op.create_table(
        "facts",
        sa.Column("match_id", sa.String(32), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("facts", sa.Text, nullable=False),
    )
    op.create_table(
        "removed",
        sa.Column("match_id", sa.String(32), sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("guest", sa.String(32), sa.ForeignKey("guests.id"), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "guest"),
    )
    op.create_index("removed_by_guest", "removed", ["guest"])
