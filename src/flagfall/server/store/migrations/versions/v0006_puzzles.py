"""Which puzzles a guest has tried, and with what success."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "puzzle_attempts",
        sa.Column("guest", sa.String(32), nullable=False),
        sa.Column("puzzle", sa.String(80), nullable=False),
        sa.Column("is_solved", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("guest", "puzzle"),
    )
    op.create_index("attempts_by_puzzle", "puzzle_attempts", ["puzzle", "is_solved"])
