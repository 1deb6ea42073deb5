"""The devices on which guests are told that it is their turn; running clocks in order."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the table, and an index of the clocks."""
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.String(43), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("subscriptions_of_guest", "push_subscriptions", ["guest"])
    op.create_index("matches_by_clock", "matches", ["status", "falls_at_ms"])
