"""What players keep: notes on pieces, and setups by name."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "notes",
        sa.Column("match_id", sa.String(32), sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("seat", sa.String(8), nullable=False),
        sa.Column("piece", sa.String(16), nullable=False),
        sa.Column("text", sa.String(48), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", "piece"),
    )
    op.create_table(
        "setups",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("guest", sa.String(32), sa.ForeignKey("guests.id"), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("side", sa.String(8), nullable=False),
        sa.Column("name", sa.String(160), nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("guest", "game", "side", "name", name="setups_by_name"),
    )
